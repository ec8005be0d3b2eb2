//! When activations of tasks begin and end: waits for work, waits for resources, takes without a wait.

use std::io;

use super::activation::{Occupant, Release, Subject};
use super::open::OpenActivation;
use super::tasks::Taken;
use super::{ActivationSink, Activations, MAX_OPEN};
use crate::model::{
    Act, Actor, EventTime, Flow, Outcome, QueueRef, TaskRef, TaskState, Transition, Wait, Waker,
    World,
};

impl<R: ActivationSink> Activations<R> {
    /// A task goes from one state to another.
    pub(super) fn move_task(
        &mut self,
        world: &World,
        at: EventTime,
        transition: Transition,
        waker: Waker,
    ) -> io::Result<()> {
        let Transition { task, from, to } = transition;
        if let TaskState::Running(core) = from {
            let core = self.cores.entry(core);
            if core.running == Some(task) {
                core.running = None;
            }
        }
        if let TaskState::Running(core) = to {
            self.cores.entry(core).running = Some(task);
        }
        // The idle task never waits for work.
        let known = world.tasks.get(task);
        let is_idle = known.is_some_and(|task| task.idle_of.is_some());
        let priority = known.and_then(|task| task.priority);
        let by = self.cores.occupant(at.core).filter(|by| *by != Occupant::Task(task));
        let line = self.tasks.entry(task);
        line.state = to;
        line.base = line.base.or(priority);
        if is_idle {
            return Ok(());
        }
        match to {
            TaskState::Unknown => {
                if let Some(open) = &mut line.open {
                    open.is_cut = true;
                }
                line.waiting_lock = None;
                line.forget_notifications();
                Ok(())
            }
            TaskState::Created => Ok(()),
            TaskState::Deleted => self.end(world, at.ns, task, true),
            TaskState::Suspended => {
                // A task that runs suspends itself, unless an interrupt or another core does.
                let (is_self, is_known) =
                    (matches!(from, TaskState::Running(_)), from != TaskState::Unknown);
                line.suspended_by = by.filter(|_| !is_self);
                line.is_pause_known = is_known;
                if is_self || !is_known { self.end(world, at.ns, task, is_self) } else { Ok(()) }
            }
            TaskState::Blocked(wait) => self.block(world, at, task, from, wait),
            TaskState::Ready | TaskState::Running(_) => {
                self.wake(world, at, transition, waker, priority)
            }
        }
    }

    fn block(
        &mut self,
        world: &World,
        at: EventTime,
        task: TaskRef,
        from: TaskState,
        wait: Wait,
    ) -> io::Result<()> {
        let is_resource = match wait {
            Wait::Receive(queue) if self.locks.is_lock_for(world, queue, task) => {
                if self.tasks.entry(task).waiting_lock.replace(queue) != Some(queue) {
                    self.locks.wait(queue);
                }
                true
            }
            Wait::Send(_) | Wait::SendBytes(_) => true,
            _ => false,
        };
        if !is_resource {
            let is_known =
                !matches!(wait, Wait::Receive(queue) if self.locks.is_use_unknown(world, queue));
            let line = self.tasks.entry(task);
            (line.waiting_lock, line.is_pause_known) = (None, is_known);
            return self.end(world, at.ns, task, is_known);
        }
        if from == TaskState::Unknown {
            return self.begin_unseen(world, at, task);
        }
        Ok(())
    }

    /// A task is known again, in the middle of an activation.
    fn begin_unseen(&mut self, world: &World, at: EventTime, task: TaskRef) -> io::Result<()> {
        self.end(world, at.ns, task, false)?;
        self.begin(at, task, Release::Unknown).done.begin_seen = false;
        Ok(())
    }

    /// A task becomes ready, or gets a core.
    fn wake(
        &mut self,
        world: &World,
        at: EventTime,
        Transition { task, from, to }: Transition,
        waker: Waker,
        priority: Option<u32>,
    ) -> io::Result<()> {
        let line = self.tasks.entry(task);
        match (from, line.waiting_lock, &mut line.open) {
            // The lock is still held: the wait ends without it.
            (TaskState::Blocked(Wait::Receive(_)), Some(lock), _)
                if !self.locks.is_free(world, lock) =>
            {
                line.waiting_lock = None;
            }
            (TaskState::Blocked(Wait::Send(_) | Wait::SendBytes(_)), _, Some(open)) => {
                match waker {
                    Waker::Task(by) => open.name_taker(Occupant::Task(by)),
                    Waker::Isr(by) => open.name_taker(Occupant::Isr(by, at.core)),
                    Waker::Other => {}
                }
            }
            _ => {}
        }
        let (is_pause_known, requested) = (line.is_pause_known, line.requested.take());
        if from == TaskState::Unknown {
            // A task that is seen for the first time as it becomes ready was created then.
            self.begin_unseen(world, at, task)?;
        } else if line.open.is_none() {
            let release = match from {
                TaskState::Blocked(_) | TaskState::Suspended if !is_pause_known => Release::Unknown,
                TaskState::Blocked(wait) => Release::of(wait),
                TaskState::Created | TaskState::Suspended => Release::Ready,
                _ => Release::Unknown,
            };
            let is_seen = !self.is_initial && release != Release::Unknown;
            let open = self.begin(at, task, release);
            open.done.woken_by = waker;
            open.done.begin_seen = is_seen;
            if let (Some((since, waker)), Release::Bits(_)) = (requested, release)
                && let Some(open) = &mut self.tasks.entry(task).open
            {
                open.done.woken_by = waker;
                open.release_earlier(&mut self.out, world, since)?;
            }
        }
        let Some(open) = &mut self.tasks.entry(task).open else { return Ok(()) };
        if let TaskState::Running(core) = to {
            if open.done.started_ns.is_some() {
                open.done.resumes = open.done.resumes.saturating_add(1);
            } else {
                open.done.started_ns = Some(at.ns);
                open.done.core = core;
                open.done.priority = priority;
            }
        }
        Ok(())
    }

