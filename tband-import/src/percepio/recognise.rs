//! The three layouts of TraceRecorder, by their start markers.

use memchr::memmem;

use super::event::{Head, MAX_EVENT, is_chain};
use super::header::{Header, NoHeader, VERSIONS, describe_unstated_words, find_begin};
use super::ring::{self, RING};
use super::snapshot::{self, SNAPSHOT};
use super::words::Layout;
use crate::format::InputFormat;
use crate::recognised_format::RecognisedFormat;

/// FreeRTOS's number, in place of the version where words of 4 bytes were swapped.
const SWAPPED: u16 = 0x1AA1;
/// Events that show a stream without its header.
const MANY: usize = 40;
/// What to do with a stream without its header.
const NO_START: &str = ": its header names the byte order, the clock and the objects, and the target sends it once, when recording \
     starts; stop and start the recording, or receive it from its start. Of several cores, only the first one's \
     stream may have it: put the others behind that one, as in 'cat trace0.psf trace1.psf'";

/// The start of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    /// The header of a stream.
    Stream,
    Ring,
    Snapshot,
}

/// The first start of a recording in these bytes. `at_end`: there are no more.
pub fn find(bytes: &[u8], at_end: bool) -> Option<(Marker, usize)> {
    let is_header = |at: &usize| match Header::read(bytes.get(*at..).unwrap_or_default()) {
        Ok(_) => true,
        Err(NoHeader::Short) => *at == 0 || at_end,
        Err(NoHeader::Other) => false,
    };
    let streams = memmem::find_iter(bytes, b"\0FSP").chain(memmem::find_iter(bytes, b"PSF\0"));
    let stream = streams.filter(is_header).min();
    let rings = memmem::find_iter(bytes, &RING);
    let is_ring = |at: &usize| !matches!(ring::size(&bytes[*at..]), ring::RingStructure::Other);
    let ring = rings.filter(is_ring).min();
    let is_snapshot =
        |at: &usize| !matches!(snapshot::size(&bytes[*at..]), snapshot::SnapshotStructure::Other);
    let snapshot = memmem::find_iter(bytes, &SNAPSHOT).filter(is_snapshot).min();
    // The header of a ring is after its marker.
    [(Marker::Ring, ring), (Marker::Snapshot, snapshot), (Marker::Stream, stream)]
        .into_iter()
        .filter_map(|(marker, at)| Some((marker, at?)))
        .min_by_key(|(_, at)| *at)
}

/// Recognises the recordings of TraceRecorder.
pub fn recognise(bytes: &[u8]) -> Option<RecognisedFormat> {
    if let Some((is_big, version)) = find_begin(bytes) {
        return Some(stream(is_big, version, bytes));
    }
    let Some((marker, at)) = find(bytes, true) else {
        let of_ring = |at: usize| describe_unstated_words(bytes.get(at + RING.len()..)?);
        if let Some(advice) = memmem::find_iter(bytes, &RING).find_map(of_ring) {
            let text = "a dump of Percepio TraceRecorder's ring buffer";
            return Some(
                RecognisedFormat::new(InputFormat::TraceRecorder, text).with_advice(advice),
            );
        }
        return is_without_start(bytes).then(|| {
            let text = "a Percepio TraceRecorder stream whose start is missing";
            RecognisedFormat::new(InputFormat::TraceRecorder, text).with_advice(NO_START)
        });
    };
    let rest = bytes.get(at..).unwrap_or_default();
    Some(match marker {
        Marker::Stream => {
            let (is_big, version) = find_begin(rest)?;
            stream(is_big, version, rest)
        }
        Marker::Ring => {
            let header = rest.get(RING.len()..).and_then(find_begin);
            let about = header.map_or(String::new(), |(is_big, version)| {
                format!(" ({}, format {version:#04X})", order(is_big))
            });
            let text = format!("a dump of Percepio TraceRecorder's ring buffer{about}");
            RecognisedFormat::new(InputFormat::TraceRecorder, text)
        }
        Marker::Snapshot => {
            let text = "a snapshot of Percepio's classic trace recorder";
            RecognisedFormat::new(InputFormat::TraceRecorder, text)
        }
    })
}

/// Events follow each other near the start, in one of the layouts: the header is missing, so their clock and names are unknown.
fn is_without_start(bytes: &[u8]) -> bool {
    let layouts = [(false, false), (false, true), (true, false), (true, true)];
    (0..MAX_EVENT).any(|at| {
        let rest = bytes.get(at..).unwrap_or_default();
        layouts
            .into_iter()
            .any(|(is_big, is_wide)| has_switches(rest, Layout::new(is_big, is_wide)))
    })
}

/// Many events follow each other, and among them tasks become ready and are switched in.
fn has_switches(bytes: &[u8], layout: Layout) -> bool {
    if !is_chain(bytes, layout, 1, MANY) {
        return false;
    }
    let (mut at, mut ready, mut run) = (0, Vec::new(), Vec::new());
    for _ in 0..MANY {
        let Some(head) = Head::read(layout, false, bytes, at) else { return false };
        let task = layout.word(bytes, at + 8);
        match (head.code, head.len.saturating_sub(8) / layout.word_len()) {
            (0x30, 1) => ready.extend(task),
            (0x37, 2) => run.extend(task),
            (0x30 | 0x37, 0 | 3..) => return false,
            _ => {}
        }
        at += head.len;
    }
    // Addresses are multiples of 4.
    run.iter().any(|task| ready.contains(task) && task % 4 == 0 && *task > 0)
}

const fn order(is_big: bool) -> &'static str {
    if is_big { "big endian" } else { "little endian" }
}

fn stream(is_big: bool, version: u16, bytes: &[u8]) -> RecognisedFormat {
    let order = order(is_big);
    let text = format!("a Percepio TraceRecorder stream (PSF, {order}, format {version:#04X})");
    let found = RecognisedFormat::new(InputFormat::TraceRecorder, text);
    if let Some(advice) = describe_unstated_words(bytes) {
        found.with_advice(advice)
    } else if VERSIONS.contains(&version) {
        found
    } else if version == SWAPPED {
        found.with_advice(": its words of 4 bytes were swapped; copy the memory byte by byte")
    } else {
        found.with_advice(
            "; tband reads formats 0x0A to 0x0E, of the recorder's versions 4.6 to 4.11",
        )
    }
}
