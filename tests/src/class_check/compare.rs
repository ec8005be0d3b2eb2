//! Compares the expectations of a program of `program/` with its recording, class by class.
//!
//! A class's events are compared directly, in order: names and all fields. Only two classes need more than that: STACK, where
//! only the events of the program's own tasks can be predicted, and API, where the program knows its own calls and not the
//! nested ones of the kernel; see [`super::calls`].

use std::collections::{BTreeMap, BTreeSet};

use crate::events::{lines, user_lines};

/// Each class, by the name in its switch, with the timed events that it alone records. Creation fails in
/// several classes.
///
/// TASK and API are an even number apart, so that no build has calls and no switches: whose calls those
/// were could not be reported.
pub const CLASSES: &[(&str, &[&str])] = &[
    (
        "QUEUE",
        &[
            "queue_created",
            "queue_send",
            "queue_send_from_isr",
            "queue_overwrite",
            "queue_overwrite_from_isr",
            "queue_receive",
            "queue_receive_from_isr",
            "queue_reset",
            "curtask_block_on_queue_peek",
            "curtask_block_on_queue_send",
            "curtask_block_on_queue_receive",
            "queue_cur_length",
        ],
    ),
    (
        "TASK",
        &[
            "task_switched_in",
            "task_to_rdy_state",
            "task_resumed",
            "task_resumed_from_isr",
            "task_suspended",
            "curtask_delay",
            "curtask_delay_until",
            "task_priority_set",
            "task_priority_inherit",
            "task_priority_disinherit",
            "task_created",
            "task_deleted",
        ],
    ),
    ("TASK_EXTRA", &["task_delay_abort", "task_core_affinity_set"]),
    (
        "QUEUE_EXTRA",
        &[
            "queue_deleted",
            "queue_sent_to_front",
            "queue_peek",
            "queue_peek_from_isr",
            "queue_send_failed",
            "queue_send_from_isr_failed",
            "queue_receive_failed",
            "queue_receive_from_isr_failed",
            "queue_peek_failed",
            "queue_peek_from_isr_failed",
            "mutex_created",
            "mutex_recursive_take",
            "mutex_recursive_take_failed",
            "mutex_recursive_give",
            "mutex_recursive_give_failed",
        ],
    ),
    (
        "NOTIFICATION",
        &[
            "task_notify",
            "task_notify_from_isr",
            "task_notify_give_from_isr",
            "curtask_notify_take",
            "curtask_notify_wait",
            "curtask_block_on_notify_take",
            "curtask_block_on_notify_wait",
            "task_notify_state_clear",
            "task_notify_value_clear",
        ],
    ),
    (
        "STREAM_BUFFER",
        &[
            "stream_buffer_created",
            "stream_buffer_send",
            "stream_buffer_send_from_isr",
            "stream_buffer_receive",
            "stream_buffer_receive_from_isr",
            "stream_buffer_reset",
            "stream_buffer_reset_from_isr",
            "stream_buffer_deleted",
            "stream_buffer_send_failed",
            "stream_buffer_send_from_isr_failed",
            "stream_buffer_receive_failed",
            "stream_buffer_receive_from_isr_failed",
            "curtask_block_on_stream_buffer_send",
            "curtask_block_on_stream_buffer_receive",
        ],
    ),
    (
        "EVENT_GROUP",
        &[
            "event_group_created",
            "event_group_deleted",
            "event_group_set_bits",
            "event_group_set_bits_from_isr",
            "event_group_clear_bits",
            "event_group_clear_bits_from_isr",
            "curtask_block_on_event_group_wait",
            "event_group_wait_end",
            "curtask_block_on_event_group_sync",
            "event_group_sync_end",
            "bits",
        ],
    ),
    (
        "TIMER",
        &[
            "timer_created",
            "timer_command_sent",
            "timer_command_received",
            "timer_expired",
            "pend_func_call",
            "pend_func_call_from_isr",
        ],
    ),
    ("HEAP", &["heap_malloc", "heap_free"]),
    ("LOW_POWER", &["low_power_idle_begin", "low_power_idle_end"]),
    ("TICK", &["tick", "tick_count_increase"]),
    ("ISR", &["isr_enter", "isr_exit", "isr_exit_to_scheduler", "isr_exit_missed"]),
    ("STACK", &["task_stack_high_water_mark"]),
    ("API", &["api_enter", "api_return"]),
    (
        "SCHEDULER_STEP",
        &[
            "curtask_to_delayed_list",
            "curtask_to_overflow_delayed_list",
            "task_switched_out",
            "task_in_ready_list",
        ],
    ),
];

