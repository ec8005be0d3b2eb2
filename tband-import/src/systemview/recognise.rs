//! Whether bytes are a SystemView stream.

use memchr::memmem;

use super::SYNC;
use super::fields::{Fields, NoPacket};
use super::header::{FileStart, Header};
use super::packet::Packet;
use crate::format::InputFormat;
use crate::recognised_format::{RecognisedFormat, Recognition};

/// Packets after a synchronisation within which the target describes itself.
const PACKETS: usize = 24;
/// Synchronisations that are tried.
const SYNCS: usize = 4;
/// Packets that may be those of a stream without its start, those that show one, the most that are read, and bytes that are passed over
/// before the first of them.
const FEW: usize = 16;
const MANY: usize = 128;
const MOST: usize = 1024;
const MAX_PACKET: usize = 64;
/// What to do with such a stream.
const NO_START: &str = ": its start names the clock and the addresses of tasks, and the target sends it once, when recording \
     starts; stop and start the recording, or receive it from its start";
const TRACE_START: u32 = 10;
const INIT: u32 = 24;

/// Recognises a stream by its text, or by the packets after a synchronisation: they start the trace and initialise the host
/// with a frequency.
pub fn recognise(bytes: &[u8], at_end: bool) -> Recognition {
    let is = |text: &str| Recognition::Is(RecognisedFormat::new(InputFormat::SystemView, text));
    let file = "a file of SEGGER SystemView";
    match Header::read(bytes, at_end) {
        FileStart::Header(header, _) if header.is_of_systemview() => return is(file),
        FileStart::Header(_, len) => {
            let stream = bytes.get(len..).unwrap_or_default();
            return match is_start(stream) {
                Ok(true) => is(file),
                Err(()) if !at_end => Recognition::NeedsMore,
                _ => Recognition::No,
            };
        }
        FileStart::Short => return Recognition::NeedsMore,
        FileStart::Nothing => {}
    }
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    if zeros == bytes.len() && !at_end && zeros > 0 {
        return Recognition::NeedsMore;
    }
    if zeros >= SYNC.len() {
        match is_start(bytes) {
            Ok(true) => return is("a stream of SEGGER SystemView"),
            Err(()) if !at_end => return Recognition::NeedsMore,
            _ => {}
        }
    }
    // The ring of a post-mortem recording begins anywhere.
    let syncs = memmem::find_iter(bytes, &SYNC).take(SYNCS);
    let mut streams = syncs.filter_map(|at| bytes.get(at..));
    if streams.any(|stream| is_start(stream) == Ok(true)) {
        return is("a post-mortem buffer of SEGGER SystemView");
    }
    Recognition::No
}

/// Recognises a stream without its start, by many packets that follow each other, among them tasks that become ready and run.
pub fn recognise_rest(bytes: &[u8], at_end: bool) -> Recognition {
    let mut needs_more = false;
    for at in 0..MAX_PACKET {
        match are_packets(bytes.get(at..).unwrap_or_default(), at_end) {
            Ok(true) => {
                let text = "a SEGGER SystemView stream whose start is missing";
                let found = RecognisedFormat::new(InputFormat::SystemView, text);
                return Recognition::Is(found.with_advice(NO_START));
            }
            Ok(false) => {}
            Err(()) => needs_more = true,
        }
    }
    if needs_more { Recognition::NeedsMore } else { Recognition::No }
}

/// These are packets of a stream; `Err`: more bytes show it.
fn are_packets(mut bytes: &[u8], at_end: bool) -> Result<bool, ()> {
    let (mut ready, mut run) = (Vec::new(), Vec::new());
    for number in 0..MOST {
        let packet = match Packet::read(bytes, false) {
            Ok(packet) => packet,
            Err(NoPacket::Short) if !at_end && number >= FEW => return Err(()),
            Err(NoPacket::Short) if number >= MANY => break,
            Err(_) => return Ok(false),
        };
        let task = Fields(packet.payload).or_zero();
        match packet.id {
            0 => return Ok(false),
            4 => run.push(task),
            6 => ready.push(task),
            _ => {}
        }
        bytes = bytes.get(packet.len..).unwrap_or_default();
    }
    run.sort_unstable();
    run.dedup();
    Ok(run.iter().filter(|task| ready.contains(task)).count() >= 2)
}

/// The trace starts here; `Err`: more bytes show it.
fn is_start(bytes: &[u8]) -> Result<bool, ()> {
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    if zeros < SYNC.len() {
        return if zeros == bytes.len() { Err(()) } else { Ok(false) };
    }
    let mut rest = bytes.get(zeros..).unwrap_or_default();
    let mut has_start = false;
    for _ in 0..PACKETS {
        let packet = match Packet::read(rest, false) {
            Ok(packet) => packet,
            Err(NoPacket::Short) => return Err(()),
            Err(NoPacket::Damaged(_)) => return Ok(false),
        };
        match packet.id {
            TRACE_START => has_start = true,
            INIT => return Ok(has_start && is_init(packet.payload)),
            // A count of lost packets may come first.
            0 | 1 => {}
            _ if !has_start => return Ok(false),
            _ => {}
        }
        rest = rest.get(packet.len..).unwrap_or_default();
    }
    Ok(false)
}

/// Four numbers, the first of which is a frequency and the last one a shift.
fn is_init(payload: &[u8]) -> bool {
    let mut fields = Fields(payload);
    let mut number = || fields.number().ok();
    let numbers = (number(), number(), number(), number());
    matches!(numbers, (Some(100..), Some(_), Some(_), Some(0..=8))) && fields.0.is_empty()
}
