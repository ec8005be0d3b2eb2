//! The effect of a record in addition to its text: spans.

/// The role of a record in addition to its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Mark {
    /// A message.
    Message,
    /// A span begins.
    Begin,
    /// A span ends.
    End,
}

impl Mark {
    pub const fn of(byte: u8) -> Option<Self> {
        match byte {
            b':' => Some(Self::Message),
            b'[' => Some(Self::Begin),
            b']' => Some(Self::End),
            _ => None,
        }
    }
}