/// Recorded by several classes.
pub const CREATE_FAILED: &str = "create_failed";

/// Needs a kernel for several cores.
pub const SMP_ONLY: &[&str] = &["task_core_affinity_set"];

/// Needs ticks of 64 bits, which not every port of the kernel has.
pub const WIDE_TICKS_ONLY: &[&str] = &["bits"];

/// Metadata that is recorded whichever classes are on, and the program that drives it.
pub const ALWAYS: &[(&str, &str)] =
    &[("TASK", "task_name"), ("QUEUE", "queue_kind"), ("QUEUE", "queue_name")];

/// Reported when the scheduler starts, before the program does.
pub const AT_START: &[&str] =
    &["- task_is_idle_task task_id=2 core_id=0", "- task_is_timer_task task_id=3"];

/// Metadata that goes with a class.
pub const METADATA: &[(&str, &str)] = &[
    ("STREAM_BUFFER", "stream_buffer_kind"),
    ("STREAM_BUFFER", "stream_buffer_name"),
    ("EVENT_GROUP", "event_group_name"),
    ("TIMER", "timer_name"),
];

/// What only the metadata buffer has, since the recording has other events for it.
pub const IN_TABLE: &[&str] = &["task_base_priority", "stream_buffer_info", "timer_info"];

/// A run of the program: lines `name field=value …`, those of metadata with `- ` in front.
pub struct Run {
    /// As it came from the target.
    pub recording: Vec<u8>,
    /// By class, as the program wrote them down.
    pub expected: BTreeMap<String, Vec<String>>,
    /// By class, all that was recorded while its program ran.
    pub recorded: BTreeMap<String, Vec<String>>,
    /// The complete recording, without events that the recorder adds automatically.
    pub whole: Vec<String>,
    /// The kernel's ticks have 64 bits.
    pub has_wide_ticks: bool,
}

/// Name of a line's event.
pub fn name_of(line: &str) -> &str {
    line.trim_start_matches("- ").split(' ').next().unwrap_or_default()
}

/// Value of a field.
pub fn field<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    line.split(' ').find_map(|word| word.strip_prefix(name)?.strip_prefix('='))
}

impl Run {
    /// Takes apart what a run has left.
    pub fn new(recording: Vec<u8>, log: &str) -> Self {
        let mut expected: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut class = String::new();
        for line in log.lines() {
            match line.strip_prefix("# ") {
                Some(name) => name.clone_into(&mut class),
                None => expected.entry(class.clone()).or_default().push(line.to_owned()),
            }
        }
        let whole: Vec<String> = user_lines(&recording)
            .iter()
            .map(|line| match line.split_once(' ') {
                Some(("-", _)) => line.clone(),
                _ => line.split_once(' ').map_or(line.clone(), |(_, event)| event.to_owned()),
            })
            .collect();
        let mut recorded: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut class = None;
        for line in &whole {
            if let Some(marker) = line.strip_prefix("evtmarker evtmarker_id=1 msg=") {
                class = Some(marker.trim_matches('"').to_owned());
            } else if let Some(class) = &class {
                recorded.entry(class.clone()).or_default().push(line.clone());
            }
        }
        Self { recording, expected, recorded, whole, has_wide_ticks: false }
    }

