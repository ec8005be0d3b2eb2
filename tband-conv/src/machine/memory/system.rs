//! The kernel at large: heap, sleeping cores, tick count.

use std::collections::HashMap;

use crate::model::MAX_OBJECTS;

/// What is known of the kernel at large.
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
}

impl System {
    /// Bytes in use after this, more than at the start.
    pub fn in_use(&mut self, address: u32, size: u32, bytes_free: Option<u32>, freed: bool) -> i64 {
        if let Some(free) = bytes_free {
            let before = if freed { free.saturating_sub(size) } else { free.saturating_add(size) };
            let start = *self.free_at_start.get_or_insert(before);
            return i64::from(start).saturating_sub(free.into());
        }
        // An address that is taken again was given back unseen.
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
