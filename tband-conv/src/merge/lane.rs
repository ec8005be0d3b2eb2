//! One core's events of one input, in order, waiting to be merged with the others.
//!
//! Invariant: times of popped events never go back; see `put_right.rs`. The last event is held until the next one has shown
//! whether its time can be true, or until many bytes wait after it.
//!
//! Texts are stored separately from events, so that memory is bounded by bytes, whatever the events contain.

use std::collections::VecDeque;
use std::rc::Rc;

use tband_format::Event;

use super::false_wraps::FalseWraps;
pub use super::record::{FrontRecord, RecordItem};
use super::record::{Record, StoredItem};
use super::waiting::StepBackItems;
use crate::diagnostics::Problem;

/// A place where a file continues the recording of another.
#[derive(Clone, Debug)]
pub struct Joint {
    /// Name of the file that ends here.
    pub before: Rc<str>,
    /// Name of the file that begins here.
    pub file: Rc<str>,
}

/// How a file begins.
#[derive(Clone, Debug, Default)]
pub(super) enum Start {
    /// With a time that is not after that of the file before, or it has begun some events ago.
    #[default]
    Well,
    /// With the next event.
    Now(Joint),
    /// With an event of this time, in ticks, which was reached in the file before.
    TooEarly(u64),
}

/// A first-in first-out queue of one core's records.
#[derive(Debug, Default)]
pub struct Lane {
    pub(super) records: VecDeque<Record>,
    /// The texts of records, one after the other.
    texts: Vec<u8>,
    /// Bytes before this belong to popped records.
    head: usize,
    /// Timed records in the queue.
    pub(super) timed: usize,
    /// Timed records so far.
    pub(super) pushed: u64,
    /// Time of the last timed record, put right.
    pub(super) last: u64,
    /// An item without its own time was recorded at this time, and no event after it is earlier. It is used only if it is later
    /// than the last event.
    pub(super) until: u64,
    /// Time of the one before it; of use only while the last one is in the queue.
    pub(super) before_last: Option<u64>,
    /// Offset added to raw timestamps, after restarts of the target.
    pub(super) shift: u64,
    /// The last timed record is so far after the one before it that it may be stray.
    pub(super) may_be_stray: bool,
    /// A stream started since the last timed record, when the input had reached this time.
    pub(super) stream: Option<u64>,
    /// How the current file begins, if the input is several.
    pub(super) start: Start,
    /// Another core has reported about a restart, whose first events here may belong before it.
    pub(super) settles: bool,
    pub(super) false_wraps: FalseWraps,
    /// Events that step back, until it is known whether the clock stays there.
    pub(super) set_back: StepBackItems,
    /// Events that come sooner after the last one may pass by the queue; 0 if none may.
    pub(super) passes_below: u64,
}

/// Minimum step, in ticks, for a timestamp that may be stray.
pub(super) const STRAY_MIN: u64 = 1 << 16;
/// A time step back must be this much larger than the step that it leaves behind, and this many
/// ticks long, for the event before it to be the stray one.
pub(super) const STRAY_RATIO: u64 = 64;
/// Bytes of memory after a held event at which it is released.
pub(super) const HELD: usize = 1 << 16;

impl Lane {
    /// Returns time and offset of the first record; `None` while nothing may be popped.
    ///
    /// If the last record with a time is far later than the one before, it is held until one of three conditions is met: the
    /// next record has shown whether its time can be true; `closed` guarantees that no record will follow; the lane is full.
    #[inline]
    #[must_use]
    pub fn ready(&self, closed: bool) -> Option<(u64, u64)> {
        if self.may_be_stray && self.timed < 2 && !closed && self.memory() < HELD {
            return None;
        }
        self.records.front().map(|record| (record.ticks, record.offset))
    }

