//! Classes of slices.

/// What kind of thing a text says: by it the page colours, and aggregates have a time of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Class {
    Running,
    Ready,
    Blocked,
    Suspended,
    Idle,
    Name,
    Isr,
    Unknown,
    Loss,
    Damage,
    Note,
}

impl Class {
    /// As the page has it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Ready => "ready",
            Self::Blocked => "blocked",
            Self::Suspended => "suspended",
            Self::Idle => "idle",
            Self::Name => "name",
            Self::Isr => "isr",
            Self::Unknown => "unknown",
            Self::Loss => "loss",
            Self::Damage => "damage",
            Self::Note => "note",
        }
    }
}
