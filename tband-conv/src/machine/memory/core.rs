//! Cores: which task runs, which interrupts are open, how many events the target dropped.

use super::task::Cause;
use super::tick_rate::TickRate;
use crate::cores::MAX_CORES;
use crate::model::{Isr, IsrRef, PerRef, TaskRef};

/// The known state of a core. It is aligned, so that its place in the table is found by a shift.
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
    /// Ticks that the kernel counts on this core.
    pub ticks: TickRate,
    /// The current task changes no earlier, because a change was reported later than its event, or time stepped back.
    pub moved_ns: i64,
    /// Gaps so far that concern this core, and changes of a filter that leaves interrupts out.
    pub gaps: u32,
    /// For each interrupt one more than that number after which it was seen here last.
    pub proven: PerRef<Isr, u32>,
    /// The last interrupts that ended, the latest first, while nothing else has happened on their level.
    pub left: [Option<ExitedIsr>; 2],
    /// Count of dropped events that this core reported last.
    pub dropped: u32,
    /// Count of lost names of this core that was reported last.
    pub metadata_dropped: u32,
}

/// An interrupt that was left. A handler that calls both `tband_isr_exit()` and the kernel's `portYIELD_FROM_ISR()` reports its
/// end twice, in either order.
#[derive(Clone, Copy, Debug)]
pub struct ExitedIsr {
    isr: IsrRef,
    /// Its end leads to the scheduler.
    yields: bool,
    /// Interrupts that were open around it.
    around: usize,
}

impl Core {
    /// An interrupt was left, and is not open any more.
    #[inline]
    pub fn leave_isr(&mut self, isr: IsrRef, yields: bool) {
        self.left = [Some(ExitedIsr { isr, yields, around: self.isrs.len() }), self.left[0]];
    }

    /// A task is made ready or switched in: by an interrupt that is still open inside, or otherwise the interrupts that ended
    /// are really over.
    #[inline]
    pub fn skip_left_isrs(&mut self) {
        if self.left[0].is_some_and(|left| self.isrs.len() <= left.around) {
            self.left = [None; 2];
        }
    }

    /// Whether this is the second report of the end of an interrupt. Each end has one at most.
    pub fn is_second_end(&mut self, isr: IsrRef, yields: bool) -> bool {
        let around = self.isrs.len();
        let is_it =
            |left: &ExitedIsr| left.isr == isr && left.yields != yields && left.around == around;
        let Some(it) = self.left.iter_mut().find(|left| left.as_ref().is_some_and(is_it)) else {
            return false;
        };
        *it = None;
        true
    }

    /// Events of interrupts may be missing here: whether one was open is not known.
    pub fn forget_proofs(&mut self) {
        self.gaps = self.gaps.wrapping_add(1);
        self.left = [None; 2];
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
    // The mask keeps the index inside the array, so the code has no panic path; the reader of events rejects larger numbers.
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
