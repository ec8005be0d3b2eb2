//! Frames: sequence number, record, checksum and flag, with flag and escape bytes escaped within.

use std::io::{self, Write};

/// Ends a frame.
const FLAG: u8 = 0x7E;
/// Is before a byte that was changed.
const ESCAPE: u8 = 0x7D;
/// How such a byte was changed.
const CHANGED: u8 = 0x20;

/// Bytes of a record that QSPY takes, with its sequence number and checksum.
const MAX_RECORD: usize = 512;

/// Bytes that a record has at most, with its number.
pub const MAX: usize = MAX_RECORD - 2;

/// Writes frames.
#[derive(Debug)]
pub struct Frames<W> {
    out: W,
    sequence: u8,
    /// A number was left out after the last record.
    has_gap: bool,
    frame: Vec<u8>,
}

impl<W: Write> Frames<W> {
    pub const fn new(out: W) -> Self {
        Self { out, sequence: 0, has_gap: false, frame: Vec::new() }
    }

    /// Writes a record: its number and its data.
    pub fn write(&mut self, record: &[u8]) -> io::Result<()> {
        self.frame.clear();
        let mut sum = 0_u8;
        for byte in std::iter::once(self.sequence).chain(record.iter().copied()) {
            sum = sum.wrapping_add(byte);
            self.escaped(byte);
        }
        self.escaped(!sum);
        self.frame.push(FLAG);
        self.sequence = self.sequence.wrapping_add(1);
        self.has_gap = false;
        self.out.write_all(&self.frame)
    }

    fn escaped(&mut self, byte: u8) {
        if byte == FLAG || byte == ESCAPE {
            self.frame.extend([ESCAPE, byte ^ CHANGED]);
        } else {
            self.frame.push(byte);
        }
    }

    /// Leaves a sequence number out before the next record, which readers report: something is missing here.
    pub const fn skip(&mut self) {
        if !self.has_gap {
            self.sequence = self.sequence.wrapping_add(1);
            self.has_gap = true;
        }
    }

    pub fn finish(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the protocol's description.
    #[test]
    fn frames_are_those_of_the_description() {
        let mut out = Vec::new();
        let mut frames = Frames::new(&mut out);
        frames.sequence = 0x7E;
        frames.write(&[0x7D, 0x7D, 0x08, 0x01]).unwrap();
        frames.skip();
        frames.skip();
        frames.write(&[5]).unwrap();
        let first = [0x7D, 0x5E, 0x7D, 0x5D, 0x7D, 0x5D, 0x08, 0x01, 0x7D, 0x5E, 0x7E];
        assert_eq!(out[..11], first);
        assert_eq!(out[11..], [0x80, 5, !0x85, 0x7E]);
    }
}
