//! The kernel at large: heap, sleeping cores, tick count.

use std::collections::HashMap;

use crate::model::MAX_OBJECTS;

/// The known state of the kernel as a whole.
#[derive(Debug, Default)]
pub struct System {
    /// Bytes that were free at the start of the recording.
    pub free_at_start: Option<u32>,
    /// Size of each piece that was taken, by address, where the heap does not count.
    pub taken: HashMap<u32, u32>,
    pub taken_bytes: i64,
    /// The cores that sleep, one bit each.
    pub asleep: u64,
    pub ticks: Option<u32>,
    /// The tick count was increased while no core was reported to sleep.
    pub steps_awake: bool,
    /// The tick count has 16 bits, or more, once that is known.
    pub has_16_bit_ticks: Option<bool>,
    /// The tick count before the last tick.
    before_tick: Option<u32>,
}

impl System {
    /// The tick count after the tick that finds it at this; `None` if it depends on how many bits it has, and that
    /// is not known yet.
    pub fn tick(&mut self, count: u32) -> Option<u32> {
        const LAST: u32 = u16::MAX as u32;
        if count > LAST {
            self.has_16_bit_ticks = Some(false);
        }
        if count == 0 && self.before_tick == Some(LAST) {
            self.has_16_bit_ticks = Some(true);
        }
        self.before_tick = Some(count);
        self.later(count, 1)
    }

    /// Returns the tick count this many ticks later, in the same manner.
    pub fn later(&self, count: u32, by: u32) -> Option<u32> {
        let wide = count.wrapping_add(by);
        let fits = u16::try_from(wide).is_ok() && wide >= count;
        match self.has_16_bit_ticks {
            Some(true) => Some(u32::from(wide as u16)),
            Some(false) => Some(wide),
            None => Some(wide).filter(|_| fits || count > u32::from(u16::MAX)),
        }
    }

    /// Bytes in use after this, more than at the start.
    pub fn in_use(&mut self, address: u32, size: u32, bytes_free: Option<u32>, freed: bool) -> i64 {
        if let Some(free) = bytes_free {
            let before = if freed { free.saturating_sub(size) } else { free.saturating_add(size) };
            let start = *self.free_at_start.get_or_insert(before);
            return i64::from(start).saturating_sub(free.into());
        }
        // An address that is allocated again was freed unseen.
        if let Some(size) = self.taken.remove(&address) {
            self.taken_bytes = self.taken_bytes.saturating_sub(size.into());
        }
        if !freed && self.taken.len() < MAX_OBJECTS {
            self.taken.insert(address, size);
            self.taken_bytes = self.taken_bytes.saturating_add(size.into());
        }
        self.taken_bytes
    }
}
