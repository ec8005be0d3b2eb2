//! The short way: the events of one core in one input. There is nothing to merge and hardly anything to queue, so most
//! events go from the reader to the timeline as they are. It comes to the same as the merge, into which it passes when
//! an event of another core shows.

use tband_format::{Decoded, Event};

use super::halt::{Cause, Halt, Stop};
use super::run::{Consumer, Run};
use crate::item::{Item, Origin, Visitor};
use crate::merge::{Merged, ReadFailed, Source};
use crate::model::At;

impl<T: Consumer> Visitor for Run<T> {
    type Error = Stop;

    #[inline(always)]
    fn pass(&mut self, origin: &Origin, decoded: &Decoded<'_>) -> Result<bool, Stop> {
        if let Some(raw) = decoded.ts
            && !matches!(decoded.event, Event::CoreId { .. } | Event::TsFrequency { .. })
            && origin.core == self.entry.core
            && let Some(ticks) = self.entry.lane.pass(raw, self.timing.clock.span().last())
        {
            let at = At { ns: self.timing.clock.span().ns(ticks), core: origin.core };
            self.consumer.in_turn(at, ticks, origin.place, decoded)?;
            return Ok(true);
        }
        Ok(false)
    }

    fn event(&mut self, origin: &Origin, decoded: &Decoded<'_>) -> Result<(), Stop> {
        if self.pass(origin, decoded)? {
            return Ok(());
        }
        let (&Origin { core, reported, .. }, event) = (origin, Ok(*decoded));
        // Only of what is no event the length counts.
        self.queue(&Item { core, offset: origin.offset(), len: 0, event, reported })
    }

    fn other(&mut self, item: &Item<'_>) -> Result<(), Stop> {
        self.queue(item)
    }

    fn has_taken(Stop(cause): &Stop) -> bool {
        matches!(**cause, Cause::OtherCore)
    }
}

impl<T: Consumer> Run<T> {
    fn queue(&mut self, item: &Item<'_>) -> Result<(), Stop> {
        self.note_passed();
        if item.core != self.entry.core {
            return Err(self.other_core(item));
        }
        self.intake.take(std::slice::from_mut(&mut self.entry), item);
        if self.intake.is_open() || self.drain()? { Ok(()) } else { Err(Stop::enough()) }
    }

    /// Takes what is ready out of the lane. False: nothing more has to be read.
    fn drain(&mut self) -> Result<bool, Stop> {
        let Self { consumer, timing, entry, .. } = self;
        while entry.lane.ready(false).is_some() {
            let Some(record) = entry.lane.pop() else { break };
            let merged = Merged { input: 0, core: entry.core, record, swaps: false };
            if !timing.record(&merged, consumer)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The first of another core.
    #[cold]
    fn other_core(&mut self, item: &Item<'_>) -> Stop {
        let other = self.intake.lane_of(item, std::slice::from_ref(&self.entry));
        self.lanes = vec![std::mem::take(&mut self.entry), other];
        self.intake.take(&mut self.lanes, item);
        Stop::other_core()
    }

    /// Events may have passed by the lane.
    fn note_passed(&mut self) {
        if let Some(ticks) = self.entry.lane.passed() {
            self.timing.passed(ticks);
        }
    }

    /// Goes on by a block of the input, if its events are of one core; `None` if they are not. False: nothing more has
    /// to be read.
    pub fn short(&mut self, source: &mut Source<'_>) -> Option<Result<bool, Halt>> {
        let (events, lanes, intake) = source.plain()?;
        let (visited, good) = (events.events(), intake.good);
        std::mem::swap(&mut self.intake, intake);
        self.entry = lanes.pop()?;
        // What is ready is taken out before more is read, as where cores wait for each other.
        let result = match self.drain() {
            Ok(true) => events.visit_block(self),
            Ok(false) => Err(Stop::enough()),
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
            Ok(true) => Ok(true),
            Ok(false) => {
                source.close();
                Ok(true)
            }
            Err(Stop(cause)) => match *cause {
                Cause::Read(error) => Err(Halt::Read(ReadFailed { input: 0, error })),
                Cause::Convert(error) => Err(Halt::Convert(error)),
                Cause::OtherCore => Ok(true),
                Cause::Enough => {
                    self.has_enough = true;
                    Ok(false)
                }
            },
        })
    }
}
