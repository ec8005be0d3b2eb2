//! Merges the events of all cores and inputs by time.
//!
//! Each input is read once, front to back. Its events go into one [`Lane`] a core, and the earliest
//! front of all lanes comes out next; of several at one time, see `ties.rs`. Cores that share one input need not be in order among each other: the input is read
//! ahead until every core that still has events shows its next one, or until [`WINDOW`] bytes wait; so
//! a core that is silent for long holds nothing up for ever.

use tband_format::{Decoded, Event};

use crate::diagnostics::Problem;
use crate::error::ConvError;
use crate::events::{Defect, EventReader, Item, Mode};
use crate::input::Input;
use crate::lane::{Joint, Lane, Popped, RecordKind};
use crate::machine::Timeline;
use crate::notation::BoxRead;
use crate::scan::Extent;
use crate::starts::{Look, Start, StreamStarts};
use crate::ties::{MAX_EVENTS, Next, Tied, order};

/// Bytes of memory that the events of one input may take up while they wait for their turn.
pub const WINDOW: usize = 8 * 1024 * 1024;

struct Source<'a> {
    events: EventReader<BoxRead<'a>>,
    starts: StreamStarts,
    /// One a core that was seen in this input.
    lanes: Vec<CoreLane>,
    at_end: bool,
    /// Frames that were events.
    good: u64,
    /// The files that are still to come, with the offsets at which they begin; the next one last.
    joints: Vec<(Joint, u64)>,
    /// Events that change nothing are told too.
    silent: bool,
}

struct CoreLane {
    core: u32,
    lane: Lane,
    /// All events of this core are between these offsets of the input.
    first: u64,
    end: u64,
}

/// A record in its place in time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Merged<'a> {
    /// Index of the input.
    pub input: usize,
    /// Core that it belongs to.
    pub core: u32,
    /// The record.
    pub record: Popped<'a>,
    /// The task that it gives to the core leaves another one at the same time.
    pub swaps: bool,
}

/// The order of what happens on several cores at one time, as far as it is worked out.
#[derive(Debug, Default)]
struct Plan {
    ticks: u64,
    /// Input and lane of each record to come, the last one first.
    next: Vec<(usize, usize, bool)>,
}

/// The merge of several inputs.
pub(crate) struct Merge<'i, 'a> {
    inputs: &'i [Input<'a>],
    sources: Vec<Source<'i>>,
    window: usize,
    plan: Plan,
}

