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

    pub fn text(&mut self, text: &str) -> &mut Self {
        self.0.extend_from_slice(text.as_bytes());
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
    pub fn bits(&mut self, number: i64) -> &mut Self {
        let bits = number.cast_unsigned();
        for place in (0..=bits.checked_ilog2().unwrap_or(0)).rev() {
            self.0.push(b'0' | (bits >> place & 1) as u8);
        }
        self
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
        for (number, word) in text.split(char::is_whitespace).enumerate() {
            let before = if number > 0 { "_" } else { "" };
            self.text(before).text(word);
        }
        self
    }
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
            let (sign, abs) = (if number < 0 { "-" } else { "" }, number.unsigned_abs());
            let thousandths = format!("{sign}{}.{:03}", abs / 1000, abs % 1000);
            is(line.begin().thousandths(number), &thousandths);
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
