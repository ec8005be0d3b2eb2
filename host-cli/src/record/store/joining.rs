//! The bytes after a gap.
//!
//! A source that returns often continues inside a packet or frame whose begin came while it was away. That rest would look like
//! damage. It belongs to the gap.

use tband_format::cobs;
use tband_format::decode::decode_payload;
use tband_format::packet::{HEADER_LEN, MAGIC, MAX_LEN};

use crate::gaps::packets;

/// Bytes in which a packet or frame begins, if there is any.
const MOST: usize = MAX_LEN + HEADER_LEN;

/// Bytes that wait until a packet or frame begins.
#[derive(Debug, Default)]
pub struct JoinBuffer {
    held: Vec<u8>,
}

impl JoinBuffer {
    /// Adds bytes. Once the begin of the first packet or frame is known, returns the bytes before it, and all from there on.
    /// `has_packets`: the recording has packets, so only these count as a begin.
    pub fn add(&mut self, bytes: &[u8], has_packets: bool) -> Option<(Vec<u8>, Vec<u8>)> {
        self.held.extend_from_slice(bytes);
        let frame = || (!has_packets).then(|| frame(&self.held)).flatten();
        let begin = packets(&self.held).next().or_else(frame);
        let begin = begin.or_else(|| (self.held.len() > MOST).then_some(0))?;
        let rest = self.held.split_off(begin);
        Some((std::mem::take(&mut self.held), rest))
    }

    /// Takes the bytes without a begin, because no more will come.
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.held)
    }
}

/// Where the first frame begins: at once, if these bytes begin with a complete one.
fn frame(bytes: &[u8]) -> Option<usize> {
    let magic = MAGIC.to_le_bytes();
    if bytes.len() < HEADER_LEN && bytes.iter().zip(&magic).all(|(byte, of)| byte == of) {
        return None;
    }
    let end = bytes.iter().position(|byte| *byte == 0)?;
    let frame = bytes.get(..end).unwrap_or_default();
    let mut room = vec![0; frame.len()];
    let payload = cobs::decode(frame, &mut room).ok();
    let is_frame = frame.is_empty() || payload.is_some_and(|it| decode_payload(it).is_ok());
    Some(if is_frame { 0 } else { end + 1 })
}

#[cfg(test)]
mod tests {
    use tband_format::Event;
    use tband_recordings::{frame, packed};

    use super::*;

    fn frames() -> Vec<u8> {
        let event = |at| Event::Valmarker { valmarker_id: 70_000, val: i64::MIN + at as i64 };
        (1..60).flat_map(|at| frame(at * 300, event(at))).collect()
    }

    /// Returns how many bytes are left out, and how many are kept, independent of the size of pieces.
    fn joined(bytes: &[u8], has_packets: bool) -> (usize, usize) {
        let mut found = Vec::new();
        for step in [1, 3, bytes.len().max(1)] {
            let (mut joining, mut parts) = (JoinBuffer::default(), None);
            for piece in bytes.chunks(step) {
                match &mut parts {
                    None => parts = joining.add(piece, has_packets),
                    Some((_, kept)) => kept.extend_from_slice(piece),
                }
            }
            let (left_out, kept) = parts.unwrap_or_else(|| (joining.take(), Vec::new()));
            assert_eq!([&left_out[..], &kept].concat(), bytes);
            found.push((left_out.len(), kept.len()));
        }
        found.dedup();
        assert_eq!(found.len(), 1, "{found:?}");
        found[0]
    }

    #[test]
    fn a_packet_without_its_begin_is_left_out() {
        let packets = packed::pieces(&frames(), 256);
        let all = packets.concat();
        let first = packets[0].len();
        for cut in [0, 1, 3, 4, 20, first - 1, first] {
            let left_out = if cut == 0 { 0 } else { first - cut };
            let expected = (left_out, all.len() - cut - left_out);
            assert_eq!(joined(&all[cut..], true), expected, "{cut}");
            // Before there were frames, or nothing.
            if cut == 0 || cut == first {
                assert_eq!(joined(&all[cut..], false), expected, "{cut}");
            }
        }
    }

    #[test]
    fn a_frame_without_its_begin_is_left_out() {
        let all = frames();
        let first = all.iter().position(|byte| *byte == 0).unwrap() + 1;
        assert_eq!(joined(&all, false), (0, all.len()));
        for cut in [first - 2, first - 3] {
            assert_eq!(joined(&all[cut..], false), (first - cut, all.len() - first), "{cut}");
        }
        assert_eq!(joined(&all[first - 1..], false), (0, all.len() - first + 1));
    }

    #[test]
    fn what_never_begins_is_kept_if_there_is_much_of_it() {
        assert_eq!(joined(&[7; MOST], true), (MOST, 0));
        assert_eq!(joined(&[7; MOST + 1], true), (0, MOST + 1));
    }
}
