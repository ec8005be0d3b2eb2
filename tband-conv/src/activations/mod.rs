//! Activations: when the work of tasks, interrupts and software timers was released, ready, started and ended, and the use of
//! the time of each instant in between.
//!
//! [`Activations`] is a [`Sink`]. It follows the changes of a timeline and reports each activation when it ends, each of its
//! parts, and each hold of a lock to an [`ActivationSink`]. Memory grows with the number of tasks and nested interrupts. The
//! parts of an activation are a partition of the time from its release to its end.
//!
//! A task waits for *work* (a delay, an item, a notification, bits, bytes, or a resume after it suspended itself), or for a
//! *resource* (a lock, or room). A wait for work ends its activation; a wait for a resource is part of it.

mod activation;
mod bits;
mod callbacks;
mod cores;
mod describe;
mod groups;
mod locks;
mod open;
mod path;
mod ready;
mod tasks;
mod work;

use std::io;

pub use self::activation::{
    Activation, Link, LockHold, Occupant, PartKind, Path, PathSegment, Reason, Release, Subject,
};

use self::bits::BitTimes;
use self::callbacks::{Callback, Callbacks};
use self::cores::Cores;
use self::locks::Locks;
use self::open::{OpenActivation, SharedPath};
use self::path::Instant;
use self::ready::ReadyPaths;
use self::tasks::{Taken, TaskLine};
use crate::model::{
    Actor, BufferCause, Change, EventTime, ForgottenState, Isr, IsrRef, KernelChange, PerRef,
    QueueCause, QueueChange, QueueRef, Sink, StreamBufferChange, Switch, Task, TaskChange, TaskRef,
    Transition, Waker, World,
};

/// Maximum number of tasks whose activations are followed at a time. For further ones the use of the time is unknown, and they
/// are cut: each switch is a border in the activation of each ready task.
const MAX_OPEN: usize = 512;

/// Receives activations, their parts, and holds of locks.
pub trait ActivationSink {
    /// An activation has ended.
    ///
    /// # Errors
    /// If the output cannot be written.
    fn activation(&mut self, world: &World, activation: &Activation) -> io::Result<()>;

    /// A part of an activation has ended. The parts of one activation come in the order of time, before it.
    ///
    /// # Errors
    /// If the output cannot be written.
    fn part(&mut self, world: &World, part: &PathSegment<'_>) -> io::Result<()> {
        let _ = (world, part);
        Ok(())
    }

    /// A task has given a lock.
    ///
    /// # Errors
    /// If the output cannot be written.
    fn hold(&mut self, world: &World, hold: &LockHold) -> io::Result<()> {
        let _ = (world, hold);
        Ok(())
    }

    /// The recording has ended. It is called once, after all activations. Names are the last ones.
    ///
    /// # Errors
    /// If the output cannot be written.
    fn finish(&mut self, world: &World) -> io::Result<()> {
        let _ = world;
        Ok(())
    }
}

/// Follows activations and reports them to `R`.
#[derive(Debug)]
pub struct Activations<R> {
    out: R,
    tasks: PerRef<Task, TaskLine>,
    /// Tasks whose activation has not ended, [`MAX_OPEN`] at most.
    open: Vec<TaskRef>,
    cores: Cores,
    locks: Locks,
    bits: BitTimes,
    callbacks: Callbacks,
    isr_numbers: PerRef<Isr, u64>,
    /// The paths of ready tasks at the present instant.
    ready: ReadyPaths,
    /// The changes report the state at the start of a window.
    is_initial: bool,
    now: i64,
}

impl<R: ActivationSink> Activations<R> {
    /// Reports to `out`.
    pub fn new(out: R) -> Self {
        Self {
            out,
            tasks: PerRef::default(),
            open: Vec::new(),
            cores: Cores::default(),
            locks: Locks::default(),
            bits: BitTimes::default(),
            callbacks: Callbacks::default(),
            isr_numbers: PerRef::default(),
            ready: ReadyPaths::default(),
            is_initial: false,
            now: i64::MIN,
        }
    }

    /// The inner sink.
    pub const fn inner(&self) -> &R {
        &self.out
    }

    /// The inner sink.
    pub const fn inner_mut(&mut self) -> &mut R {
        &mut self.out
    }

    /// Returns the inner sink.
    pub fn into_inner(self) -> R {
        self.out
    }

