//! Findings about the program in an intact recording: mistakes such as priority inversions and deadlocks, and cores that are
//! busy. The guide has a page with all of them.

use crate::printable::printable;
use tband_conv::counted;
use tband_conv::diagnostics::Problem;
#[cfg(test)]
mod cases;
mod observed;

use std::cmp::Reverse;
use std::fmt::Write as _;

use serde_json::{Value, json};
use tband_conv::load::Share;
use tband_conv::sinks::{CoreStats, InversionStats, Participant, Stats, TaskStats};

use crate::stats::Cell;
use crate::time_unit::TimeUnit;

/// A stack of which fewer bytes were never used is low: one interrupt's frame with floating-point registers takes 104
/// on a Cortex-M4F.
const LOW_STACK: u32 = 128;
/// A core that is busy for this share of the time, or more, is named.
const BUSY: f64 = 0.5;
/// The load is named if this share of the recording, or more, is known.
const KNOWN: f64 = 0.5;
/// If the known time is at least this share of the recording, the unknown rest is not mentioned: the time before the first
/// switch, for example.
const NEARLY_ALL: f64 = 0.99;
/// Maximum number of findings of each kind that are named.
const MAX_OF_A_KIND: usize = 3;

/// The subject of a highlight: its row of the timeline shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HighlightSubject {
    /// A task, by its name and number.
    Task(String, u32),
    /// A core, by its number.
    Core(u32),
    /// An object without a separate row, or nothing.
    Other,
}

/// How certain a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// The recording proves it.
    Certain,
    /// It may be intended.
    Likely,
    /// A fact that is not in itself a mistake, and not a finding for rules.
    Remark,
}

impl Certainty {
    /// In a word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Certain => "certain",
            Self::Likely => "likely",
            Self::Remark => "remark",
        }
    }
}

/// Ids of all findings, in the order of the guide.
pub const IDS: [&str; 18] = [
    "deadlock",
    "lock-order",
    "inversion",
    "missed-period",
    "late-ticks",
    "starvation",
    "never-blocks",
    "busy-polling",
    "interrupt-storm",
    "held-while-waiting",
    "queue-full",
    "never-used",
    "notification-lost",
    "stack-low",
    "heap-leak",
    "heap-fragmented",
    "heap-exhausted",
    "timer-overload",
];

/// A noteworthy fact about the program. Its texts contain unescaped names of the target: see [`printable`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Highlight {
    /// Its id, which does not change: one of [`IDS`], or `load`.
    pub id: &'static str,
    /// How certain it is.
    pub certainty: Certainty,
    /// The evidence in the recording, in lines.
    pub evidence: Vec<String>,
    /// The kind of highlight.
    pub title: &'static str,
    /// Its time or begin, in ns; `None` if it is about the complete recording.
    pub at_ns: Option<i64>,
    /// Its duration, in ns; 0 if it was at one time, or is about the complete recording.
    pub length_ns: i64,
    /// Its subject.
    pub whose: HighlightSubject,
    /// The finding, with names and numbers.
    pub means: String,
    /// The advice.
    pub advice: &'static str,
    /// The command that explains it; INPUT is a placeholder for the recording.
    pub see: String,
}

/// Problems that make durations wrong in the complete recording, so that none is given.
const NO_LENGTHS: [Problem; 4] =
    [Problem::FalseWraps, Problem::TimerNotRunning, Problem::TimerStops, Problem::TimerSetBack];

/// At most three of each kind, the worst first.
#[must_use]
pub fn highlights(stats: &Stats) -> Vec<Highlight> {
    let unit = TimeUnit::of(stats.findings());
    let has_lengths = NO_LENGTHS.iter().all(|it| stats.findings().get(*it).is_none());
    let mut inversions: Vec<Highlight> =
        stats.inversions().filter(|_| has_lengths).filter_map(|it| inversion(it, unit)).collect();
    inversions.sort_by_key(|it| Reverse(it.length_ns));
    let inversions = inversions.into_iter().take(MAX_OF_A_KIND);
    let mut low: Vec<&TaskStats> =
        stats.tasks().filter(|task| stack_left(task) < LOW_STACK).collect();
    low.sort_by_key(|task| stack_left(task));
    let low = low.into_iter().take(MAX_OF_A_KIND).map(low_stack);
    let busy = stats.cores().filter(|_| has_lengths);
    let busy = busy.filter_map(|core| load(stats, core)).take(MAX_OF_A_KIND);
    let mut observed = observed::all(stats, unit);
    observed.retain(|_| has_lengths);
    let mut counts = std::collections::HashMap::new();
    observed.retain(|it| {
        let count = counts.entry(it.id).or_insert(0);
        *count += 1;
        *count <= MAX_OF_A_KIND
    });
    let mut found: Vec<Highlight> = inversions.chain(observed).chain(low).chain(busy).collect();
    // Findings with one id stay in their order.
    found.sort_by_key(|it| IDS.iter().position(|id| *id == it.id).unwrap_or(IDS.len()));
    found
}

