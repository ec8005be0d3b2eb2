//! What occupies each core: open interrupts, the innermost last, and the running task.

use super::activation::{Occupant, Subject};
use super::open::OpenActivation;
use crate::model::{IsrRef, PerCore, TaskRef};

/// One core.
#[derive(Debug, Default)]
pub struct Core {
    pub running: Option<TaskRef>,
    /// Activations of the open interrupts.
    pub isrs: Vec<OpenActivation>,
    /// The core has had an event.
    is_used: bool,
}

impl Core {
    /// The innermost open interrupt.
    pub fn isr(&self) -> Option<IsrRef> {
        match self.isrs.last()?.done.subject {
            Subject::Isr(isr, _) => Some(isr),
            Subject::Task(_) | Subject::Timer(_) => None,
        }
    }
}

/// All cores by number.
#[derive(Debug, Default)]
pub struct Cores(PerCore<Core>);

impl Cores {
    /// A core, which has an event now.
    pub fn entry(&mut self, number: u32) -> &mut Core {
        let core = self.0.entry(number);
        core.is_used = true;
        core
    }

    pub fn get(&self, number: u32) -> Option<&Core> {
        self.0.get(number)
    }

    /// Cores that have had an event, with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &Core)> {
        (0..).zip(self.0.iter()).filter(|(_, core)| core.is_used)
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Core> {
        self.0.iter_mut()
    }

    /// Returns the occupant of a core: the innermost interrupt, or otherwise the task.
    pub fn occupant(&self, number: u32) -> Option<Occupant> {
        let core = self.get(number)?;
        let isr = core.isr().map(|isr| Occupant::Isr(isr, number));
        isr.or_else(|| core.running.map(Occupant::Task))
    }
}
