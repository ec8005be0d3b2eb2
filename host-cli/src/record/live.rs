//! The line of counters on a terminal.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{DecimalBytes, ProgressBar, ProgressDrawTarget, ProgressStyle};

use tband_app::live::Counts;
use tband_conv::counted;
use tband_conv::sinks::{CoreStats, Stats};

/// Interval between two computations of the rate.
const EVERY: Duration = Duration::from_millis(500);

/// Counters that are redrawn regularly; nothing if stderr is not a terminal.
pub struct LiveCounters {
    bar: Option<ProgressBar>,
    since: Instant,
    before: (u64, u64),
}

impl LiveCounters {
    /// Drawn if it is `wanted`.
    pub fn new(wanted: bool) -> Self {
        let bar = (wanted && io::stderr().is_terminal()).then(|| {
            let style = ProgressStyle::with_template("{msg}");
            ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr())
                .with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
        });
        Self { bar, since: Instant::now(), before: (0, 0) }
    }

    /// Shows this many received bytes.
    pub fn show(&mut self, bytes: u64, counts: &Counts, shares: Utilization) {
        let Some(bar) = &self.bar else { return };
        let passed = self.since.elapsed();
        if passed >= EVERY {
            let (bytes_before, events_before) = self.before;
            bar.set_message(text(
                (bytes, bytes.saturating_sub(bytes_before)),
                (counts, counts.events.saturating_sub(events_before)),
                (passed, shares),
            ));
            self.since = Instant::now();
            self.before = (bytes, counts.events);
        }
    }

    /// Prints a message above it.
    pub fn print_above(&self, say: impl FnOnce()) {
        match &self.bar {
            Some(bar) => bar.suspend(say),
            None => say(),
        }
    }

    /// Takes it away.
    pub fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// In per cent, if they are known: how much of the CPUs is in use, and how full the target's buffer is.
type Utilization = (Option<u8>, Option<u8>);

/// The load of the CPUs in a window, in per cent, if it is known.
pub fn load(window: &Stats) -> Option<u8> {
    let load = CoreStats::busy_share_of(window.cores())?;
    Some((load.value() * 100.0).min(100.0) as u8)
}

/// Formats sums, and their increase in this time.
fn text(
    bytes: (u64, u64),
    (counts, events): (&Counts, u64),
    (passed, (load, level)): (Duration, Utilization),
) -> String {
    let per_second = |amount: u64| (amount as f64 / passed.as_secs_f64()) as u64;
    let mut text = format!(
        "{}  {}/s  {}  {}/s  {}",
        DecimalBytes(bytes.0),
        DecimalBytes(per_second(bytes.1)),
        counted(counts.events, "event"),
        per_second(events),
        counted(counts.tasks, "task"),
    );
    for (share, what) in [(load, "CPU"), (level, "buffer")] {
        if let Some(share) = share {
            text += &format!("  {what} {share}%");
        }
    }
    for (count, what) in [(counts.lost, "lost"), (counts.damaged, "damaged")] {
        if count > 0 {
            text += &format!("  {count} {what}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_those_of_the_last_time() {
        let counts = Counts { events: 5000, lost: 3, tasks: 4, ..Counts::default() };
        assert_eq!(
            text((2_000_000, 500_000), (&counts, 1000), (Duration::from_millis(500), (None, None))),
            "2.00 MB  1.00 MB/s  5000 events  2000/s  4 tasks  3 lost"
        );
        let counts = Counts { lost: 0, ..counts };
        assert_eq!(
            text((10, 10), (&counts, 0), (Duration::from_secs(1), (Some(43), Some(7)))),
            "10 B  10 B/s  5000 events  0/s  4 tasks  CPU 43%  buffer 7%"
        );
    }
}
