//! The timeline: a state machine that turns events in the order of time into state changes.
//!
//! It tracks the running task of each core, the activity or wait of each task, queue levels, mutex holders, open interrupts and
//! open spans, and reports every change to a [`Sink`]. Events that contradict the state become findings; the event wins and the
//! state follows it.
//!
//! Where events are missing, the state that they may have changed is unknown until an event reports it again; see `gap`.
//!
//! Distinct timestamps: two changes of one task never have the same time, since a state without a length cannot be shown. A
//! state lasts at least 1 ns, a wait 2 ns; a change that comes earlier gets a later time, and a switch moves both tasks
//! together. Sinks get the moved times, so all of them agree to the nanosecond.
//!
//! Each event is matched once, in `dispatch.rs`, and has a function in the file of its object. The state between events is in
//! `memory`; the known and reported state is the [`model`](crate::model).

mod boards;
mod crash;
mod dispatch;
mod drops;
mod flow;
mod gap;
mod generation;
mod halt;
mod initial;
mod isr;
mod main_program;
mod marker;
mod memory;
mod migration;
mod objects;
mod pace;
mod priority;
mod ready;
mod record;
mod switch;
mod system;
mod task;
mod trigger;

use std::fmt::Display;
use std::io;

use tband_format::Event;

use self::memory::MarkerMemory;
use self::memory::calls::Calls;
use self::memory::core::{Core, Cores};
use self::memory::crashes::Crashes;
use self::memory::filters::Filters;
use self::memory::gaps::{Gaps, Resets};
use self::memory::high_bits::HighBits;
pub(crate) use self::memory::hooks::Hooks;
pub(crate) use self::memory::newer_events::NewerEvents;
pub(crate) use self::memory::pace::{LEAP_NS, Leap, Pace, Sample, ShortWaits};
use self::memory::senders::Senders;
use self::memory::system::System;
use self::memory::task::{LastNotified, TaskMemory};
use self::memory::timer_task::TimerTask;
use self::memory::waiters::Waiters;
use crate::diagnostics::{Diagnostics, Finding, LazyOffset, Place, Problem};
use crate::model::{
    Change, Crash, EventTime, Flows, MAX_OBJECTS, Marker, OmissionTime, PerRef, ShedClass, Sink,
    Task, TaskState, Trigger, World,
};
use crate::outset::deferred_metadata::DeferredMetadata;

/// The state machine. Feed it with [`event`](Self::event), close it with [`finish`](Self::finish).
#[derive(Debug, Default)]
pub struct Timeline {
    world: World,
    /// Facts from the first pass about objects that come later.
    deferred: DeferredMetadata,
    /// How often each input reported that the target was reset, and how often it was.
    resets: Resets,
    /// When the target was reset last, and when the recording started last since, in ns.
    reset_ns: Option<i64>,
    start_ns: Option<i64>,
    cores: Cores,
    tasks: PerRef<Task, TaskMemory>,
    markers: PerRef<Marker, MarkerMemory>,
    gaps: Gaps,
    senders: Senders,
    /// How many acts so far may have ended waits.
    acts_so_far: u32,
    last_notified: Option<LastNotified>,
    waiters: Waiters,
    high_bits: HighBits,
    timer_task: TimerTask,
    calls: Calls,
    system: System,
    pace: Pace,
    hooks: Hooks,
    /// Events that only the recording describes.
    newer_events: NewerEvents,
    crashes: Crashes,
    /// Numbers in the application's log records.
    record_names: record::RecordNames,
    filters: Filters,
    /// Triggers of the firmware, the first ones.
    triggers: Vec<Trigger>,
    /// Frames that reported dropped events.
    drop_counts: u64,
    /// The next switch gives a task to a core that leaves another one at the same time.
    swaps: bool,
    /// Highest count of dropped events that any core reported.
    dropped: u32,
    diagnostics: Diagnostics,
    /// The last time of all, unless a core's last event is later.
    end_ns: i64,
    /// Without an RTOS.
    runs_main_program: bool,
    /// The timelines of the other boards, by board.
    parked: Vec<Option<Box<Self>>>,
}

