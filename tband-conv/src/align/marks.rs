//! Records of one moment on several clocks.

use std::collections::{BTreeMap, BTreeSet};

use tband_format::Event;
use tband_format::registry::clock_sync;

use super::boards::Target;
use super::{AlignBy, Clocks};
use crate::clock::FrequencyKnowledge;
use crate::clock::frequency::Frequency;
use crate::error::ConvError;
use crate::input::Input;
use crate::item::Mode;

/// Order of a moment that several clocks record, relative to the other clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Side {
    /// At the time that it was sent to the others, or before.
    Sent,
    /// At the time that it was received, or after.
    Heard,
    /// All have it at the same time.
    Same,
}

/// Maximum number of moments; more add no information about a clock.
const MAX_MOMENTS: usize = 1 << 18;

/// Which moment.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    Number(i64),
    Text(Vec<u8>),
}

/// Moments of a clock.
#[derive(Clone, Debug, Default)]
pub(super) struct ClockMarks {
    /// When each moment was, in ticks; `None` for one that it has twice.
    pub marks: BTreeMap<(Side, Key), Option<u64>>,
    /// When each pulse was, in ticks: they have no number.
    pub pulses: Vec<u64>,
    /// Times in ns of the computer that received the recording, and the last event that it had then, in ticks.
    pub received: Vec<(u64, u64)>,
    /// First and last event, in ticks.
    pub range: Option<(u64, u64)>,
    /// The cores whose events have its times.
    pub cores: BTreeSet<u32>,
}

/// Moments of an input.
#[derive(Clone, Debug, Default)]
pub(super) struct InputMarks {
    /// By run of the target and core, or all cores in one.
    pub clocks: BTreeMap<(usize, u32), ClockMarks>,
    /// Offsets at which the runs begin.
    pub runs: Vec<u64>,
    /// How its timers count.
    pub known: FrequencyKnowledge,
    /// Evidence of the board that the input belongs to.
    pub target: Target,
}

/// Reads an input for its moments.
pub(super) fn read(
    input: &Input<'_>,
    by: &AlignBy,
    clocks: Clocks,
) -> Result<InputMarks, ConvError> {
    let ids = match by {
        AlignBy::Marker(name) | AlignBy::Pulse(name) => ids_of(input, name)?,
        AlignBy::ClockSync | AlignBy::Received => Ids::default(),
    };
    let mut found = InputMarks { runs: vec![0], ..InputMarks::default() };
    // A stream starts here, which may be the next run; and the last time of each core in this run.
    let (mut start, mut last) = (None, BTreeMap::new());
    let mut received = input.received().iter().peekable();
    let mut events = input.events(Mode::FreeRtos)?;
    while let Some(item) = events.next_item().map_err(|error| input.read_error(error))? {
        let Ok(decoded) = item.event else { continue };
        found.target.learn(&decoded.event);
        match decoded.event {
            Event::TsResolutionNs { ns_per_ts: ns @ 1.. }
                if found.known == FrequencyKnowledge::Nothing =>
            {
                found.known = FrequencyKnowledge::Rounded(ns);
            }
            Event::TsFrequency { numerator, denominator } => {
                if let (Some(exact), FrequencyKnowledge::Nothing | FrequencyKnowledge::Rounded(_)) =
                    (Frequency::new(numerator, denominator), found.known)
                {
                    found.known = FrequencyKnowledge::Exact(exact);
                }
            }
            _ => {}
        }
        if let (Some(0), Event::CoreId { .. }) = (decoded.ts, decoded.event) {
            start.get_or_insert(item.offset);
        }
        let (Some(ts), false) = (decoded.ts, matches!(decoded.event, Event::CoreId { .. })) else {
            continue;
        };
        let before = last.get(&item.core).or_else(|| last.values().max());
        if let Some(start) = start.take()
            && before.is_some_and(|before| ts < *before)
        {
            found.runs.push(start);
            last.clear();
        }
        last.insert(item.core, ts);
        let run = found.runs.len() - 1;
        let core = if clocks == Clocks::OfCores { item.core } else { 0 };
        let clock = found.clocks.entry((run, core)).or_default();
        let (first, last) = clock.range.unwrap_or((ts, ts));
        clock.range = Some((first.min(ts), last.max(ts)));
        clock.cores.insert(item.core);
        found.target.cores.insert(item.core);
        if *by == AlignBy::Received {
            while received.next_if(|(end, _)| *end <= item.offset).is_some() {}
            let block = received.peek().map(|(_, ns)| *ns);
            clock.add_reception(block, ts);
        }
        if ids.is_pulse(&decoded.event) && clock.pulses.len() < MAX_MOMENTS {
            clock.pulses.push(ts);
        }
        if let Some(key) = mark(&decoded.event, by, &ids)
            && clock.marks.len() < MAX_MOMENTS
        {
            clock.marks.entry(key).and_modify(|time| *time = None).or_insert(Some(ts));
        }
    }
    Ok(found)
}

