//! Calls of the kernel's functions, nested in the task or interrupt that makes them.
//!
//! A call that returns without a begin began before the recording: this is not a fault. A call that does not return ends with
//! the enclosing call, or with its task or interrupt. The scheduler's switch is called by one task and returns in another;
//! `vTaskStartScheduler` and a task that deletes itself never return.

use std::io;

use tband_format::api::api_function;

use crate::diagnostics::Problem;
use crate::machine::memory::calls::Call;
use crate::machine::memory::gaps::ObjectReport;
use crate::machine::{AnyContext, Timeline};
use crate::model::{
    CallChange, Caller, Change, EventTime, ForgottenState, TaskState, function_name,
};

/// Calls that can be open of one caller at a time; deeper nesting is damage.
const MAX_DEPTH: usize = 64;

/// The scheduler's switch.
const SWITCH: &str = "vTaskSwitchContext";

impl Timeline {
    /// Returns the current caller on this core, and the number of open interrupts around the call.
    fn caller(&mut self, core: u32) -> (Caller, usize) {
        let core = self.core(core);
        match (core.isrs.len(), core.running) {
            (0, Some(task)) => (Caller::Task(task), 0),
            (0, None) => (Caller::Unknown, 0),
            (nesting, _) => (Caller::Isr, nesting),
        }
    }

    fn emit_call(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        caller: Caller,
        function: u32,
        change: CallChange,
    ) -> io::Result<()> {
        context.sink.change(&self.world, context.at, &Change::Call(caller, function, change))
    }

    pub(in crate::machine) fn api_enter(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        function: u32,
    ) -> io::Result<()> {
        if self.timer_task.is_calling() {
            self.called_while_calling(context, function)?;
        }
        let EventTime { ns: begin_ns, core } = context.at;
        let (caller, nesting) = self.caller(core);
        let open = &self.calls.stack(caller, core).calls;
        if open.len() >= MAX_DEPTH && open.iter().any(|call| call.function == function) {
            // The recorder leaves out its ends.
            self.abandon_calls(context, caller, function)?;
        }
        let stack = self.calls.stack(caller, core);
        if stack.calls.len() >= MAX_DEPTH {
            let text =
                format!("a call of {} is not shown: too many are open", function_name(function));
            return self.report_finding(context, Problem::TooMany, 1, &text);
        }
        if !std::mem::replace(&mut stack.noted, true) {
            self.gaps.learnt(ObjectReport::Calls(caller, core));
        }
        self.calls.push(caller, core, Call { function, begin_ns, nesting });
        if let Caller::Task(task) = caller
            && api_function(function) == Some(SWITCH)
        {
            self.calls.cores.entry(core).switching = Some(task);
        }
        self.emit_call(context, caller, function, CallChange::Begin)
    }

    pub(in crate::machine) fn api_return(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        function: u32,
        value: Option<u32>,
    ) -> io::Result<()> {
        let core = context.at.core;
        let (mut caller, _) = self.caller(core);
        if caller != Caller::Isr
            && api_function(function) == Some(SWITCH)
            && let Some(task) = self.calls.cores.entry(core).switching.take()
        {
            caller = Caller::Task(task);
        }
        let open = &self.calls.stack(caller, core).calls;
        if !open.iter().any(|call| call.function == function) {
            return Ok(());
        }
        while let Some(call) = self.calls.pop(caller, core, |_| true) {
            let Call { begin_ns, .. } = call;
            if call.function == function {
                let end = CallChange::End { begin_ns, value };
                return self.emit_call(context, caller, function, end);
            }
            self.emit_call(context, caller, call.function, CallChange::Abandoned)?;
        }
        Ok(())
    }

    /// Ends the open calls of a caller, down to the outermost one of this function.
    #[cold]
    fn abandon_calls(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        caller: Caller,
        function: u32,
    ) -> io::Result<()> {
        let core = context.at.core;
        while self.calls.stack(caller, core).calls.iter().any(|call| call.function == function)
            && let Some(call) = self.calls.pop(caller, core, |_| true)
        {
            self.emit_call(context, caller, call.function, CallChange::Abandoned)?;
        }
        Ok(())
    }

    /// An interrupt has ended: ends its open calls.
    #[cold]
    pub(in crate::machine) fn end_isr_calls(
        &mut self,
        context: &mut AnyContext<'_, '_>,
    ) -> io::Result<()> {
        let core = context.at.core;
        let open = self.core(core).isrs.len();
        while let Some(call) = self.calls.pop(Caller::Isr, core, |call| call.nesting > open) {
            self.emit_call(context, Caller::Isr, call.function, CallChange::Abandoned)?;
        }
        Ok(())
    }

    /// A caller has ended: ends its open calls.
    #[cold]
    pub(in crate::machine) fn end_calls(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        caller: Caller,
    ) -> io::Result<()> {
        while let Some(call) = self.calls.pop(caller, context.at.core, |_| true) {
            self.emit_call(context, caller, call.function, CallChange::Abandoned)?;
        }
        Ok(())
    }

    /// Forgets a caller's open calls where events are missing, unless the caller is a running task or an open interrupt.
    pub(in crate::machine) fn forget_calls(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        caller: Caller,
        core: u32,
    ) -> io::Result<()> {
        let goes_on = match caller {
            Caller::Task(task) => {
                let state = self.world.tasks.get(task).map(|task| task.state);
                matches!(state, Some(TaskState::Running(_)))
            }
            Caller::Isr => !self.core(core).isrs.is_empty(),
            Caller::Unknown => false,
        };
        if goes_on {
            self.gaps.learnt(ObjectReport::Calls(caller, core));
            return Ok(());
        }
        self.calls.stack(caller, core).noted = false;
        let at = match caller {
            Caller::Task(_) => context.at,
            Caller::Isr | Caller::Unknown => EventTime { ns: self.core(core).last_ns, core },
        };
        while let Some(call) = self.calls.pop(caller, core, |_| true) {
            let change = Change::Forgotten(ForgottenState::Call(caller, call.function));
            context.sink.change(&self.world, at, &change)?;
        }
        Ok(())
    }
}
