//! The end of a recording: where its last packet or frame is complete.
//!
//! A recording usually ends while a packet is on its way. Without its end, the packet would look like damage. Therefore
//! recorders cut it off and save it separately.
//!
//! Recordings of other recorders have neither packets nor frames of tband. Nothing is cut off them.

use tband_conv::foreign::recognised_format;
use tband_format::packet::{HEADER_LEN, Header, HeaderError, MAGIC, MAX_LEN};

/// No frame is longer than that.
const MAX_FRAME: usize = 4096;
/// The last bytes in which a packet has its header.
const WINDOW: usize = MAX_LEN + HEADER_LEN;

/// Bytes at the beginning of a recording that show which recorder made it.
const HEAD: usize = 64 * 1024;

/// The beginning of a recording.
#[derive(Debug, Default)]
struct Head {
    bytes: Vec<u8>,
    /// Another recorder made the recording: known once the beginning is complete.
    is_foreign: Option<bool>,
}

impl Head {
    fn add(&mut self, bytes: &[u8]) {
        if self.is_foreign.is_some() {
            return;
        }
        let room = HEAD - self.bytes.len();
        self.bytes.extend_from_slice(bytes.get(..room).unwrap_or(bytes));
        if self.bytes.len() == HEAD {
            self.is_foreign = Some(self.is_foreign());
            self.bytes = Vec::new();
        }
    }

    fn is_foreign(&self) -> bool {
        self.is_foreign.unwrap_or_else(|| recognised_format(&self.bytes).is_some())
    }
}

/// The last bytes of a recording that is being written.
#[derive(Debug, Default)]
pub struct Tail {
    head: Head,
    last: Vec<u8>,
    has_packets: bool,
}

impl Tail {
    /// Adds bytes that were written.
    pub fn add(&mut self, bytes: &[u8]) {
        self.head.add(bytes);
        let kept = bytes.get(bytes.len().saturating_sub(WINDOW)..).unwrap_or(bytes);
        self.last.extend_from_slice(kept);
        // Each byte is moved a few times at most.
        if self.last.len() > 4 * WINDOW {
            self.last.drain(..self.last.len() - WINDOW);
        }
    }

    /// The bytes of the packet or frame that the recording ends inside of; none if it ends with a complete one.
    pub fn incomplete(&mut self) -> &[u8] {
        if self.is_foreign() {
            return &[];
        }
        let from = self.last.len().saturating_sub(WINDOW);
        let last = self.last.get(from..).unwrap_or_default();
        let len = incomplete(last, &mut self.has_packets);
        self.last.get(self.last.len() - len..).unwrap_or_default()
    }

    /// Another recorder made the recording, as far as its beginning shows.
    pub fn is_foreign(&self) -> bool {
        self.head.is_foreign()
    }

    /// The next bytes do not continue these.
    pub fn clear(&mut self) {
        self.last.clear();
    }
}

/// Bytes that wait until their packet or frame is complete, for an output that cannot be cut afterwards.
#[derive(Debug, Default)]
pub struct PendingBytes {
    head: Head,
    bytes: Vec<u8>,
    has_packets: bool,
}

impl PendingBytes {
    /// Adds bytes. Returns those that are complete.
    pub fn add(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.head.add(bytes);
        self.bytes.extend_from_slice(bytes);
        if self.head.is_foreign == Some(true) {
            return self.take();
        }
        let from = self.bytes.len().saturating_sub(WINDOW);
        let last = self.bytes.get(from..).unwrap_or_default();
        let len = incomplete(last, &mut self.has_packets);
        let rest = self.bytes.split_off(self.bytes.len() - len);
        std::mem::replace(&mut self.bytes, rest)
    }

    /// Another recorder made the recording, as far as its beginning shows.
    pub fn is_foreign(&self) -> bool {
        self.head.is_foreign()
    }

    /// Takes the bytes that are not complete, and will not be.
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }
}

/// How many of the last bytes of a recording belong to a packet or frame whose rest is missing. These are packets if there was one
/// before.
fn incomplete(last: &[u8], has_packets: &mut bool) -> usize {
    let magic = MAGIC.to_le_bytes();
    let header = memchr::memmem::rfind_iter(last, &magic)
        .map(|at| last.get(at..).unwrap_or_default())
        .find_map(|packet| match Header::read(packet) {
            Ok((header, _)) => Some((packet.len(), Some(header))),
            Err(HeaderError::Truncated) => Some((packet.len(), None)),
            Err(_) => None,
        });
    match header {
        Some((len, None)) => {
            *has_packets = true;
            return len;
        }
        Some((len, Some(header))) => {
            *has_packets = true;
            if len < header.content_len {
                return len;
            }
            // The first bytes of the next header, and not the last ones of this packet.
            let after = len.saturating_sub(header.packet_len);
            let next = last.get(last.len() - after..).unwrap_or_default();
            return if magic.starts_with(next) { after } else { 0 };
        }
        // The previous packet was taken without its fill bytes: the first bytes of the next header may follow.
        None if *has_packets => {
            let begins = |len: &usize| magic.get(..*len).is_some_and(|it| last.ends_with(it));
            return (1..magic.len()).rev().find(begins).unwrap_or(0);
        }
        None => {}
    }
    let frame = last.iter().rev().take_while(|byte| **byte != 0).count();
    if frame > MAX_FRAME { 0 } else { frame }
}

