//! The timestamps' timer against the kernel's ticks: whether it counts as fast as the recording says, stops now and
//! then, is set back, or is the kernel's tick itself.
//!
//! How far from the truth a timer must be follows from the samples: their median lies in an interval that their number
//! gives, and all of it has to be further away than clocks without a crystal are. One sample in twenty need not agree.

use super::Found;
use crate::clock::Clock;
use crate::diagnostics::Problem;
use crate::frequency::Frequency;
use crate::machine::{LEAP_NS, Leap, Sample, Timeline};

/// Samples without which nothing is said.
const LEAST_SAMPLES: usize = 4;
/// Samples of so many ticks are taken alone, if there are enough of them: they are known better.
const WELL_KNOWN: u32 = 10;
/// Times that are shorter than this share of what they should be are wrong.
const TOO_SHORT: f64 = 0.77;
/// The same for longer ones, if nearly all agree on how much: where ticks come late, as on a simulated target
/// whose machine is busy with other things, they come late by this and that.
const TOO_LONG: f64 = 1.25;
/// No machine is so busy.
const FAR_TOO_LONG: f64 = 10.0;
/// Times this short are of a wrong unit, however late ticks come, if samples agree this well: one wait is at most so many
/// times as late as another.
const FAR_TOO_SHORT: f64 = 0.01;
const FAR_SPREAD: f64 = 8.0;
/// A timer that counts this little of the time does not count at all.
const STILL: f64 = 1e-6;
/// How far apart samples may be that agree.
const SPREAD: f64 = 1.12;

/// Samples whose ticks are known exactly, without which nothing is said of less.
const LEAST_EXACT: usize = 9;
/// How far off clocks may be: those without a crystal are by some per cent, and what sets the tick rounds.
const TOLERANCE: f64 = 0.055;
/// How far apart exact samples may be that agree on a frequency.
const EXACT_SPREAD: f64 = 0.04;
/// The same where they are too long, which they are too where ticks come late.
const LATE_SPREAD: f64 = 0.02;
/// Samples that are shorter than any can be, and which share of all they have to be, as a divisor.
const LEAST_SHORT: usize = 8;
const SHARE_SHORT: usize = 4;

/// Waits that seem to begin and end with ticks, without which nothing is said.
const LEAST_ON_TICKS: u64 = 16;
/// Timers that count slower than this many times in a tick of the kernel are too coarse to report anything in it.
const LEAST_COUNTS: u64 = 4;
/// From this frequency on a task takes longer than a count from being woken to the next wait.
const FINE_HZ: u64 = 1_000_000;

/// What a timer of 32 bits counts before it wraps.
const WRAP: i128 = 1 << 32;
/// A counter that is this near 0 after a leap, as a share of all it counts, is there for a reason.
const NEAR: i128 = WRAP / 256;

/// What is wrong with the timer by the kernel's ticks.
pub fn judge(timeline: &Timeline, clock: &Clock, found: &mut Found) {
    let tick_rate_hz = timeline.world().trace_info.and_then(|info| info.tick_rate_hz).unwrap_or(0);
    if tick_rate_hz == 0 {
        return;
    }
    let reported = clock.frequency();
    let pace = timeline.pace();
    let leaps = leaps(pace.leaps(), clock, timeline);
    // The upper halves may have said so.
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
    match off_pace(samples, f64::from(tick_rate_hz), is_host) {
        Some(Off::Factor(off)) => {
            found.push((Problem::OffPace, 1, off.text(tick_rate_hz, reported)));
        }
        Some(Off::Stops(stops)) => {
            found.push((Problem::TimerStops, 1, stops.text(tick_rate_hz)));
        }
        None if !reported.is_at_least(u64::from(tick_rate_hz).saturating_mul(LEAST_COUNTS)) => {
            let text = format!(
                "the timer counts at {reported}, and the kernel's tick at {tick_rate_hz} Hz"
            );
            found.push((Problem::TimerIsTick, 1, text));
        }
        None => {}
    }
}

