//! Transitions of tasks from state to state: their times on cores, and their waits with reasons.
//!
//! A switch is reported as one change, by far the most frequent one: it looks up each task once.

use tband_format::named::QueueKind;

use super::Stats;
use super::core::CoreClock;
use super::inversion::InversionKind;
use super::queue::QueueStats;
use super::spread::End;
use super::task::{Cause, NOT_AWAKE, TaskStats, WakeCore};
use super::watch::{LONG_NS, is_for_work};
use crate::model::{
    EventTime, Queue, QueueCause, QueueRef, Switch, TaskRef, TaskState, Wait, World,
};

impl Stats {
    /// A task, the core on which it is, and the start of the recording.
    #[inline]
    fn on_core(
        &mut self,
        world: &World,
        EventTime { ns, core }: EventTime,
        task: TaskRef,
    ) -> (&mut TaskStats, &mut CoreClock, i64) {
        if !self.tasks.has(task) || !self.clocks.has(core) {
            self.clock(ns, core);
            self.new_task(world, ns, task);
        }
        (self.tasks.entry(task), self.clocks.entry(core), self.start)
    }

    #[inline]
    pub(super) fn task(&mut self, world: &World, ns: i64, task: TaskRef) -> &mut TaskStats {
        if !self.tasks.has(task) {
            return self.new_task(world, ns, task);
        }
        self.tasks.entry(task)
    }

    #[cold]
    #[inline(never)]
    fn new_task(&mut self, world: &World, ns: i64, of: TaskRef) -> &mut TaskStats {
        self.begin(ns);
        let known = self.tasks.len();
        self.tasks.entry(of);
        for (stats, task) in self.tasks.iter_mut().skip(known).zip(world.tasks.after(known)) {
            stats.is_idle = task.idle_of.is_some();
            stats.awake_since = NOT_AWAKE;
        }
        self.tasks.entry(of)
    }

    /// A task changes from one state to another.
    #[inline]
    pub(super) fn state(
        &mut self,
        world: &World,
        at: EventTime,
        task: TaskRef,
        from: TaskState,
        to: TaskState,
    ) {
        if let TaskState::Running(core) = from {
            self.stop(world, EventTime { core, ..at }, task, to);
        } else {
            self.change_waiting(world, at, task, from, to);
        }
    }

    /// A task leaves the core and another gets it.
    #[inline]
    pub(super) fn switch(
        &mut self,
        world: &World,
        EventTime { ns, core }: EventTime,
        switch: &Switch,
    ) {
        let Switch { previous, to, next, from } = *switch;
        if !self.tasks.has(next) {
            self.new_task(world, ns, next);
        }
        self.block(world, ns, previous, to);
        let was_ready = matches!(from, TaskState::Ready);
        if !was_ready {
            self.end_state(ns, next, from, TaskState::Running(core));
        }
        // The running task is known: it has got the core before.
        let Some(clock) = self.clocks.get_mut(core) else { return };
        let Some([stats, gets]) = self.tasks.both_mut(previous, next) else { return };
        let (was_idle, burst) = (stats.is_idle, ns.wrapping_sub(stats.since));
        let own = stats.leave_core(clock.time.switch(ns, gets.is_idle));
        let is_starved = was_ready && ns.wrapping_sub(gets.since) >= LONG_NS;
        let is_awake = !matches!(to, TaskState::Ready) && stats.is_awake_for(ns) >= LONG_NS;
        if gets.is_released {
            gets.is_released = false;
            self.watch.ticks.start(ns, next);
        }
        if is_starved || is_awake {
            self.watch.long(world, ns, (previous, stats), (next, gets), (is_awake, is_starved));
        }
        if self.is_brief {
            stats.since = ns;
        } else {
            stats.end_burst(ns, burst, to);
        }
        clock.running = Some(next);
        if self.inversions.any_open() {
            self.inversions.ran(ns, stats.ran(previous, own));
        }
        let stats = gets;
        if was_idle || stats.is_idle {
            clock.leave(ns);
            clock.set_idle(ns, self.start, stats.is_idle);
        }
        clock.stats.switches = clock.stats.switches.wrapping_add(1);
        if self.is_brief {
            stats.since = ns;
        } else if let Some((woken_on, waited)) = stats.enter_core(EventTime { ns, core }, was_ready)
        {
            self.between.add_wake(woken_on, EventTime { ns, core }, waited);
        }
    }

