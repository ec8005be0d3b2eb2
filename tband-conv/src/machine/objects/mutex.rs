//! Mutexes: their holders, and the depth.
//!
//! A mutex is a queue of one item: receiving it takes the mutex, sending it gives it back. The first send of a mutex, at its
//! creation, makes it free.

use std::io;

use crate::machine::{AnyContext, EventActor, Timeline};
use crate::model::{Act, Change, Queue, QueueCause, QueueChange, QueueRef};

impl Timeline {
    #[inline(never)]
    pub(in crate::machine) fn mutex(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        queue: QueueRef,
        level: u32,
        cause: QueueCause,
    ) -> io::Result<()> {
        let taken = cause == QueueCause::Receive && level == 0;
        let by = self.by(context);
        let running = self.core(context.at.core).running;
        let running = running.filter(|_| taken && context.by != EventActor::Isr);
        let Some(entry) = self.world.queues.get_mut(queue) else {
            return Ok(());
        };
        // A level that is only reported does not identify the holder; it may be its creation.
        let was_taken = entry.taken && (taken || level > 0);
        if was_taken || taken {
            (entry.taken, entry.holder) = (taken, running);
        }
        let Queue { holder, .. } = *entry;
        if was_taken {
            context.sink.frequent(&self.world, context.at, &Change::MutexGiven(queue, by))?;
        }
        if taken {
            context.sink.frequent(&self.world, context.at, &Change::MutexTaken(queue, holder))?;
        }
        let holder = holder.filter(|_| taken).and_then(|task| self.tasks.get_mut(task));
        match holder.and_then(|task| task.waiting.asked.take()) {
            Some(asked) if asked == queue => {
                self.queue_changes(context, queue, QueueChange::Depth(1))
            }
            _ => Ok(()),
        }
    }

    /// The running task requests a recursive mutex, before the kernel knows whether the task gets it; the depth of another
    /// holder does not change.
    pub(in crate::machine) fn recursive_take(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
        depth_after: u32,
    ) -> io::Result<()> {
        let core = context.at.core;
        self.note_not_blocked(core);
        let Some(queue) = self.world.queue(id) else {
            return self.too_many(context, "queue", id);
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
            None => self.queue_changes(context, queue, QueueChange::Depth(depth_after)),
        }
    }

    pub(in crate::machine) fn fail_recursive_take(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
    ) -> io::Result<()> {
        if let Some(task) = self.running(context.at.core) {
            task.waiting.asked = None;
        }
        self.report_queue_failure(context, id, QueueChange::TakeFailed, Act::Receive)
    }

    pub(in crate::machine) fn recursive_give(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
        depth_after: u32,
    ) -> io::Result<()> {
        self.note_not_blocked(context.at.core);
        match self.world.queue(id) {
            Some(queue) => self.queue_changes(context, queue, QueueChange::Depth(depth_after)),
            None => self.too_many(context, "queue", id),
        }
    }
}