/// The actor of an event.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EventActor {
    /// The innermost open interrupt of its core, or otherwise the task that runs there.
    Core,
    /// An interrupt, also if none is open: that is not recorded then.
    Isr,
    /// No actor: the change is reported or concluded, not done.
    NoActor,
}

/// Context of an event: its time and core, its actor, its place in the recording, and the sink that receives it.
struct Context<'s, S: ?Sized> {
    at: EventTime,
    by: EventActor,
    place: LazyOffset,
    sink: &'s mut S,
}

/// The same where one function is compiled for all sinks.
type AnyContext<'s, 'a> = Context<'s, dyn Sink + 'a>;

impl<S: Sink + ?Sized> Context<'_, S> {
    /// Returns a copy for code that is compiled once for all sinks: everything except the paths of frequent events.
    #[inline]
    const fn rare(&mut self) -> RareContext<'_, S> {
        RareContext {
            at: self.at,
            by: self.by,
            place: self.place,
            sink: SingleEntrySink(&mut *self.sink),
        }
    }
}

/// A context, before it is forgotten which sink it has.
struct RareContext<'s, S: ?Sized> {
    at: EventTime,
    by: EventActor,
    place: LazyOffset,
    sink: SingleEntrySink<'s, S>,
}

impl<S: Sink + ?Sized> RareContext<'_, S> {
    #[inline]
    fn any(&mut self) -> AnyContext<'_, '_> {
        Context { at: self.at, by: self.by, place: self.place, sink: &mut self.sink }
    }
}

/// A sink that gets all changes by its [`change`](Sink::change): so the paths of frequent ones have one caller each, and are
/// compiled into it.
struct SingleEntrySink<'s, S: ?Sized>(&'s mut S);

impl<S: Sink + ?Sized> Sink for SingleEntrySink<'_, S> {
    fn change(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        self.0.change(world, at, change)
    }

    fn initial(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        self.0.initial(world, at, change)
    }
}

impl<S: ?Sized> Context<'_, S> {
    /// A copy. Where an arm is frequent, functions that are not inlined get a copy, so that the original
    /// can stay in registers.
    #[inline]
    const fn reborrow(&mut self) -> Context<'_, S> {
        Context { at: self.at, by: self.by, place: self.place, sink: &mut *self.sink }
    }

    /// An interrupt does it.
    #[inline]
    const fn with_isr_actor(&mut self) -> &mut Self {
        self.by = EventActor::Isr;
        self
    }

    /// Sets no actor.
    #[inline]
    const fn without_actor(&mut self) -> &mut Self {
        self.by = EventActor::NoActor;
        self
    }
}

impl Timeline {
    /// Starts with the known state of the target.
    #[must_use]
    pub fn new(world: World) -> Self {
        Self { parked: Self::of_other_boards(&world), world, ..Self::default() }
    }

    /// Adds facts about objects that come later.
    #[must_use]
    pub(crate) fn with_deferred(mut self, deferred: DeferredMetadata) -> Self {
        self.deferred = deferred;
        self
    }

    /// Chooses which flows are reported.
    #[must_use]
    pub fn with_flows(mut self, flows: Flows) -> Self {
        self.senders.mode = flows;
        self.parked.iter_mut().flatten().for_each(|of| of.senders.mode = flows);
        self
    }

    /// Returns the current known state of the target.
    #[must_use]
    pub const fn world(&self) -> &World {
        &self.world
    }

    /// Frames so far that reported how many events were dropped.
    pub(crate) fn drop_counts(&self) -> u64 {
        self.all_boards().map(|of| of.drop_counts).fold(0, u64::saturating_add)
    }

    /// Events so far that only the recording describes.
    pub(crate) const fn newer_events(&self) -> &NewerEvents {
        &self.newer_events
    }

    /// Crashes of the firmware so far, the first ones.
    pub(crate) fn crashes(&self) -> Vec<Crash> {
        self.all_boards().flat_map(|of| of.crashes.all()).cloned().collect()
    }

