//! Mistakes of the program in words: the observation, its evidence, and the advice.

use tband_conv::counted;
use tband_conv::diagnostics::Problem;
use tband_conv::load::Share;
use tband_conv::sinks::{AllocationFailure, IsrStats, ObjectName, Observation, QueueStats, Stats};

use super::{Certainty, Highlight, HighlightSubject, why};
use crate::stats::Cell;
use crate::time_unit::TimeUnit;

/// A queue that is full for this part of its time is too small, or its receiver too slow.
const FULL: f64 = 0.9;
/// A queue that is not used for this long, in ns, is never used.
const UNUSED_NS: i64 = 10_000_000_000;
/// The kernel's own queue of commands to the timer task.
const TIMER_QUEUE: &str = "TmrQ";

/// All of them, those of one kind beside each other. Lengths of time are right.
pub fn all(stats: &Stats, unit: TimeUnit) -> Vec<Highlight> {
    let has_pace =
        [Problem::OffPace, Problem::OffPaceSlightly, Problem::TimerIsTick, Problem::NoResolution]
            .iter()
            .all(|it| stats.findings().get(*it).is_none());
    let observed = stats
        .observed()
        .filter(|it| has_pace || !matches!(it, Observation::LateTicks { .. }))
        .filter_map(|it| highlight(it, unit));
    let mut found: Vec<Highlight> = observed.collect();
    found.extend(stats.isrs().filter_map(|isr| storm(isr, unit)));
    found.extend(stats.queues().filter_map(|queue| full(stats, queue, unit)));
    found.extend(stats.queues().filter_map(|queue| unused(stats, queue, unit)));
    found
}

fn task(of: &ObjectName) -> HighlightSubject {
    HighlightSubject::Task(of.name.clone(), of.id)
}

fn percent(part: i64, of: i64) -> String {
    Share::new(part, of).map_or_else(|| "?".to_owned(), |it| Cell::Share(it.value()).shown())
}

fn times(count: u64) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        _ => format!("{count} times"),
    }
}

fn stats_of() -> String {
    "tband-cli stats INPUT".to_owned()
}

/// The command that prints the events around a time.
fn around(at_ns: i64, unit: TimeUnit) -> String {
    match unit {
        TimeUnit::Ticks => "tband-cli dump INPUT".to_owned(),
        TimeUnit::Ns => format!("tband-cli dump --around {at_ns}ns INPUT"),
    }
}

