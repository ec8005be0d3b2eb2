//! The state at the beginning of a packet: the running task of its core, and the open interrupts there.
//!
//! These events are not changes. If their content is known already, nothing happens. After a gap, and where a recording begins,
//! it is known from there on.

use std::io;

use tband_format::registry::NOT_RECORDED;

use super::isr::MAX_NESTING;
use super::{AnyContext, Timeline};
use crate::diagnostics::Problem;
use crate::model::{Change, TaskState};

impl Timeline {
    /// A task runs on this core, as it did before; or, in a recording of another recorder, none is known to run from here on.
    #[cold]
    #[inline(never)]
    pub(super) fn running_is_reported(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
    ) -> io::Result<()> {
        if self.filters.are_runs_unknown {
            self.filters.begins.at(context.at.core, context.at.ns).running = Some(id);
            return Ok(());
        }
        let number = context.at.core;
        if id == NOT_RECORDED {
            let running = self.core(number).running;
            let to = running.map_or(TaskState::Unknown, |task| self.tasks.entry(task).leaves_to);
            return self.leave_core(context, number, to);
        }
        let Some(task) = self.living_task(context, id, "is reported to run")? else {
            return Ok(());
        };
        match self.core(number).running {
            Some(running) if running == task => return Ok(()),
            Some(running) => {
                let text = format!(
                    "{:#} runs on core {number}, while {:#} ran there just before",
                    self.world.task_name(task),
                    self.world.task_name(running)
                );
                self.report_finding(context, Problem::StateDisagrees, 1, &text)?;
                self.tasks.entry(running).leaves_to = TaskState::Unknown;
            }
            None => {}
        }
        self.unusual_switch(context, id)
    }

    /// An interrupt is open on this core, as it was before.
    #[cold]
    #[inline(never)]
    pub(super) fn open_isr_is_reported(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
    ) -> io::Result<()> {
        // Its end may be left out, too.
        if self.filters.now.has_any(&[4]) || self.filters.now.has_objects_of("ISR") {
            let isrs = &mut self.filters.begins.at(context.at.core, context.at.ns).isrs;
            if isrs.len() < MAX_NESTING {
                isrs.push(id);
            }
            return Ok(());
        }
        let Some(isr) = self.world.isr(id) else {
            return self.too_many(context, "isr", id);
        };
        let number = context.at.core;
        let was_proven = self.prove_isr(number, isr);
        let core = self.core(number);
        context.at.ns = context.at.ns.max(core.moved_ns);
        if core.isrs.contains(&isr) {
            return Ok(());
        }
        if core.isrs.len() >= MAX_NESTING {
            return self.isr_too_deep(context, id);
        }
        if was_proven {
            let name = self.world.isr_name(isr, number);
            let text = format!("{name:#} is open on core {number}, and had not begun there");
            self.report_finding(context, Problem::StateDisagrees, 1, &text)?;
        }
        self.core(number).isrs.push(isr);
        context.sink.initial(&self.world, context.at, &Change::IsrEnter(isr))
    }

    /// The filter has changed: the state at the beginning of the packet may be recorded from there on.
    pub(super) fn begin_is_reported(&mut self, context: &mut AnyContext<'_, '_>) -> io::Result<()> {
        let here = context.at;
        let begin = std::mem::take(self.filters.begins.at(here.core, here.ns));
        if let Some(id) = begin.running {
            self.running_is_reported(context, id)?;
            context.at = here;
        }
        for id in begin.isrs {
            self.open_isr_is_reported(context, id)?;
            context.at = here;
        }
        Ok(())
    }
}
