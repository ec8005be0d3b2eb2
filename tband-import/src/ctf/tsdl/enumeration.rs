//! Enumerations of the language.

use std::rc::Rc;

use super::lexer::Token;
use super::parser::Parser;
use crate::ctf::model::MetadataError;
use crate::ctf::model::class::{Class, Labels};

impl Parser<'_> {
    /// An enumeration after its keyword, and its name.
    pub fn enumeration(&mut self) -> Result<(Class, Option<String>), MetadataError> {
        let name = self.tag("enum")?;
        let of = if self.has(b':')? { Some(self.type_specifier()?) } else { None };
        if *self.peek()? != Token::Sign(b'{') {
            let Some(name) = name else { return self.error("an enumeration without values") };
            return Ok((self.type_named(&name)?, None));
        }
        let of = match of {
            Some(class) => class,
            None => self.type_named("int")?,
        };
        let Class::Int(mut int) = of else {
            return self.error("an enumeration of something else than integers");
        };
        let labels = self.labels()?;
        int.labels = Some(Rc::new(labels));
        Ok((Class::Int(int), name))
    }

    fn labels(&mut self) -> Result<Labels, MetadataError> {
        self.expect(b'{')?;
        let (mut labels, mut next) = (Vec::new(), 0);
        while !self.has(b'}')? {
            let label: Rc<str> = match self.take()? {
                Token::Word(text) | Token::Text(text) => text,
                _ => return self.error("a value of an enumeration without a name"),
            };
            let (mut low, mut high) = (next, next);
            if self.has(b'=')? {
                low = self.number()?;
                high = low;
                if *self.peek()? == Token::To {
                    self.take()?;
                    high = self.number()?;
                }
            }
            if high < low {
                return self.error(format!("the range {low} ... {high} ends before it begins"));
            }
            next = high + 1;
            labels.push(((low, high), label));
            if !self.has(b',')? {
                self.expect(b'}')?;
                break;
            }
        }
        Ok(Labels(labels))
    }
}