fn highlight(it: &Observation, unit: TimeUnit) -> Option<Highlight> {
    let duration = |ns: i64| unit.duration(ns);
    let moment = |ns: i64| unit.moment(ns);
    Some(match it {
        Observation::Deadlock { waits, at_ns, until_ns } => {
            let (first, _) = waits.first()?;
            let holders = waits.iter().cycle().skip(1);
            let evidence = waits.iter().zip(holders).map(|((task, lock), (holder, _))| {
                format!("{} waits for {lock}, which {} holds", task.name, holder.name)
            });
            let names: Vec<&str> = waits.iter().map(|(task, _)| task.name.as_str()).collect();
            let until = until_ns.map_or_else(
                || "to the end of the recording".to_owned(),
                |until| format!("until a wait ended at {}", moment(until)),
            );
            Highlight {
                id: "deadlock",
                title: "deadlock",
                certainty: Certainty::Certain,
                at_ns: Some(*at_ns),
                length_ns: until_ns.map_or(0, |until| until.saturating_sub(*at_ns)),
                whose: task(first),
                means: format!("{} wait for each other, {until}", names.join(" and ")),
                evidence: evidence.collect(),
                advice: "take locks in the same order in all tasks; a time-out ends the wait, not the mistake",
                see: why(&first.name, *at_ns, unit),
            }
        }
        Observation::LockOrder { locks: [one, other], first, second } => Highlight {
            id: "lock-order",
            title: "lock order",
            certainty: Certainty::Likely,
            at_ns: Some(second.at_ns.max(first.at_ns)),
            length_ns: 0,
            whose: task(&second.task),
            means: format!(
                "{} takes {one} and then {other}, {} takes {other} and then {one}: at the wrong time this is a deadlock",
                first.task.name, second.task.name
            ),
            evidence: vec![
                format!(
                    "{} holds {one} and takes {other} at {}",
                    first.task.name,
                    moment(first.at_ns)
                ),
                format!(
                    "{} holds {other} and takes {one} at {}",
                    second.task.name,
                    moment(second.at_ns)
                ),
            ],
            advice: "take them in the same order in all tasks, or hold a third lock around both",
            see: around(second.at_ns, unit),
        },
        Observation::HeldWhileWaiting { holder, lock, wait, waiter, at_ns, count } => Highlight {
            id: "held-while-waiting",
            title: "lock held while waiting",
            certainty: Certainty::Certain,
            at_ns: Some(*at_ns),
            length_ns: 0,
            whose: task(holder),
            means: format!(
                "{} waits for {wait} while it holds {lock}, for which {} waits; {}",
                holder.name,
                waiter.name,
                times(*count)
            ),
            evidence: vec![
                format!("{} holds {lock}", holder.name),
                format!(
                    "{} waits for {wait}, and {} for {lock}, at {}",
                    holder.name,
                    waiter.name,
                    moment(*at_ns)
                ),
            ],
            advice: "give the lock before the task waits, or delays itself",
            see: why(&waiter.name, *at_ns, unit),
        },
        Observation::BusyPolling { task: who, queue, at_ns, attempts, length_ns, run_ns } => {
            Highlight {
                id: "busy-polling",
                title: "busy polling",
                certainty: Certainty::Likely,
                at_ns: Some(*at_ns),
                length_ns: *length_ns,
                whose: task(who),
                means: format!(
                    "{} found no item in {queue} {} in {}, and ran for {} of it",
                    who.name,
                    times(*attempts),
                    duration(*length_ns),
                    percent(*run_ns, *length_ns)
                ),
                evidence: vec![format!(
                    "{attempts} attempts without an item, without a wait between them"
                )],
                advice: "wait for the item with a limit (xTicksToWait) instead of asking for it again and again",
                see: around(*at_ns, unit),
            }
        }
        Observation::MissedPeriod { task: who, at_ns, missed, period_ticks, steps } => Highlight {
            id: "missed-period",
            title: "missed period",
            certainty: Certainty::Certain,
            at_ns: Some(*at_ns),
            length_ns: 0,
            whose: task(who),
            means: match period_ticks {
                0 => format!(
                    "{}: the time to wait for had already passed {}, by the kernel's ticks",
                    who.name,
                    times(*missed)
                ),
                ticks => format!(
                    "{} missed {} of {}, by the kernel's ticks",
                    who.name,
                    counted(*missed, "period"),
                    counted(*ticks, "tick")
                ),
            },
            evidence: match period_ticks {
                0 => vec!["xTaskDelayUntil() returned pdFALSE each time".to_owned()],
                ticks => vec![format!(
                    "{} of {}, and between them steps of a multiple or calls that did not wait",
                    counted(*steps, "delay"),
                    counted(*ticks, "tick")
                )],
            },
            advice: "see what took the time before: the activation that ends then is longer than a period",
            see: why(&who.name, *at_ns, unit),
        },
        Observation::LateTicks { counted: reached, length_ns, tick_rate_hz } => {
            let due = i128::from(*length_ns) * i128::from(*tick_rate_hz) / 1_000_000_000;
            let due = i64::try_from(due).unwrap_or(i64::MAX);
            let ticks = i64::try_from(*reached).unwrap_or(i64::MAX);
            Highlight {
                id: "late-ticks",
                title: "kernel ticks late",
                certainty: Certainty::Certain,
                at_ns: None,
                length_ns: 0,
                whose: HighlightSubject::Other,
                means: format!(
                    "the kernel has counted {} in {}, but {due} are due at {tick_rate_hz} Hz: {} {}",
                    counted(*reached, "tick"),
                    duration(*length_ns),
                    percent(due.saturating_sub(ticks).abs(), due),
                    if due > ticks { "are missing" } else { "are too many" }
                ),
                evidence: vec![format!(
                    "{} by what tasks wait for, {due} by the timestamps; sleeps, halts and gaps are left out",
                    counted(*reached, "tick")
                )],
                advice: "look for interrupts that are masked for longer than a tick; a simulated target loses ticks while \
                         its computer is busy. Delays and periods last longer than they should by the timestamps",
                see: stats_of(),
            }
        }
        Observation::NotificationLost { task: who, index, refused, overwritten, at_ns } => {
            let lost = refused.saturating_add(*overwritten);
            Highlight {
                id: "notification-lost",
                title: "notification lost",
                certainty: Certainty::Certain,
                at_ns: Some(*at_ns),
                length_ns: 0,
                whose: task(who),
                means: format!(
                    "{} to {} (index {index}) came while one was pending",
                    counted(lost, "notification"),
                    who.name
                ),
                evidence: vec![format!(
                    "{refused} refused, {overwritten} overwrote the value that was pending"
                )],
                advice: "use a queue if each value counts, or eIncrement if only their number does",
                see: around(*at_ns, unit),
            }
        }
        Observation::HeapLeak { owner, size, blocks, growth, at_ns } => {
            let who = owner.as_deref().unwrap_or("an unknown owner");
            let growth: Vec<String> = growth.iter().map(|it| format!("+{it}")).collect();
            Highlight {
                id: "heap-leak",
                title: "heap leak",
                certainty: Certainty::Likely,
                at_ns: Some(*at_ns),
                length_ns: 0,
                whose: HighlightSubject::Other,
                means: format!(
                    "{blocks} blocks of {size} bytes that {who} took are not given back, more in each eighth of the recording"
                ),
                evidence: vec![format!("blocks by eighths of the time: {}", growth.join(" "))],
                advice: "find where blocks of this size are allocated and not freed",
                see: format!(
                    "tband-cli query \"SELECT ns, what, bytes, free, by FROM heap WHERE bytes = {size}\" INPUT"
                ),
            }
        }
        Observation::NoMemory { shortage, size, free, by, at_ns, count } => {
            let who = by.as_ref().map_or_else(String::new, |by| format!(" by {by}"));
            let free = free.map_or_else(|| "unknown".to_owned(), |free| format!("{free} bytes"));
            let (id, title, certainty) = match shortage {
                AllocationFailure::Fragmented => {
                    ("heap-fragmented", "heap fragmented", Certainty::Certain)
                }
                AllocationFailure::Exhausted => {
                    ("heap-exhausted", "heap exhausted", Certainty::Certain)
                }
                AllocationFailure::UnknownSize => {
                    ("heap-exhausted", "heap exhausted", Certainty::Likely)
                }
            };
            let (request, block) = match shortage {
                AllocationFailure::UnknownSize => {
                    ("unknown size".to_owned(), "size 0 in the recording".to_owned())
                }
                _ => (format!("{size} bytes"), format!("a block of {size} bytes")),
            };
            Highlight {
                id,
                title,
                certainty,
                at_ns: Some(*at_ns),
                length_ns: 0,
                whose: HighlightSubject::Other,
                means: format!(
                    "an allocation of {request}{who} failed; free: {free}; {}",
                    times(*count)
                ),
                evidence: vec![format!("{block}, and {free} free in total")],
                advice: match shortage {
                    AllocationFailure::Fragmented => {
                        "allocate blocks of one size from a pool, and long-lived blocks first"
                    }
                    AllocationFailure::Exhausted => {
                        "make the heap larger (configTOTAL_HEAP_SIZE), or allocate less"
                    }
                    AllocationFailure::UnknownSize => {
                        "the code requested 0 bytes, or too many; or an older version of tband recorded this, \
                         which does not record the size with V11 of the kernel: record again"
                    }
                },
                see: stats_of(),
            }
        }
        Observation::TimerRefused { what, at_ns, count } => Highlight {
            id: "timer-overload",
            title: "timer task overloaded",
            certainty: Certainty::Certain,
            at_ns: Some(*at_ns),
            length_ns: 0,
            whose: HighlightSubject::Other,
            means: format!("the timer task had no room for a command ({what}), {}", times(*count)),
            evidence: vec![format!("{what}: refused at {}", moment(*at_ns))],
            advice: "make the queue of commands longer (configTIMER_QUEUE_LENGTH), give the timer task a higher priority, or \
                     do less in callbacks",
            see: around(*at_ns, unit),
        },
        Observation::TimerLate { timer, at_ns, since_ns, period_ns, count } => Highlight {
            id: "timer-overload",
            title: "timer task overloaded",
            certainty: Certainty::Certain,
            at_ns: Some(*at_ns),
            length_ns: 0,
            whose: HighlightSubject::Other,
            means: format!(
                "the callback of {timer} was a period late, {}: {} after the one before, with a period of {}",
                times(*count),
                duration(*since_ns),
                duration(*period_ns)
            ),
            evidence: vec!["the next callback followed at once, to make up for it".to_owned()],
            advice: "give the timer task a higher priority, or do less in callbacks",
            see: around(*at_ns, unit),
        },
        Observation::Starvation { task: who, at_ns, length_ns, is_open, by } => Highlight {
            id: "starvation",
            title: "starvation",
            certainty: Certainty::Likely,
            at_ns: Some(*at_ns),
            length_ns: *length_ns,
            whose: task(who),
            means: format!(
                "{} was ready for {} and got no core{}",
                who.name,
                duration(*length_ns),
                if *is_open { ", to the end of the recording" } else { "" }
            ),
            evidence: vec![format!("{}, which is more urgent, ran at the end of it", by.name)],
            advice: "let the more urgent tasks wait for their work, or give the task a higher priority",
            see: why(&who.name, *at_ns, unit),
        },
        Observation::NeverBlocks { task: who, at_ns, length_ns, run_ns, over } => Highlight {
            id: "never-blocks",
            title: "task never blocks",
            certainty: Certainty::Certain,
            at_ns: Some(*at_ns),
            length_ns: *length_ns,
            whose: task(who),
            means: format!(
                "{} did not wait for work for {}, although {} is less urgent",
                who.name,
                duration(*length_ns),
                over.name
            ),
            evidence: vec![format!("it ran for {} of that time", percent(*run_ns, *length_ns))],
            advice: "let it wait for its work (a queue, a notification, xTaskDelayUntil()), or give it the lowest priority",
            see: stats_of(),
        },
        _ => return None,
    })
}

