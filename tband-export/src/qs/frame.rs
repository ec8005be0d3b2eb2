//! Frames: sequence number, record, checksum and flag, with flag and escape bytes escaped within.

use std::io::{self, Write};

use super::record::Record;

/// Ends a frame.
const FLAG: u8 = 0x7E;
/// Is before a byte that was changed.
const ESCAPE: u8 = 0x7D;
/// How such a byte was changed.
const CHANGED: u8 = 0x20;

/// A byte that is changed within a frame.
const fn is_special(byte: u8) -> bool {
    byte == FLAG || byte == ESCAPE
}

/// A byte in each of eight places.
const EACH: u64 = 0x0101_0101_0101_0101;

/// A word has such a byte.
const fn has_special(word: u64) -> bool {
    const fn has_zero(word: u64) -> bool {
        word.wrapping_sub(EACH) & !word & (EACH << 7) != 0
    }
    has_zero(word ^ (EACH * FLAG as u64)) || has_zero(word ^ (EACH * ESCAPE as u64))
}

/// Results of inspecting a frame's bytes.
#[derive(Debug, Default, PartialEq, Eq)]
struct FrameScan {
    sum: u8,
    /// There may be bytes that are changed.
    may_have_special: bool,
}

impl FrameScan {
    /// Inspects complete words, with zeros after the frame's bytes.
    #[inline]
    fn at(words: impl Iterator<Item = u64>) -> Self {
        /// Bits that flag and escape have in common with two other bytes.
        const COMMON: u64 = EACH * (FLAG & ESCAPE) as u64;
        const MASK: u64 = EACH * !(FLAG ^ ESCAPE) as u64;
        /// Every other place.
        const EVEN: u64 = 0x00FF_00FF_00FF_00FF;

        let (mut sum, mut special) = (0_u64, 0);
        for word in words {
            // Four sums: a record is too short for one to reach into the next.
            sum = sum.wrapping_add((word & EVEN).wrapping_add(word >> 8 & EVEN));
            let zero = (word & MASK) ^ COMMON;
            special |= zero.wrapping_sub(EACH) & !zero & (EACH << 7);
        }
        // The lowest byte of the four sums.
        let sum = sum.wrapping_add(sum >> 32);
        Self { sum: sum.wrapping_add(sum >> 16) as u8, may_have_special: special != 0 }
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
    #[inline]
    pub fn write(&mut self) -> io::Result<()> {
        if let Some(first) = self.record.bytes().first_mut() {
            *first = self.sequence;
        }
        let FrameScan { sum, may_have_special } = FrameScan::at(self.record.words());
        if may_have_special || is_special(!sum) {
            escaped(&mut self.record, !sum);
        } else {
            self.record.put([!sum, FLAG]);
        }
        self.finish_record()
    }

    /// Writes a record of `LEN` bytes in words, with a place for its sequence number in the lowest byte, and zeros after its
    /// bytes.
    #[inline]
    pub fn write_words<const LEN: usize>(&mut self, words: [u64; 3]) -> io::Result<()> {
        let [first, second, third] = words;
        let first = first | u64::from(self.sequence);
        let words = [first, second, third];
        let looked_at = words.get(..LEN.div_ceil(8)).unwrap_or_default();
        let FrameScan { sum, may_have_special } = FrameScan::at(looked_at.iter().copied());
        self.record.reset();
        if is_special(!sum) || may_have_special && words.iter().any(|it| has_special(*it)) {
            return self.write_special(words, LEN);
        }
        let mut words = [first, second, third, 0];
        let end = u64::from(u16::from_le_bytes([!sum, FLAG]));
        if let Some(word) = words.get_mut(LEN / 8) {
            *word |= end << (8 * (LEN % 8));
        }
        if LEN % 8 == 7
            && let Some(word) = words.get_mut(LEN / 8 + 1)
        {
            *word = FLAG.into();
        }
        self.record.put_words(words, LEN + 2);
        self.finish_record()
    }

    #[cold]
    #[inline(never)]
    fn write_special(&mut self, words: [u64; 3], len: usize) -> io::Result<()> {
        self.record.put_words(words, len);
        self.write()
    }

    /// The record is complete, with its frame around it.
    #[inline]
    fn finish_record(&mut self) -> io::Result<()> {
        self.record.end();
        self.sequence = self.sequence.wrapping_add(1);
        self.has_gap = false;
        if self.record.is_enough() { self.flush() } else { Ok(()) }
    }

    #[cold]
    fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(self.record.take_all())
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

#[cfg(test)]
impl<W> Frames<W> {
    /// Returns the writer.
    pub fn into_inner(self) -> W {
        self.out
    }
}

/// Escapes the bytes of a record that need it, and ends its frame with this checksum.
fn escaped(record: &mut Record, sum: u8) {
    record.put([sum]);
    let mut at = 0;
    while let Some(rest) = record.bytes().get(at..)
        && let Some((place, byte)) = rest.iter().enumerate().find(|it| is_special(*it.1))
    {
        let (next, changed) = (at.saturating_add(place), byte ^ CHANGED);
        record.insert(next, ESCAPE, changed);
        at = next.saturating_add(2);
    }
    record.put([FLAG]);
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
        for len in [2, 7, 8, 9, 31, MAX + 1] {
            let mut record = Record::default();
            // The earlier content is not examined.
            record.raw(&[FLAG; 2 * MAX]);
            record.begin(0).raw(&vec![0; len - 2]);
            for (at, byte) in record.bytes().iter_mut().enumerate() {
                *byte = (at * 89 % 251) as u8 & 0x7B;
            }
            let sum = record.bytes().iter().fold(0, |sum: u8, byte| sum.wrapping_add(*byte));
            assert_eq!(
                FrameScan::at(record.words()),
                FrameScan { sum, may_have_special: false },
                "{len}"
            );
            for at in 0..len {
                for special in [FLAG, ESCAPE] {
                    let byte = std::mem::replace(&mut record.bytes()[at], special);
                    assert!(FrameScan::at(record.words()).may_have_special, "{at} of {len}");
                    record.bytes()[at] = byte;
                }
            }
            record.bytes().fill(0xFF);
            assert_eq!(FrameScan::at(record.words()).sum, (len as u8).wrapping_neg());
        }
    }

    /// The longest record may be nothing but bytes that are escaped, where the buffer is nearly full.
    #[test]
    fn the_longest_frame_has_room_at_any_time() {
        let (mut out, mut all) = (Vec::new(), Vec::new());
        let mut frames = Frames::new(&mut out);
        for number in 0..200_u8 {
            frames.record().begin(FLAG).raw(&[ESCAPE; MAX - 1]);
            frames.write().unwrap();
            let mut frame = vec![number, FLAG];
            frame.extend([ESCAPE; MAX - 1]);
            all.extend(frame_of(&frame));
        }
        frames.finish().unwrap();
        assert!(out == all);
    }

    /// Records of each kind of bytes and of each length that words have.
    #[test]
    fn words_are_written_as_bytes() {
        fn check<const LEN: usize>() {
            for byte in 0..=255_u8 {
                for at in 1..LEN {
                    let mut content = [0; 24];
                    content[at] = byte;
                    content[LEN - 1] ^= 0x55;
                    let words = content.as_chunks().0;
                    let words = [words[0], words[1], words[2]].map(u64::from_le_bytes);
                    let mut out = Vec::new();
                    let mut frames = Frames::new(&mut out);
                    frames.sequence = 7;
                    frames.record().begin(1);
                    frames.write_words::<LEN>(words).unwrap();
                    frames.finish().unwrap();
                    content[0] = 7;
                    assert_eq!(out, frame_of(&content[..LEN]), "{byte} at {at} of {LEN}");
                }
            }
        }
        check::<7>();
        check::<8>();
        check::<15>();
        check::<19>();
        check::<24>();
    }

    /// Byte by byte.
    fn frame_of(content: &[u8]) -> Vec<u8> {
        let sum = !content.iter().fold(0_u8, |sum, byte| sum.wrapping_add(*byte));
        let mut frame = Vec::new();
        for byte in content.iter().chain([&sum]) {
            match *byte {
                FLAG => frame.extend([ESCAPE, 0x5E]),
                ESCAPE => frame.extend([ESCAPE, 0x5D]),
                byte => frame.push(byte),
            }
        }
        frame.push(FLAG);
        frame
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
            frames.record().restore(&later);
            frames.write().unwrap();
            for record in [&[5_u8][..], &[7, low, high]] {
                let mut frame = vec![sequence];
                sequence = sequence.wrapping_add(1);
                frame.extend(record);
                all.extend(frame_of(&frame));
            }
        }
        frames.finish().unwrap();
        assert!(out == all);
    }
}
