//! Imported recordings against independent logs of what happened: each switch, each task that becomes ready, each interrupt.
//!
//! The logs are of a second logger in the same program, with a call beside each trace macro of the kernel. Their times are those
//! of the same counter, and differ from the recorder's by a constant and by the time between the two hooks.

mod support;

use std::collections::HashMap;

use serde_json::Value;
use support::recording;
use tband_conv::{EventReader, Item, Mode};
use tband_format::registry::NOT_RECORDED;
use tband_format::{Decoded, Event};

/// Counts of the 25 MHz counter by which a time may differ.
const TOLERANCE: i64 = 800;

/// A compared fact: a kind of event, and the name of the task or the number of the interrupt.
type What = (&'static str, String);

/// What a recording has.
#[derive(Debug, Default)]
struct Recorded {
    /// Its events, with their times in ticks.
    events: Vec<(i64, What)>,
    /// From when to when it is known to lack events.
    gaps: Vec<(i64, i64)>,
}

fn recorded(bytes: &[u8]) -> Recorded {
    let mut events = EventReader::new(bytes, 0, Mode::FreeRtos);
    let mut names = HashMap::new();
    let mut found: Vec<(i64, What)> = Vec::new();
    let (mut now, mut gaps, mut begin) = (0, Vec::new(), None);
    while let Some(Item { event, .. }) = events.next_item().unwrap() {
        let Ok(Decoded { ts, event }) = event else {
            begin = begin.or(Some(now)).filter(|_| !found.is_empty());
            continue;
        };
        let before = now;
        now = ts.map_or(now, |ts| i64::try_from(ts).unwrap());
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
            Event::TaskSwitchedIn { task_id } => ("in", name(task_id)),
            Event::TaskToRdyState { task_id } => ("ready", name(task_id)),
            Event::IsrEnter { isr_id } => ("isr_enter", isr_id.to_string()),
            Event::IsrExit { isr_id } => ("isr_exit", isr_id.to_string()),
            Event::IsrExitToScheduler { isr_id } => ("isr_exit_to_scheduler", isr_id.to_string()),
            Event::DroppedEvtCnt { .. } => {
                gaps.push((before, now));
                continue;
            }
            _ => continue,
        };
        gaps.extend(begin.take().map(|begin| (begin, now)));
        found.push((now, what));
    }
    Recorded { events: found, gaps }
}

