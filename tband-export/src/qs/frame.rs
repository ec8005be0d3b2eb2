//! Frames: sequence number, record, checksum and flag, with flag and escape bytes escaped within.

use std::io::{self, Write};

use super::record::Record;

/// Ends a frame.
const FLAG: u8 = 0x7E;
/// Is before a byte that was changed.
const ESCAPE: u8 = 0x7D;
/// How such a byte was changed.
const CHANGED: u8 = 0x20;

/// What is written at once, in bytes.
const BLOCK: usize = 1 << 15;

/// A byte that is changed within a frame.
const fn is_special(byte: u8) -> bool {
    byte == FLAG || byte == ESCAPE
}

/// What has to be known of a frame's bytes.
#[derive(Debug, Default, PartialEq, Eq)]
struct Look {
    sum: u8,
    /// There may be bytes that are changed.
    may_have_special: bool,
}

impl Look {
    /// At bytes from `start` on, eight at a time, for which there are zeros after them for a moment.
    fn at(bytes: &mut Vec<u8>, start: usize) -> Self {
        /// A byte in each of eight places.
        const EACH: u64 = 0x0101_0101_0101_0101;
        /// What flag and escape have in common with two other bytes.
        const COMMON: u64 = EACH * (FLAG & ESCAPE) as u64;
        const MASK: u64 = EACH * !(FLAG ^ ESCAPE) as u64;
        /// Every other place.
        const EVEN: u64 = 0x00FF_00FF_00FF_00FF;

        let len = bytes.len();
        bytes.extend([0; 8]);
        let (mut sum, mut special) = (0_u64, 0);
        for word in bytes.get(start..).unwrap_or_default().as_chunks().0 {
            let word = u64::from_le_bytes(*word);
            // Four sums: a record is too short for one to reach into the next.
            sum = sum.wrapping_add((word & EVEN).wrapping_add(word >> 8 & EVEN));
            let zero = (word & MASK) ^ COMMON;
            special |= zero.wrapping_sub(EACH) & !zero & (EACH << 7);
        }
        bytes.truncate(len);
        let [a, _, b, _, c, _, d, _] = sum.to_le_bytes();
        let sum = a.wrapping_add(b).wrapping_add(c).wrapping_add(d);
        Self { sum, may_have_special: special != 0 }
    }
}

/// Writes frames.
#[derive(Debug)]
pub struct Frames<W> {
    out: W,
    /// The next record, after frames that wait.
    record: Record,
    sequence: u8,
    /// A number was left out after the last record.
    has_gap: bool,
}

impl<W: Write> Frames<W> {
    pub fn new(out: W) -> Self {
        Self { out, record: Record::default(), sequence: 0, has_gap: false }
    }

    /// The record that is written next.
    pub const fn record(&mut self) -> &mut Record {
        &mut self.record
    }

    /// Writes the record: its number and its data.
    pub fn write(&mut self) -> io::Result<()> {
        let (bytes, start) = self.record.parts();
        if let Some(first) = bytes.get_mut(*start) {
            *first = self.sequence;
        }
        let Look { sum, may_have_special } = Look::at(bytes, *start);
        bytes.push(!sum);
        if may_have_special || is_special(!sum) {
            escape(bytes, *start);
        }
        bytes.push(FLAG);
        *start = bytes.len();
        self.sequence = self.sequence.wrapping_add(1);
        self.has_gap = false;
        if *start < BLOCK { Ok(()) } else { self.flush() }
    }

    fn flush(&mut self) -> io::Result<()> {
        let (bytes, start) = self.record.parts();
        self.out.write_all(bytes.get(..*start).unwrap_or_default())?;
        bytes.drain(..*start);
        *start = 0;
        Ok(())
    }

    /// Leaves a sequence number out before the next record, which readers report: something is missing here.
    pub const fn skip(&mut self) {
        if !self.has_gap {
            self.sequence = self.sequence.wrapping_add(1);
            self.has_gap = true;
        }
    }

    pub fn finish(&mut self) -> io::Result<()> {
        self.flush()?;
        self.out.flush()
    }
}

/// Changes what has to be changed in bytes from `start` on.
fn escape(bytes: &mut Vec<u8>, start: usize) {
    for byte in bytes.split_off(start) {
        if is_special(byte) {
            bytes.extend([ESCAPE, byte ^ CHANGED]);
        } else {
            bytes.push(byte);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::MAX;
    use super::*;

    /// The example of the protocol's description.
    #[test]
    fn frames_are_those_of_the_description() {
        let mut out = Vec::new();
        let mut frames = Frames::new(&mut out);
        frames.sequence = 0x7E;
        frames.record().begin(0x7D).raw(&[0x7D, 0x08, 0x01]);
        frames.write().unwrap();
        frames.skip();
        frames.skip();
        frames.record().begin(5);
        frames.write().unwrap();
        frames.finish().unwrap();
        let first = [0x7D, 0x5E, 0x7D, 0x5D, 0x7D, 0x5D, 0x08, 0x01, 0x7D, 0x5E, 0x7E];
        assert_eq!(out[..11], first);
        assert_eq!(out[11..], [0x80, 5, !0x85, 0x7E]);
    }

    #[test]
    fn a_look_sees_each_byte_of_a_frame_of_any_length() {
        for len in [0, 1, 7, 8, 9, 31, 2 * MAX] {
            let mut bytes = vec![FLAG];
            bytes.extend((0..len).map(|it| (it * 89 % 251) as u8 & 0x7B));
            let sum = bytes.iter().skip(1).fold(0, |sum: u8, byte| sum.wrapping_add(*byte));
            assert_eq!(Look::at(&mut bytes, 1), Look { sum, may_have_special: false }, "{len}");
            for at in 1..bytes.len() {
                for special in [FLAG, ESCAPE] {
                    let byte = std::mem::replace(&mut bytes[at], special);
                    assert!(Look::at(&mut bytes, 1).may_have_special, "{at} of {len}");
                    bytes[at] = byte;
                }
            }
            bytes.fill(0xFF);
            assert_eq!(Look::at(&mut bytes, 1).sum, (len as u8).wrapping_neg());
        }
    }

    #[test]
    fn frames_are_written_in_their_order() {
        let (mut out, mut all, mut sequence) = (Vec::new(), Vec::new(), 0_u8);
        let mut frames = Frames::new(&mut out);
        for number in 0..20_000_u16 {
            let [low, high] = number.to_le_bytes();
            frames.record().begin(7).raw(&[low, high]);
            let later = frames.record().take();
            frames.record().begin(5);
            frames.write().unwrap();
            frames.record().put(&later);
            frames.write().unwrap();
            for record in [&[5_u8][..], &[7, low, high]] {
                let mut frame = vec![sequence];
                sequence = sequence.wrapping_add(1);
                frame.extend(record);
                frame.push(!frame.iter().fold(0_u8, |sum, byte| sum.wrapping_add(*byte)));
                escape(&mut frame, 0);
                all.extend(frame);
                all.push(FLAG);
            }
        }
        frames.finish().unwrap();
        assert!(out == all);
    }
}
