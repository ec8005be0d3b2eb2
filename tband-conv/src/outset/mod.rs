//! Facts known about a recording before its first event is shown, of all inputs together: names, the timer, the cores. A first
//! pass over the inputs finds them, or otherwise the start of each input contains them.

pub mod deferred_metadata;
pub mod head;
pub mod layout;
pub mod metadata_tracker;
pub mod starts;
pub mod timers;

use std::collections::BTreeSet;

use tband_format::classes::CLASSES;
use tband_format::registry::trace_info_flags;

use crate::clock::frequency::Frequency;
use crate::clock::{Clock, FrequencyKnowledge};
use crate::item::Mode;
use crate::model::World;
use crate::outset::deferred_metadata::DeferredMetadata;
use crate::outset::timers::{FirstTicks, Timer, Timers};

/// Facts known before the first event.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outset {
    /// Names and kinds, to start the timeline with.
    pub world: World,
    /// Names of later objects.
    pub deferred: DeferredMetadata,
    /// The boards, by number, with events of FreeRTOS.
    with_freertos: BTreeSet<usize>,
    /// Time of the first event, in ticks; the earliest of all inputs.
    first_ticks: Option<u64>,
    timers: Timers,
    /// Cores that have an event with a time.
    active: BTreeSet<u32>,
}

impl Outset {
    /// Adds the facts found about the timer and the cores of an input.
    pub fn add_timer(&mut self, starts: &FirstTicks, timer: Timer) {
        self.active.extend(starts.active());
        let first_ticks = starts.earliest();
        self.timers.add(first_ticks, timer);
        self.first_ticks = [self.first_ticks, first_ticks].into_iter().flatten().min();
    }

    /// Time of the first event, in ticks; the earliest of all inputs.
    pub const fn first_ticks(&self) -> Option<u64> {
        self.first_ticks
    }

    /// Returns the timer's frequency at the start, as far as the recording contains it.
    pub fn known(&self) -> FrequencyKnowledge {
        self.timers.known()
    }

    /// The inputs that have events with times, and do not report the timer.
    pub fn without_timer(&self) -> impl Iterator<Item = usize> {
        self.timers.without_report()
    }

    /// Returns the clock at its start, with the user's frequency, if there is one.
    pub fn clock(&self, tick_rate: Option<Frequency>) -> Clock {
        Clock::starting(self.known(), tick_rate, self.first_ticks.unwrap_or(0))
    }

    /// The cores that have events, not just metadata or padding.
    pub fn cores(&self) -> impl Iterator<Item = u32> {
        self.active.iter().copied()
    }

    /// Some of the events of the current board are of FreeRTOS.
    pub fn note_freertos(&mut self) {
        self.with_freertos.insert(self.world.boards.current());
    }

    /// Whether the recording reports that the current board has no RTOS, and no scheduler that reports tasks. FreeRTOS events
    /// overrule this: a flag is damaged more easily.
    pub fn is_bare_metal(&self) -> bool {
        let info = self.world.trace_info;
        let tasks = CLASSES.iter().filter(|class| class.name == "TASK").map(|class| class.flag);
        let has_tasks = tasks.fold(trace_info_flags::FREERTOS, |bits, bit| bits | bit);
        info.is_some_and(|info| info.flags & has_tasks == 0)
            && !self.with_freertos.contains(&self.world.boards.current())
    }

    /// Returns which events the recording may hold, given the user's choice.
    pub fn mode(&self, mode: Mode) -> Mode {
        match mode {
            Mode::Auto if self.is_bare_metal() && self.with_freertos.is_empty() => Mode::BareMetal,
            mode => mode,
        }
    }
}
