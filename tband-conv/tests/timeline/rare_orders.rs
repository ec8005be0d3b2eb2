//! Rare behaviour of a kernel: each order of events alone, and the result.

use tband_conv::Flows;
use tband_conv::sinks::TimelineText;
use tband_conv::{Input, Options, convert};
use tband_format::Event::*;
use tband_format::registry::event_group_flags::{CLEAR_ON_EXIT, TIMED_OUT};
use tband_format::{API_FUNCTIONS, Event, NotifyAction, QueueKind as Kind};
use tband_recordings::{Recording, str, timeline_of, two_tasks};

/// The lines of the timeline, with flows, outcomes of waits and limits.
fn lines(recording: &Recording) -> Vec<String> {
    let mut options = Options::default();
    options.flows = Flows::All;
    let mut text = TimelineText::new(Vec::new()).detailed();
    convert(&[Input::from_bytes("r", &recording.0)], &options, &mut text).unwrap();
    let text = String::from_utf8(text.into_inner()).unwrap();
    text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

/// The lines that have one of these words, in order.
#[track_caller]
fn assert_lines(recording: &Recording, words: &[&str], expected: &[&str]) {
    let all = lines(recording);
    let found: Vec<&String> =
        all.iter().filter(|line| words.iter().any(|word| line.contains(word))).collect();
    assert_eq!(found, expected, "\n{all:#?}");
}

/// Task 1 runs from 1 on.
fn first() -> Recording {
    two_tasks().meta(TaskName { task_id: 3, name: str("c") }).at(1, TaskSwitchedIn { task_id: 1 })
}

/// Task 1 begins to wait, and 2 runs from 3 on.
fn wait_for(event: Event<'_>) -> Recording {
    first().at(2, event).at(3, TaskSwitchedIn { task_id: 2 })
}

/// Task 1 becomes ready at 7 and runs at 8.
fn wake(recording: Recording) -> Recording {
    recording.at(7, TaskToRdyState { task_id: 1 }).at(8, TaskSwitchedIn { task_id: 1 })
}

const fn for_bits(event_group_id: u32, bits: u32, flags: u32) -> Event<'static> {
    CurtaskBlockOnEventGroupWait { event_group_id, bits, flags, ticks_to_wait: 100 }
}

const fn set_bits_event(event_group_id: u32, bits: u32, bits_after: u32) -> Event<'static> {
    EventGroupSetBits { event_group_id, bits, bits_after }
}

const fn group(event_group_id: u32) -> Event<'static> {
    EventGroupCreated { event_group_id }
}

const FOR_ITEM: Event<'static> = CurtaskBlockOnQueueReceive { queue_id: 1, ticks_to_wait: 5 };

// ---- Interrupts ------------------------------------------------------------------------------------

#[test]
fn an_exit_ends_only_inner_interrupts() {
    let recording = first()
        .at(2, IsrEnter { isr_id: 1 })
        .at(3, IsrEnter { isr_id: 2 })
        .at(4, IsrEnter { isr_id: 3 })
        .at(5, IsrExit { isr_id: 2 })
        .at(6, IsrExit { isr_id: 1 });
    assert_lines(
        &recording,
        &["0 isr "],
        &[
            "20 0 isr 1 begins",
            "30 0 isr 2 begins",
            "40 0 isr 3 begins",
            "50 0 isr 3 ends",
            "50 0 isr 2 ends",
            "60 0 isr 1 ends",
        ],
    );
}

#[test]
fn a_call_of_an_interrupt_outlives_a_nested_interrupt() {
    let number = |name| API_FUNCTIONS.iter().position(|it| *it == name).unwrap() as u32;
    let (outer, inner) = (number("xQueueReceiveFromISR"), number("xTaskResumeFromISR"));
    let recording = first()
        .at(2, IsrEnter { isr_id: 1 })
        .at(3, ApiEnter { function: outer })
        .at(4, IsrEnter { isr_id: 2 })
        .at(5, ApiEnter { function: inner })
        .at(6, IsrExit { isr_id: 2 })
        .at(7, ApiReturn { function: outer, value: Some(1) })
        .at(8, IsrExit { isr_id: 1 });
    assert_lines(
        &recording,
        &["FromISR"],
        &[
            "30 0 isr: xQueueReceiveFromISR begins",
            "50 0 isr: xTaskResumeFromISR begins",
            "60 0 isr: xTaskResumeFromISR does not return",
            "70 0 isr: xQueueReceiveFromISR ends after 40 ns with 1",
        ],
    );
}

