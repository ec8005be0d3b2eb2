//! One JSON object a row, as `dump --json` has it. Integers have all their digits; bytes are in hex; infinities, which JSON does
//! not have, are texts.

use std::io::{self, Write};

use tband_report::printable::printable_json;

use super::{Value, Writer};

pub struct Json {
    /// In quotes.
    names: Vec<String>,
}

impl Json {
    pub fn new(names: &[String]) -> Self {
        Self { names: names.iter().map(|name| quoted(name)).collect() }
    }
}

impl Writer for Json {
    fn row(&mut self, values: &[Value<'_>], out: &mut dyn Write) -> io::Result<()> {
        let members = self.names.iter().zip(values).map(|(name, value)| {
            let value = match *value {
                Value::None => "null".to_owned(),
                Value::Flag(value) => value.to_string(),
                Value::Int(value) => value.to_string(),
                Value::Real(value) if value.is_finite() => {
                    serde_json::Value::from(value).to_string()
                }
                Value::Text(text) => quoted(text),
                Value::Real(_) | Value::Bytes(_) => quoted(&value.as_text("")),
            };
            format!("{name}:{value}")
        });
        let members: Vec<_> = members.collect();
        writeln!(out, "{{{}}}", members.join(","))
    }

    fn finish(&mut self, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}

fn quoted(text: &str) -> String {
    printable_json(serde_json::Value::from(text).to_string())
}
