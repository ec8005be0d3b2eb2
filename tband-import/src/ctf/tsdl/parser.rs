//! What all parts of the language share: tokens, one ahead, and the types that have names.

use std::collections::HashMap;
use std::rc::Rc;

use super::lexer::{Lexer, Token};
use crate::ctf::model::class::{Class, Path, Scope};
use crate::ctf::model::{Declaration, MetadataError};

/// Types inside of each other, at most.
const MAX_DEPTH: usize = 48;

/// Reads one text.
pub struct Parser<'t> {
    lexer: Lexer<'t>,
    /// The next token, and its line.
    next: Result<Token, MetadataError>,
    line: usize,
    depth: usize,
    /// Types by name, those of the innermost block last. The names of structures begin with `struct `, and so on.
    types: Vec<HashMap<String, (Class, usize)>>,
    /// Levels of the type that was read last, and most of those that the present one has inside.
    last: usize,
    inside: usize,
    pub declaration: Declaration,
}

impl<'t> Parser<'t> {
    pub fn new(text: &'t [u8]) -> Self {
        let mut lexer = Lexer::new(text);
        let next = lexer.next();
        let line = lexer.line();
        let declaration =
            Declaration { version: "1.8", has_underscores: true, ..Declaration::default() };
        let types = vec![HashMap::new()];
        Self { lexer, next, line, depth: 0, types, last: 0, inside: 0, declaration }
    }

    /// Line of the next token.
    pub const fn line(&self) -> usize {
        self.line
    }

    pub fn error<T>(&self, text: impl Into<String>) -> Result<T, MetadataError> {
        Err(MetadataError::new(self.line, text))
    }

    /// The next token, which is left.
    pub fn peek(&self) -> Result<&Token, MetadataError> {
        self.next.as_ref().map_err(Clone::clone)
    }

    pub fn take(&mut self) -> Result<Token, MetadataError> {
        let next = self.lexer.next();
        self.line = self.lexer.line();
        std::mem::replace(&mut self.next, next)
    }

    /// Takes a sign, if it is next.
    pub fn has(&mut self, sign: u8) -> Result<bool, MetadataError> {
        let is_it = *self.peek()? == Token::Sign(sign);
        if is_it {
            self.take()?;
        }
        Ok(is_it)
    }

    /// Takes a word, if it is next.
    pub fn has_word(&mut self, word: &str) -> Result<bool, MetadataError> {
        let is_it = matches!(self.peek()?, Token::Word(it) if **it == *word);
        if is_it {
            self.take()?;
        }
        Ok(is_it)
    }

    pub fn expect(&mut self, sign: u8) -> Result<(), MetadataError> {
        if self.has(sign)? {
            return Ok(());
        }
        self.error(format!("'{}' is missing before {}", char::from(sign), self.format_token()))
    }

    /// The next token for messages.
    pub fn format_token(&self) -> String {
        match &self.next {
            Ok(Token::Word(word)) => format!("'{word}'"),
            Ok(Token::Number(number)) => format!("'{number}'"),
            Ok(Token::Text(text)) => format!("\"{text}\""),
            Ok(Token::Sign(sign)) => format!("'{}'", char::from(*sign)),
            Ok(Token::Becomes) => "':='".to_owned(),
            Ok(Token::To) => "'...'".to_owned(),
            Ok(Token::End) => "the end".to_owned(),
            Err(error) => error.text.clone(),
        }
    }

    pub fn word(&mut self) -> Result<Rc<str>, MetadataError> {
        match self.peek()? {
            Token::Word(word) => {
                let word = Rc::clone(word);
                self.take()?;
                Ok(word)
            }
            _ => self.error(format!("a name is missing before {}", self.format_token())),
        }
    }

    /// A number, perhaps with a sign.
    pub fn number(&mut self) -> Result<i128, MetadataError> {
        let is_negative = self.has(b'-')?;
        self.has(b'+')?;
        match *self.peek()? {
            Token::Number(number) => {
                self.take()?;
                Ok(if is_negative { -number } else { number })
            }
            _ => self.error(format!("a number is missing before {}", self.format_token())),
        }
    }

    /// Names with points between them.
    pub fn names(&mut self) -> Result<Vec<Rc<str>>, MetadataError> {
        let mut names = vec![self.word()?];
        while self.has(b'.')? {
            names.push(self.word()?);
        }
        Ok(names)
    }

    /// A reference to a field.
    pub fn path(&mut self) -> Result<Path, MetadataError> {
        let names = self.names()?;
        let text: Vec<&str> = names.iter().map(|it| &**it).collect();
        let (scope, len) = match text.as_slice() {
            ["trace", "packet", "header", _, ..] => (Some(Scope::PacketHeader), 3),
            ["stream", "packet", "context", _, ..] => (Some(Scope::PacketContext), 3),
            ["stream", "event", "header", _, ..] => (Some(Scope::EventHeader), 3),
            ["stream", "event", "context", _, ..] => (Some(Scope::StreamEventContext), 3),
            ["event", "context", _, ..] => (Some(Scope::EventContext), 2),
            ["event", "fields", _, ..] => (Some(Scope::Payload), 2),
            _ => (None, 0),
        };
        Ok(Path { scope, names: names.get(len..).unwrap_or_default().to_vec() })
    }

    /// A block of the language, or a type, begins: names that it gives to types are its own.
    pub fn enter(&mut self) -> Result<(), MetadataError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.error(format!("types more than {MAX_DEPTH} levels deep"));
        }
        self.types.push(HashMap::new());
        Ok(())
    }

    pub fn leave(&mut self) {
        self.depth -= 1;
        self.types.pop();
    }

    /// Gives a type a name; so many dimensions belong to the named type.
    pub fn name_type(&mut self, name: String, class: Class, dimensions: usize) {
        let levels = self.last + dimensions;
        if let Some(types) = self.types.last_mut() {
            types.insert(name, (class, levels));
        }
    }

    /// A type begins. Returns the argument for [`end_type`](Self::end_type).
    pub fn begin_type(&mut self) -> Result<usize, MetadataError> {
        self.enter()?;
        Ok(std::mem::take(&mut self.inside))
    }

    /// The type ends. Names let types nest deeper than the text does.
    pub fn end_type(&mut self, outer: usize) -> Result<(), MetadataError> {
        self.leave();
        self.last = self.inside + 1;
        self.inside = outer.max(self.last);
        self.check_levels()
    }

    /// The type that was read last gets dimensions.
    pub fn add_dimensions(&mut self, dimensions: usize) -> Result<(), MetadataError> {
        self.inside = self.inside.max(self.last + dimensions);
        self.check_levels()
    }

    fn check_levels(&self) -> Result<(), MetadataError> {
        match self.inside > MAX_DEPTH {
            true => self.error(format!("types more than {MAX_DEPTH} levels deep")),
            false => Ok(()),
        }
    }

    /// The type of a name.
    pub fn type_named(&mut self, name: &str) -> Result<Class, MetadataError> {
        match self.types.iter().rev().find_map(|types| types.get(name)) {
            Some((class, levels)) => {
                self.inside = self.inside.max(*levels);
                Ok(class.clone())
            }
            None => self.error(format!("'{name}' is not a type that the metadata declares before")),
        }
    }
}
