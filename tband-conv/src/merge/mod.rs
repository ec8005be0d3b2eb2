//! Merges the events of all cores and inputs by time.
//!
//! Each input is read once, from front to back (`source`). Its events are put into one `Lane` per core, and the earliest
//! front of all lanes is returned next; for simultaneous events, see `ties`.

mod correction;
mod false_wraps;
mod filler;
mod intake;
mod lane;
mod overlap;
mod record;
mod repeats;
mod set_back;
mod source;
mod ties;
mod waiting;

use std::io;

pub(crate) use self::intake::{CoreLane, Intake};
pub(crate) use self::lane::RecordItem;
pub(crate) use self::overlap::Overlaps;
use self::source::EarliestRecord;
pub(crate) use self::source::Source;
use self::ties::{MAX_EVENTS, NextLane, TieGroup, mark_repeats, order};
use crate::census::Census;
use crate::machine::Timeline;

use self::lane::FrontRecord;

/// Maximum memory, in bytes, for the pending events of one input.
pub const WINDOW: usize = 16 * 1024 * 1024;

/// Memory, in bytes, that the beginning of an input may take in any case, until its reports are known.
const MIN_HEAD: usize = 1 << 20;

/// A record in its place in time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MergedRecord<'a> {
    /// Index of the input.
    pub input: usize,
    /// Core that it belongs to.
    pub core: u32,
    /// The record.
    pub record: FrontRecord<'a>,
    /// The task that it gives to the core leaves another one at the same time.
    pub swaps: bool,
}

/// The order of simultaneous events on several cores, as far as it is computed.
#[derive(Debug, Default)]
struct Plan {
    ticks: u64,
    stage: PlanStage,
    /// Input and lane of each record to come, the last one first.
    next: Vec<(usize, NextLane)>,
}

impl Plan {
    /// Records at this time are to be left out.
    fn has_repeats_at(&self, ticks: u64) -> bool {
        self.ticks == ticks && self.next.iter().any(|(_, next)| next.repeats)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum PlanStage {
    /// There is none.
    #[default]
    Closed,
    /// The records at that time are being read.
    Reads,
    /// It was read.
    Read,
    /// The order is known.
    Ordered,
}

/// An input could not be read, or has to be waited for.
#[derive(Debug)]
pub(crate) struct ReadFailed {
    /// Index of the input.
    pub input: usize,
    /// The reader's error.
    pub error: io::Error,
}

/// The merge of several inputs.
pub(crate) struct Merge<'r> {
    sources: Vec<Source<'r>>,
    window: usize,
    plan: Plan,
    turn: Turn,
}

/// The lane of the last record. Its next one is the earliest of all as well, while its time is below that of the others.
#[derive(Clone, Copy, Debug, Default)]
struct Turn {
    input: usize,
    lane: usize,
    /// Time of the earliest record of all other lanes; 0 if it is not known.
    below: u64,
}

impl<'r> Merge<'r> {
    /// Merges these. Sources that may have events of several cores share `window` bytes of memory for pending events.
    pub fn new(sources: Vec<Source<'r>>, window: usize) -> Self {
        // Inputs of a single core never wait for each other.
        let sharing = sources.iter().filter(|source| source.is_shared()).count();
        Self {
            sources,
            window: window / sharing.max(1),
            plan: Plan::default(),
            turn: Turn::default(),
        }
    }

    /// Reports events that change nothing too.
    pub fn with_silent(mut self) -> Self {
        self.sources.iter_mut().for_each(|source| source.intake.silent = true);
        self
    }

    /// The inputs.
    pub fn sources(&mut self) -> &mut [Source<'r>] {
        &mut self.sources
    }

    /// Events that were read so far.
    pub fn events(&self) -> u64 {
        self.sources.iter().map(|source| source.intake.good).fold(0, u64::saturating_add)
    }