    /// The records at the front that have this time, with their offsets, and those that are events without their
    /// texts.
    pub fn front_at(&self, ticks: u64) -> impl Iterator<Item = (u64, Option<&Event<'static>>)> {
        let at_front = self.records.iter().take_while(move |record| record.ticks == ticks);
        at_front.map(|record| (record.offset, record.kept.event().filter(|_| record.kept.is_timed)))
    }

    /// All records have this time, so that more of them may follow.
    #[must_use]
    pub fn is_all_at(&self, ticks: u64) -> bool {
        self.records.back().is_some_and(|record| record.ticks == ticks)
    }

    /// Memory that the queue uses, in bytes.
    #[must_use]
    pub fn memory(&self) -> usize {
        let records = self.records.len().saturating_mul(size_of::<Record>());
        let queued = self.texts.len().saturating_sub(self.head).saturating_add(records);
        queued.saturating_add(self.set_back.memory())
    }

    /// It had an event with a time.
    #[must_use]
    pub const fn has_events(&self) -> bool {
        self.pushed > 0
    }

    /// Returns the time of the last event that is not held, in ticks.
    #[must_use]
    pub fn reached(&self) -> u64 {
        if self.may_be_stray { self.before_last.unwrap_or(0) } else { self.last }
    }

    /// As [`reached`](Self::reached), but a held event counts if it is not later than `first`.
    #[must_use]
    pub fn reached_by(&self, first: u64) -> u64 {
        if self.last <= first { self.last } else { self.reached() }
    }

    /// Returns the offset that restarts of the target have added to its timestamps.
    #[must_use]
    pub const fn shift(&self) -> u64 {
        self.shift
    }

    /// Returns the offset that also applies to other cores of the input: that of restarts, without wraps of the timer, which
    /// cores notice one after the other.
    #[must_use]
    pub const fn common_shift(&self) -> u64 {
        self.shift.saturating_sub(self.set_back.wrapped)
    }

    /// So far after the last event, compared with how long the target runs, that it is rather damage: there may be
    /// no event after it that shows it.
    const fn is_far(&self, ticks: u64) -> bool {
        let runs = self.last.saturating_sub(self.shift);
        let ahead = ticks.saturating_sub(self.last);
        ahead >= STRAY_MIN && ahead / STRAY_RATIO >= runs
    }

    /// Queues an item without its own time.
    pub fn push(&mut self, offset: u64, what: &RecordItem<'_>) {
        if self.is_set_back() {
            return self.hold(None, offset, what);
        }
        self.push_record(self.last.max(self.until), offset, what);
    }

    /// Queues a finding.
    pub fn push_finding(&mut self, problem: Problem, offset: u64, text: &str) {
        self.push(offset, &RecordItem::Finding(problem, text.as_bytes()));
    }

    /// Does the same as [`push`](Self::push), for an item that was reported at this time, if it is known.
    pub fn push_reported(&mut self, raw: Option<u64>, offset: u64, what: &RecordItem<'_>) {
        if self.is_set_back() {
            return self.hold(raw, offset, what);
        }
        // If the last event turns out to be stray, the items reported after it are moved in time with it.
        if let Some(raw) = raw
            && self.stream.is_none()
        {
            let until = raw.saturating_add(self.shift);
            if !self.is_far(until) {
                self.until = until.max(self.until);
            }
        }
        self.push(offset, what);
    }

    /// Queues a state that lasted until this time, if a stream continues: no event follows that is earlier.
    pub fn push_until(&mut self, raw: u64, offset: u64, what: &RecordItem<'_>) {
        if self.is_set_back() {
            return self.hold(None, offset, what);
        }
        let until = raw.saturating_add(self.shift).max(self.last);
        if self.stream.is_none() && !self.may_be_stray {
            self.until = until.max(self.until);
        }
        self.push(offset, what);
    }

    /// Time of the last event, in ticks, if it may have passed by the queue.
    #[must_use]
    pub fn passed(&self) -> Option<u64> {
        (self.passes_below > 0).then_some(self.last)
    }

