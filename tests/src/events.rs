//! Recordings as lists of readable lines, decoded with `tband-format`. Those of packets are read as the equivalent frames.
//! Descriptions of events outside of the base, which each recording begins with, are left out, so that no test depends on the
//! set of events; `tband-core/tests/declared.rs` tests the descriptions.
//!
//! A line is `TS name field=value …`, with `-` for the timestamp of metadata, for example `1000 isr_enter isr_id=3` or
//! `- isr_name isr_id=3 name="UART"`.

use std::borrow::Cow;
use std::fmt::Write as _;

use tband_format::classes::buffers::FIRST_BIT;
use tband_format::declaration::DECLARATIONS;
use tband_format::packet::MAGIC;
use tband_format::{Event, FORMAT_VERSION, decode_frame};

use crate::packets::as_frames;

fn in_frames(recording: &[u8]) -> Cow<'_, [u8]> {
    if recording.starts_with(&MAGIC.to_le_bytes()) {
        as_frames(recording).into()
    } else {
        recording.into()
    }
}

/// Bytes between zeros, which may be several, since they are what gaps in the metadata are made of; the recording must
/// end with one.
fn frames(recording: &[u8]) -> Vec<&[u8]> {
    if recording.is_empty() {
        return Vec::new();
    }
    let whole = recording.strip_suffix(&[0]).expect("a recording ends with a frame's zero byte");
    let frames = whole.split(|&byte| byte == 0);
    frames.filter(|frame| !frame.is_empty() && !is_declaration(frame)).collect()
}

/// The frame describes an event outside of the base, as the recorder does at each start.
fn is_declaration(frame: &[u8]) -> bool {
    DECLARATIONS.iter().any(|it| it.frame().strip_suffix(&[0]) == Some(frame))
}

/// The bytes that each start adds to describe the events outside of the base.
#[must_use]
pub fn declarations() -> Vec<u8> {
    DECLARATIONS.iter().flat_map(|it| it.frame().to_vec()).collect()
}

/// The frames of a recording, without their zeros.
#[must_use]
pub fn frames_of_recording(recording: &[u8]) -> Vec<Vec<u8>> {
    frames(&in_frames(recording)).into_iter().map(<[u8]>::to_vec).collect()
}

/// Calls `visit` with the time and the event of each frame. Panics where a frame does not decode.
pub fn for_each(recording: &[u8], mut visit: impl FnMut(Option<u64>, &Event<'_>)) {
    for frame in frames(&in_frames(recording)) {
        let mut scratch = vec![0; frame.len()];
        let decoded = decode_frame(frame, &mut scratch)
            .unwrap_or_else(|error| panic!("frame {frame:02X?}: {error}"));
        visit(decoded.ts, &decoded.event);
    }
}

/// Every event of a recording as a line. Panics where a frame does not decode.
#[must_use]
pub fn lines(recording: &[u8]) -> Vec<String> {
    let mut list = Vec::new();
    for_each(recording, |ts, event| {
        let mut line = ts.map_or_else(|| "-".to_owned(), |ts| ts.to_string());
        let _ = write!(line, " {}", event.name());
        event.for_each_field(|name, value| {
            let _ = match value {
                tband_format::field::Value::Unsigned(value) => write!(line, " {name}={value}"),
                tband_format::field::Value::Named(value, _) => write!(line, " {name}={value}"),
                tband_format::field::Value::Signed(value) => write!(line, " {name}={value}"),
                tband_format::field::Value::Str(value) => write!(line, " {name}={value:?}"),
            };
        });
        list.push(line);
    });
    list
}

/// As [`lines`], without the events that a recorder adds automatically: `core_id`, `dropped_evt_cnt`, `ts_resolution_ns`,
/// `ts_frequency`, `trace_info`, and the identity of the program.
#[must_use]
pub fn user_lines(recording: &[u8]) -> Vec<String> {
    let own = [
        Event::CoreId { core_id: 0 }.name(),
        Event::DroppedEvtCnt { cnt: 0 }.name(),
        Event::TsResolutionNs { ns_per_ts: 0 }.name(),
        "trace_info",
        "ts_frequency",
    ];
    let mut list = lines(recording);
    list.retain(|line| {
        !own.iter().any(|name| line.split(' ').nth(1) == Some(name)) && identity(line).is_none()
    });
    list
}

/// The identity of a program, if this is the line of its event.
fn identity(line: &str) -> Option<&str> {
    let text = line.strip_prefix("- build_id id=\"")?.strip_suffix('"')?;
    tband_conv::records::is_identity(text.as_bytes()).then_some(text)
}

/// As [`user_lines`], each name once: a snapshot reports again what the metadata buffer before it has.
#[must_use]
pub fn user_lines_once(recording: &[u8]) -> Vec<String> {
    let mut reported: Vec<String> = Vec::new();
    for line in user_lines(recording) {
        if !(line.starts_with("- ") && reported.contains(&line)) {
            reported.push(line);
        }
    }
    reported
}

/// The flags of `trace_info` in a stream of frames, without a kernel.
pub const STREAMED: u32 = 1 << FIRST_BIT;

/// The flags of a snapshot of the usual size, 1 times 32 * 2^10 bytes.
pub const SNAPSHOT_OF_32_KIB: u32 = (2 | 1 << 3 | 10 << 8) << FIRST_BIT;

/// The flags of the external backend.
pub const GIVEN_OUT: u32 = 3 << FIRST_BIT;

/// The line of `trace_info`, without a kernel.
#[must_use]
pub fn trace_info(core_count: u32, flags: u32) -> String {
    format!("- trace_info format_version={FORMAT_VERSION} core_count={core_count} flags={flags}")
}

/// Prints how many events a recording has, and their size.
pub fn print_size(what: &str, recording: &[u8]) {
    let (events, bytes) = (frames(&in_frames(recording)).len(), recording.len());
    println!(
        "{what}: {events} events in {bytes} bytes, {:.2} bytes an event",
        bytes as f64 / events as f64
    );
}

/// Asserts that a recording holds exactly these events and the identity of its program, which is returned.
#[track_caller]
pub fn assert_identified_events(recording: &[u8], expected: &[&str]) -> Option<String> {
    let mut list = lines(recording);
    let identities: Vec<_> =
        list.iter().filter_map(|line| Some(identity(line)?.to_owned())).collect();
    list.retain(|line| identity(line).is_none());
    assert_eq!(list, expected, "the events differ");
    assert!(identities.len() <= 1, "{identities:?}");
    identities.into_iter().next()
}

/// Asserts that a recording holds exactly these events.
pub fn assert_events(recording: &[u8], expected: &[&str]) {
    assert_eq!(lines(recording), expected, "the events differ");
}
