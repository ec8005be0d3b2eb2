//! The timestamps' timer against the kernel's ticks: whether it counts as fast as the recording reports, stops now and then, is
//! set back, or is the kernel's tick itself.
//!
//! The samples determine how far from the truth a timer must be: they give an interval (`range.rs`), and all of it has to be
//! further away than clocks without a crystal are; if it is nearer, that is worth a note.

mod leaps;
mod pace_error;
mod range;
mod short_times;
mod total;

use self::leaps::leaps;
use self::pace_error::{Factor, PaceError, STILL};
use self::range::{Range, is_exact, is_leap, sorted};
use self::short_times::short;
use self::total::Total;
use super::FaultList;
use crate::clock::Clock;
use crate::clock::frequency::Frequency;
use crate::diagnostics::Problem;
use crate::machine::{Sample, Timeline};

/// Minimum number of samples for a result.
const LEAST_SAMPLES: usize = 4;
/// Samples of this many ticks are used alone, if there are enough of them: they are more precise.
const WELL_KNOWN: u32 = 10;
/// Times below this share of their expected value are wrong.
const TOO_SHORT: f64 = 0.77;
/// The same limit for longer ones, if nearly all agree on how much: where ticks come late, as on a simulated target whose host
/// is busy, they come late by varying amounts.
const TOO_LONG: f64 = 1.25;
/// No host is this busy.
const FAR_TOO_LONG: f64 = 10.0;
/// Times this short have a wrong unit, however late ticks come, if samples agree this well: one wait is at most this many times
/// as late as another.
const FAR_TOO_SHORT: f64 = 0.01;
const FAR_SPREAD: f64 = 8.0;
/// How far apart samples may be that agree.
const SPREAD: f64 = 1.12;

/// Tolerance of clocks: those without a crystal are off by some per cent, and the configuration of the tick rounds.
const TOLERANCE: f64 = 0.055;
/// From here on that is noted: one of timer and tick is wrong.
const SLIGHTLY: f64 = 0.02;
/// How far apart exact samples may be that agree on a frequency.
const EXACT_SPREAD: f64 = 0.04;
/// The same where they are too long, which they are too where ticks come late.
const LATE_SPREAD: f64 = 0.02;
/// Samples that are shorter than any can be, and which share of all they have to be, as a divisor.
const LEAST_SHORT: usize = 8;
const SHARE_SHORT: usize = 4;

/// Minimum number of waits that seem to begin and end with ticks for a result.
const LEAST_ON_TICKS: u64 = 16;
/// Timers that count slower than this many times in a tick of the kernel are too coarse to report anything in it.
const LEAST_COUNTS: u64 = 4;
/// From this frequency on a task takes longer than a count from being woken to the next wait.
const FINE_HZ: u64 = 1_000_000;

/// Finds faults of the timer by the kernel's ticks.
pub fn judge(timeline: &Timeline, clock: &Clock, found: &mut FaultList) {
    let tick_rate_hz = timeline.world().tick_rate_hz().unwrap_or(0);
    if tick_rate_hz == 0 {
        return;
    }
    let reported = clock.frequency();
    let pace = timeline.pace();
    let leaps = leaps(pace.leaps(), clock, timeline);
    // The upper halves may have shown it already.
    let is_known = timeline.diagnostics().get(Problem::FalseWraps).is_some();
    found.extend(leaps.filter(|_| !is_known).map(|(problem, text)| (problem, 1, text)));
    let on_ticks = pace
        .waits_on_ticks()
        .filter(|waits| *waits >= LEAST_ON_TICKS && reported.is_at_least(FINE_HZ));
    if let Some(waits) = on_ticks {
        let text = format!(
            "{waits} waits begin and end exactly with a tick of the kernel, and nothing is in between"
        );
        found.push((Problem::TimerIsTick, 1, text));
        return;
    }
    let samples = pace.samples();
    // Nanoseconds are a clock of the machine that runs a simulated target: its ticks come late, however regularly.
    let is_host = reported == Frequency::GHZ;
    let tick_ns = 1e9 / f64::from(tick_rate_hz);
    let short = short(pace.shorts(), clock, timeline);
    let lacks_turns = short.as_ref().is_some_and(|it| it.lacks_turns);
    match off_pace(samples, tick_ns, is_host).filter(|_| !lacks_turns) {
        Some(PaceError::Factor(off)) => {
            found.push((Problem::OffPace, 1, off.text(tick_rate_hz, reported)));
            return;
        }
        Some(PaceError::Stops(stops)) => {
            found.push((Problem::TimerStops, 1, stops.text(tick_rate_hz)));
            return;
        }
        None => {}
    }
    found.extend(short.map(|it| (Problem::ShortWait, 1, it.text)));
    if !reported.is_at_least(u64::from(tick_rate_hz).saturating_mul(LEAST_COUNTS)) {
        let text =
            format!("the timer counts at {reported}, and the kernel's tick at {tick_rate_hz} Hz");
        found.push((Problem::TimerIsTick, 1, text));
    } else if let Some(off) = slightly_off(samples, tick_ns).filter(|_| !is_host && !lacks_turns) {
        found.push((Problem::OffPaceSlightly, 1, off.text(tick_rate_hz, reported)));
    }
}

/// How far times are from the kernel's ticks, if they are.
fn off_pace(samples: &[Sample], tick_ns: f64, is_host: bool) -> Option<PaceError> {
    let exact = Range::from_exact(samples, tick_ns);
    let short = || short_at_times(samples, tick_ns);
    let far = || far_off(samples, tick_ns);
    match exact {
        // The well known ones may be off where others are not.
        Some(range) => by_exact(samples, range, tick_ns, is_host).or_else(short).or_else(far),
        None => far().or_else(|| by_all(samples, tick_ns, is_host)).or_else(short),
    }
}

