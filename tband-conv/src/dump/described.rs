//! The dump of events that only the recording describes: with the recording's names and fields.

use tband_format::described_event::DescribedEvent;
use tband_format::field::Value;

use super::digits::{decimal, signed};
use super::labels::NAME_WIDTH;
use super::strings;

/// Appends name and fields as text, after the columns.
#[cold]
pub(super) fn text(buf: &mut Vec<u8>, event: &DescribedEvent<'_>) {
    let name = event.schema().name();
    buf.extend_from_slice(b"  ");
    buf.extend_from_slice(name.as_bytes());
    let end = buf.len().saturating_add(NAME_WIDTH.saturating_sub(name.len()));
    let mut is_lone = true;
    event.for_each_field(|field, value| {
        if std::mem::take(&mut is_lone) {
            buf.resize(end, b' ');
        }
        buf.push(b' ');
        buf.extend_from_slice(field.as_bytes());
        buf.push(b'=');
        match value {
            Value::Unsigned(value) => decimal(buf, value),
            Value::Named(value, _) => decimal(buf, value.into()),
            Value::Signed(value) => signed(buf, value),
            Value::Str(text) => strings::quoted(buf, text),
        }
    });
}

/// Appends name and fields as members of a JSON object.
#[cold]
pub(super) fn json(buf: &mut Vec<u8>, event: &DescribedEvent<'_>) {
    // Names contain no characters that need escapes.
    buf.extend_from_slice(b",\"event\":\"");
    buf.extend_from_slice(event.schema().name().as_bytes());
    buf.push(b'"');
    event.for_each_field(|field, value| {
        buf.extend_from_slice(b",\"");
        buf.extend_from_slice(field.as_bytes());
        buf.extend_from_slice(b"\":");
        match value {
            Value::Unsigned(value) => decimal(buf, value),
            Value::Named(value, _) => decimal(buf, value.into()),
            Value::Signed(value) => signed(buf, value),
            Value::Str(text) => strings::json(buf, text),
        }
    });
}