    /// A task that runs leaves its core.
    #[inline]
    fn stop(&mut self, world: &World, at: EventTime, task: TaskRef, to: TaskState) {
        self.block(world, at.ns, task, to);
        if matches!(to, TaskState::Unknown) {
            self.is_lost(world, at.ns, task);
        }
        let (stats, burst) = self.leave_core(world, at, task);
        let is_awake = !matches!(to, TaskState::Ready) && stats.is_awake_for(at.ns) >= LONG_NS;
        if is_awake && let Some(stats) = self.tasks.get(task) {
            self.watch.check_awake(world, at.ns, task, stats);
        }
        self.tasks.entry(task).end_burst(at.ns, burst, to);
    }

    /// A task leaves its core; returns how long it was there.
    #[inline]
    pub(super) fn leave_core(
        &mut self,
        world: &World,
        at: EventTime,
        task: TaskRef,
    ) -> (&mut TaskStats, i64) {
        let (stats, clock, _) = self.on_core(world, at, task);
        let burst = at.ns.wrapping_sub(stats.since);
        let own = stats.leave_core(clock.time.remove_task(at.ns));
        clock.leave(at.ns);
        (clock.running, clock.left_by) = (None, Some((task, at.ns)));
        if self.inversions.any_open() {
            self.inversions.ran(at.ns, self.tasks.entry(task).ran(task, own));
        }
        (self.tasks.entry(task), burst)
    }

    /// The state of a task that does not run changes.
    #[inline]
    fn change_waiting(
        &mut self,
        world: &World,
        at: EventTime,
        task: TaskRef,
        from: TaskState,
        to: TaskState,
    ) {
        let ns = at.ns;
        let was_ready = matches!(from, TaskState::Ready);
        if !was_ready {
            self.end_state(ns, task, from, to);
        }
        if let TaskState::Running(core) = to {
            let (stats, clock, origin) = self.on_core(world, EventTime { core, ..at }, task);
            let is_starved = was_ready && ns.wrapping_sub(stats.since) >= LONG_NS;
            let by = clock.left_by.take().filter(|(_, left_ns)| is_starved && *left_ns == ns);
            let since = stats.since;
            let was_unknown = clock.enter(ns, origin, stats.is_idle);
            clock.time.start_task(ns, stats.is_idle);
            clock.running = Some(task);
            let woken = stats.enter_core(EventTime { ns, core }, was_ready);
            if std::mem::take(&mut stats.is_released) {
                self.watch.ticks.start(ns, task);
            }
            if was_unknown {
                self.known.mark_known(ns, core);
            }
            if let Some((by, _)) = by {
                self.watch.check_starved(world, (since, ns), task, by, false);
            }
            if let Some((woken_on, waited)) = woken {
                self.between.add_wake(woken_on, EventTime { ns, core }, waited);
            }
        } else {
            self.block(world, ns, task, to);
            if matches!(to, TaskState::Unknown) {
                self.is_lost(world, ns, task);
            }
            let stats = self.task(world, ns, task);
            if was_ready {
                // Whatever ends the wait, such as suspension, the task did not get the core for that time.
                let cut = matches!(to, TaskState::Unknown);
                stats.add_ready(ns, if cut { End::Cut } else { End::Seen });
            }
            stats.since = ns;
            let is_woken = matches!(to, TaskState::Ready) && !matches!(from, TaskState::Unknown);
            stats.woken_on = if is_woken { WakeCore::core(at.core) } else { WakeCore::default() };
        }
    }

