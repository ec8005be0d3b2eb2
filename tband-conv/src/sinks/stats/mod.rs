//! The numbers of a recording: use of time, waits and their reasons, queue levels.
//!
//! Memory grows with the number of objects, not with the length of the recording. An item that is cut off at the start of the
//! recording counts for sums only, from its first known moment on. An item that is open at the end, or where a gap begins,
//! counts as far as it is known, also for a [`Spread`], which contains the number of these.

mod close;
mod core;
mod core_pairs;
mod inversion;
mod load;
mod lock;
mod lock_wait;
mod marker;
mod notify;
mod objects;
mod open;
mod owned_time;
mod queue;
mod runs;
mod spread;
mod states;
mod task;
mod watch;
mod watching;

use std::collections::BTreeMap;
use std::io;

pub use self::core::{CoreStats, IsrStats};
pub use self::core_pairs::BetweenCores;
pub use self::inversion::{Delay, InversionStats, Participant};
pub use self::load::Load;
pub use self::lock::{HolderStats, LockStats};
pub use self::marker::{MarkerStats, ValueStats};
pub use self::notify::NotificationStats;
pub use self::objects::{
    CallStats, EventGroupStats, HeapStats, ObjectStats, StreamBufferStats, TimerStats,
};
pub use self::open::OpenWait;
pub use self::queue::QueueStats;
pub use self::spread::Spread;
pub use self::task::{BlockedStats, TaskStats};
pub use self::watch::bursts::Burst;
pub use self::watch::heap::AllocationFailure;
pub use self::watch::{ObjectName, Observation, Order, PeriodStats};

use self::core::CoreClock;
use self::core_pairs::CorePairs;
use self::inversion::Inversions;
use self::owned_time::OwnedTime;
use self::spread::End;
use self::task::WakeCore;
use crate::diagnostics::{Diagnostics, Finding, Problem};
use crate::model::{
    Actor, Change, EventTime, ForgottenState, KernelChange, Marker, OwnMachine, PerCore, PerRef,
    PriorityCause, Queue, QueueChange, Sink, Switch, Task, TaskChange, TaskRef, TaskState,
    TraceInfo, Wait, Waker, World,
};

/// Maximum number of kept places where events are missing.
const MAX_GAPS: usize = 100;

/// A place where events are missing: the known state becomes unknown there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Gap {
    /// When it is reported, in ns.
    pub ns: i64,
    /// The core that reports it.
    pub core: u32,
    /// Its kind: a loss on the target, damage, or a later start of the recording.
    pub problem: Problem,
    /// How many events the target lost there, if it reports.
    pub lost: Option<u64>,
}

/// Collects the numbers. They are complete once the conversion has ended.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    tasks: PerRef<Task, TaskStats>,
    clocks: PerCore<CoreClock>,
    known: OwnedTime,
    /// [`OwnedTime::partly_ns`] at the start of each run of the target, by its number.
    partly_before: BTreeMap<(usize, u32), i64>,
    between: CorePairs,
    cores: Vec<CoreStats>,
    isrs: Vec<IsrStats>,
    queues: PerRef<Queue, QueueStats>,
    /// Queues that may be locks, until the end.
    may_be_locks: PerRef<Queue, LockStats>,
    locks: Vec<LockStats>,
    inversions: Inversions,
    /// The last task that inherited a priority, after the task that it is from.
    last_heir: Option<(TaskRef, TaskRef)>,
    inverted: Vec<InversionStats>,
    open_waits: Vec<OpenWait>,
    trace_info: Option<TraceInfo>,
    markers: PerRef<Marker, MarkerStats>,
    values: PerRef<Marker, ValueStats>,
    objects: ObjectStats,
    gaps: Vec<Gap>,
    gap_count: u64,
    findings: Diagnostics,
    watch: watch::Watch,
    observed: Vec<Observation>,
    periods: Vec<PeriodStats>,
    has_left_out: bool,
    /// Time of the earliest event if it is known, otherwise of the first change, once there is one.
    start: i64,
    has_begun: bool,
    /// It has begun, and no core misses events of which the next one has not come.
    is_steady: bool,
    end: i64,
    /// See [`brief`](Self::brief).
    is_brief: bool,
}

