//! Evidence of a recording as a whole about the setup of the recorder: that nothing was recorded, that the timer does not run,
//! that a function returns the opposite value. It is judged when all of it was read.

mod hooks;
mod names;
mod newer;
mod pace;
mod program;

use crate::clock::frequency::{Frequency, NS_PER_S};
use crate::clock::{Clock, FrequencyKnowledge};
use crate::diagnostics::{Diagnostics, Problem};
use crate::machine::Timeline;
use crate::model::{Task, TaskState};
use crate::packets::Link;
use tband_format::registry::trace_info_flags;
use tband_import::counted::counted;

/// Minimum time per event that any core needs, in ns.
const LEAST_NS: u64 = 4;
/// From this many events on, such evidence is not a coincidence.
const ENOUGH: u64 = 64;
/// The same limit for events without a task, or without a name of one.
const ENOUGH_NAMELESS: u64 = 16;
/// The same limit for frames that count dropped events.
const ENOUGH_DROPS: u64 = 16;

/// Facts known at the end in addition to the timeline.
#[derive(Clone, Copy, Debug)]
pub struct EndFacts {
    /// All events.
    pub events: u64,
    /// Those of them that report the recording itself.
    pub about: u64,
    /// Another recorder made a recording.
    pub is_foreign: bool,
    /// Those of them that are `core_id`.
    pub core_ids: u64,
    /// From the first event to the last one.
    pub length_ns: u64,
    /// The timer's frequency from the recording, or from the user.
    pub known: FrequencyKnowledge,
    /// Statistics of the link, if any input consists of packets.
    pub link: Option<Link>,
}

/// Problem, amount and text of each fault.
pub type FaultList = Vec<(Problem, u64, String)>;