/// For people, as `check` prints findings; each after an empty line.
#[must_use]
pub fn text(found: &[Highlight], unit: TimeUnit) -> String {
    let mut text = String::new();
    for it in found {
        // Writing to a string cannot fail.
        let likely = if it.certainty == Certainty::Likely { ", likely" } else { "" };
        let _ = writeln!(text, "\nlook: {} [{}]{likely}", it.title, it.id);
        if let Some(ns) = it.at_ns {
            let _ = writeln!(text, "  at     {}", unit.moment(ns));
        }
        let _ = writeln!(text, "  means  {}", printable(&it.means));
        for (number, line) in it.evidence.iter().enumerate() {
            let label = if number == 0 { "shown" } else { "" };
            let _ = writeln!(text, "  {label:5}  {}", printable(line));
        }
        let _ = writeln!(text, "  do     {}", it.advice);
        let _ = writeln!(text, "  see    {}", printable(&it.see));
    }
    text
}

/// For programs.
#[must_use]
pub fn json(found: &[Highlight]) -> Value {
    let one = |it: &Highlight| {
        json!({
            "id": it.id,
            "highlight": it.title,
            "certainty": it.certainty.name(),
            "at_ns": it.at_ns,
            "length_ns": it.length_ns,
            "means": it.means,
            "evidence": it.evidence,
            "advice": it.advice,
            "see": it.see,
        })
    };
    found.iter().map(one).collect()
}

/// For a page: each with the time as people read it, and as digits, since a script's numbers are exact to 2^53 only. The
/// row of the timeline is named as links from tables name it.
#[must_use]
pub fn page(found: &[Highlight], unit: TimeUnit) -> Value {
    let one = |it: &Highlight| {
        let whose = match &it.whose {
            HighlightSubject::Task(name, id) => json!({"table": "tasks", "shown": name, "id": id}),
            HighlightSubject::Core(core) => {
                json!({"table": "cores", "shown": format!("core {core}"), "id": null})
            }
            HighlightSubject::Other => Value::Null,
        };
        json!({
            "id": it.id,
            "highlight": it.title,
            "certainty": it.certainty.name(),
            "evidence": it.evidence,
            "at": it.at_ns.map(|ns| unit.moment(ns)),
            "at_ns": it.at_ns.map(|ns| ns.to_string()),
            "length_ns": it.length_ns.to_string(),
            "whose": whose,
            "means": it.means,
            "advice": it.advice,
            "see": it.see,
        })
    };
    found.iter().map(one).collect()
}

/// A wait for a less urgent task, made longer by a task between them. Without such a task the holder only did the work that it
/// has the lock for. A task more urgent than the waiter would have run anyway, and one less urgent than the holder runs because
/// the holder does not want to.
fn inversion(it: &InversionStats, unit: TimeUnit) -> Option<Highlight> {
    let delay = it.delay.as_ref()?;
    let advice = match it.lock_kind {
        Some("binary semaphore") => {
            "make it a mutex (xSemaphoreCreateMutex()), which lends its holder the waiter's priority; a binary \
             semaphore does not"
        }
        _ => "do less while it is held, and do not block; or give the holder a higher priority",
    };
    let (waited, ran) = (unit.duration(delay.length_ns), unit.duration(delay.ran_ns));
    let means = format!(
        "{} waited {waited} for {}, held by {}; {} ran for {ran} of it",
        format_participant(&it.waiter),
        it.lock,
        format_participant(&it.holder),
        format_participant(&delay.by)
    );
    let evidence = vec![format!(
        "{} held {} and did not run while {} did, which is less urgent than {}",
        it.holder.name, it.lock, delay.by.name, it.waiter.name
    )];
    Some(Highlight {
        id: "inversion",
        certainty: Certainty::Certain,
        evidence,
        title: "priority inversion",
        at_ns: Some(delay.at_ns),
        length_ns: delay.length_ns,
        whose: HighlightSubject::Task(it.waiter.name.clone(), it.waiter.id),
        means,
        advice,
        see: why(&it.waiter.name, delay.at_ns, unit),
    })
}

