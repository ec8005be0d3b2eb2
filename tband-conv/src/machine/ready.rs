//! Wake-ups: a task becomes ready, its waker, and the consequences.

use std::io;

use super::{AnyContext, Context, Timeline};
use crate::model::{Sink, TaskRef, TaskState, Transition, Waker};

impl Timeline {
    #[inline]
    pub(super) fn ready<S: Sink + ?Sized>(
        &mut self,
        context: &mut Context<'_, S>,
        id: u32,
    ) -> io::Result<()> {
        self.core(context.at.core).skip_left_isrs();
        match self.usual_task(id) {
            Some((task, state)) => {
                self.before_ready(context, task)?;
                self.make_ready(context, task, state)
            }
            None => self.unusual_ready(&mut context.rare().any(), id),
        }
    }

    #[inline(never)]
    fn unusual_ready(&mut self, context: &mut AnyContext<'_, '_>, id: u32) -> io::Result<()> {
        let Some(task) = self.living_task(context, id, "becomes ready")? else {
            return Ok(());
        };
        self.before_ready(context, task)?;
        let state = self.state(task);
        if let TaskState::Running(_) = state {
            // Woken before it left the core.
            self.tasks.entry(task).leaves_to = TaskState::Ready;
            return Ok(());
        }
        self.make_ready(context, task, state)
    }

    /// Updates event groups and timers when a task is made ready.
    #[inline]
    fn before_ready<S: Sink + ?Sized>(
        &mut self,
        context: &mut Context<'_, S>,
        task: TaskRef,
    ) -> io::Result<()> {
        if self.waiters.any() {
            self.waiters.woken(task);
        }
        if self.timer_task.is_calling() {
            self.ready_while_calling(&mut context.rare().any(), task)?;
        }
        Ok(())
    }

    #[inline]
    fn make_ready<S: Sink + ?Sized>(
        &mut self,
        context: &mut Context<'_, S>,
        task: TaskRef,
        state: TaskState,
    ) -> io::Result<()> {
        self.hooks.any_ready = true;
        match state {
            TaskState::Blocked(wait) => {
                let (waker, outcome) = self.woken(context.at, task, wait);
                let transition = Transition { task, from: state, to: TaskState::Ready };
                self.transition(context, transition, waker)?;
                match outcome {
                    Some(outcome) => self.outcome(&mut context.reborrow(), task, wait, outcome),
                    None => Ok(()),
                }
            }
            TaskState::Suspended | TaskState::Created => {
                // Time alone does neither.
                let waker = self.by(context).map_or(Waker::Other, Waker::of);
                self.set_state(&mut context.reborrow(), task, TaskState::Ready, waker)
            }
            _ => self.set_state(&mut context.reborrow(), task, TaskState::Ready, Waker::Other),
        }
    }

    /// Returns a task that is known to exist and not to run. Any other may be the first with its number, or an error.
    #[inline]
    fn usual_task(&self, id: u32) -> Option<(TaskRef, TaskState)> {
        let task = self.world.tasks.find(id)?;
        let state = self.state(task);
        state.is_off_core().then_some((task, state))
    }
}
