//! Wake-ups: a task becomes ready, by whom, and what else follows from it.

use std::io;

use super::change::{Sink, Waker};
use super::flow::Actor;
use super::world::{TaskRef, TaskState};
use super::{Step, Timeline};

impl Timeline {
    #[inline(always)]
    pub(super) fn ready<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
        from_isr: bool,
    ) -> io::Result<()> {
        match self.usual_task(id) {
            Some((task, _)) => {
                self.before_ready(step, task)?;
                self.make_ready(step, task, from_isr)
            }
            None => self.unusual_ready(&mut step.again(), id, from_isr),
        }
    }

    #[inline(never)]
    fn unusual_ready<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
        from_isr: bool,
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
        self.make_ready(step, task, from_isr)
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
        from_isr: bool,
    ) -> io::Result<()> {
        let core = step.at.core;
        match self.state(task) {
            TaskState::Blocked(wait) => {
                let (waker, outcome) = self.woken(step.at, task, wait);
                self.enter_state(step, task, TaskState::Ready, waker)?;
                match outcome {
                    Some(outcome) => self.outcome(&mut step.again(), task, wait, outcome),
                    None => Ok(()),
                }
            }
            TaskState::Suspended | TaskState::Created => {
                // Time alone does neither.
                let waker = self.acting(core, from_isr);
                self.set_state(&mut step.again(), task, TaskState::Ready, waker)
            }
            _ => self.set_state(&mut step.again(), task, TaskState::Ready, Waker::Other),
        }
    }

    /// Who acts on a core, as one who makes a task ready.
    pub(super) fn acting(&mut self, core: u32, from_isr: bool) -> Waker {
        self.actor(core, from_isr).map_or(Waker::Other, Waker::of)
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

impl Waker {
    /// Who acts, as one who makes a task ready.
    pub(super) const fn of(actor: Actor) -> Self {
        match actor {
            Actor::Task(task) => Self::Task(task),
            Actor::Isr(isr) => Self::Isr(isr),
            Actor::UnknownIsr => Self::Other,
        }
    }
}
