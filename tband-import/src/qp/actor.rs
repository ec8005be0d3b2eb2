//! An active object, and the recorded state of its queue.

/// An active object.
#[derive(Clone, Debug, Default)]
pub struct Actor {
    /// Events in its queue, if that is known.
    pub fill: Option<u32>,
    /// Room in its queue, once it was seen empty.
    pub capacity: Option<u64>,
    /// It handles an event.
    pub is_busy: bool,
    /// It is ready, or runs.
    pub is_ready: bool,
    /// A span of its row of states is open.
    pub has_state: bool,
}

impl Actor {
    /// Events in its queue, if the recorded level shows their number.
    pub fn known_fill(&self, level: Level) -> Option<u32> {
        match level {
            Level::Fill(fill) => Some(fill),
            Level::Free(free) => u32::try_from(self.capacity?.saturating_sub(free)).ok(),
        }
    }
}

/// Who sends an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sender {
    /// An interrupt, or code that is not an active object.
    Other,
    /// An active object.
    Actor,
    /// It is not recorded: the object that handles an event, or an interrupt if none does.
    Unknown,
}

/// The recorded level of a queue after an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// It has room for this many more.
    Free(u64),
    /// It has this many.
    Fill(u32),
}