impl Stats {
    /// Collects only the numbers for a verdict: objects, the time of cores and tasks, minimum stack margins, and priority
    /// inversions. Spreads of tasks and interrupts, migrations, and values of markers stay empty.
    #[must_use]
    pub fn brief() -> Self {
        Self { is_brief: true, ..Self::default() }
    }

    /// All tasks, in the order in which they appeared. Once the conversion has ended, a task of several runs of the target is
    /// one.
    pub fn tasks(&self) -> impl Iterator<Item = &TaskStats> {
        self.tasks.iter()
    }

    /// The cores that have events, by number. Metadata does not count.
    pub fn cores(&self) -> impl Iterator<Item = &CoreStats> {
        self.cores.iter()
    }

    /// Returns the movement between cores, by their numbers: pairs with movement between them.
    pub fn between_cores(&self) -> impl Iterator<Item = &BetweenCores> {
        self.between.iter()
    }

    /// The interrupts that occur, by core.
    pub fn isrs(&self) -> impl Iterator<Item = &IsrStats> {
        self.isrs.iter()
    }

    /// All queues, semaphores and mutexes, in the order in which they appeared.
    pub fn queues(&self) -> impl Iterator<Item = &QueueStats> {
        self.queues.iter()
    }

    /// The mutexes that were used, and binary semaphores that were used as such, in the order in which they
    /// appeared.
    pub fn locks(&self) -> impl Iterator<Item = &LockStats> {
        self.locks.iter()
    }

    /// Priority inversions, by lock, waiter and holder; those with the longest wait first.
    pub fn inversions(&self) -> impl Iterator<Item = &InversionStats> {
        self.inverted.iter()
    }

    /// Returns the open waits of tasks at the end of the recording, longest first.
    pub fn open_waits(&self) -> impl Iterator<Item = &OpenWait> {
        self.open_waits.iter()
    }

    /// Returns the recording's information about the target, if it has any.
    #[must_use]
    pub const fn trace_info(&self) -> Option<TraceInfo> {
        self.trace_info
    }

    /// All event markers, in the order in which they appeared.
    pub fn markers(&self) -> impl Iterator<Item = &MarkerStats> {
        self.markers.iter()
    }

    /// All value markers, in the order in which they appeared.
    pub fn values(&self) -> impl Iterator<Item = &ValueStats> {
        self.values.iter()
    }

    /// Stream buffers, event groups, timers, heap and kernel calls.
    #[must_use]
    pub const fn objects(&self) -> &ObjectStats {
        &self.objects
    }

    /// The first places where events are missing, 100 at most.
    #[must_use]
    pub fn gaps(&self) -> &[Gap] {
        &self.gaps
    }

    /// How many such places there are.
    #[must_use]
    pub const fn gap_count(&self) -> u64 {
        self.gap_count
    }

    /// Returns losses and faults in the examined part of the recording.
    #[must_use]
    pub const fn findings(&self) -> &Diagnostics {
        &self.findings
    }

    /// Mistakes of the program that the recording shows, those of one kind in the order of their times.
    pub fn observed(&self) -> impl Iterator<Item = &Observation> {
        self.observed.iter()
    }

    /// Returns the periods of tasks and software timers, as far as the kernel's own numbers show one, the shortest first.
    pub fn periods(&self) -> impl Iterator<Item = &PeriodStats> {
        self.periods.iter()
    }

    /// A filter on the target, or one that sheds events, has left some out.
    #[must_use]
    pub const fn has_left_out(&self) -> bool {
        self.has_left_out
    }

    /// First time in the recording, in ns.
    #[must_use]
    pub fn start_ns(&self) -> i64 {
        if self.has_begun { self.start } else { self.end }
    }

    /// Last time in the recording, in ns.
    #[must_use]
    pub const fn end_ns(&self) -> i64 {
        self.end
    }

