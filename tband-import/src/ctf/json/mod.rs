//! Metadata of CTF 2: JSON texts, each after a record separator.

mod field_class;

use std::rc::Rc;

use serde_json::Value;

use self::field_class::Aliases;
use super::model::{Clock, Declaration, EventDeclaration, MetadataError, StreamDeclaration};

const SEPARATOR: u8 = 0x1E;

/// Reads metadata.
///
/// # Errors
/// [`MetadataError`] with the line of the text that is wrong.
pub fn read(bytes: &[u8]) -> Result<Declaration, MetadataError> {
    let mut declaration = Declaration { version: "2", ..Declaration::default() };
    let mut aliases = Aliases::default();
    let mut line = 1;
    for text in bytes.split(|byte| *byte == SEPARATOR) {
        let begin = line;
        line += memchr::memchr_iter(b'\n', text).count();
        if text.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let fragment: Value = serde_json::from_slice(text).map_err(|error| {
            MetadataError::new(begin + error.line().saturating_sub(1), error.to_string())
        })?;
        fragment_of(&fragment, begin, &mut aliases, &mut declaration)
            .map_err(|text| MetadataError::new(begin, text))?;
    }
    Ok(declaration)
}

fn fragment_of(
    fragment: &Value,
    line: usize,
    aliases: &mut Aliases,
    declaration: &mut Declaration,
) -> Result<(), String> {
    let id = |name: &str| fragment.get(name).and_then(Value::as_u64);
    let text = |name: &str| fragment.get(name).and_then(Value::as_str).map(Rc::from);
    let class =
        |name: &str| fragment.get(name).map(|class| aliases.structure(class, name)).transpose();
    match fragment.get("type").and_then(Value::as_str) {
        Some("preamble") => match id("version") {
            Some(2) => Ok(()),
            other => Err(format!("version {other:?} of CTF; 2 is the one that is known")),
        },
        Some("trace-class") => {
            let entries = fragment.get("environment").and_then(Value::as_object);
            for (name, value) in entries.into_iter().flatten() {
                let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                declaration.environment.push((name.as_str().into(), value.into()));
            }
            declaration.packet_header = class("packet-header-field-class")?;
            Ok(())
        }
        Some("clock-class") => {
            let name = text("id").or_else(|| text("name")).unwrap_or_else(|| "".into());
            let offset = |part: &str| {
                let offset = fragment.get("offset-from-origin")?;
                offset.get(part)?.as_i64()
            };
            let frequency = id("frequency").filter(|hz| *hz > 0).ok_or("a clock of 0 Hz")?;
            let offset = (offset("seconds").unwrap_or(0), offset("cycles").unwrap_or(0));
            declaration.clocks.push(Clock { name, frequency, offset });
            Ok(())
        }
        Some("data-stream-class") => {
            let of_clock =
                text("default-clock-class-id").or_else(|| text("default-clock-class-name"));
            declaration.streams.push(StreamDeclaration {
                id: id("id").unwrap_or(0),
                packet_context: class("packet-context-field-class")?,
                event_header: class("event-record-header-field-class")?,
                event_context: class("event-record-common-context-field-class")?,
                clock: of_clock,
            });
            Ok(())
        }
        Some("event-record-class") => {
            let number = id("id").unwrap_or(0);
            let name = text("name").unwrap_or_else(|| format!("event {number}").into());
            declaration.events.push(EventDeclaration {
                line,
                name,
                id: number,
                stream: Some(id("data-stream-class-id").unwrap_or(0)),
                context: class("specific-context-field-class")?,
                payload: class("payload-field-class")?,
            });
            Ok(())
        }
        Some("field-class-alias") => aliases.add(fragment),
        // Others are for other programs.
        Some(_) => Ok(()),
        None => Err("a part of the metadata without a type".to_owned()),
    }
}