/// Times disagree with the kernel's ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Off {
    /// All by the same factor.
    Factor(Factor),
    /// They are too short by this and that.
    Stops(Stops),
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Factor {
    /// How many times as long as by the ticks times are.
    factor: f64,
    /// How far that may be off, as a share of it, where it is known well.
    give: Option<f64>,
    /// How many samples say so.
    samples: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Stops {
    /// Samples, and those of them that are too short.
    samples: usize,
    short: usize,
    /// What they last by the timer and by the ticks, in ns.
    recorded: f64,
    passed: f64,
}

/// How far times are from the kernel's ticks, if they are.
fn off_pace(samples: &[Sample], tick_rate_hz: f64, is_host: bool) -> Option<Off> {
    let tick_ns = 1e9 / tick_rate_hz;
    if let Some(off) = by_exact(samples, tick_ns, is_host) {
        return Some(off);
    }
    // The well known ones may be off where others are not.
    let is_known =
        samples.iter().filter(|it| it.least_ticks == it.most_ticks).count() >= LEAST_EXACT;
    let short = || short_at_times(samples, tick_ns);
    let far = far_off(samples, tick_ns);
    if is_known { short().or(far) } else { far.or_else(short) }
}

/// Off by far, whatever is known of the samples.
fn far_off(samples: &[Sample], tick_ns: f64) -> Option<Off> {
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
    let off = Off::Factor(Factor { factor, give: None, samples });
    if is_long {
        return Some(off);
    }
    // There is a factor that nearly all may have, or the timer stands still.
    let (low, high) = (*at_most.get(spared)?, *at_least.get(samples - 1 - spared)?);
    let is_one = high <= low * SPREAD || factor < STILL || is_of_another_unit(low, high);
    let stops = || Off::Stops(Total::of(taken.iter().copied(), tick_ns).stops(samples));
    (highest < TOO_SHORT).then(|| if is_one { off } else { stops() })
}

/// Off by a little, as samples say whose ticks are known exactly.
fn by_exact(samples: &[Sample], tick_ns: f64, is_host: bool) -> Option<Off> {
    let exact =
        || samples.iter().filter(|it| it.least_ticks == it.most_ticks && !is_leap(it, tick_ns));
    let ratios = sorted(exact().map(|it| it.ns as f64 / (f64::from(it.most_ticks) * tick_ns)));
    let count = ratios.len();
    if count < LEAST_EXACT {
        return None;
    }
    // The median is in this interval with a probability of more than 99 %: three times the standard deviation of how
    // many samples lie below it.
    let give = (1.5 * (count as f64).sqrt()).ceil() as usize;
    let low = *ratios.get((count / 2).saturating_sub(give))?;
    let high = *ratios.get((count / 2).saturating_add(give).min(count - 1))?;
    let median = *ratios.get(count / 2)?;
    let spread =
        (ratios.get(count * 9 / 10)? - ratios.get(count / 10)?) / median.max(f64::MIN_POSITIVE);
    let total = Total::of(exact(), tick_ns);
    let is_short = high < 1.0 - TOLERANCE && total.ratio() < 1.0 - TOLERANCE / 2.0;
    let is_long = low > 1.0 + TOLERANCE && spread <= LATE_SPREAD && !is_host;
    let give = Some((high - low) / 2.0 / median.max(f64::MIN_POSITIVE));
    let spared = count / 20;
    let is_far = is_of_another_unit(*ratios.get(spared)?, *ratios.get(count - 1 - spared)?);
    if is_long || (is_short && (spread <= EXACT_SPREAD || median < STILL || is_far)) {
        return Some(Off::Factor(Factor { factor: median, give, samples: count }));
    }
    let is_less = |ratio: &&f64| **ratio < 1.0 - TOLERANCE;
    let short = ratios.iter().filter(is_less).count();
    (is_short && total.is_short()).then(|| Off::Stops(total.stops(short)))
}

/// Nearly all times are between these shares of what they should be: so far off that it is no stop.
fn is_of_another_unit(low: f64, high: f64) -> bool {
    high < FAR_TOO_SHORT && high <= low * FAR_SPREAD
}

/// Some are shorter than they can be, and no others make up for that.
fn short_at_times(samples: &[Sample], tick_ns: f64) -> Option<Off> {
    // A tick may have come late for the one that began, as long as the scheduler was suspended.
    let least = |it: &Sample| f64::from(it.most_ticks.saturating_sub(1)) * tick_ns;
    let short = samples.iter().filter(|it| (it.ns as f64) < least(it) * (1.0 - TOLERANCE)).count();
    let known = samples.iter().filter(|it| it.most_ticks > 1).count();
    let total = Total::of(samples.iter().filter(|it| !is_leap(it, tick_ns)), tick_ns);
    let are_short = short >= LEAST_SHORT && short >= known / SHARE_SHORT;
    (are_short && total.is_short()).then(|| Off::Stops(total.stops(short)))
}

/// It does not say how fast the timer counts.
fn is_leap(sample: &Sample, tick_ns: f64) -> bool {
    sample.ns as f64 - f64::from(sample.most_ticks) * tick_ns >= LEAP_NS as f64
}

fn sorted(ratios: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut ratios: Vec<f64> = ratios.collect();
    ratios.sort_by(f64::total_cmp);
    ratios
}

/// All samples together.
#[derive(Clone, Copy, Debug, Default)]
struct Total {
    samples: usize,
    recorded: f64,
    passed: f64,
    /// Sum of the squares of what each lacks.
    squares: f64,
}

impl Total {
    fn of<'s>(samples: impl Iterator<Item = &'s Sample>, tick_ns: f64) -> Self {
        samples.fold(Self::default(), |sum, it| {
            // Of those that are not exact the middle, which is right for many of them.
            let ticks = (f64::from(it.least_ticks) + f64::from(it.most_ticks)) / 2.0;
            let (recorded, passed) = (it.ns as f64, ticks * tick_ns);
            Self {
                samples: sum.samples + 1,
                recorded: sum.recorded + recorded,
                passed: sum.passed + passed,
                squares: sum.squares + (passed - recorded).powi(2),
            }
        })
    }

    fn ratio(self) -> f64 {
        self.recorded / self.passed.max(f64::MIN_POSITIVE)
    }

    /// Time is missing, with a probability of more than 99 %: the samples are some of many, and where ticks come late
    /// and are made up for, few that are long make up for many that are short.
    fn is_short(self) -> bool {
        let lacks = self.passed - self.recorded;
        let variance = (self.squares - lacks * lacks / (self.samples.max(1) as f64)).max(0.0);
        lacks - 3.0 * variance.sqrt() > TOLERANCE / 2.0 * self.passed
    }

    const fn stops(self, short: usize) -> Stops {
        let Self { samples, recorded, passed, .. } = self;
        Stops { samples, short, recorded, passed }
    }
}

