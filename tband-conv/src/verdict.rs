//! What a recording as a whole says of how the recorder was set up: that nothing was recorded, that the timer
//! does not run, that a function answers the wrong way round. Judged when all of it was read.

use crate::clock::{Clock, Known};
use crate::diagnostics::{Diagnostics, Problem};
use crate::frequency::{Frequency, NS_PER_S};
use crate::machine::{OffPace, Timeline};
use tband_format::registry::trace_info_flags;

/// Less than what any core needs for an event, in ns.
const LEAST_NS: u64 = 4;
/// From so many events on, such a thing is no chance.
const ENOUGH: u64 = 64;
/// The same for events without a name of a task.
const ENOUGH_NAMELESS: u64 = 16;
/// The same for frames that count dropped events.
const ENOUGH_DROPS: u64 = 16;

/// What is known at the end besides the timeline.
#[derive(Clone, Copy, Debug)]
pub struct Whole {
    /// All events.
    pub events: u64,
    /// Those of them that tell of the recording itself.
    pub about: u64,
    /// Those of them that are `core_id`.
    pub core_ids: u64,
    /// From the first event to the last one.
    pub length_ns: u64,
    /// What the recording tells of the timer, or the user.
    pub known: Known,
}

/// Problem, amount and text of each thing that is wrong.
pub type Found = Vec<(Problem, u64, String)>;

/// Judges a whole recording.
pub fn judge(whole: &Whole, timeline: &Timeline, clock: &Clock) -> Found {
    let mut found = Found::new();
    let told = whole.about.saturating_add(timeline.drop_counts());
    let happenings = whole.events.saturating_sub(told);
    if whole.events == whole.core_ids && whole.events > 0 {
        let text = "a stream begins with core_id, and nothing follows it: the port refused the rest, or the \
                    whole start by its answer";
        found.push((Problem::StreamRefused, 1, text.to_owned()));
        return found;
    }
    // Where events are missing there were some.
    let missing = [Problem::EventsDiscarded, Problem::PacketsLost];
    let is_missing = missing.iter().any(|it| timeline.diagnostics().get(*it).is_some());
    if happenings == 0 && timeline.drop_counts() == 0 && !is_missing {
        found.push((Problem::NothingRecorded, 1, nothing_recorded(timeline).to_owned()));
        return found;
    }
    if let Some(text) = drops_reversed(whole.events, timeline.diagnostics()) {
        found.push((Problem::DropsReversed, 1, text));
        return found;
    }
    let stands = stands_still(whole, happenings, timeline, clock);
    match (stands, timeline.off_pace()) {
        (Some(text), _) => found.push((Problem::TimeStands, 1, text)),
        (None, Some(off)) => found.push((Problem::OffPace, 1, off_pace(off, timeline, clock))),
        (None, None) => {}
    }
    let world = timeline.world();
    let flags = world.trace_info.map_or(0, |info| info.flags);
    if flags & trace_info_flags::FREERTOS == 0 || happenings < ENOUGH_NAMELESS {
        return found;
    }
    let (mut tasks, mut named) = (0_u64, 0_u64);
    for (_, task) in world.tasks.iter() {
        tasks += 1;
        named += u64::from(task.name.is_some());
    }
    if tasks == 0 && happenings >= ENOUGH {
        let text = format!(
            "the firmware records FreeRTOS, but among {happenings} events there is nothing of a task"
        );
        found.push((Problem::SilentKernel, 1, text));
    }
    if tasks > 0 && named == 0 {
        let text = format!("none of the tasks has a name, and there are {tasks} or more");
        found.push((Problem::NoMetadata, tasks, text));
    }
    found
}

fn nothing_recorded(timeline: &Timeline) -> &'static str {
    if timeline.world().trace_info.is_some() {
        "recording was started, and nothing happened"
    } else {
        "there are names and the like, but recording was not started, or the events were not read"
    }
}

/// Each event that arrives is counted as dropped, and behind the first of them only the counts are sent.
fn drops_reversed(events: u64, diagnostics: &Diagnostics) -> Option<String> {
    let lost = diagnostics.get(Problem::EventsLost)?;
    let counts = lost.count;
    // A transport that is too slow loses many between two counts that come through.
    let is_it = counts >= ENOUGH_DROPS
        && counts.saturating_mul(4) >= events.saturating_mul(3)
        && lost.amount <= counts.saturating_mul(2);
    is_it.then(|| {
        format!(
            "{counts} of {events} events tell that one more was dropped, and each of them arrived"
        )
    })
}

fn stands_still(
    whole: &Whole,
    happenings: u64,
    timeline: &Timeline,
    clock: &Clock,
) -> Option<String> {
    let tick_ns = match whole.known {
        // Whatever a tick may be, there was none.
        Known::Nothing if whole.length_ns == 0 => 0,
        Known::Nothing => return None,
        _ => tick_ns(clock.frequency()),
    };
    let cores = timeline.world().cores.len().max(1) as u64;
    let longest = whole.length_ns.saturating_add(tick_ns).saturating_mul(cores);
    if happenings < ENOUGH || longest >= happenings.saturating_mul(LEAST_NS) {
        return None;
    }
    let time = whole.length_ns;
    Some(format!("{happenings} events in {time} ns: the timer does not run, or far too slowly"))
}

fn tick_ns(frequency: Frequency) -> u64 {
    let ns = u128::from(NS_PER_S) * u128::from(frequency.denominator());
    u64::try_from(ns.div_ceil(u128::from(frequency.numerator()))).unwrap_or(u64::MAX)
}

fn off_pace(off: OffPace, timeline: &Timeline, clock: &Clock) -> String {
    let tick_rate = timeline.world().trace_info.and_then(|info| info.tick_rate_hz).unwrap_or(0);
    let OffPace { factor, samples } = off;
    let told = clock.frequency();
    let hz = told.numerator() as f64 / told.denominator() as f64 * factor;
    let by = if factor > 1.0 { factor } else { 1.0 / factor };
    let by = if by < 9.95 { format!("{by:.1}") } else { two_digits(by).to_string() };
    let how = if factor > 1.0 { "long" } else { "short" };
    if factor < 1e-6 {
        return format!(
            "by the kernel's {tick_rate} ticks a second the timer stands still: {samples} waits say so"
        );
    }
    format!(
        "by the kernel's {tick_rate} ticks a second times are {by} times too {how}: {samples} waits say so; \
         the timer seems to count at {}, not at {told}",
        about(hz)
    )
}

fn about(hz: f64) -> String {
    Frequency::new(two_digits(hz).max(1), 1).map_or_else(String::new, |it| format!("about {it}"))
}

/// A number above 0, rounded to two digits.
fn two_digits(number: f64) -> u64 {
    let unit = 10_f64.powi((number.max(1.0).log10().floor() as i32 - 1).max(0));
    // In range, or it is cut off.
    ((number / unit).round() * unit) as u64
}