    /// Returns the counts of everything read so far.
    pub fn census(&self) -> Option<Census> {
        let mut census = Census::default();
        for source in &self.sources {
            census.join(&source.census()?);
        }
        Some(census)
    }

    /// Counts the items that are read, if requested.
    pub fn counting(mut self, counts: bool) -> Self {
        if counts {
            self.sources.iter_mut().for_each(Source::count);
        }
        self
    }

    /// The cores of which a record may still come, one bit each.
    #[cold]
    pub fn pending_cores(&self) -> u64 {
        self.sources.iter().map(Source::pending_cores).fold(0, |all, cores| all | cores)
    }

    /// Returns the input, if there is only one.
    pub fn only(&mut self) -> Option<&mut Source<'r>> {
        match self.sources.as_mut_slice() {
            [source] => Some(source),
            _ => None,
        }
    }

    /// Reads on until the start of each input is known.
    ///
    /// # Errors
    /// [`ReadFailed`]; a caller that has to wait calls it again.
    pub fn read_heads(&mut self) -> Result<(), ReadFailed> {
        let most = self.window.max(MIN_HEAD);
        let sources = self.sources.iter_mut().enumerate();
        for (input, source) in sources {
            source.read_head(most).map_err(|error| ReadFailed { input, error })?;
        }
        Ok(())
    }

    /// Finishes the reads that failed last time. After a wait it is called before anything else, so that the data read when a
    /// record is returned does not depend on the waits.
    ///
    /// # Errors
    /// [`ReadFailed`]; a caller that has to wait calls it again.
    pub fn read_rest(&mut self) -> Result<(), ReadFailed> {
        self.turn = Turn::default();
        for (input, source) in self.sources.iter_mut().enumerate() {
            source.read_start().map_err(|error| ReadFailed { input, error })?;
        }
        if self.plan.stage == PlanStage::Reads { self.read_tied() } else { Ok(()) }
    }