    /// Triggers of the firmware so far, the first ones.
    pub(crate) fn triggers(&self) -> Vec<Trigger> {
        self.all_boards().flat_map(|of| &of.triggers).cloned().collect()
    }

    /// Returns the items that filters on the target have left out so far.
    pub(crate) fn left_out(&self) -> Vec<OmissionTime> {
        self.all_boards().flat_map(|of| of.filters.times()).cloned().collect()
    }

    /// Returns the events that the target has shed so far, by class.
    pub(crate) fn shed(&self) -> Vec<ShedClass> {
        self.all_boards().flat_map(|of| of.filters.shed.classes(of.last_ns())).collect()
    }

    /// Returns the evidence about the kernel's trace macros.
    pub(crate) const fn hooks(&self) -> &Hooks {
        &self.hooks
    }

    /// Returns the findings so far.
    #[must_use]
    pub const fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    /// Ends the timeline and returns its findings.
    #[must_use]
    pub fn into_diagnostics(self) -> Diagnostics {
        self.diagnostics
    }

    /// Opens the output.
    ///
    /// # Errors
    /// The sink's error.
    pub fn start<S: Sink + ?Sized>(&mut self, sink: &mut S) -> io::Result<()> {
        for board in (0..self.world.boards.count()).rev() {
            self.enter(board);
            for (task, _) in self.world.tasks.iter_current() {
                self.tasks.entry(task).listed = true;
            }
        }
        sink.start(&self.world)
    }

    /// The recording begins earlier than was known.
    ///
    /// # Errors
    /// The sink's error.
    #[cold]
    pub fn start_earlier<S: Sink + ?Sized>(&mut self, ns: i64, sink: &mut S) -> io::Result<()> {
        self.world.start_ns = Some(ns);
        sink.start_earlier(&self.world)
    }

    /// Handles one event. Metadata events take the time of their neighbours.
    ///
    /// # Errors
    /// The sink's error.
    #[inline]
    pub fn event<S: Sink + ?Sized>(
        &mut self,
        at: EventTime,
        place: Place,
        event: &Event<'_>,
        sink: &mut S,
    ) -> io::Result<()> {
        self.enter_input(place.input);
        let mut context = Context { at, by: EventActor::Core, place: place.into(), sink };
        self.dispatch::<false, S>(&mut context, event)
    }

    /// Does the same as [`event`](Self::event) for a single input where the time of no core ever goes back. The first event of
    /// a core must go through [`event`](Self::event).
    #[inline(always)]
    pub(crate) fn event_in_turn<S: Sink + ?Sized>(
        &mut self,
        at: EventTime,
        place: LazyOffset,
        event: &Event<'_>,
        sink: &mut S,
    ) -> io::Result<()> {
        let mut context = Context { at, by: EventActor::Core, place, sink };
        self.dispatch::<true, S>(&mut context, event)
    }

    /// Sets whether the next event gives a task to a core that leaves another one at the same time.
    pub(crate) const fn expect_swap(&mut self, swaps: bool) {
        self.swaps = swaps;
    }

    /// Returns the state of the task with this number, on the board of an input.
    pub(crate) fn state_of(&self, input: usize, id: u32) -> TaskState {
        let tasks = &self.world.tasks;
        let task = tasks.find_on(self.world.boards.board_of_input(input), id);
        task.and_then(|task| tasks.get(task)).map_or(TaskState::Unknown, |task| task.state)
    }

    /// Number of the task that runs on a core of an input's board, and whether it is about to wait.
    pub(crate) fn task_on(&self, input: usize, core: u32) -> (Option<u32>, bool) {
        let of = self.of_board(self.world.boards.board_of_input(input));
        let Some(running) = of.cores.running(core) else { return (None, false) };
        let id = self.world.tasks.get(running).map(|task| task.id);
        let leaves_to = of.tasks.get(running).map(|task| task.leaves_to);
        (id, leaves_to != Some(TaskState::Ready))
    }

