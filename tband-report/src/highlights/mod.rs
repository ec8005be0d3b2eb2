//! Findings about the program in an intact recording: mistakes such as priority inversions and deadlocks, and cores that are
//! busy. The guide has a page with all of them.

mod observed;

use std::cmp::Reverse;
use std::fmt::Write as _;

use serde_json::{Value, json};
use tband_conv::counted;
use tband_conv::diagnostics::Problem;
use tband_conv::load::Share;
use tband_conv::sinks::{CoreStats, InversionStats, Participant, Stats, TaskStats};

use crate::printable::printable;
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
