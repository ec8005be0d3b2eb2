//! Texts that the host formats: PRINT packets, and descriptions of events.

use std::fmt::Write as _;

use super::packet::Fields;

/// Longest text that is made of a format, in bytes.
const MAX_TEXT: usize = 1024;
/// Widest field.
const MAX_WIDTH: usize = 64;

/// A printf format with its arguments put in, each a number of 32 bits.
pub fn format(format: &[u8], mut next: impl FnMut() -> Option<u32>) -> String {
    let format = String::from_utf8_lossy(format);
    let mut text = String::new();
    let mut rest = format.trim_end_matches(['\n', '\r', '\0']).chars().peekable();
    while let Some(letter) = rest.next() {
        if text.len() > MAX_TEXT {
            break;
        }
        if letter != '%' {
            text.push(letter);
            continue;
        }
        let (mut is_left, mut has_zeros, mut width) = (false, false, 0_usize);
        let mut original = String::from('%');
        let conversion = loop {
            let Some(letter) = rest.next() else { break None };
            original.push(letter);
            match letter {
                '-' => is_left = true,
                '0' if width == 0 => has_zeros = true,
                '0'..='9' => {
                    let digit = letter.to_digit(10).unwrap_or(0) as usize;
                    width = (width * 10 + digit).min(MAX_WIDTH);
                }
                '+' | ' ' | '#' | '.' | 'l' | 'h' | 'z' => {}
                other => break Some(other),
            }
            if original.len() > MAX_WIDTH {
                break None;
            }
        };
        let value = match conversion {
            Some('%') => "%".to_owned(),
            Some(kind) => match next() {
                Some(value) => converted(kind, value),
                None => original,
            },
            None => original,
        };
        // Writing to a string cannot fail.
        let _ = match (is_left, has_zeros) {
            (true, _) => write!(text, "{value:<width$}"),
            (false, true) => write!(text, "{value:0>width$}"),
            (false, false) => write!(text, "{value:>width$}"),
        };
    }
    text
}

fn converted(kind: char, value: u32) -> String {
    match kind {
        'd' | 'i' => value.cast_signed().to_string(),
        'x' => format!("{value:x}"),
        'X' => format!("{value:X}"),
        'p' | 't' | 'I' | 'T' => format!("{value:#x}"),
        'o' => format!("{value:o}"),
        'c' => char::from_u32(value).unwrap_or('?').to_string(),
        'f' | 'F' | 'g' => f32::from_bits(value).to_string(),
        _ => value.to_string(),
    }
}

/// The text of a PRINT packet, and its level: 0 log, 1 warning, 2 error.
pub fn message(payload: &[u8]) -> (String, u32) {
    let mut fields = Fields(payload);
    let text = fields.or_empty();
    let options = fields.or_zero();
    let mut left = fields.or_zero();
    let next = || {
        left = left.checked_sub(1)?;
        fields.number().ok()
    };
    (format(text, next), options & 3)
}
