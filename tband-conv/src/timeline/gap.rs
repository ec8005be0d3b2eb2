//! Gaps: places where events are missing.
//!
//! Events that were lost or damaged may have changed anything, so behind a gap nothing is known: every
//! state becomes unknown at the last event before the gap, and stays so until an event tells it anew.
//! That costs no more than the states that were known, however many gaps there are. What has no state
//! (names, values of markers) stays as it was told last.

use std::io;

use super::change::{Change, Forgotten, Sink, Waker};
use super::object::Caller;
use super::wait::Waiting;
use super::world::{
    EventGroupRef, Has, Isr, MarkerRef, QueueRef, StreamBufferRef, TaskRef, TaskState, TimerRef,
};
use super::{At, Step, Timeline};
use crate::diagnostics::{Finding, Problem};

/// What an event told of a kernel object other than a task or a queue.
#[derive(Clone, Copy, Debug)]
pub(super) enum Known {
    /// Its level.
    StreamBuffer(StreamBufferRef),
    /// Its bits.
    EventGroup(EventGroupRef),
    /// Whether it is armed.
    Timer(TimerRef),
    /// Open calls of a caller on a core.
    Calls(Caller, u32),
}

/// How often the target was reset. Each input tells of it, sooner or later.
#[derive(Debug, Default)]
pub(super) struct Resets {
    by_input: Vec<u32>,
    all: u32,
}

impl Resets {
    /// An input tells that the target was reset; true if none has told of this reset before.
    pub fn tell(&mut self, input: usize) -> bool {
        if self.by_input.len() <= input {
            self.by_input.resize(input + 1, 0);
        }
        let Some(told) = self.by_input.get_mut(input) else {
            return false;
        };
        *told = told.saturating_add(1);
        let is_new = *told > self.all;
        self.all = self.all.max(*told);
        is_new
    }

    /// What was told last was told for all inputs.
    pub fn told_for_all(&mut self) {
        self.by_input.fill(self.all);
    }
}

/// Gaps, and what was learnt since the last one.
#[derive(Debug)]
pub(super) struct Gaps {
    /// Gaps so far. The start is one: a recording may begin in the middle of everything.
    pub count: u32,
    tasks: Vec<TaskRef>,
    priorities: Vec<TaskRef>,
    queues: Vec<QueueRef>,
    spans: Vec<MarkerRef>,
    objects: Vec<Known>,
}

impl Default for Gaps {
    fn default() -> Self {
        let (tasks, priorities, queues) = (Vec::new(), Vec::new(), Vec::new());
        let (spans, objects) = (Vec::new(), Vec::new());
        Self { count: 1, tasks, priorities, queues, spans, objects }
    }
}

impl Gaps {
    /// A task's state was unknown and is known now.
    #[cold]
    pub fn learnt_task(&mut self, task: TaskRef) {
        self.tasks.push(task);
    }

    /// As for its state, of a task's priority.
    #[cold]
    pub fn learnt_priority(&mut self, task: TaskRef) {
        self.priorities.push(task);
    }

    /// As for tasks, of a queue's level.
    #[cold]
    pub fn learnt_queue(&mut self, queue: QueueRef) {
        self.queues.push(queue);
    }

    /// As for tasks, of a marker's spans.
    #[cold]
    pub fn learnt_span(&mut self, marker: MarkerRef) {
        self.spans.push(marker);
    }

    /// Markers of which a span began.
    pub fn spans(&self) -> &[MarkerRef] {
        &self.spans
    }

    /// As for tasks, of any other object.
    #[cold]
    pub fn learnt(&mut self, known: Known) {
        self.objects.push(known);
    }
}

impl Timeline {
    /// Forgets what a finding leaves in doubt.
    pub(super) fn doubt<S: Sink + ?Sized>(
        &mut self,
        at: At,
        finding: &Finding<'_>,
        sink: &mut S,
    ) -> io::Result<()> {
        if !finding.problem.is_gap() {
            return Ok(());
        }
        // On all cores, or only on those whose events come from the same input.
        let all = matches!(finding.problem, Problem::EventsLost | Problem::Restart);
        let mut step = Step { at, place: finding.place.into(), sink };
        let step = &mut step;
        self.gaps.count = self.gaps.count.wrapping_add(1);
        step.at.ns = self.core(at.core).last_ns.min(at.ns);
        let here = step.at;
        for number in 0..crate::events::MAX_CORES {
            let core = self.core(number);
            if !all && core.input != finding.place.input {
                continue;
            }
            core.gaps = core.gaps.wrapping_add(1);
            step.at = At { ns: core.last_ns.max(core.moved_ns), core: number };
            core.cause = None;
            while let Some(isr) = self.core(number).isrs.pop() {
                step.sink.change(&self.world, step.at, &Change::Forgotten(Forgotten::Isr(isr)))?;
            }
            if !self.runs_main_program {
                self.leaves_core(step, number, TaskState::Unknown)?;
            }
        }
        step.at = here;
        self.senders.forget_buffers();
        self.forget_tasks(step)?;
        self.forget_priorities(step)?;
        self.forget_queues(step)?;
        self.forget_spans(step)?;
        self.forget_objects(step)?;
        self.forget_callback(step)?;
        self.forget_waiters();
        self.forget_system(step, finding.problem == Problem::Restart)
    }

