//! The versions of the format.

/// A version of the format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Version {
    /// For older readers.
    Four,
    /// The present one.
    #[default]
    Six,
}

impl Version {
    /// Returns its number in the head.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Self::Four => 4,
            Self::Six => 6,
        }
    }
}