    /// Lets an event with its raw timestamp bypass the queue, if that is empty, the event need not be held and its time, which
    /// is returned, is at most `max`. Most events of a recording of one core take this path.
    #[inline]
    pub fn pass(&mut self, raw: u64, max: u64) -> Option<u64> {
        let ticks = raw.checked_add(self.shift)?;
        // A step back wraps to a large one.
        if ticks.wrapping_sub(self.last) >= self.passes_below || ticks > max {
            return None;
        }
        self.last = ticks;
        Some(ticks)
    }

    /// The next event takes the queue.
    pub const fn pass_none(&mut self) {
        self.passes_below = 0;
    }

    #[inline]
    pub(super) fn push_record(&mut self, ticks: u64, offset: u64, what: &RecordItem<'_>) {
        let (kept, text) = StoredItem::of(what);
        self.texts.extend_from_slice(text);
        self.records.push_back(Record { ticks, offset, kept });
        self.passes_below = 0;
    }

    /// Queues a record before those that are after it in the recording.
    #[cold]
    pub(super) fn insert(&mut self, ticks: u64, offset: u64, what: &RecordItem<'_>) {
        self.settle();
        let before = self.records.iter().rposition(|record| record.offset < offset);
        let at = before.map_or(0, |before| before + 1);
        let later: usize = self.records.range(at..).map(|record| record.kept.len as usize).sum();
        let start = self.texts.len().saturating_sub(later);
        let (kept, text) = StoredItem::of(what);
        self.texts.splice(start..start, text.iter().copied());
        self.records.insert(at, Record { ticks, offset, kept });
        self.passes_below = 0;
    }

    /// Takes the first record.
    #[inline]
    pub fn pop(&mut self) -> Option<FrontRecord<'_>> {
        if self.head >= COMPACT_AT && self.head >= self.texts.len() / 2 {
            self.compact();
        }
        let record = self.records.pop_front()?;
        let is_settled = self.pushed > 0 && self.stream.is_none() && !self.is_set_back();
        if self.records.is_empty() && is_settled && self.until <= self.last {
            self.passes_below = STRAY_MIN;
        }
        if record.kept.is_timed {
            self.timed = self.timed.saturating_sub(1);
            // The last one is no longer held.
            self.may_be_stray &= self.timed > 0;
        }
        let Record { ticks, offset, kept } = record;
        let start = self.head;
        self.head += kept.len as usize;
        let text = self.texts.get(start..self.head).unwrap_or_default();
        Some(FrontRecord { ticks, offset, what: kept.with_text(text) })
    }

    #[cold]
    fn compact(&mut self) {
        self.texts.copy_within(self.head.., 0);
        self.texts.truncate(self.texts.len().saturating_sub(self.head));
        self.head = 0;
    }
}

