//! Timestamps of few bits that wrap.

/// Follows a counter.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clock {
    now: u64,
    /// The last timestamp.
    last: Option<u64>,
    /// The target was reset since.
    is_restarted: bool,
}

impl Clock {
    /// The target was reset: whether the counter began at 0 is not known.
    pub const fn restart(&mut self) {
        self.is_restarted = true;
    }

    /// The time of a timestamp of so many bytes. One that is a little earlier than the last has the time of that. After a reset time
    /// continues from the last one, unless the counter has counted on.
    pub fn time(&mut self, stamp: u64, bytes: u8) -> u64 {
        let mask = match bytes {
            0..8 => (1_u64 << (8 * u32::from(bytes))) - 1,
            _ => u64::MAX,
        };
        let stamp = stamp & mask;
        let Some(last) = self.last else {
            (self.now, self.last) = (stamp, Some(stamp));
            return stamp;
        };
        let ahead = stamp.wrapping_sub(last) & mask;
        let passed = match std::mem::take(&mut self.is_restarted) {
            true => Some(stamp.saturating_sub(last)),
            false => Some(ahead).filter(|ahead| *ahead <= mask / 16 * 15),
        };
        if let Some(passed) = passed {
            self.now = self.now.saturating_add(passed);
            self.last = Some(stamp);
        }
        self.now
    }
}

#[cfg(test)]
mod tests {
    use super::Clock;

    /// The times of timestamps of 16 bits.
    fn times(clock: &mut Clock, stamps: &[u64]) -> Vec<u64> {
        stamps.iter().map(|stamp| clock.time(*stamp, 2)).collect()
    }

    #[test]
    fn time_continues_after_wraps_and_resets() {
        let mut clock = Clock::default();
        let before = times(&mut clock, &[65_000, 64_990, 65_535, 10]);
        assert_eq!(before, [65_000, 65_000, 65_535, 65_546]);
        // The counter has counted on, or from 0 on.
        clock.restart();
        assert_eq!(times(&mut clock, &[30, 40]), [65_566, 65_576]);
        clock.restart();
        assert_eq!(times(&mut clock, &[5, 25]), [65_576, 65_596]);
    }
}
