//! Queues, semaphores and mutexes: levels, waits and flows. Holders of mutexes: see `mutex.rs`.

use std::io;

use tband_format::named::QueueKind;
use tband_format::registry::NOT_RECORDED;

use crate::machine::flow::Transfer;
use crate::machine::{AnyContext, Context, EventActor, Timeline};
use crate::model::{Act, Change, Flows, Queue, QueueCause, QueueChange, QueueRef, Sink, Wait};

impl Timeline {
    /// A queue number is used, for the first time or again.
    pub(in crate::machine) fn queue_created(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
    ) -> io::Result<()> {
        match self.create(context, id, Self::end_queue)? {
            Some(queue) => self.queue_cleared(context, queue),
            None => self.too_many(context, "queue", id),
        }
    }

    /// The queue has ended, but no event reported its deletion.
    pub(in crate::machine) fn end_queue(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        queue: QueueRef,
    ) -> io::Result<()> {
        self.queue_cleared(context, queue)?;
        self.delete(context.at.ns, queue);
        self.queue_changes(context, queue, QueueChange::Deleted)
    }

    /// Forgets a queue's state.
    pub(in crate::machine) fn queue_cleared(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        queue: QueueRef,
    ) -> io::Result<()> {
        self.senders.forget_queue(queue);
        let Some(entry) = self.world.queues.get_mut(queue) else {
            return Ok(());
        };
        let was_taken = entry.taken;
        (entry.level, entry.holder, entry.taken) = (None, None, false);
        if was_taken {
            context.sink.change(&self.world, context.at, &Change::MutexGiven(queue, None))?;
        }
        Ok(())
    }

    /// The kernel has one event for tasks and interrupts that send to a queue set.
    #[inline]
    pub(in crate::machine) fn isr_sends_to_set(&mut self, core: u32, id: u32) -> bool {
        !self.core(core).isrs.is_empty() && self.is_queue_set(id)
    }

    #[cold]
    fn is_queue_set(&self, id: u32) -> bool {
        let queue = self.world.queues.find(id).and_then(|queue| self.world.queues.get(queue));
        queue.is_some_and(|queue| queue.kind == Some(QueueKind::QUEUE_SET))
    }

    #[inline]
    pub(in crate::machine) fn queue_level<S: Sink + ?Sized>(
        &mut self,
        context: &mut Context<'_, S>,
        id: u32,
        level: u32,
        cause: QueueCause,
    ) -> io::Result<()> {
        let (core, from_isr) = (context.at.core, context.by == EventActor::Isr);
        let was_woken = !from_isr && cause != QueueCause::Reported && self.note_not_blocked(core);
        let Some(mut queue) = self.world.queue(id) else {
            return self.too_many(&mut context.rare().any(), "queue", id);
        };
        if cause == QueueCause::Receive && !from_isr && self.timer_task.is_calling() {
            self.received_while_calling(&mut context.rare().any(), queue)?;
        }
        let Some(entry) = self.world.queues.get_mut(queue) else {
            return Ok(());
        };
        let mut mutex = entry.is_mutex();
        let before = entry.level.replace(level);
        // After a reset, and where the level is only reported, the earlier level may have been any. Only the most frequent
        // causes are distinguished, here and below, because a jump table takes longer.
        let expected = match cause {
            QueueCause::Send => Some(level.wrapping_sub(1)),
            QueueCause::Receive => Some(level.wrapping_add(1)),
            _ => before,
        };
        if before.is_none() || before != expected {
            (queue, mutex) = self.unexpected_level(queue, level, before, expected);
        }
        let by = self.by(context);
        let act = match cause {
            QueueCause::Send => Some(Act::Send(queue)),
            QueueCause::Receive => Some(Act::Receive(queue)),
            _ => rare_act(queue, cause),
        };
        if let Some(act) = act {
            self.set_cause(context.at, by, act, mutex.into());
        }
        let change = Change::QueueLevel { queue, level, cause, by };
        context.sink.frequent(&self.world, context.at, &change)?;
        if mutex {
            self.mutex(&mut context.rare().any(), queue, level, cause)?;
        }
        let Some(act) = act else { return Ok(()) };
        if was_woken || self.senders.mode == Flows::All {
            let context = &mut context.reborrow();
            self.transfer_item(context, Transfer { queue, level, cause }, act, was_woken)
        } else {
            Ok(())
        }
    }

    /// A level that does not follow from the one before. Reports which queue it is, and whether a mutex.
    #[inline(never)]
    fn unexpected_level(
        &mut self,
        queue: QueueRef,
        level: u32,
        before: Option<u32>,
        expected: Option<u32>,
    ) -> (QueueRef, bool) {
        let Some((before, expected)) = before.zip(expected) else {
            return self.first_level(queue, level);
        };
        let unseen = if expected > before {
            &mut self.hooks.unseen_sends
        } else {
            &mut self.hooks.unseen_receives
        };
        *unseen = unseen.saturating_add(1);
        let entry = self.world.queues.get(queue);
        (queue, entry.is_some_and(Queue::is_mutex))
    }

