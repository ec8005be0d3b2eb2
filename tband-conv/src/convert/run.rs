//! What happens to each event once it is its turn: it gets its time, and is taken in.

use tband_format::Decoded;

use super::halt::Stop;
use crate::convert::timing::{Stage, Timing};
use crate::diagnostics::LazyOffset;
use crate::error::ConvError;
use crate::machine::Timeline;
use crate::merge::{CoreLane, Intake};
use crate::model::At;

/// Who takes in the events of a pass.
pub(super) trait Consumer: Stage {
    /// Inputs that have events of one core at the same time are reported.
    const FINDS_OVERLAPS: bool;

    /// What is known of the target, by which events of one time are put in order.
    fn timeline(&self) -> &Timeline;

    /// Nothing that comes is of interest. `cores_to_come` are those of which something may come, one bit each.
    fn is_over(&self, cores_to_come: impl FnOnce() -> u64) -> bool;

    /// Takes in an event at a time that is not before the last one's, of the only core.
    fn in_turn(
        &mut self,
        at: At,
        ticks: u64,
        place: LazyOffset,
        decoded: &Decoded<'_>,
    ) -> Result<(), Stop>;
}

/// A pass over the events, from the merge on.
pub(super) struct Run<T> {
    pub consumer: T,
    pub timing: Timing,
    /// Nothing more has to be read.
    pub has_enough: bool,
    /// On the short way: the lane of the only core, and what is followed of its input.
    pub entry: CoreLane,
    pub intake: Intake,
    /// The lanes, once there is another core.
    pub lanes: Vec<CoreLane>,
}

impl<T: Consumer> Run<T> {
    pub fn new(consumer: T, timing: Timing) -> Self {
        Self {
            consumer,
            timing,
            has_enough: false,
            entry: CoreLane::default(),
            intake: Intake::default(),
            lanes: Vec::new(),
        }
    }

    /// Ends: what is still in doubt of the clock is said.
    pub fn settle_doubt(&mut self) -> Result<(), ConvError> {
        self.timing.close(&mut self.consumer)
    }
}
