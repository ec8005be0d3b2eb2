//! Direct-to-task notifications.
//!
//! A notification is addressed to a task, so it is kept there and not as the core's last act. Stream
//! buffers are built on notifications: such a wait counts as one for the buffer.

use std::io;

use tband_format::NotifyAction;

use crate::machine::memory::{LastNotified, Notified};
use crate::machine::{AnyContext, By, Timeline};
use crate::model::{Act, Change, End, Flows, Outcome, TaskChange, TaskState, Wait};

impl Timeline {
    /// A task is notified.
    pub(in crate::machine) fn notified(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        (id, index): (u32, u32),
        action: NotifyAction,
        value_after: u32,
    ) -> io::Result<()> {
        let Some(task) = self.known_task(context, id)? else {
            return Ok(());
        };
        if context.by != By::Isr {
            self.note_not_blocked(context.at.core);
        }
        let end = self.end(context, Act::Notify(task));
        self.acts_so_far = self.acts_so_far.wrapping_add(1);
        let number = self.acts_so_far;
        self.last_notified = Some(LastNotified { core: context.at.core, task, number });
        if action != NotifyAction::WRITE_REFUSED {
            self.tasks.entry(task).waiting.notified = Some(Notified { index, end, number });
        }
        let by = end.map(|end| end.actor);
        let change = TaskChange::Notified { index, action, value_after };
        context.sink.change(&self.world, context.at, &Change::Task(task, change, by))
    }

    /// The running task has taken from its notification value, or its wait for that timed out.
    pub(in crate::machine) fn notify_taken(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        index: u32,
        value: u32,
        value_after: u32,
    ) -> io::Result<()> {
        let got = value != 0;
        let by = self.notification_ends(context, index, got, value_after != 0)?;
        let change = TaskChange::NotificationTaken { index, value, value_after };
        self.notification_shown(context, change, by)
    }

    /// The running task's wait for a notification has ended.
    pub(in crate::machine) fn notify_waited(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        index: u32,
        value: u32,
        received: bool,
    ) -> io::Result<()> {
        let by = self.notification_ends(context, index, received, false)?;
        let change = TaskChange::NotificationEnds { index, value, received };
        self.notification_shown(context, change, by)
    }

    /// Gives who ended the wait, or who sent what the task got without one.
    fn notification_ends(
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
            // The buffer's own event follows.
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

    fn notification_shown(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        change: TaskChange,
        by: Option<(End, bool)>,
    ) -> io::Result<()> {
        let Some(task) = self.core(context.at.core).running else {
            return Ok(());
        };
        self.task_change(context, task, change)?;
        let (from, woke) = by.unzip();
        let to = self.end(context, Act::TakeNotification);
        self.flow(context, from, to, woke.unwrap_or(false))
    }

    /// The running task is about to wait for a notification. That is also how it waits for a stream
    /// buffer, which says more.
    pub(in crate::machine) fn waits_for_notification(
        &mut self,
        core: u32,
        wait: Wait,
        ticks: u32,
    ) -> io::Result<()> {
        let buffer = |wait| matches!(wait, Wait::SendBytes(_) | Wait::ReceiveBytes(_));
        match self.running(core).map(|task| task.leaves_to) {
            Some(TaskState::Blocked(for_buffer)) if buffer(for_buffer) => Ok(()),
            _ => self.waits(core, wait, ticks),
        }
    }
}
