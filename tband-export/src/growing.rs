//! A number that grows by little from one time to the next, in decimal: only its last digits are worked out anew.

/// Digits that are worked out anew.
const LAST: usize = 8;
/// What they count to.
const TURN: u64 = 10_u64.pow(LAST as u32);
/// Room for the longest number, the text before it and the byte after it.
pub const ROOM: usize = 24;

/// A number as text, between a byte before it and one after it.
#[derive(Debug)]
pub struct Growing {
    text: [u8; ROOM],
    len: usize,
    /// The number without its last digits.
    base: u64,
    around: [u8; 2],
}

impl Growing {
    /// Between these bytes.
    pub const fn new(around: [u8; 2]) -> Self {
        Self { text: [0; ROOM], len: 0, base: 0, around }
    }

    /// The text of a number, in so many of the first bytes.
    #[inline]
    pub fn text(&mut self, number: u64) -> ([u8; ROOM], usize) {
        if number < TURN {
            return self.small(number);
        }
        let last = number.wrapping_sub(self.base);
        let place = self.len.checked_sub(1 + LAST).and_then(|at| self.text.get_mut(at..));
        match place.and_then(|rest| rest.first_chunk_mut::<LAST>()) {
            Some(place) if last < TURN => *place = digits(last).to_le_bytes(),
            _ => self.anew(number),
        }
        (self.text, self.len)
    }

    /// One that has no other digits.
    #[inline]
    const fn small(&self, number: u64) -> ([u8; ROOM], usize) {
        let digits = digits(number);
        // One is left of 0.
        let zeros = ((digits ^ digits_of(b'0')) | 1 << 56).trailing_zeros() / 8;
        let [before, after] = self.around;
        let len = LAST.saturating_sub(zeros as usize);
        let text = before as u128
            | ((digits >> (8 * zeros)) as u128) << 8
            | (after as u128) << (8 * (len + 1));
        let mut room = [0; ROOM];
        if let Some(place) = room.first_chunk_mut() {
            *place = text.to_le_bytes();
        }
        (room, len + 2)
    }

    #[cold]
    fn anew(&mut self, number: u64) {
        let last = number % TURN;
        self.base = number.wrapping_sub(last);
        let [before, after] = self.around;
        let mut digits = itoa::Buffer::new();
        let digits = digits.format(number).bytes();
        self.len = 0;
        let bytes = [before].into_iter().chain(digits).chain([after]);
        for (place, byte) in self.text.iter_mut().zip(bytes) {
            *place = byte;
            self.len += 1;
        }
    }
}

/// A digit eight times.
const fn digits_of(digit: u8) -> u64 {
    u64::from_le_bytes([digit; LAST])
}

/// Eight digits, the first in the lowest byte.
#[inline]
const fn digits(number: u64) -> u64 {
    // Halves of four digits each, in halves of the word, then pairs, then digits. Divisions are multiplications by
    // reciprocals that are exact for numbers of so many digits.
    let (high, low) = (number / 10_000, number % 10_000);
    let fours = high | low << 32;
    let hundreds = (fours.wrapping_mul(10_486) >> 20) & 0x0000_007F_0000_007F;
    let pairs = hundreds | (fours.wrapping_sub(hundreds.wrapping_mul(100))) << 16;
    let tens = (pairs.wrapping_mul(103) >> 10) & 0x000F_000F_000F_000F;
    let ones = pairs.wrapping_sub(tens.wrapping_mul(10));
    (tens | ones << 8) | digits_of(b'0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn is(growing: &mut Growing, number: u64) {
        let (text, len) = growing.text(number);
        assert_eq!(str::from_utf8(&text[..len]).unwrap(), format!("#{number}\n"));
    }

    #[test]
    fn digits_are_those_of_the_standard_library() {
        for number in 0..10_000 {
            for number in [number, number * 10_000, 99_999_999 - number] {
                assert_eq!(digits(number).to_le_bytes(), *format!("{number:08}").as_bytes());
            }
        }
    }

    #[test]
    fn any_number_may_follow_any_other() {
        let mut growing = Growing::new([b'#', b'\n']);
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
