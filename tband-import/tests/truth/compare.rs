//! Compares the events of a recording with those of a log.

use std::collections::HashMap;

use serde_json::Value;
use tband_conv::events::EventReader;
use tband_conv::item::{Item, Mode};
use tband_format::Event;
use tband_format::decode::Decoded;

/// Counts of the 25 MHz counter by which a time may differ.
pub const TOLERANCE: i64 = 800;

/// A compared fact: a kind of event, and the name of the task or the number of the interrupt.
pub type ComparedFact = (&'static str, String);

/// Whether the recorder distinguishes ends of interrupts that ask for a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InterruptEnds {
    Distinct,
    Alike,
}

/// What a recording has.
#[derive(Debug, Default)]
pub struct RecordedEvents {
    /// Its events, with their times in ticks.
    pub events: Vec<(i64, ComparedFact)>,
    /// From when to when it is known to lack events.
    pub gaps: Vec<(i64, i64)>,
}

pub fn recorded(bytes: &[u8]) -> RecordedEvents {
    let mut events = EventReader::new(bytes, 0, Mode::FreeRtos);
    let (mut names, mut isrs) = (HashMap::new(), HashMap::new());
    let mut found: Vec<(i64, ComparedFact)> = Vec::new();
    let (mut now, mut gaps, mut begin) = (0, Vec::new(), None);
    while let Some(Item { event, .. }) = events.next_item().unwrap() {
        let Ok(Decoded { ts, event }) = event else {
            begin = begin.or(Some(now)).filter(|_| !found.is_empty());
            continue;
        };
        let before = now;
        now = ts.map_or(now, |ts| i64::try_from(ts).unwrap());
        // The logs have the numbers of the two interrupts.
        let isr = |id: u32| match isrs.get(&id).map(String::as_str) {
            Some("SysTick") => "15".to_owned(),
            Some("Timer0") => "24".to_owned(),
            _ => id.to_string(),
        };
        let name = |id: u32| names.get(&id).cloned().unwrap_or_else(|| format!("{id:#x}"));
        let what = match event {
            Event::TaskName { task_id, name } => {
                let name = String::from_utf8_lossy(name.0).into_owned();
                let unnamed = format!("{task_id:#x}");
                // A name may come after the first events of its task.
                for (_, (_, former)) in found.iter_mut().filter(|(_, (_, it))| *it == unnamed) {
                    former.clone_from(&name);
                }
                names.insert(task_id, name);
                continue;
            }
            Event::IsrName { isr_id, name } => {
                isrs.insert(isr_id, String::from_utf8_lossy(name.0).into_owned());
                continue;
            }
            Event::TaskSwitchedIn { task_id } => ("in", name(task_id)),
            Event::TaskToRdyState { task_id } => ("ready", name(task_id)),
            Event::IsrEnter { isr_id } => ("isr_enter", isr(isr_id)),
            Event::IsrExit { isr_id } => ("isr_exit", isr(isr_id)),
            Event::IsrExitToScheduler { isr_id } => ("isr_exit_to_scheduler", isr(isr_id)),
            Event::DroppedEvtCnt { .. } => {
                gaps.push((before, now));
                continue;
            }
            _ => continue,
        };
        gaps.extend(begin.take().map(|begin| (begin, now)));
        found.push((now, what));
    }
    RecordedEvents { events: found, gaps }
}

/// The events of a log.
pub fn logged(text: &[u8]) -> Vec<(i64, ComparedFact)> {
    let mut all = Vec::new();
    for line in String::from_utf8(text.to_vec()).unwrap().lines() {
        let event: Value = serde_json::from_str(line).unwrap();
        let text = |name: &str| event.get(name).and_then(Value::as_str).map(str::to_owned);
        let irq = || event["irq"].as_u64().unwrap().to_string();
        let what = match event["ev"].as_str().unwrap() {
            "in" => ("in", text("task").unwrap()),
            "ready" => ("ready", text("task").unwrap()),
            "isr_enter" => ("isr_enter", irq()),
            "isr_exit" => ("isr_exit", irq()),
            "isr_exit_to_scheduler" => ("isr_exit_to_scheduler", irq()),
            _ => continue,
        };
        all.push((event["t"].as_i64().unwrap(), what));
    }
    all
}

/// What agrees, and what does not.
#[derive(Debug, Default)]
pub struct Comparison {
    /// Events of the log within the recording that the recording has.
    pub matched: usize,
    /// Events of the log within the recording that it lacks.
    pub missing: Vec<(i64, ComparedFact)>,
    /// Events of the recording that the log does not have.
    pub extra: Vec<(i64, ComparedFact)>,
}

/// How many events of the log have one of the recording, if its times are earlier by `offset`.
pub fn compare(
    recorded: &[(i64, ComparedFact)],
    logged: &[(i64, ComparedFact)],
    offset: i64,
) -> Comparison {
    let mut by_what: HashMap<&ComparedFact, Vec<(i64, bool)>> = HashMap::new();
    for (time, what) in recorded {
        by_what.entry(what).or_default().push((time + offset, false));
    }
    let (Some(first), Some(last)) = (recorded.first(), recorded.last()) else {
        return Comparison::default();
    };
    let within = first.0 + offset - TOLERANCE..=last.0 + offset + TOLERANCE;
    let mut comparison = Comparison::default();
    for (time, what) in logged.iter().filter(|(time, _)| within.contains(time)) {
        let times = by_what.get_mut(what);
        let near = times.and_then(|times| {
            let is_near =
                |(it, is_taken): &&mut (i64, bool)| !*is_taken && (*it - time).abs() <= TOLERANCE;
            times.iter_mut().filter(is_near).min_by_key(|(it, _)| (*it - time).abs())
        });
        match near {
            Some((_, is_taken)) => {
                *is_taken = true;
                comparison.matched += 1;
            }
            None => comparison.missing.push((*time, what.clone())),
        }
    }
    for (what, times) in by_what {
        let extra = times.into_iter().filter(|(_, is_taken)| !is_taken);
        comparison.extra.extend(extra.map(|(time, _)| (time, what.clone())));
    }
    comparison.extra.sort();
    comparison
}

/// Compares a recording with a log, at the constant between their clocks that most events agree on. `named`: names of what the
/// recording leaves without one, or names otherwise. Gives the times of the log in which the recording is known to lack events.
pub fn compared(
    bytes: &[u8],
    log: &[u8],
    named: &[(&str, &str)],
    ends: InterruptEnds,
) -> (Comparison, Vec<(i64, i64)>) {
    let RecordedEvents { mut events, gaps } = recorded(bytes);
    for (_, (_, name)) in &mut events {
        if let Some((_, other)) = named.iter().find(|(unnamed, _)| unnamed == name) {
            (*other).clone_into(name);
        }
    }
    let mut logged = logged(log);
    if ends == InterruptEnds::Alike {
        for (_, (kind, _)) in events.iter_mut().chain(&mut logged) {
            if kind.starts_with("isr_exit") {
                *kind = "isr_exit";
            }
        }
    }
    let mut differences: HashMap<i64, usize> = HashMap::new();
    for (time, what) in events.iter().filter(|(_, what)| what.0 == "in") {
        for (other, _) in logged.iter().filter(|(_, other)| what == other) {
            *differences.entry((other - time).div_euclid(64)).or_default() += 1;
        }
    }
    let (most, _) = differences.iter().max_by_key(|(_, count)| **count).unwrap();
    let offset = most * 64 + 32;
    let gaps = gaps.iter().map(|(from, to)| (from + offset, to + offset)).collect();
    (compare(&events, &logged, offset), gaps)
}
