//! States of tasks: the effect of each state change on its core, and elsewhere.

use crate::model::{EventTime, Task, TaskRef, TaskState, Waker, World};
use crate::sinks::perfetto::memory::{Ender, Reason};
use crate::sinks::perfetto::tasks::sched::{self, CoreThread, PRIORITY_OFFSET, State};
use crate::sinks::perfetto::trace::Trace;

impl Trace {
    #[inline]
    pub(in crate::sinks::perfetto) fn on_core(
        &mut self,
        world: &World,
        task: TaskRef,
    ) -> CoreThread {
        let tid = self.tid(world, task);
        let (priority, is_idle) = match world.tasks.get(task) {
            Some(task) => (task.priority.unwrap_or(0), task.idle_of.is_some()),
            None => (0, false),
        };
        let priority = priority.saturating_add(PRIORITY_OFFSET);
        CoreThread { tid, priority: priority.min(i32::MAX.cast_unsigned()), is_idle }
    }

    #[inline]
    pub(in crate::sinks::perfetto) fn task_state(
        &mut self,
        world: &World,
        at: EventTime,
        task: TaskRef,
        (from, to): (TaskState, TaskState),
        waker: Waker,
    ) {
        let Some(entry) = world.tasks.get(task) else { return };
        let tid = self.tid(world, task);
        let mut dies_ns = at.ns;
        match (from, to) {
            (_, TaskState::Running(core)) => {
                self.leave_wait(world, at.ns, (task, from), None);
                let task = self.on_core(world, task);
                self.cores.entry(core);
                self.run(EventTime { core, ..at }, (from, State::Sleep), task);
                return;
            }
            (TaskState::Running(core), _) => {
                // First of all, as a switch in one step does, so that the output is the same.
                self.core(core);
                self.mark_runnable(core);
                let Some(state) = State::after_running(to) else { return };
                let alone = self.core(core).remove_task(at.ns, state);
                match (alone, state) {
                    (_, State::Dead) => dies_ns = alone.unwrap_or(at.ns.saturating_add(1)),
                    (Some(ns), _) if state != State::Preempted => {
                        sched::state(&mut self.packets, EventTime { ns, ..at }, tid, state);
                    }
                    _ => {}
                }
            }
            (TaskState::Blocked(_) | TaskState::Suspended, TaskState::Ready) => {
                self.wake(world, at, task, from, waker);
                return;
            }
            _ => {
                self.leave_wait(world, at.ns, (task, from), None);
                match State::of(to) {
                    None | Some(State::Dead) => {}
                    Some(state) => sched::state(&mut self.packets, at, tid, state),
                }
            }
        }
        self.set_reason(world, at, task, entry, to);
        if to == TaskState::Deleted {
            self.end_task(world, at, task, dies_ns);
        }
    }

    /// A task runs on a core; the previous one changes to a state.
    #[inline]
    pub(in crate::sinks::perfetto) fn run(
        &mut self,
        at: EventTime,
        (from, left_to): (TaskState, State),
        task: CoreThread,
    ) {
        // Not `core()`: whether a switch is reported as one change or two, the same is written then.
        let Some(core) = self.cores.get_mut(at.core) else { return };
        let is_preempted = core.is_preempted();
        core.start_task(at.ns, left_to, task);
        if is_preempted && from != TaskState::Ready {
            // It gets the core only when the interrupt ends.
            core.runnable = Some((at.ns, task.tid));
        }
    }

    /// Reports that the task of a core was runnable, if it got the core while an interrupt had it.
    #[inline]
    pub(in crate::sinks::perfetto) fn mark_runnable(&mut self, core: u32) {
        let runnable = self.cores.get_mut(core).and_then(|core| core.runnable.take());
        if let Some((ns, tid)) = runnable {
            sched::state(&mut self.packets, EventTime { ns, core }, tid, State::Runnable);
        }
    }

    /// The reason why a task does not run from now on: a wait, or another one.
    #[inline]
    pub(in crate::sinks::perfetto) fn set_reason(
        &mut self,
        world: &World,
        at: EventTime,
        task: TaskRef,
        entry: &Task,
        to: TaskState,
    ) {
        match to {
            TaskState::Blocked(wait) => {
                self.finish_wait(world, task, Some(at.ns));
                self.begin_wait(at, task, entry, wait);
            }
            TaskState::Suspended => {
                self.finish_wait(world, task, Some(at.ns));
                self.suspended(at, task);
            }
            TaskState::Unknown => {
                self.finish_wait(world, task, Some(at.ns));
                let tid = self.tid(world, task);
                self.reason(world, at, tid, Reason::Unknown);
            }
            _ => {}
        }
    }

    /// A task is seen for the first time, which may be another one with the number of one before, or more is learnt of it.
    #[cold]
    pub(in crate::sinks::perfetto) fn add_task(&mut self, world: &World, task: TaskRef) {
        self.idle_cores.extend(world.tasks.get(task).and_then(|task| task.idle_of));
    }

    /// A task leaves this state, with the actor if it is known.
    #[inline]
    pub(in crate::sinks::perfetto) fn leave_wait(
        &mut self,
        world: &World,
        ns: i64,
        (task, from): (TaskRef, TaskState),
        by: Option<Ender>,
    ) {
        match from {
            TaskState::Blocked(_) => self.stop_wait(ns, task, by),
            TaskState::Suspended => {
                self.stop_wait(ns, task, by);
                self.finish_wait(world, task, None);
            }
            _ => {}
        }
    }

    /// A task that did not run is made ready.
    #[inline]
    fn wake(&mut self, world: &World, at: EventTime, task: TaskRef, from: TaskState, waker: Waker) {
        let (by, waker) = match waker {
            Waker::Task(waker) => (Some(Ender::Task(waker)), self.tid(world, waker)),
            Waker::Isr(isr) => (Some(Ender::Isr(isr, at.core)), self.isrs.known_tid(isr, at.core)),
            Waker::Other => (None, 0),
        };
        self.leave_wait(world, at.ns, (task, from), by);
        let tid = self.tid(world, task);
        if waker == 0 {
            return sched::state(&mut self.packets, at, tid, State::Runnable);
        }
        self.core(at.core).bundle.waking(at.core, at.ns, waker.into(), tid.into());
    }
}
