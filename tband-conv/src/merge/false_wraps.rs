//! Timers that are extended to 64 bits by a method that does not fit them.
//!
//! An extension of a 32-bit counter counts a wrap whenever it reads less than before. If the counter counts down that is at
//! nearly every reading, and if it has 16 or 24 bits, too often: each time the timestamps step ahead by slightly less than 2^32
//! ticks. Among correct timestamps such steps are rare, and of different lengths.

/// Minimum length in ticks of examined steps.
const LONG: u64 = 1 << 31;
/// How far the lower half falls in a step that may be false.
const FALL: u64 = 1 << 20;
/// Where the lower half stays below this, the counter has no more bits.
const NARROW: u64 = 1 << 24;
/// This many false steps, if they are most of the long ones, are not a coincidence.
const ENOUGH: u32 = 8;

const LOW: u64 = 0xFFFF_FFFF;

/// Counts steps of a core's timestamps that may be false.
#[derive(Clone, Copy, Debug, Default)]
pub struct FalseWraps {
    long: u32,
    found: u32,
    /// Those that followed each other.
    in_a_row: u32,
    /// Where the last long step led.
    last: u64,
    reported: bool,
}

impl FalseWraps {
    /// Handles a timestamp that follows another one. Returns the fault once, as soon as it is certain.
    #[inline]
    pub fn step(&mut self, from: u64, to: u64) -> Option<&'static str> {
        if to.wrapping_sub(from) < LONG || self.reported {
            return None;
        }
        self.long_step(from, to)
    }

    #[cold]
    fn long_step(&mut self, from: u64, to: u64) -> Option<&'static str> {
        self.long = self.long.saturating_add(1);
        let (low, low_after) = (from & LOW, to & LOW);
        let fall = low.saturating_sub(low_after);
        // A counter that has wrapped is near 0, seen from where it was. After a sleep of nearly 2^32 ticks it is a little below.
        let is_narrow = low < NARROW && low_after < low / 4 * 3;
        // A counter that counts down is still where the last step led, or has fallen again. It has not risen between two sleeps.
        let is_down = fall < FALL && (self.long == 1 || self.last == from);
        self.last = to;
        if fall == 0 || !(is_down || is_narrow) {
            return None;
        }
        self.found = self.found.saturating_add(1);
        self.in_a_row = self.in_a_row.saturating_add(u32::from(is_down));
        self.reported = self.found >= ENOUGH && self.found > self.long / 2;
        let text = if self.in_a_row > self.found / 2 {
            "the timer counts down: its lower 32 bits fall from event to event, and the upper ones rise"
        } else {
            "the timer has fewer bits than it is taken for: its upper 32 bits rise, while the lower ones are \
             far from full"
        };
        self.reported.then_some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the fault found in the timestamps.
    fn diagnose(timestamps: impl IntoIterator<Item = u64>) -> Option<&'static str> {
        let mut wraps = FalseWraps::default();
        let mut last = None;
        timestamps.into_iter().find_map(|ticks| {
            let from = last.replace(ticks)?;
            wraps.step(from, ticks)
        })
    }

    /// As `tband_extend32.h`.
    fn extended(counter: impl IntoIterator<Item = u32>) -> Vec<u64> {
        let (mut last, mut upper) = (0, 0_u64);
        let extend = |now: u32| {
            upper += u64::from(now < last);
            last = now;
            (upper << 32) | u64::from(now)
        };
        counter.into_iter().map(extend).collect()
    }

    #[test]
    fn a_timer_that_counts_down_is_found() {
        let down = (0..20_u32).map(|event| u32::MAX - event * 3000);
        assert!(diagnose(extended(down)).is_some_and(|text| text.contains("counts down")));
        // With two readings at the same value now and then, and readings in between that are not events.
        let down = extended((0..90_u32).map(|event| 0xFFFF - (event / 4) * 700));
        assert!(diagnose(down).is_some_and(|text| text.contains("counts down")));
        let down = extended((0..900_u32).map(|event| u32::MAX - event * 3000));
        assert!(diagnose(down.into_iter().step_by(37)).is_some());
    }

    #[test]
    fn a_timer_of_16_or_24_bits_is_found() {
        for (bits, step) in [(16, 9_000), (24, 900_000)] {
            let counter = (0..400_u32).map(|event| (event * step) & ((1 << bits) - 1));
            let text = diagnose(extended(counter)).expect("found");
            assert!(text.contains("fewer bits"), "{bits}: {text}");
        }
    }

    #[test]
    fn timers_that_are_right_are_left_alone() {
        // Seconds, half minutes and minutes at frequencies that timers have.
        for hz in [1_000_000, 16_000_000, 72_000_000, 168_000_000, 1_000_000_000_u64] {
            for seconds in [1, 10, 30, 60, 600, 3600] {
                let events = (0..5000_u64).map(|event| {
                    let (period, inside) = (event / 3, event % 3);
                    period * seconds * hz + inside * 777 + 5
                });
                assert_eq!(diagnose(events), None, "{hz} Hz, every {seconds} s");
            }
        }
        // A counter of 32 bits that wraps.
        let up = extended((0..5000_u32).map(|event| event.wrapping_mul(99_999_999)));
        assert_eq!(diagnose(up), None);
        let up = extended((0..5000_u32).map(|event| event.wrapping_mul(4_000_000_000)));
        assert_eq!(diagnose(up), None);
    }
}