impl<'i, 'a> Merge<'i, 'a> {
    /// Opens all inputs. `extents` tells for each which cores it holds, and where; `starts` where its
    /// streams start.
    ///
    /// # Errors
    /// [`ConvError::Read`] if one cannot be opened.
    pub fn new(
        inputs: &'i [Input<'a>],
        (extents, starts): (&[Vec<Extent>], &[Vec<Start>]),
        mode: Mode,
        window: usize,
    ) -> Result<Self, ConvError> {
        let mut sources = Vec::new();
        for ((input, extents), starts) in inputs.iter().zip(extents).zip(starts) {
            let lanes = extents.iter().map(CoreLane::new).collect();
            // Known from the first pass; opening forgets it.
            let joints = joints(&input.files());
            let events = EventReader::new(input.open()?, input.core(), mode);
            let starts = StreamStarts::new(starts);
            let (at_end, good, silent) = (false, 0, false);
            sources.push(Source { events, starts, lanes, at_end, good, joints, silent });
        }
        // Inputs of a single core never wait for each other.
        let sharing = sources.iter().filter(|source| source.lanes.len() > 1).count();
        Ok(Self { inputs, sources, window: window / sharing.max(1), plan: Plan::default() })
    }

    /// Tells of events that change nothing too.
    pub fn with_silent(mut self) -> Self {
        self.sources.iter_mut().for_each(|source| source.silent = true);
        self
    }

    /// Events that were read so far.
    pub fn events(&self) -> u64 {
        self.sources.iter().map(|source| source.good).fold(0, u64::saturating_add)
    }

    /// The cores of which a record may still come, one bit each.
    #[cold]
    pub fn cores_to_come(&self) -> u64 {
        let lanes = self.sources.iter().flat_map(|source| {
            let position = source.events.offset();
            source.lanes.iter().filter(move |entry| {
                let closed = source.at_end || position >= entry.end;
                !closed || entry.lane.ready(true).is_some()
            })
        });
        lanes.fold(0, |cores, entry| cores | 1_u64.wrapping_shl(entry.core))
    }

    /// The next record of all; `None` at the end of all inputs. What was before it is in the timeline.
    ///
    /// # Errors
    /// [`ConvError::Read`].
    #[inline]
    pub fn next_record(&mut self, timeline: &Timeline) -> Result<Option<Merged<'_>>, ConvError> {
        let mut best: Option<(u64, usize, usize)> = None;
        let mut tied = false;
        for (index, source) in self.sources.iter_mut().enumerate() {
            let first = source.first(self.window);
            let Some(First { ticks, lane, tie }) =
                first.map_err(|error| read_error(self.inputs, index, error))?
            else {
                continue;
            };
            match best {
                Some((earliest, ..)) if earliest < ticks => {}
                Some((earliest, ..)) if earliest == ticks => tied = true,
                _ => (best, tied) = (Some((ticks, index, lane)), tie),
            }
        }
        let Some((ticks, mut input, mut lane)) = best else {
            return Ok(None);
        };
        let mut swaps = false;
        if tied {
            (input, lane, swaps) = self.untie(ticks, (input, lane), timeline)?;
        } else if !self.plan.next.is_empty() {
            self.plan.next.clear();
        }
        let lane = self.sources.get_mut(input).and_then(|source| source.lanes.get_mut(lane));
        let Some(CoreLane { core, lane, .. }) = lane else {
            return Ok(None);
        };
        Ok(lane.pop().map(|record| Merged { input, core: *core, record, swaps }))
    }

    /// Which of several records of one time comes next.
    #[cold]
    #[inline(never)]
    fn untie(
        &mut self,
        ticks: u64,
        first: (usize, usize),
        timeline: &Timeline,
    ) -> Result<(usize, usize, bool), ConvError> {
        if self.plan.ticks != ticks || self.plan.next.is_empty() {
            for (index, source) in self.sources.iter_mut().enumerate() {
                let read = source.read_all_at(ticks, self.window);
                read.map_err(|error| read_error(self.inputs, index, error))?;
            }
            let (mut places, mut lanes) = (Vec::new(), Vec::new());
            for (input, source) in self.sources.iter().enumerate() {
                for (lane, entry) in source.lanes.iter().enumerate() {
                    let mut tied = Tied::new(entry.core, input);
                    let front = entry.lane.front_at(ticks).take(MAX_EVENTS);
                    front.for_each(|(offset, payload)| tied.push(offset, payload));
                    if tied.len() > 0 {
                        places.push((input, lane));
                        lanes.push(tied);
                    }
                }
            }
            let place =
                |next: &Next| places.get(next.lane).map(|&(input, lane)| (input, lane, next.swaps));
            let next = order(&lanes, timeline).iter().rev().filter_map(place).collect();
            self.plan = Plan { ticks, next };
        }
        let is_there = |&(input, lane, _): &(usize, usize, bool)| {
            let lane = self.sources.get(input).and_then(|source| source.lanes.get(lane));
            lane.is_some_and(|entry| entry.lane.front_at(ticks).next().is_some())
        };
        let (input, lane) = first;
        Ok(self.plan.next.pop().filter(is_there).unwrap_or((input, lane, false)))
    }
}