/// Popped bytes that pile up before the rest is moved to the front.
const COMPACT_AT: usize = 4096;

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use tband_format::Str;
    use tband_format::decode::Decoded;

    /// An event with a time.
    pub fn at(ts: u64) -> Decoded<'static> {
        with_text(ts, &[])
    }

    /// An event with a time and a text.
    fn with_text(ts: u64, text: &[u8]) -> Decoded<'_> {
        Decoded { ts: Some(ts), event: Event::Evtmarker { evtmarker_id: 1, msg: Str(text) } }
    }

    /// Metadata.
    pub fn name() -> RecordItem<'static> {
        let event = Event::EvtmarkerName { evtmarker_id: 1, name: Str(b"") };
        RecordItem::Event(Decoded { ts: None, event })
    }

    fn text<'a>(popped: &FrontRecord<'a>) -> &'a [u8] {
        match popped.what {
            RecordItem::Event(Decoded { event, .. }) => event.split_text().1,
            _ => &[],
        }
    }

    /// Pushes raw timestamps and returns the resulting times, and the findings.
    fn run(raw: &[u64]) -> (Vec<u64>, Vec<Problem>) {
        let mut lane = Lane::default();
        let (mut times, mut findings) = (Vec::new(), Vec::new());
        for (index, &ts) in raw.iter().enumerate() {
            lane.push_timed(ts, index as u64, &with_text(ts, &[index as u8; 100]));
        }
        lane.settle();
        while lane.ready(true).is_some() {
            let popped = lane.pop().unwrap();
            match popped.what {
                RecordItem::Finding(problem, _) => findings.push(problem),
                _ => {
                    assert_eq!(text(&popped), [popped.offset as u8; 100]);
                    times.push(popped.ticks);
                }
            }
        }
        assert!(times.is_sorted());
        (times, findings)
    }

    #[test]
    fn a_late_timestamp_takes_the_time_reached() {
        assert_eq!(run(&[100, 105, 103, 110]).0, [100, 105, 105, 110]);
        assert_eq!(run(&[100, 105, 3, 110]).1, [Problem::TimeStepBack]);
    }

    #[test]
    fn a_stray_timestamp_does_not_take_the_others_along() {
        let far = 1 << 50;
        assert_eq!(run(&[100, far, 103, 110]).0, [100, 100, 103, 110]);
        assert_eq!(run(&[100, far, 103, 110]).1, [Problem::TimeJump]);
        assert_eq!(run(&[100, u64::MAX]).0, [100, u64::MAX]);
    }

    #[test]
    fn a_restart_continues_the_time() {
        let mut lane = Lane::default();
        lane.push_timed(1000, 0, &at(1000));
        lane.stream_start(0);
        lane.push_timed(5, 1, &at(5));
        lane.push_timed(9, 2, &at(9));
        let mut times = Vec::new();
        while let Some(popped) = lane.pop() {
            times.push(popped.ticks);
        }
        assert_eq!(times, [1000, 1000, 1000, 1004]);
    }

    #[test]
    fn an_event_that_may_be_stray_waits_for_the_next() {
        let mut lane = Lane::default();
        assert_eq!(lane.pass(1, u64::MAX), None);
        lane.push_timed(1, 0, &at(1));
        assert_eq!(lane.ready(false), None);
        assert_eq!(lane.ready(true), Some((1, 0)));
        assert_eq!(lane.pass(2, u64::MAX), None);
        lane.push_timed(2, 0, &at(2));
        assert_eq!(lane.ready(false), Some((1, 0)));
        lane.pop();
        assert_eq!(lane.ready(false), Some((2, 0)));
        lane.pop();
        assert_eq!(lane.pass(3, u64::MAX), Some(3));
        assert_eq!(lane.pass(4, 3), None);
        assert_eq!(lane.pass(3 + STRAY_MIN, u64::MAX), None);
        lane.push_timed(9 * STRAY_MIN, 0, &at(9 * STRAY_MIN));
        assert_eq!(lane.ready(false), None);
        lane.push_timed(4, 0, &at(4));
        assert_eq!(lane.ready(false), Some((3, 0)));
    }

    #[test]
    fn an_event_is_not_held_for_ever() {
        let mut lane = Lane::default();
        lane.push_timed(1, 0, &at(1));
        let mut pushed = 0;
        while lane.ready(false).is_none() {
            lane.push(1, &RecordItem::Finding(Problem::UndecodableFrame, &[7; 100]));
            pushed += 1;
            assert!(lane.memory() < HELD + 1000);
        }
        assert!(pushed > 100);
        while lane.pop().is_some() {}
        lane.push(2, &name());
        assert_eq!(lane.ready(false), Some((1, 2)));
    }

    #[test]
    fn popped_bytes_are_freed() {
        let mut lane = Lane::default();
        for ts in 0..10_000 {
            lane.push_timed(ts, ts, &with_text(ts, &[7; 20]));
            if ts > 3 {
                assert_eq!(text(&lane.pop().unwrap()), [7; 20]);
            }
            assert!(lane.texts.len() < 3 * COMPACT_AT);
        }
    }
}
