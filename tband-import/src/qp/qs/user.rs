//! Items of the application's own records.

use std::fmt::Write as _;

use super::super::frame::Fields;
use super::dictionary::Dictionary;
use super::sizes::Sizes;

/// Bytes that are shown of a block of memory.
const MAX_SHOWN: usize = 64;

/// The items as text; `None` if they do not end where the record does.
pub fn items(fields: &mut Fields<'_>, sizes: Sizes, dictionary: &Dictionary) -> Option<String> {
    let mut text = String::new();
    while let Some(format) = fields.byte() {
        if !text.is_empty() {
            text.push(' ');
        }
        let group = format >> 4;
        let mut number = |len| fields.number(len);
        // Writing to a string cannot fail.
        let _ = match format & 15 {
            0 => {
                let value = number(1)? as u8;
                match dictionary.enumeration(group, value) {
                    Some(name) => write!(text, "{name}"),
                    None => write!(text, "{}", value.cast_signed()),
                }
            }
            1 => write!(text, "{}", number(1)?),
            2 => write!(text, "{}", (number(2)? as u16).cast_signed()),
            3 => write!(text, "{}", number(2)?),
            4 => write!(text, "{}", (number(4)? as u32).cast_signed()),
            5 => write!(text, "{}", number(4)?),
            6 => write!(text, "{}", f32::from_bits(number(4)? as u32)),
            7 => write!(text, "{}", f64::from_bits(number(8)?)),
            8 => write!(text, "{}", String::from_utf8_lossy(fields.text()?)),
            9 => {
                let len = fields.byte()?;
                let bytes = fields.take(len.into())?;
                bytes.iter().take(MAX_SHOWN).try_for_each(|byte| write!(text, "{byte:02X}"))
            }
            10 => {
                let (signal, object) = (number(sizes.signal)?, number(sizes.object)?);
                let of = if object == 0 {
                    String::new()
                } else {
                    format!(",{}", dictionary.object(object))
                };
                write!(text, "{}{of}", dictionary.signal(signal, object))
            }
            11 => write!(text, "{}", dictionary.object(number(sizes.object)?)),
            12 => write!(text, "{}", dictionary.function(number(sizes.function)?)),
            13 => write!(text, "{}", number(8)?.cast_signed()),
            14 => write!(text, "{}", number(8)?),
            _ => write!(text, "{:#x}", number(4)?),
        };
    }
    Some(text)
}
