//! The steps of tasks from state to state: who has a core for how long, who waits for what.
//!
//! A switch is told as one step, and is by far the most frequent: it looks up each task once.

use super::core::CoreClock;
use super::task::{Cause, TaskStats};
use super::{Stats, grow};
use crate::timeline::{At, Queue, QueueRef, Switch, TaskRef, TaskState, Wait, World};

impl Stats {
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
    pub(super) fn task(&mut self, world: &World, ns: i64, task: TaskRef) -> Option<&mut TaskStats> {
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
    pub(super) fn state(
        &mut self,
        world: &World,
        ns: i64,
        task: TaskRef,
        from: TaskState,
        to: TaskState,
    ) {
        if let TaskState::Running(core) = from {
            self.stops(world, (ns, core), task, to);
        } else {
            self.goes_on(world, ns, task, from, to);
        }
    }

    /// A task leaves the core and another gets it.
    #[inline(always)]
    pub(super) fn switches(&mut self, world: &World, At { ns, core }: At, switch: &Switch) {
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
    pub(super) fn leaves(
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
}

fn is_mutex(world: &World, queue: QueueRef) -> bool {
    world.queues.get(queue).is_some_and(Queue::is_mutex)
}

const fn queue_of(wait: Wait) -> Option<QueueRef> {
    match wait {
        Wait::Receive(queue) | Wait::Send(queue) | Wait::Peek(queue) => Some(queue),
        _ => None,
    }
}
