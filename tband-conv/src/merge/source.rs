//! One input of a merge: its events in one lane a core, read ahead as far as is needed.
//!
//! Cores that share an input need not be in order among each other: the input is read ahead until every core
//! that still has events shows its next one, or until so many bytes wait as the window has; so a core that is
//! silent for long holds nothing up for ever.

use std::io;

use tband_format::{DecodeError, Decoded, Event};

use super::lane::{Joint, Lane, What};
use super::ties::MAX_EVENTS;
use crate::credibility::Credibility;
use crate::diagnostics::Problem;
use crate::error::ConvError;
use crate::events::EventReader;
use crate::fed::{Bytes, Fed};
use crate::head::Head;
use crate::input::Input;
use crate::item::{Defect, Item, Mode};
use crate::layout::{Extent, Layout};
use crate::packets::Link;
use crate::starts::{Anew, Look, StreamStarts};

/// One input.
pub(crate) struct Source<'r> {
    events: EventReader<Bytes<'r>>,
    starts: StreamStarts,
    /// One a core that was seen in this input.
    pub(super) lanes: Vec<CoreLane>,
    at_end: bool,
    /// A lane holds events since its clock was set back.
    is_set_back: bool,
    /// Frames that were events.
    pub(super) good: u64,
    /// The files that are still to come, with the offsets at which they begin; the next one last.
    joints: Vec<(Joint, u64)>,
    /// Events that change nothing are reported too.
    pub(super) silent: bool,
    /// [`good`](Self::good) when reading ahead for what may be at the same time began.
    ahead_from: u64,
    /// Without a first pass.
    live: Option<Box<Live>>,
}

/// What is found out of an input that nobody has read before.
#[derive(Debug, Default)]
pub(super) struct Live {
    head: Head,
    credibility: Credibility,
}

pub(super) struct CoreLane {
    pub core: u32,
    pub lane: Lane,
    /// As of [`Extent`].
    first: u64,
    end: u64,
}

impl<'r> Source<'r> {
    /// Opens inputs of which a first pass has found out where each core has its events, and where streams start.
    ///
    /// # Errors
    /// [`ConvError::Read`] if one cannot be opened.
    pub fn open_all(
        inputs: &'r [Input<'_>],
        layouts: &[Layout],
        mode: Mode,
    ) -> Result<Vec<Self>, ConvError> {
        let mut sources = Vec::new();
        for (input, layout) in inputs.iter().zip(layouts) {
            // Known from the first pass; opening forgets it.
            let joints = joints(&input.files());
            let source = Self::known(input.events_of(mode, Bytes::Read)?, layout);
            sources.push(Source { joints, ..source });
        }
        Ok(sources)
    }

    /// An input in which a first pass has found this.
    fn known(events: EventReader<Bytes<'r>>, layout: &Layout) -> Self {
        let Layout { extents, starts, checked_to, schemas } = layout;
        let events = events.with_checked(*checked_to).with_schemas(schemas);
        let lanes = extents.iter().map(CoreLane::new).collect();
        Self { lanes, ..Self::new(events, StreamStarts::new(starts)) }
    }

    /// An input that is fed, of which nothing is known.
    pub fn fed(input: usize, core: u32, mode: Mode) -> Self {
        let live = Live { head: Head::new(input), ..Live::default() };
        let events = EventReader::new(Bytes::Fed(Fed::default()), core, mode);
        let source = Self::new(events, StreamStarts::live());
        Self { live: Some(Box::new(live)), ..source }
    }

    fn new(events: EventReader<Bytes<'r>>, starts: StreamStarts) -> Self {
        Self {
            events,
            starts,
            lanes: Vec::new(),
            at_end: false,
            is_set_back: false,
            good: 0,
            joints: Vec::new(),
            silent: false,
            ahead_from: 0,
            live: None,
        }
    }

    /// It may have events of several cores.
    pub fn is_shared(&self) -> bool {
        self.lanes.len() > 1 || self.live.is_some()
    }

    /// What is fed, if it is.
    pub fn fed_mut(&mut self) -> Option<&mut Fed> {
        match self.events.input_mut() {
            Bytes::Fed(fed) => Some(fed),
            Bytes::Read(_) => None,
        }
    }

    /// What came over the link so far, if it is packets.
    pub fn link(&self) -> Option<Link> {
        self.events.link()
    }

    /// Offset after the last frame that was read.
    pub fn offset(&self) -> u64 {
        self.events.offset()
    }

    /// Where each core has its events, as far as it was read.
    pub fn extents(&self) -> Vec<Extent> {
        let extent = |&CoreLane { core, first, end, .. }: &CoreLane| Extent { core, first, end };
        self.lanes.iter().map(extent).collect()
    }

    /// The cores of which a record may still come, one bit each.
    pub(super) fn cores_to_come(&self) -> u64 {
        let position = self.events.offset();
        let may_come = |entry: &&CoreLane| {
            let closed = self.at_end || position >= entry.end;
            !closed || entry.lane.is_set_back() || entry.lane.ready(true).is_some()
        };
        let lanes = self.lanes.iter().filter(may_come);
        lanes.fold(0, |cores, entry| cores | 1_u64.wrapping_shl(entry.core))
    }

    /// How many frames were events, where there was no first pass.
    pub fn credibility(&self) -> Option<Credibility> {
        let live = self.live.as_ref()?;
        Some(live.credibility.clone().with_good(self.good))
    }

    /// What it begins with, where there was no first pass.
    pub fn head(&mut self) -> Option<&mut Head> {
        self.live.as_mut().map(|live| &mut live.head)
    }

    /// Reads on until it is known what it begins with.
    pub(super) fn read_head(&mut self, most: usize) -> io::Result<()> {
        while self.live.as_ref().is_some_and(|live| !live.head.is_known())
            && !self.at_end
            && self.memory() < most
        {
            self.read_on()?;
        }
        Ok(())
    }
}

