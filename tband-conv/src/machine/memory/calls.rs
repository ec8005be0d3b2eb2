//! Open calls of the kernel's functions.

use crate::model::{Caller, PerCore, PerRef, Task, TaskRef};

/// An open call.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    pub function: u32,
    pub begin_ns: i64,
    /// How many interrupts are open around it.
    pub nesting: usize,
}

/// Open calls of one caller, innermost last.
#[derive(Clone, Debug, Default)]
pub struct Stack {
    pub calls: Vec<Call>,
    /// It is in the list of what to forget at the next gap.
    pub noted: bool,
}

/// Open calls on one core that are not a task's.
#[derive(Clone, Debug, Default)]
pub struct CoreCalls {
    pub isr: Stack,
    pub unknown_caller: Stack,
    /// The task that called the scheduler's switch.
    pub switching: Option<TaskRef>,
}

/// All open calls.
#[derive(Debug, Default)]
pub struct Calls {
    pub tasks: PerRef<Task, Stack>,
    pub cores: PerCore<CoreCalls>,
    /// Open calls of interrupts on all cores.
    in_isrs: usize,
    /// Open calls without a known caller, on all cores.
    of_unknown_caller: usize,
}

impl Calls {
    /// An interrupt has called something that has not returned.
    pub const fn any_in_isrs(&self) -> bool {
        self.in_isrs > 0
    }

    /// Whether a call without a known caller is open.
    pub const fn has_unknown_caller(&self) -> bool {
        self.of_unknown_caller > 0
    }

    pub fn stack(&mut self, caller: Caller, core: u32) -> &mut Stack {
        match caller {
            Caller::Task(task) => self.tasks.entry(task),
            Caller::Isr => &mut self.cores.entry(core).isr,
            Caller::Unknown => &mut self.cores.entry(core).unknown_caller,
        }
    }

    fn counter(&mut self, caller: Caller) -> Option<&mut usize> {
        match caller {
            Caller::Task(_) => None,
            Caller::Isr => Some(&mut self.in_isrs),
            Caller::Unknown => Some(&mut self.of_unknown_caller),
        }
    }

    pub fn push(&mut self, caller: Caller, core: u32, call: Call) {
        self.stack(caller, core).calls.push(call);
        if let Some(count) = self.counter(caller) {
            *count = count.saturating_add(1);
        }
    }

    /// Removes the innermost call of a caller if `wanted` accepts it.
    pub fn pop(
        &mut self,
        caller: Caller,
        core: u32,
        wanted: impl FnOnce(&Call) -> bool,
    ) -> Option<Call> {
        let call = self.stack(caller, core).calls.pop_if(|call| wanted(call))?;
        if let Some(count) = self.counter(caller) {
            *count = count.saturating_sub(1);
        }
        Some(call)
    }
}
