//! Timestamps of few bits that wrap.

/// Follows a counter.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clock {
    now: u64,
    has_begun: bool,
}

impl Clock {
    /// The time of a timestamp of so many bytes. One that is a little earlier than the last has the time of that.
    pub fn time(&mut self, stamp: u64, bytes: u8) -> u64 {
        let mask = match bytes {
            0..8 => (1_u64 << (8 * u32::from(bytes))) - 1,
            _ => u64::MAX,
        };
        let stamp = stamp & mask;
        if !std::mem::replace(&mut self.has_begun, true) {
            self.now = stamp;
            return stamp;
        }
        let ahead = stamp.wrapping_sub(self.now) & mask;
        if ahead <= mask / 16 * 15 {
            self.now = self.now.saturating_add(ahead);
        }
        self.now
    }
}