    /// Computes the paths of all open activations since `ns`.
    fn refresh(&mut self, world: &World, ns: i64) -> io::Result<()> {
        let Self { out, tasks, open, cores, locks, callbacks, ready, .. } = self;
        ready.clear();
        for task in open {
            let instant = Instant { world, tasks, cores, locks };
            let path = ready.path(instant, *task);
            if let Some(open) = &mut tasks.entry(*task).open {
                open.advance(out, world, ns, &path)?;
            }
        }
        for Callback { task, open, .. } in &mut callbacks.open {
            let path = match *task {
                Some(task) => Instant { world, tasks, cores, locks }.path(task),
                None => Path::of(Reason::Unknown),
            };
            open.advance(out, world, ns, &SharedPath::new(path))?;
        }
        Ok(())
    }

    /// The nesting of a core's interrupts has changed since `ns`.
    fn refresh_isrs(&mut self, world: &World, EventTime { ns, core }: EventTime) -> io::Result<()> {
        let Self { out, cores, .. } = self;
        let core_number = core;
        let core = cores.entry(core);
        let innermost = core.isr();
        let Some((last, outer)) = core.isrs.split_last_mut() else { return Ok(()) };
        last.advance(out, world, ns, &SharedPath::new(Path::of(Reason::Own)))?;
        for open in outer {
            let reason =
                innermost.map_or(Reason::Unknown, |isr| Reason::Interrupt(isr, core_number));
            open.advance(out, world, ns, &SharedPath::new(Path::of(reason)))?;
        }
        Ok(())
    }

    fn enter(&mut self, world: &World, at: EventTime, isr: IsrRef) -> io::Result<()> {
        let number = self.isr_numbers.entry(isr);
        *number = number.saturating_add(1);
        let subject = Subject::Isr(isr, at.core);
        let mut open = OpenActivation::new(subject, *number, at.ns, at.core, Release::Interrupt);
        open.done.started_ns = Some(at.ns);
        open.done.begin_seen = !self.is_initial;
        self.cores.entry(at.core).isrs.push(open);
        self.refresh_isrs(world, at)?;
        self.refresh(world, at.ns)
    }

    fn exit(&mut self, world: &World, at: EventTime, is_seen: bool) -> io::Result<()> {
        if let Some(open) = self.cores.entry(at.core).isrs.pop() {
            open.end(&mut self.out, world, at.ns, is_seen)?;
        }
        self.refresh_isrs(world, at)?;
        self.refresh(world, at.ns)
    }

    fn queue_level(
        &mut self,
        world: &World,
        at: EventTime,
        queue: QueueRef,
        cause: QueueCause,
        by: Option<Actor>,
    ) -> io::Result<()> {
        let is_binary = locks::is_binary(world, queue);
        match cause {
            QueueCause::Receive => {
                if is_binary {
                    self.locks.take_semaphore(queue, at.ns, by);
                    self.refresh_after_lock(world, at.ns, queue)?;
                }
                match by.and_then(Actor::task) {
                    Some(task) => self.take(world, at, task, Release::Item(queue), Taken::ONE),
                    None => Ok(()),
                }
            }
            QueueCause::Send | QueueCause::Overwrite if is_binary => {
                self.locks.give_semaphore(&mut self.out, world, queue, at.ns, by)?;
                self.refresh_after_lock(world, at.ns, queue)
            }
            _ => Ok(()),
        }
    }

    /// The holder of a lock has changed: paths change if a task waits for it.
    fn refresh_after_lock(&mut self, world: &World, ns: i64, queue: QueueRef) -> io::Result<()> {
        let waits = |task: &TaskRef| {
            self.tasks.get(*task).is_some_and(|line| line.waiting_lock == Some(queue))
        };
        if self.open.iter().any(waits) { self.refresh(world, ns) } else { Ok(()) }
    }

    fn task(
        &mut self,
        world: &World,
        at: EventTime,
        task: TaskRef,
        change: TaskChange,
    ) -> io::Result<()> {
        match change {
            TaskChange::Notified { index, action, .. }
                if action != tband_format::named::NotifyAction::WRITE_REFUSED =>
            {
                self.tasks.entry(task).notify(index, at.ns);
            }
            TaskChange::NotificationTaken { index, value, value_after } if value != 0 => {
                let count = value.checked_sub(value_after).filter(|_| value_after != 0);
                let taken = self.tasks.entry(task).take_notifications(index, count);
                return self.take(world, at, task, Release::Notification(index), taken);
            }
            TaskChange::NotificationEnds { index, received: true, .. } => {
                let taken = self.tasks.entry(task).take_notifications(index, None);
                return self.take(world, at, task, Release::Notification(index), taken);
            }
            TaskChange::NotificationDiscarded { index } => {
                self.tasks.entry(task).take_notifications(index, None);
            }
            TaskChange::MayRunOn(cores) => {
                self.tasks.entry(task).affinity = Some(cores);
                return self.refresh(world, at.ns);
            }
            _ => {}
        }
        Ok(())
    }

