//! Finds where new streams start within an input, so that the parts before and after are not drawn as one.
//!
//! A stream begins with `core_id` and metadata: the names that the target has kept, those of each core after its `core_id`, and
//! the recorder's facts about the system. The first pass searches for that. A run of frames without their own time between two
//! events starts a new stream if it has a `core_id` and also `trace_info`, a resolution, or an identical repetition of a name.
//! Other runs cannot be distinguished from cores that take turns and objects that are created. In an input of one core, any
//! `core_id` starts a stream.
//!
//! A buffer of another core that comes after the first one begins in the same manner and is not a start: its `core_id` is at
//! time 0, of a core that had no events yet.

use std::collections::VecDeque;

use tband_format::Event;
use tband_format::decode::Decoded;

use crate::cores::MAX_CORES;
use crate::item::Item;
use crate::item::owned_event::OwnedEvent;
use crate::model::World;
use crate::outset::deferred_metadata::DeferredMetadata;
use crate::outset::metadata_tracker::{MetadataTracker, is_naming};

/// Maximum number of kept starts of an input.
const MAX_STARTS: usize = 1 << 16;
/// Maximum bytes of metadata in one run that are examined together.
const MAX_RUN: usize = 1 << 20;

/// A run of frames without timestamps that reports more than later objects.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Start {
    /// Offset of its first frame.
    pub offset: u64,
    /// Offset after its last frame.
    pub end: u64,
    /// Another stream starts here; otherwise it is the start of the input.
    pub new_stream: bool,
    /// It has nothing but a `core_id`: another stream if all events are of one core.
    pub bare: bool,
    /// Core of the first event after it, and its timestamp.
    pub first: Option<(u32, u64)>,
}

/// The frames without their own time since the last timed event.
#[derive(Debug, Default)]
struct Run {
    start: Start,
    /// It has a `core_id`, and metadata that only the start of a stream has.
    core_id: bool,
    again: bool,
    /// It has a `core_id` of a core that had events, or at time 0 of one that had none.
    known: bool,
    new: bool,
    /// Names that they report, with their offsets and cores.
    names: Vec<((u64, u32), OwnedEvent)>,
    bytes: usize,
}

/// Follows the first pass over one input.
#[derive(Debug)]
pub(crate) struct Finder {
    naming: MetadataTracker,
    run: Option<Run>,
    /// The cores that had events, one bit each.
    had: u64,
    starts: Vec<Start>,
}

const fn bit(core: u32) -> u64 {
    const { assert!(MAX_CORES <= 64) };
    1_u64.wrapping_shl(core)
}

impl Finder {
    pub fn new(input: usize) -> Self {
        Self { naming: MetadataTracker::new(input), run: None, had: 0, starts: Vec::new() }
    }

    /// The next event must be shown, whatever it is.
    pub fn needs_all(&self) -> bool {
        self.run.is_some() || self.starts.last().is_some_and(|start| start.first.is_none())
    }

    /// Events of this core were passed over.
    pub fn passed(&mut self, core: u32, world: &mut World, deferred: &mut DeferredMetadata) {
        self.had |= bit(core);
        self.end_run(world, deferred);
    }

    /// An event.
    pub fn event(
        &mut self,
        item: &Item<'_>,
        decoded: &Decoded<'_>,
        (world, deferred): (&mut World, &mut DeferredMetadata),
    ) {
        // These events have no own time.
        let is_head = matches!(decoded.event, Event::CoreId { .. } | Event::TsFrequency { .. });
        if !decoded.event.is_metadata() && !is_head {
            self.end_run(world, deferred);
            self.had |= bit(item.core);
            if let Some(start) = self.starts.last_mut() {
                start.first = start.first.or(decoded.ts.map(|ts| (item.core, ts)));
            }
            self.naming.event((item.offset, item.core), &decoded.event, deferred);
            return;
        }
        let (had, naming) = (self.had, &self.naming);
        let run = self.run.get_or_insert_with(|| {
            let start = Start { offset: item.offset, ..Start::default() };
            Run { start, ..Run::default() }
        });
        run.start.end = item.offset.saturating_add(item.len).saturating_add(1);
        match decoded.event {
            Event::CoreId { core_id } => {
                run.core_id = true;
                run.known |= had & bit(core_id) != 0;
                run.new |= had & bit(core_id) == 0 && decoded.ts == Some(0);
            }
            Event::TraceInfo { .. } | Event::TsResolutionNs { .. } => run.again = true,
            Event::TsFrequency { .. } => {
                run.again = true;
                run.start.first = run.start.first.or(decoded.ts.map(|ts| (item.core, ts)));
            }
            _ if is_naming(&decoded.event) => {
                run.again |= naming.is_repeated(item.core, &decoded.event);
                run.bytes = run.bytes.saturating_add(decoded.event.payload_len(0));
                run.names.push(((item.offset, item.core), (&decoded.event).into()));
            }
            _ => {}
        }
        if run.bytes > MAX_RUN {
            self.end_run(world, deferred);
        }
    }

