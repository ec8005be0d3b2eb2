//! The only path of events from their inputs to the consumer, a bounded number at a time. Files, inputs that are fed in pieces,
//! and recordings that still grow all take it: an input without more bytes yet is [waited for](Halt::Read).

use std::ops::ControlFlow;
use std::rc::Rc;

use tband_import::ctf::CtfTrace;

use super::halt::Halt;
use super::run::{Consumer, Run};
use crate::convert::timing::Timing;
use crate::diagnostics::{Finding, Place, Problem};
use crate::error::ConvError;
use crate::merge::{Merge, MergedRecord, Overlaps};
use crate::model::EventTime;

/// Records that are merged in one step.
const STEP: usize = 4096;

/// A pass over the events of all inputs.
pub(super) struct Driver<'r, T> {
    pub merge: Merge<'r>,
    pub run: Run<T>,
    overlaps: Overlaps,
    /// The trace that each input is a stream of.
    traces: Vec<Option<Rc<CtfTrace>>>,
    /// Names of inputs, for messages.
    names: Vec<String>,
}

impl<'r, T: Consumer> Driver<'r, T> {
    /// Of inputs with these names.
    pub fn new(mut merge: Merge<'r>, names: Vec<String>, consumer: T, timing: Timing) -> Self {
        let overlaps = Overlaps::default();
        let traces = merge.sources().iter().map(|source| source.trace.clone()).collect();
        Self { merge, run: Run::new(consumer, timing), overlaps, traces, names }
    }

    /// Advances by this many records, or by a block of an input. [`ControlFlow::Break`]: none are left, or nothing more needs to
    /// be read.
    pub fn step(&mut self) -> Result<ControlFlow<()>, Halt> {
        self.merge.read_rest().map_err(Halt::Read)?;
        if let Some(source) = self.merge.only()
            && let Some(result) = self.run.short(source)
        {
            return result;
        }
        for _ in 0..STEP {
            if self.next()?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Advances by one record.
    #[inline]
    fn next(&mut self) -> Result<ControlFlow<()>, Halt> {
        let Self { merge, run, overlaps, traces, names } = self;
        if run.consumer.is_over(|| merge.pending_cores()) {
            run.has_enough = true;
            return Ok(ControlFlow::Break(()));
        }
        let next = merge.next_record(run.consumer.timeline()).map_err(Halt::Read)?;
        let Some(merged) = next else { return Ok(ControlFlow::Break(())) };
        if T::FINDS_OVERLAPS
            && let Some(other) =
                overlaps.find_overlap(&merged, |one, other| are_of_one_trace(traces, one, other))
        {
            overlap(run, &merged, names, other)?;
        }
        let flow = run.timing.record(&merged, &mut run.consumer)?;
        run.has_enough = flow.is_break();
        Ok(flow)
    }

    /// Events that were read so far.
    pub fn events(&self) -> u64 {
        self.merge.events()
    }

    /// Reports a finding at the current time.
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
    run.consumer.finding(EventTime { ns, core: 0 }, ticks, &finding).map(drop)
}

/// Two inputs are streams of one trace.
fn are_of_one_trace(traces: &[Option<Rc<CtfTrace>>], one: usize, other: usize) -> bool {
    match (traces.get(one), traces.get(other)) {
        (Some(Some(one)), Some(Some(other))) => Rc::ptr_eq(one, other),
        _ => false,
    }
}

/// Two inputs have events of one core at the same time.
#[cold]
fn overlap<T: Consumer>(
    run: &mut Run<T>,
    merged: &MergedRecord<'_>,
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
