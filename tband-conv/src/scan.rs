//! The first pass over the inputs: names, kinds and resolution before the first event is shown, and
//! whether the inputs are recordings at all.
//!
//! Metadata may be anywhere in a recording, also after the events it explains, so it is
//! collected before the conversion proper. Once enough events have been seen to be convinced, only
//! frames that can be metadata are decoded.

use std::collections::BTreeSet;

use tband_format::{EVENTS, Event, Group};

use crate::clock::{Clock, Known};
use crate::deferred::Deferred;
use crate::diagnostics::Place;
use crate::error::ConvError;
use crate::frequency::Frequency;
use crate::input::Input;
use crate::item::{Item, Mode};
use crate::model::World;
use crate::naming::{CREATIONS, is_naming};
use crate::packets::Link;
use crate::schemas::Schemas;
use crate::starts::{Finder, Start};
use crate::wanted::Wanted;

/// Undecodable frames from which on the share of events decides whether this is a recording.
const SUSPICIOUS: u64 = 20;
/// At least one frame in this many must be an event.
const MIN_SHARE: u64 = 20;

/// Tells recordings from other files by how many frames decode.
#[derive(Clone, Debug, Default)]
pub struct Credibility {
    good: u64,
    bad: u64,
    first_bad: Option<(u64, String)>,
}

impl Credibility {
    /// Counts a frame.
    pub fn add(&mut self, item: &Item<'_>) {
        match &item.event {
            // Only a packet that is believed tells what is missing.
            Ok(_) => self.good = self.good.saturating_add(1),
            Err(defect) if defect.is_report() => self.good = self.good.saturating_add(1),
            Err(defect) => {
                self.bad = self.bad.saturating_add(1);
                if self.first_bad.is_none() {
                    self.first_bad = Some((item.offset, defect.to_string()));
                }
            }
        }
    }

    /// So many events that the rest does not matter.
    #[must_use]
    pub const fn is_certain(&self) -> bool {
        self.good >= 64 && self.good > self.bad
    }

    /// The verdict at the end of an input of `len` bytes.
    ///
    /// # Errors
    /// [`ConvError::Empty`] or [`ConvError::NotARecording`].
    pub fn verdict(&self, input: &Input<'_>, len: u64) -> Result<(), ConvError> {
        self.verdict_of(&input.name(), len, input.hint())
    }

    /// So many frames that are events were counted elsewhere.
    #[must_use]
    pub const fn with_good(mut self, good: u64) -> Self {
        self.good = good;
        self
    }

    /// The verdict at the end of an input of this name and of `len` bytes, with what to try if it is bad.
    ///
    /// # Errors
    /// As for [`verdict`](Self::verdict).
    pub fn verdict_of(&self, name: &str, len: u64, hint: &'static str) -> Result<(), ConvError> {
        let enough = self.bad < SUSPICIOUS || self.good.saturating_mul(MIN_SHARE) >= self.bad;
        if self.is_certain() || (self.good > 0 && enough) {
            return Ok(());
        }
        let Some((offset, found)) = self.first_bad.clone() else {
            return Err(ConvError::Empty { input: name.to_owned(), len });
        };
        Err(ConvError::NotARecording {
            input: name.to_owned(),
            good: self.good,
            frames: self.good.saturating_add(self.bad),
            offset,
            found,
            hint,
        })
    }
}

