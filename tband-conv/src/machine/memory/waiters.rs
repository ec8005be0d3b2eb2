//! Tasks that wait for bits of event groups.

use tband_format::registry::event_group_flags::{ALL, CLEAR_ON_EXIT};

use crate::model::{EventGroupRef, PerRef, Task, TaskRef};

/// Maximum number of kept waits; further ones are not followed.
pub const MAX_WAITERS: usize = 1024;

/// Condition of a wait.
#[derive(Clone, Copy, Debug)]
pub struct Condition {
    bits: u64,
    all: bool,
    clears: bool,
    pub sync: bool,
}

impl Condition {
    /// Returns the condition of a wait with these flags.
    pub const fn wait(bits: u64, flags: u32) -> Self {
        let (all, clears) = (flags & ALL != 0, flags & CLEAR_ON_EXIT != 0);
        Self { bits, all, clears, sync: false }
    }

    /// Returns the condition of a rendezvous.
    pub const fn sync(bits: u64) -> Self {
        Self { bits, all: true, clears: true, sync: true }
    }

    pub const fn is_satisfied_by(self, bits: u64) -> bool {
        let found = bits & self.bits;
        if self.all { found == self.bits } else { found != 0 }
    }

    pub const fn cleared_bits(self, bits: u64) -> u64 {
        if self.clears && self.is_satisfied_by(bits) { bits & self.bits } else { 0 }
    }
}

/// A task in a wait.
#[derive(Clone, Copy, Debug)]
pub struct Waiter {
    pub task: TaskRef,
    pub group: EventGroupRef,
    pub condition: Condition,
    /// It still waits for bits; otherwise its wait is over, and it will record that when it runs.
    pub waits: bool,
}

/// The tasks in waits, and when each was last known to be in none.
#[derive(Debug, Default)]
pub struct Waiters {
    pub list: Vec<Waiter>,
    /// By task, the gap after which it last began or ended a wait.
    proven: PerRef<Task, u32>,
}

impl Waiters {
    /// Some task is in a wait.
    pub const fn any(&self) -> bool {
        !self.list.is_empty()
    }

    pub fn take(&mut self, task: TaskRef) -> Option<Waiter> {
        let position = self.list.iter().position(|waiter| waiter.task == task)?;
        Some(self.list.swap_remove(position))
    }

    /// A task begins or ends a wait. Reports whether that was known of it since the gap of this number.
    pub fn prove(&mut self, task: TaskRef, gap: u32) -> bool {
        std::mem::replace(self.proven.entry(task), gap) == gap
    }

    /// A group is no more: so are the waits for it.
    pub fn leave(&mut self, group: EventGroupRef) {
        self.list.retain(|waiter| waiter.group != group);
    }

    /// A task continues under another name.
    pub fn hand_over(&mut self, from: TaskRef, to: TaskRef) {
        for waiter in self.list.iter_mut().filter(|waiter| waiter.task == from) {
            waiter.task = to;
        }
    }

    /// A task becomes ready, by whatever.
    pub fn woken(&mut self, task: TaskRef) {
        if let Some(waiter) = self.list.iter_mut().find(|waiter| waiter.task == task) {
            waiter.waits = false;
        }
    }
}
