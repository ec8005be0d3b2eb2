//! The end of a recording: where its last packet or frame is complete.
//!
//! A recording usually ends while a packet is on its way. Without its end, the packet would look like damage. Therefore
//! recorders cut it off and save it separately.

use tband_format::packet::{HEADER_LEN, Header, HeaderError, MAGIC, MAX_LEN};

/// No frame is longer than that.
const MAX_FRAME: usize = 4096;
/// The last bytes in which a packet has its header.
const WINDOW: usize = MAX_LEN + HEADER_LEN;

/// The last bytes of a recording that is being written.
#[derive(Debug, Default)]
pub struct Tail {
    last: Vec<u8>,
    has_packets: bool,
}

impl Tail {
    /// Adds bytes that were written.
    pub fn add(&mut self, bytes: &[u8]) {
        let kept = bytes.get(bytes.len().saturating_sub(WINDOW)..).unwrap_or(bytes);
        self.last.extend_from_slice(kept);
        // Each byte is moved a few times at most.
        if self.last.len() > 4 * WINDOW {
            self.last.drain(..self.last.len() - WINDOW);
        }
    }

    /// The bytes of the packet or frame that the recording ends inside of; none if it ends with a complete one.
    pub fn incomplete(&mut self) -> &[u8] {
        let from = self.last.len().saturating_sub(WINDOW);
        let last = self.last.get(from..).unwrap_or_default();
        let len = incomplete(last, &mut self.has_packets);
        self.last.get(self.last.len() - len..).unwrap_or_default()
    }

    /// What comes next does not continue these bytes.
    pub fn clear(&mut self) {
        self.last.clear();
    }
}

/// Bytes that wait until their packet or frame is complete, for an output that cannot be cut afterwards.
#[derive(Debug, Default)]
pub struct HeldBack {
    bytes: Vec<u8>,
    has_packets: bool,
}

impl HeldBack {
    /// Adds bytes. Gives those that are complete.
    pub fn add(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.bytes.extend_from_slice(bytes);
        let from = self.bytes.len().saturating_sub(WINDOW);
        let last = self.bytes.get(from..).unwrap_or_default();
        let len = incomplete(last, &mut self.has_packets);
        let rest = self.bytes.split_off(self.bytes.len() - len);
        std::mem::replace(&mut self.bytes, rest)
    }

    /// What is not complete, and will not be.
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
        // The packet before was taken, but for what fills it up: the first bytes of the next header may follow.
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
    use tband_recordings::{frame, packed};

    use super::*;

    fn recording() -> Vec<u8> {
        let switches = (1..200).map(|at| frame(at * 300, Event::TaskSwitchedIn { task_id: 256 }));
        switches.flatten().collect()
    }

    /// Wherever the recording ends, in pieces of any size: what is complete stays.
    #[test]
    fn a_recording_ends_after_its_last_complete_packet_or_frame() {
        let frames = recording();
        let pieces = packed::pieces(&frames, 256);
        let packets = pieces.concat();
        // Where the content of each packet ends, and what fills it up.
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
                    // What fills up the last packet may stay.
                    let whole = ends.iter().filter(|(content, _)| *content <= len);
                    whole.map(|(_, end)| len.min(*end)).max().unwrap_or(0)
                } else {
                    cut.iter().rposition(|byte| *byte == 0).map_or(0, |at| at + 1)
                };
                for step in [1, 7, 100, usize::MAX] {
                    let (mut tail, mut held, mut out) =
                        (Tail::default(), HeldBack::default(), Vec::new());
                    for piece in cut.chunks(step.min(len)) {
                        tail.add(piece);
                        out.extend(held.add(piece));
                    }
                    // Of the first packet alone a piece may look like frames.
                    if whole > 0 {
                        assert_eq!(
                            tail.incomplete().len(),
                            len - whole,
                            "{is_packets} {len} {step}"
                        );
                        // The last bytes of what fills a packet up may look like the begin of a header.
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

    /// What is damaged stays in the recording, where it is reported.
    #[test]
    fn damage_is_not_cut_off() {
        let packets = packed::packed(&recording(), 256);
        let mut tail = Tail::default();
        for damage in [&[0x55; 300][..], &[7, 7, 7], &MAGIC.to_le_bytes().map(|byte| !byte)] {
            tail.clear();
            tail.add(&[&packets, damage].concat());
            assert_eq!(tail.incomplete(), b"");
        }
        // Neither is a packet that came as a whole, with a wrong byte.
        let mut changed = packets.clone();
        let last = changed.len() - 3;
        changed[last] ^= 1;
        tail.clear();
        tail.add(&changed);
        assert_eq!(tail.incomplete(), b"");
        // Noise without an end is no frame.
        let mut noise = Tail::default();
        noise.add(&[0x55; 3 * WINDOW]);
        noise.add(&[0x55; 3 * WINDOW]);
        assert_eq!(noise.incomplete(), b"");
    }
}
