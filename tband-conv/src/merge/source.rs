//! One input of a merge: its events in one lane per core, read ahead as far as needed.
//!
//! Cores that share an input need not be in order among each other: the input is read ahead until every core that still has
//! events shows its next one, or until as many bytes are pending as the window has. So a core that is silent for long does not
//! block the others forever.

use std::io;
use std::rc::Rc;

use tband_import::ctf::CtfTrace;
use tband_import::format::InputFormat;
use tband_import::importer::ForeignRecording;

use super::filler::{Filler, Full, memory};
use super::intake::{CoreLane, FrameResult, Intake, UnscannedInput};
use super::lane::Joint;
use super::ties::MAX_EVENTS;
use crate::census::Census;
use crate::error::ConvError;
use crate::events::EventReader;
use crate::input::Input;
use crate::input::credibility::Credibility;
use crate::input::push_buffer::{Bytes, PushBuffer};
use crate::item::Mode;
use crate::outset::head::Head;
use crate::outset::layout::{Extent, Layout};
use crate::outset::starts::StreamStarts;
use crate::packets::{FirstPackets, Link};

/// One input.
pub(crate) struct Source<'r> {
    events: EventReader<Bytes<'r>>,
    /// One a core that was seen in this input.
    pub(super) lanes: Vec<CoreLane>,
    pub(super) intake: Intake,
    at_end: bool,
    /// It is several files.
    is_joined: bool,
    /// The trace that it is a stream of: other streams of that may have events of its core too.
    pub trace: Option<Rc<CtfTrace>>,
    /// Events so far when the read-ahead for simultaneous events began.
    ahead_from: u64,
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
            let mut source = Self::with_layout(input.events_of(mode, Bytes::Read)?, layout);
            source.intake.resets = input.resets().to_vec();
            (source.is_joined, source.intake.joints) = (input.is_joined(), joints);
            source.trace = input.trace().cloned();
            sources.push(source);
        }
        Ok(sources)
    }

    /// An input in which a first pass has found this.
    pub fn with_layout(events: EventReader<Bytes<'r>>, layout: &Layout) -> Self {
        let Layout { extents, starts, checked_to, schemas, .. } = layout;
        let events = events.with_checked(*checked_to).with_schemas(schemas);
        let lanes = extents.iter().map(CoreLane::new).collect();
        Self { lanes, ..Self::new(events, Intake::new(StreamStarts::new(starts))) }
    }

    /// Creates an input that is fed, without a first pass.
    pub fn fed(input: usize, core: u32, mode: Mode, is_live: bool) -> Self {
        let live = UnscannedInput { head: Head::new(input), ..UnscannedInput::default() };
        let events = EventReader::new(Bytes::Fed(PushBuffer::default()), core, mode).live(is_live);
        Self::new(events, Intake { live: Some(Box::new(live)), ..Intake::default() })
    }

    /// Reads the format that the user names.
    pub fn of_format(self, format: InputFormat) -> Self {
        Self { events: self.events.of_format(format), ..self }
    }

    const fn new(events: EventReader<Bytes<'r>>, intake: Intake) -> Self {
        let lanes = Vec::new();
        let (at_end, is_joined, trace) = (false, false, None);
        Self { events, lanes, intake, at_end, is_joined, trace, ahead_from: 0 }
    }

    /// Whether the input has events of one core, as far as is known, and each only needs the next one: then they need not wait
    /// for others. Returns the reader, the lane and the intake.
    pub fn plain(
        &mut self,
    ) -> Option<(&mut EventReader<Bytes<'r>>, &mut Vec<CoreLane>, &mut Intake)> {
        let has_one = self.lanes.len() == 1 && !self.is_joined && !self.at_end;
        let is_plain = has_one && self.intake.is_plain();
        is_plain.then_some((&mut self.events, &mut self.lanes, &mut self.intake))
    }

    /// It may have events of several cores.
    pub fn is_shared(&self) -> bool {
        self.lanes.len() > 1 || self.intake.live.is_some()
    }

    /// Returns the fed bytes, if the input is fed.
    pub fn fed_mut(&mut self) -> Option<&mut PushBuffer> {
        match self.events.input_mut() {
            Bytes::Fed(fed) => Some(fed),
            Bytes::Read(_) => None,
        }
    }

    /// Returns statistics of the link so far, if the input consists of packets.
    pub fn link(&self) -> Option<Link> {
        self.events.link()
    }

    /// Returns facts about the recording, if another recorder made it.
    pub fn about(&self) -> Option<ForeignRecording> {
        self.events.about()
    }

    /// The recordings of other cores contain the wake-ups of this one too.
    #[inline]
    pub fn shares_wakes(&self) -> bool {
        self.events.shares_wakes()
    }

    /// The first packets of the cores so far.
    pub fn first_packets(&self) -> FirstPackets {
        self.events.first_packets()
    }

    /// Returns its event counts, as far as it was read.
    pub fn census(&self) -> Option<Census> {
        self.events.census()
    }

    /// Counts everything that is read from here on.
    pub fn count(&mut self) {
        self.events.count();
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
    pub(super) fn pending_cores(&self) -> u64 {
        let position = self.events.offset();
        let may_come = |entry: &&CoreLane| {
            let closed = self.at_end || position >= entry.end;
            !closed || entry.lane.is_set_back() || entry.lane.ready(true).is_some()
        };
        let lanes = self.lanes.iter().filter(may_come);
        lanes.fold(0, |cores, entry| cores | 1_u64.wrapping_shl(entry.core))
    }

    /// Returns how many frames were events, if no first pass has read the input.
    pub fn credibility(&self) -> Option<Credibility> {
        let live = self.intake.live.as_ref()?;
        Some(live.credibility.clone().with_good(self.intake.good))
    }

    /// Returns the start of the input, if no first pass has read it.
    pub fn head(&mut self) -> Option<&mut Head> {
        self.intake.live.as_mut().map(|live| &mut live.head)
    }

    /// Reads on until its start is known.
    pub(super) fn read_head(&mut self, most: usize) -> io::Result<()> {
        while self.intake.live.as_ref().is_some_and(|live| !live.head.is_known())
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
pub(super) struct EarliestRecord {
    pub ticks: u64,
    pub lane: usize,
    /// Another core has one at the same time.
    pub tie: bool,
    /// Other cores have no record before this time; 0 if that is not known.
    pub others: u64,
}

/// What has to be read before the earliest record is known.
#[derive(Clone, Copy, Debug)]
enum Missing {
    None,
    /// The next record of this lane.
    Lane(usize),
    /// The first item.
    Any,
}

impl Source<'_> {
    /// The earliest record, after reading on as far as is needed to know it.
    #[inline]
    pub(super) fn first(&mut self, window: usize) -> io::Result<Option<EarliestRecord>> {
        // By far the most frequent case: one core, whose next event is known already.
        if let [entry] = self.lanes.as_slice()
            && let Some((ticks, _)) = entry.lane.ready(false)
        {
            return Ok(Some(EarliestRecord { ticks, lane: 0, tie: false, others: u64::MAX }));
        }
        loop {
            let (best, missing) = self.front(false);
            let missing = match missing {
                Missing::None => return Ok(best),
                Missing::Lane(lane) => Some(lane),
                Missing::Any => None,
            };
            if self.lanes.len() > 1
                && self.memory() >= window
                && let (Some(best), _) = self.front(true)
            {
                return Ok(Some(EarliestRecord { others: 0, ..best }));
            }
            match missing.filter(|_| self.intake.live.is_none()) {
                Some(lane) => self.fill(lane, window)?,
                None => self.read_on()?,
            }
        }
    }

    /// Reads on until this lane has its next record or has none left, the window is full, or a block of the input ends.
    fn fill(&mut self, lane: usize, window: usize) -> io::Result<()> {
        let Self { events, lanes, intake, .. } = self;
        let filled = events.visit_block(&mut Filler { lanes, intake, lane, window });
        intake.advance(lanes, events.offset());
        match filled {
            Ok(true) => Ok(()),
            Ok(false) => {
                self.close();
                Ok(())
            }
            Err(Full::Lane) => self.read_start(),
            Err(Full::Failed(error)) => Err(error),
        }
    }

    /// The records of one time are going to be read.
    pub(super) const fn start_ahead(&mut self) {
        self.ahead_from = self.intake.good;
    }

    /// Reads on until all records of one time are there, unless they are too many.
    #[cold]
    pub(super) fn read_all_at(&mut self, ticks: u64, window: usize) -> io::Result<()> {
        while self.intake.good.saturating_sub(self.ahead_from) < MAX_EVENTS as u64 {
            let position = self.events.offset();
            let goes_on = |entry: &CoreLane| entry.lane.is_all_at(ticks) && position < entry.end;
            if self.at_end || self.memory() >= window || !self.lanes.iter().any(goes_on) {
                break;
            }
            self.read_on()?;
        }
        Ok(())
    }

    /// Returns the earliest record so far, and the lane that needs its next record before none can be earlier. If the window is
    /// full, events are no longer held.
    #[inline]
    fn front(&self, full: bool) -> (Option<EarliestRecord>, Missing) {
        let position = self.events.offset();
        let mut best: Option<((u64, u64), usize)> = None;
        let mut others = None;
        // Without a first pass, a new core may appear.
        let is_read = self.intake.live.is_none() || self.at_end || !self.lanes.is_empty();
        let mut missing = if is_read { Missing::None } else { Missing::Any };
        for (index, entry) in self.lanes.iter().enumerate() {
            let closed = self.at_end || position >= entry.end;
            match entry.lane.ready(closed || full) {
                Some(first) => match best {
                    Some((earliest, _)) if earliest <= first => {
                        others = Some(others.map_or(first.0, |other: u64| other.min(first.0)));
                    }
                    _ => {
                        others = best.map(|((ticks, _), _)| ticks);
                        best = Some((first, index));
                    }
                },
                None if !closed => missing = Missing::Lane(index),
                None => {}
            }
        }
        let earliest = |((ticks, _), lane)| {
            let tie = others == Some(ticks);
            EarliestRecord { ticks, lane, tie, others: others.unwrap_or(u64::MAX) }
        };
        (best.map(earliest), missing)
    }

    pub(super) fn memory(&self) -> usize {
        memory(&self.lanes)
    }

    /// Reads one frame into its lane, and those after it that it cannot be understood without.
    #[inline]
    fn read_on(&mut self) -> io::Result<()> {
        if self.read_frame()? { self.read_start() } else { Ok(()) }
    }

    /// Reads on until it is known whether the last item starts a stream.
    #[cold]
    pub(super) fn read_start(&mut self) -> io::Result<()> {
        while self.intake.is_open() && !self.at_end {
            self.read_frame()?;
        }
        Ok(())
    }

    /// Reads one frame into its lane. True if a stream may start with it.
    #[inline]
    fn read_frame(&mut self) -> io::Result<bool> {
        let Self { events, lanes, intake, .. } = self;
        let Some(item) = events.next_item()? else {
            self.close();
            return Ok(false);
        };
        let FrameResult { may_start, is_queued } = intake.put(lanes, &item);
        if is_queued {
            intake.advance(lanes, events.offset());
        }
        Ok(may_start)
    }

    /// The input has ended.
    pub fn close(&mut self) {
        self.at_end = true;
        self.intake.close(&mut self.lanes);
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