impl Stops {
    fn text(self, tick_rate_hz: u32) -> String {
        let Self { samples, short, recorded, passed } = self;
        let (recorded, passed) = (recorded / 1e6, passed / 1e6);
        format!(
            "by the kernel's {tick_rate_hz} ticks a second {short} of {samples} waits are too short, by this and \
             that: {recorded:.1} ms are recorded of {passed:.1} ms; the timer stands still now and then"
        )
    }
}

impl Factor {
    fn text(self, tick_rate_hz: u32, reported: Frequency) -> String {
        let Self { factor, give, samples } = self;
        let hz = reported.numerator() as f64 / reported.denominator() as f64 * factor;
        let by = if factor > 1.0 { factor } else { 1.0 / factor };
        let how = if factor > 1.0 { "long" } else { "short" };
        if factor < STILL {
            return format!(
                "by the kernel's {tick_rate_hz} ticks a second the timer stands still: {samples} waits say so"
            );
        }
        let by = match by {
            ..1.25 => format!("{:.0} %", (factor - 1.0).abs() * 100.0),
            ..9.95 => format!("{by:.1} times"),
            _ => format!("{} times", digits(by, 2)),
        };
        // To a hundredth, or as well as it is known.
        let (places, give) = match give.map(|give| (give * 1000.0).ceil() / 10.0) {
            Some(give) if give < 5.0 => (3, format!(", give or take {:.1} %", give.max(0.1))),
            _ => (2, String::new()),
        };
        let about = Frequency::new(digits(hz, places).max(1), 1)
            .map_or_else(String::new, |it| it.to_string());
        format!(
            "by the kernel's {tick_rate_hz} ticks a second times are {by} too {how}: {samples} waits say so; \
             the timer seems to count at about {about}{give}, not at {reported}"
        )
    }
}

/// A number above 0, rounded to so many digits.
fn digits(number: f64, places: i32) -> u64 {
    let unit = 10_f64.powi((number.max(1.0).log10().floor() as i32 + 1 - places).max(0));
    // In range, or it is cut off.
    ((number / unit).round() * unit) as u64
}

/// Waits that by the timestamps last far too long, since whoever extends a counter of 32 bits has taken a step back for
/// a wrap: where that of a narrower counter was one, or where it was set to 0.
fn leaps(leaps: &[Leap], clock: &Clock, timeline: &Timeline) -> Option<(Problem, String)> {
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
        "at {:.6} s a wait of {ticks} ticks of the kernel takes {:.1} s, and then the counter is near 0{times}: it was \
         set to 0 meanwhile",
        from as f64 / 1e9,
        to.saturating_sub(from) as f64 / 1e9,
    );
    Some((Problem::TimerSetBack, text))
}
