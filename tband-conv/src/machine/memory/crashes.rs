//! Data of crashes that are not reported yet, by core, and the crashes that were.

use tband_format::named::FaultFact;

use crate::model::{Crash, PerCore};

/// Maximum number of values of one crash; there are no more kinds of them.
const MAX_VALUES: usize = 128;
/// Maximum number of crashes that are kept: recordings rarely continue after a crash.
const MAX_FAULTS: usize = 64;

#[derive(Debug, Default)]
pub struct Crashes {
    values: PerCore<Vec<(FaultFact, u32)>>,
    all: Vec<Crash>,
}

impl Crashes {
    /// Adds a value of the core's next crash. A value that is already present begins another crash; the end of the previous one
    /// is missing.
    pub fn add(&mut self, core: u32, what: FaultFact, value: u32) {
        let values = self.values.entry(core);
        if values.iter().any(|(it, _)| *it == what) {
            values.clear();
        }
        if values.len() < MAX_VALUES {
            values.push((what, value));
        }
    }

    /// The values of the core's crash, which is reported now.
    pub fn take(&mut self, core: u32) -> Vec<(FaultFact, u32)> {
        std::mem::take(self.values.entry(core))
    }

    /// Cores with values of a crash that was not reported, lowest first.
    pub fn unended(&self) -> Vec<u32> {
        let unended = (0..).zip(self.values.iter()).filter(|(_, values)| !values.is_empty());
        unended.map(|(core, _)| core).collect()
    }

    pub fn keep(&mut self, crash: &Crash) {
        if self.all.len() < MAX_FAULTS {
            self.all.push(crash.clone());
        }
    }

    /// Events of this core are missing.
    pub fn forget(&mut self, core: u32) {
        self.values.entry(core).clear();
    }

    /// Returns the crashes in the order of time, as far as they are kept.
    pub fn all(&self) -> &[Crash] {
        &self.all
    }
}
