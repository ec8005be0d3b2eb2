//! Classes of slices.

/// The meaning of a text: the page colours by it, and aggregates have a time for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Class {
    Running,
    Ready,
    Blocked,
    Suspended,
    Idle,
    Name,
    Isr,
    /// An interrupt on top of an idle task, where a core has both.
    IdleIsr,
    Unknown,
    Loss,
    Damage,
    Note,
}

impl Class {
    /// The class of interrupts on top of a slice of this class.
    pub const fn interrupts(self) -> Self {
        match self {
            Self::Idle => Self::IdleIsr,
            _ => Self::Isr,
        }
    }

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
            Self::IdleIsr => "idle_isr",
            Self::Unknown => "unknown",
            Self::Loss => "loss",
            Self::Damage => "damage",
            Self::Note => "note",
        }
    }
}