/// The command that explains the activation of a task at a time.
fn why(task: &str, at_ns: i64, unit: TimeUnit) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_-.".contains(letter);
    let name = match task.chars().all(is_plain) && !task.starts_with('-') {
        true => task.to_owned(),
        false => format!("'{}'", task.replace('\'', "'\\''")),
    };
    // Ticks of a clock without a frequency are not times.
    let at = if unit == TimeUnit::Ticks { String::new() } else { format!(" --at {at_ns}ns") };
    let end = if task.starts_with('-') { " --" } else { "" };
    format!("tband-cli why{at}{end} {name} INPUT")
}

fn format_participant(task: &Participant) -> String {
    match task.priority {
        Some(priority) => format!("{} (priority {priority})", task.name),
        None => task.name.clone(),
    }
}

fn stack_left(task: &TaskStats) -> u32 {
    task.stack_high_water_mark.unwrap_or(u32::MAX)
}

fn low_stack(task: &TaskStats) -> Highlight {
    Highlight {
        id: "stack-low",
        certainty: Certainty::Certain,
        evidence: vec![format!("high-water mark of {}", counted(stack_left(task), "byte"))],
        title: "stack low",
        at_ns: Some(task.stack_high_water_mark_at),
        length_ns: 0,
        whose: HighlightSubject::Task(task.name.clone(), task.id),
        means: format!(
            "{} has {} bytes of its stack left, at the least",
            task.name,
            stack_left(task)
        ),
        advice: "give the task a larger stack, or look for large local variables and deep calls",
        see: "tband-cli stats INPUT".to_owned(),
    }
}

fn load(stats: &Stats, core: &CoreStats) -> Option<Highlight> {
    let busy = core.busy_share()?;
    let known = Share::new(core.known_ns, stats.length_ns())?;
    // The known part of the time has to be large enough to represent the rest.
    if busy.value() < BUSY || known.value() < KNOWN {
        return None;
    }
    let most =
        stats.tasks().filter(|task| !task.is_idle).min_by_key(|task| Reverse(task.run_ns))?;
    let percent = |share: Share| Cell::Share(share.value()).shown();
    let time = if known.value() >= NEARLY_ALL {
        "the time".to_owned()
    } else {
        format!("the known time, which is {} of the recording", percent(known))
    };
    let mut means = format!("core {} is busy {} of {time}", core.core, percent(busy));
    if let Some(share) = Share::new(most.run_ns, most.known_ns) {
        means += &format!("; the task that runs most is {}, {}", most.name, percent(share));
    }
    let advice =
        "nothing, if it is meant to be; see in the table of ready waits which tasks have to wait";
    let whose = HighlightSubject::Core(core.core);
    let see = "tband-cli stats INPUT".to_owned();
    Some(Highlight {
        id: "load",
        certainty: Certainty::Remark,
        evidence: Vec::new(),
        title: "load",
        at_ns: None,
        length_ns: 0,
        whose,
        means,
        advice,
        see,
    })
}

#[cfg(test)]
mod tests {
    use tband_conv::{Input, Options, convert};
    use tband_format::named::QueueKind;
    use tband_format::{Event, Str, encode_frame, max_frame_len};

    use super::*;

    const LOCK: u32 = 9;