#[cold]
fn read_error(inputs: &[Input<'_>], index: usize, error: std::io::Error) -> ConvError {
    // The input exists: sources were made from inputs.
    match inputs.get(index) {
        Some(input) => input.read_error(error),
        None => ConvError::NoInput,
    }
}

/// The earliest record of a source.
#[derive(Clone, Copy, Debug)]
struct First {
    ticks: u64,
    lane: usize,
    /// Another core has one at the same time.
    tie: bool,
}

impl Source<'_> {
    /// The earliest record, after reading on as far as is needed to know it.
    #[inline]
    fn first(&mut self, window: usize) -> std::io::Result<Option<First>> {
        // By far the most frequent case: one core, whose next event is known already.
        if let [entry] = self.lanes.as_slice()
            && let Some((ticks, _)) = entry.lane.ready(false)
        {
            return Ok(Some(First { ticks, lane: 0, tie: false }));
        }
        loop {
            let (best, complete) = self.front(false);
            if complete {
                return Ok(best);
            }
            if self.lanes.len() > 1
                && self.memory() >= window
                && let (Some(best), _) = self.front(true)
            {
                return Ok(Some(best));
            }
            self.read_on()?;
        }
    }

    /// Reads on until all that one time has is there, unless that is too much.
    #[cold]
    fn read_all_at(&mut self, ticks: u64, window: usize) -> std::io::Result<()> {
        for _ in 0..MAX_EVENTS {
            let position = self.events.offset();
            let goes_on = |entry: &CoreLane| entry.lane.ends_at(ticks) && position < entry.end;
            if self.at_end || self.memory() >= window || !self.lanes.iter().any(goes_on) {
                break;
            }
            self.read_on()?;
        }
        Ok(())
    }

    /// The earliest record so far, and whether none can be earlier. If the window is full, no event is
    /// held any longer.
    #[inline]
    fn front(&self, full: bool) -> (Option<First>, bool) {
        let position = self.events.offset();
        let mut best: Option<((u64, u64), usize)> = None;
        let (mut complete, mut tie) = (true, false);
        for (index, entry) in self.lanes.iter().enumerate() {
            let closed = self.at_end || position >= entry.end;
            match entry.lane.ready(closed || full) {
                Some(first) => {
                    tie = match best {
                        Some(((ticks, _), _)) => ticks == first.0 || (tie && ticks < first.0),
                        None => false,
                    };
                    if best.is_none_or(|best| first < best.0) {
                        best = Some((first, index));
                    }
                }
                None => complete &= closed,
            }
        }
        (best.map(|((ticks, _), lane)| First { ticks, lane, tie }), complete)
    }

    fn memory(&self) -> usize {
        self.lanes.iter().map(|entry| entry.lane.memory()).sum()
    }

    /// Reads one frame into its lane.
    #[inline]
    fn read_on(&mut self) -> std::io::Result<()> {
        let &mut Self {
            ref mut events, ref mut starts, ref mut lanes, ref mut good, silent, ..
        } = self;
        let (at_end, joints) = (&mut self.at_end, &mut self.joints);
        let Some(item) = events.next_item()? else {
            *at_end = true;
            return Ok(());
        };
        *good = good.saturating_add(u64::from(item.event.is_ok()));
        while let Some((joint, _)) = joints.pop_if(|(_, start)| *start <= item.offset) {
            lanes.iter_mut().for_each(|entry| entry.lane.file_start(&joint));
        }
        let position = lanes.iter().position(|entry| entry.core == item.core);
        let index = position.unwrap_or_else(|| {
            // Only an input that changed since the first pass gets here.
            let Item { core, offset: first, .. } = item;
            lanes.push(CoreLane::new(&Extent { core, first, end: u64::MAX }));
            lanes.len().saturating_sub(1)
        });
        let mut is_known = false;
        if has_no_time(&item) {
            let Look { anew, known } = starts.look(&item);
            if let Some(first) = anew {
                starts_anew(lanes, index, first, item.offset);
            }
            is_known = known;
        }
        if silent
            && (is_known || is_silent(&item))
            && let Some(entry) = lanes.get_mut(index)
        {
            entry.lane.push(RecordKind::Silent, item.offset, item.payload);
        }
        if is_known {
            return Ok(());
        }
        let is_start =
            matches!(item.event, Ok(Decoded { ts: Some(0), event: Event::CoreId { .. } }));
        if let Some(entry) = lanes.get_mut(index) {
            let shift = entry.lane.shift();
            queue(&mut entry.lane, &item);
            if entry.lane.shift() != shift {
                let (shift, end) = (entry.lane.shift(), entry.end);
                follow_restart(lanes, index, shift, end);
            }
        }
        if is_start {
            stream_start(lanes);
        }
        Ok(())
    }
}

impl CoreLane {
    fn new(&Extent { core, first, end }: &Extent) -> Self {
        Self { core, lane: Lane::default(), first, end }
    }
}

/// Where files are joined, the last one first.
fn joints(files: &[(String, u64)]) -> Vec<(Joint, u64)> {
    let pairs = files.windows(2).rev();
    pairs
        .filter_map(|pair| match pair {
            [(before, _), (file, start)] => {
                Some((Joint { before: before.as_str().into(), file: file.as_str().into() }, *start))
            }
            _ => None,
        })
        .collect()
}

/// A stream starts with one core, but is one of all cores.
#[cold]
fn stream_start(lanes: &mut [CoreLane]) {
    let reached = lanes.iter().map(|entry| entry.lane.reached()).max();
    for entry in lanes {
        entry.lane.stream_start(reached.unwrap_or(0));
    }
}