    fn begin(&mut self, at: EventTime, task: TaskRef, release: Release) -> &mut OpenActivation {
        let line = self.tasks.entry(task);
        line.number = line.number.saturating_add(1);
        let mut new =
            OpenActivation::new(Subject::Task(task), line.number, at.ns, at.core, release);
        if !self.open.contains(&task) {
            if self.open.len() < MAX_OPEN {
                self.open.push(task);
            } else {
                new.is_cut = true;
            }
        }
        line.open.insert(Box::new(new))
    }

    /// The activation of a task ends, if it has one.
    fn end(&mut self, world: &World, ns: i64, task: TaskRef, is_seen: bool) -> io::Result<()> {
        let Some(open) = self.tasks.entry(task).open.take() else { return Ok(()) };
        self.open.retain(|it| *it != task);
        open.end(&mut self.out, world, ns, is_seen)
    }

    /// It is known how a wait ended.
    pub(super) fn wait_ended(
        &mut self,
        world: &World,
        at: EventTime,
        task: TaskRef,
        wait: Wait,
        outcome: Outcome,
    ) -> io::Result<()> {
        let line = self.tasks.entry(task);
        if line.waiting_lock.is_some_and(|lock| wait == Wait::Receive(lock)) {
            // A semaphore satisfies the wait when it is given; the task has it when it takes it.
            if outcome == Outcome::Satisfied {
                return Ok(());
            }
            line.waiting_lock = None;
            return self.refresh(world, at.ns);
        }
        let Some(open) = &mut line.open else { return Ok(()) };
        let is_first = !open.has_taken && open.done.release == Release::of(wait);
        match outcome {
            // A task that was woken and then found nothing was not released by its time limit.
            Outcome::Timeout
                if is_first
                    && open.done.release != Release::Tick
                    && open.done.woken_by == Waker::Other =>
            {
                open.done.release = Release::TimeOut;
            }
            Outcome::Aborted if is_first => open.done.release = Release::Abort,
            _ => {}
        }
        Ok(())
    }

    /// A task stops waiting for a lock. It may have been woken to take it and found it taken by another task.
    pub(super) fn give_up_lock(
        &mut self,
        world: &World,
        at: EventTime,
        task: TaskRef,
        lock: QueueRef,
    ) -> io::Result<()> {
        let line = self.tasks.entry(task);
        if line.waiting_lock != Some(lock) {
            return Ok(());
        }
        line.waiting_lock = None;
        self.refresh(world, at.ns)
    }

    /// A task takes an item, bytes, a notification or bits. If its activation has already taken one of the same object, the take
    /// begins the next activation, which the first of `taken` released.
    pub(super) fn take(
        &mut self,
        world: &World,
        at: EventTime,
        task: TaskRef,
        object: Release,
        taken: Taken,
    ) -> io::Result<()> {
        let line = self.tasks.entry(task);
        if let Release::Item(queue) = object
            && line.waiting_lock == Some(queue)
        {
            line.waiting_lock = None;
            return self.refresh(world, at.ns);
        }
        let Some(open) = &mut line.open else { return Ok(()) };
        if let Release::Item(queue) = object
            && self.locks.is_lock(world, queue)
        {
            return Ok(());
        }
        if open.done.release == Release::Unknown && open.done.ready_ns < at.ns {
            // This may be the next activation: a cut one claims no more time than is certain.
            let (core, started) = (open.done.core, open.done.started_ns);
            self.begin_unseen(world, at, task)?;
            if let Some(open) = &mut self.tasks.entry(task).open {
                (open.done.core, open.done.started_ns) = (core, started.map(|_| at.ns));
            }
            return self.refresh(world, at.ns);
        }
        if open.done.release != object {
            return Ok(());
        }
        if !std::mem::replace(&mut open.has_taken, true) {
            open.done.merged = taken.count.max(1);
            return Ok(());
        }
        let priority = world.tasks.get(task).and_then(|task| task.priority);
        self.end(world, at.ns, task, true)?;
        let open = self.begin(at, task, object);
        (open.has_taken, open.is_fresh) = (true, true);
        (open.done.started_ns, open.done.core) = (Some(at.ns), at.core);
        (open.done.priority, open.done.merged) = (priority, taken.count.max(1));
        if let Some(first) = taken.first_ns
            && let Some(open) = &mut self.tasks.entry(task).open
        {
            open.release_earlier(&mut self.out, world, first)?;
        }
        self.refresh(world, at.ns)
    }

    /// The sender of the item that a task has just taken is known, and the time.
    pub(super) fn note_item_sender(&mut self, world: &World, flow: &Flow) -> io::Result<()> {
        let Actor::Task(task) = flow.to.actor else { return Ok(()) };
        let object = match flow.to.act {
            Act::Receive(queue) => Release::Item(queue),
            Act::ReceiveBytes(buffer) => Release::Bytes(buffer),
            _ => return Ok(()),
        };
        let Some(open) = &mut self.tasks.entry(task).open else { return Ok(()) };
        if !open.is_fresh || open.done.release != object || open.done.ready_ns != flow.to.ns {
            return Ok(());
        }
        open.done.woken_by = Waker::of(flow.from.actor);
        open.release_earlier(&mut self.out, world, flow.from.ns)
    }
}
