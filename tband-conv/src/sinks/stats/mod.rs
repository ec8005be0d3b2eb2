//! The numbers of a recording: where time went, who waited for what, how full queues were.
//!
//! Memory grows with the number of objects, not with the length of the recording. What the recording
//! cuts off at its ends, or at a gap behind which a state is not known, counts for sums, but not for
//! the [`Spread`] of a quantity.

mod close;
mod core;
mod load;
mod marker;
mod objects;
mod queue;
mod spread;
mod task;

use std::io;

pub use self::core::{CoreStats, IsrStats};
pub use self::load::Load;
pub use self::marker::{MarkerStats, ValueStats};
pub use self::objects::{
    CallStats, EventGroupStats, HeapStats, ObjectStats, StreamBufferStats, TimerStats,
};
pub use self::queue::{HolderStats, MutexStats, QueueStats};
pub use self::spread::Spread;
pub use self::task::{BlockedStats, TaskStats};

use self::core::CoreClock;
use self::task::Cause;
use crate::diagnostics::Problem;
use crate::timeline::{
    At, Change, Forgotten, QueueRef, Sink, Switch, TaskRef, TaskState, Wait, World,
};

/// Places with lost events that are kept.
const MAX_GAPS: usize = 100;

/// A place where the target lost events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Gap {
    /// When it is told, in ns.
    pub ns: i64,
    /// The core that tells of it.
    pub core: u32,
    /// How many events are lost.
    pub lost: u64,
}

/// Collects the numbers. They are whole once the conversion has ended.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    tasks: Vec<TaskStats>,
    clocks: Vec<CoreClock>,
    cores: Vec<CoreStats>,
    isrs: Vec<IsrStats>,
    queues: Vec<QueueStats>,
    mutexes: Vec<MutexStats>,
    markers: Vec<MarkerStats>,
    values: Vec<ValueStats>,
    objects: ObjectStats,
    gaps: Vec<Gap>,
    /// Time of the first step, once there is one.
    start: i64,
    has_begun: bool,
    end: i64,
}

impl Stats {
    /// All tasks, in the order in which they appeared.
    pub fn tasks(&self) -> impl Iterator<Item = &TaskStats> {
        self.tasks.iter()
    }

    /// The cores that occur, by number.
    pub fn cores(&self) -> impl Iterator<Item = &CoreStats> {
        self.cores.iter()
    }

    /// The interrupts that occur, by core.
    pub fn isrs(&self) -> impl Iterator<Item = &IsrStats> {
        self.isrs.iter()
    }

    /// All queues, semaphores and mutexes, in the order in which they appeared.
    pub fn queues(&self) -> impl Iterator<Item = &QueueStats> {
        self.queues.iter()
    }

    /// The mutexes that were used, in the order in which they appeared.
    pub fn mutexes(&self) -> impl Iterator<Item = &MutexStats> {
        self.mutexes.iter()
    }

    /// All event markers, in the order in which they appeared.
    pub fn markers(&self) -> impl Iterator<Item = &MarkerStats> {
        self.markers.iter()
    }

    /// All value markers, in the order in which they appeared.
    pub fn values(&self) -> impl Iterator<Item = &ValueStats> {
        self.values.iter()
    }

    /// Kernel objects other than tasks and queues.
    #[must_use]
    pub const fn objects(&self) -> &ObjectStats {
        &self.objects
    }

