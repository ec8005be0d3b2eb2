//! Entries of the log that `examples/riscv-smp` writes, core by core, and their events.

use std::fs;
use std::path::Path;

/// What a field of an event has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// This number.
    Number(i64),
    /// The recorder's number of this task, which has the kernel's.
    Task(u32),
    /// The recorder's number of the queue at this address.
    Queue(u32),
    /// This text.
    Text(&'static str),
}

/// An expected event for an entry: its name, and known fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedEvent {
    /// As the registry has it.
    pub name: &'static str,
    /// Names and values. The event may have others.
    pub fields: Vec<(&'static str, Expected)>,
}

/// What the program wrote down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Ticks of the timer.
    pub time: u64,
    kind: u32,
    a: u32,
    b: u32,
}

/// The texts of `record_step()`.
const STEPS: [&str; 4] = ["one", "two and more", "three", "twenty characters, 4"];

impl Entry {
    /// The program is about to stop the recording.
    #[must_use]
    pub fn is_stop(&self) -> bool {
        self.kind == 62
    }

    /// It has started.
    #[must_use]
    pub fn has_started(&self) -> bool {
        self.kind == 63
    }

    /// Whether a snapshot is full: it has stopped automatically.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.kind == 64
    }

    /// The task that runs from here on, by the kernel's number.
    #[must_use]
    pub fn next_task(&self) -> Option<u32> {
        (self.kind == 1).then_some(self.a)
    }

    /// Returns the events that were recorded just after it was written, a switch just before; none if it has no event.
    #[must_use]
    pub fn events(&self) -> Vec<ExpectedEvent> {
        use Expected::{Number, Queue, Task, Text};
        let Self { a, b, .. } = *self;
        let number = |value: u32| Number(value.into());
        let one = |name, fields: &[(&'static str, Expected)]| {
            vec![ExpectedEvent { name, fields: fields.to_vec() }]
        };
        let task = |name| one(name, &[("task_id", Task(a))]);
        let task_and = |name, field| one(name, &[("task_id", Task(a)), (field, number(b))]);
        let queue = |name| one(name, &[("queue_id", Queue(a))]);
        let queue_and = |name, field| one(name, &[("queue_id", Queue(a)), (field, number(b))]);
        let block = |name, field, what| one(name, &[(field, what), ("ticks_to_wait", number(b))]);
        let heap = |name| one(name, &[("address", number(a)), ("size", number(b))]);
        match self.kind {
            1 => task("task_switched_in"),
            2 => one("isr_enter", &[("isr_id", number(a))]),
            3 => one("isr_exit", &[("isr_id", number(a))]),
            4 => {
                let value = Number(i64::from(b.cast_signed()));
                one("valmarker", &[("valmarker_id", number(a)), ("val", value)])
            }
            5 => {
                let text = Text(STEPS[b as usize]);
                one("evtmarker", &[("evtmarker_id", number(a)), ("msg", text)])
            }
            6 => {
                let empty = [("queue_id", Queue(a)), ("length", Number(0))];
                [queue("queue_created"), one("queue_cur_length", &empty)].concat()
            }
            7 => queue("mutex_created"),
            8 => queue_and("queue_send", "len_after"),
            9 => queue_and("queue_send_from_isr", "len_after"),
            10 => queue("queue_send_from_isr_failed"),
            11 => queue_and("queue_receive", "len_after"),
            12 => queue("queue_receive_failed"),
            13 => block("curtask_block_on_queue_send", "queue_id", Queue(a)),
            14 => block("curtask_block_on_queue_receive", "queue_id", Queue(a)),
            15 => [task("task_created"), task_and("task_priority_set", "priority")].concat(),
            16 => task("task_deleted"),
            17 => task("task_to_rdy_state"),
            18 => one("curtask_delay", &[("ticks", number(a))]),
            19 => one("curtask_delay_until", &[("time_to_wake", number(a))]),
            20 => task("task_suspended"),
            21 => task("task_resumed"),
            22 => task_and("task_priority_set", "priority"),
            23 => task_and("task_priority_inherit", "priority"),
            24 => task_and("task_priority_disinherit", "priority"),
            25 => task_and("task_core_affinity_set", "core_mask"),
            26 => task_and("task_notify_give_from_isr", "value_after"),
            27 => block("curtask_block_on_notify_take", "index", number(a)),
            28 => one("curtask_notify_take", &[("index", number(a)), ("value", number(b))]),
            29 => heap("heap_malloc"),
            30 => heap("heap_free"),
            62..=64 => vec![],
            kind => panic!("an entry of kind {kind}"),
        }
    }
}

/// Reads a core's log. The program writes only the low half of the time; a core is never silent for a wrap of it.
///
/// # Panics
/// If it cannot be read.
#[must_use]
pub fn read_log(file: &Path) -> Vec<Entry> {
    let bytes = fs::read(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let (mut turns, mut last) = (0, 0);
    let (chunks, rest) = bytes.as_chunks::<16>();
    assert!(rest.is_empty(), "{}", file.display());
    let entries = chunks.iter().map(|chunk| {
        let word = |at: usize| {
            u32::from_le_bytes([chunk[at], chunk[at + 1], chunk[at + 2], chunk[at + 3]])
        };
        if word(0) < last {
            turns += 1;
        }
        last = word(0);
        Entry { time: (turns << 32) | u64::from(last), kind: word(4), a: word(8), b: word(12) }
    });
    entries.collect()
}
