//! A recording of several cores against the program's own log, event for event.

use std::collections::BTreeMap;

use super::entry::{Entry, Expected, ExpectedEvent};
use super::recorded::{Cores, Field, RecordedEvent};

/// When recording was off: from when the program was about to stop it, until it had started again.
#[derive(Clone, Copy, Debug)]
struct OffPeriod {
    from: u64,
    until: u64,
}

/// Result of a comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LogComparison {
    /// Events that the recording and the log have.
    pub equal: usize,
    /// Events of the log that the recorder has reported as discarded.
    pub discarded: usize,
    /// Events of the log while recording was off.
    pub off: usize,
    /// Events before the first one that a post-mortem recording has kept.
    pub overwritten: usize,
    /// Packets that begin with the task that ran.
    pub running: usize,
}

/// An event of the log: it was recorded between the two times, those of its entry and of the core's next one, or of the one
/// before.
struct LoggedEvent {
    time: u64,
    next: u64,
    event: ExpectedEvent,
}

/// Which number the recorder gave a task or a queue: one each, and no two the same.
#[derive(Default)]
struct Numbers {
    of: BTreeMap<u32, i64>,
    taken: BTreeMap<i64, u32>,
}

impl Numbers {
    fn may_be(&self, own: u32, recorded: i64) -> bool {
        self.of.get(&own).is_none_or(|known| *known == recorded)
            && self.taken.get(&recorded).is_none_or(|known| *known == own)
    }

    fn are(&mut self, own: u32, recorded: i64) {
        self.of.insert(own, recorded);
        self.taken.insert(recorded, own);
    }
}

/// The numbers of all objects.
#[derive(Default)]
struct Objects {
    tasks: Numbers,
    queues: Numbers,
}

impl Objects {
    fn may_be(&self, expected: &ExpectedEvent, recorded: &RecordedEvent) -> bool {
        expected.name == recorded.name
            && expected.fields.iter().all(|(name, value)| match (value, recorded.field(name)) {
                (Expected::Number(value), Some(Field::Number(found))) => value == found,
                (Expected::Task(task), Some(Field::Number(found))) => {
                    self.tasks.may_be(*task, *found)
                }
                (Expected::Queue(queue), Some(Field::Number(found))) => {
                    self.queues.may_be(*queue, *found)
                }
                (Expected::Text(text), Some(Field::Text(found))) => text == found,
                _ => false,
            })
    }

    /// The two are one event.
    fn learn(&mut self, expected: &ExpectedEvent, recorded: &RecordedEvent) {
        for (name, value) in &expected.fields {
            match (value, recorded.field(name)) {
                (Expected::Task(task), Some(Field::Number(found))) => self.tasks.are(*task, *found),
                (Expected::Queue(queue), Some(Field::Number(found))) => {
                    self.queues.are(*queue, *found);
                }
                _ => {}
            }
        }
    }
}

fn when_off(logs: &[Vec<Entry>], recorded: &Cores) -> Vec<OffPeriod> {
    let mut marks: Vec<(u64, bool)> = logs
        .iter()
        .flatten()
        .filter(|entry| entry.is_stop() || entry.has_started())
        .map(|entry| (entry.time, entry.has_started()))
        .collect();
    marks.sort_unstable();
    assert!(marks.first().is_some_and(|(_, starts)| *starts), "the log begins with the start");
    let mut off: Vec<OffPeriod> = marks[1..]
        .chunks(2)
        .map(|pair| OffPeriod {
            from: pair[0].0,
            until: pair.get(1).map_or(u64::MAX, |(time, _)| *time),
        })
        .collect();
    // A core that is full stops all; no core has more than one event after that, the one that it was in.
    if logs.iter().flatten().any(Entry::is_full) {
        let stopped = recorded.cores.iter().map(|core| core.events.iter().rev().nth(1));
        let from = stopped.map(|event| event.map_or(0, |event| event.time)).max();
        off.last_mut().expect("the end").from = from.expect("a core");
    }
    off
}

/// The events of a core's log.
fn logged(log: &[Entry]) -> Vec<LoggedEvent> {
    let mut all = Vec::new();
    for (at, entry) in log.iter().enumerate() {
        let next = log.get(at + 1).map_or(u64::MAX, |next| next.time);
        let before = log.get(at.wrapping_sub(1)).map_or(0, |before| before.time);
        // The port writes a switch down after the kernel's macro.
        let is_switch = entry.next_task().is_some();
        let (time, next) = if is_switch { (before, entry.time) } else { (entry.time, next) };
        all.extend(entry.events().into_iter().map(|event| LoggedEvent { time, next, event }));
    }
    all
}

/// The task that ran at last, by the kernel's number.
fn runs_before(log: &[LoggedEvent]) -> Option<u32> {
    let switch = log.iter().rev().find(|it| it.event.name == "task_switched_in")?;
    match switch.event.fields[..] {
        [(_, Expected::Task(task))] => Some(task),
        _ => None,
    }
}

