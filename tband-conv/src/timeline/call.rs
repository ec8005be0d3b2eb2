//! Calls of the kernel's functions, nested in the task or interrupt that makes them.
//!
//! A call that returns without having begun began before the recording: nothing is wrong with it. One
//! that does not return ends with the call around it, or with its task or interrupt. The scheduler's
//! switch is called by one task and returns in another; `vTaskStartScheduler` and a task that deletes
//! itself never return.

use std::borrow::Cow;
use std::io;

use tband_format::api_function;

use super::change::{At, Change, Forgotten, Sink};
use super::gap::Known;
use super::object::{CallChange, Caller};
use super::world::{TaskRef, TaskState};
use super::{Step, Timeline};
use crate::diagnostics::Problem;

/// Calls that can be open of one caller at a time; deeper nesting is damage.
const MAX_DEPTH: usize = 64;

/// The scheduler's switch.
const SWITCH: &str = "vTaskSwitchContext";

/// A call that goes on.
#[derive(Clone, Copy, Debug)]
struct Call {
    function: u32,
    begin_ns: i64,
    /// How many interrupts are open around it.
    nesting: usize,
}

/// Open calls of one caller, innermost last.
#[derive(Clone, Debug, Default)]
struct Stack {
    calls: Vec<Call>,
    /// It is in the list of what to forget at the next gap.
    noted: bool,
}

/// Open calls on one core that are not a task's.
#[derive(Clone, Debug, Default)]
struct CoreCalls {
    isr: Stack,
    nobody: Stack,
    /// The task that called the scheduler's switch.
    switching: Option<TaskRef>,
}

/// All open calls.
#[derive(Debug, Default)]
pub(super) struct Calls {
    tasks: Vec<Stack>,
    cores: Vec<CoreCalls>,
    /// Open calls of interrupts on all cores.
    in_isrs: usize,
    /// Open calls of nobody on all cores.
    of_nobody: usize,
}

fn grow<T: Default>(entries: &mut Vec<T>, index: usize) -> Option<&mut T> {
    if entries.len() <= index {
        entries.resize_with(index + 1, T::default);
    }
    entries.get_mut(index)
}

impl Calls {
    /// An interrupt has called something that has not returned.
    pub const fn any_in_isrs(&self) -> bool {
        self.in_isrs > 0
    }

    /// Something was called by nobody who is known, and has not returned.
    pub const fn any_of_nobody(&self) -> bool {
        self.of_nobody > 0
    }

    fn core(&mut self, core: u32) -> Option<&mut CoreCalls> {
        grow(&mut self.cores, core as usize)
    }

    fn stack(&mut self, caller: Caller, core: u32) -> Option<&mut Stack> {
        match caller {
            Caller::Task(task) => grow(&mut self.tasks, task.index()),
            Caller::Isr => self.core(core).map(|core| &mut core.isr),
            Caller::Nobody => self.core(core).map(|core| &mut core.nobody),
        }
    }

    fn counter(&mut self, caller: Caller) -> Option<&mut usize> {
        match caller {
            Caller::Task(_) => None,
            Caller::Isr => Some(&mut self.in_isrs),
            Caller::Nobody => Some(&mut self.of_nobody),
        }
    }

    fn push(&mut self, caller: Caller, core: u32, call: Call) {
        if let Some(stack) = self.stack(caller, core) {
            stack.calls.push(call);
            if let Some(count) = self.counter(caller) {
                *count = count.saturating_add(1);
            }
        }
    }

    /// Takes the innermost call of a caller if `wanted` says so.
    fn pop(
        &mut self,
        caller: Caller,
        core: u32,
        wanted: impl FnOnce(&Call) -> bool,
    ) -> Option<Call> {
        let call = self.stack(caller, core)?.calls.pop_if(|call| wanted(call))?;
        if let Some(count) = self.counter(caller) {
            *count = count.saturating_sub(1);
        }
        Some(call)
    }
}

impl Timeline {
    /// Who calls on this core now, inside how many interrupts.
    fn caller(&mut self, core: u32) -> (Caller, usize) {
        let core = self.core(core);
        match (core.isrs.len(), core.running) {
            (0, Some(task)) => (Caller::Task(task), 0),
            (0, None) => (Caller::Nobody, 0),
            (nesting, _) => (Caller::Isr, nesting),
        }
    }

