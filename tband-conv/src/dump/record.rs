//! The part that a dump writes of the application's log records in addition to their fields: text and arguments.

use std::io::Write;

use tband_format::Str;

use super::digits::{decimal, signed};
use super::strings;
use crate::records::{Argument, Message};

/// Appends the record's text.
pub(super) fn text(buf: &mut Vec<u8>, message: &Message) {
    buf.push(b' ');
    strings::quoted(buf, Str(&message.text));
}

/// Appends the record's text, and its arguments by their types, as members of a JSON object.
pub(super) fn json(buf: &mut Vec<u8>, message: &Message) {
    buf.extend_from_slice(b",\"text\":");
    strings::json(buf, Str(&message.text));
    let Some(arguments) = &message.arguments else { return };
    buf.extend_from_slice(b",\"arguments\":[");
    for (number, argument) in arguments.iter().enumerate() {
        if number > 0 {
            buf.push(b',');
        }
        value(buf, argument);
    }
    buf.push(b']');
}

/// Numbers that JSON does not have are texts.
fn value(buf: &mut Vec<u8>, argument: &Argument) {
    // Writing into memory cannot fail.
    let _ = match argument {
        Argument::Bool(value) => write!(buf, "{value}"),
        Argument::Char(value) => {
            signed(buf, (*value).into());
            Ok(())
        }
        Argument::Signed(value, _) => {
            signed(buf, *value);
            Ok(())
        }
        Argument::Unsigned(value, _) => {
            decimal(buf, *value);
            Ok(())
        }
        Argument::Float(value) if value.is_finite() => write!(buf, "{value:?}"),
        Argument::Double(value) if value.is_finite() => write!(buf, "{value:?}"),
        Argument::Float(value) => write!(buf, "\"{value}\""),
        Argument::Double(value) => write!(buf, "\"{value}\""),
        Argument::Pointer(at) | Argument::Function(at) => {
            write!(buf, "{{\"address\":\"{at:#x}\"}}")
        }
        Argument::Symbol(at, name) => {
            let _ = write!(buf, "{{\"address\":\"{at:#x}\",\"name\":");
            strings::json(buf, Str(name.as_bytes()));
            buf.push(b'}');
            Ok(())
        }
        Argument::Named(_, name) => {
            strings::json(buf, Str(name.as_bytes()));
            Ok(())
        }
        Argument::Constant(value) => write!(buf, "{value}"),
        Argument::Text(text, _) => {
            strings::json(buf, Str(text));
            Ok(())
        }
        Argument::Memory(memory, _) => {
            buf.push(b'"');
            for byte in memory {
                let _ = write!(buf, "{byte:02x}");
            }
            buf.push(b'"');
            Ok(())
        }
    };
}
