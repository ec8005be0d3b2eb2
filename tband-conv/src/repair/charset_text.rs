//! Undoes that bytes were read as text and written in UTF-8 or UTF-16.

use super::charset::Charset;
use super::plain::RestoredInput;

/// How characters are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    Utf16Le,
    Utf16Be,
}

impl Encoding {
    /// Returns the next character and its length; `None` if there is none, or it is incomplete.
    fn next(self, raw: &[u8]) -> Option<(u32, usize)> {
        match (self, raw) {
            (Self::Utf16Le, [low, high, ..]) => Some((u16::from_le_bytes([*low, *high]).into(), 2)),
            (Self::Utf16Be, [high, low, ..]) => Some((u16::from_be_bytes([*high, *low]).into(), 2)),
            (Self::Utf8, [byte @ 0..=0x7F, ..]) => Some((u32::from(*byte), 1)),
            (Self::Utf8, [first @ 0xC2..=0xDF, second @ 0x80..=0xBF, ..]) => {
                Some((u32::from(first & 0x1F) << 6 | u32::from(second & 0x3F), 2))
            }
            (Self::Utf8, [first @ 0xE0..=0xEF, second @ 0x80..=0xBF, third @ 0x80..=0xBF, ..]) => {
                let upper = u32::from(first & 0x0F) << 12 | u32::from(second & 0x3F) << 6;
                Some((upper | u32::from(third & 0x3F), 3))
            }
            _ => None,
        }
    }

    /// Appends this character.
    pub fn write(self, character: u16, to: &mut Vec<u8>) {
        match self {
            Self::Utf16Le => to.extend(character.to_le_bytes()),
            Self::Utf16Be => to.extend(character.to_be_bytes()),
            Self::Utf8 => {
                let mut room = [0; 4];
                let character = char::from_u32(character.into()).unwrap_or('?');
                to.extend_from_slice(character.encode_utf8(&mut room).as_bytes());
            }
        }
    }
}

/// Returns the bytes that this text was made from, up to the first character that no byte maps to.
pub fn undo(
    raw: &[u8],
    encoding: Encoding,
    charset: Charset,
    limit: usize,
    is_all: bool,
) -> RestoredInput {
    let mut plain = RestoredInput::default();
    let mut at = 0;
    while plain.bytes.len() < limit {
        let rest = raw.get(at..).unwrap_or_default();
        let Some((character, len)) = encoding.next(rest) else {
            // A character may be cut here.
            plain.goes_on = !is_all && rest.len() < 4;
            break;
        };
        let Some(byte) = charset.byte(character) else { break };
        at += len;
        plain.push(byte, at);
    }
    plain
}
