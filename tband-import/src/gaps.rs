//! Where the events of a recording do not follow each other.

use std::fmt;

/// A place where the events of a recording do not follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Break {
    /// These bytes are damaged. The text names the damage.
    Damage(&'static str),
    /// The recording begins inside of a packet whose start was overwritten.
    Head,
    /// The recording ends inside of a packet.
    Cut,
    /// Recording was stopped and started again, or the target was reset.
    Start,
    /// Events are missing here; their number is unknown. The text describes the evidence.
    Loss(&'static str),
    /// The rest of a buffer in memory, after the last event.
    Unwritten,
}

impl Break {
    /// Only events are missing: no byte is damaged.
    #[must_use]
    pub const fn is_report(self) -> bool {
        matches!(self, Self::Head | Self::Start | Self::Loss(_) | Self::Unwritten)
    }
}

impl fmt::Display for Break {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Damage(what) | Self::Loss(what) => what,
            Self::Head => "the rest of a packet whose start was overwritten",
            Self::Cut => "the recording ends inside of a packet",
            Self::Start => "recording starts again here; what happened in between is not recorded",
            Self::Unwritten => "the rest of a buffer, after the last event",
        })
    }
}

/// What a recorder reports to be missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReportedLoss {
    /// Time of the last event before, in ticks.
    pub from: u64,
    /// From when on there are events again, in ticks.
    pub to: u64,
    /// Packets that are missing, modulo 2^16.
    pub packets: u16,
    /// Sequence number of the first of them.
    pub first: u16,
    /// Events that the recorder discarded.
    pub events: u32,
}