/// Off by far, whatever is known of the samples.
fn far_off(samples: &[Sample], tick_ns: f64) -> Option<PaceError> {
    let well_known = |it: &&Sample| it.most_ticks >= WELL_KNOWN;
    let mut taken: Vec<&Sample> = samples.iter().filter(well_known).collect();
    if taken.len() < LEAST_SAMPLES {
        taken = samples.iter().filter(|it| it.least_ticks > 0).collect();
    }
    let samples = taken.len();
    if samples < LEAST_SAMPLES {
        return None;
    }
    let sorted = |ticks_of: fn(&Sample) -> u32| {
        let ratio = |it: &&Sample| it.ns as f64 / (f64::from(ticks_of(it)) * tick_ns);
        sorted(taken.iter().map(ratio))
    };
    let at_least = sorted(|it| it.most_ticks);
    let at_most = sorted(|it| it.least_ticks);
    let spared = samples / 20;
    let lowest = *at_least.get(spared)?;
    let highest = *at_most.get(samples - 1 - spared)?;
    let factor = *at_least.get(samples / 2)?;
    let agree = at_least.get(samples * 9 / 10).is_some_and(|high| *high <= lowest * SPREAD);
    let is_long = lowest > FAR_TOO_LONG || (lowest > TOO_LONG && agree);
    let off = PaceError::Factor(Factor { factor, range: None, samples });
    if is_long {
        return Some(off);
    }
    // There is a factor that nearly all may have, or the timer does not run.
    let (low, high) = (*at_most.get(spared)?, *at_least.get(samples - 1 - spared)?);
    let is_one = high <= low * SPREAD || factor < STILL || is_of_another_unit(low, high);
    let stops = || PaceError::Stops(Total::of(taken.iter().copied(), tick_ns).stops(samples));
    (highest < TOO_SHORT).then(|| if is_one { off } else { stops() })
}

/// Small deviation, from samples whose ticks are known exactly.
fn by_exact(samples: &[Sample], range: Range, tick_ns: f64, is_host: bool) -> Option<PaceError> {
    let total = Total::of(samples.iter().filter(|it| is_exact(it, tick_ns)), tick_ns);
    let is_short = range.high < 1.0 - TOLERANCE && total.ratio() < 1.0 - TOLERANCE / 2.0;
    let is_long = range.low > 1.0 + TOLERANCE && range.spread <= LATE_SPREAD && !is_host;
    let is_far = is_of_another_unit(range.lowest, range.highest);
    if is_long || (is_short && (range.spread <= EXACT_SPREAD || range.middle < STILL || is_far)) {
        return Some(PaceError::Factor(range.factor()));
    }
    let is_less =
        |it: &&Sample| (it.ns as f64) < f64::from(it.most_ticks) * tick_ns * (1.0 - TOLERANCE);
    let short = samples.iter().filter(|it| is_exact(it, tick_ns)).filter(is_less).count();
    (is_short && total.is_missing(TOLERANCE / 2.0)).then(|| PaceError::Stops(total.stops(short)))
}

/// Off by a little, where of no sample the ticks are known exactly, and all have a factor in common.
fn by_all(samples: &[Sample], tick_ns: f64, is_host: bool) -> Option<PaceError> {
    let range = Range::from_all(samples, tick_ns)?;
    let is_long = range.low > 1.0 + TOLERANCE && !is_host;
    (is_long || range.high < 1.0 - TOLERANCE).then(|| PaceError::Factor(range.factor()))
}

/// Off by less than clocks may be, and by more than most are.
fn slightly_off(samples: &[Sample], tick_ns: f64) -> Option<Factor> {
    let is_long = |range: &Range| range.low > 1.0 + SLIGHTLY && range.spread <= LATE_SPREAD;
    let is_short = |range: &Range| range.high < 1.0 - SLIGHTLY && range.spread <= EXACT_SPREAD;
    let range = match Range::from_exact(samples, tick_ns) {
        Some(range) => {
            // Where ticks come late and are made up for, most waits are short and few are long.
            let exact = samples.iter().filter(|it| is_exact(it, tick_ns));
            let total = Total::of(exact, tick_ns).ratio();
            let is_less = is_short(&range) && total < 1.0 - SLIGHTLY / 2.0;
            return (is_less || is_long(&range)).then(|| range.factor());
        }
        None => Range::from_all(samples, tick_ns)?,
    };
    (is_short(&range) || is_long(&range)).then(|| range.factor())
}

/// Nearly all times are between these shares of their expected value: so far off that a stopped timer is not the cause.
fn is_of_another_unit(low: f64, high: f64) -> bool {
    high < FAR_TOO_SHORT && high <= low * FAR_SPREAD
}

/// Some are shorter than they can be, and no others make up for that.
fn short_at_times(samples: &[Sample], tick_ns: f64) -> Option<PaceError> {
    // One tick at the begin may have come late, while the scheduler was suspended.
    let least = |it: &Sample| f64::from(it.most_ticks.saturating_sub(1)) * tick_ns;
    let short = samples.iter().filter(|it| (it.ns as f64) < least(it) * (1.0 - TOLERANCE)).count();
    let known = samples.iter().filter(|it| it.most_ticks > 1).count();
    let total = Total::of(samples.iter().filter(|it| !is_leap(it, tick_ns)), tick_ns);
    let are_short = short >= LEAST_SHORT && short >= known / SHARE_SHORT;
    (are_short && total.is_missing(TOLERANCE / 2.0)).then(|| PaceError::Stops(total.stops(short)))
}
