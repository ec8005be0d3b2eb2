//! Locks: which queues are locks, which task holds each, and since when.
//!
//! A mutex is a lock. A binary semaphore is one while a task that took it has not given it back, unless an interrupt or
//! another task has given it: then it is a signal.

use std::io;

use super::ActivationSink;
use super::activation::LockHold;
use crate::model::{Actor, PerRef, Queue, QueueRef, TaskRef, World};
use tband_format::named::QueueKind;

/// One queue that may be a lock.
#[derive(Clone, Copy, Debug, Default)]
struct Lock {
    /// Since when it is taken, in ns, and whether that was seen.
    taken: Option<(i64, bool)>,
    holder: Option<TaskRef>,
    waiters: u32,
    /// Its holder has given it back once.
    is_given_back: bool,
    /// An interrupt, or a task that did not hold it, gave it.
    is_signal: bool,
    /// It was given, and no events are missing since then.
    is_free: bool,
    /// Events are missing since the last one that shows the holder.
    is_forgotten: bool,
}

/// All locks.
#[derive(Debug, Default)]
pub struct Locks(PerRef<Queue, Lock>);

impl Locks {
    /// A wait of this task to take the queue is a wait for a lock, not for work.
    pub fn is_lock_for(&self, world: &World, queue: QueueRef, task: TaskRef) -> bool {
        if world.queues.get(queue).is_some_and(Queue::is_mutex) {
            return true;
        }
        // Where the holder is not known, since events are missing, the semaphore is used as before.
        let is_used_as_lock = |it: &Lock| match it.holder {
            Some(holder) => holder != task,
            None => it.is_given_back,
        };
        is_binary(world, queue)
            && self.0.get(queue).is_some_and(|it| !it.is_signal && is_used_as_lock(it))
    }

    /// Whether the queue is a lock as far as is known, so that taking it starts no work.
    pub fn is_lock(&self, world: &World, queue: QueueRef) -> bool {
        world.queues.get(queue).is_some_and(Queue::is_mutex)
            || self.0.get(queue).is_some_and(|it| it.is_given_back && !it.is_signal)
    }

    /// Events are missing, and none shows whether this is a lock or something that a task waits for as its work.
    pub fn is_use_unknown(&self, world: &World, queue: QueueRef) -> bool {
        is_binary(world, queue)
            && self.0.get(queue).is_some_and(|it| {
                it.is_forgotten && it.holder.is_none() && !it.is_signal && !it.is_given_back
            })
    }

    /// The task that holds a lock.
    pub fn holder(&self, queue: QueueRef) -> Option<TaskRef> {
        self.0.get(queue)?.holder
    }

    /// Whether the lock is known to have no holder.
    pub fn is_free(&self, world: &World, queue: QueueRef) -> bool {
        let lock = self.0.get(queue);
        let level = world.queues.get(queue).and_then(|queue| queue.level);
        lock.is_none_or(|lock| lock.taken.is_none())
            && (lock.is_some_and(|lock| lock.is_free) || level.is_some_and(|level| level > 0))
    }

    /// A task begins to wait for it.
    pub fn wait(&mut self, queue: QueueRef) {
        let lock = self.0.entry(queue);
        lock.waiters = lock.waiters.saturating_add(1);
    }

    /// It is taken.
    pub fn take(&mut self, queue: QueueRef, ns: i64, holder: Option<TaskRef>, is_seen: bool) {
        let lock = self.0.entry(queue);
        (lock.taken, lock.holder) = (Some((ns, is_seen)), holder);
        (lock.waiters, lock.is_free) = (0, false);
        lock.is_forgotten &= holder.is_none();
    }

    /// A mutex is given.
    pub fn give(
        &mut self,
        out: &mut dyn ActivationSink,
        world: &World,
        queue: QueueRef,
        ns: i64,
        is_seen: bool,
    ) -> io::Result<()> {
        let lock = self.0.entry(queue);
        lock.is_free = is_seen;
        let holder = lock.holder.take();
        let Some((begin_ns, begin_seen)) = lock.taken.take() else { return Ok(()) };
        let waiters = lock.waiters;
        let hold = LockHold {
            lock: queue,
            holder,
            begin_ns,
            end_ns: ns,
            waiters,
            begin_seen,
            end_seen: is_seen,
        };
        if lock.is_signal { Ok(()) } else { out.hold(world, &hold) }
    }

    /// A task or an interrupt takes a binary semaphore.
    pub fn take_semaphore(&mut self, queue: QueueRef, ns: i64, by: Option<Actor>) {
        self.take(queue, ns, by.and_then(Actor::task), true);
    }

    /// A binary semaphore is given.
    pub fn give_semaphore(
        &mut self,
        out: &mut dyn ActivationSink,
        world: &World,
        queue: QueueRef,
        ns: i64,
        by: Option<Actor>,
    ) -> io::Result<()> {
        let lock = self.0.entry(queue);
        match (lock.holder, by) {
            (Some(holder), Some(Actor::Task(task))) if holder == task => lock.is_given_back = true,
            (Some(_), Some(_)) | (None, Some(Actor::Isr(_) | Actor::UnknownIsr)) => {
                lock.is_signal = true;
            }
            (_, None) | (None, Some(Actor::Task(_))) => {}
        }
        self.give(out, world, queue, ns, true)
    }

    /// Discards the known holder.
    pub fn forget(
        &mut self,
        out: &mut dyn ActivationSink,
        world: &World,
        queue: QueueRef,
        ns: i64,
    ) -> io::Result<()> {
        self.0.entry(queue).is_forgotten = true;
        self.give(out, world, queue, ns, false)
    }

    /// The recording ends: reports the locks that are held. A semaphore that was never given back is not a lock.
    pub fn finish(
        &mut self,
        out: &mut dyn ActivationSink,
        world: &World,
        ns: i64,
    ) -> io::Result<()> {
        for (queue, _) in world.queues.iter() {
            let lock = self.0.get(queue).copied().unwrap_or_default();
            if lock.is_given_back || world.queues.get(queue).is_some_and(Queue::is_mutex) {
                self.give(out, world, queue, ns, false)?;
            }
        }
        Ok(())
    }
}

/// It is a binary semaphore, which may be used as a lock.
pub fn is_binary(world: &World, queue: QueueRef) -> bool {
    let queue = world.queues.get(queue);
    queue.is_some_and(|queue| queue.kind == Some(QueueKind::BINARY_SEMAPHORE))
}