    /// A state ends in which a task could not have run.
    #[inline(never)]
    fn end_state(&mut self, ns: i64, task: TaskRef, from: TaskState, to: TaskState) {
        if matches!(from, TaskState::Unknown) {
            let partly_ns = self.known.partly_ns(ns);
            if let Some(stats) = self.tasks.get_mut(task) {
                stats.start_known(partly_ns);
                stats.is_awake_from(ns);
            }
            return;
        }
        let end = if matches!(to, TaskState::Unknown) { End::Cut } else { End::Seen };
        self.end_wait(ns, task, from, end);
    }

    /// The state of a task becomes unknown.
    #[cold]
    fn is_lost(&mut self, world: &World, ns: i64, task: TaskRef) {
        let partly_ns = self.known.partly_ns(ns);
        self.watch.ticks.forget_task(task);
        self.watch.locks.wake(ns, task);
        let stats = self.task(world, ns, task);
        (stats.unsure_from, stats.awake_since) = (partly_ns, NOT_AWAKE);
    }

    /// A task has been in a state in which it could not run up to this moment.
    #[inline]
    pub(super) fn end_wait(&mut self, ns: i64, task: TaskRef, from: TaskState, end: End) {
        let cause = match from {
            TaskState::Blocked(wait) => Cause::Wait(wait),
            TaskState::Suspended => Cause::Suspended,
            _ => return,
        };
        // A task without an entry has no known begin of a wait.
        let Some(stats) = self.tasks.get_mut(task) else { return };
        let time = stats.add_absence(ns, cause, end);
        let before = (stats.awake_since, stats.awake_run);
        stats.is_awake_from(ns);
        if self.watch.locks.is_in_use() {
            self.watch.locks.wake(ns, task);
        }
        if let Cause::Wait(wait) = cause
            && let Some(queue) = queue_of(wait)
            && let Some(stats) = self.tasks.get_mut(task)
        {
            stats.waited_on = Some(queue);
        }
        let lock = match cause {
            Cause::Wait(wait) => queue_of(wait).filter(|queue| self.is_lock(*queue)),
            _ => None,
        };
        if let Cause::Wait(wait) = cause
            && is_for_work(wait)
            && lock.is_none()
            && !self.is_brief
            && let Some(stats) = self.tasks.get_mut(task)
        {
            match end {
                End::Seen => stats.releases.add(ns),
                _ => stats.releases.restart(),
            }
        }
        if let Some(queue) = lock {
            // A wait for a lock is not a wait for work.
            if self.queues.get(queue).is_some_and(|queue| queue.is_mutex)
                && let Some(stats) = self.tasks.get_mut(task)
            {
                (stats.awake_since, stats.awake_run) = before;
            }
            self.end_lock_wait((ns, time), task, queue, end);
        }
    }

    #[inline(never)]
    fn end_lock_wait(&mut self, at: (i64, i64), task: TaskRef, queue: QueueRef, end: End) {
        let (ns, time) = at;
        let Self { inversions, clocks, tasks, .. } = self;
        let running = clocks.iter().filter_map(|clock| {
            let task = clock.running?;
            let stats = tasks.get(task)?;
            Some(stats.ran(task, clock.time.spent(ns).own_ns()))
        });
        let inverted = inversions.any_open() && inversions.end(task, ns, end, running);
        let lock = self.may_be_locks.entry(queue);
        lock.wake(task, at, end);
        if inverted {
            lock.inversions.add_until(time, ns, end);
        }
    }

    /// A task waits for something, if it does.
    #[inline]
    fn block(&mut self, world: &World, ns: i64, task: TaskRef, to: TaskState) {
        if let TaskState::Blocked(wait) = to {
            if matches!(wait, Wait::DelayUntil) || self.watch.locks.is_in_use() {
                self.watch_wait(world, ns, task, wait);
            }
            if let Some(queue) = queue_of(wait) {
                self.wait_for(world, (ns, task), wait, queue);
            }
        }
    }

