//! Words, numbers, texts and signs of the language.

use std::rc::Rc;

use crate::ctf::model::MetadataError;

/// A token.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    Word(Rc<str>),
    Number(i128),
    Text(Rc<str>),
    /// One of `{}[]()<>:;,.=+-*`.
    Sign(u8),
    /// `:=`.
    Becomes,
    /// `...`.
    To,
    End,
}

/// Reads tokens.
#[derive(Debug)]
pub struct Lexer<'t> {
    text: &'t [u8],
    at: usize,
    line: usize,
}

impl<'t> Lexer<'t> {
    pub const fn new(text: &'t [u8]) -> Self {
        Self { text, at: 0, line: 1 }
    }

    /// Line of the token that was read last, from 1.
    pub const fn line(&self) -> usize {
        self.line
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.text.get(self.at + ahead).copied()
    }

    fn error(&self, text: impl Into<String>) -> MetadataError {
        MetadataError::new(self.line, text)
    }

    /// Passes over blanks and comments.
    fn skip(&mut self) -> Result<(), MetadataError> {
        loop {
            match (self.peek(0), self.peek(1)) {
                (Some(b'\n'), _) => {
                    self.line += 1;
                    self.at += 1;
                }
                // Padding of packets has zeros.
                (Some(b' ' | b'\t' | b'\r' | 0x0B | 0x0C | 0), _) => self.at += 1,
                (Some(b'/'), Some(b'/')) => {
                    let rest = self.text.get(self.at..).unwrap_or_default();
                    self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                }
                (Some(b'/'), Some(b'*')) => {
                    let rest = self.text.get(self.at..).unwrap_or_default();
                    let Some(len) = memchr::memmem::find(rest.get(2..).unwrap_or_default(), b"*/")
                    else {
                        return Err(self.error("a comment without its end"));
                    };
                    let comment = rest.get(..len + 4).unwrap_or_default();
                    self.line += memchr::memchr_iter(b'\n', comment).count();
                    self.at += len + 4;
                }
                _ => return Ok(()),
            }
        }
    }

    /// The next token.
    ///
    /// # Errors
    /// [`MetadataError`], if there is none.
    pub fn next(&mut self) -> Result<Token, MetadataError> {
        self.skip()?;
        let Some(first) = self.peek(0) else { return Ok(Token::End) };
        match first {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => Ok(Token::Word(self.word().into())),
            b'0'..=b'9' => self.number(),
            b'"' => self.quoted(),
            // A character is a number.
            b'\'' => {
                let value = self.peek(1).filter(|_| self.peek(2) == Some(b'\''));
                let value = value.ok_or_else(|| self.error("a character without its end"))?;
                self.at += 3;
                Ok(Token::Number(value.into()))
            }
            b':' if self.peek(1) == Some(b'=') => {
                self.at += 2;
                Ok(Token::Becomes)
            }
            b'.' if self.peek(1) == Some(b'.') && self.peek(2) == Some(b'.') => {
                self.at += 3;
                Ok(Token::To)
            }
            b'-' if self.peek(1) == Some(b'>') => {
                self.at += 2;
                Ok(Token::Sign(b'.'))
            }
            b'{' | b'}' | b'[' | b']' | b'(' | b')' | b'<' | b'>' | b':' | b';' | b',' | b'.'
            | b'=' | b'+' | b'-' | b'*' => {
                self.at += 1;
                Ok(Token::Sign(first))
            }
            _ => Err(self.error(format!("'{}' is not part of the language", first.escape_ascii()))),
        }
    }

    fn word(&mut self) -> String {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
        let len = rest.iter().take_while(is_part).count();
        self.at += len;
        String::from_utf8_lossy(rest.get(..len).unwrap_or_default()).into_owned()
    }

    fn number(&mut self) -> Result<Token, MetadataError> {
        let word = self.word();
        // Suffixes of C say how many bits a number has, and nothing of its value.
        let digits = word.trim_end_matches(['u', 'U', 'l', 'L']);
        let (digits, base) = match digits.as_bytes() {
            [b'0', b'x' | b'X', ..] => (digits.get(2..).unwrap_or_default(), 16),
            [b'0', b'b' | b'B', ..] => (digits.get(2..).unwrap_or_default(), 2),
            [b'0', _, ..] => (digits.get(1..).unwrap_or_default(), 8),
            _ => (digits, 10),
        };
        let value = u64::from_str_radix(digits, base);
        let value =
            value.map_err(|_| self.error(format!("'{word}' is not a number of 64 bits")))?;
        Ok(Token::Number(value.into()))
    }

    fn quoted(&mut self) -> Result<Token, MetadataError> {
        let begin = self.line;
        let mut text = Vec::new();
        self.at += 1;
        loop {
            let Some(byte) = self.peek(0) else {
                return Err(MetadataError::new(begin, "a text without its closing quote"));
            };
            self.at += 1;
            match byte {
                b'"' => break,
                b'\\' => {
                    let escaped = self.peek(0).unwrap_or(b'\\');
                    self.at += 1;
                    text.push(match escaped {
                        b'n' => b'\n',
                        b't' => b'\t',
                        b'r' => b'\r',
                        b'0' => 0,
                        other => other,
                    });
                }
                byte => {
                    self.line += usize::from(byte == b'\n');
                    text.push(byte);
                }
            }
        }
        Ok(Token::Text(String::from_utf8_lossy(&text).into()))
    }
}
