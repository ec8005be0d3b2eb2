//! Events whose meaning is known: those of Zephyr, and of the Linux kernel by LTTng and perf.

use super::entry::{CtfMap, Entry, EventMeaning, FieldRole, PartSource};
use crate::linux::numbers::LEAST_PRIORITY;

/// Zephyr's priorities begin with the most urgent one, which is negative.
const ZEPHYR_LEAST_PRIORITY: i64 = 127;

type Row = (&'static str, EventMeaning, &'static [(FieldRole, &'static str)]);

const THREAD: &[(FieldRole, &str)] = &[(FieldRole::Task, "thread_id"), (FieldRole::Name, "name")];
const SEMAPHORE: &[(FieldRole, &str)] = &[(FieldRole::Queue, "id")];

const ZEPHYR: &[Row] = &[
    ("thread_switched_out", EventMeaning::SwitchedOut, THREAD),
    ("thread_switched_in", EventMeaning::Switch, THREAD),
    (
        "thread_priority_set",
        EventMeaning::Priority,
        &[(FieldRole::Task, "thread_id"), (FieldRole::Name, "name"), (FieldRole::Priority, "prio")],
    ),
    ("thread_create", EventMeaning::Create, THREAD),
    ("thread_abort", EventMeaning::Delete, THREAD),
    ("thread_suspend", EventMeaning::Suspend, THREAD),
    ("thread_resume", EventMeaning::Resume, THREAD),
    ("thread_ready", EventMeaning::Ready, THREAD),
    // The object comes in an event before.
    ("thread_pending", EventMeaning::Ignore, THREAD),
    ("thread_info", EventMeaning::Name, THREAD),
    ("thread_name_set", EventMeaning::Name, THREAD),
    ("isr_enter", EventMeaning::IsrEnter, &[]),
    ("isr_exit", EventMeaning::IsrExit, &[]),
    ("isr_exit_to_scheduler", EventMeaning::IsrExit, &[]),
    ("idle", EventMeaning::Idle, &[]),
    ("semaphore_take_blocking", EventMeaning::Wait, SEMAPHORE),
    ("mutex_lock_blocking", EventMeaning::Wait, SEMAPHORE),
    ("msgq_get_blocking", EventMeaning::Wait, SEMAPHORE),
    ("msgq_put_blocking", EventMeaning::WaitSend, SEMAPHORE),
    ("semaphore_init", EventMeaning::QueueCreate, SEMAPHORE),
    ("mutex_init", EventMeaning::QueueCreate, SEMAPHORE),
    ("named_event", EventMeaning::Marker, &[]),
];

const LINUX: &[Row] = &[
    (
        "sched_switch",
        EventMeaning::Switch,
        &[
            (FieldRole::Task, "next_tid"),
            (FieldRole::Name, "next_comm"),
            (FieldRole::Priority, "next_prio"),
            (FieldRole::From, "prev_tid"),
            (FieldRole::FromName, "prev_comm"),
            (FieldRole::FromPriority, "prev_prio"),
            (FieldRole::FromState, "prev_state"),
        ],
    ),
    (
        "sched_switch",
        EventMeaning::Switch,
        &[
            (FieldRole::Task, "next_pid"),
            (FieldRole::Name, "next_comm"),
            (FieldRole::Priority, "next_prio"),
            (FieldRole::From, "prev_pid"),
            (FieldRole::FromName, "prev_comm"),
            (FieldRole::FromPriority, "prev_prio"),
            (FieldRole::FromState, "prev_state"),
        ],
    ),
    ("sched_wakeup", EventMeaning::Ready, WOKEN_TID),
    ("sched_wakeup", EventMeaning::Ready, WOKEN_PID),
    ("sched_wakeup_new", EventMeaning::Create, WOKEN_TID),
    ("sched_wakeup_new", EventMeaning::Create, WOKEN_PID),
    // sched_wakeup follows it.
    ("sched_waking", EventMeaning::Ignore, &[]),
    (
        "irq_handler_entry",
        EventMeaning::IsrEnter,
        &[(FieldRole::Isr, "irq"), (FieldRole::Name, "name")],
    ),
    ("irq_handler_exit", EventMeaning::IsrExit, &[(FieldRole::Isr, "irq")]),
    (
        "lttng_statedump_process_state",
        EventMeaning::Name,
        &[(FieldRole::Task, "tid"), (FieldRole::Name, "name")],
    ),
    // With --all, perf adds its own records; those of the tasks that existed before have the time 0.
    ("perf_comm", EventMeaning::Name, &[(FieldRole::Task, "tid"), (FieldRole::Name, "comm")]),
    ("perf_fork", EventMeaning::Ignore, &[]),
    ("perf_exit", EventMeaning::Ignore, &[]),
    ("perf_mmap", EventMeaning::Ignore, &[]),
    ("perf_mmap2", EventMeaning::Ignore, &[]),
    ("softirq_entry", EventMeaning::SoftEnter, &[(FieldRole::Isr, "vec")]),
    ("softirq_exit", EventMeaning::SoftExit, &[(FieldRole::Isr, "vec")]),
    ("irq_softirq_entry", EventMeaning::SoftEnter, &[(FieldRole::Isr, "vec")]),
    ("irq_softirq_exit", EventMeaning::SoftExit, &[(FieldRole::Isr, "vec")]),
];
const WOKEN_TID: &[(FieldRole, &str)] =
    &[(FieldRole::Task, "tid"), (FieldRole::Name, "comm"), (FieldRole::Priority, "prio")];
const WOKEN_PID: &[(FieldRole, &str)] =
    &[(FieldRole::Task, "pid"), (FieldRole::Name, "comm"), (FieldRole::Priority, "prio")];

/// Whose events a trace has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnownTracer {
    Zephyr,
    Linux,
    Other,
}

impl KnownTracer {
    /// By the names of the events.
    pub fn of<'n>(mut events: impl Iterator<Item = &'n str>) -> Self {
        events
            .find_map(|name| match name.rsplit(':').next().unwrap_or(name) {
                "thread_switched_in" => Some(Self::Zephyr),
                "sched_switch" | "sched_wakeup" | "irq_handler_entry" => Some(Self::Linux),
                _ => None,
            })
            .unwrap_or(Self::Other)
    }

    /// The rules of its events.
    pub fn map(self) -> CtfMap {
        let (rows, least, idle): (&[Row], _, &[&str]) = match self {
            Self::Zephyr => (ZEPHYR, Some(ZEPHYR_LEAST_PRIORITY), &["idle", "idle 00"]),
            Self::Linux => (LINUX, Some(i64::from(LEAST_PRIORITY)), &[]),
            Self::Other => (&[], None, &[]),
        };
        let mut entries: Vec<Entry> = rows.iter().map(entry).collect();
        for entry in entries.iter_mut().filter(|it| &*it.event == "isr_exit_to_scheduler") {
            entry.parts.push((FieldRole::ToScheduler, PartSource::Number(1)));
        }
        let mut idle: Vec<_> = idle.iter().map(|it| (*it).into()).collect();
        if self == Self::Zephyr {
            idle.extend((1..64).map(|core| format!("idle {core:02}").into()));
        }
        CtfMap { entries, idle, priorities_from: least, ..CtfMap::default() }
    }
}

fn entry(&(event, means, parts): &Row) -> Entry {
    let parts = parts.iter().map(|(part, field)| (*part, PartSource::Field((*field).into())));
    let parts = parts.collect();
    Entry { event: event.into(), when: Vec::new(), means, parts, is_built_in: true, line: 0 }
}