    fn of(events: &[(u64, Event<'_>)]) -> Vec<Highlight> {
        let mut bytes = Vec::new();
        let clock = [(0, Event::TsResolutionNs { ns_per_ts: 1 })];
        for (ts, event) in clock.iter().chain(events) {
            let mut frame = vec![0; max_frame_len(event, *ts)];
            let len = encode_frame(event, *ts, &mut frame).unwrap();
            bytes.extend_from_slice(&frame[..len]);
        }
        // As `check` collects them, and as all others do.
        let [brief, whole] = [Stats::brief(), Stats::default()].map(|mut stats| {
            let inputs = [Input::from_bytes("r", &bytes)];
            convert(&inputs, &Options::default(), &mut stats).unwrap();
            highlights(&stats)
        });
        assert_eq!(brief, whole);
        whole
    }

    fn titles(found: &[Highlight]) -> Vec<&'static str> {
        found.iter().map(|it| it.title).collect()
    }

    fn switch(task_id: u32) -> Event<'static> {
        Event::TaskSwitchedIn { task_id }
    }

    /// A stack is low whatever the timer does; how long something lasted is not known.
    #[test]
    fn no_length_is_named_where_times_are_wrong() {
        let mut events = vec![
            (5, Event::TsFrequency { numerator: 1_000_000, denominator: 1 }),
            (5, Event::TaskIsIdleTask { task_id: 2, core_id: 0 }),
            (5, Event::TaskStackHighWaterMark { task_id: 1, bytes: 8 }),
        ];
        events.extend((0..2000_u64).map(|n| (5 + n / 1999, switch(1))));
        assert_eq!(titles(&of(&events)), ["stack low"]);
        let right: Vec<_> = events.iter().zip(0..).map(|((_, event), n)| (n, *event)).collect();
        assert_eq!(titles(&of(&right)), ["stack low", "load"]);
    }

    #[test]
    fn a_low_stack_and_a_busy_core_are_named() {
        let margin = |task_id, bytes| Event::TaskStackHighWaterMark { task_id, bytes };
        let found = of(&[
            (0, Event::TaskName { task_id: 1, name: Str(b"low") }),
            (0, Event::TaskIsIdleTask { task_id: 2, core_id: 0 }),
            (0, switch(1)),
            (600, margin(1, 127)),
            (600, switch(2)),
            (610, margin(2, 128)),
            (1000, switch(1)),
        ]);
        assert_eq!(titles(&found), ["stack low", "load"]);
        assert_eq!(found[0].means, "low has 127 bytes of its stack left, at the least");
        assert_eq!(found[0].at_ns, Some(600));
        assert_eq!(
            found[1].means,
            "core 0 is busy 60.04 % of the time; the task that runs most is low, 60.04 %"
        );
        let idle = of(&[
            (0, Event::TaskIsIdleTask { task_id: 2, core_id: 0 }),
            (0, switch(2)),
            (600, switch(1)),
            (1000, switch(2)),
        ]);
        assert_eq!(titles(&idle), [""; 0]);
    }

    /// These tasks run while task 1, of priority 5, waits for a lock that task 2, of priority 1, holds: each from its time to
    /// that of the next, the last one to 90.
    fn waits(between: &[(u64, u32)]) -> Vec<Highlight> {
        of(&waiting(between))
    }

    fn waiting(between: &[(u64, u32)]) -> Vec<(u64, Event<'static>)> {
        let priority = |task_id, priority| Event::TaskPrioritySet { task_id, priority };
        let mut events = vec![
            (0, Event::QueueKind { queue_id: LOCK, kind: QueueKind::MUTEX }),
            (0, Event::QueueName { queue_id: LOCK, name: Str(b"bus") }),
            (0, Event::TaskIsIdleTask { task_id: 7, core_id: 0 }),
            (0, priority(1, 5)),
            (1, priority(2, 1)),
            (2, priority(3, 3)),
            (3, priority(4, 6)),
            (4, priority(5, 0)),
            (5, priority(7, 0)),
            (10, switch(2)),
            (20, Event::QueueReceive { queue_id: LOCK, len_after: 0 }),
            (30, Event::TaskToRdyState { task_id: 1 }),
            (31, switch(1)),
            (40, Event::CurtaskBlockOnQueueReceive { queue_id: LOCK, ticks_to_wait: 9 }),
            (41, switch(2)),
        ];
        events.extend(between.iter().map(|(at, task)| (*at, switch(*task))));
        events.extend([
            (90, switch(2)),
            (100, Event::QueueSend { queue_id: LOCK, len_after: 1 }),
            (101, Event::TaskToRdyState { task_id: 1 }),
            (102, switch(1)),
            (103, Event::QueueReceive { queue_id: LOCK, len_after: 0 }),
            (110, switch(7)),
            (9000, switch(1)),
        ]);
        events
    }