    /// The first places with lost events, 100 at most.
    #[must_use]
    pub fn gaps(&self) -> &[Gap] {
        &self.gaps
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

    /// The first step of all. Frequent steps leave this to the entry that they are the first to need.
    #[inline(always)]
    const fn begin(&mut self, ns: i64) {
        if !self.has_begun {
            (self.start, self.has_begun) = (ns, true);
        }
    }

    /// A core, and the start of the recording.
    #[inline(always)]
    fn clock(&mut self, ns: i64, core: u32) -> Option<(&mut CoreClock, i64)> {
        if self.clocks.len() <= core as usize {
            self.begin(ns);
            lengthen(&mut self.clocks, core as usize);
        }
        self.clocks.get_mut(core as usize).map(|clock| (clock, self.start))
    }

    /// A task, the core on which it is, and the start of the recording.
    #[inline(always)]
    fn on_core(
        &mut self,
        world: &World,
        (ns, core): (i64, u32),
        task: TaskRef,
    ) -> Option<(&mut TaskStats, &mut CoreClock, i64)> {
        if self.tasks.len() <= task.index() || self.clocks.len() <= core as usize {
            self.clock(ns, core);
            self.new_task(world, ns, task);
        }
        let stats = self.tasks.get_mut(task.index())?;
        Some((stats, self.clocks.get_mut(core as usize)?, self.start))
    }

    #[inline(always)]
    fn task(&mut self, world: &World, ns: i64, task: TaskRef) -> Option<&mut TaskStats> {
        if self.tasks.len() <= task.index() {
            self.new_task(world, ns, task);
        }
        self.tasks.get_mut(task.index())
    }

    #[cold]
    #[inline(never)]
    fn new_task(&mut self, world: &World, ns: i64, task: TaskRef) {
        self.begin(ns);
        let known = self.tasks.len();
        grow(&mut self.tasks, task.index());
        for (stats, (_, task)) in self.tasks.iter_mut().zip(world.tasks.iter()).skip(known) {
            stats.is_idle = task.idle_of.is_some();
        }
    }

    /// A task goes from one state to another.
    #[inline(always)]
    fn state(&mut self, world: &World, ns: i64, task: TaskRef, from: TaskState, to: TaskState) {
        if let TaskState::Running(core) = from {
            self.stops(world, (ns, core), task, to);
        } else {
            self.goes_on(world, ns, task, from, to);
        }
    }

    /// A task leaves the core and another gets it.
    #[inline(always)]
    fn switches(&mut self, world: &World, At { ns, core }: At, switch: &Switch) {
        let Switch { previous, to, next, from } = *switch;
        if self.tasks.len() <= next.index() {
            self.new_task(world, ns, next);
        }
        self.blocks(world, previous, to);
        let was_ready = matches!(from, TaskState::Ready);
        if !was_ready {
            self.ends(world, ns, next, from, TaskState::Running(core));
        }
        // What ran is known: it has got the core before.
        let Some(clock) = self.clocks.get_mut(core as usize) else { return };
        let Some(stats) = self.tasks.get_mut(previous.index()) else { return };
        let isr_ns = clock.isr_ns(ns);
        let (was_idle, burst) = (stats.is_idle, ns.wrapping_sub(stats.since));
        clock.spends(was_idle, stats.leaves(burst, isr_ns));
        stats.burst_ends(ns, burst, to);
        let Some(stats) = self.tasks.get_mut(next.index()) else { return };
        if was_idle || stats.is_idle {
            clock.left_at(ns);
            clock.turns(ns, self.start, stats.is_idle);
        }
        clock.stats.switches = clock.stats.switches.wrapping_add(1);
        stats.enters(ns, isr_ns, was_ready);
    }

    /// A task that runs leaves its core.
    #[inline(always)]
    fn stops(&mut self, world: &World, at: (i64, u32), task: TaskRef, to: TaskState) {
        self.blocks(world, task, to);
        if let Some((stats, burst)) = self.leaves(world, at, task) {
            stats.burst_ends(at.0, burst, to);
        }
    }

    /// A task leaves its core; gives how long it was there.
    #[inline(always)]
    fn leaves(
        &mut self,
        world: &World,
        at: (i64, u32),
        task: TaskRef,
    ) -> Option<(&mut TaskStats, i64)> {
        let (stats, clock, _) = self.on_core(world, at, task)?;
        let burst = at.0.wrapping_sub(stats.since);
        let own = stats.leaves(burst, clock.isr_ns(at.0));
        clock.spends(stats.is_idle, own);
        clock.left_at(at.0);
        Some((stats, burst))
    }

    /// A task that does not run does something else.
    #[inline(always)]
    fn goes_on(&mut self, world: &World, ns: i64, task: TaskRef, from: TaskState, to: TaskState) {
        let was_ready = matches!(from, TaskState::Ready);
        if !was_ready {
            self.ends(world, ns, task, from, to);
        }
        if let TaskState::Running(core) = to {
            let Some((stats, clock, origin)) = self.on_core(world, (ns, core), task) else {
                return;
            };
            clock.enters(ns, origin, stats.is_idle);
            stats.enters(ns, clock.isr_ns(ns), was_ready);
        } else {
            self.blocks(world, task, to);
            if let Some(stats) = self.task(world, ns, task) {
                stats.since = ns;
            }
        }
    }

    /// A state ends in which a task could not have run.
    #[inline(never)]
    fn ends(&mut self, world: &World, ns: i64, task: TaskRef, from: TaskState, to: TaskState) {
        let cause = match from {
            TaskState::Blocked(wait) => Cause::Wait(wait),
            TaskState::Suspended => Cause::Suspended,
            _ => return,
        };
        let Some(stats) = self.task(world, ns, task) else { return };
        let time = stats.was_away(ns, cause);
        let inverted = stats.inverted.take();
        if let Cause::Wait(wait) = cause
            && let Some(queue) = queue_of(wait)
            && is_mutex(world, queue)
            && !matches!(to, TaskState::Unknown)
            && let Some(mutex) = grow(&mut self.mutexes, queue.index())
        {
            mutex.waited(time, inverted == Some(queue.index()));
        }
    }

    /// A task waits for something, if it does.
    #[inline(always)]
    fn blocks(&mut self, world: &World, task: TaskRef, to: TaskState) {
        if let TaskState::Blocked(wait) = to
            && let Some(queue) = queue_of(wait)
        {
            self.waits_for(world, task, wait, queue);
        }
    }

    #[inline(never)]
    fn waits_for(&mut self, world: &World, task: TaskRef, wait: Wait, queue: QueueRef) {
        if let Some(stats) = grow(&mut self.queues, queue.index()) {
            if matches!(wait, Wait::Send(_)) { stats.no_room() } else { stats.no_item() }
        }
        if !is_mutex(world, queue) {
            return;
        }
        if let Some(mutex) = grow(&mut self.mutexes, queue.index()) {
            mutex.contentions = mutex.contentions.saturating_add(1);
        }
        let holder = world.queues.get(queue).and_then(|queue| queue.holder);
        let mut less_urgent = false;
        if let Some(holder) = holder.and_then(|holder| grow(&mut self.tasks, holder.index())) {
            less_urgent = std::mem::take(&mut holder.inherits);
            let base = holder.base_priority.or(holder.priority);
            let own = world.tasks.get(task).and_then(|task| task.priority);
            less_urgent |= base.zip(own).is_some_and(|(holder, own)| holder < own);
        }
        if let Some(stats) = grow(&mut self.tasks, task.index()) {
            stats.inverted = less_urgent.then_some(queue.index());
        }
    }

    /// Events are missing, so something that was known is not.
    #[cold]
    fn forget(&mut self, At { ns, core }: At, what: Forgotten) {
        match what {
            Forgotten::Isr(isr) => {
                if let Some((clock, origin)) = self.clock(ns, core) {
                    clock.isr_forgotten(ns, origin, isr);
                }
            }
            Forgotten::Level(queue) => {
                if let Some(stats) = grow(&mut self.queues, queue.index()) {
                    stats.forget(ns);
                }
            }
            Forgotten::Holder(queue) => {
                if let Some(mutex) = grow(&mut self.mutexes, queue.index()) {
                    mutex.forget(ns);
                }
            }
            Forgotten::Span(marker) => {
                if let Some(stats) = grow(&mut self.markers, marker.index()) {
                    stats.begins.pop();
                }
            }
            _ => self.objects.forget(what),
        }
    }

    #[inline(never)]
    fn rare_change(&mut self, world: &World, at: At, change: &Change<'_>) {
        let At { ns, core } = at;
        self.begin(ns);
        match *change {
            Change::StillRunning(task) => {
                self.leaves(world, (ns, core), task);
            }
            Change::TaskRenamed(task) => {
                let known = world.tasks.get(task);
                if let Some(stats) = self.tasks.get_mut(task.index()) {
                    stats.is_idle = known.is_some_and(|task| task.idle_of.is_some());
                }
            }
            Change::Priority { task, priority, cause } => {
                if let Some(stats) = self.task(world, ns, task) {
                    stats.set_priority(priority, cause);
                }
            }
            Change::SpanBegin(marker, _) => {
                if let Some(stats) = grow(&mut self.markers, marker.index()) {
                    stats.begins.push(ns);
                }
            }
            Change::SpanEnd(marker) => {
                if let Some(stats) = grow(&mut self.markers, marker.index()) {
                    stats.end(ns);
                }
            }
            Change::Queue(queue, change, _) => {
                if let Some(stats) = grow(&mut self.queues, queue.index()) {
                    stats.changes(change);
                }
            }
            Change::Forgotten(what) => self.forget(at, what),
            Change::Finding(finding) if finding.problem == Problem::EventsLost => {
                self.gap(at, finding.amount);
            }
            _ => self.objects.change(at, change),
        }
    }

    #[cold]
    fn gap(&mut self, at: At, lost: u64) {
        if self.gaps.len() < MAX_GAPS {
            self.gaps.push(Gap { ns: at.ns, core: at.core, lost });
        }
    }
}

fn is_mutex(world: &World, queue: QueueRef) -> bool {
    world.queues.get(queue).is_some_and(crate::timeline::Queue::is_mutex)
}

const fn queue_of(wait: Wait) -> Option<QueueRef> {
    match wait {
        Wait::Receive(queue) | Wait::Send(queue) | Wait::Peek(queue) => Some(queue),
        _ => None,
    }
}

/// The entry of an object, made if it is new. Objects are numbered from 0 without gaps.
#[inline(always)]
fn grow<T: Default>(entries: &mut Vec<T>, index: usize) -> Option<&mut T> {
    if entries.len() <= index {
        lengthen(entries, index);
    }
    entries.get_mut(index)
}

#[cold]
#[inline(never)]
fn lengthen<T: Default>(entries: &mut Vec<T>, index: usize) {
    entries.resize_with(index + 1, T::default);
}

impl Sink for Stats {
    #[inline(always)]
    fn change(&mut self, world: &World, at: At, change: &Change<'_>) -> io::Result<()> {
        let At { ns, core } = at;
        match *change {
            Change::TaskState { task, from, to, .. } => self.state(world, ns, task, from, to),
            Change::IsrEnter(isr) => {
                if let Some((clock, origin)) = self.clock(ns, core) {
                    clock.isr_enter(ns, origin, isr);
                }
            }
            Change::IsrExit(isr) => {
                if let Some((clock, origin)) = self.clock(ns, core) {
                    clock.isr_exit(ns, origin, isr);
                }
            }
            Change::QueueLevel { queue, level, cause, .. } => {
                if self.queues.len() <= queue.index() {
                    self.begin(ns);
                    lengthen(&mut self.queues, queue.index());
                }
                if let Some(stats) = self.queues.get_mut(queue.index()) {
                    stats.set_level(ns, level, cause);
                }
            }
            Change::MutexTaken(queue, holder) => {
                self.begin(ns);
                if let Some(mutex) = grow(&mut self.mutexes, queue.index()) {
                    mutex.take(ns, holder);
                }
            }
            Change::MutexGiven(queue) => {
                self.begin(ns);
                if let Some(mutex) = grow(&mut self.mutexes, queue.index()) {
                    mutex.give(ns);
                }
            }
            Change::Marker(marker, _) => {
                self.begin(ns);
                if let Some(stats) = grow(&mut self.markers, marker.index()) {
                    stats.instants = stats.instants.saturating_add(1);
                }
            }
            Change::Value(value, number) => {
                self.begin(ns);
                if let Some(stats) = grow(&mut self.values, value.index()) {
                    stats.add(number);
                }
            }
            _ => self.rare_change(world, at, change),
        }
        Ok(())
    }

    #[inline(always)]
    fn switch(&mut self, world: &World, at: At, switch: &Switch) -> io::Result<()> {
        self.switches(world, at, switch);
        Ok(())
    }

    fn finish(&mut self, world: &World, end_ns: i64) -> io::Result<()> {
        self.close(world, end_ns);
        Ok(())
    }
}
