//! Blocks of the language: trace, env, clock, stream, event.

use std::rc::Rc;

use super::lexer::Token;
use super::parser::Parser;
use super::types::Value;
use crate::ctf::model::class::{Class, Order};
use crate::ctf::model::{Clock, Declaration, EventDeclaration, MetadataError, StreamDeclaration};

/// What a block assigns to a name.
enum Assignment {
    Value(Value),
    Type(Class),
}

impl Parser<'_> {
    /// Reads all of it.
    ///
    /// # Errors
    /// [`MetadataError`] with the line that is wrong.
    pub fn trace(mut self) -> Result<Declaration, MetadataError> {
        loop {
            match self.peek()? {
                Token::End => break,
                Token::Sign(b';') => drop(self.take()?),
                _ => self.top()?,
            }
        }
        Ok(self.declaration)
    }

    fn top(&mut self) -> Result<(), MetadataError> {
        if self.type_definition()? {
            return Ok(());
        }
        let word = match self.peek()? {
            Token::Word(word) => Rc::clone(word),
            _ => return self.error(format!("{} is not a block", self.format_token())),
        };
        match &*word {
            "trace" => self.trace_block(),
            "env" => self.environment(),
            "clock" => self.clock(),
            "stream" => self.stream(),
            "event" => self.event(),
            "callsite" => self.block(|_, _, _| Ok(())),
            _ => {
                self.type_specifier()?;
                self.expect(b';')
            }
        }
    }

    /// A block after its keyword: each assignment is given to `take`.
    fn block(
        &mut self,
        mut take: impl FnMut(&mut Self, &str, Assignment) -> Result<(), MetadataError>,
    ) -> Result<(), MetadataError> {
        self.take()?;
        self.expect(b'{')?;
        self.enter()?;
        while !self.has(b'}')? {
            if self.type_definition()? || self.has(b';')? {
                continue;
            }
            if let Token::Word(word) = self.peek()?
                && matches!(&**word, "struct" | "enum" | "variant")
            {
                self.type_specifier()?;
                self.expect(b';')?;
                continue;
            }
            let name = self.names()?.join(".");
            let assigned = if *self.peek()? == Token::Becomes {
                self.take()?;
                Assignment::Type(self.type_specifier()?)
            } else {
                self.expect(b'=')?;
                Assignment::Value(self.value()?)
            };
            take(self, &name, assigned)?;
            self.expect(b';')?;
        }
        self.leave();
        Ok(())
    }

    fn id(&self, value: &Value) -> Result<u64, MetadataError> {
        match *value {
            Value::Number(id) if u64::try_from(id).is_ok() => Ok(u64::try_from(id).unwrap_or(0)),
            _ => self.error(format!("'{}' is not an id", value.text())),
        }
    }

    fn trace_block(&mut self) -> Result<(), MetadataError> {
        self.block(|parser, name, assigned| {
            match (name, assigned) {
                ("byte_order", Assignment::Value(value)) => {
                    parser.declaration.order = match &*value.text() {
                        "le" => Some(Order::Little),
                        "be" | "network" => Some(Order::Big),
                        other => {
                            return parser.error(format!("the byte order '{other}': le or be"));
                        }
                    };
                }
                ("packet.header", Assignment::Type(class)) => {
                    parser.declaration.packet_header = Some(class);
                }
                _ => {}
            }
            Ok(())
        })
    }

    fn environment(&mut self) -> Result<(), MetadataError> {
        self.block(|parser, name, assigned| {
            if let Assignment::Value(value) = assigned {
                parser.declaration.environment.push((name.into(), value.text()));
            }
            Ok(())
        })
    }

    fn clock(&mut self) -> Result<(), MetadataError> {
        let mut clock = Clock { name: "".into(), frequency: 1_000_000_000, offset: (0, 0) };
        self.block(|parser, name, assigned| {
            let Assignment::Value(value) = assigned else { return Ok(()) };
            let number = match value {
                Value::Number(number) => i64::try_from(number).ok(),
                _ => None,
            };
            match (name, number) {
                ("name", _) => clock.name = value.text(),
                ("freq", Some(hz @ 1..)) => clock.frequency = hz.unsigned_abs(),
                ("freq", _) => {
                    return parser.error(format!("a clock of '{}' Hz", value.text()));
                }
                ("offset_s", Some(seconds)) => clock.offset.0 = seconds,
                ("offset", Some(cycles)) => clock.offset.1 = cycles,
                _ => {}
            }
            Ok(())
        })?;
        self.declaration.clocks.push(clock);
        Ok(())
    }

    fn stream(&mut self) -> Result<(), MetadataError> {
        let mut stream = StreamDeclaration::default();
        self.block(|parser, name, assigned| {
            match (name, assigned) {
                ("id", Assignment::Value(value)) => stream.id = parser.id(&value)?,
                ("packet.context", Assignment::Type(class)) => stream.packet_context = Some(class),
                ("event.header", Assignment::Type(class)) => stream.event_header = Some(class),
                ("event.context", Assignment::Type(class)) => stream.event_context = Some(class),
                _ => {}
            }
            Ok(())
        })?;
        self.declaration.streams.push(stream);
        Ok(())
    }

    fn event(&mut self) -> Result<(), MetadataError> {
        let mut event = EventDeclaration { line: self.line(), ..EventDeclaration::default() };
        self.block(|parser, name, assigned| {
            match (name, assigned) {
                ("name", Assignment::Value(value)) => event.name = value.text(),
                ("id", Assignment::Value(value)) => event.id = parser.id(&value)?,
                ("stream_id", Assignment::Value(value)) => event.stream = Some(parser.id(&value)?),
                ("context", Assignment::Type(class)) => event.context = Some(class),
                ("fields", Assignment::Type(class)) => event.payload = Some(class),
                _ => {}
            }
            Ok(())
        })?;
        if event.name.is_empty() {
            event.name = format!("event {}", event.id).into();
        }
        self.declaration.events.push(event);
        Ok(())
    }
}
