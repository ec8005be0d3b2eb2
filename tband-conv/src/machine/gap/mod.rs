//! Gaps: places where events are missing.
//!
//! Lost or damaged events may have changed anything, so after a gap nothing is known: every state becomes unknown at the last
//! event before the gap, and stays so until an event reports it again. The cost is proportional to the states that were known,
//! however many gaps there are. Facts that are not states (names, values of markers) keep their last report.

mod omission;

use std::io;

use super::memory::base_priority::BasePriority;
use super::memory::gaps::ObjectReport;
use super::memory::task::WaitRecord;
use super::{AnyContext, Context, EventActor, Timeline};
use tband_format::classes::buffers::Backend;

use crate::cores::MAX_CORES;
use crate::diagnostics::{Finding, Problem};
use crate::model::{Change, EventTime, ForgottenState, Sink, TaskState, WaitTerms, Waker};

impl Timeline {
    /// Forgets the states that a finding makes uncertain.
    pub(super) fn forget_uncertain(
        &mut self,
        at: EventTime,
        finding: &Finding<'_>,
        sink: &mut (dyn Sink + '_),
    ) -> io::Result<()> {
        if !finding.problem.is_gap() {
            return Ok(());
        }
        // On all cores, or only on those whose events come from the same input, or on the one that reports it.
        let all = matches!(finding.problem, Problem::EventsLost | Problem::Restart);
        let own = matches!(finding.problem, Problem::PacketsLost | Problem::EventsDiscarded);
        let mut context =
            Context { at, by: EventActor::NoActor, place: finding.place.into(), sink };
        let context = &mut context;
        self.gaps.count = self.gaps.count.wrapping_add(1);
        self.gaps.of_spans = self.gaps.of_spans.wrapping_add(1);
        // A core without an event so far has been in doubt since the recording began, and not since the timer's zero.
        let begin_ns = self.world.start_ns.unwrap_or(i64::MIN);
        context.at.ns = self.core(at.core).last_ns.max(begin_ns).min(at.ns);
        let here = context.at;
        for number in 0..MAX_CORES {
            let core = self.core(number);
            let is_concerned =
                if own { number == at.core } else { all || core.input == finding.place.input };
            if !is_concerned {
                continue;
            }
            core.forget_proofs();
            context.at =
                EventTime { ns: core.last_ns.max(core.moved_ns).max(begin_ns), core: number };
            core.cause = None;
            if finding.problem == Problem::Restart {
                self.unended_crash(context.at, context.sink)?;
            }
            self.crashes.forget(number);
            while let Some(isr) = self.core(number).isrs.pop() {
                context.sink.change(
                    &self.world,
                    context.at,
                    &Change::Forgotten(ForgottenState::Isr(isr)),
                )?;
            }
            if !self.runs_main_program {
                self.leave_core(context, number, TaskState::Unknown)?;
            }
            if self.world.cores.binary_search(&number).is_ok() {
                let change = Change::Forgotten(ForgottenState::Core);
                context.sink.change(&self.world, context.at, &change)?;
            }
        }
        context.at = here;
        if finding.problem == Problem::Restart {
            self.forget_filter(context)?;
        }
        self.forget_states(context, finding.problem == Problem::Restart)
    }

    /// A core has its first event. In a post-mortem recording each core overwrites its own oldest packets, so one core may
    /// begin long after another one: its acts until then may have changed anything, and may have deleted tasks.
    #[cold]
    pub(super) fn begin_core(&mut self, context: &mut AnyContext<'_, '_>) -> io::Result<()> {
        let number = context.at.core;
        let is_first = (0..MAX_CORES).all(|core| core == number || self.core(core).last_ns == 0);
        let buffers = self.world.trace_info.and_then(|info| info.buffers());
        if is_first || buffers.is_none_or(|it| it.backend != Backend::PostMortem) {
            return Ok(());
        }
        (self.hooks.unseen_sends, self.hooks.unseen_receives) = (0, 0);
        self.hooks.has_late_core = true;
        self.gaps.count = self.gaps.count.wrapping_add(1);
        self.gaps.of_spans = self.gaps.of_spans.wrapping_add(1);
        self.forget_states(context, false)
    }

    /// Forgets the states of all objects but tasks that run.
    fn forget_states(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        is_restart: bool,
    ) -> io::Result<()> {
        self.senders.forget_buffers();
        self.high_bits.forget();
        self.forget_tasks(context)?;
        self.forget_priorities(context)?;
        self.forget_queues(context)?;
        self.forget_spans(context)?;
        self.forget_objects(context)?;
        self.forget_callback(context)?;
        self.forget_waiters();
        self.forget_system(context, is_restart)
    }

    fn forget_objects(&mut self, context: &mut AnyContext<'_, '_>) -> io::Result<()> {
        for known in self.gaps.take_objects() {
            match known {
                ObjectReport::StreamBuffer(buffer) => self.forget_stream_buffer(context, buffer)?,
                ObjectReport::EventGroup(group) => self.forget_event_group(context, group)?,
                ObjectReport::Timer(timer) => self.forget_timer(context, timer)?,
                ObjectReport::Calls(caller, core) => self.forget_calls(context, caller, core)?,
            }
        }
        Ok(())
    }

    fn forget_tasks(&mut self, context: &mut AnyContext<'_, '_>) -> io::Result<()> {
        for task in self.gaps.take_tasks() {
            match self.state(task) {
                // On a core that is not concerned.
                TaskState::Running(_) => self.gaps.learnt_task(task),
                TaskState::Unknown | TaskState::Deleted => {}
                _ => self.set_state(context, task, TaskState::Unknown, Waker::Other)?,
            }
            // Not before the sink got it, which may report the object of the wait.
            if let Some(entry) = self.world.tasks.get_mut(task) {
                entry.terms = WaitTerms::default();
            }
            self.tasks.entry(task).waiting = WaitRecord::default();
        }
        Ok(())
    }

    fn forget_priorities(&mut self, context: &mut AnyContext<'_, '_>) -> io::Result<()> {
        let mut known = std::mem::take(&mut self.gaps.priorities);
        for task in known.drain(..) {
            let Some(entry) = self.world.tasks.get_mut(task) else { continue };
            self.tasks.entry(task).base_priority = BasePriority::default();
            if entry.priority.take().is_some() && entry.state != TaskState::Deleted {
                let change = Change::Forgotten(ForgottenState::Priority(task));
                context.sink.change(&self.world, context.at, &change)?;
            }
        }
        self.gaps.priorities = known;
        Ok(())
    }

    fn forget_queues(&mut self, context: &mut AnyContext<'_, '_>) -> io::Result<()> {
        for queue in self.gaps.take_queues() {
            let Some(entry) = self.world.queues.get_mut(queue) else { continue };
            self.senders.forget_queue(queue);
            let was_taken = std::mem::take(&mut entry.taken);
            let was_known = entry.level.take().is_some();
            entry.holder = None;
            if was_taken {
                let change = Change::Forgotten(ForgottenState::Holder(queue));
                context.sink.change(&self.world, context.at, &change)?;
            }
            if was_known {
                let change = Change::Forgotten(ForgottenState::Level(queue));
                context.sink.change(&self.world, context.at, &change)?;
            }
        }
        Ok(())
    }

    fn forget_spans(&mut self, context: &mut AnyContext<'_, '_>) -> io::Result<()> {
        for marker in std::mem::take(&mut self.gaps.spans) {
            let Some(entry) = self.world.markers.get_mut(marker) else { continue };
            let depth = std::mem::take(&mut entry.depth);
            self.markers.entry(marker).noted = false;
            for _ in 0..depth {
                let change = Change::Forgotten(ForgottenState::Span(marker));
                context.sink.change(&self.world, context.at, &change)?;
            }
        }
        Ok(())
    }
}
