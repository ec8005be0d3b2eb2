//! Texts that the host formats: a printf format, and its arguments as numbers.

use std::fmt::Write as _;

/// Longest text that is made of a format, in bytes.
const MAX_TEXT: usize = 1024;
/// Widest field.
const MAX_WIDTH: usize = 64;

/// An argument of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A word of 32 bits.
    Word(u32),
    /// A word of 64 bits.
    Long(u64),
}

/// Formats the arguments of a printf format. `text_of` returns the text for the value of a `%s`, if it is known.
pub fn format(
    format: &[u8],
    mut next: impl FnMut() -> Option<Argument>,
    text_of: impl Fn(Argument) -> Option<String>,
) -> String {
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
        let mut is_long = false;
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
                'l' | 'z' | 'j' | 't' if is_modifier(letter, rest.peek()) => is_long = true,
                '+' | ' ' | '#' | '.' | 'h' => {}
                other => break Some(other),
            }
            if original.len() > MAX_WIDTH {
                break None;
            }
        };
        let value = match conversion {
            Some('%') => "%".to_owned(),
            Some(kind) => match next() {
                Some(value) if kind == 's' => {
                    text_of(value).unwrap_or_else(|| converted('p', value))
                }
                // An int has 32 bits also where words have 64.
                Some(Argument::Long(value)) if !is_long && "diuxXoc".contains(kind) => {
                    converted(kind, Argument::Word((value & 0xFFFF_FFFF) as u32))
                }
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

/// `t` is a length before a conversion, and a conversion of SystemView itself.
fn is_modifier(letter: char, next: Option<&char>) -> bool {
    letter != 't' || next.is_some_and(|next| "diuxXo".contains(*next))
}

fn converted(kind: char, value: Argument) -> String {
    let (signed, unsigned) = match value {
        Argument::Word(it) => (it.cast_signed().into(), u64::from(it)),
        Argument::Long(it) => (it.cast_signed(), it),
    };
    match kind {
        'd' | 'i' => signed.to_string(),
        'x' => format!("{unsigned:x}"),
        'X' => format!("{unsigned:X}"),
        'p' | 't' | 'I' | 'T' => format!("{unsigned:#x}"),
        'o' => format!("{unsigned:o}"),
        'c' => u32::try_from(unsigned).ok().and_then(char::from_u32).unwrap_or('?').to_string(),
        'f' | 'F' | 'g' => match value {
            Argument::Word(it) => f32::from_bits(it).to_string(),
            Argument::Long(it) => f64::from_bits(it).to_string(),
        },
        _ => unsigned.to_string(),
    }
}