    fn forget_objects<S: Sink + ?Sized>(&mut self, step: &mut Step<'_, S>) -> io::Result<()> {
        for known in std::mem::take(&mut self.gaps.objects) {
            match known {
                Known::StreamBuffer(buffer) => self.forget_stream_buffer(step, buffer)?,
                Known::EventGroup(group) => self.forget_event_group(step, group)?,
                Known::Timer(timer) => self.forget_timer(step, timer)?,
                Known::Calls(caller, core) => self.forget_calls(step, caller, core)?,
            }
        }
        Ok(())
    }

    fn forget_tasks<S: Sink + ?Sized>(&mut self, step: &mut Step<'_, S>) -> io::Result<()> {
        let mut known = std::mem::take(&mut self.gaps.tasks);
        let mut result = Ok(());
        known.retain(|&task| {
            let Some(entry) = self.world.tasks.get_mut(task) else {
                return false;
            };
            let state = entry.state;
            match state {
                TaskState::Running(_) | TaskState::Unknown | TaskState::Deleted => {}
                _ if result.is_ok() => {
                    result = self.set_state(step, task, TaskState::Unknown, Waker::Other);
                }
                _ => {}
            }
            // Not before the sink was told, which may say what the task waited for.
            if let Some(entry) = self.world.tasks.get_mut(task) {
                entry.waiting = Waiting::default();
            }
            // On a core that is not concerned.
            matches!(state, TaskState::Running(_))
        });
        self.gaps.tasks = known;
        result
    }

    fn forget_priorities<S: Sink + ?Sized>(&mut self, step: &mut Step<'_, S>) -> io::Result<()> {
        let mut known = std::mem::take(&mut self.gaps.priorities);
        for task in known.drain(..) {
            let Some(entry) = self.world.tasks.get_mut(task) else { continue };
            if entry.priority.take().is_some() && entry.state != TaskState::Deleted {
                let change = Change::Forgotten(Forgotten::Priority(task));
                step.sink.change(&self.world, step.at, &change)?;
            }
        }
        self.gaps.priorities = known;
        Ok(())
    }

    fn forget_queues<S: Sink + ?Sized>(&mut self, step: &mut Step<'_, S>) -> io::Result<()> {
        let mut known = std::mem::take(&mut self.gaps.queues);
        for queue in known.drain(..) {
            let Some(entry) = self.world.queues.get_mut(queue) else { continue };
            self.senders.forget_queue(queue);
            let was_taken = std::mem::take(&mut entry.taken);
            let was_known = entry.level.take().is_some();
            entry.holder = None;
            (entry.noted, entry.has) = (false, Has::Unknown);
            if was_taken {
                let change = Change::Forgotten(Forgotten::Holder(queue));
                step.sink.change(&self.world, step.at, &change)?;
            }
            if was_known {
                let change = Change::Forgotten(Forgotten::Level(queue));
                step.sink.change(&self.world, step.at, &change)?;
            }
        }
        self.gaps.queues = known;
        Ok(())
    }

    fn forget_spans<S: Sink + ?Sized>(&mut self, step: &mut Step<'_, S>) -> io::Result<()> {
        for marker in std::mem::take(&mut self.gaps.spans) {
            let Some(entry) = self.world.markers.get_mut(marker) else { continue };
            let depth = std::mem::take(&mut entry.depth);
            entry.noted = false;
            for _ in 0..depth {
                let change = Change::Forgotten(Forgotten::Span(marker));
                step.sink.change(&self.world, step.at, &change)?;
            }
        }
        Ok(())
    }

    /// An interrupt begins or ends on a core: whether it is open there is known from now on.
    #[inline]
    pub(super) fn prove_isr(&mut self, core: u32, isr: super::Ref<Isr>) -> bool {
        let core = self.core(core);
        let count = core.gaps.wrapping_add(1);
        match core.proven.get_mut(isr.index()) {
            Some(proven) => std::mem::replace(proven, count) == count,
            None => {
                core.proven.resize(isr.index(), 0);
                core.proven.push(count);
                false
            }
        }
    }
}