fn storm(isr: &IsrStats, unit: TimeUnit) -> Option<Highlight> {
    let burst = isr.burst?;
    Some(Highlight {
        id: "interrupt-storm",
        title: "interrupt storm",
        certainty: Certainty::Likely,
        at_ns: Some(burst.at_ns),
        length_ns: 10_000_000,
        whose: HighlightSubject::Core(isr.core),
        means: format!(
            "{} occurred {} in 10 ms and took {} of core {}; usually {} in 10 ms",
            isr.name,
            times(burst.count.into()),
            percent(burst.time_ns, 10_000_000),
            isr.core,
            times(burst.usual.into()),
        ),
        evidence: vec![format!(
            "{} of {} in the 10 ms from {}",
            burst.count,
            isr.count,
            unit.moment(burst.at_ns)
        )],
        advice: "look for a source that bounces or is not acknowledged; limit its rate, or mask it until its work is done",
        see: around(burst.at_ns, unit),
    })
}

fn full(stats: &Stats, queue: &QueueStats, unit: TimeUnit) -> Option<Highlight> {
    let born = queue.life.born_ns.unwrap_or(0).max(stats.start_ns());
    let died = queue.life.died_ns.unwrap_or_else(|| stats.end_ns());
    let share = Share::new(queue.full_ns?, died.saturating_sub(born))?;
    let tries = queue.failed_sends.saturating_add(queue.blocked_sends);
    let is_queue = queue.kind.is_none_or(|kind| kind == "queue");
    if share.value() < FULL || tries == 0 || !is_queue || queue.name == TIMER_QUEUE {
        return None;
    }
    Some(Highlight {
        id: "queue-full",
        title: "queue full",
        certainty: Certainty::Certain,
        at_ns: Some(queue.max_level_at),
        length_ns: 0,
        whose: HighlightSubject::Other,
        means: format!(
            "{} was full for {} of its time; {} sends failed and {} waited for room",
            queue.name,
            Cell::Share(share.value()).shown(),
            queue.failed_sends,
            queue.blocked_sends
        ),
        evidence: vec![format!(
            "{} items since {}, {} sent and {} received in all",
            queue.levels.map_or(0, |levels| levels.1),
            unit.moment(queue.max_level_at),
            queue.sends,
            queue.receives
        )],
        advice: "see why the receiver is slower than the senders; a longer queue only helps against bursts",
        see: stats_of(),
    })
}