    /// Length of the recording, in ns.
    #[must_use]
    pub fn length_ns(&self) -> i64 {
        self.end.saturating_sub(self.start_ns())
    }

    /// For how long cores were recorded, in ns: the mean of [`CoreStats::recorded_ns`]. Rates are of this time.
    #[must_use]
    pub fn recorded_ns(&self) -> i64 {
        let cores = i128::try_from(self.cores.len()).unwrap_or(0);
        let sum: i128 = self.cores.iter().map(|core| i128::from(core.recorded_ns)).sum();
        let mean = sum.checked_div(cores).map(|mean| i64::try_from(mean).unwrap_or(i64::MAX));
        mean.unwrap_or_else(|| self.length_ns())
    }

    /// Notes the time of the first change of all. Frequent changes do so where they make the first entry.
    #[inline]
    const fn begin(&mut self, ns: i64) {
        if !self.has_begun {
            (self.start, self.has_begun) = (ns, true);
            self.known.begin(ns);
        }
    }

    /// As [`begin`](Self::begin), for a report of an event of this core: it is recorded.
    #[inline]
    fn begin_core(&mut self, at: EventTime) {
        if !self.is_steady {
            self.continue_at(at);
        }
    }

    #[cold]
    #[inline(never)]
    fn continue_at(&mut self, EventTime { ns, core }: EventTime) {
        self.begin(ns);
        if let Some(clock) = self.clocks.get_mut(core) {
            clock.is_recorded(ns);
        }
        self.is_steady = !self.clocks.iter().any(CoreClock::is_missing);
    }

    /// A core, and the start of the recording.
    #[inline]
    fn clock(&mut self, ns: i64, core: u32) -> (&mut CoreClock, i64) {
        if !self.clocks.has(core) {
            return self.new_clock(ns, core);
        }
        (self.clocks.entry(core), self.start)
    }

    #[cold]
    #[inline(never)]
    fn new_clock(&mut self, ns: i64, core: u32) -> (&mut CoreClock, i64) {
        self.begin(ns);
        self.known.add_core(ns, core);
        let clock = self.clocks.entry(core);
        clock.is_brief = self.is_brief;
        (clock, self.start)
    }

    /// A task has its core as before a halt. It counted as a switch.
    #[cold]
    fn take_back_switch(&mut self, core: u32, task: TaskRef) {
        let clock = self.clocks.entry(core);
        clock.stats.switches = clock.stats.switches.saturating_sub(1);
        if let Some(stats) = self.tasks.get_mut(task) {
            stats.switches = stats.switches.saturating_sub(1);
        }
    }

    /// Events are missing, so something that was known is not.
    #[cold]
    fn forget(&mut self, EventTime { ns, core }: EventTime, what: ForgottenState) {
        match what {
            ForgottenState::Isr(isr) => {
                let (clock, origin) = self.clock(ns, core);
                clock.isr_forgotten(ns, origin, isr);
            }
            ForgottenState::Level(queue) => {
                let stats = self.queues.entry(queue);
                stats.forget(ns);
                let lock = self.may_be_locks.entry(queue);
                lock.cut_waits(ns);
                self.watch.locks.give(queue);
                if stats.may_be_lock {
                    lock.forget(ns);
                }
            }
            ForgottenState::Holder(queue) => {
                self.watch.locks.give(queue);
                self.may_be_locks.entry(queue).forget(ns);
            }
            ForgottenState::Priority(task) => {
                if let Some(stats) = self.tasks.get_mut(task) {
                    stats.forget_priority();
                }
            }
            ForgottenState::Span(marker) => self.markers.entry(marker).end(ns, End::Cut),
            ForgottenState::Core => {
                self.is_steady = false;
                self.watch.note_missing_events(ns);
                self.restart_releases();
                let (clock, origin) = self.clock(ns, core);
                if clock.note_missing_events(ns, origin) {
                    self.known.mark_unknown(ns, core);
                }
            }
            _ => self.objects.forget(EventTime { ns, core }, what),
        }
    }

