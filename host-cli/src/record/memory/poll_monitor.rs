//! How long the looks at a target's memory take, and whether they find a recording: warnings for the user.

use std::time::Duration;

/// Time without reports at the begin: the target starts, and a share of less time is meaningless.
const GRACE: Duration = Duration::from_secs(2);
/// Interval between two looks for which the target is stopped, once it was reported that there is no recording.
const RARELY: Duration = Duration::from_secs(1);
/// A target that is stopped for more than this share of the time, in per cent, is not the program that users want to see.
const MOST_HALTED: u128 = 50;

/// The looks of one connection.
#[derive(Debug)]
pub struct PollMonitor {
    /// The target is stopped for each look.
    halts: bool,
    /// The program's file was compared with the target's memory.
    is_compared: bool,
    count: u32,
    halted: Duration,
    is_missing_reported: bool,
    is_share_reported: bool,
}

impl PollMonitor {
    /// Creates the state before the first look. `halts`: the target is stopped for each of them; `is_compared`: the program's
    /// file was compared with the target's memory.
    pub const fn new(halts: bool, is_compared: bool) -> Self {
        Self {
            halts,
            is_compared,
            count: 0,
            halted: Duration::ZERO,
            is_missing_reported: false,
            is_share_reported: false,
        }
    }

    /// A look that took this time has ended, `elapsed` after the connection was made. `has_begun`: there is a recording.
    /// Returns a warning, each kind once.
    pub fn end_poll(
        &mut self,
        took: Duration,
        elapsed: Duration,
        has_begun: bool,
    ) -> Option<String> {
        self.count = self.count.saturating_add(1);
        self.halted = self.halted.saturating_add(took);
        if elapsed < GRACE {
            return None;
        }
        if !has_begun {
            return (!std::mem::replace(&mut self.is_missing_reported, true))
                .then(|| self.missing());
        }
        let share = self.halted.as_millis().saturating_mul(100) / elapsed.as_millis().max(1);
        if !self.halts
            || share <= MOST_HALTED
            || std::mem::replace(&mut self.is_share_reported, true)
        {
            return None;
        }
        let each = self.halted.as_millis() / u128::from(self.count.max(1));
        Some(format!(
            "the target was stopped for {share} % of the time so far, {each} ms for each look, so the trace shows another timing than the program has without a debugger; add --no-halt if the server reads memory while the target runs, raise the probe's clock, or let a server read RTT"
        ))
    }

    /// Returns how long to wait for the next look: `usual`, or longer if there is no recording and each look stops the target.
    pub fn pause(&self, usual: Duration, has_begun: bool) -> Duration {
        let is_in_vain = self.halts && self.is_missing_reported && !has_begun;
        if is_in_vain { RARELY } else { usual }
    }

    fn missing(&self) -> String {
        let mut text = "there is no recording yet where the ELF file has it: the firmware has not started to record, or another build runs there".to_owned();
        if !self.is_compared {
            text += " (its code cannot be read, so it was not compared with the ELF file)";
        }
        if self.halts {
            text += "; from now on the target is stopped once a second to look";
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    /// Makes a number of looks of `took`, each after a pause. Returns the reports.
    fn simulate_polls(looks: &mut PollMonitor, took: u64, has_begun: bool) -> Vec<String> {
        let each = ms(took) + ms(50);
        let numbered = (1..=100).map(|number| each * number);
        numbered.filter_map(|elapsed| looks.end_poll(ms(took), elapsed, has_begun)).collect()
    }

    #[test]
    fn a_target_that_is_stopped_for_most_of_the_time_is_reported_once_with_the_share() {
        let mut slow = PollMonitor::new(true, true);
        let texts = simulate_polls(&mut slow, 250, true);
        assert_eq!(texts.len(), 1, "{texts:?}");
        assert!(texts[0].contains("83 %") && texts[0].contains("250 ms"), "{texts:?}");
        assert!(texts[0].contains("--no-halt"), "{texts:?}");
        // Too short for a share, half of the time, and looks that do not stop the target.
        assert!(slow.end_poll(ms(250), ms(300), true).is_none());
        assert!(simulate_polls(&mut PollMonitor::new(true, true), 50, true).is_empty());
        assert!(simulate_polls(&mut PollMonitor::new(false, true), 250, true).is_empty());
        assert_eq!(slow.pause(ms(50), true), ms(50));
    }

    #[test]
    fn where_there_is_no_recording_the_target_is_stopped_rarely() {
        let mut none = PollMonitor::new(true, false);
        assert_eq!(none.pause(ms(50), false), ms(50));
        let texts = simulate_polls(&mut none, 1, false);
        assert_eq!(texts.len(), 1, "{texts:?}");
        assert!(texts[0].contains("another build"), "{texts:?}");
        assert!(texts[0].contains("not compared") && texts[0].contains("once a second"));
        assert_eq!(none.pause(ms(50), false), RARELY);
        // It has started.
        assert_eq!(none.pause(ms(50), true), ms(50));
        let mut reads = PollMonitor::new(false, true);
        let texts = simulate_polls(&mut reads, 1, false);
        assert!(!texts[0].contains("not compared") && !texts[0].contains("stopped"), "{texts:?}");
        assert_eq!(reads.pause(ms(10), false), ms(10));
    }
}