    /// Stores the first level that is reported of a queue after a gap. Returns the queue, and whether it is a mutex.
    #[inline(never)]
    fn first_level(&mut self, queue: QueueRef, level: u32) -> (QueueRef, bool) {
        let queue = self.living(queue);
        let Some(entry) = self.world.queues.get_mut(queue) else {
            return (queue, false);
        };
        entry.level = Some(level);
        self.gaps.learnt_queue(queue);
        (queue, entry.is_mutex())
    }

    /// An item passes through a queue: finds the wait that it ends, and its sender.
    #[inline(never)]
    fn transfer_item<S: Sink + ?Sized>(
        &mut self,
        context: &mut Context<'_, S>,
        transfer: Transfer,
        act: Act,
        was_woken: bool,
    ) -> io::Result<()> {
        let now = self.end(context, act);
        let woken_by = if was_woken { self.end_wait_with(context, act)? } else { None };
        if self.senders.mode == Flows::All {
            return self.match_item(context, transfer, now, woken_by);
        }
        self.flow(context, woken_by, now, true)
    }

    /// The running task of a core is about to wait for a queue.
    pub(in crate::machine) fn wait_for_queue<S: Sink + ?Sized>(
        &mut self,
        context: &mut Context<'_, S>,
        queue_id: u32,
        ticks: u32,
        wait: impl Fn(QueueRef) -> Wait,
    ) -> io::Result<()> {
        if queue_id == NOT_RECORDED {
            return self.wait_for_unknown(context.at.core);
        }
        match self.world.queue(queue_id) {
            Some(queue) => {
                let queue = self.living(queue);
                self.wait(context.at.core, wait(queue), ticks)
            }
            None => {
                self.wait_for_unknown(context.at.core)?;
                self.too_many(&mut context.rare().any(), "queue", queue_id)
            }
        }
    }

    pub(in crate::machine) fn queue_changes(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        queue: QueueRef,
        change: QueueChange,
    ) -> io::Result<()> {
        let by = self.by(context);
        context.sink.change(&self.world, context.at, &Change::Queue(queue, change, by))
    }

    /// Something that does not change a queue: by the running task, which ends its wait if it was
    /// about this act, or by an interrupt.
    pub(in crate::machine) fn report_queue_failure(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
        change: QueueChange,
        act: fn(QueueRef) -> Act,
    ) -> io::Result<()> {
        let by_task = context.by != EventActor::Isr;
        if by_task {
            self.note_not_blocked(context.at.core);
        }
        let Some(queue) = self.world.queue(id) else {
            return self.too_many(context, "queue", id);
        };
        if by_task {
            self.failed(context, act(queue))?;
        }
        self.queue_changes(context, queue, change)
    }

    pub(in crate::machine) fn queue_deleted(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
    ) -> io::Result<()> {
        self.note_not_blocked(context.at.core);
        let Some(queue) = self.world.queue(id) else {
            return self.too_many(context, "queue", id);
        };
        self.queue_cleared(context, queue)?;
        self.delete(context.at.ns, queue);
        self.queue_changes(context, queue, QueueChange::Deleted)
    }

    /// The last item was sent to the front.
    pub(in crate::machine) fn sent_to_front(&mut self, id: u32) -> io::Result<()> {
        if self.senders.mode == Flows::All
            && let Some(queue) = self.world.queues.find(id)
        {
            match self.world.queues.get(queue).and_then(|queue| queue.level) {
                Some(level) => self.senders.move_to_front(queue, level),
                None => self.senders.forget_queue(queue),
            }
        }
        Ok(())
    }

    /// The running task peeks the first item.
    pub(in crate::machine) fn queue_peeked(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
    ) -> io::Result<()> {
        self.note_not_blocked(context.at.core);
        let Some(queue) = self.world.queue(id) else {
            return self.too_many(context, "queue", id);
        };
        let act = Act::Peek(queue);
        let by = self.by(context);
        self.set_cause(context.at, by, act, 0);
        let by = self.end_wait_with(context, act)?;
        self.queue_changes(context, queue, QueueChange::Peek)?;
        let now = self.end(context, act);
        self.flow(context, by, now, true)
    }

    /// The running task received nothing.
    pub(in crate::machine) fn fail_receive(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
    ) -> io::Result<()> {
        if self.timer_task.is_calling() {
            self.received_nothing_while_calling(context, id)?;
        }
        self.report_queue_failure(context, id, QueueChange::ReceiveFailed, Act::Receive)
    }
}

/// Returns the act that caused a level, if a task or interrupt acted.
#[cold]
#[inline(never)]
fn rare_act(queue: QueueRef, cause: QueueCause) -> Option<Act> {
    match cause {
        QueueCause::Send | QueueCause::Overwrite => Some(Act::Send(queue)),
        QueueCause::Receive => Some(Act::Receive(queue)),
        QueueCause::Reset => Some(Act::Reset(queue)),
        QueueCause::Reported => None,
    }
}
