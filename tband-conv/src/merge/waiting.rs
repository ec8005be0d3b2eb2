//! What follows a step back of a lane's clock, until it is known what that is; see `set_back.rs`.

use super::record::Kept;

/// Something that waits until it is known whether the clock stays set back.
#[derive(Debug)]
pub(super) struct Waiting {
    /// Its timestamp if it is an event with one, else when it was recorded, if that is known.
    pub raw: Option<u64>,
    pub offset: u64,
    pub kept: Kept,
    pub text: Box<[u8]>,
}

/// What follows a step back.
#[derive(Debug, Default)]
pub(super) struct SetBack {
    pub waiting: Vec<Waiting>,
    /// Of those with a timestamp: how many, and the first and the last one.
    pub timed: usize,
    pub first: u64,
    pub last: u64,
    pub memory: usize,
    /// What its input had reached before the step.
    pub reached: u64,
    /// The clock is back near its start.
    pub is_large: bool,
    /// The timestamp from which the clock was set back last.
    pub top: Option<u64>,
    /// What wraps of the timer have added to its timestamps.
    pub wrapped: u64,
}

impl SetBack {
    pub const fn memory(&self) -> usize {
        self.memory
    }
}
