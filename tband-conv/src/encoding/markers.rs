//! The lines that firmware for Tonbandgerät prints around a recording, in hex or base64, in its log:
//!
//! ```text
//! I (312) trace: ==== START OF TONBANDGERAET BUFFER ====
//! I (312) trace: 03545a0100
//! I (313) trace: ==== END OF TONBANDGERAET BUFFER ====
//! ```
//!
//! The part between two of them is the recording. A log writes the same prefix in front of the digits as in front of the first
//! marker, except for its time.

use memchr::memmem;

/// A line that marks where a recording begins or ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    Start,
    End,
}

const START: &[u8] = b"START OF TONBANDGERAET BUFFER";
const END: &[u8] = b"END OF TONBANDGERAET BUFFER";
/// Blanks between the `=` and the words.
const BLANKS: usize = 3;
/// As much as has to be seen after the `=` to know a marker.
pub const LONGEST: usize = BLANKS + START.len();
/// Maximum length of a log's prefix in front of a marker.
pub const LONGEST_PREFIX: usize = 160;
/// Maximum number of characters that are searched for a colour code.
pub const LONGEST_COLOUR: usize = 32;

/// The marker whose words come next, after its `=`, and their length.
pub fn words(text: &[u8]) -> Option<(Marker, usize)> {
    let blanks = text.iter().take(BLANKS).take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let text = text.get(blanks..)?;
    let (marker, len) = if text.starts_with(START) {
        (Marker::Start, START.len())
    } else if text.starts_with(END) {
        (Marker::End, END.len())
    } else {
        return None;
    };
    Some((marker, blanks + len))
}

/// Where the text after the first start is.
pub fn after_start(text: &[u8]) -> Option<&[u8]> {
    let mut found = memmem::find_iter(text, START);
    let is_marker = |at: &usize| {
        let blank = |byte: &u8| matches!(byte, b' ' | b'\t');
        text.get(..*at).and_then(|it| it.iter().rev().find(|byte| !blank(byte))) == Some(&b'=')
    };
    text.get(found.find(is_marker)? + START.len()..)
}

/// The text has an end.
pub fn has_end(text: &[u8]) -> bool {
    memmem::find(text, END).is_some()
}

/// Where a marker's `=` begin in a line that has one.
pub fn in_line(line: &[u8]) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = line.get(from..).and_then(|rest| memchr::memchr(b'=', rest)) {
        let start = from + at;
        let run = line.get(start..)?.iter().take_while(|byte| **byte == b'=').count();
        from = start + run;
        if words(line.get(from..)?).is_some() {
            return Some(start);
        }
    }
    None
}

/// The prefix of each line in a log, as the parts that are the same in all of them.
#[derive(Debug, Default)]
pub struct Prefix(Vec<PrefixPart>);

#[derive(Debug, PartialEq)]
enum PrefixPart {
    /// A number.
    Number,
    /// Blanks, which numbers that get longer take away.
    Blanks,
    Same(u8),
}

impl Prefix {
    /// Returns the pattern of a line that begins with this text.
    pub fn of(text: &[u8]) -> Self {
        let mut parts = Vec::new();
        for &byte in text {
            let part = match byte {
                b'0'..=b'9' => PrefixPart::Number,
                b' ' | b'\t' => PrefixPart::Blanks,
                other => PrefixPart::Same(other),
            };
            let goes_on = matches!(part, PrefixPart::Number | PrefixPart::Blanks);
            if !goes_on || parts.last() != Some(&part) {
                parts.push(part);
            }
        }
        // Blanks are skipped anyway.
        if parts.iter().all(|part| *part == PrefixPart::Blanks) {
            parts.clear();
        }
        Self(parts)
    }

    /// Its length in this line, with the colours of a terminal; 0 if the line does not begin so.
    pub fn len_in(&self, line: &[u8]) -> usize {
        let mut rest = line;
        for part in &self.0 {
            rest = rest.get(colour(rest)..).unwrap_or_default();
            let count = |of: fn(&u8) -> bool| rest.iter().take_while(|byte| of(byte)).count();
            let len = match part {
                PrefixPart::Number => count(u8::is_ascii_digit),
                PrefixPart::Blanks => count(|byte| matches!(byte, b' ' | b'\t')),
                PrefixPart::Same(byte) => usize::from(rest.first() == Some(byte)),
            };
            if len == 0 && *part != PrefixPart::Blanks {
                return 0;
            }
            rest = rest.get(len..).unwrap_or_default();
        }
        line.len() - rest.len()
    }
}

/// Length of a control sequence of a terminal that sets a colour, or the like, at the start of a text.
pub fn colour(text: &[u8]) -> usize {
    let Some((_, parameters)) = text.split_at_checked(2).filter(|(it, _)| *it == b"\x1b[") else {
        return 0;
    };
    let end = parameters.iter().take(LONGEST_COLOUR).position(|it| (0x40..=0x7E).contains(it));
    end.map_or(0, |end| end + 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_known_by_their_words() {
        assert_eq!(words(b" START OF TONBANDGERAET BUFFER ="), Some((Marker::Start, 30)));
        assert_eq!(words(b"END OF TONBANDGERAET BUFFER"), Some((Marker::End, 27)));
        assert_eq!(words(b" START OF TONBANDGERAET BUFFE"), None);
        assert_eq!(words(b""), None);
        assert_eq!(in_line(b"a = b == END OF TONBANDGERAET BUFFER"), Some(6));
        assert_eq!(in_line(b"a = b"), None);
        assert_eq!(after_start(b"START OF TONBANDGERAET BUFFER"), None);
        assert_eq!(after_start(b"= START OF TONBANDGERAET BUFFER =1"), Some(&b" =1"[..]));
    }

    #[test]
    fn recognises_a_prefix_with_any_time() {
        for (first, other) in [
            ("I (1) trace: ", "I (12345) trace: "),
            ("[    1.234567] ", "[12345.234567] "),
            ("[00:00:01.000,000] <inf> app: ", "[11:22:33.444,555] <inf> app: "),
            ("00> ", "07> "),
            ("[1] T: ", "\x1b[0;32m[2] \x1b[1mT\x1b[0m: "),
        ] {
            let prefix = Prefix::of(first.as_bytes());
            assert_eq!(prefix.len_in(format!("{other}0a 1b").as_bytes()), other.len());
            assert_eq!(prefix.len_in(b"0a 1b"), 0, "{first}");
        }
        assert_eq!(Prefix::of(b"   ").len_in(b"   0a"), 0);
    }
}