impl ClockMarks {
    /// Adds the reception time of an event, if it is known. Of events that were received at once, the last was in transmission
    /// for the shortest time.
    fn add_reception(&mut self, block: Option<u64>, ts: u64) {
        let Some(ns) = block else { return };
        if let Some((_, own)) = self.received.last_mut().filter(|(last, _)| *last == ns) {
            *own = ts.max(*own);
        } else if self.received.len() < MAX_MOMENTS {
            self.received.push((ns, ts));
        }
    }
}

fn mark(event: &Event<'_>, by: &AlignBy, ids: &Ids) -> Option<(Side, Key)> {
    match (by, event) {
        (AlignBy::ClockSync, &Event::Valmarker { valmarker_id, val }) => match valmarker_id {
            clock_sync::SENT => Some((Side::Sent, Key::Number(val))),
            clock_sync::HEARD => Some((Side::Heard, Key::Number(val))),
            _ => None,
        },
        (AlignBy::Marker(_), &Event::Valmarker { valmarker_id, val }) => {
            ids.values.contains(&valmarker_id).then_some((Side::Same, Key::Number(val)))
        }
        (AlignBy::Marker(_), &Event::Evtmarker { evtmarker_id, msg }) => {
            let key = || (Side::Same, Key::Text(msg.0.to_vec()));
            ids.events.contains(&evtmarker_id).then(key)
        }
        _ => None,
    }
}

/// Numbers of the markers and the interrupts of a name.
#[derive(Debug, Default)]
struct Ids {
    values: Vec<u32>,
    events: Vec<u32>,
    isrs: Vec<u32>,
}

impl Ids {
    /// The event is a pulse: only its time tells it apart from other pulses.
    fn is_pulse(&self, event: &Event<'_>) -> bool {
        match *event {
            Event::IsrEnter { isr_id } => self.isrs.contains(&isr_id),
            Event::Evtmarker { evtmarker_id, .. } | Event::EvtmarkerBegin { evtmarker_id, .. } => {
                self.events.contains(&evtmarker_id)
            }
            Event::Valmarker { valmarker_id, .. } => self.values.contains(&valmarker_id),
            _ => false,
        }
    }
}

fn ids_of(input: &Input<'_>, wanted: &str) -> Result<Ids, ConvError> {
    let mut ids = Ids::default();
    let mut events = input.events(Mode::FreeRtos)?;
    while let Some(item) = events.next_item().map_err(|error| input.read_error(error))? {
        match item.event.map(|decoded| decoded.event) {
            Ok(Event::ValmarkerName { valmarker_id, name }) if name.0 == wanted.as_bytes() => {
                ids.values.push(valmarker_id);
            }
            Ok(Event::EvtmarkerName { evtmarker_id, name }) if name.0 == wanted.as_bytes() => {
                ids.events.push(evtmarker_id);
            }
            Ok(Event::IsrName { isr_id, name }) if name.0 == wanted.as_bytes() => {
                ids.isrs.push(isr_id);
            }
            _ => {}
        }
    }
    Ok(ids)
}