/// A queue that was created in the recording and never used.
fn unused(stats: &Stats, queue: &QueueStats, unit: TimeUnit) -> Option<Highlight> {
    let born = queue.life.born_ns?;
    let age = stats.end_ns().saturating_sub(born);
    let info = stats.trace_info()?;
    let is_on = info
        .classes(false)
        .is_some_and(|off| !["QUEUE", "QUEUE_EXTRA"].iter().any(|class| off.contains(class)));
    let uses = [
        queue.sends,
        queue.receives,
        queue.blocked_sends,
        queue.blocked_receives,
        queue.failed_sends,
        queue.failed_receives,
    ];
    let is_unused = uses.iter().all(|it| *it == 0) && queue.life.died_ns.is_none();
    if !is_on || !is_unused || stats.gap_count() > 0 || stats.has_left_out() || age < UNUSED_NS {
        return None;
    }
    if queue.name == TIMER_QUEUE {
        return None;
    }
    Some(Highlight {
        id: "never-used",
        title: "never used",
        certainty: Certainty::Likely,
        at_ns: Some(born),
        length_ns: 0,
        whose: HighlightSubject::Other,
        means: format!(
            "{} was created and not used for {}, to the end of the recording",
            queue.name,
            unit.duration(age)
        ),
        evidence: vec![format!("created at {}; no send, receive or wait since", unit.moment(born))],
        advice: "remove it, or look for the code that should use it",
        see: stats_of(),
    })
}
