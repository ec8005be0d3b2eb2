//! The one way of events from their inputs to whoever takes them in, a bounded number of them at a time. Files, what is
//! fed piece by piece and what is still being recorded go through it alike: an input of which there is nothing more yet
//! is [waited for](Halt::Read).

use super::halt::Halt;
use super::run::{Consumer, Run};
use crate::convert::timing::Timing;
use crate::diagnostics::{Finding, Place, Problem};
use crate::error::ConvError;
use crate::merge::{Merge, Merged, Overlaps};
use crate::model::At;

/// Records that are merged in one step.
const STEP: usize = 4096;

/// A pass over the events of all inputs.
pub(super) struct Driver<'r, T> {
    pub merge: Merge<'r>,
    pub run: Run<T>,
    overlaps: Overlaps,
    /// Names of inputs, for messages.
    names: Vec<String>,
}

impl<'r, T: Consumer> Driver<'r, T> {
    /// Of inputs with these names.
    pub fn new(merge: Merge<'r>, names: Vec<String>, consumer: T, timing: Timing) -> Self {
        let overlaps = Overlaps::default();
        Self { merge, run: Run::new(consumer, timing), overlaps, names }
    }

    /// Goes on by so many records, or by a block of an input. False: there are none left, or nothing more has to be
    /// read.
    pub fn step(&mut self) -> Result<bool, Halt> {
        self.merge.read_rest().map_err(Halt::Read)?;
        if let Some(source) = self.merge.only()
            && let Some(result) = self.run.short(source)
        {
            return result;
        }
        for _ in 0..STEP {
            if !self.next()? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Goes on by a record.
    #[inline]
    fn next(&mut self) -> Result<bool, Halt> {
        let Self { merge, run, overlaps, names } = self;
        if run.consumer.is_over(|| merge.cores_to_come()) {
            run.has_enough = true;
            return Ok(false);
        }
        let next = merge.next_record(run.consumer.timeline()).map_err(Halt::Read)?;
        let Some(merged) = next else { return Ok(false) };
        if T::FINDS_OVERLAPS
            && let Some(other) = overlaps.found(&merged)
        {
            overlap(run, &merged, names, other)?;
        }
        run.has_enough = !run.timing.record(&merged, &mut run.consumer)?;
        Ok(!run.has_enough)
    }

    /// Events that were read so far.
    pub fn events(&self) -> u64 {
        self.merge.events()
    }

    /// Reports what is found at the time that was reached.
    pub fn note(&mut self, problem: Problem, place: Place, text: &str) -> Result<(), ConvError> {
        note(&mut self.run, problem, place, text)
    }
}

fn note<T: Consumer>(
    run: &mut Run<T>,
    problem: Problem,
    place: Place,
    text: &str,
) -> Result<(), ConvError> {
    let finding = Finding { problem, place, amount: 1, text };
    let (ns, ticks) = run.timing.last();
    run.consumer.finding(At { ns, core: 0 }, ticks, &finding).map(drop)
}

/// Two inputs have events of one core at the same time.
#[cold]
fn overlap<T: Consumer>(
    run: &mut Run<T>,
    merged: &Merged<'_>,
    names: &[String],
    other: usize,
) -> Result<(), ConvError> {
    let name = |input: usize| names.get(input).map(String::as_str).unwrap_or_default();
    let (first, second) = (merged.input.min(other), merged.input.max(other));
    let (first, second) = (name(first), name(second));
    let place = Place { input: merged.input, offset: merged.record.offset };
    let text = format!(
        "{first} and {second} have events of core {} at the same time; if {second} is of another \
         core, say so as in {second}@{}",
        merged.core,
        merged.core.saturating_add(1)
    );
    run.timing.ns(merged.record.ticks, place, &mut run.consumer)?;
    note(run, Problem::FilesOverlap, place, &text)
}