    fn tell_call<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        caller: Caller,
        function: u32,
        change: CallChange,
    ) -> io::Result<()> {
        step.sink.change(&self.world, step.at, &Change::Call(caller, function, change))
    }

    pub(super) fn api_enter<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        function: u32,
    ) -> io::Result<()> {
        let At { ns: begin_ns, core } = step.at;
        let (caller, nesting) = self.caller(core);
        let Some(stack) = self.calls.stack(caller, core) else {
            return Ok(());
        };
        if stack.calls.len() >= MAX_DEPTH {
            let text =
                format!("a call of {} is not shown: too many are open", function_name(function));
            return self.found(step, Problem::TooMany, 1, &text);
        }
        if !std::mem::replace(&mut stack.noted, true) {
            self.gaps.learnt(Known::Calls(caller, core));
        }
        self.calls.push(caller, core, Call { function, begin_ns, nesting });
        if let Caller::Task(task) = caller
            && api_function(function) == Some(SWITCH)
            && let Some(core) = self.calls.core(core)
        {
            core.switching = Some(task);
        }
        self.tell_call(step, caller, function, CallChange::Begin)
    }

    pub(super) fn api_return<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        function: u32,
        value: Option<u32>,
    ) -> io::Result<()> {
        let core = step.at.core;
        let (mut caller, _) = self.caller(core);
        if caller != Caller::Isr
            && api_function(function) == Some(SWITCH)
            && let Some(task) = self.calls.core(core).and_then(|core| core.switching.take())
        {
            caller = Caller::Task(task);
        }
        let is_open = self
            .calls
            .stack(caller, core)
            .is_some_and(|stack| stack.calls.iter().any(|call| call.function == function));
        if !is_open {
            return Ok(());
        }
        while let Some(call) = self.calls.pop(caller, core, |_| true) {
            let Call { begin_ns, .. } = call;
            if call.function == function {
                let end = CallChange::End { begin_ns, value };
                return self.tell_call(step, caller, function, end);
            }
            self.tell_call(step, caller, call.function, CallChange::Abandoned)?;
        }
        Ok(())
    }

    /// An interrupt has ended: what it called does not go on.
    #[cold]
    pub(super) fn end_isr_calls<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
    ) -> io::Result<()> {
        let core = step.at.core;
        let open = self.core(core).isrs.len();
        while let Some(call) = self.calls.pop(Caller::Isr, core, |call| call.nesting > open) {
            self.tell_call(step, Caller::Isr, call.function, CallChange::Abandoned)?;
        }
        Ok(())
    }

    /// A caller is no more: what it called does not go on.
    #[cold]
    pub(super) fn end_calls<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        caller: Caller,
    ) -> io::Result<()> {
        while let Some(call) = self.calls.pop(caller, step.at.core, |_| true) {
            self.tell_call(step, caller, call.function, CallChange::Abandoned)?;
        }
        Ok(())
    }

    /// Calls go on only where no event is missing: of a task that runs, or inside an open interrupt.
    pub(super) fn forget_calls<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        caller: Caller,
        core: u32,
    ) -> io::Result<()> {
        let goes_on = match caller {
            Caller::Task(task) => {
                let state = self.world.tasks.get(task).map(|task| task.state);
                matches!(state, Some(TaskState::Running(_)))
            }
            Caller::Isr => !self.core(core).isrs.is_empty(),
            Caller::Nobody => false,
        };
        if goes_on {
            self.gaps.learnt(Known::Calls(caller, core));
            return Ok(());
        }
        if let Some(stack) = self.calls.stack(caller, core) {
            stack.noted = false;
        }
        let at = match caller {
            Caller::Task(_) => step.at,
            Caller::Isr | Caller::Nobody => At { ns: self.core(core).last_ns, core },
        };
        while let Some(call) = self.calls.pop(caller, core, |_| true) {
            let change = Change::Forgotten(Forgotten::Call(caller, call.function));
            step.sink.change(&self.world, at, &change)?;
        }
        Ok(())
    }
}

/// Name of a function of the kernel, or what stands for it.
#[must_use]
pub fn function_name(function: u32) -> Cow<'static, str> {
    match api_function(function) {
        Some(name) => name.into(),
        None => format!("function {function}").into(),
    }
}
