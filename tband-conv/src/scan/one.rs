//! The first pass over one input, step by step.

use std::io::{self, Read};
use std::rc::Rc;

use tband_format::registry::{EVENTS, FORMER_MAIN_PROGRAM, Group, MAIN_PROGRAM};
use tband_format::{Event, Str};

use super::Scan;
use super::changes::ClockChange;
use crate::events::EventReader;
use crate::foreign::kept::KeptRecording;
use crate::input::credibility::Credibility;
use crate::item::event_selection::EventSelection;
use crate::outset::layout::{Extent, Layout, extend};
use crate::outset::metadata_tracker::{CREATIONS, is_naming};
use crate::outset::starts::Finder;
use crate::outset::timers::{FirstTicks, Timer};

/// The first pass over one input.
#[derive(Debug)]
pub(crate) struct InputScan<R> {
    events: EventReader<R>,
    finder: Finder,
    credibility: Credibility,
    extents: Vec<Extent>,
    /// The core of the last event, and the offset from which on all are of it.
    core: u32,
    first: u64,
    starts: FirstTicks,
    timer: Timer,
    has_records: bool,
    /// Events were passed over since the last one that was taken in.
    skipped: bool,
    /// Time of the last event, if all are examined for clock reports.
    now: Option<u64>,
}

impl<R: Read> InputScan<R> {
    /// Creates the first pass over the input of this number, whose events belong to `core` until it reports another one. It may
    /// have to examine all events, to find the changes of the timer's frequency and interrupts; then it skips none.
    pub fn new(index: usize, core: u32, events: EventReader<R>, examines_all: bool) -> Self {
        let mut starts = FirstTicks::default();
        starts.look_at(core);
        Self {
            events,
            finder: Finder::new(index),
            credibility: Credibility::default(),
            extents: Vec::new(),
            core,
            first: 0,
            starts,
            timer: Timer::default(),
            has_records: false,
            skipped: false,
            now: examines_all.then_some(0),
        }
    }

    /// The input.
    pub const fn input_mut(&mut self) -> &mut R {
        self.events.input_mut()
    }

    /// Handles the next selected event. Returns false if the input has ended.
    ///
    /// # Errors
    /// The reader's error. Nothing is lost: a caller that has to wait calls it again.
    pub fn step(&mut self, scan: &mut Scan) -> io::Result<bool> {
        let Self { events, finder, credibility, extents, core, first, starts, timer, .. } = self;
        let Self { has_records, skipped, now, .. } = self;
        let outset = &mut scan.outset;
        let needs_all = !credibility.is_certain() || !starts.is_known() || finder.needs_all();
        let wanted = if needs_all || now.is_some() { &ALL } else { &WANTED };
        let next = events.next_item_of(wanted, skipped)?;
        let skipped = std::mem::take(skipped);
        let Some((reached, item)) = next else { return Ok(false) };
        if skipped {
            finder.passed(*core, &mut outset.world, &mut outset.deferred);
        }
        if !credibility.is_certain() {
            credibility.add(&item);
        }
        if item.core != *core {
            extend(extents, *core, *first, reached);
            (*core, *first) = (item.core, item.offset);
            starts.look_at(*core);
        }
        let Ok(decoded) = item.event else { return Ok(true) };
        let event = &decoded.event;
        // Where passing over is not worth it others show too.
        if (needs_all || WANTED.is(event.id())) && event.group() == Group::FreeRtos {
            outset.note_freertos();
        }
        if let Some(now) = now {
            scan.changes.extend(ClockChange::of(&decoded, now));
            scan.runs_former_main |= is_former_main_as_interrupt(event);
        }
        timer.learn(event);
        if let Event::IsrName { isr_id, .. } = *event {
            scan.names_former_main |= isr_id == FORMER_MAIN_PROGRAM;
            scan.names_main |= isr_id == MAIN_PROGRAM;
        }
        *has_records |= matches!(event, Event::Record { .. } | Event::Typed { .. });
        let is_core_id = matches!(event, Event::CoreId { .. });
        let is_about =
            event.is_metadata() || is_core_id || matches!(event, Event::TsFrequency { .. });
        scan.about = scan.about.saturating_add(is_about.into());
        scan.core_ids = scan.core_ids.saturating_add(is_core_id.into());
        finder.event(&item, &decoded, (&mut outset.world, &mut outset.deferred));
        if event.is_metadata() {
            if !is_naming(event) {
                outset.world.learn_first(*core, event);
            }
        } else if !is_core_id {
            starts.event(decoded.ts);
        }
        Ok(true)
    }

    /// The events that were imported, if the input is of another recorder and all were kept.
    pub fn imported(&self) -> Option<Rc<KeptRecording>> {
        self.events.imported()
    }

    /// The input has ended. Returns its credibility, and its bytes.
    pub fn close(mut self, scan: &mut Scan) -> (Credibility, u64) {
        let outset = &mut scan.outset;
        let (events, len) = (&self.events, self.events.offset());
        extend(&mut self.extents, self.core, self.first, events.reached());
        if let Some(link) = events.link() {
            scan.link.get_or_insert_default().add(&link);
        }
        self.credibility.set_foreign(events.about().is_some());
        if let Some(about) = events.about() {
            scan.sources.push((scan.links.len(), about));
        }
        scan.links.push(events.link());
        scan.firsts.push(events.first_packets());
        scan.layouts.push(Layout {
            extents: self.extents,
            checked_to: events.whole_to(),
            has_records: self.has_records,
            schemas: events.schemas().clone(),
            starts: self.finder.close(&mut outset.world, &mut outset.deferred),
        });
        outset.add_timer(&self.starts, self.timer);
        (self.credibility, len)
    }
}

/// An interrupt of the former number of the main program runs: then it is SysTick.
const fn is_former_main_as_interrupt(event: &Event<'_>) -> bool {
    matches!(
        event,
        Event::IsrEnter { isr_id: FORMER_MAIN_PROGRAM }
            | Event::IsrExit { isr_id: FORMER_MAIN_PROGRAM }
            | Event::IsrExitToScheduler { isr_id: FORMER_MAIN_PROGRAM }
            | Event::OpenIsr { isr_id: FORMER_MAIN_PROGRAM }
    )
}

/// All events.
static ALL: EventSelection = EventSelection::new([true; 256]);

/// Events that concern the target as a whole or new objects: metadata, the timer's frequency, those that create an object, and
/// log records of the application.
static WANTED: EventSelection = EventSelection::new({
    let mut table = [false; 256];
    let mut index = 0;
    while index < EVENTS.len() {
        table[EVENTS[index].id as usize] = EVENTS[index].metadata;
        index += 1;
    }
    table[Event::TsFrequency { numerator: 0, denominator: 0 }.id() as usize] = true;
    table[Event::Record { at: 0, is: Str(&[]) }.id() as usize] = true;
    table[Event::Typed { no: 0, is: Str(&[]) }.id() as usize] = true;
    let mut index = 0;
    while index < CREATIONS.len() {
        table[CREATIONS[index].id() as usize] = true;
        index += 1;
    }
    table
});