/// The events of a log.
fn logged(text: &[u8]) -> Vec<(i64, What)> {
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
struct Comparison {
    /// Events of the log within the recording that the recording has.
    matched: usize,
    /// Events of the log within the recording that it lacks.
    missing: Vec<(i64, What)>,
    /// Events of the recording that the log does not have.
    extra: Vec<(i64, What)>,
}

/// How many events of the log have one of the recording, if its times are earlier by `offset`.
fn compare(recorded: &[(i64, What)], logged: &[(i64, What)], offset: i64) -> Comparison {
    let mut by_what: HashMap<&What, Vec<(i64, bool)>> = HashMap::new();
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

/// Compares a recording with its log, at the constant between their clocks that most events agree on. Gives the times of the
/// log in which the recording is known to lack events.
fn compared(name: &str, named: &[(&str, &str)]) -> (Comparison, Vec<(i64, i64)>) {
    let bytes = recording(&format!("systemview/{name}.bin"));
    let Recorded { mut events, gaps } = recorded(&bytes);
    for (_, (_, name)) in &mut events {
        if let Some((_, other)) = named.iter().find(|(unnamed, _)| unnamed == name) {
            (*other).clone_into(name);
        }
    }
    let logged = logged(&recording(&format!("systemview/{name}.truth.jsonl")));
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

/// There is no difference: also the ready event of the idle task is there, whose number SystemView does not explain and the
/// importer infers. A post-mortem ring is compared from its first synchronisation on.
#[test]
fn each_switch_ready_event_and_interrupt_of_systemview_is_there() {
    for (name, count) in
        [("default", 1216), ("trimmed", 2107), ("counter-wrap", 1553), ("postmortem", 1052)]
    {
        let (Comparison { matched, missing, extra }, gaps) = compared(name, &[]);
        assert_eq!((matched, missing, extra), (count, vec![], vec![]), "{name}");
        assert_eq!(gaps, [], "{name}");
    }
}

/// Events are missing where losses and pauses are reported, and nowhere else.
#[test]
fn what_systemview_has_lost_is_in_the_gaps_that_it_reports() {
    // The packets that name these two tasks were lost, with the ready event by which the idle task would have been known.
    let named = [("0x20002874", "Tmr Svc"), ("0x200054cc", "Churn"), ("0x200058d4", "MidLoad")];
    for (name, least, count) in [("overflow", 1060, 35), ("restart", 928, 1)] {
        let (Comparison { matched, missing, extra }, gaps) = compared(name, &named);
        assert_eq!(gaps.len(), count, "{name}");
        assert!(matched >= least, "{name}: {matched}");
        assert_eq!(extra, [], "{name}");
        for (time, what) in missing {
            let is_in =
                |(from, to): &&(i64, i64)| (from - TOLERANCE..=to + TOLERANCE).contains(&time);
            assert!(gaps.iter().any(|gap| is_in(&gap)), "{name}: {what:?} at {time}");
        }
    }
}

/// What tasks wait for, as the call shows that a task is in: the same, in the same order, as the kernel's own hooks reported.
/// The timer task waits in a function that the log calls by another name, so its waits are left out.
#[test]
fn what_tasks_of_systemview_wait_for_is_inferred_rightly() {
    for (name, count) in [("default", (271, 6)), ("trimmed", (469, 6))] {
        let mut logged = Vec::new();
        let log = recording(&format!("systemview/{name}.truth.jsonl"));
        for line in String::from_utf8(log).unwrap().lines() {
            let event: Value = serde_json::from_str(line).unwrap();
            let text = |name: &str| event[name].as_str().unwrap_or_default().to_owned();
            match event["ev"].as_str().unwrap() {
                "delay" => logged.push(format!("delay {}", event["ticks"])),
                "delay_until" if text("task") != "Tmr Svc" => logged.push("delay_until".to_owned()),
                "queue_block_recv" => logged.push(format!("receive {}", text("obj"))),
                "queue_block_send" => logged.push(format!("send {}", text("obj"))),
                "notify_take_block" => logged.push("notification".to_owned()),
                _ => {}
            }
        }
        let bytes = recording(&format!("systemview/{name}.bin"));
        let mut events = EventReader::new(&*bytes, 0, Mode::FreeRtos);
        let (mut names, mut found, mut task) = (HashMap::new(), Vec::new(), 0);
        while let Some(Item { event, .. }) = events.next_item().unwrap() {
            let name = |id: &u32| names.get(id).cloned().unwrap_or_else(|| format!("{id:#x}"));
            match event.unwrap().event {
                Event::TaskName { task_id: id, name } | Event::QueueName { queue_id: id, name } => {
                    names.insert(id, String::from_utf8_lossy(name.0).into_owned());
                }
                Event::TaskSwitchedIn { task_id } => task = task_id,
                Event::CurtaskDelay { ticks } => found.push(format!("delay {ticks}")),
                Event::CurtaskDelayUntil { .. } => found.push("delay_until".to_owned()),
                Event::CurtaskBlockOnQueueReceive { queue_id: NOT_RECORDED, .. }
                    if name(&task) != "Tmr Svc" =>
                {
                    found.push("unknown".to_owned());
                }
                Event::CurtaskBlockOnQueueReceive { queue_id, .. } if name(&task) != "Tmr Svc" => {
                    found.push(format!("receive {}", name(&queue_id)));
                }
                Event::CurtaskBlockOnQueueSend { queue_id, .. } => {
                    found.push(format!("send {}", name(&queue_id)));
                }
                Event::CurtaskBlockOnNotifyTake { .. } => found.push("notification".to_owned()),
                _ => {}
            }
        }
        let is_known = |it: &&String| **it != "unknown";
        let unknown = found.len() - found.iter().filter(is_known).count();
        assert_eq!((found.len(), unknown), count, "{name}");
        let mut found = found.iter().peekable();
        for (number, it) in logged.iter().enumerate() {
            let Some(mut next) = found.next() else {
                assert!(logged.len() - number <= 1, "{name}");
                break;
            };
            // An unknown state matches this wait, or none.
            if !is_known(&next) && found.peek() == Some(&it) {
                next = found.next().unwrap();
            }
            assert!(next == it || !is_known(&next), "{name}: wait {number}: {next}, not {it}");
        }
    }
}

/// The text of ftrace was written from the log, so each switch and wake is there at its microsecond, and each interrupt. Text does
/// not say whether an interrupt ends with a switch.
#[test]
fn each_switch_and_wake_of_ftrace_is_there() {
    let Recorded { mut events, gaps } = recorded(&recording("linux/ftrace.txt"));
    assert_eq!(gaps, []);
    for (time, (kind, name)) in &mut events {
        // Counts of 40 ns.
        *time /= 40;
        // The idle task has the number 0.
        *name = name.replace("swapper/0", "IDLE").replace('_', " ");
        if kind.starts_with("isr_exit") {
            *kind = "isr_exit";
        }
    }
    let mut log = logged(&recording("linux/ftrace.truth.jsonl"));
    for (_, (kind, _)) in &mut log {
        if kind.starts_with("isr_exit") {
            *kind = "isr_exit";
        }
    }
    let Comparison { matched, missing, .. } = compare(&events, &log, 0);
    // The timer task gives way to itself, which Linux does not report.
    assert_eq!((matched, missing), (1503, vec![(216875, ("in", "Tmr Svc".to_owned()))]));
}
