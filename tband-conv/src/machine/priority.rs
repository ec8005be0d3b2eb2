//! Priorities of tasks.

use std::io;

use super::{AnyContext, Timeline};
use crate::model::{Actor, Change, PriorityCause, TaskRef};

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
        let by = self.by(context);
        let used = self.world.tasks.get(task).and_then(|task| task.priority);
        let raises = self.has_higher_base();
        let base = &mut self.tasks.entry(task).base_priority;
        let mut priority = priority;
        match cause {
            PriorityCause::Set => priority = base.set(priority, used, raises),
            PriorityCause::Inherit => base.inherit(used),
            PriorityCause::Disinherit => {
                base.disinherit(priority, by.and_then(Actor::task) == Some(task));
            }
        }
        let base = base.value();
        self.has_priority(task, Some(priority));
        let change = Change::Priority { task, priority, base, cause, by };
        context.sink.change(&self.world, context.at, &change)
    }

    /// The kernel runs a task at a base priority that is higher than the inherited one, as it does from V11 on.
    fn has_higher_base(&self) -> bool {
        let version = self.world.trace_info.and_then(|info| info.kernel_version);
        version.is_none_or(|version| version >= 110_000)
    }

    /// A recording starts, and this is the task's priority, unless it inherited a higher one.
    #[cold]
    pub(super) fn base_priority(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
        priority: u32,
    ) -> io::Result<()> {
        // The event does not prove that the task is used: it may come before the task's creation.
        let Some(task) = self.world.task(id) else {
            return self.too_many(context, "task", id);
        };
        let used = self.world.tasks.get(task).and_then(|task| task.priority);
        let raises = self.has_higher_base();
        let base = &mut self.tasks.entry(task).base_priority;
        if used.is_some() && base.value() == Some(priority) {
            return Ok(());
        }
        let base_priority = Some(priority);
        let priority = base.set(priority, used, raises);
        self.has_priority(task, Some(priority));
        self.list(context, task)?;
        let cause = PriorityCause::Set;
        let change = Change::Priority { task, priority, base: base_priority, cause, by: None };
        context.sink.change(&self.world, context.at, &change)
    }
}
