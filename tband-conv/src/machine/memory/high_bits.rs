//! Bits 32 to 55 of event groups, which kernels with ticks of 64 bits have.
//!
//! Events have bits 0 to 31. The task or interrupt that records an event records the others just before, if one is set.

use crate::model::Actor;

/// As many wait for their events at most. One stays if its event is filtered out or lost.
const MOST: usize = 64;
/// Bits of each number.
const WIDTH: u32 = 24;

/// Bits recorded for the next event of a group, by its number.
#[derive(Clone, Copy, Debug)]
struct Entry {
    by: Option<Actor>,
    group: u32,
    is: i64,
}

/// Recorded high bits, the oldest first.
#[derive(Debug, Default)]
pub struct HighBits(Vec<Entry>);

impl HighBits {
    /// Whether an interrupt has recorded it: the number has a bit for that.
    pub const fn is_by_isr(is: i64) -> bool {
        is >> (2 * WIDTH) & 1 != 0
    }

    /// Stores the bits that `by` has recorded for its next event of this group.
    pub fn keep(&mut self, by: Option<Actor>, group: u32, is: i64) {
        self.0.retain(|entry| entry.by != by);
        if self.0.len() >= MOST {
            self.0.remove(0);
        }
        self.0.push(Entry { by, group, is });
    }

    /// Nothing was recorded, as in nearly all recordings.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Two numbers of an event of this group, with all of their bits. `low` are bits 0 to 31.
    pub fn take(&mut self, by: Option<Actor>, group: u32, low: [u32; 2]) -> [u64; 2] {
        let found = self.0.iter().position(|entry| entry.by == by);
        let entry = found.map(|at| self.0.remove(at)).filter(|entry| entry.group == group);
        let is = entry.map_or(0, |entry| entry.is);
        let high = |number: u32| (is >> (number * WIDTH)) as u64 & ((1 << WIDTH) - 1);
        let [first, second] = low.map(u64::from);
        [first | high(0) << 32, second | high(1) << 32]
    }

    /// Events are missing.
    pub fn forget(&mut self) {
        self.0.clear();
    }
}
