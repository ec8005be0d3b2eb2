//! Queues, semaphores and mutexes: levels and holders.
//!
//! A mutex is a queue of one item: receiving it takes the mutex, sending it gives it back. The first
//! send of a mutex, at its creation, makes it free.

use std::io;

use super::change::{Change, QueueCause, Sink};
use super::world::Queue;
use super::{Step, Timeline};

impl Timeline {
    /// A queue number is used, for the first time or again.
    pub(super) fn queue_created<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
    ) -> io::Result<()> {
        let Some(queue) = self.world.queue(id) else {
            return self.too_many(step, "queue", id);
        };
        let Some(entry) = self.world.queues.get_mut(queue) else {
            return Ok(());
        };
        let was_taken = entry.taken;
        (entry.level, entry.holder, entry.taken) = (None, None, false);
        if was_taken {
            step.sink.change(&self.world, step.at, &Change::MutexGiven(queue))?;
        }
        Ok(())
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
        let Some(queue) = self.world.queue(id) else {
            return self.too_many(&mut step.again(), "queue", id);
        };
        let core = step.at.core;
        if !from_isr && cause != QueueCause::Told {
            self.acts(core);
        }
        let Some(entry) = self.world.queues.get_mut(queue) else {
            return Ok(());
        };
        entry.level = Some(level);
        if !std::mem::replace(&mut entry.noted, true) {
            self.gaps.learnt_queue(queue);
        }
        let mutex = entry.is_mutex();
        let change = Change::QueueLevel { queue, level, cause, from_isr };
        step.sink.change(&self.world, step.at, &change)?;
        if mutex { self.mutex(&mut step.again(), queue, level, cause, from_isr) } else { Ok(()) }
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
        Ok(())
    }
}
