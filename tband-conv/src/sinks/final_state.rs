//! The state of the target at the end of a recording.

use std::io;

use crate::model::{Change, EventTime, OwnMachine, Sink, World};

/// Passes the state of the target at the end of a recording to a function. A conversion with this sink costs the least: it finds
/// all faults of the recording, and reports no change.
#[derive(Debug)]
pub struct FinalState<F>(F);

impl<F: FnMut(&World)> FinalState<F> {
    /// The function is called once, with the state after the last event, if the recording could be read to its end.
    pub const fn new(at_end: F) -> Self {
        Self(at_end)
    }
}

impl<F: FnMut(&World)> Sink for FinalState<F> {
    fn change(&mut self, _: &World, _: EventTime, _: &Change<'_>) -> io::Result<()> {
        Ok(())
    }

    fn finish(&mut self, world: &World, _: i64) -> io::Result<()> {
        (self.0)(world);
        Ok(())
    }

    fn own_machine(&mut self) -> OwnMachine<'_> {
        OwnMachine::FinalState(&mut self.0)
    }
}
