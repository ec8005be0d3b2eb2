//! An event as a line of text.

use std::num::ParseIntError;

use tband_format::field::FieldKind;
use tband_format::registry::{EventDef, by_name};

use super::words::words;
use crate::described::{frame_of, varint};

/// Returns the frame of an event from its time, which metadata has not, its name and its fields.
///
/// # Errors
/// The registry has no such event, or the fields are not those of the event.
pub(super) fn frame(line: &str) -> Result<Vec<u8>, String> {
    let all = words(line)?;
    let mut words = all.iter().map(Vec::as_slice);
    let mut name = text(words.next().unwrap_or_default())?;
    let ts = name.parse::<u64>().ok();
    if ts.is_some() {
        name = text(words.next().unwrap_or_default())?;
    }
    let def: &EventDef = by_name(name).ok_or_else(|| format!("no event is called {name:?}"))?;
    let mut payload = vec![def.id];
    match (ts, def.metadata) {
        (None, true) => {}
        (Some(ts), false) => payload.extend(varint(ts)),
        (None, false) => return Err(format!("{name} has no time")),
        (Some(_), true) => return Err(format!("{name} is metadata, which has no time")),
    }
    for field in def.fields {
        let Some(word) = words.next() else {
            if matches!(field.kind, FieldKind::Optional(_)) {
                continue;
            }
            return Err(format!("{name} has no {}", field.name));
        };
        let value = word
            .strip_prefix(field.name.as_bytes())
            .and_then(|rest| rest.strip_prefix(b"="))
            .ok_or_else(|| format!("not {}=…: {}", field.name, word.escape_ascii()))?;
        add(&mut payload, &field.kind, value)?;
    }
    match words.next() {
        Some(word) => Err(format!("{name} has no more fields: {}", word.escape_ascii())),
        None => Ok(frame_of(&payload)),
    }
}

fn text(bytes: &[u8]) -> Result<&str, String> {
    str::from_utf8(bytes).map_err(|error| error.to_string())
}

/// Adds a value as frames have it.
fn add(payload: &mut Vec<u8>, kind: &FieldKind, value: &[u8]) -> Result<(), String> {
    fn number<T: TryFrom<u64, Error: ToString>>(value: &[u8]) -> Result<T, String> {
        let value = text(value)?;
        let number = match value.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16),
            None => value.parse(),
        };
        let number = number.map_err(|error| error.to_string())?;
        T::try_from(number).map_err(|error| error.to_string())
    }
    match *kind {
        FieldKind::U8 => payload.push(number(value)?),
        FieldKind::Enum { values, .. } => {
            let named = values.iter().find(|(_, name)| name.as_bytes() == value);
            payload.push(named.map_or_else(|| number(value), |(byte, _)| Ok(*byte))?);
        }
        FieldKind::U32 => payload.extend(varint(number::<u32>(value)?.into())),
        FieldKind::U64 => payload.extend(varint(number(value)?)),
        FieldKind::S64 => {
            let value: i64 =
                text(value)?.parse().map_err(|error: ParseIntError| error.to_string())?;
            payload.extend(varint((value.unsigned_abs() << 1) | u64::from(value < 0)));
        }
        FieldKind::Str => payload.extend(value),
        FieldKind::Optional(inner) => add(payload, inner, value)?,
    }
    Ok(())
}
