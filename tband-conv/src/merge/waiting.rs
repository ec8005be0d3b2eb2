//! Items after a step back of a lane's clock, until the cause is known; see `set_back.rs`.

use super::record::StoredItem;

/// Something that waits until it is known whether the clock stays set back.
#[derive(Debug)]
pub(super) struct DeferredItem {
    /// Its timestamp if it is a timed event, otherwise its time of recording, if known.
    pub raw: Option<u64>,
    pub offset: u64,
    pub kept: StoredItem,
    pub text: Box<[u8]>,
}

/// Items after a step back.
#[derive(Debug, Default)]
pub(super) struct StepBackItems {
    pub waiting: Vec<DeferredItem>,
    /// Count, first and last timestamp of the timed items.
    pub timed: usize,
    pub first: u64,
    pub last: u64,
    pub memory: usize,
    /// The time that its input had reached before the step.
    pub reached: u64,
    /// The clock is back near its start.
    pub is_large: bool,
    /// The timestamp from which the clock was set back last.
    pub top: Option<u64>,
    /// Offset that wraps of the timer have added to its timestamps.
    pub wrapped: u64,
}

impl StepBackItems {
    pub const fn memory(&self) -> usize {
        self.memory
    }
}
