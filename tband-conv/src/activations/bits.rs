//! When bits of event groups were set, to find since when the bits that a task waits for suffice.

use crate::model::{EventGroup, EventGroupRef, PerRef};

/// Bits of an event group at most: those of kernels with ticks of 64 bits.
const BITS: usize = 56;

/// Times at which the bits of one event group were set last, in ns.
#[derive(Debug)]
struct SetTimes([Option<i64>; BITS]);

impl Default for SetTimes {
    fn default() -> Self {
        Self([None; BITS])
    }
}

/// All event groups.
#[derive(Debug, Default)]
pub struct BitTimes(PerRef<EventGroup, SetTimes>);

impl BitTimes {
    /// These bits are set at `ns`. `bits` are those that the group has since then; a bit that was set before keeps its time.
    pub fn set(&mut self, group: EventGroupRef, new: u64, ns: i64) {
        for (bit, time) in self.0.entry(group).0.iter_mut().enumerate() {
            if new >> bit & 1 != 0 {
                time.get_or_insert(ns);
            }
        }
    }

    /// Only these bits are left.
    pub fn keep(&mut self, group: EventGroupRef, left: u64) {
        for (bit, time) in self.0.entry(group).0.iter_mut().enumerate() {
            if left >> bit & 1 == 0 {
                *time = None;
            }
        }
    }

    /// Since when all of these bits are set, or any of them.
    pub fn sufficient_since(&self, group: EventGroupRef, bits: u64, all: bool) -> Option<i64> {
        let times = &self.0.get(group)?.0;
        let asked = times.iter().enumerate().filter(|(bit, _)| bits >> bit & 1 != 0);
        if all {
            asked.map(|(_, time)| *time).try_fold(i64::MIN, |last, time| Some(last.max(time?)))
        } else {
            asked.filter_map(|(_, time)| *time).min()
        }
    }
}