    #[test]
    fn an_inversion_is_named_if_a_task_between_made_it_longer() {
        let found = waits(&[(50, 3)]);
        assert_eq!(titles(&found), ["priority inversion"], "{found:?}");
        let means = &found[0].means;
        assert!(means.starts_with("task 1 (priority 5) waited "), "{means}");
        assert!(
            means.ends_with(
                " for bus, held by task 2 (priority 1); task 3 (priority 3) ran for 40 ns of it"
            ),
            "{means}"
        );
        assert!(text(&found, TimeUnit::Ns).starts_with(
            "\nlook: priority inversion [inversion]\n  at     0.000ms\n  means  task 1"
        ));
        // The holder alone, or a task that would have run anyway.
        assert_eq!(waits(&[]), []);
        assert_eq!(waits(&[(50, 4)]), []);
        // The idle task, or a task less urgent than the holder: it runs because the holder does not want to.
        assert_eq!(waits(&[(50, 7)]), []);
        assert_eq!(waits(&[(50, 5)]), []);
    }

    /// A task that would have run anyway may have run longer, and another wait may have been longer without it.
    #[test]
    fn an_inversion_is_found_despite_longer_waits() {
        let end = " for bus, held by task 2 (priority 1); task 3 (priority 3) ran for 15 ns of it";
        let found = waits(&[(50, 4), (75, 3)]);
        assert_eq!(titles(&found), ["priority inversion"], "{found:?}");
        assert!(found[0].means.ends_with(end), "{found:?}");
        let longer = waiting(&[(75, 3)]).into_iter().chain([
            (9001, switch(2)),
            (9002, Event::QueueSend { queue_id: LOCK, len_after: 1 }),
            (9003, Event::QueueReceive { queue_id: LOCK, len_after: 0 }),
            (9004, Event::TaskToRdyState { task_id: 1 }),
            (9005, switch(1)),
            (9010, Event::CurtaskBlockOnQueueReceive { queue_id: LOCK, ticks_to_wait: 9 }),
            (9011, switch(2)),
            (9900, Event::QueueSend { queue_id: LOCK, len_after: 1 }),
            (9901, Event::TaskToRdyState { task_id: 1 }),
            (9902, switch(1)),
            (9903, Event::QueueReceive { queue_id: LOCK, len_after: 0 }),
        ]);
        let found = of(&longer.collect::<Vec<_>>());
        assert_eq!(titles(&found), ["priority inversion"], "{found:?}");
        assert!(found[0].means.ends_with(end), "{found:?}");
        assert_eq!((found[0].at_ns, found[0].length_ns), (Some(41), 60), "{found:?}");
    }

    /// Without an idle task the recording does not distinguish a task's work from waiting: the load is not known.
    #[test]
    fn a_core_whose_idle_task_is_not_known_has_no_load() {
        let idle_of = |core_id| Event::TaskIsIdleTask { task_id: 7, core_id };
        let with = |first| [(0, first), (0, switch(1)), (600, switch(2)), (1000, switch(1))];
        assert_eq!(titles(&of(&with(idle_of(0)))), ["load"]);
        // The idle task of another core does not either.
        assert_eq!(of(&with(idle_of(1))), []);
        assert_eq!(of(&with(switch(2))), []);
    }

    /// A core that is known for an instant only is not busy all the time.
    #[test]
    fn a_core_with_little_known_time_is_not_busy() {
        let recording = |known: u64| {
            of(&[
                (0, Event::TaskIsIdleTask { task_id: 7, core_id: 0 }),
                (0, Event::IsrEnter { isr_id: 1 }),
                (1, Event::IsrExit { isr_id: 1 }),
                (1000 - known, switch(1)),
                (1000, Event::IsrEnter { isr_id: 1 }),
            ])
        };
        assert_eq!([recording(0), recording(1), recording(499)], [const { Vec::new() }; 3]);
        let found = recording(600);
        assert_eq!(
            found[0].means,
            "core 0 is busy 100.00 % of the known time, which is 60.00 % of the recording; the task \
             that runs most is task 1, 100.00 %"
        );
    }
}