/// The earliest record of a source.
#[derive(Clone, Copy, Debug)]
pub(super) struct First {
    pub ticks: u64,
    pub lane: usize,
    /// Another core has one at the same time.
    pub tie: bool,
}

impl Source<'_> {
    /// The earliest record, after reading on as far as is needed to know it.
    #[inline]
    pub(super) fn first(&mut self, window: usize) -> io::Result<Option<First>> {
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

    /// What is at one time is going to be read.
    pub(super) const fn start_ahead(&mut self) {
        self.ahead_from = self.good;
    }

    /// Reads on until all that one time has is there, unless that is too much.
    #[cold]
    pub(super) fn read_all_at(&mut self, ticks: u64, window: usize) -> io::Result<()> {
        while self.good.saturating_sub(self.ahead_from) < MAX_EVENTS as u64 {
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
        // One that nobody has read before may have a core yet to be seen.
        let is_read = self.live.is_none() || self.at_end || !self.lanes.is_empty();
        let (mut complete, mut tie) = (is_read, false);
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

    pub(super) fn memory(&self) -> usize {
        self.lanes.iter().map(|entry| entry.lane.memory()).sum()
    }

    /// Reads one frame into its lane, and those after it that it cannot be understood without.
    #[inline]
    fn read_on(&mut self) -> io::Result<()> {
        if self.read_frame()? { self.read_start() } else { Ok(()) }
    }

    /// Reads on until it is known whether a stream starts with what was read last.
    #[cold]
    pub(super) fn read_start(&mut self) -> io::Result<()> {
        while self.starts.is_open() && !self.at_end {
            self.read_frame()?;
        }
        Ok(())
    }

    /// Reads one frame into its lane. True if a stream may start with it.
    #[inline]
    fn read_frame(&mut self) -> io::Result<bool> {
        let &mut Self {
            ref mut events, ref mut starts, ref mut lanes, ref mut good, silent, ..
        } = self;
        let (at_end, joints, live) = (&mut self.at_end, &mut self.joints, &mut self.live);
        let is_set_back = &mut self.is_set_back;
        let Some(item) = events.next_item()? else {
            *at_end = true;
            lanes.iter_mut().for_each(|entry| entry.lane.settle());
            if let Some(anew) = starts.close() {
                starts_anew(lanes, anew);
            }
            return Ok(false);
        };
        *good = good.saturating_add(u64::from(item.event.is_ok()));
        while let Some((joint, _)) = joints.pop_if(|(_, start)| *start <= item.offset) {
            lanes.iter_mut().for_each(|entry| entry.lane.file_start(&joint));
        }
        let position = lanes.iter().position(|entry| entry.core == item.core);
        let index = position.unwrap_or_else(|| {
            // Nobody has read it before, or it has changed since. Its clock has restarted with that of the others.
            let Item { core, offset: first, .. } = item;
            let shift = lanes.iter().map(|entry| entry.lane.common_shift()).max().unwrap_or(0);
            let mut entry = CoreLane::new(&Extent { core, first, end: u64::MAX });
            if live.is_some() && shift > 0 {
                entry.lane.begin_at(shift);
            }
            lanes.push(entry);
            lanes.len().saturating_sub(1)
        });
        let (mut is_known, mut may_start) = (false, false);
        if let Some(live) = live {
            let had = lanes.get(index).is_some_and(|entry| entry.lane.has_events());
            if let Some(anew) = starts.follow(&item, had) {
                starts_anew(lanes, anew);
            }
            may_start = starts.is_open();
            is_known = live.head.frame(&item);
            if item.event.is_err() {
                live.credibility.add(&item);
            }
        }
        if has_no_time(&item) {
            let Look { anew, known } = starts.look(&item);
            if let Some(anew) = anew {
                starts_anew(lanes, anew);
            }
            is_known |= known;
        }
        if silent
            && (is_known || is_silent(&item))
            && let (Ok(decoded), Some(entry)) = (item.event, lanes.get_mut(index))
        {
            entry.lane.push_reported(item.reported, item.offset, &What::Silent(decoded));
        }
        if is_known {
            return Ok(may_start);
        }
        let is_start =
            matches!(item.event, Ok(Decoded { ts: Some(0), event: Event::CoreId { .. } }));
        if let Some(entry) = lanes.get_mut(index) {
            let (shift, was_back) = (entry.lane.common_shift(), entry.lane.is_set_back());
            queue(&mut entry.lane, &item);
            let is_back = !was_back && entry.lane.is_set_back();
            if entry.lane.common_shift() != shift {
                let (shift, end) = (entry.lane.common_shift(), entry.end);
                follow_restart(lanes, index, shift, end);
            }
            if is_back {
                *is_set_back = true;
                is_set_back_at(lanes, index);
            }
        }
        if is_start {
            stream_start(lanes);
        }
        if *is_set_back {
            *is_set_back = settle_closed(lanes, events.offset());
        }
        Ok(may_start)
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

/// The clock of a core was set back: if it stays there, time goes on where the cores of its stream had come.
#[cold]
fn is_set_back_at(lanes: &mut [CoreLane], index: usize) {
    let Some(&CoreLane { first, end, .. }) = lanes.get(index) else { return };
    let beside = lanes.iter().filter(|entry| entry.first < end && first < entry.end);
    let reached = beside.map(|entry| entry.lane.reached()).max().unwrap_or(0);
    if let Some(entry) = lanes.get_mut(index) {
        entry.lane.is_set_back_at(reached);
    }
}

/// Where no event of a core follows any more, nothing shows whether its clock stays set back. True if there is one
/// of which events may follow.
#[cold]
fn settle_closed(lanes: &mut [CoreLane], position: u64) -> bool {
    let closed = lanes.iter_mut().filter(|entry| position >= entry.end);
    closed.for_each(|entry| entry.lane.settle());
    lanes.iter().any(|entry| entry.lane.is_set_back())
}

/// A stream starts with one core, but is one of all cores.
#[cold]
fn stream_start(lanes: &mut [CoreLane]) {
    let reached = lanes.iter().map(|entry| entry.lane.reached()).max();
    for entry in lanes {
        entry.lane.stream_start(reached.unwrap_or(0));
    }
}

/// A stream starts anew with a frame of this core, which is reported when the last one had its last event. If
/// its first event is earlier than that, it is one of this core only, beside the last.
#[cold]
fn starts_anew(lanes: &mut [CoreLane], Anew { offset, core, first }: Anew) {
    let shift = lanes.iter().find(|entry| entry.core == core).map_or(0, |it| it.lane.shift());
    let first = first.map_or(0, |first| first.saturating_add(shift));
    let reached = lanes.iter().map(|entry| entry.lane.reached_by(first)).max().unwrap_or(0);
    if let Some(CoreLane { lane, .. }) = lanes.iter_mut().find(|entry| entry.core == core) {
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
/// this offset, have restarted with it; others are after them with streams of their own.
#[cold]
fn follow_restart(lanes: &mut [CoreLane], reported_by: usize, shift: u64, end: u64) {
    for (index, entry) in lanes.iter_mut().enumerate() {
        if index != reported_by && entry.first < end {
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
            (_, Some(ts)) => lane.push_timed(ts, item.offset, &decoded),
            (_, None) => {
                lane.push_reported(item.reported, item.offset, &What::Event(decoded));
            }
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
        Defect::NoPacket(_) => Problem::DamagedPacket,
        Defect::PacketCutOff => Problem::CutOff,
        Defect::BadEvent { error: DecodeError::UnknownId { .. }, .. } => Problem::UnknownInPacket,
        Defect::BadEvent { .. } => Problem::UndecodableFrame,
        Defect::BadSchema(..) => Problem::BadSchema,
        Defect::Missing(missing) => {
            return lane.push_until(missing.to, item.offset, &What::Missing(missing));
        }
        Defect::UnseenTurns { .. } => Problem::UnseenTurns,
    };
    let text = match defect {
        Defect::NoPacket(_) => format!("{} bytes that are no packet: {defect}", item.len),
        Defect::PacketCutOff => format!("packet of {} bytes: {defect}", item.len),
        Defect::BadEvent { .. } | Defect::BadSchema(..) => defect.to_string(),
        Defect::UnseenTurns { .. } => format!("core {}: {defect}", item.core),
        _ => format!("frame of {} bytes: {defect}", item.len),
    };
    lane.push_finding(problem, item.offset, &text);
}
