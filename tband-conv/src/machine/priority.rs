//! Priorities of tasks.

use std::io;

use super::{AnyContext, Timeline};
use crate::model::{Change, PriorityCause, TaskRef};

impl Timeline {
    /// Notes the priority of a task, if it is known.
    pub(super) fn has_priority(&mut self, task: TaskRef, priority: Option<u32>) {
        let known = self.world.tasks.get_mut(task).map(|task| &mut task.priority);
        if let (Some(known), Some(priority)) = (known, priority)
            && known.replace(priority).is_none()
        {
            self.gaps.learnt_priority(task);
        }
    }

    pub(super) fn priority(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
        priority: u32,
        cause: PriorityCause,
    ) -> io::Result<()> {
        let Some(task) = self.known_task(context, id)? else {
            return Ok(());
        };
        if let Some(entry) = self.world.tasks.get_mut(task) {
            entry.life.used = true;
        }
        self.tasks.entry(task).inherits = cause == PriorityCause::Inherit;
        self.has_priority(task, Some(priority));
        let by = self.by(context);
        let change = Change::Priority { task, priority, cause, by };
        context.sink.change(&self.world, context.at, &change)
    }

    /// A recording starts, and this is what the task's priority is, unless it inherited a higher one.
    #[cold]
    pub(super) fn base_priority(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
        priority: u32,
    ) -> io::Result<()> {
        // It says nothing of a use of the task: it may be before the task's creation.
        let Some(task) = self.world.task(id) else {
            return self.too_many(context, "task", id);
        };
        let Some(entry) = self.world.tasks.get_mut(task) else {
            return Ok(());
        };
        let inherits = self.tasks.entry(task).inherits;
        let is_known =
            entry.priority == Some(priority) || (inherits && entry.priority > Some(priority));
        if is_known {
            return Ok(());
        }
        entry.priority = Some(priority);
        self.list(context, task)?;
        let change = Change::Priority { task, priority, cause: PriorityCause::Set, by: None };
        context.sink.change(&self.world, context.at, &change)
    }
}
