//! Text that is written for each change: without the standard library's formatting, which takes several times as long.

use std::io::Write as _;

/// A piece of text that is being made.
#[derive(Debug, Default)]
pub struct Line(Vec<u8>);

impl Line {
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Begins another one.
    pub fn begin(&mut self) -> &mut Self {
        self.0.clear();
        self
    }

    /// What there is.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Adds bytes, and gives all.
    pub fn add(&mut self, bytes: &[u8]) -> &[u8] {
        self.0.extend_from_slice(bytes);
        &self.0
    }

    /// Puts bytes before those from `at` on.
    pub fn insert(&mut self, at: usize, bytes: &[u8]) {
        let at = at.min(self.0.len());
        self.0.splice(at..at, bytes.iter().copied());
    }

    /// Takes the first bytes away.
    pub fn remove(&mut self, count: usize) {
        let count = count.min(self.0.len());
        self.0.drain(..count);
    }

    pub fn text(&mut self, text: &str) -> &mut Self {
        self.0.extend_from_slice(text.as_bytes());
        self
    }

    /// The first bytes of these, as many as `len`: for short texts faster than what can be any length.
    #[inline]
    pub fn short<const ROOM: usize>(&mut self, bytes: [u8; ROOM], len: usize) -> &mut Self {
        let before = self.0.len();
        self.0.extend_from_slice(&bytes);
        self.0.truncate(before.wrapping_add(len));
        self
    }

    /// A number in decimal.
    pub fn number(&mut self, number: impl itoa::Integer) -> &mut Self {
        self.text(itoa::Buffer::new().format(number))
    }

    /// Thousandths of something, with three decimals.
    pub fn thousandths(&mut self, number: i64) -> &mut Self {
        if number < 0 {
            self.text("-");
        }
        let mut digits = itoa::Buffer::new();
        let digits = digits.format(number.unsigned_abs());
        // With as many digits as the shortest number has.
        self.text("000".get(digits.len().saturating_sub(1)..).unwrap_or_default()).text(digits);
        self.0.push(b'0');
        if let Some(last) = self.0.last_chunk_mut() {
            let [a, b, c, _] = *last;
            *last = [b'.', a, b, c];
        }
        self
    }

    /// A number in binary, a negative one in 64 bits.
    #[inline]
    pub fn bits(&mut self, number: i64) -> &mut Self {
        let bits = number.cast_unsigned();
        // Eight digits at a time; of the first eight those that are needed.
        let mut rest = (bits | 1).ilog2() & !7;
        let first = digits(bits >> rest);
        let zeros = (bits >> rest | 1).leading_zeros().saturating_sub(56);
        self.short((first >> (8 * zeros)).to_le_bytes(), (8_u32.saturating_sub(zeros)) as usize);
        while let Some(next) = rest.checked_sub(8) {
            rest = next;
            self.short(digits(bits >> rest).to_le_bytes(), 8);
        }
        self
    }

    /// The same between `b` and a space, as a change of a vector has it.
    #[inline]
    pub fn vector(&mut self, number: i64) -> &mut Self {
        match usize::try_from(number).ok().and_then(|number| VECTORS.get(number)) {
            Some((vector, len)) => self.short(*vector, usize::from(*len)),
            None => self.long_vector(number),
        }
    }

    #[cold]
    fn long_vector(&mut self, number: i64) -> &mut Self {
        self.text("b").bits(number).text(" ")
    }

    /// A number of double precision, in as few digits as say which it is.
    pub fn real(&mut self, number: f64) -> &mut Self {
        // Writing into memory cannot fail.
        let _ = write!(self.0, "{number:?}");
        self
    }

    /// A text as one word: `_` for white space, and for nothing.
    pub fn word(&mut self, text: &str) -> &mut Self {
        if text.is_empty() {
            return self.text("_");
        }
        if text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return self.text(text);
        }
        for (number, word) in text.split(char::is_whitespace).enumerate() {
            let before = if number > 0 { "_" } else { "" };
            self.text(before).text(word);
        }
        self
    }
}

/// Numbers of at most eight bits as [`Line::vector`] has them, and how long that is.
static VECTORS: [([u8; 15], u8); 256] = {
    let mut vectors = [([0; 15], 0); 256];
    let mut number = 0;
    while number < 256 {
        let zeros = (number as u8 | 1).leading_zeros();
        let (digits, count) = (digits(number as u64) >> (8 * zeros), 8 - zeros);
        let end = (b' ' as u128) << (8 * (count + 1));
        let text = (b'b' as u128 | (digits as u128) << 8 | end).to_le_bytes();
        if let Some((text, _)) = text.split_first_chunk() {
            vectors[number] = (*text, count as u8 + 2);
        }
        number += 1;
    }
    vectors
};

/// The lowest eight bits as digits, the highest in the lowest byte.
#[inline]
const fn digits(bits: u64) -> u64 {
    // Each bit comes to the top of its byte, and no two to one place.
    const PLACES: u64 = 0x8040_2010_0804_0201;
    const EACH: u64 = 0x0101_0101_0101_0101;
    ((bits & 0xFF).wrapping_mul(PLACES) >> 7 & EACH) | (EACH * b'0' as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn is(line: &Line, text: &str) {
        assert_eq!(str::from_utf8(line.bytes()).unwrap(), text);
    }

    #[test]
    fn numbers_are_those_of_the_standard_library() {
        let mut line = Line::default();
        for number in [0, 1, 2, 5, 999, 1000, 1001, 123_456_789, -1, -1234, i64::MAX, i64::MIN] {
            is(line.begin().number(number), &number.to_string());
            is(line.begin().bits(number), &format!("{number:b}"));
            is(line.begin().bits(number >> 7), &format!("{:b}", number >> 7));
            let (sign, abs) = (if number < 0 { "-" } else { "" }, number.unsigned_abs());
            let thousandths = format!("{sign}{}.{:03}", abs / 1000, abs % 1000);
            is(line.begin().thousandths(number), &thousandths);
        }
    }

    #[test]
    fn bits_are_those_of_the_standard_library() {
        let mut line = Line::default();
        for number in (0..64)
            .map(|place| 1_i64 << place)
            .flat_map(|it| [it, it.wrapping_sub(1), it.wrapping_mul(0x5A5A)])
        {
            is(line.begin().bits(number), &format!("{number:b}"));
        }
        for number in -3..=300_i64 {
            is(line.begin().bits(number), &format!("{number:b}"));
            is(line.begin().vector(number), &format!("b{number:b} "));
        }
    }

    #[test]
    fn words_have_no_white_space() {
        let mut line = Line::default();
        for (text, word) in [("", "_"), ("a", "a"), ("a b\tc", "a_b_c"), (" ", "_"), ("a ", "a_")] {
            is(line.begin().word(text), word);
        }
    }
}