// ---- Event groups ----------------------------------------------------------------------------------

#[test]
fn a_wait_for_any_bit_clears_the_one_that_came() {
    let recording = first()
        .at(1, group(1))
        .at(2, for_bits(1, 6, CLEAR_ON_EXIT))
        .at(3, TaskSwitchedIn { task_id: 2 })
        .at(4, set_bits_event(1, 2, 2));
    assert_lines(
        &wake(recording),
        &["clear"],
        &["40 0 event group 1: clear 0x2 on exit, bits 0b0000 (0x0)"],
    );
}

#[test]
fn the_end_of_another_group_ends_no_wait() {
    for end in [EventGroupDeleted { event_group_id: 1 }, group(1)] {
        let recording = first()
            .at(1, group(1))
            .at(1, group(2))
            .at(2, for_bits(2, 6, CLEAR_ON_EXIT))
            .at(3, TaskSwitchedIn { task_id: 2 })
            .at(4, end)
            .at(5, set_bits_event(2, 2, 2));
        assert_lines(
            &wake(recording),
            &["clear", "ended"],
            &[
                "50 0 event group 2: clear 0x2 on exit, bits 0b0000 (0x0)",
                "70 0 a: wait on event group 2 ended: satisfied",
            ],
        );
    }
}

/// The end of the wait is reported after the deletion that ended it.
#[test]
fn a_group_that_was_deleted_does_not_come_back_when_its_waiter_runs() {
    let recording = wait_for(for_bits(1, 6, CLEAR_ON_EXIT))
        .at(4, group(1))
        .at(5, EventGroupDeleted { event_group_id: 1 });
    let flags = CLEAR_ON_EXIT;
    let recording =
        wake(recording).at(9, EventGroupWaitEnd { event_group_id: 1, bits: 6, flags, found: 2 });
    let lines = lines(&recording);
    let last = lines.iter().rfind(|line| line.contains("event group 1: "));
    assert_eq!(last.map(String::as_str), Some("50 0 event group 1: deleted"));
}

#[test]
fn a_loss_clears_waiters_for_bits() {
    let recording = wait_for(for_bits(1, 6, CLEAR_ON_EXIT))
        .at(4, DroppedEvtCnt { cnt: 1 })
        .at(5, TaskSwitchedIn { task_id: 2 })
        .at(6, set_bits_event(1, 2, 2));
    assert_lines(
        &recording,
        &["group 1: set", "clear"],
        &["60 0 event group 1: set 0x2, bits 0b0010 (0x2)"],
    );
}

#[test]
fn bits_that_a_task_does_not_wait_for_do_not_wake_it() {
    let recording = wake(wait_for(for_bits(1, 2, 0)).at(6, set_bits_event(1, 1, 1)));
    let flags = TIMED_OUT;
    assert_lines(
        &recording.at(9, EventGroupWaitEnd { event_group_id: 1, bits: 2, flags, found: 1 }),
        &["ready", "ended"],
        &[
            "70 0 a: blocked on event group 1, any of 0x2 -> ready",
            "80 0 b: running -> ready",
            "80 0 a: ready -> running",
            "90 0 a: wait on event group 1 ended: timeout",
        ],
    );
}

/// The actor that set the bits is not recorded.
#[test]
fn the_end_event_decides_a_wait_for_bits() {
    for (flags, outcome) in [(0, "satisfied"), (CLEAR_ON_EXIT, "satisfied"), (TIMED_OUT, "timeout")]
    {
        let recording = wake(wait_for(for_bits(1, 6, flags & CLEAR_ON_EXIT)));
        assert_lines(
            &recording.at(9, EventGroupWaitEnd { event_group_id: 1, bits: 6, flags, found: 2 }),
            &["ended"],
            &[&format!("90 0 a: wait on event group 1 ended: {outcome}")],
        );
    }
}

// ---- Who is woken ----------------------------------------------------------------------------------

/// Tasks 1 and 2 wait for the same, 3 acts at 6, and both become ready.
fn both_wait(event: Event<'_>, act: Event<'_>) -> Recording {
    first()
        .at(2, event)
        .at(3, TaskSwitchedIn { task_id: 2 })
        .at(4, event)
        .at(5, TaskSwitchedIn { task_id: 3 })
        .at(6, act)
        .at(7, TaskToRdyState { task_id: 1 })
        .at(8, TaskToRdyState { task_id: 2 })
}