/// Judges a complete recording.
pub fn judge(whole: &EndFacts, timeline: &Timeline, clock: &Clock) -> FaultList {
    let mut found = FaultList::new();
    newer::judge(timeline, &mut found);
    program::judge(timeline.world(), &mut found);
    let reported = whole.about.saturating_add(timeline.drop_counts());
    let happenings = whole.events.saturating_sub(reported);
    if whole.events == whole.core_ids && whole.events > 0 {
        let text = "a stream begins with core_id, and nothing follows it: the port refused the rest, or the \
                    whole start by its answer";
        found.push((Problem::StreamRefused, 1, text.to_owned()));
        return found;
    }
    // Where events are missing there were some.
    let missing = [Problem::EventsLost, Problem::EventsDiscarded, Problem::PacketsLost];
    let is_missing = missing.iter().any(|it| timeline.diagnostics().get(*it).is_some());
    let world = timeline.world();
    let flags = world.trace_info.map_or(0, |info| info.flags);
    let has_kernel = flags & trace_info_flags::FREERTOS != 0;
    if happenings == 0 && !is_missing {
        found.push((Problem::NothingRecorded, 1, nothing_recorded(timeline).to_owned()));
        if has_kernel && world.tasks.iter_current().next().is_none() {
            found.push((Problem::SilentKernel, 1, silent_kernel(0)));
        }
        return found;
    }
    if let Some(text) = describe_reversed_drops(whole.events, timeline.diagnostics()) {
        found.push((Problem::DropsReversed, 1, text));
        return found;
    }
    let initial = is_timer_stopped(whole, happenings, timeline, clock);
    match initial {
        Some(text) => found.push((Problem::TimerNotRunning, 1, text)),
        None => pace::judge(timeline, clock, &mut found),
    }
    if flags & trace_info_flags::TIME_NOT_KEPT != 0 {
        let text = "the firmware's timer has fewer than 64 bits, and it does not report that the timer is read often";
        found.push((Problem::TimeNotKept, 1, text.to_owned()));
    }
    if !whole.is_foreign {
        names::judge(world, &mut found);
    }
    if whole.link.is_some_and(|link| link.packets > 0 && link.metadata_bytes == 0) {
        let tasks = world.tasks.iter_current().count() as u64;
        let text = "no packet of the metadata stream is here: names, kinds and the timer's frequency are not known";
        found.push((Problem::NoMetadata, tasks.max(1), text.to_owned()));
        return found;
    }
    let without = whole.link.map_or(0, |link| link.without_metadata);
    if without > 0 {
        let text = format!(
            "no packet of the metadata stream is here for {without} of the recordings in the input: their names, kinds and \
             frequency are those of another one, or not known"
        );
        found.push((Problem::NoMetadata, without, text));
    }
    if !has_kernel || happenings < ENOUGH_NAMELESS || whole.is_foreign {
        return found;
    }
    hooks::judge(timeline, &mut found);
    let (mut tasks, mut named) = (0_u64, 0_u64);
    // The target's table of names no longer has a task that was deleted, so its name may not have been sent. The task that
    // deleted it may be on a core whose packets of that time were overwritten.
    let may_be_deleted = |task: &Task| {
        let is_unseen = timeline.hooks().has_late_core && task.state == TaskState::Unknown;
        task.life.died_ns.is_some() || is_unseen
    };
    for (_, task) in world.tasks.iter_current().filter(|(_, task)| !may_be_deleted(task)) {
        tasks += 1;
        named += u64::from(task.name.is_some());
    }
    if world.tasks.iter_current().next().is_none() {
        found.push((Problem::SilentKernel, 1, silent_kernel(happenings)));
    }
    let unnamed = tasks.saturating_sub(named);
    if unnamed > 0 {
        let text = if named == 0 {
            format!("none of the tasks has a name, and there are {tasks} or more")
        } else {
            let verb = if unnamed == 1 { "has" } else { "have" };
            format!("{unnamed} of {} {verb} no name", counted(tasks, "task"))
        };
        found.push((Problem::NoMetadata, unnamed, text));
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

fn silent_kernel(happenings: u64) -> String {
    let among = match happenings {
        0 => String::new(),
        count => format!("among {} ", counted(count, "event")),
    };
    format!("the firmware records FreeRTOS, but {among}there is nothing of a task")
}

/// Each event that arrives is counted as dropped, and after the first of them only the counts are sent.
fn describe_reversed_drops(events: u64, diagnostics: &Diagnostics) -> Option<String> {
    let lost = diagnostics.get(Problem::EventsLost)?;
    let counts = lost.count;
    // A transport that is too slow loses many between two counts that come through.
    let is_it = counts >= ENOUGH_DROPS
        && counts.saturating_mul(4) >= events.saturating_mul(3)
        && lost.amount <= counts.saturating_mul(2);
    is_it.then(|| {
        format!(
            "{counts} of {events} events report that one more was dropped, and each of them arrived"
        )
    })
}

fn is_timer_stopped(
    whole: &EndFacts,
    happenings: u64,
    timeline: &Timeline,
    clock: &Clock,
) -> Option<String> {
    let tick_ns = match whole.known {
        // Whatever a tick may be, there was none.
        FrequencyKnowledge::Nothing if whole.length_ns == 0 => 0,
        FrequencyKnowledge::Nothing => return None,
        _ => tick_ns(clock.frequency()),
    };
    let cores = timeline.world().cores.len().max(1) as u64;
    let longest = whole.length_ns.saturating_add(tick_ns).saturating_mul(cores);
    if happenings < ENOUGH || longest >= happenings.saturating_mul(LEAST_NS) {
        return None;
    }
    // A simulation may record many events in a nanosecond.
    if whole.is_foreign && whole.length_ns > 0 {
        return None;
    }
    let time = whole.length_ns;
    let happenings = counted(happenings, "event");
    Some(format!("{happenings} in {time} ns: the timer does not run, or far too slowly"))
}

fn tick_ns(frequency: Frequency) -> u64 {
    let ns = u128::from(NS_PER_S) * u128::from(frequency.denominator());
    u64::try_from(ns.div_ceil(u128::from(frequency.numerator()))).unwrap_or(u64::MAX)
}
