//! Wake-ups: a task becomes ready, by whom, and what else follows from it.

use std::io;

use super::change::{Sink, Waker};
use super::world::{TaskRef, TaskState};
use super::{Step, Timeline};

impl Timeline {
    #[inline(always)]
    pub(super) fn ready<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
    ) -> io::Result<()> {
        match self.usual_task(id) {
            Some((task, _)) => {
                self.before_ready(step, task)?;
                self.make_ready(step, task)
            }
            None => self.unusual_ready(&mut step.again(), id),
        }
    }

    #[inline(never)]
    fn unusual_ready<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
    ) -> io::Result<()> {
        let Some(task) = self.living_task(step, id, "becomes ready")? else {
            return Ok(());
        };
        self.before_ready(step, task)?;
        if let Some(entry) = self.world.tasks.get_mut(task)
            && let TaskState::Running(_) = entry.state
        {
            // Woken before it left the core.
            entry.leaves_to = TaskState::Ready;
            return Ok(());
        }
        self.make_ready(step, task)
    }

    /// What event groups and timers learn from it that a task is made ready.
    #[inline(always)]
    fn before_ready<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        task: TaskRef,
    ) -> io::Result<()> {
        if self.waiters.any() {
            self.waiters.woken(task);
        }
        if self.timer_task.calls() {
            self.ready_while_calling(&mut step.again(), task)?;
        }
        Ok(())
    }

    #[inline(always)]
    fn make_ready<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        task: TaskRef,
    ) -> io::Result<()> {
        let core = self.core(step.at.core);
        let waker = match core.running {
            Some(running) if core.isrs.is_empty() => Waker::Task(running),
            _ => Waker::Other,
        };
        let was = self.state(task);
        self.enter_state(step, task, TaskState::Ready, waker)?;
        match was {
            TaskState::Blocked(wait) => self.woken(&mut step.again(), task, wait),
            _ => Ok(()),
        }
    }

    /// A task of which it is known that it lives and does not run, and from when on it may change.
    #[inline(always)]
    pub(super) fn usual_task(&self, id: u32) -> Option<(TaskRef, i64)> {
        let task = self.world.tasks.find(id)?;
        let entry = self.world.tasks.get(task)?;
        match entry.state {
            // Those that may be the first of their task or an error.
            TaskState::Unknown | TaskState::Deleted | TaskState::Running(_) => None,
            _ => Some((task, entry.settled)),
        }
    }
}
