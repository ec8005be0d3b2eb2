//! Direct-to-task notifications.
//!
//! A notification is addressed to a task, so it is kept there and not as the core's last act. Stream
//! buffers are built on notifications: such a wait counts as one for the buffer.

use std::io;

use tband_format::NotifyAction;

use super::change::{Change, Outcome, Sink, TaskChange};
use super::flow::{Act, End, Flows};
use super::wait::Notified;
use super::world::{TaskRef, Wait};
use super::{Step, Timeline};

/// Who was notified last.
#[derive(Clone, Copy, Debug)]
pub(super) struct LastNotified {
    pub core: u32,
    pub task: TaskRef,
    /// Number of this act.
    pub number: u32,
}

impl Timeline {
    /// A task is notified.
    pub(super) fn notified<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        (id, index): (u32, u32),
        action: NotifyAction,
        value_after: u32,
        from_isr: bool,
    ) -> io::Result<()> {
        let Some(task) = self.known_task(step, id)? else {
            return Ok(());
        };
        if !from_isr {
            self.acts(step.at.core);
        }
        let end = self.end(step, Act::Notify(task), from_isr);
        self.acts_so_far = self.acts_so_far.wrapping_add(1);
        let number = self.acts_so_far;
        self.last_notified = Some(LastNotified { core: step.at.core, task, number });
        if action != NotifyAction::WRITE_REFUSED
            && let Some(entry) = self.world.tasks.get_mut(task)
        {
            entry.waiting.notified = Some(Notified { index, end, number });
        }
        let by = end.map(|end| end.actor);
        let change = TaskChange::Notified { index, action, value_after, by };
        step.sink.change(&self.world, step.at, &Change::Task(task, change))
    }

    /// The running task has taken from its notification value, or its wait for that timed out.
    pub(super) fn notify_taken<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        index: u32,
        value: u32,
        value_after: u32,
    ) -> io::Result<()> {
        let got = value != 0;
        let by = self.notification_ends(step, index, got, value_after != 0)?;
        let change = TaskChange::NotificationTaken { index, value, value_after };
        self.notification_shown(step, change, by)
    }

    /// The running task's wait for a notification has ended.
    pub(super) fn notify_waited<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        index: u32,
        value: u32,
        received: bool,
    ) -> io::Result<()> {
        let by = self.notification_ends(step, index, received, false)?;
        let change = TaskChange::NotificationEnds { index, value, received };
        self.notification_shown(step, change, by)
    }

    /// Gives who ended the wait, or who sent what the task got without one.
    fn notification_ends<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        index: u32,
        got: bool,
        some_left: bool,
    ) -> io::Result<Option<(End, bool)>> {
        self.acts(step.at.core);
        let outcome = if got { Outcome::Data } else { Outcome::Timeout };
        let for_buffer = |wait| matches!(wait, Wait::SendBytes(_) | Wait::ReceiveBytes(_));
        let Some(task) = self.running(step.at.core) else {
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
            self.wait_over(step, outcome, for_buffer)?;
            // The buffer's own event follows.
            over.told = true;
            if let Some(task) = self.running(step.at.core) {
                task.waiting.over = Some(over);
            }
            return Ok(None);
        }
        let is_it =
            |wait| matches!(wait, Wait::NotifyTake(at) | Wait::NotifyWait(at) if at == index);
        let by = self.wait_over(step, outcome, is_it)?;
        let earlier = sender.filter(|_| got && self.senders.mode == Flows::All);
        Ok(by.map(|by| (by, true)).or(earlier.map(|by| (by, false))))
    }

    fn notification_shown<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        change: TaskChange,
        by: Option<(End, bool)>,
    ) -> io::Result<()> {
        let Some(task) = self.core(step.at.core).running else {
            return Ok(());
        };
        step.sink.change(&self.world, step.at, &Change::Task(task, change))?;
        match (by, self.end(step, Act::TakeNotification, false)) {
            (Some((from, woke)), Some(to)) => self.flow(step, from, to, woke),
            _ => Ok(()),
        }
    }
}