    fn forgotten(
        &mut self,
        world: &World,
        at: EventTime,
        forgotten: ForgottenState,
    ) -> io::Result<()> {
        match forgotten {
            ForgottenState::Isr(_) => self.exit(world, at, false),
            ForgottenState::Holder(queue) | ForgottenState::Level(queue) => {
                self.locks.forget(&mut self.out, world, queue, at.ns)?;
                self.refresh_after_lock(world, at.ns, queue)
            }
            ForgottenState::Core => {
                self.tasks.iter_mut().for_each(TaskLine::forget_notifications);
                self.bits.forget_requests();
                Ok(())
            }
            ForgottenState::Timer(timer) => {
                self.forget_expiry(timer);
                Ok(())
            }
            ForgottenState::Callback(timer, _) => self.end_callback(world, timer, at.ns, false),
            ForgottenState::EventGroup(group) => {
                self.bits.forget(group);
                Ok(())
            }
            ForgottenState::Priority(task) => {
                self.tasks.entry(task).base = None;
                self.refresh(world, at.ns)
            }
            _ => Ok(()),
        }
    }
}

impl<R: ActivationSink> Sink for Activations<R> {
    fn initial(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        self.is_initial = true;
        let done = self.change(world, at, change);
        self.is_initial = false;
        done
    }

    fn change(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        // Times of two cores may differ a little in their order; parts must not.
        self.now = self.now.max(at.ns);
        let at = EventTime { ns: self.now, core: at.core };
        match *change {
            Change::TaskState { task, from, to, waker } => {
                self.move_task(world, at, Transition { task, from, to }, waker)?;
                self.refresh(world, at.ns)
            }
            Change::WaitEnded { task, wait, outcome } => {
                self.wait_ended(world, at, task, wait, outcome)
            }
            Change::IsrEnter(isr) => self.enter(world, at, isr),
            Change::IsrExit(_) => self.exit(world, at, true),
            Change::Priority { task, base, .. } => {
                self.tasks.entry(task).base = base;
                self.refresh(world, at.ns)
            }
            Change::QueueLevel { queue, cause, by, .. } => {
                self.queue_level(world, at, queue, cause, by)
            }
            Change::Queue(queue, QueueChange::ReceiveFailed, Some(Actor::Task(task))) => {
                self.give_up_lock(world, at, task, queue)
            }
            Change::MutexTaken(queue, holder) => {
                self.locks.take(queue, at.ns, holder, !self.is_initial);
                self.refresh_after_lock(world, at.ns, queue)
            }
            Change::MutexGiven(queue, _) => {
                self.locks.give(&mut self.out, world, queue, at.ns, true)?;
                self.refresh_after_lock(world, at.ns, queue)
            }
            Change::Task(task, change, _) => self.task(world, at, task, change),
            Change::EventGroup(group, change, by) => self.event_group(world, at, group, change, by),
            Change::StreamBuffer(
                buffer,
                StreamBufferChange::Level(_, BufferCause::Receive(_)),
                by,
            ) => match by.and_then(Actor::task) {
                Some(task) => self.take(world, at, task, Release::Bytes(buffer), Taken::ONE),
                None => Ok(()),
            },
            Change::Kernel(KernelChange::Pended { accepted, .. }, _) => {
                self.bits.pended(accepted);
                Ok(())
            }
            Change::Flow(flow) => self.note_item_sender(world, flow),
            Change::Timer(timer, change, _) => self.timer(world, at, timer, change),
            Change::Forgotten(forgotten) => self.forgotten(world, at, forgotten),
            _ => Ok(()),
        }
    }

    fn switch(&mut self, world: &World, at: EventTime, switch: &Switch) -> io::Result<()> {
        self.now = self.now.max(at.ns);
        let at = EventTime { ns: self.now, core: at.core };
        for transition in switch.transitions(at.core) {
            self.move_task(world, at, transition, Waker::Other)?;
        }
        self.refresh(world, at.ns)
    }

    fn finish(&mut self, world: &World, end_ns: i64) -> io::Result<()> {
        let ns = end_ns.max(self.now);
        let Self { out, tasks, open, cores, locks, callbacks, .. } = self;
        for callback in callbacks.open.drain(..) {
            callback.open.end(out, world, ns, false)?;
        }
        for core in cores.iter_mut() {
            while let Some(isr) = core.isrs.pop() {
                isr.end(out, world, ns, false)?;
            }
        }
        open.clear();
        for open in tasks.iter_mut().filter_map(|line| line.open.take()) {
            open.end(out, world, ns, false)?;
        }
        locks.finish(out, world, ns)?;
        out.finish(world)
    }
}