#[test]
fn one_item_ends_one_wait_and_bits_end_all() {
    assert_lines(
        &both_wait(FOR_ITEM, QueueSend { queue_id: 1, len_after: 1 }),
        &["-> ready", "ended"],
        &[
            "70 0 a: blocked on queue_receive queue 1 -> ready by c",
            "70 0 a: wait on queue_receive queue 1 ended: satisfied",
            "80 0 b: blocked on queue_receive queue 1 -> ready",
        ],
    );
    assert_lines(
        &both_wait(for_bits(1, 1, 0), set_bits_event(1, 1, 1)),
        &["-> ready", "ended"],
        &[
            "70 0 a: blocked on event group 1, any of 0x1 -> ready by c",
            "70 0 a: wait on event group 1 ended: satisfied",
            "80 0 b: blocked on event group 1, any of 0x1 -> ready by c",
            "80 0 b: wait on event group 1 ended: satisfied",
        ],
    );
}

#[test]
fn an_item_of_another_object_ends_no_wait() {
    let recording = wake(wait_for(FOR_ITEM));
    let found = EventGroupWaitEnd { event_group_id: 1, bits: 6, flags: 0, found: 2 };
    assert_lines(&recording.at(9, found), &["ended"], &[]);
}

/// If a task changes from one wait to another without leaving the core, it waits for the latter.
#[test]
fn the_last_wait_before_a_switch_counts() {
    let recording = first()
        .at(2, FOR_ITEM)
        .at(3, CurtaskBlockOnNotifyTake { index: 0, ticks_to_wait: 5 })
        .at(4, TaskSwitchedIn { task_id: 2 });
    assert_lines(
        &recording,
        &["blocked"],
        &["40 0 a: running -> blocked on notify_take, 5 ticks at most"],
    );
}

#[test]
fn waits_are_called_by_what_is_known_of_the_object() {
    for (kind, name, wait) in [
        (Kind::MUTEX, None, "mutex 1"),
        (Kind::MUTEX, Some("m"), "mutex m"),
        (Kind::RECURSIVE_MUTEX, Some("m"), "mutex m"),
        (Kind::BINARY_SEMAPHORE, None, "binary semaphore 1"),
        (Kind::BINARY_SEMAPHORE, Some("s"), "semaphore s"),
        (Kind::QUEUE_SET, Some("s"), "queue_set s"),
        (Kind::QUEUE, Some("q"), "queue_receive q"),
        (Kind::QUEUE, None, "queue_receive queue 1"),
    ] {
        let mut recording = two_tasks().meta(QueueKind { queue_id: 1, kind });
        if let Some(name) = name {
            recording = recording.meta(QueueName { queue_id: 1, name: str(name) });
        }
        let recording = recording
            .at(1, TaskSwitchedIn { task_id: 1 })
            .at(2, FOR_ITEM)
            .at(3, TaskSwitchedIn { task_id: 2 });
        let expected = format!("30 0 a: running -> blocked on {wait}, 5 ticks at most");
        assert_lines(&recording, &["blocked"], &[&expected]);
    }
}

// ---- Flows -----------------------------------------------------------------------------------------

const fn send_event(amount: u32, level_after: u32) -> Event<'static> {
    StreamBufferSend { stream_buffer_id: 1, amount, level_after }
}

#[test]
fn bytes_sent_before_a_reset_do_not_arrive() {
    for event in [
        StreamBufferReset { stream_buffer_id: 1 },
        StreamBufferResetFromIsr { stream_buffer_id: 1 },
        StreamBufferCreated { stream_buffer_id: 1, size: 10, trigger_level: 1 },
    ] {
        let recording = first()
            .at(1, StreamBufferCreated { stream_buffer_id: 1, size: 10, trigger_level: 1 })
            .at(2, send_event(4, 4))
            .at(3, event)
            .at(4, send_event(4, 4))
            .at(5, TaskSwitchedIn { task_id: 2 })
            .at(6, StreamBufferReceive { stream_buffer_id: 1, amount: 4, level_after: 0 });
        assert_lines(
            &recording,
            &["(send"],
            &["60 0 a (send stream buffer 1 @40) -> b (receive stream buffer 1)"],
        );
    }
}

