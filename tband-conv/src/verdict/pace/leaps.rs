//! Waits that last far too long by the timer, and the timer's fault in that time.

use crate::clock::Clock;
use crate::diagnostics::Problem;
use crate::machine::{Leap, Timeline};

/// Range of a 32-bit timer.
const WRAP: i128 = 1 << 32;
/// A counter that is this near 0 after a leap, as a share of its range, has a cause.
const NEAR: i128 = WRAP / 256;

/// Finds waits that last far too long by the timestamps, because an extension of a 32-bit counter has taken a step back for a
/// wrap: where a narrower counter wrapped, or where it was set to 0.
pub fn leaps(leaps: &[Leap], clock: &Clock, timeline: &Timeline) -> Option<(Problem, String)> {
    if timeline.diagnostics().get(Problem::FrequencyChange).is_some() {
        return None;
    }
    let tick_rate_hz = i64::from(timeline.world().trace_info?.tick_rate_hz?.max(1));
    let reported = clock.frequency();
    let counts = |ns: i64| {
        let ns = i128::from(ns) * i128::from(reported.numerator());
        ns / (i128::from(reported.denominator()) * 1_000_000_000)
    };
    // How long it was in truth, in counts, and how well that is known.
    let passed = |leap: &Leap| {
        let ns = |ticks: i64| ticks.saturating_mul(1_000_000_000 / tick_rate_hz);
        let ticks = i64::from(leap.ticks);
        (counts(ns(ticks)), counts(ns(2)) + counts(ns(ticks)) / 16)
    };
    // The counter's value when it stepped back: a wrap was counted, though it had not reached its end.
    let held = |leap: &Leap| WRAP - (counts(leap.to) - counts(leap.from) - passed(leap).0);
    let bits_of = |leap: &Leap| {
        let give = passed(leap).1;
        let fits = |bits: &u32| {
            give < 1 << bits.saturating_sub(3) && (held(leap) - (1 << bits)).abs() <= give
        };
        (8..32).find(fits)
    };
    let bits = leaps.first().and_then(bits_of);
    if let Some(bits) =
        bits.filter(|_| leaps.len() > 1 && leaps.iter().all(|leap| bits_of(leap) == bits))
    {
        let text = format!(
            "the timer has fewer bits than it is taken for: by the kernel's ticks it has {bits} bits, and each time \
             that it wraps its upper bits rise"
        );
        return Some((Problem::FalseWraps, text));
    }
    let is_set_back = |leap: &&Leap| {
        let (before, after) = (counts(leap.from), counts(leap.to));
        let most = passed(leap).0 + passed(leap).1;
        most < NEAR && after / WRAP > before / WRAP && after % WRAP <= most
    };
    let mut found = leaps.iter().filter(is_set_back);
    let &Leap { from, to, ticks } = found.next()?;
    let times = match found.count() {
        0 => String::new(),
        more => format!(", and {more} more like it"),
    };
    let text = format!(
        "at {:.6} s the time leaps by {:.1} s while the kernel counts {}, and then the counter is near 0{times}: it was set to \
         0 in between",
        from as f64 / 1e9,
        to.saturating_sub(from) as f64 / 1e9,
        if ticks == 1 { "at most one tick".to_owned() } else { format!("{ticks} ticks") },
    );
    Some((Problem::TimerSetBack, text))
}