    /// Advances the time to this event of a core. Returns true if it is its first event.
    fn reach(&mut self, at: EventTime, input: usize) -> bool {
        let core = self.core(at.core);
        let last_ns = std::mem::replace(&mut core.last_ns, at.ns);
        core.input = input;
        // Only if it steps back is that time not found in the core in the end.
        if last_ns > at.ns {
            core.moved_ns = core.moved_ns.max(last_ns);
            self.end_ns = self.end_ns.max(last_ns);
        }
        if last_ns == 0 {
            self.list_core(at.core);
        }
        last_ns == 0 && at.ns > 0
    }

    /// A core has an event, which may be its first.
    #[cold]
    fn list_core(&mut self, core: u32) {
        let cores = &mut self.world.cores;
        if let Err(position) = cores.binary_search(&core) {
            cores.insert(position, core);
        }
    }

    /// The last time of all.
    fn last_ns(&self) -> i64 {
        let last = |core: &Core| {
            let task = core.running.and_then(|task| self.tasks.get(task));
            core.last_ns.max(task.map_or(0, |task| task.settled))
        };
        let reached = self.cores.iter().map(|(_, core)| last(core));
        reached.fold(self.end_ns, i64::max)
    }

    /// Closes the timeline: running tasks are reported, then the sink is closed.
    ///
    /// # Errors
    /// The sink's error.
    pub fn finish<S: Sink + ?Sized>(&mut self, sink: &mut S) -> io::Result<()> {
        let end_ns = self.all_boards().map(Self::last_ns).fold(i64::MIN, i64::max);
        for board in (0..self.world.boards.count()).rev() {
            self.enter(board);
            for core in self.crashes.unended() {
                self.unended_crash(EventTime { ns: end_ns, core }, sink)?;
            }
            for (number, core) in self.cores.iter() {
                let Some(task) = core.running else { continue };
                let at = EventTime { ns: end_ns, core: number };
                sink.change(&self.world, at, &Change::StillRunning(task))?;
            }
        }
        sink.finish(&self.world, end_ns)
    }

    /// Counts a finding from outside of the state machine and reports it to the sink.
    ///
    /// # Errors
    /// The sink's error.
    pub fn finding<S: Sink + ?Sized>(
        &mut self,
        at: EventTime,
        finding: &Finding<'_>,
        sink: &mut S,
    ) -> io::Result<()> {
        self.enter_input(finding.place.input);
        self.find(at, finding, &mut SingleEntrySink(sink))
    }

    fn find(
        &mut self,
        at: EventTime,
        finding: &Finding<'_>,
        sink: &mut (dyn Sink + '_),
    ) -> io::Result<()> {
        self.diagnostics.add(finding);
        match finding.problem {
            Problem::Restart => self.restart_count(Some(finding.place.input)),
            // Ticks may come at another rate from here on, by the timestamps.
            Problem::FrequencyChange => {
                self.world.are_times_ticks = false;
                self.forget_tick_rates();
            }
            _ => {}
        }
        self.forget_uncertain(at, finding, sink)?;
        sink.change(&self.world, at, &Change::Finding(finding))?;
        let mut context =
            Context { at, by: EventActor::NoActor, place: finding.place.into(), sink };
        match finding.problem {
            Problem::Restart if self.resets.report(finding.place.input) => self.reset(&mut context),
            Problem::StreamStart => {
                self.start_ns = Some(at.ns);
                self.world.runs.start();
                self.learn_stream(&mut context, finding.place)
            }
            _ => Ok(()),
        }
    }

    #[cold]
    fn report_finding(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        problem: Problem,
        amount: u64,
        text: &dyn Display,
    ) -> io::Result<()> {
        let text = text.to_string();
        let finding = Finding { problem, place: context.place.place(), amount, text: &text };
        self.find(context.at, &finding, context.sink)
    }

    /// An id beyond the limit of kept objects; the event is not shown.
    #[cold]
    fn too_many(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        what: &str,
        id: u32,
    ) -> io::Result<()> {
        let text = format!("{what} {id} is not shown: {MAX_OBJECTS} of them are known already");
        self.report_finding(context, Problem::TooMany, 1, &text)
    }
}

impl Timeline {
    /// The core of this number.
    #[inline]
    fn core(&mut self, number: u32) -> &mut Core {
        self.cores.get_mut(number)
    }
}
