//! The fast path: events of one core in one input. There is nothing to merge and hardly anything to queue, so most events pass
//! from the reader to the timeline directly. The result equals that of the merge. At the first event of another core it
//! switches to the merge.

use std::ops::ControlFlow;

use tband_format::Event;
use tband_format::decode::Decoded;

use super::halt::{Cause, FastPathExit, Halt};
use super::run::{Consumer, Run};
use crate::item::{Item, Origin, Visitor};
use crate::merge::{MergedRecord, ReadFailed, Source};
use crate::model::EventTime;

impl<T: Consumer> Visitor for Run<T> {
    type Error = FastPathExit;

    #[inline(always)]
    fn pass(&mut self, origin: &Origin, decoded: &Decoded<'_>) -> Result<bool, FastPathExit> {
        if let Some(raw) = decoded.ts
            && !matches!(decoded.event, Event::CoreId { .. } | Event::TsFrequency { .. })
            && origin.core == self.entry.core
            && let Some(ticks) = self.entry.lane.pass(raw, self.timing.clock.span().last())
        {
            let at = EventTime { ns: self.timing.clock.span().ns(ticks), core: origin.core };
            self.consumer.consume(at, ticks, origin.place, decoded)?;
            return Ok(true);
        }
        Ok(false)
    }

    fn event(&mut self, origin: &Origin, decoded: &Decoded<'_>) -> Result<(), FastPathExit> {
        if self.pass(origin, decoded)? {
            return Ok(());
        }
        let (&Origin { core, reported, .. }, event) = (origin, Ok(*decoded));
        // The length counts only for items that are not events.
        self.queue(&Item { core, offset: origin.offset(), len: 0, event, reported })
    }

    fn other(&mut self, item: &Item<'_>) -> Result<(), FastPathExit> {
        self.queue(item)
    }

    fn has_taken(FastPathExit(cause): &FastPathExit) -> bool {
        matches!(**cause, Cause::OtherCore)
    }
}

impl<T: Consumer> Run<T> {
    fn queue(&mut self, item: &Item<'_>) -> Result<(), FastPathExit> {
        self.note_passed();
        if item.core != self.entry.core {
            return Err(self.other_core(item));
        }
        self.intake.take(std::slice::from_mut(&mut self.entry), item);
        if self.intake.is_open() || self.drain()?.is_continue() {
            Ok(())
        } else {
            Err(FastPathExit::enough())
        }
    }

    /// Takes the ready items out of the lane. [`ControlFlow::Break`]: nothing more needs to be read.
    fn drain(&mut self) -> Result<ControlFlow<()>, FastPathExit> {
        let Self { consumer, timing, entry, .. } = self;
        while entry.lane.ready(false).is_some() {
            let Some(record) = entry.lane.pop() else { break };
            let merged = MergedRecord { input: 0, core: entry.core, record, swaps: false };
            if timing.record(&merged, consumer)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// The first of another core.
    #[cold]
    fn other_core(&mut self, item: &Item<'_>) -> FastPathExit {
        let other = self.intake.lane_of(item, std::slice::from_ref(&self.entry));
        self.lanes = vec![std::mem::take(&mut self.entry), other];
        self.intake.take(&mut self.lanes, item);
        FastPathExit::other_core()
    }

    /// Events may have passed by the lane.
    fn note_passed(&mut self) {
        if let Some(ticks) = self.entry.lane.passed() {
            self.timing.passed(ticks);
        }
    }

    /// Advances by a block of the input if its events are of one core; returns `None` otherwise. [`ControlFlow::Break`]: nothing
    /// more needs to be read.
    pub fn short(&mut self, source: &mut Source<'_>) -> Option<Result<ControlFlow<()>, Halt>> {
        let (events, lanes, intake) = source.plain()?;
        let (visited, good) = (events.events(), intake.good);
        std::mem::swap(&mut self.intake, intake);
        self.entry = lanes.pop()?;
        // Ready items are taken out before more is read, as where cores wait for each other.
        let result = match self.drain() {
            Ok(ControlFlow::Continue(())) => events.visit_block(self),
            Ok(ControlFlow::Break(())) => Err(FastPathExit::enough()),
            Err(stop) => Err(stop),
        };
        self.note_passed();
        if self.lanes.is_empty() {
            lanes.push(std::mem::take(&mut self.entry));
        } else {
            lanes.append(&mut self.lanes);
        }
        std::mem::swap(&mut self.intake, intake);
        intake.good = good.saturating_add(events.events().saturating_sub(visited));
        Some(match result {
            Ok(true) => Ok(ControlFlow::Continue(())),
            Ok(false) => {
                source.close();
                Ok(ControlFlow::Continue(()))
            }
            Err(FastPathExit(cause)) => match *cause {
                Cause::Read(error) => Err(Halt::Read(ReadFailed { input: 0, error })),
                Cause::Convert(error) => Err(Halt::Convert(error)),
                Cause::OtherCore => Ok(ControlFlow::Continue(())),
                Cause::Enough => {
                    self.has_enough = true;
                    Ok(ControlFlow::Break(()))
                }
            },
        })
    }
}
