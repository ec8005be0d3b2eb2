//! A number that grows by little from one time to the next, in decimal: only its last digits are computed again.

use crate::decimal::{DIGITS, ZEROS, eight};
use crate::line::Line;

/// Range of the digits that are computed again.
const TURN: u64 = 10_u64.pow(DIGITS as u32);
/// Room for the others of the longest number, and the byte before it.
const FIRST: usize = 16;

/// Writes a number between a byte before it and one after it.
#[derive(Debug)]
pub struct DelimitedNumber {
    /// The byte before it, and all digits but the last.
    first: ([u8; FIRST], usize),
    /// The number without its last digits; 0 if there was none yet.
    base: u64,
    around: [u8; 2],
}

impl DelimitedNumber {
    /// Between these bytes.
    pub const fn new(around: [u8; 2]) -> Self {
        Self { first: ([0; FIRST], 0), base: 0, around }
    }

    /// Adds a number to a line.
    #[inline]
    pub fn write(&mut self, line: &mut Line, number: u64) {
        if number < TURN {
            return self.small(line, number);
        }
        let mut last = number.wrapping_sub(self.base);
        if last >= TURN {
            last = self.recompute(number);
        }
        line.pair(&self.first, (self.digits_and_after(last), DIGITS + 1));
    }

    /// One that has no other digits.
    fn small(&self, line: &mut Line, number: u64) {
        let text = u128::from_le_bytes(self.digits_and_after(number));
        // One is left of 0.
        let zeros = ((text as u64 ^ ZEROS) | 1 << 56).trailing_zeros() / 8;
        let text = (text >> (8 * zeros)).to_le_bytes();
        line.pair(&([self.around[0], 0], 1), (text, (DIGITS + 1).wrapping_sub(zeros as usize)));
    }

    /// The last digits, and the byte after them.
    #[inline]
    fn digits_and_after(&self, last: u64) -> [u8; FIRST] {
        (u128::from(eight(last)) | (self.around[1] as u128) << 64).to_le_bytes()
    }

    /// Computes the upper digits, and returns the base of the last ones.
    #[cold]
    fn recompute(&mut self, number: u64) -> u64 {
        let last = number % TURN;
        self.base = number.wrapping_sub(last);
        let mut text = Line::new();
        let text = text.short([self.around[0]], 1).number(number / TURN).bytes();
        self.first.0.iter_mut().zip(text).for_each(|(place, byte)| *place = *byte);
        self.first.1 = text.len();
        last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn is(growing: &mut DelimitedNumber, number: u64) {
        let mut line = Line::new();
        growing.write(&mut line, number);
        assert_eq!(str::from_utf8(line.bytes()).unwrap(), format!("#{number}\n"));
    }

    #[test]
    fn writes_any_sequence_of_numbers() {
        let mut growing = DelimitedNumber::new([b'#', b'\n']);
        let numbers = (0..=19).map(|power| 10_u64.pow(power)).chain([0, u64::MAX, TURN - 1]);
        let numbers: Vec<_> = numbers.flat_map(|it| [it, it.wrapping_sub(1), it / 3]).collect();
        for first in &numbers {
            for second in &numbers {
                is(&mut growing, *first);
                is(&mut growing, *second);
                is(&mut growing, second.wrapping_add(7));
            }
        }
    }
}