#[test]
fn bytes_come_from_interrupts_and_may_not_come_at_all() {
    let recording = first()
        .at(2, IsrEnter { isr_id: 1 })
        .at(3, StreamBufferSendFromIsr { stream_buffer_id: 1, amount: 4, level_after: 4 })
        .at(4, IsrExit { isr_id: 1 })
        .at(5, StreamBufferReceive { stream_buffer_id: 1, amount: 4, level_after: 0 });
    assert_lines(
        &recording,
        &["stream buffer"],
        &[
            "30 0 stream buffer 1: send 4 by isr 1, level 4",
            "50 0 isr 1 (send stream buffer 1 @30) -> a (receive stream buffer 1)",
            "50 0 stream buffer 1: receive 4 by a, level 0",
        ],
    );
    let wait = CurtaskBlockOnStreamBufferReceive { stream_buffer_id: 1, ticks_to_wait: 5 };
    assert_lines(
        &wake(wait_for(wait)).at(9, StreamBufferReceiveFailed { stream_buffer_id: 1 }),
        &["ended", "failed"],
        &[
            "90 0 a: wait on stream_buffer_receive stream buffer 1 ended: timeout",
            "90 0 stream buffer 1: receive failed by a",
        ],
    );
}

/// A notification that leaves some of its value is taken again, without another wait.
#[test]
fn each_part_of_a_notification_comes_from_who_notified() {
    let action = NotifyAction::INCREMENT;
    let notify = TaskNotify { task_id: 1, index: 0, action, value: 0, value_after: 2 };
    let takes = |value, value_after| CurtaskNotifyTake { index: 0, value, value_after };
    let recording = two_tasks()
        .at(1, TaskSwitchedIn { task_id: 2 })
        .at(2, notify)
        .at(3, TaskSwitchedIn { task_id: 1 })
        .at(4, takes(2, 1))
        .at(5, takes(1, 0))
        // Where this comes from is not recorded.
        .at(6, takes(1, 0));
    assert_lines(
        &recording,
        &["(notify"],
        &["40 0 b (notify a @20) -> a (notified)", "50 0 b (notify a @20) -> a (notified)"],
    );
}

#[test]
fn an_item_may_arrive_at_the_time_at_which_it_is_sent() {
    let recording = two_tasks()
        .at(0, CoreId { core_id: 0 })
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(5, QueueSend { queue_id: 1, len_after: 1 })
        .at(0, CoreId { core_id: 1 })
        .at(1, TaskSwitchedIn { task_id: 2 })
        .at(5, QueueReceive { queue_id: 1, len_after: 0 });
    assert_lines(&recording, &["(send"], &["50 1 a (send queue 1 @50) -> b (receive queue 1)"]);
}

// ---- Names -----------------------------------------------------------------------------------------

#[test]
fn names_are_cut_where_they_are_longer_than_any_name_is() {
    for (len, is_cut) in [(499, false), (500, false), (501, true)] {
        let name = "n".repeat(len);
        let recording = two_tasks()
            .meta(TaskName { task_id: 3, name: str(&name) })
            .at(1, TaskSwitchedIn { task_id: 3 });
        let shown = if is_cut { format!("{}…", &name[..500]) } else { name };
        assert_lines(&recording, &["unknown"], &[&format!("10 0 {shown}: unknown -> running")]);
    }
}

// ---- Losses and ends -------------------------------------------------------------------------------

#[test]
fn a_task_that_was_deleted_has_no_priority_to_forget() {
    let recording = first()
        .at(2, TaskPrioritySet { task_id: 1, priority: 3 })
        .at(2, TaskPrioritySet { task_id: 2, priority: 4 })
        .at(3, TaskSwitchedIn { task_id: 2 })
        .at(4, TaskDeleted { task_id: 1 })
        .at(5, DroppedEvtCnt { cnt: 1 });
    assert_lines(&recording, &["unknown priority"], &["40 0 task b: unknown priority"]);
}

#[test]
fn a_reused_number_ends_the_old_buffer() {
    let created = StreamBufferCreated { stream_buffer_id: 1, size: 10, trigger_level: 1 };
    let recording = first().at(2, created).at(3, send_event(4, 4)).at(4, created);
    assert_lines(
        &recording,
        &["stream buffer"],
        &[
            "20 0 stream buffer 1: created by a, level 0",
            "30 0 stream buffer 1: send 4 by a, level 4",
            "40 0 stream buffer 1: deleted",
            "40 0 stream buffer 1: created by a, level 0",
        ],
    );
}

/// Items that an interrupt sent in that time do not matter: the task did not get them.
#[test]
fn a_wait_that_was_aborted_was_ended_by_who_aborted_it() {
    let recording = wait_for(FOR_ITEM)
        .at(4, TaskDelayAbort { task_id: 1 })
        .at(5, IsrEnter { isr_id: 1 })
        .at(6, QueueSendFromIsr { queue_id: 1, len_after: 1 })
        .at(7, IsrExit { isr_id: 1 });
    assert_lines(
        &wake(recording),
        &["blocked on queue_receive queue 1 ->", "ended"],
        &[
            "70 0 a: blocked on queue_receive queue 1 -> ready by b",
            "70 0 a: wait on queue_receive queue 1 ended: aborted",
        ],
    );
}

