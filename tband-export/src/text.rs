//! Text that is written for each change: without the standard library's formatting, which takes several times as long.

use std::io::{self, Write};

/// What is written at once, in bytes.
const BLOCK: usize = 1 << 15;

/// Text that goes to a writer in blocks.
#[derive(Debug)]
pub struct Text<W> {
    out: W,
    waiting: Vec<u8>,
}

impl<W: Write> Text<W> {
    pub const fn new(out: W) -> Self {
        Self { out, waiting: Vec::new() }
    }

    pub fn text(&mut self, text: &str) -> &mut Self {
        self.waiting.extend_from_slice(text.as_bytes());
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
        self.waiting.push(b'0');
        if let Some(last) = self.waiting.last_chunk_mut() {
            let [a, b, c, _] = *last;
            *last = [b'.', a, b, c];
        }
        self
    }

    /// What is there may be written.
    ///
    /// # Errors
    /// If it cannot.
    pub fn end(&mut self) -> io::Result<()> {
        if self.waiting.len() >= BLOCK { self.write() } else { Ok(()) }
    }

    /// Writes everything, and gives the writer back.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(&mut self) -> io::Result<&mut W> {
        self.write()?;
        self.out.flush()?;
        Ok(&mut self.out)
    }

    fn write(&mut self) -> io::Result<()> {
        self.out.write_all(&self.waiting)?;
        self.waiting.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn is(write: impl Fn(&mut Text<Vec<u8>>) -> &mut Text<Vec<u8>>, text: &str) {
        let mut out = Text::new(Vec::new());
        write(&mut out);
        assert_eq!(str::from_utf8(out.finish().unwrap()).unwrap(), text);
    }

    #[test]
    fn numbers_are_those_of_the_standard_library() {
        for number in [0, 1, 2, 5, 999, 1000, 1001, 123_456_789, -1, -1234, i64::MAX, i64::MIN] {
            is(|out| out.number(number), &number.to_string());
            let (sign, abs) = (if number < 0 { "-" } else { "" }, number.unsigned_abs());
            let text = format!("{sign}{}.{:03}", abs / 1000, abs % 1000);
            is(|out| out.thousandths(number), &text);
        }
    }

    #[test]
    fn blocks_are_written_in_their_order_and_nothing_waits_in_the_end() {
        let mut out = Text::new(Vec::new());
        let mut all = String::new();
        for number in 0..20_000 {
            out.number(number).text("\n").end().unwrap();
            all += &format!("{number}\n");
        }
        assert!(!out.out.is_empty() && out.waiting.len() < BLOCK);
        assert_eq!(str::from_utf8(out.finish().unwrap()).unwrap(), all);
    }
}
