//! Direct-to-task notifications.
//!
//! A notification is addressed to a task, so it is kept there and not as the core's last act. Stream
//! buffers are built on notifications: such a wait counts as one for the buffer.

use std::io;

use tband_format::named::NotifyAction;
use tband_format::registry::NOT_RECORDED;

use crate::machine::memory::task::{LastNotified, PendingNotification};
use crate::machine::{AnyContext, EventActor, Timeline};
use crate::model::{Act, Change, End, Flows, Outcome, TaskChange, TaskState, Wait};

impl Timeline {
    /// A task is notified.
    pub(in crate::machine) fn notified(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
        index: u32,
        action: NotifyAction,
        value_after: u32,
    ) -> io::Result<()> {
        let Some(task) = self.known_task(context, id)? else {
            return Ok(());
        };
        let (index, has_value) = recorded(index);
        if context.by != EventActor::Isr {
            self.note_not_blocked(context.at.core);
        }
        let end = self.end(context, Act::Notify(task));
        self.acts_so_far = self.acts_so_far.wrapping_add(1);
        let number = self.acts_so_far;
        self.last_notified = Some(LastNotified { core: context.at.core, task, number });
        if action != NotifyAction::WRITE_REFUSED {
            self.tasks.entry(task).waiting.notified =
                Some(PendingNotification { index, end, number });
        }
        if !has_value {
            return Ok(());
        }
        let by = end.map(|end| end.actor);
        let change = TaskChange::Notified { index, action, value_after };
        context.sink.change(&self.world, context.at, &Change::Task(task, change, by))
    }

    /// The running task has taken from its notification value, or its wait for that timed out.
    pub(in crate::machine) fn take_notification_value(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        index: u32,
        value: u32,
        value_after: u32,
    ) -> io::Result<()> {
        let got = value != 0;
        let by = self.end_notification_wait(context, index, got, value_after != 0)?;
        let change = TaskChange::NotificationTaken { index, value, value_after };
        self.show_notification(context, Some(change), by)
    }

    /// The running task's wait for a notification has ended.
    pub(in crate::machine) fn notify_waited(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        index: u32,
        value: u32,
        received: bool,
    ) -> io::Result<()> {
        let (index, has_value) = recorded(index);
        let by = self.end_notification_wait(context, index, received, false)?;
        let change = TaskChange::NotificationEnds { index, value, received };
        self.show_notification(context, Some(change).filter(|_| has_value), by)
    }

    /// Returns the actor that ended the wait, or the sender of the notification that the task got without one.
    fn end_notification_wait(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        index: u32,
        got: bool,
        some_left: bool,
    ) -> io::Result<Option<(End, bool)>> {
        self.note_not_blocked(context.at.core);
        let outcome = if got { Outcome::Satisfied } else { Outcome::Timeout };
        let for_buffer = |wait| matches!(wait, Wait::SendBytes(_) | Wait::ReceiveBytes(_));
        let Some(task) = self.running(context.at.core) else {
            return Ok(None);
        };
        let notified = task.waiting.notified.filter(|it| it.index == index);
        if notified.is_some() && !some_left {
            task.waiting.notified = None;
        }
        let sender = notified.and_then(|it| it.end);
        let over = task.waiting.over;
        if let Some(mut over) = over.filter(|over| for_buffer(over.wait)) {
            over.by = over.by.or(sender.filter(|_| got));
            self.wait_over(context, outcome, for_buffer)?;
            // The buffer's own event comes next.
            over.reported = true;
            if let Some(task) = self.running(context.at.core) {
                task.waiting.over = Some(over);
            }
            return Ok(None);
        }
        let is_it =
            |wait| matches!(wait, Wait::NotifyTake(at) | Wait::NotifyWait(at) if at == index);
        let by = self.wait_over(context, outcome, is_it)?;
        let earlier = sender.filter(|_| got && self.senders.mode == Flows::All);
        Ok(by.map(|by| (by, true)).or(earlier.map(|by| (by, false))))
    }

    fn show_notification(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        change: Option<TaskChange>,
        by: Option<(End, bool)>,
    ) -> io::Result<()> {
        let Some(task) = self.core(context.at.core).running else {
            return Ok(());
        };
        if let Some(change) = change {
            self.task_change(context, task, change)?;
        }
        let (from, woke) = by.unzip();
        let to = self.end(context, Act::TakeNotification);
        self.flow(context, from, to, woke.unwrap_or(false))
    }

    /// The running task is about to wait for a notification. A wait for a stream buffer begins in the same way, but has a more
    /// specific event.
    pub(in crate::machine) fn wait_for_notification(
        &mut self,
        core: u32,
        wait: Wait,
        ticks: u32,
    ) -> io::Result<()> {
        let buffer = |wait| matches!(wait, Wait::SendBytes(_) | Wait::ReceiveBytes(_));
        match self.running(core).map(|task| task.leaves_to) {
            Some(TaskState::Blocked(for_buffer)) if buffer(for_buffer) => Ok(()),
            _ => self.wait(core, wait, ticks),
        }
    }
}

/// Returns the index of a notification, and whether its value is known. Other recorders record neither: then the index is
/// [`NOT_RECORDED`], and the first index is used.
const fn recorded(index: u32) -> (u32, bool) {
    if index == NOT_RECORDED { (0, false) } else { (index, true) }
}
