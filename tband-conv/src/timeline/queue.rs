//! Queues, semaphores and mutexes: levels and holders.
//!
//! A mutex is a queue of one item: receiving it takes the mutex, sending it gives it back. The first
//! send of a mutex, at its creation, makes it free.

use std::io;

use tband_format::QueueKind;

use super::change::{Change, QueueCause, QueueChange, Sink};
use super::flow::{Act, Flows};
use super::world::{Has, Queue};
use super::{Step, Timeline};

impl Timeline {
    /// A queue number is used, for the first time or again.
    pub(super) fn queue_created<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
    ) -> io::Result<()> {
        match self.creates(step, id, Self::queue_ends)? {
            Some(queue) => self.queue_cleared(step, queue),
            None => self.too_many(step, "queue", id),
        }
    }

    /// Nothing is known of a queue any more.
    pub(super) fn queue_cleared<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        queue: super::QueueRef,
    ) -> io::Result<()> {
        self.senders.forget_queue(queue);
        let Some(entry) = self.world.queues.get_mut(queue) else {
            return Ok(());
        };
        let was_taken = entry.taken;
        (entry.level, entry.holder, entry.taken) = (None, None, false);
        entry.has = Has::Unknown;
        if was_taken {
            step.sink.change(&self.world, step.at, &Change::MutexGiven(queue))?;
        }
        Ok(())
    }

    /// The kernel has one event for what tasks and interrupts send to a queue set.
    #[inline(always)]
    pub(super) fn isr_sends_to_set(&mut self, core: u32, id: u32) -> bool {
        !self.core(core).isrs.is_empty() && self.is_queue_set(id)
    }

    #[cold]
    fn is_queue_set(&self, id: u32) -> bool {
        let queue = self.world.queues.find(id).and_then(|queue| self.world.queues.get(queue));
        queue.is_some_and(|queue| queue.kind == Some(QueueKind::QUEUE_SET))
    }

    #[inline(always)]
    pub(super) fn queue_level<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
        level: u32,
        cause: QueueCause,
        from_isr: bool,
    ) -> io::Result<()> {
        let Some(mut queue) = self.world.queue(id) else {
            return self.too_many(&mut step.again(), "queue", id);
        };
        let core = step.at.core;
        let was_woken = !from_isr && cause != QueueCause::Told && self.acts(core);
        if cause == QueueCause::Receive && !from_isr && self.timer_task.calls() {
            self.received_while_calling(&mut step.again(), queue)?;
        }
        let Some(entry) = self.world.queues.get_mut(queue) else {
            return Ok(());
        };
        entry.level = Some(level);
        let mut mutex = matches!(entry.has, Has::Holder);
        if matches!(entry.has, Has::Unknown) {
            (queue, mutex) = self.first_level(queue, level);
        }
        let change = Change::QueueLevel { queue, level, cause, from_isr };
        step.sink.change(&self.world, step.at, &change)?;
        if mutex {
            self.mutex(&mut step.again(), queue, level, cause, from_isr)?;
        }
        let act = match cause {
            QueueCause::Send | QueueCause::Overwrite => Act::Send(queue),
            QueueCause::Receive => Act::Receive(queue),
            QueueCause::Reset => Act::Reset(queue),
            QueueCause::Told => return Ok(()),
        };
        self.set_cause(step.at, act, from_isr, u32::from(mutex));
        if was_woken || self.senders.mode == Flows::All {
            let step = &mut step.again();
            self.item_passes(step, (queue, level), (cause, act), from_isr, was_woken)
        } else {
            Ok(())
        }
    }

    /// The first level that is told of a queue behind a gap; tells which one it is, and whether a mutex.
    #[inline(never)]
    fn first_level(&mut self, queue: super::QueueRef, level: u32) -> (super::QueueRef, bool) {
        let queue = self.living(queue);
        let Some(entry) = self.world.queues.get_mut(queue) else {
            return (queue, false);
        };
        entry.level = Some(level);
        if !std::mem::replace(&mut entry.noted, true) {
            self.gaps.learnt_queue(queue);
        }
        let mutex = entry.is_mutex();
        entry.has = if mutex { Has::Holder } else { Has::Level };
        (queue, mutex)
    }

    /// Of an item: whose wait it ends, and where it comes from.
    #[inline(never)]
    fn item_passes<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        item: (super::QueueRef, u32),
        (cause, act): (QueueCause, Act),
        from_isr: bool,
        was_woken: bool,
    ) -> io::Result<()> {
        let now = self.end(step, act, from_isr);
        let woken_by = if was_woken { self.got(step, act)? } else { None };
        if self.senders.mode == Flows::All {
            return self.match_item(step, item, cause, now, woken_by);
        }
        match (woken_by, now) {
            (Some(from), Some(now)) => self.flow(step, from, now, true),
            _ => Ok(()),
        }
    }

    #[inline(never)]
    fn mutex<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        queue: super::QueueRef,
        level: u32,
        cause: QueueCause,
        from_isr: bool,
    ) -> io::Result<()> {
        let taken = cause == QueueCause::Receive && level == 0;
        let running = self.core(step.at.core).running.filter(|_| taken && !from_isr);
        let Some(entry) = self.world.queues.get_mut(queue) else {
            return Ok(());
        };
        // A level that is only told does not say who holds the mutex; it may be its creation.
        let was_taken = entry.taken && (taken || level > 0);
        if was_taken || taken {
            (entry.taken, entry.holder) = (taken, running);
        }
        let Queue { holder, .. } = *entry;
        if was_taken {
            step.sink.change(&self.world, step.at, &Change::MutexGiven(queue))?;
        }
        if taken {
            step.sink.change(&self.world, step.at, &Change::MutexTaken(queue, holder))?;
        }
        let holder = holder.filter(|_| taken).and_then(|task| self.world.tasks.get_mut(task));
        match holder.and_then(|task| task.waiting.asked.take()) {
            Some(asked) if asked == queue => {
                self.queue_changes(step, queue, QueueChange::Depth(1), false)
            }
            _ => Ok(()),
        }
    }

    /// The running task asks for a recursive mutex. That comes before the kernel knows whether the task gets
    /// it; how deep another task holds it stays.
    pub(super) fn recursive_take<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
        depth_after: u32,
    ) -> io::Result<()> {
        let core = step.at.core;
        self.acts(core);
        let Some(queue) = self.world.queue(id) else {
            return self.too_many(step, "queue", id);
        };
        let running = self.core(core).running;
        let entry = self.world.queues.get(queue);
        let is_held = entry.is_some_and(|queue| queue.taken && queue.holder != running);
        let asked = (is_held && depth_after == 1).then_some(queue);
        if let Some(task) = self.running(core) {
            task.waiting.asked = asked;
        }
        match asked {
            Some(_) => Ok(()),
            None => self.queue_changes(step, queue, QueueChange::Depth(depth_after), false),
        }
    }
}
