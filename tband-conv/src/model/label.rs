//! How an object is called: by its name, or by its kind and number; texts of the target, safe to show.

use std::borrow::Cow;
use std::fmt;

use tband_format::Str;

/// Maximum length of a kept name, in bytes. Longer ones are damage, and many of them would take much memory.
const MAX_NAME: usize = 500;

/// A text of the target as it is shown anywhere: it must not steer the terminal, nor end a line.
pub(crate) fn printable_text(text: Str<'_>) -> String {
    let mut text = match text.0.get(..MAX_NAME) {
        Some(head) if text.0.len() > MAX_NAME => format!("{}…", Str(head)),
        _ => text.to_string(),
    };
    if text.contains(is_control) {
        text = text.replace(is_control, "\u{FFFD}");
    }
    text
}

/// A name is called so.
pub(crate) fn is_name(known: &str, name: Str<'_>) -> bool {
    known.as_bytes() == name.0 || known == printable_text(name)
}

/// Whether a letter is a control character, ends a line or paragraph, or changes the direction of text: it could control a
/// terminal, or falsify the shown text.
#[must_use]
pub fn is_control(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}'
        )
}

/// Bits that a task waits for, in words.
#[must_use]
pub fn describe_bits((bits, all): (u64, bool)) -> String {
    format!("{} of {bits:#x}", if all { "all" } else { "any" })
}

/// Name of an object; without one its kind and id, after the name of its board if there are several. With `{:#}` the kind is
/// before the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label<'a> {
    kind: &'static str,
    id: u32,
    name: Option<&'a str>,
    /// Its board, if there are several.
    board: Option<&'a str>,
}

impl<'a> Label<'a> {
    /// An object of this kind; an empty name counts as none.
    #[must_use]
    pub fn of(kind: &'static str, id: u32, name: Option<&'a str>) -> Self {
        Self { kind, id, name: name.filter(|name| !name.is_empty()), board: None }
    }

    /// An object of this board, if there are several.
    #[must_use]
    pub(crate) fn with_board(self, board: Option<&'a str>) -> Self {
        Self { board, ..self }
    }

    /// Returns the kind of object.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        self.kind
    }

    /// The number of the object.
    #[must_use]
    pub const fn id(&self) -> u32 {
        self.id
    }

    /// As `{}` shows it, without a copy of the name.
    #[must_use]
    pub fn text(&self) -> Cow<'a, str> {
        self.name.map_or_else(|| self.to_string().into(), Into::into)
    }

    /// The name, if there is one.
    #[must_use]
    pub const fn name(&self) -> Option<&'a str> {
        self.name
    }
}

impl fmt::Display for Label<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name {
            Some(name) if f.alternate() => write!(f, "{} {name}", self.kind),
            Some(name) => f.pad(name),
            None => match self.board {
                Some(board) => write!(f, "{board}.{} {}", self.kind, self.id),
                None => write!(f, "{} {}", self.kind, self.id),
            },
        }
    }
}