    /// Returns the next record of all inputs; `None` at the end of all of them. The timeline must contain all records before
    /// it.
    ///
    /// # Errors
    /// [`ReadFailed`]; a caller that has to wait calls it again, after [`read_rest`](Self::read_rest).
    #[inline]
    pub fn next_record(
        &mut self,
        timeline: &Timeline,
    ) -> Result<Option<MergedRecord<'_>>, ReadFailed> {
        let (input, lane, swaps) = match self.same_turn() {
            Some((input, lane)) => (input, lane, false),
            None => match self.next_turn(timeline)? {
                Some(next) => next,
                None => return Ok(None),
            },
        };
        let Some(source) = self.sources.get_mut(input) else { return Ok(None) };
        let shares_wakes = source.shares_wakes();
        let Some(CoreLane { core, lane, activity, .. }) = source.lanes.get_mut(lane) else {
            return Ok(None);
        };
        let record = lane.pop();
        if shares_wakes
            && let Some(FrontRecord { ticks, what: RecordItem::Event(decoded), .. }) = &record
        {
            activity.take(*ticks, &decoded.event);
        }
        Ok(record.map(|record| MergedRecord { input, core: *core, record, swaps }))
    }

    /// Input and lane of the last record, if its next one is there and is the earliest.
    #[inline]
    fn same_turn(&self) -> Option<(usize, usize)> {
        let Turn { input, lane, below } = self.turn;
        let entry = self.sources.get(input)?.lanes.get(lane)?;
        entry.lane.ready(false).filter(|(ticks, _)| *ticks < below).map(|_| (input, lane))
    }

    /// Finds the earliest record of all inputs, after reading on as far as is needed to know it: its input and lane, and
    /// whether it [swaps](MergedRecord::swaps).
    fn next_turn(
        &mut self,
        timeline: &Timeline,
    ) -> Result<Option<(usize, usize, bool)>, ReadFailed> {
        loop {
            let mut best: Option<(u64, usize, usize)> = None;
            let (mut tied, mut below) = (false, u64::MAX);
            for (index, source) in self.sources.iter_mut().enumerate() {
                let first = source.first(self.window);
                let Some(EarliestRecord { ticks, lane, tie, others }) =
                    first.map_err(|error| ReadFailed { input: index, error })?
                else {
                    continue;
                };
                below = below.min(others);
                match best {
                    Some((earliest, ..)) if earliest <= ticks => {
                        tied |= earliest == ticks;
                        below = below.min(ticks);
                    }
                    _ => {
                        below = below.min(best.map_or(u64::MAX, |(earliest, ..)| earliest));
                        (best, tied) = (Some((ticks, index, lane)), tie);
                    }
                }
            }
            self.turn = Turn::default();
            let Some((ticks, input, lane)) = best else {
                return Ok(None);
            };
            if !tied && !self.plan.has_repeats_at(ticks) {
                self.plan.stage = PlanStage::Closed;
                self.turn = Turn { input, lane, below };
                return Ok(Some((input, lane, false)));
            }
            let next = self.break_tie(ticks, (input, lane), timeline)?;
            if next.is_some() {
                return Ok(next);
            }
        }
    }

    /// Reads the records at the time of the plan.
    #[cold]
    fn read_tied(&mut self) -> Result<(), ReadFailed> {
        let (ticks, window) = (self.plan.ticks, self.window);
        for (input, source) in self.sources.iter_mut().enumerate() {
            let read = source.read_all_at(ticks, window);
            read.map_err(|error| ReadFailed { input, error })?;
        }
        self.plan.stage = PlanStage::Read;
        Ok(())
    }

    /// Returns which of several simultaneous records comes next; `None` if a record read for that may be earlier, or if all that
    /// were left repeat others.
    #[cold]
    #[inline(never)]
    fn break_tie(
        &mut self,
        ticks: u64,
        first: (usize, usize),
        timeline: &Timeline,
    ) -> Result<Option<(usize, usize, bool)>, ReadFailed> {
        let is_ordered = self.plan.stage == PlanStage::Ordered && !self.plan.next.is_empty();
        if self.plan.ticks != ticks || !(is_ordered || self.plan.stage == PlanStage::Read) {
            self.plan = Plan { ticks, stage: PlanStage::Reads, next: Vec::new() };
            self.sources.iter_mut().for_each(Source::start_ahead);
            return self.read_tied().map(|()| None);
        }
        if !is_ordered {
            let (mut places, mut lanes) = (Vec::new(), Vec::new());
            for (input, source) in self.sources.iter().enumerate() {
                let shares_wakes = source.shares_wakes();
                for (lane, entry) in source.lanes.iter().enumerate() {
                    let mut tied = TieGroup::new(entry.core, input);
                    let mut activity = shares_wakes.then(|| entry.activity.clone());
                    for (offset, event) in entry.lane.front_at(ticks).take(MAX_EVENTS) {
                        if let (Some(activity), Some(event)) = (&mut activity, event) {
                            tied.wakes.extend(activity.wake(event, tied.len()));
                            activity.take(ticks, event);
                        }
                        tied.push(offset, event);
                    }
                    if tied.len() > 0 {
                        places.push((input, lane));
                        lanes.push(tied);
                    }
                }
            }
            mark_repeats(&mut lanes);
            let place = |next: &NextLane| {
                places.get(next.lane).map(|&(input, lane)| (input, NextLane { lane, ..*next }))
            };
            let next = order(&lanes, timeline).iter().rev().filter_map(place).collect();
            self.plan = Plan { ticks, stage: PlanStage::Ordered, next };
        }
        let mut has_passed = false;
        while let Some((input, next)) = self.plan.next.pop() {
            let source = self.sources.get_mut(input);
            let entry = source.and_then(|source| source.lanes.get_mut(next.lane));
            let is_there = |entry: &&mut CoreLane| entry.lane.front_at(ticks).next().is_some();
            let Some(entry) = entry.filter(is_there) else { break };
            if !next.repeats {
                return Ok(Some((input, next.lane, next.swaps)));
            }
            entry.lane.pop();
            has_passed = true;
        }
        let (input, lane) = first;
        Ok((!has_passed).then_some((input, lane, false)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Input;
    use crate::item::Mode;
    use crate::options::Options;
    use crate::scan::Scan;
    use tband_format::{Event, encode_frame, max_frame_len};

    fn add(bytes: &mut Vec<u8>, ts: u64, event: Event<'_>) {
        let mut frame = vec![0; max_frame_len(&event, ts)];
        let len = encode_frame(&event, ts, &mut frame).unwrap();
        bytes.extend_from_slice(&frame[..len]);
    }

    /// Merges with a small window. Returns core and time of each record, and the peak memory.
    fn merged(bytes: &[u8], window: usize) -> (Vec<(u32, u64)>, usize) {
        let inputs = [Input::from_bytes("r", bytes)];
        let scan = Scan::run(&inputs, &Options::default()).unwrap();
        let sources = Source::open_all(&inputs, &scan.layouts, Mode::FreeRtos).unwrap();
        let mut merge = Merge::new(sources, window);
        let (mut out, mut most) = (Vec::new(), 0);
        while let Some(MergedRecord { core, record, .. }) =
            merge.next_record(&Timeline::default()).unwrap()
        {
            out.push((core, record.ticks));
            most = most.max(merge.sources.iter().map(Source::memory).sum());
        }
        (out, most)
    }

    fn value(ts: u64) -> Event<'static> {
        Event::Valmarker { valmarker_id: 1, val: ts.cast_signed() }
    }

    /// Core 1 has an event at the start and one at the end: the other core continues in between.
    #[test]
    fn a_silent_core_delays_and_loses_no_events() {
        const WINDOW: usize = 5000;
        let mut bytes = Vec::new();
        add(&mut bytes, 1, value(1));
        add(&mut bytes, 2, Event::CoreId { core_id: 1 });
        add(&mut bytes, 2, value(2));
        add(&mut bytes, 3, Event::CoreId { core_id: 0 });
        let mut expected = vec![(0, 1), (1, 2)];
        for ts in 3..10_000 {
            add(&mut bytes, ts, value(ts));
            expected.push((0, ts));
        }
        add(&mut bytes, 10_000, Event::CoreId { core_id: 1 });
        add(&mut bytes, 10_001, value(10_001));
        expected.push((1, 10_001));
        let (out, most) = merged(&bytes, WINDOW);
        assert_eq!(out, expected);
        assert!((WINDOW / 2..WINDOW + 100).contains(&most), "{most}");
    }

    /// A core is after the other in the file, as far as no window reaches.
    #[test]
    fn memory_is_bounded_by_the_window() {
        let mut bytes = Vec::new();
        for core_id in [0, 1] {
            add(&mut bytes, 0, Event::CoreId { core_id });
            for ts in 1..20_000 {
                add(&mut bytes, ts, value(ts));
            }
        }
        for window in [0, 1000, 100_000] {
            let (out, most) = merged(&bytes, window);
            assert_eq!(out.len(), 2 * 19_999);
            assert!(most < window + 100, "{window}: {most}");
            for core in [0, 1] {
                assert!(out.iter().filter(|it| it.0 == core).map(|it| it.1).eq(1..20_000));
            }
        }
    }

    /// The pending events after a possibly stray one do not grow without bound.
    #[test]
    fn garbage_after_a_late_event_is_passed_on() {
        let mut bytes = Vec::new();
        for ts in 1..100 {
            add(&mut bytes, ts, value(ts));
        }
        add(&mut bytes, 1 << 20, value(1));
        for _ in 0..20_000 {
            bytes.extend_from_slice(&[0xF0, 1, 0]);
        }
        let (out, most) = merged(&bytes, WINDOW);
        assert_eq!(out.len(), 100 + 20_000);
        assert!(most < 1 << 17, "{most}");
    }
}
