//! Cores: which task runs, which interrupts are open, how many events the target dropped.

use super::task::Cause;
use crate::cores::MAX_CORES;
use crate::model::{Isr, IsrRef, PerRef, TaskRef};

/// What is known of a core. Aligned, so that its place in the table is found by a shift.
#[derive(Clone, Debug, Default)]
#[repr(align(256))]
pub struct Core {
    /// The task that runs, if it is known.
    pub running: Option<TaskRef>,
    /// Open interrupts, innermost last.
    pub isrs: Vec<IsrRef>,
    /// Its last act that may end waits.
    pub cause: Option<Cause>,
    /// Time of its last event, and the input that has it.
    pub last_ns: i64,
    pub input: usize,
    /// What runs here changes no earlier, since a change was reported later than its event, or time stepped
    /// back.
    pub moved_ns: i64,
    /// Gaps so far that concern this core, and changes of a filter that leaves interrupts out.
    pub gaps: u32,
    /// For each interrupt one more than that number after which it was seen here last.
    pub proven: PerRef<Isr, u32>,
    /// Count of dropped events that this core reported last.
    pub dropped: u32,
    /// Count of lost names of this core that was reported last.
    pub metadata_dropped: u32,
}

impl Core {
    /// Events of interrupts may be missing here: whether one was open is not known.
    pub fn forget_proofs(&mut self) {
        self.gaps = self.gaps.wrapping_add(1);
    }
}

/// All cores that can be.
#[derive(Debug)]
pub struct Cores([Core; MAX_CORES as usize]);

impl Default for Cores {
    fn default() -> Self {
        Self(std::array::from_fn(|_| Core::default()))
    }
}

impl Cores {
    // The mask keeps the index inside the array, so there is no panic path; the reader of events
    // lets no larger number through.
    const MASK: u32 = {
        assert!(MAX_CORES.is_power_of_two());
        MAX_CORES - 1
    };

    pub fn get(&self, number: u32) -> &Core {
        &self.0[(number & Self::MASK) as usize]
    }

    pub fn get_mut(&mut self, number: u32) -> &mut Core {
        &mut self.0[(number & Self::MASK) as usize]
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Core> {
        self.0.iter_mut()
    }

    /// The task that runs on a core.
    pub fn running(&self, number: u32) -> Option<TaskRef> {
        self.get(number).running
    }

    /// Cores with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &Core)> {
        (0_u32..).zip(self.0.iter())
    }
}