    #[inline(never)]
    fn rare_change(&mut self, world: &World, at: EventTime, change: &Change<'_>) {
        let EventTime { ns, core } = at;
        match change {
            // They report a loss, and are not events.
            Change::Forgotten(_) | Change::Finding(_) => self.begin(ns),
            _ => self.begin_core(at),
        }
        match *change {
            Change::Migrated { task, from, .. } => {
                self.between.add_migration(from, core);
                let stats = self.task(world, ns, task);
                stats.migrations = stats.migrations.saturating_add(1);
            }
            Change::StillRunning(task) => {
                let (stats, burst) = self.leave_core(world, at, task);
                stats.run_burst.add_until(burst, ns, End::Open);
            }
            Change::Task(task, change, by) => {
                let stats = self.task(world, ns, task);
                match change {
                    TaskChange::StackHighWaterMark(bytes) => {
                        stats.set_stack_high_water_mark(ns, bytes)
                    }
                    TaskChange::Since(before) => stats.began = Some((ns, before)),
                    _ => notify::count(&mut stats.notifications, change, by),
                }
                self.watch.notification(ns, task, change);
            }
            Change::TaskRenamed(task) => {
                let known = world.tasks.get(task);
                if let Some(stats) = self.tasks.get_mut(task) {
                    stats.is_idle = known.is_some_and(|task| task.idle_of.is_some());
                    let clock = self.clocks.iter_mut().find(|clock| clock.running == Some(task));
                    if let Some(clock) = clock {
                        clock.time.task_is_idle(ns, stats.is_idle);
                    }
                }
            }
            Change::Priority { task, priority, base, cause, by } => {
                if cause == PriorityCause::Inherit {
                    self.last_heir = by.and_then(Actor::task).map(|waiter| (waiter, task));
                }
                self.task(world, ns, task).set_priority(priority, base, cause);
            }
            Change::SpanBegin(marker, ..) => self.markers.entry(marker).begins.push(ns),
            // Those of a task that is no more end with it.
            Change::SpanEnd(marker, _) | Change::SpanAbandoned(marker) => {
                self.markers.entry(marker).end(ns, End::Seen);
            }
            Change::Queue(queue, change, by) => {
                let stats = self.queue(world, ns, queue);
                stats.count_failure(change);
                if change == QueueChange::Deleted {
                    stats.forget(ns);
                }
                if change == QueueChange::ReceiveFailed
                    && let Some(Actor::Task(task)) = by
                    && let Some(lock) = self.may_be_locks.get_mut(queue)
                {
                    lock.fail(task);
                }
                if let QueueChange::ReceiveFailed | QueueChange::PeekFailed = change
                    && let Some(Actor::Task(task)) = by
                {
                    self.note_empty_poll(ns, task, queue);
                }
            }
            Change::LeftOut(..) | Change::Shed { .. } => self.has_left_out = true,
            Change::Forgotten(what) => self.forget(at, what),
            Change::Finding(finding) => self.finding(world, at, finding),
            _ => {
                self.watch.object(world, at, change);
                self.objects.change(at, change);
            }
        }
    }

    #[cold]
    fn finding(&mut self, world: &World, EventTime { ns, core }: EventTime, finding: &Finding<'_>) {
        self.findings.add(finding);
        if finding.problem == Problem::Halt {
            self.watch.note_missing_events(ns);
        }
        if matches!(finding.problem, Problem::Halt | Problem::Restart) {
            self.restart_releases();
        }
        if finding.problem == Problem::Restart {
            self.known.reset(ns);
            // If a reset has several findings, the last one before it counts.
            let run = (world.board(), world.runs.run.saturating_add(1));
            self.partly_before.insert(run, self.known.partly_ns(ns));
            self.inversions.reset();
            self.watch.reset();
        }
        let &Finding { problem, amount, .. } = finding;
        if !problem.is_gap() {
            return;
        }
        self.gap_count = self.gap_count.saturating_add(1);
        if self.gaps.len() < MAX_GAPS {
            let lost = Some(amount).filter(|_| problem.is_event_count());
            self.gaps.push(Gap { ns, core, problem, lost });
        }
    }
}