/// What the first pass found.
#[derive(Clone, Debug, Default)]
pub struct Scan {
    /// Names and kinds, to start the timeline with.
    pub world: World,
    /// Time of the first event, in ticks; the earliest of all inputs.
    pub(crate) first_ticks: Option<u64>,
    /// Some of the events that it had to look at are of FreeRTOS.
    pub(crate) has_freertos: bool,
    /// Events that change no state of the target: metadata, `core_id` and the timer's frequency.
    pub(crate) about: u64,
    /// Those of them that are `core_id`.
    pub(crate) core_ids: u64,
    /// What inputs say of the timer, each with the time of its first event, in ticks.
    timers: Vec<(Option<u64>, Timer)>,
    /// For each input where the events of each of its cores lie.
    pub(crate) extents: Vec<Vec<Extent>>,
    /// Cores that have an event with a time.
    active: BTreeSet<u32>,
    /// For each input where its streams start.
    pub(crate) starts: Vec<Vec<Start>>,
    /// For each input up to where its packets are known to be whole.
    pub(crate) checked_to: Vec<u64>,
    /// For each input what it says of events that the registry does not have.
    pub(crate) schemas: Vec<Schemas>,
    /// What came over the link, where inputs are packets.
    pub(crate) link: Option<Link>,
    /// Names of what comes later.
    pub(crate) deferred: Deferred,
    /// Inputs among others that have no event, and their bytes.
    pub(crate) empty: Vec<(usize, u64)>,
    /// Files without a byte that are joined to others, by name and place in their input.
    no_bytes: Vec<(usize, u64, String)>,
}

/// How often inputs are read anew since they describe events that come before.
const MAX_ANEW: u32 = 2;

