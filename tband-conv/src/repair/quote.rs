//! The beginning of a text that was found between packets, for messages.

use std::fmt;

/// Maximum number of kept bytes.
const LEN: usize = 40;

/// The beginning of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quote {
    bytes: [u8; LEN],
    len: u8,
    is_cut: bool,
}

impl Quote {
    pub(crate) fn of(text: &[u8]) -> Self {
        let mut bytes = [0; LEN];
        bytes.iter_mut().zip(text).for_each(|(to, from)| *to = *from);
        let len = u8::try_from(text.len().min(LEN)).unwrap_or(0);
        Self { bytes, len, is_cut: text.len() > LEN }
    }
}

impl fmt::Display for Quote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.bytes.get(..usize::from(self.len)).unwrap_or_default();
        let end = if self.is_cut { "…" } else { "" };
        write!(f, "\"{}{end}\"", bytes.escape_ascii())
    }
}