    #[inline(never)]
    fn wait_for(&mut self, world: &World, at: (i64, TaskRef), wait: Wait, queue: QueueRef) {
        let (ns, task) = at;
        let stats = self.queue(world, ns, queue);
        if matches!(wait, Wait::Send(_)) {
            stats.no_room()
        } else {
            stats.no_item()
        }
        stats.is_mutex |= world.queues.get(queue).is_some_and(Queue::is_mutex);
        if !self.is_lock(queue) {
            return;
        }
        let lock = self.may_be_locks.entry(queue);
        lock.block(task);
        // The holder of a mutex that was taken unseen inherits when the first more urgent task waits for it.
        if let Some((_, heir)) = self.last_heir.take_if(|(waiter, _)| *waiter == task)
            && lock.is_mutex
        {
            lock.set_holder(heir);
        }
        let Some(holder) = lock.holder().filter(|holder| *holder != task) else { return };
        if matches!(wait, Wait::Receive(_)) {
            self.watch.locks.wait_for_lock(world, ns, task, queue, holder);
        }
        let own = world.tasks.get(task).and_then(|task| task.priority);
        let stats = self.tasks.entry(holder);
        let inherits = std::mem::take(&mut stats.inherits);
        let base = stats.own_priority();
        let less_urgent = base.zip(own).is_some_and(|(holder, own)| holder < own);
        if inherits || less_urgent {
            let kind = InversionKind { lock: queue, waiter: (task, own), holder: (holder, base) };
            self.inversions.begin(kind, ns);
        }
    }

    /// Whether a queue is a mutex, or a semaphore that may be used as one.
    pub(super) fn is_lock(&self, queue: QueueRef) -> bool {
        self.queues.get(queue).is_some_and(|queue| queue.is_mutex || queue.may_be_lock)
    }

    #[inline]
    pub(super) fn queue(&mut self, world: &World, ns: i64, queue: QueueRef) -> &mut QueueStats {
        if !self.queues.has(queue) {
            return self.new_queue(world, ns, queue);
        }
        self.queues.entry(queue)
    }

    #[cold]
    #[inline(never)]
    fn new_queue(&mut self, world: &World, ns: i64, of: QueueRef) -> &mut QueueStats {
        self.begin(ns);
        let known = self.queues.len();
        self.queues.entry(of);
        self.may_be_locks.entry(of);
        let new = self.queues.iter_mut().skip(known).zip(self.may_be_locks.iter_mut().skip(known));
        for ((stats, lock), queue) in new.zip(world.queues.after(known)) {
            stats.is_mutex = queue.is_mutex();
            stats.may_be_lock = queue.kind == Some(QueueKind::BINARY_SEMAPHORE);
            lock.is_mutex = stats.is_mutex;
        }
        self.queues.entry(of)
    }

    /// A binary semaphore is taken or given.
    #[inline(never)]
    pub(super) fn semaphore(
        &mut self,
        EventTime { ns, core }: EventTime,
        queue: QueueRef,
        (level, cause): (u32, QueueCause),
        from_isr: bool,
    ) {
        let clock = self.clocks.get(core);
        let task = clock.and_then(|clock| clock.running).filter(|_| !from_isr);
        let lock = self.may_be_locks.entry(queue);
        match cause {
            QueueCause::Receive if level == 0 => {
                lock.take(ns, task);
                self.watch.locks.take(ns, queue, task);
            }
            QueueCause::Send => {
                lock.give_by(ns, task);
                self.watch.locks.give(queue);
            }
            _ => {
                lock.forget(ns);
                self.watch.locks.give(queue);
            }
        }
        // A signal is not followed any more.
        if !lock.may_be_lock()
            && let Some(stats) = self.queues.get_mut(queue)
        {
            stats.may_be_lock = false;
        }
    }
}

pub(super) const fn queue_of(wait: Wait) -> Option<QueueRef> {
    match wait {
        Wait::Receive(queue) | Wait::Send(queue) | Wait::Peek(queue) => Some(queue),
        _ => None,
    }
}