    fn end_run(&mut self, world: &mut World, deferred: &mut DeferredMetadata) {
        let Some(Run { mut start, core_id, again, known, new, names, .. }) = self.run.take() else {
            return;
        };
        start.new_stream = self.had != 0 && core_id && again && (known || !new);
        // Cores that take turns have one each time, and none of these is a start.
        start.bare = self.had.is_power_of_two() && core_id && !start.new_stream;
        let is_first = self.had == 0 && self.starts.is_empty();
        if (start.new_stream || start.bare || is_first) && self.starts.len() < MAX_STARTS {
            self.starts.push(start);
        }
        if start.new_stream {
            self.naming.start_stream(start.offset, world, deferred);
        }
        for (of, event) in names {
            self.naming.event(of, &event.get(), deferred);
        }
        self.naming.finish_start();
    }

    /// The input ends.
    pub fn close(mut self, world: &mut World, deferred: &mut DeferredMetadata) -> Vec<Start> {
        self.end_run(world, deferred);
        self.naming.close(world, deferred);
        let one_core = self.had.is_power_of_two();
        for start in self.starts.iter_mut().filter(|start| start.bare) {
            start.new_stream = one_core;
        }
        self.starts.retain(|start| start.new_stream || !start.bare);
        self.starts
    }
}

/// What the second pass has to do with a frame.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FrameAction {
    /// A new stream starts.
    pub new_stream: Option<NewStream>,
    /// Its content is known from the first pass.
    pub known: bool,
}

/// The start of a new stream.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewStream {
    /// Offset of its first frame.
    pub offset: u64,
    /// Core of that frame.
    pub core: u32,
    /// Core of its first event, and the timestamp, if that is known.
    pub first: Option<(u32, u64)>,
    /// The target is known to have been reset, from its own clock.
    pub is_reset: bool,
}

/// The starts of an input, as its events are read.
#[derive(Clone, Debug)]
pub(crate) enum StreamStarts {
    /// As the first pass found them.
    Known(VecDeque<Start>),
    /// Without a first pass.
    UnscannedInput(StartCandidate),
}

/// The frames without their own time since the last timed event, while they are read for the first time: they may be the start
/// of a stream from a `core_id` on.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StartCandidate {
    /// Where that is, and the core.
    at: Option<(u64, u32)>,
    /// There is one at time 0 of a core that had events.
    known: bool,
    /// After it came metadata that only the start of a stream has.
    is_start: bool,
    bytes: u64,
}

impl StreamStarts {
    pub fn new(starts: &[Start]) -> Self {
        Self::Known(starts.iter().copied().collect())
    }

    pub const fn live() -> Self {
        Self::UnscannedInput(StartCandidate { at: None, known: false, is_start: false, bytes: 0 })
    }

    /// Examines a frame without timestamp. The target was reset at the offsets `resets`, from its own clock.
    pub fn look(&mut self, item: &Item<'_>, resets: &[u64]) -> FrameAction {
        let Self::Known(starts) = self else { return FrameAction::default() };
        while starts.front().is_some_and(|start| start.end <= item.offset) {
            starts.pop_front();
        }
        let Some(start) = starts.front_mut().filter(|start| start.offset <= item.offset) else {
            return FrameAction::default();
        };
        let first = start.first;
        let is_reset = resets.iter().any(|reset| (start.offset..start.end).contains(reset));
        let Item { offset, core, .. } = *item;
        let new_stream = NewStream { offset, core, first, is_reset };
        let new_stream = std::mem::take(&mut start.new_stream).then_some(new_stream);
        let known = matches!(item.event, Ok(decoded) if is_naming(&decoded.event));
        FrameAction { new_stream, known }
    }

    /// Without a first pass: takes the next frame, of a core that had events or not. Where a stream has started
    /// is known with the first event after that.
    pub fn follow(&mut self, item: &Item<'_>, had: bool) -> Option<NewStream> {
        let Self::UnscannedInput(run) = self else { return None };
        run.bytes = run.bytes.saturating_add(item.len);
        let is_long = run.bytes > MAX_RUN as u64;
        match item.event {
            Ok(Decoded { ts, event: Event::CoreId { .. } }) => {
                if run.at.is_none() {
                    (run.at, run.bytes) = (Some((item.offset, item.core)), 0);
                }
                run.known |= had && ts == Some(0);
            }
            Ok(Decoded {
                event: Event::TraceInfo { .. } | Event::TsResolutionNs { .. }, ..
            }) => {
                run.is_start |= run.known;
            }
            // The start ends with it, and it has the time of the start.
            Ok(Decoded { ts: Some(ts), event: Event::TsFrequency { .. } }) if run.is_start => {
                return run.end(Some((item.core, ts)));
            }
            Ok(Decoded { event: Event::TsFrequency { .. }, .. }) => {}
            Ok(Decoded { ts: Some(ts), .. }) => return run.end(Some((item.core, ts))),
            _ => {}
        }
        if is_long { run.end(None) } else { None }
    }

    /// Without a first pass: the input has ended.
    pub fn close(&mut self) -> Option<NewStream> {
        if let Self::UnscannedInput(run) = self { run.end(None) } else { None }
    }

    /// Whether the items read last may still turn out to start a stream.
    pub const fn is_open(&self) -> bool {
        matches!(self, Self::UnscannedInput(StartCandidate { at: Some(_), .. }))
    }
}

impl StartCandidate {
    fn end(&mut self, first: Option<(u32, u64)>) -> Option<NewStream> {
        let Self { at, known, is_start, .. } = std::mem::take(self);
        let (offset, core) = at.filter(|_| known && is_start)?;
        Some(NewStream { offset, core, first, is_reset: false })
    }
}
