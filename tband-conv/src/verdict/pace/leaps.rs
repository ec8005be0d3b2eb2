//! Waits that last far too long by the timer, and what it did meanwhile.

use crate::clock::Clock;
use crate::diagnostics::Problem;
use crate::machine::{Leap, Timeline};

/// What a timer of 32 bits counts before it wraps.
const WRAP: i128 = 1 << 32;
/// A counter that is this near 0 after a leap, as a share of all it counts, is there for a reason.
const NEAR: i128 = WRAP / 256;

/// Waits that by the timestamps last far too long, since whoever extends a counter of 32 bits has taken a step back for
/// a wrap: where that of a narrower counter was one, or where it was set to 0.
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
    // What the counter held when it stepped back: a wrap was counted, and it was not full.
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
         0 meanwhile",
        from as f64 / 1e9,
        to.saturating_sub(from) as f64 / 1e9,
        if ticks == 1 { "no more than a tick".to_owned() } else { format!("{ticks} ticks") },
    );
    Some((Problem::TimerSetBack, text))
}