/// A stream starts anew with a frame of this lane, which is told when the last one had its last event. If
/// its first event is earlier than that, it is one of this core only, beside the last.
#[cold]
fn starts_anew(lanes: &mut [CoreLane], index: usize, first: Option<u64>, offset: u64) {
    let shift = lanes.get(index).map_or(0, |entry| entry.lane.shift());
    let first = first.map_or(0, |first| first.saturating_add(shift));
    let reached = lanes.iter().map(|entry| entry.lane.reached_by(first)).max().unwrap_or(0);
    if let Some(CoreLane { lane, .. }) = lanes.get_mut(index) {
        lane.push_start(if first >= reached { reached } else { 0 }, offset);
    }
}

/// A frame that may be at the start of a stream.
pub(crate) const fn has_no_time(item: &Item<'_>) -> bool {
    matches!(item.event, Ok(Decoded { ts: None, .. } | Decoded { event: Event::CoreId { .. }, .. }))
}

/// An event that [`queue`] leaves out.
pub(crate) const fn is_silent(item: &Item<'_>) -> bool {
    matches!(item.event, Ok(Decoded { event: Event::CoreId { .. }, .. }))
}

/// One core's events tell that the target was restarted. Cores that are in the same streams, before
/// this offset, have restarted with it; others stand behind them with streams of their own.
#[cold]
fn follow_restart(lanes: &mut [CoreLane], told_by: usize, shift: u64, end: u64) {
    for (index, entry) in lanes.iter_mut().enumerate() {
        if index != told_by && entry.first < end {
            entry.lane.follow_restart(shift);
        }
    }
}

/// Puts a frame into its lane.
#[inline]
pub(crate) fn queue(lane: &mut Lane, item: &Item<'_>) {
    match item.event {
        Ok(decoded) => match (decoded.event, decoded.ts) {
            // It carries no time. One at time 0 opens a stream.
            (Event::CoreId { .. }, Some(0)) => lane.stream_start(lane.reached()),
            (Event::CoreId { .. }, _) => {}
            (_, Some(ts)) => lane.push_timed(ts, item.offset, item.payload),
            (_, None) => lane.push(RecordKind::Metadata, item.offset, item.payload),
        },
        Err(defect) => queue_defect(lane, item, defect),
    }
}

#[cold]
fn queue_defect(lane: &mut Lane, item: &Item<'_>, defect: Defect) {
    let problem = match defect {
        _ if defect.is_unknown_event() => Problem::UnknownEvent,
        Defect::Undecodable(_) | Defect::TooLong => Problem::UndecodableFrame,
        Defect::CutOff => Problem::CutOff,
        Defect::WrongMode(_) => Problem::WrongMode,
        Defect::CoreOutOfRange(_) => Problem::CoreOutOfRange,
    };
    let text = format!("frame of {} bytes: {defect}", item.len);
    lane.push(RecordKind::Finding(problem), item.offset, text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::Scan;
    use tband_format::{encode_frame, max_frame_len};

    fn add(bytes: &mut Vec<u8>, ts: u64, event: Event<'_>) {
        let mut frame = vec![0; max_frame_len(&event, ts)];
        let len = encode_frame(&event, ts, &mut frame).unwrap();
        bytes.extend_from_slice(&frame[..len]);
    }

    /// Merges with a small window; gives core and time of what comes out, and the most memory that
    /// ever was in use.
    fn merged(bytes: &[u8], window: usize) -> (Vec<(u32, u64)>, usize) {
        let inputs = [Input::from_bytes("r", bytes)];
        let Scan { extents, starts, .. } = Scan::run(&inputs, Mode::FreeRtos).unwrap();
        let lanes = (&extents[..], &starts[..]);
        let mut merge = Merge::new(&inputs, lanes, Mode::FreeRtos, window).unwrap();
        let (mut out, mut most) = (Vec::new(), 0);
        while let Some(Merged { core, record, .. }) =
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

    /// Core 1 has an event at the start and one at the end: in between the other goes on.
    #[test]
    fn a_silent_core_holds_nothing_up_and_loses_nothing() {
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

    /// A core stands behind the other in the file, as far as no window reaches.
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

    /// What waits behind an event that may be a stray one does not grow without bound.
    #[test]
    fn garbage_behind_a_late_event_is_passed_on() {
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