impl Sink for Stats {
    fn start(&mut self, world: &World) -> io::Result<()> {
        if let Some(ns) = world.start_ns {
            self.begin(ns);
        }
        Ok(())
    }

    fn start_earlier(&mut self, world: &World) -> io::Result<()> {
        if let Some(ns) = world.start_ns
            && self.has_begun
            && ns < self.start
        {
            let earlier = self.start.saturating_sub(ns);
            self.clocks.iter_mut().for_each(|clock| clock.start_earlier(self.start, earlier));
            self.known.start_earlier(earlier);
            self.start = ns;
        }
        Ok(())
    }

    fn change(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        self.frequent(world, at, change)
    }

    #[inline(always)]
    fn frequent(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        let EventTime { ns, core } = at;
        match *change {
            Change::TaskState { task, from, to, waker } => {
                if let (TaskState::Blocked(Wait::DelayUntil), TaskState::Ready, Waker::Other) =
                    (from, to, waker)
                {
                    self.watch.release(world, ns, task);
                    self.task(world, ns, task).is_released = true;
                }
                self.state(world, at, task, from, to);
            }
            Change::IsrEnter(isr) => {
                let (clock, origin) = self.clock(ns, core);
                if clock.isr_enter(ns, origin, isr) {
                    self.known.add_core(ns, core);
                }
            }
            Change::IsrExit(isr) => {
                let (clock, origin) = self.clock(ns, core);
                clock.isr_exit(ns, origin, isr);
            }
            Change::QueueLevel { queue, level, cause, by } => {
                let stats = self.queue(world, ns, queue);
                stats.set_level(ns, level, cause);
                if stats.may_be_lock {
                    let from_isr = by.is_some_and(Actor::is_isr);
                    self.semaphore(at, queue, (level, cause), from_isr);
                }
            }
            Change::MutexTaken(queue, holder) => {
                self.begin_core(at);
                self.may_be_locks.entry(queue).take(ns, holder);
                self.watch.locks.take(ns, queue, holder);
            }
            Change::MutexGiven(queue, _) => {
                self.begin_core(at);
                self.may_be_locks.entry(queue).give(ns);
                self.watch.locks.give(queue);
            }
            Change::Marker(marker, ..) => {
                self.begin_core(at);
                let stats = self.markers.entry(marker);
                stats.instants = stats.instants.saturating_add(1);
            }
            Change::Value(value, number, _) => {
                self.begin_core(at);
                if !self.is_brief {
                    self.values.entry(value).add(ns, number);
                }
            }
            _ => self.rare_change(world, at, change),
        }
        Ok(())
    }

    fn initial(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        match *change {
            // Acts before the window.
            Change::Value(..)
            | Change::Task(
                _,
                TaskChange::Notified { .. } | TaskChange::NotificationTaken { .. },
                _,
            ) => Ok(()),
            Change::Kernel(KernelChange::Heap(heap), _) => {
                self.objects.heap_level(at.ns, heap);
                Ok(())
            }
            Change::TaskState { task, from, to, .. } => {
                self.change(world, at, change)?;
                if at.ns > self.start
                    && let (TaskState::Unknown, TaskState::Running(core)) = (from, to)
                {
                    self.take_back_switch(core, task);
                }
                // A wake-up before the window does not count.
                if let Some(stats) = self.tasks.get_mut(task) {
                    stats.woken_on = WakeCore::default();
                }
                Ok(())
            }
            _ => self.change(world, at, change),
        }
    }

    #[inline]
    fn switch(&mut self, world: &World, at: EventTime, switch: &Switch) -> io::Result<()> {
        self.switch(world, at, switch);
        Ok(())
    }

    fn finish(&mut self, world: &World, end_ns: i64) -> io::Result<()> {
        self.close(world, end_ns);
        Ok(())
    }

    fn own_machine(&mut self) -> OwnMachine<'_> {
        OwnMachine::Stats(self)
    }
}