impl Scan {
    /// Reads all inputs once; again where packets have events that the recording describes after them.
    ///
    /// # Errors
    /// [`ConvError`] if one cannot be read or is no recording, or if none has an event.
    pub fn run(inputs: &[Input<'_>], mode: Mode) -> Result<Self, ConvError> {
        if inputs.is_empty() {
            return Err(ConvError::NoInput);
        }
        let mut scan = Self::with_schemas(inputs, mode, &[])?;
        for _ in 0..MAX_ANEW {
            if !scan.schemas.iter().any(Schemas::came_late) {
                break;
            }
            scan = Self::with_schemas(inputs, mode, &scan.schemas)?;
        }
        Ok(scan)
    }

    /// Reads all inputs, of which this is known from a time before.
    fn with_schemas(
        inputs: &[Input<'_>],
        mode: Mode,
        schemas: &[Schemas],
    ) -> Result<Self, ConvError> {
        let mut scan = Self::default();
        for (index, input) in inputs.iter().enumerate() {
            let extents = scan.input(index, input, mode, schemas.get(index))?;
            scan.extents.push(extents);
        }
        match (scan.empty.first(), inputs.first()) {
            (Some(&(_, len)), Some(first)) if scan.empty.len() == inputs.len() => {
                Err(ConvError::Empty { input: first.name(), len })
            }
            _ => Ok(scan),
        }
    }

    fn input(
        &mut self,
        index: usize,
        input: &Input<'_>,
        mode: Mode,
        schemas: Option<&Schemas>,
    ) -> Result<Vec<Extent>, ConvError> {
        let mut finder = Finder::new(index);
        let mut events = input.events(mode)?;
        if let Some(schemas) = schemas {
            events = events.with_schemas(schemas);
        }
        let mut credibility = Credibility::default();
        let mut extents = Vec::new();
        let (mut core, mut first) = (input.core(), 0);
        let mut starts = FirstTicks::default();
        let mut timer = Timer::default();
        starts.look_at(core);
        loop {
            let all = !credibility.is_certain() || !starts.is_known() || finder.wants_all();
            let wanted = if all { &ALL } else { &WANTED };
            let item = events.next_item_of(wanted).map_err(|error| input.read_error(error))?;
            let Some((passed, item)) = item else {
                break;
            };
            if passed.skipped {
                finder.passed(core, &mut self.world, &mut self.deferred);
            }
            if !credibility.is_certain() {
                credibility.add(&item);
            }
            if item.core != core {
                extend(&mut extents, core, first, passed.behind);
                (core, first) = (item.core, item.offset);
                starts.look_at(core);
            }
            let Ok(decoded) = item.event else { continue };
            self.has_freertos |= decoded.event.group() == Group::FreeRtos;
            timer.learn(&decoded.event);
            let event = &decoded.event;
            let is_about = event.is_metadata()
                || matches!(event, Event::CoreId { .. } | Event::TsFrequency { .. });
            self.about = self.about.saturating_add(is_about.into());
            let is_core_id = matches!(event, Event::CoreId { .. });
            self.core_ids = self.core_ids.saturating_add(is_core_id.into());
            finder.event(&item, &decoded, (&mut self.world, &mut self.deferred));
            if decoded.event.is_metadata() {
                if !is_naming(&decoded.event) {
                    self.world.learn_first(core, &decoded.event);
                }
            } else if !matches!(decoded.event, Event::CoreId { .. }) {
                starts.event(decoded.ts);
            }
        }
        let len = events.offset();
        self.checked_to.push(events.whole_to());
        self.schemas.push(events.schemas().clone());
        self.add_link(events.link());
        self.note_files_without_bytes(index, &input.files(), len);
        self.starts.push(finder.close(&mut self.world, &mut self.deferred));
        extend(&mut extents, core, first, events.behind());
        self.add_timer(&starts, timer);
        match credibility.verdict(input, len) {
            Err(ConvError::Empty { .. }) => self.empty.push((index, len)),
            verdict => verdict?,
        }
        Ok(extents)
    }

    /// Takes what the second pass reads the inputs by: where cores have their events, and where streams start.
    pub(crate) fn in_second_pass(&self) -> Self {
        Self {
            extents: self.extents.clone(),
            starts: self.starts.clone(),
            checked_to: self.checked_to.clone(),
            schemas: self.schemas.clone(),
            ..Self::default()
        }
    }

    /// Adds what came over the link of an input, if it is packets.
    fn add_link(&mut self, link: Option<Link>) {
        if let Some(link) = link {
            self.link.get_or_insert_default().add(&link);
        }
    }

    /// Adds what was found of the timer and the cores of an input.
    pub(crate) fn add_timer(&mut self, starts: &FirstTicks, timer: Timer) {
        let active = starts.cores.iter().filter(|(_, ticks)| ticks[0].is_some());
        self.active.extend(active.map(|(core, _)| *core));
        let first_ticks = starts.ticks().flatten().min();
        self.timers.push((first_ticks, timer));
        self.first_ticks = [self.first_ticks, first_ticks].into_iter().flatten().min();
    }

    fn note_files_without_bytes(&mut self, input: usize, files: &[(String, u64)], len: u64) {
        let ends = files.iter().skip(1).map(|(_, start)| *start).chain([len]);
        for ((name, start), end) in files.iter().zip(ends) {
            if files.len() > 1 && end <= *start {
                self.no_bytes.push((input, *start, name.clone()));
            }
        }
    }

    /// How the timer counts at the start, as far as the recording says so. What the earliest input says
    /// counts; an exact frequency is known from the start on if what was rounded there comes from it.
    pub(crate) fn known(&self) -> Known {
        let mut timers: Vec<_> = self.timers.iter().collect();
        // Metadata alone has no time, but is of the target all the same.
        timers.sort_by_key(|(first, _)| first.unwrap_or(u64::MAX));
        let rounded = timers.iter().find_map(|(_, timer)| timer.rounded);
        let exact = timers.iter().find_map(|(_, timer)| timer.exact);
        match (exact, rounded) {
            (Some(exact), Some(ns)) if !exact.rounds_to(ns) => Known::Rounded(ns),
            (Some(exact), _) => Known::Exact(exact),
            (None, Some(ns)) => Known::Rounded(ns),
            (None, None) => Known::Nothing,
        }
    }

    /// The clock as it starts, with the frequency that the user knows better, if there is one.
    pub(crate) fn clock(&self, tick_rate: Option<Frequency>) -> Clock {
        Clock::starting(self.known(), tick_rate, self.first_ticks.unwrap_or(0))
    }

    /// Where inputs, or files that are joined to others, have no event, with what is to be said of that.
    pub(crate) fn empty_inputs(&self, inputs: &[Input<'_>]) -> Vec<(Place, String)> {
        let text = |&(input, len): &(usize, u64)| {
            let core = inputs.get(input).map_or(0, Input::core);
            let zeros = if len > 0 { ", all zero" } else { "" };
            let text = format!("no event of core {core} is here ({len} bytes{zeros})");
            (Place { input, offset: 0 }, text)
        };
        let file = |(input, offset, name): &(usize, u64, String)| {
            let text =
                format!("{name} has no bytes; if it is of another core, say so as in {name}@1");
            (Place { input: *input, offset: *offset }, text)
        };
        self.empty.iter().map(text).chain(self.no_bytes.iter().map(file)).collect()
    }

    /// The cores that have events, not just metadata or padding.
    pub(crate) fn cores(&self) -> impl Iterator<Item = u32> {
        self.active.iter().copied()
    }
}

/// What an input says of the timer first.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Timer {
    /// Nanoseconds a tick, above 0.
    rounded: Option<u64>,
    exact: Option<Frequency>,
    /// It had an event with a time.
    is_running: bool,
}

impl Timer {
    /// Takes an event in.
    pub fn learn(&mut self, event: &Event<'_>) {
        match *event {
            Event::TsResolutionNs { ns_per_ts: ns @ 1.. } if self.exact.is_none() => {
                // What was reported last before the first event is in force there.
                if self.rounded.is_none() || !self.is_running {
                    self.rounded = Some(ns);
                }
            }
            Event::TsFrequency { numerator, denominator } => {
                self.exact = self.exact.or_else(|| Frequency::new(numerator, denominator));
            }
            Event::CoreId { .. } => {}
            _ => self.is_running |= !event.is_metadata(),
        }
    }
}

/// When the cores of an input start; in the input any may come first.
#[derive(Debug, Default)]
pub(crate) struct FirstTicks {
    /// Cores with the times of their first two events, in ticks. Two, since one may be damaged.
    cores: Vec<(u32, [Option<u64>; 2])>,
    /// The core that the next events belong to.
    current: usize,
}

impl FirstTicks {
    /// What follows is of this core.
    pub fn look_at(&mut self, core: u32) {
        let known = self.cores.iter().position(|(it, _)| *it == core);
        self.current = known.unwrap_or_else(|| {
            self.cores.push((core, [None; 2]));
            self.cores.len().saturating_sub(1)
        });
    }

    /// Further events of this core change nothing.
    fn is_known(&self) -> bool {
        matches!(self.cores.get(self.current), Some((_, [_, Some(_)])))
    }

    /// There is a core, and further events of those that there are change nothing.
    pub fn are_all_known(&self) -> bool {
        !self.cores.is_empty() && self.cores.iter().all(|(_, ticks)| ticks[1].is_some())
    }

    /// An event of the core, which may have a time.
    pub fn event(&mut self, ticks: Option<u64>) {
        let free = self.cores.get_mut(self.current);
        if let Some(free) = free.and_then(|(_, it)| it.iter_mut().find(|it| it.is_none())) {
            *free = ticks;
        }
    }

    fn ticks(&self) -> impl Iterator<Item = Option<u64>> {
        self.cores.iter().flat_map(|(_, ticks)| *ticks)
    }
}

/// Where a core's events lie in an input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    /// The core.
    pub core: u32,
    /// Offset from which on it has events.
    pub first: u64,
    /// As of [`EventReader::behind`](crate::events::EventReader::behind): whoever has read so far has had all its events.
    pub end: u64,
}

fn extend(extents: &mut Vec<Extent>, core: u32, first: u64, end: u64) {
    match extents.iter_mut().find(|extent| extent.core == core) {
        Some(extent) => extent.end = end,
        None if end > first => extents.push(Extent { core, first, end }),
        None => {}
    }
}

/// All events.
static ALL: Wanted = Wanted::new([true; 256]);

/// Events that report the target as a whole or of objects that are new: metadata, the timer's frequency, those that
/// create an object.
static WANTED: Wanted = Wanted::new({
    let mut table = [false; 256];
    let mut index = 0;
    while index < EVENTS.len() {
        table[EVENTS[index].id as usize] = EVENTS[index].metadata;
        index += 1;
    }
    table[Event::TsFrequency { numerator: 0, denominator: 0 }.id() as usize] = true;
    let mut index = 0;
    while index < CREATIONS.len() {
        table[CREATIONS[index].id() as usize] = true;
        index += 1;
    }
    table
});
