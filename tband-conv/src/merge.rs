//! Merges the events of all cores and inputs by time.
//!
//! Each input is read once, front to back. Its events go into one [`Lane`] a core, and the earliest
//! front of all lanes comes out next; of several at one time in one input, the one that the target
//! recorded first. Cores that share one input need not be in order among each other: the input is read
//! ahead until every core that still has events shows its next one, or until [`WINDOW`] bytes wait; so
//! a core that is silent for long holds nothing up for ever.

use tband_format::Event;

use crate::diagnostics::Problem;
use crate::error::ConvError;
use crate::events::{Defect, EventReader, Item, Mode};
use crate::input::{BoxRead, Input};
use crate::lane::{Lane, Popped, RecordKind};
use crate::scan::Extent;

/// Bytes of memory that the events of one input may take up while they wait for their turn.
pub const WINDOW: usize = 8 * 1024 * 1024;

struct Source<'a> {
    events: EventReader<BoxRead<'a>>,
    /// One a core that was seen in this input.
    lanes: Vec<CoreLane>,
    at_end: bool,
    /// Frames that were events.
    good: u64,
}

struct CoreLane {
    core: u32,
    lane: Lane,
    /// No event of this core is behind this offset of the input.
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
}

/// The merge of several inputs.
pub(crate) struct Merge<'i, 'a> {
    inputs: &'i [Input<'a>],
    sources: Vec<Source<'a>>,
    window: usize,
}

impl<'i, 'a> Merge<'i, 'a> {
    /// Opens all inputs. `extents` tells for each which cores it holds, and where.
    ///
    /// # Errors
    /// [`ConvError::Read`] if one cannot be opened.
    pub fn new(
        inputs: &'i [Input<'a>],
        extents: &[Vec<Extent>],
        mode: Mode,
        window: usize,
    ) -> Result<Self, ConvError> {
        let mut sources = Vec::new();
        for (input, extents) in inputs.iter().zip(extents) {
            let lane = |it: &Extent| CoreLane { core: it.core, lane: Lane::default(), end: it.end };
            let lanes = extents.iter().map(lane).collect();
            let events = EventReader::new(input.open()?, input.core(), mode);
            sources.push(Source { events, lanes, at_end: false, good: 0 });
        }
        // Inputs of a single core never wait for each other.
        let sharing = sources.iter().filter(|source| source.lanes.len() > 1).count();
        Ok(Self { inputs, sources, window: window / sharing.max(1) })
    }

    /// Events that were read so far.
    pub fn events(&self) -> u64 {
        self.sources.iter().map(|source| source.good).fold(0, u64::saturating_add)
    }

    /// The next record of all; `None` at the end of all inputs.
    ///
    /// # Errors
    /// [`ConvError::Read`].
    #[inline]
    pub fn next_record(&mut self) -> Result<Option<Merged<'_>>, ConvError> {
        let mut best: Option<(u64, usize, usize)> = None;
        for (index, source) in self.sources.iter_mut().enumerate() {
            let first = source.first(self.window).map_err(|error| {
                // The input exists: sources were made from inputs.
                match self.inputs.get(index) {
                    Some(input) => input.read_error(error),
                    None => ConvError::NoInput,
                }
            })?;
            if let Some((ticks, lane)) = first
                && best.is_none_or(|best| ticks < best.0)
            {
                best = Some((ticks, index, lane));
            }
        }
        let Some((_, input, lane)) = best else {
            return Ok(None);
        };
        let lane = self.sources.get_mut(input).and_then(|source| source.lanes.get_mut(lane));
        let Some(CoreLane { core, lane, .. }) = lane else {
            return Ok(None);
        };
        Ok(lane.pop().map(|record| Merged { input, core: *core, record }))
    }
}

impl Source<'_> {
    /// Time and lane of the earliest record, after reading on as far as is needed to know it.
    #[inline]
    fn first(&mut self, window: usize) -> std::io::Result<Option<(u64, usize)>> {
        // By far the most frequent case: one core, whose next event is known already.
        if let [entry] = self.lanes.as_slice()
            && let Some((ticks, _)) = entry.lane.ready(false)
        {
            return Ok(Some((ticks, 0)));
        }
        loop {
            let position = self.events.offset();
            let mut best: Option<((u64, u64), usize)> = None;
            let mut complete = true;
            for (index, entry) in self.lanes.iter().enumerate() {
                let closed = self.at_end || position >= entry.end;
                match entry.lane.ready(closed) {
                    Some(first) if best.is_none_or(|best| first < best.0) => {
                        best = Some((first, index));
                    }
                    Some(_) => {}
                    None => complete &= closed,
                }
            }
            let is_full = self.lanes.len() > 1 && best.is_some() && self.memory() >= window;
            if complete || is_full {
                return Ok(best.map(|((ticks, _), lane)| (ticks, lane)));
            }
            self.read_on()?;
        }
    }

    fn memory(&self) -> usize {
        self.lanes.iter().map(|entry| entry.lane.memory()).sum()
    }

    /// Reads one frame into its lane.
    #[inline]
    fn read_on(&mut self) -> std::io::Result<()> {
        let Self { events, lanes, at_end, good } = self;
        let Some(item) = events.next_item()? else {
            *at_end = true;
            return Ok(());
        };
        *good = good.saturating_add(u64::from(item.event.is_ok()));
        let position = lanes.iter().position(|entry| entry.core == item.core);
        let index = position.unwrap_or_else(|| {
            // Only an input that changed since the first pass gets here.
            lanes.push(CoreLane { core: item.core, lane: Lane::default(), end: u64::MAX });
            lanes.len().saturating_sub(1)
        });
        if let Some(entry) = lanes.get_mut(index) {
            queue(&mut entry.lane, &item);
        }
        Ok(())
    }
}

/// Puts a frame into its lane.
#[inline]
pub(crate) fn queue(lane: &mut Lane, item: &Item<'_>) {
    match item.event {
        Ok(decoded) => match (decoded.event, decoded.ts) {
            // It carries no time. One at time 0 opens a stream.
            (Event::CoreId { .. }, Some(0)) => lane.stream_start(),
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