#[cfg(test)]
mod tests {
    use tband_format::Event;
    use tband_recordings::{frame, packed, project};

    use super::*;

    fn recording() -> Vec<u8> {
        let switches = (1..200).map(|at| frame(at * 300, Event::TaskSwitchedIn { task_id: 256 }));
        switches.flatten().collect()
    }

    /// Wherever the recording ends, in pieces of any size: complete packets and frames stay.
    #[test]
    fn a_recording_ends_after_its_last_complete_packet_or_frame() {
        let frames = recording();
        let pieces = packed::pieces(&frames, 256);
        let packets = pieces.concat();
        // The ends of each packet's content, and of its fill bytes.
        let mut ends = Vec::new();
        let mut begin = 0;
        for piece in &pieces {
            let (header, _) = Header::read(piece).unwrap();
            ends.push((begin + header.content_len, begin + piece.len()));
            begin += piece.len();
        }
        for (bytes, is_packets) in [(&frames, false), (&packets, true)] {
            for len in 1..bytes.len() {
                let cut = &bytes[..len];
                let whole = if is_packets {
                    // The fill bytes of the last packet may stay.
                    let whole = ends.iter().filter(|(content, _)| *content <= len);
                    whole.map(|(_, end)| len.min(*end)).max().unwrap_or(0)
                } else {
                    cut.iter().rposition(|byte| *byte == 0).map_or(0, |at| at + 1)
                };
                for step in [1, 7, 100, usize::MAX] {
                    let (mut tail, mut held, mut out) =
                        (Tail::default(), PendingBytes::default(), Vec::new());
                    for piece in cut.chunks(step.min(len)) {
                        tail.add(piece);
                        out.extend(held.add(piece));
                    }
                    // A piece of only the first packet may look like frames.
                    if whole > 0 {
                        assert_eq!(
                            tail.incomplete().len(),
                            len - whole,
                            "{is_packets} {len} {step}"
                        );
                        // The last fill bytes of a packet may look like the begin of a header.
                        assert!(bytes[..whole].starts_with(&out), "{is_packets} {len} {step}");
                        let least = if is_packets { whole - 3 } else { whole };
                        assert!(out.len() >= least, "{is_packets} {len} {step}");
                    }
                    out.extend(held.take());
                    assert_eq!(out, cut);
                }
            }
        }
    }

    /// Damage stays in the recording, where it is reported.
    #[test]
    fn damage_is_not_cut_off() {
        let packets = packed::packed(&recording(), 256);
        let mut tail = Tail::default();
        for damage in [&[0x55; 300][..], &[7, 7, 7], &MAGIC.to_le_bytes().map(|byte| !byte)] {
            tail.clear();
            tail.add(&[&packets, damage].concat());
            assert_eq!(tail.incomplete(), b"");
        }
        // A complete packet with a wrong byte is not cut off either.
        let mut changed = packets.clone();
        let last = changed.len() - 3;
        changed[last] ^= 1;
        tail.clear();
        tail.add(&changed);
        assert_eq!(tail.incomplete(), b"");
        // Noise without an end is not a frame.
        let mut noise = Tail::default();
        noise.add(&[0x55; 3 * WINDOW]);
        noise.add(&[0x55; 3 * WINDOW]);
        assert_eq!(noise.incomplete(), b"");
    }

    /// Each importer's recordings end with any byte; none of them is cut off.
    #[test]
    fn recordings_of_other_recorders_stay_complete() {
        let heads = project::path("tband-import/tests/heads");
        let mut formats = 0;
        for head in std::fs::read_dir(heads).unwrap() {
            let mut bytes = std::fs::read(head.unwrap().path()).unwrap();
            if recognised_format(&bytes).is_none() {
                continue;
            }
            bytes.extend([0, 0x55]);
            formats += 1;
            for more in [0, HEAD] {
                let all = [&bytes[..], &vec![0x55; more]].concat();
                for step in [977, usize::MAX] {
                    let (mut tail, mut held, mut out) =
                        (Tail::default(), PendingBytes::default(), Vec::new());
                    for piece in all.chunks(step.min(all.len())) {
                        tail.add(piece);
                        out.extend(held.add(piece));
                    }
                    assert_eq!(tail.incomplete(), b"");
                    assert!(tail.is_foreign() && held.is_foreign());
                    out.extend(held.take());
                    assert_eq!(out, all);
                }
            }
        }
        assert!(formats > 10, "{formats}");
        let mut own = Tail::default();
        own.add(&recording());
        assert!(!own.is_foreign());
    }
}