    /// Timed lines that a class's program expected.
    pub fn expected_of(&self, class: &str) -> Vec<&str> {
        let all = self.expected.get(class).unwrap_or_else(|| panic!("no program for {class}"));
        all.iter().map(String::as_str).filter(|line| !line.starts_with("- ")).collect()
    }

    /// Lines of these events that were recorded while a class's program ran.
    pub fn recorded_of(&self, class: &str, events: &[&str]) -> Vec<&str> {
        let all = self.recorded.get(class).unwrap_or_else(|| panic!("{class} is not recorded"));
        let is_asked = |line: &&str| events.contains(&name_of(line)) && !line.starts_with("- ");
        all.iter().map(String::as_str).filter(is_asked).collect()
    }

    /// Compares metadata with these names.
    fn compare_metadata(&self, class: &str, names: &[&str]) {
        let asked_in = |lines: &'_ [String]| -> Vec<String> {
            let is_asked =
                |line: &&String| line.starts_with("- ") && names.contains(&name_of(line));
            lines.iter().filter(is_asked).cloned().collect()
        };
        let expected = asked_in(self.expected.get(class).expect("a program"));
        assert_same(class, &expected, &asked_in(self.recorded.get(class).expect("a recording")));
    }

    /// The metadata buffer as it was in the end, and the snapshot after it, which begins with what there was
    /// when it was triggered.
    pub fn buffer_and_snapshot(&self) -> (Vec<String>, Vec<String>) {
        let all = lines(&self.recording);
        let about = all.iter().position(|line| line.starts_with("- trace_info"));
        let about = about.expect("the snapshot has a trace_info");
        // The clock's resolution is in front of that.
        let strip = |line: &String| match line.split_once(' ') {
            Some(("-", _)) | None => line.clone(),
            Some((_, event)) => event.to_owned(),
        };
        // The identity of the program is behind it.
        let snapshot = all[about + 1..].iter().filter(|line| !line.starts_with("- build_id "));
        (all[..about - 1].to_vec(), snapshot.map(strip).collect())
    }
}

/// Fails at the first line that differs, with some in front of it.
pub fn assert_same<T: AsRef<str>>(class: &str, expected: &[T], recorded: &[T]) {
    let at = (0..expected.len().max(recorded.len()))
        .find(|&i| expected.get(i).map(AsRef::as_ref) != recorded.get(i).map(AsRef::as_ref));
    let Some(at) = at else { return };
    let around = |list: &[T]| {
        let lines = list.iter().map(AsRef::as_ref).enumerate().skip(at.saturating_sub(5)).take(10);
        lines
            .map(|(i, line)| format!("{} {i}: {line}\n", if i == at { '>' } else { ' ' }))
            .collect()
    };
    let (expected, recorded): (String, String) = (around(expected), around(recorded));
    panic!("{class} differs at {at}.\nexpected:\n{expected}recorded:\n{recorded}");
}

/// Compares one class's program with the recorded events of its class.
pub fn compare(run: &Run, class: &str) {
    if class == "API" {
        return super::calls::compare_calls(run);
    }
    let (_, events) = CLASSES.iter().find(|(name, _)| *name == class).expect("a class");
    let events = [*events, &[CREATE_FAILED]].concat();
    let expected = run.expected_of(class);
    let mut recorded = run.recorded_of(class, &events);
    if class == "STACK" {
        let tasks: BTreeSet<_> = expected.iter().map(|line| field(line, "task_id")).collect();
        recorded.retain(|line| tasks.contains(&field(line, "task_id")));
    }
    assert!(!expected.is_empty());
    assert_same(class, &expected, &recorded);
    let metadata = METADATA.iter().chain(ALWAYS);
    let names: Vec<_> =
        metadata.filter(|(owner, _)| *owner == class).map(|(_, name)| *name).collect();
    run.compare_metadata(class, &names);
}
