//! SystemView and the text of ftrace.

use std::collections::HashMap;

use serde_json::Value;
use tband_conv::events::EventReader;
use tband_conv::item::{Item, Mode};
use tband_format::Event;
use tband_format::registry::NOT_RECORDED;

use crate::compare::{
    Comparison, InterruptEnds, RecordedEvents, TOLERANCE, compare, logged, recorded,
};
use crate::support::recording;

fn compared(name: &str, named: &[(&str, &str)]) -> (Comparison, Vec<(i64, i64)>) {
    let bytes = recording(&format!("systemview/{name}.bin"));
    let log = recording(&format!("systemview/{name}.truth.jsonl"));
    crate::compare::compared(&bytes, &log, named, InterruptEnds::Distinct)
}

/// Both agree: even the ready event of the idle task is there, whose number SystemView does not explain and the
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
fn losses_of_systemview_lie_in_its_reported_gaps() {
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
fn infers_the_wait_objects_of_systemview_tasks() {
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
    let RecordedEvents { mut events, gaps } = recorded(&recording("linux/ftrace.txt"));
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
