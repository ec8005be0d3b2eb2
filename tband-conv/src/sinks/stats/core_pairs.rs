//! Movement between cores: tasks that migrate, and tasks that one core makes ready and another runs.

use std::collections::BTreeMap;

use super::spread::Spread;
use crate::model::{Clocks, EventTime};

/// Movement from one core to another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BetweenCores {
    /// The source core.
    pub from: u32,
    /// The destination core.
    pub to: u32,
    /// How often a task left the one and ran on the other next.
    pub migrations: u64,
    /// From becoming ready on the one to running on the other: the time that a wake-up takes between them.
    pub wakes: Spread,
    /// By how many ns the times of the two may be wrong against each other; 0 if they have one clock.
    pub uncertain_ns: i64,
}

/// All pairs of cores with movement between them.
#[derive(Clone, Debug, Default)]
pub(super) struct CorePairs(BTreeMap<(u32, u32), BetweenCores>);

impl CorePairs {
    fn entry(&mut self, from: u32, to: u32) -> &mut BetweenCores {
        self.0.entry((from, to)).or_insert_with(|| BetweenCores {
            from,
            to,
            ..BetweenCores::default()
        })
    }

    /// A task moves to another core.
    pub fn add_migration(&mut self, from: u32, to: u32) {
        let pair = self.entry(from, to);
        pair.migrations = pair.migrations.saturating_add(1);
    }

    /// A task that was made ready on a core gets this one after the time `waited`.
    #[cold]
    #[inline(never)]
    pub fn add_wake(&mut self, from: u32, EventTime { ns, core }: EventTime, waited: i64) {
        self.entry(from, core).wakes.add(waited, ns);
    }

    /// Ends: sets how certain times are.
    pub fn close(&mut self, clocks: &Clocks) {
        for pair in self.0.values_mut() {
            pair.uncertain_ns = clocks.worst_between(pair.from, pair.to);
        }
    }

    /// By the numbers of the cores.
    pub fn iter(&self) -> impl Iterator<Item = &BetweenCores> {
        self.0.values()
    }
}
