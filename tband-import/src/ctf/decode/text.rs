//! Fields as text, for events whose meaning is not known.

use std::fmt::Write;

use super::bits::{Cursor, ReadStop};
use super::fields::{Decoder, bytes_of};
use crate::ctf::model::field::{Choice, Count, Field, Int, Struct};

/// Characters of an event, at most.
const MAX_LEN: usize = 1024;
/// Elements of an array that are shown.
const MAX_ELEMENTS: u64 = 64;

/// Appends the members of a structure as `name = value`, reading them again.
pub fn show(
    structure: &Struct,
    cursor: &mut Cursor<'_>,
    decoder: &mut Decoder,
    text: &mut String,
) -> Result<(), ReadStop> {
    cursor.align(structure.align)?;
    for (name, field) in &structure.members {
        if text.len() >= MAX_LEN {
            text.push_str(", ...");
            return Ok(());
        }
        if !text.is_empty() && !text.ends_with("{ ") {
            text.push_str(", ");
        }
        text.push_str(name);
        text.push_str(" = ");
        value(field, cursor, decoder, text)?;
    }
    Ok(())
}

fn value(
    field: &Field,
    cursor: &mut Cursor<'_>,
    decoder: &mut Decoder,
    text: &mut String,
) -> Result<(), ReadStop> {
    match field {
        Field::Struct(structure) => {
            text.push_str("{ ");
            show(structure, cursor, decoder, text)?;
            text.push_str(" }");
            return Ok(());
        }
        Field::Array { count, align, element } => {
            cursor.align(*align)?;
            let count = match *count {
                Count::Fixed(count) => count,
                Count::Slot(slot) => decoder.get(slot),
            };
            text.push('[');
            for number in 0..count.min(MAX_ELEMENTS) {
                text.push_str(if number > 0 { ", " } else { "" });
                value(element, cursor, decoder, text)?;
            }
            text.push_str(if count > MAX_ELEMENTS { ", ...]" } else { "]" });
            for _ in MAX_ELEMENTS..count {
                let before = cursor.at;
                decoder.read(element, cursor)?;
                if cursor.at == before {
                    break;
                }
            }
            return Ok(());
        }
        Field::Variant { slot, is_signed, options } => {
            let chosen = super::fields::signed(decoder.get(*slot), *is_signed);
            let has =
                |it: &&Choice| it.ranges.iter().any(|(low, high)| (*low..=*high).contains(&chosen));
            return match options.iter().find(has).and_then(|it| it.field.as_ref()) {
                Some(field) => value(field, cursor, decoder, text),
                None => {
                    text.push_str("none");
                    Ok(())
                }
            };
        }
        Field::Int(_) | Field::Float { .. } | Field::Text { .. } | Field::Bytes { .. } => {}
    }
    decoder.read(field, cursor)?;
    leaf(field, cursor.bytes, decoder, text);
    Ok(())
}

/// A value that was read.
fn leaf(field: &Field, bytes: &[u8], decoder: &Decoder, text: &mut String) {
    // Writing to a text cannot fail.
    let _ = match field {
        Field::Int(int) => int_text(int, decoder.get(int.slot), text),
        Field::Float { slot, bits, .. } => match bits {
            64 => write!(text, "{}", f64::from_bits(decoder.get(*slot))),
            32 => write!(text, "{}", f32::from_bits(decoder.get(*slot) as u32)),
            _ => write!(text, "{:#06x}", decoder.get(*slot)),
        },
        Field::Text { slot, unit } => {
            let bytes = bytes_of(bytes, decoder.get(*slot));
            match unit {
                1 => write!(text, "\"{}\"", String::from_utf8_lossy(bytes)),
                _ => hex(bytes, text),
            }
        }
        Field::Bytes { slot, is_text, .. } => {
            let bytes = bytes_of(bytes, decoder.get(*slot));
            match is_text {
                true => write!(text, "\"{}\"", String::from_utf8_lossy(bytes)),
                false => hex(bytes, text),
            }
        }
        Field::Struct(_) | Field::Array { .. } | Field::Variant { .. } => Ok(()),
    };
}

fn hex(bytes: &[u8], text: &mut String) -> std::fmt::Result {
    for byte in bytes.iter().take(MAX_ELEMENTS as usize) {
        write!(text, "{byte:02X}")?;
    }
    text.push_str(if bytes.len() as u64 > MAX_ELEMENTS { "..." } else { "" });
    Ok(())
}

fn int_text(int: &Int, raw: u64, text: &mut String) -> std::fmt::Result {
    let value = int.value(raw);
    if let Some(name) = int.labels.as_ref().and_then(|it| it.of(value)) {
        return write!(text, "{name} ({value})");
    }
    match int.base {
        16 => write!(text, "{raw:#x}"),
        8 => write!(text, "{raw:#o}"),
        2 => write!(text, "{raw:#b}"),
        _ => write!(text, "{value}"),
    }
}
