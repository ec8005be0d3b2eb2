//! Waits that are shorter than their ticks, each of which alone contradicts the timestamps.

use crate::clock::Clock;
use crate::clock::frequency::Frequency;
use crate::diagnostics::Problem;
use crate::machine::{Leap, ShortWaits, Timeline};

/// Range of a 32-bit timer.
const WRAP: f64 = 4_294_967_296.0;
/// Maximum time, in ns, for which the host of a simulated target may hold it up; its ticks are made up for later.
const HELD_UP_NS: i64 = 1_000_000_000;

/// Required improbability that waits of other causes lack complete wraps of the timer.
const IMPROBABLE: f64 = 0.05;

/// Waits that are shorter than their ticks.
pub struct ShortTimes {
    pub text: String,
    /// All of them lack complete wraps of the timer. A timer that stops, or counts at another frequency, is then improbable.
    pub lacks_turns: bool,
}

/// Some waits are shorter than their ticks.
pub fn short(shorts: &ShortWaits, clock: &Clock, timeline: &Timeline) -> Option<ShortTimes> {
    let &Leap { from, to, ticks } = shorts.list.first()?;
    let is_host = clock.frequency() == Frequency::GHZ;
    let is_changed = timeline.diagnostics().get(Problem::FrequencyChange).is_some();
    if is_changed || (is_host && shorts.missing_ns < HELD_UP_NS) {
        return None;
    }
    let tick_ns = 1e9 / f64::from(timeline.world().trace_info?.tick_rate_hz?.max(1));
    let seconds = |ns: f64| ns / 1e9;
    let length = |leap: &Leap| leap.to.saturating_sub(leap.from) as f64;
    let missing = |leap: &Leap| f64::from(leap.ticks) * tick_ns - length(leap);
    let frequency = clock.frequency();
    let turn_ns = WRAP * 1e9 * frequency.denominator() as f64 / frequency.numerator() as f64;
    // The precision of ticks and time is a tick or two, plus the tolerance of clocks without a crystal.
    let give = |leap: &Leap| (2.0 * tick_ns + f64::from(leap.ticks) * tick_ns / 64.0) / turn_ns;
    let is_whole = |leap: &Leap| {
        let turns = missing(leap) / turn_ns;
        turns.round() >= 1.0 && (turns - turns.round()).abs() <= give(leap) && give(leap) < 0.25
    };
    let are_whole = shorts.list.iter().all(is_whole);
    let by_chance: f64 = shorts.list.iter().map(|leap| 2.0 * give(leap)).product();
    let cause = if are_whole {
        format!(
            ": whole turns of a timer of 32 bits are missing, which wraps every {:.1} s",
            seconds(turn_ns)
        )
    } else {
        String::new()
    };
    let more = match shorts.count - 1 {
        0 => String::new(),
        more => format!(
            ", and {more} more like it; {:.1} s are missing in all",
            shorts.missing_ns as f64 / 1e9
        ),
    };
    let text = format!(
        "at {:.6} s a wait of more than {ticks} ticks of the kernel, {:.3} s, takes {:.3} s{more}{cause}",
        seconds(from as f64),
        seconds(f64::from(ticks) * tick_ns),
        seconds(to.saturating_sub(from) as f64),
    );
    Some(ShortTimes { text, lacks_turns: are_whole && by_chance < IMPROBABLE })
}
