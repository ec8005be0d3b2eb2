//! The events of all inputs, a bounded number of them at a time.

use super::Run;
use super::halt::Halt;
use super::single::Single;
use crate::events::EventReader;
use crate::excerpt::Watch;
use crate::merge::{Merge, Overlaps};
use crate::notation::BoxRead;

/// Records that are merged in one step.
const STEP: usize = 4096;

/// A pass over the events.
pub(super) enum Pass<'r, H> {
    /// The events of one core in one input.
    Single { events: EventReader<BoxRead<'r>>, single: Box<Single<H>> },
    /// The events of several cores or inputs.
    Merged(Box<Merged<'r, H>>),
}

/// The events of several cores or inputs, whose names are for messages.
pub(super) struct Merged<'r, H> {
    pub run: Run<H>,
    pub merge: Merge<'r>,
    overlaps: Overlaps,
    names: Vec<String>,
}

impl<'r, H> Merged<'r, H> {
    pub fn new(run: Run<H>, merge: Merge<'r>, names: Vec<String>) -> Self {
        Self { run, merge, overlaps: Overlaps::default(), names }
    }
}

impl<H: Watch> Merged<'_, H> {
    /// Goes on by so many events. False: there are none left, or nothing more has to be read.
    pub fn step(&mut self) -> Result<bool, Halt> {
        let Self { run, merge, overlaps, names } = self;
        merge.read_rest().map_err(Halt::Read)?;
        for _ in 0..STEP {
            if run.sink.is_behind() && !run.sink.awaits(merge.cores_to_come()) {
                run.has_enough = true;
                run.events = merge.events();
                return Ok(false);
            }
            let Some(merged) = merge.next_record(&run.timeline).map_err(Halt::Read)? else {
                run.events = merge.events();
                return Ok(false);
            };
            if !run.merged(&merged, (&mut *overlaps, &*names))? {
                run.has_enough = true;
                run.events = merge.events();
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl<H: Watch> Pass<'_, H> {
    /// Goes on a little. False: it is over.
    pub fn step(&mut self) -> Result<bool, Halt> {
        match self {
            Self::Single { events, single } => single.step(events),
            Self::Merged(merged) => merged.step(),
        }
    }

    /// What it has found.
    pub fn into_run(self) -> Run<H> {
        match self {
            Self::Single { single, .. } => single.into_run(),
            Self::Merged(merged) => merged.run,
        }
    }
}
