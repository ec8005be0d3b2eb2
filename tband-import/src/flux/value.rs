//! Data of samples as numbers and texts.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::bytes::{Bytes, float, signed, unsigned};

/// Types of signals.
pub mod kind {
    pub const EVENT: u8 = 1;
    pub const INTEGER: u8 = 2;
    pub const LOGIC: u8 = 3;
    pub const FLOAT: u8 = 4;
    pub const TEXT: u8 = 5;
    pub const STRUCT: u8 = 7;
    pub const EVENTS: u8 = 8;
    pub const INTEGERS: u8 = 9;
    pub const FLOATS: u8 = 10;
    pub const TEXTS: u8 = 11;
}

/// Values of tband are integers: floats are multiplied by this.
pub const SCALE: f64 = 1000.0;
/// Bytes of a text that are shown.
const MAX_TEXT: usize = 1024;
/// Enumerations of members begin here: this and the member.
const OF_MEMBERS: u32 = 8;

/// The data of a sample of this type can have this form. Form 0 has no value.
pub fn can_be(kind: u8, form: u8, len: usize) -> bool {
    match kind {
        _ if form == 0 => len == 0,
        kind::EVENT => form == 2 && len <= 9,
        kind::INTEGER => form == 1 && len <= 9,
        kind::LOGIC => form & 3 != 0,
        kind::FLOAT => matches!((form, len), (5, 4) | (9, 8)),
        kind::EVENTS => matches!(form, 2 | 3),
        kind::INTEGERS | kind::FLOATS => matches!(form, 5 | 7 | 9 | 11),
        kind::TEXTS => matches!(form, 1 | 3),
        _ => form == 1,
    }
}

/// A number, if the data is one.
pub fn number(kind: u8, form: u8, data: &[u8]) -> Option<i64> {
    match kind {
        kind::INTEGER => signed(data).or_else(|| Some(unsigned(data)?.cast_signed())),
        // A conversion to an integer saturates. Other data is shown as text.
        kind::FLOAT => {
            let value = float(data).filter(|value| value.is_finite())?;
            Some((value * SCALE).round() as i64)
        }
        // Two states: without data, all bits are the same.
        kind::LOGIC if form & 3 == 1 && data.is_empty() => Some(i64::from(form & 4 != 0)),
        kind::LOGIC if form & 3 == 1 && data.len() <= 8 => {
            Some(data.iter().fold(0_u64, |bits, byte| bits << 8 | u64::from(*byte)).cast_signed())
        }
        _ => None,
    }
}

/// The number of a label, if the data is that alone.
pub fn event(kind: u8, data: &[u8]) -> Option<u64> {
    (kind == kind::EVENT).then(|| unsigned(data).unwrap_or(0))
}

/// The data as text. `word` gives the label of an enumeration and a number, `member` that of a member.
pub fn text<'a>(
    kind: u8,
    form: u8,
    data: &'a [u8],
    word: &dyn Fn(u32, u64) -> Cow<'a, str>,
    member: &dyn Fn(u32) -> Cow<'a, str>,
) -> Cow<'a, str> {
    let text = match kind {
        kind::EVENT => word(0, unsigned(data).unwrap_or(0)),
        kind::TEXT => String::from_utf8_lossy(data),
        kind::FLOAT => float(data).map_or_else(|| hex(data), |value| value.to_string()).into(),
        kind::STRUCT => structure(data, word, member).into(),
        kind::EVENTS | kind::INTEGERS | kind::FLOATS | kind::TEXTS => {
            elements(kind, form, data, word, member).into()
        }
        _ => hex(data).into(),
    };
    if text.len() <= MAX_TEXT {
        return text;
    }
    let mut end = MAX_TEXT;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let mut text = text.into_owned();
    text.truncate(end);
    text.into()
}

fn hex(data: &[u8]) -> String {
    let mut text = String::from("0x");
    for byte in data.iter().take(MAX_TEXT) {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

fn structure<'a>(
    data: &'a [u8],
    word: &dyn Fn(u32, u64) -> Cow<'a, str>,
    member: &dyn Fn(u32) -> Cow<'a, str>,
) -> String {
    let (mut bytes, mut text) = (Bytes(data), String::new());
    let mut next = || Some((bytes.id().ok()?, bytes.byte().ok()?, bytes.sized(data.len()).ok()?));
    while let Some((id, kind, value)) = next() {
        let shown = match kind & 0x3F {
            1 => String::from_utf8_lossy(value),
            2 | 8 => word(0, unsigned(value).unwrap_or(0)),
            7 => word(id.saturating_add(OF_MEMBERS), unsigned(value).unwrap_or(0)),
            3 => signed(value).map_or_else(|| hex(value), |it| it.to_string()).into(),
            4 => float(value).map_or_else(|| hex(value), |it| it.to_string()).into(),
            _ => hex(value).into(),
        };
        let between = if text.is_empty() { "" } else { " " };
        let _ = write!(text, "{between}{}={shown}", member(id));
        if text.len() > MAX_TEXT {
            break;
        }
    }
    text
}

fn elements<'a>(
    kind: u8,
    form: u8,
    data: &'a [u8],
    word: &dyn Fn(u32, u64) -> Cow<'a, str>,
    member: &dyn Fn(u32) -> Cow<'a, str>,
) -> String {
    let (mut bytes, mut text) = (Bytes(data), String::new());
    if form & 3 == 3 {
        // The number of elements, which the data shows too.
        let _ = bytes.number();
    }
    for index in 0.. {
        if bytes.0.is_empty() || text.len() > MAX_TEXT {
            break;
        }
        let element = match kind {
            kind::FLOATS => bytes.take(if form & 8 == 0 { 4 } else { 8 }),
            _ => bytes.sized(data.len()),
        };
        let Ok(element) = element else { break };
        let shown = match kind {
            kind::EVENTS => {
                word(u32::saturating_add(index, OF_MEMBERS), unsigned(element).unwrap_or(0))
            }
            kind::INTEGERS => {
                signed(element).map_or_else(|| hex(element), |it| it.to_string()).into()
            }
            kind::FLOATS => float(element).map_or_else(|| hex(element), |it| it.to_string()).into(),
            _ => String::from_utf8_lossy(element),
        };
        let between = if text.is_empty() { "" } else { " " };
        let _ = write!(text, "{between}{}={shown}", member(index));
    }
    text
}