/// Losses of one recording do not concern the core of another.
#[test]
fn damage_in_one_file_leaves_the_other_s_core_alone() {
    let core = |core_id: u32, task_id: u32, broken: bool| {
        let recording = Recording::default()
            .meta(TsResolutionNs { ns_per_ts: 10 })
            .at(0, CoreId { core_id })
            .at(1, TaskSwitchedIn { task_id });
        let bytes: &[u8] = if broken { &[9, 9, 9, 0] } else { &[] };
        recording.raw(bytes).at(50, QueueSend { queue_id: 1, len_after: core_id })
    };
    for broken in [0, 1] {
        let files = [core(0, 1, broken == 0), core(1, 2, broken == 1)];
        let inputs = [Input::from_bytes("x", &files[0].0), Input::from_bytes("y", &files[1].0)];
        let (text, _) = timeline_of(&inputs, &Options::default());
        let forgotten: Vec<_> =
            text.lines().filter(|line| line.contains("running -> unknown")).collect();
        assert_eq!(forgotten.len(), 1, "{text}");
        assert!(forgotten[0].contains(&format!("task {}:", broken + 1)), "{text}");
    }
}

// ---- Waits for bits that are over, but not yet reported ------------------------------------------------

/// Task 1 was woken by a bit that it clears; before it runs the bit is set again.
fn woken_and_set_again(meanwhile: impl FnOnce(Recording) -> Recording) -> Recording {
    let flags = CLEAR_ON_EXIT;
    let recording = first()
        .at(1, group(1))
        .at(2, for_bits(1, 1, flags))
        .at(3, TaskSwitchedIn { task_id: 2 })
        .at(4, set_bits_event(1, 1, 1))
        .at(4, TaskToRdyState { task_id: 1 });
    meanwhile(recording)
        .at(9, TaskSwitchedIn { task_id: 2 })
        .at(10, set_bits_event(1, 1, 1))
        .at(11, TaskSwitchedIn { task_id: 1 })
        .at(12, EventGroupWaitEnd { event_group_id: 1, bits: 1, flags, found: 1 })
}

const CLEARED_ONCE: &[&str] = &[
    "40 0 event group 1: set 0x1, bits 0b0001 (0x1)",
    "40 0 event group 1: clear 0x1 on exit, bits 0b0000 (0x0)",
    "100 0 event group 1: set 0x1, bits 0b0001 (0x1)",
];

#[test]
fn a_wait_clears_its_bits_once() {
    assert_lines(&woken_and_set_again(|it| it), &["set 0x", "clear"], CLEARED_ONCE);
}

#[test]
fn another_wait_in_between_does_not_change_that() {
    let recording =
        woken_and_set_again(|it| it.at(5, TaskSwitchedIn { task_id: 3 }).at(6, for_bits(1, 2, 0)));
    assert_lines(&recording, &["set 0x", "clear"], CLEARED_ONCE);
}

#[test]
fn nor_does_another_name_of_the_task() {
    let recording = woken_and_set_again(|it| it.meta(TaskName { task_id: 1, name: str("x") }));
    assert_lines(&recording, &["set 0x", "clear"], CLEARED_ONCE);
}

/// The timer task deletes a timer before the task that requested it continues.
#[test]
fn a_timer_that_was_deleted_does_not_come_back_with_the_command() {
    let callback = 0x100;
    let deletes = tband_format::TimerCommand::DELETE;
    let recording = first()
        .meta(TimerName { timer_id: 1, name: str("once") })
        .at(2, TimerCreated { timer_id: 1, period: 10, auto_reload: 0, callback })
        .at(3, TaskSwitchedIn { task_id: 2 })
        .at(4, TimerCommandReceived { timer_id: 1, command: deletes, value: 0 })
        .at(5, TaskSwitchedIn { task_id: 1 })
        .at(6, TimerCommandSent { timer_id: 1, command: deletes, value: 0, result: 1 })
        .at(7, TimerCreated { timer_id: 1, period: 20, auto_reload: 0, callback });
    assert_lines(
        &recording,
        &["timer "],
        &[
            "20 0 timer once: created",
            "40 0 timer once: delete received",
            "60 0 timer once: delete sent",
            // Its name is not known.
            "70 0 timer 1: created",
        ],
    );
}