/// Compares core by core. `keeps_the_last`: a post-mortem recording, which has forgotten the first events.
///
/// # Panics
/// If an event was recorded that the log does not have, one is missing that was not reported as discarded, one has another
/// time or core, or two are in another order.
#[must_use]
pub fn compare(logs: &[Vec<Entry>], recorded: &Cores, keeps_the_last: bool) -> LogComparison {
    let off = when_off(logs, recorded);
    let mut objects = Objects::default();
    let mut found = LogComparison::default();
    let mut unexplained = 0;
    for (core, (log, of_core)) in logs.iter().zip(&recorded.cores).enumerate() {
        let log = logged(log);
        let mut at = 0;
        for (index, event) in of_core.events.iter().enumerate() {
            let from = at;
            while !log.get(at).is_some_and(|it| {
                it.time <= event.time && event.time <= it.next && objects.may_be(&it.event, event)
            }) {
                assert!(
                    at < log.len() && log[at].time <= event.time,
                    "core {core}: event {index} {event:?} is not in the log after entry {from}: {:?}",
                    log[from.saturating_sub(1)..]
                        .iter()
                        .take(4)
                        .map(|it| (&it.event, it.time))
                        .collect::<Vec<_>>()
                );
                at += 1;
            }
            let missing = &log[from..at];
            if index == 0 && keeps_the_last {
                found.overwritten += missing.len();
            } else {
                unexplained += explain(core, missing, &off, event.discarded_before, &mut found);
            }
            objects.learn(&log[at].event, event);
            for (_, task) in of_core.running.iter().filter(|(place, _)| *place == index) {
                let is_it =
                    runs_before(&log[..at]).is_none_or(|it| objects.tasks.may_be(it, *task));
                assert!(is_it, "core {core}: event {index} in a packet of task {task}");
                found.running += 1;
            }
            at += 1;
            found.equal += 1;
        }
        unexplained += explain(core, &log[at..], &off, of_core.discarded_at_end, &mut found);
    }
    assert_eq!(unexplained as u64, recorded.discarded, "events are missing");
    found.discarded += unexplained;
    found
}

/// Events of the log that were not recorded: while recording was off, or as many as were discarded. How many are neither.
fn explain(
    core: usize,
    missing: &[LoggedEvent],
    off: &[OffPeriod],
    discarded: u64,
    found: &mut LogComparison,
) -> usize {
    let (mut rest, mut late) = (missing.len(), 0);
    for OffPeriod { from, until } in off {
        // An entry before the stop may have come too late to be recorded.
        let is_late = |it: &&LoggedEvent| it.time < *from && *from <= it.next;
        let inside = missing.iter().filter(|it| *from <= it.time && it.time <= *until).count();
        let of_this = (inside + missing.iter().filter(is_late).count()).min(rest);
        late += of_this - inside.min(of_this);
        rest -= of_this;
        found.off += of_this;
    }
    if discarded == 0 {
        return rest;
    }
    let range = rest as u64..=(rest + late) as u64;
    assert!(range.contains(&discarded), "core {core}: {rest} are missing, {discarded} discarded");
    found.discarded += rest;
    0
}

/// What a queue had after an event.
type Length = (u64, i64, bool);

/// In the order of time, over all cores, each queue's length follows from the one before. Sends and receives are in the
/// kernel's critical section, so this is the order in which they were. Counts them.
///
/// # Panics
/// If one does not follow.
#[must_use]
pub fn lengths_follow(recorded: &Cores) -> usize {
    let mut queues: BTreeMap<i64, Vec<Length>> = BTreeMap::new();
    // The time from which all cores are known: each has forgotten the events before its first one.
    let first = recorded.cores.iter().map(|core| core.events.first().map_or(0, |event| event.time));
    let from = first.max().unwrap_or(0);
    for event in recorded.cores.iter().flat_map(|core| &core.events) {
        if event.time <= from {
            continue;
        }
        let is_send = match event.name.as_str() {
            "queue_send" | "queue_send_from_isr" => true,
            "queue_receive" => false,
            _ => continue,
        };
        let number = |name: &str| {
            let Some(Field::Number(value)) = event.field(name) else { panic!("{event:?}") };
            *value
        };
        let length = (event.time, number("len_after"), is_send);
        queues.entry(number("queue_id")).or_default().push(length);
    }
    let mut count = 0;
    for (queue, mut events) in queues {
        events.sort_by_key(|(time, ..)| *time);
        count += events.len();
        let mut length: Option<i64> = None;
        while !events.is_empty() {
            // Those of one tick come in whatever order is possible.
            let time = events[0].0;
            let same = events.iter().take_while(|event| event.0 == time).count();
            let follows = |(_, after, is_send): &Length| {
                length.is_none_or(|length| length + if *is_send { 1 } else { -1 } == *after)
            };
            let next = events[..same].iter().position(follows);
            let next = next.unwrap_or_else(|| {
                panic!("queue {queue} has {length:?} before {:?}", &events[..same])
            });
            length = Some(events.remove(next).1);
        }
    }
    count
}
