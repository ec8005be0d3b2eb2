//! The processing of each event in order: it gets its time, and goes to the consumer.

use tband_format::decode::Decoded;

use super::halt::FastPathExit;
use crate::convert::timing::{Stage, Timing};
use crate::diagnostics::LazyOffset;
use crate::error::ConvError;
use crate::machine::Timeline;
use crate::merge::{CoreLane, Intake};
use crate::model::EventTime;

/// The consumer of the events of a pass.
pub(super) trait Consumer: Stage {
    /// Inputs that have events of one core at the same time are reported.
    const FINDS_OVERLAPS: bool;

    /// The known state of the target, which determines the order of simultaneous events.
    fn timeline(&self) -> &Timeline;

    /// Whether no later event is of interest. `cores_to_come` are the cores that may have later events, one bit each.
    fn is_over(&self, cores_to_come: impl FnOnce() -> u64) -> bool;

    /// Takes in an event at a time that is not before the last one's, of the only core.
    fn consume(
        &mut self,
        at: EventTime,
        ticks: u64,
        place: LazyOffset,
        decoded: &Decoded<'_>,
    ) -> Result<(), FastPathExit>;
}

/// A pass over the events, from the merge on.
pub(super) struct Run<T> {
    pub consumer: T,
    pub timing: Timing,
    /// Nothing more has to be read.
    pub has_enough: bool,
    /// On the fast path: the lane of the only core, and the state of its input.
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

    /// Ends the pass: reports the open doubt about the clock.
    pub fn end_clock_check(&mut self) -> Result<(), ConvError> {
        self.timing.close(&mut self.consumer)
    }
}
