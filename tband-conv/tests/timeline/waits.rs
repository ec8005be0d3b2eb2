//! Reasons of waits, their outcomes, and consequences.

use tband_conv::sinks::TimelineText;
use tband_conv::{Flows, Input, Options, convert};
use tband_format::Event::*;
use tband_format::{NotifyAction as Action, QueueKind as Kind};
use tband_recordings::{Recording, assert_details, str, two_tasks};

/// Task 1, a, begins to wait at 3.
fn waits(event: tband_format::Event<'_>) -> Recording {
    two_tasks()
        .meta(QueueName { queue_id: 9, name: str("rxq") })
        .meta(StreamBufferName { stream_buffer_id: 9, name: str("log") })
        .meta(EventGroupName { event_group_id: 9, name: str("state") })
        .meta(IsrName { isr_id: 5, name: str("uart") })
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(2, event)
        .at(3, TaskSwitchedIn { task_id: 2 })
}

/// Task 1 becomes ready at 5 and runs at 6.
fn wakes(recording: Recording) -> Recording {
    recording.at(5, TaskToRdyState { task_id: 1 }).at(6, TaskSwitchedIn { task_id: 1 })
}

fn for_item() -> Recording {
    waits(CurtaskBlockOnQueueReceive { queue_id: 9, ticks_to_wait: 50 })
}

const HEAD_ITEM: &str = "10 0 a: unknown -> running
     30 0 a: running -> blocked on queue_receive rxq, 50 ticks at most
     30 0 b: unknown -> running\n";

#[test]
fn a_wait_ends_with_what_was_waited_for() {
    let recording = wakes(for_item().at(4, QueueSend { queue_id: 9, len_after: 1 }))
        .at(7, QueueReceive { queue_id: 9, len_after: 0 });
    for flows in [Flows::Wakes, Flows::All] {
        assert_details(
            &recording,
            flows,
            &format!(
                "{HEAD_ITEM}
                 40 0 rxq: send, level 1
                 50 0 a: blocked on queue_receive rxq -> ready by b
                 50 0 a: wait on queue_receive rxq ended: satisfied
                 60 0 b: running -> ready
                 60 0 a: ready -> running
                 70 0 rxq: receive, level 0
                 70 0 b (send rxq @40) -> a (receive rxq), woken
                 70 0 a: runs on
                 70 end"
            ),
        );
    }
}

#[test]
fn a_wait_takes_too_long() {
    // Without the event of the failure nothing is proven.
    assert_details(
        &wakes(for_item()),
        Flows::All,
        &format!(
            "{HEAD_ITEM}
             50 0 a: blocked on queue_receive rxq -> ready
             60 0 b: running -> ready
             60 0 a: ready -> running
             61 0 a: runs on
             61 end"
        ),
    );
    assert_details(
        &wakes(for_item()).at(7, QueueReceiveFailed { queue_id: 9 }),
        Flows::All,
        &format!(
            "{HEAD_ITEM}
             50 0 a: blocked on queue_receive rxq -> ready
             60 0 b: running -> ready
             60 0 a: ready -> running
             70 0 a: wait on queue_receive rxq ended: timeout
             70 0 rxq: receive failed by a
             70 0 a: runs on
             70 end"
        ),
    );
}

#[test]
fn another_task_is_faster() {
    // a waits again, and the item that woke it went elsewhere.
    let recording = wakes(for_item().at(4, QueueSend { queue_id: 9, len_after: 1 }))
        .at(7, CurtaskBlockOnQueueReceive { queue_id: 9, ticks_to_wait: u32::MAX })
        .at(8, TaskSwitchedIn { task_id: 2 })
        .at(9, QueueReceive { queue_id: 9, len_after: 0 })
        .at(10, TaskToRdyState { task_id: 1 });
    assert_details(
        &recording,
        Flows::All,
        &format!(
            "{HEAD_ITEM}
             40 0 rxq: send, level 1
             50 0 a: blocked on queue_receive rxq -> ready by b
             50 0 a: wait on queue_receive rxq ended: satisfied
             60 0 b: running -> ready
             60 0 a: ready -> running
             80 0 a: running -> blocked on queue_receive rxq
             80 0 b: ready -> running
             90 0 rxq: receive, level 0
             100 0 a: blocked on queue_receive rxq -> ready by b
             100 0 b: runs on
             100 end"
        ),
    );
}

#[test]
fn an_act_before_the_wait_does_not_end_it() {
    // Core 1 sends, a receives that on core 0 and waits until its time-out, and core 1 has the tick that reports the time-out.
    let recording = two_tasks()
        .at(0, CoreId { core_id: 1 })
        .at(1, TaskSwitchedIn { task_id: 2 })
        .at(2, QueueSend { queue_id: 9, len_after: 1 })
        .at(0, CoreId { core_id: 0 })
        .at(3, TaskSwitchedIn { task_id: 1 })
        .at(4, QueueReceive { queue_id: 9, len_after: 0 })
        .at(5, CurtaskBlockOnQueueReceive { queue_id: 9, ticks_to_wait: 1 })
        .at(6, TaskSwitchedIn { task_id: 3 })
        .at(0, CoreId { core_id: 1 })
        .at(7, TaskToRdyState { task_id: 1 })
        .at(0, CoreId { core_id: 0 })
        .at(8, TaskSwitchedIn { task_id: 1 })
        .at(9, QueueReceiveFailed { queue_id: 9 });
    assert_details(
        &recording,
        Flows::Wakes,
        "10 1 b: unknown -> running
         20 1 queue 9: send, level 1
         30 0 a: unknown -> running
         40 0 queue 9: receive, level 0
         60 0 task 3: appears
         60 0 a: running -> blocked on queue_receive queue 9, 1 ticks at most
         60 0 task 3: unknown -> running
         70 1 a: blocked on queue_receive queue 9 -> ready
         80 0 task 3: running -> ready
         80 0 a: ready -> running
         90 0 a: wait on queue_receive queue 9 ended: timeout
         90 0 queue 9: receive failed by a
         90 0 a: runs on
         90 1 b: runs on
         90 end",
    );
}

#[test]
fn waits_are_aborted_and_tasks_deleted() {
    let recording = wakes(for_item().at(4, TaskDelayAbort { task_id: 1 }))
        .at(7, QueueReceiveFailed { queue_id: 9 })
        .at(8, CurtaskDelay { ticks: 5 })
        .at(8, CurtaskToDelayedList { time_to_wake: 105 })
        .at(9, TaskSwitchedIn { task_id: 2 })
        .at(10, TaskDelayAbort { task_id: 1 })
        .at(10, TaskToRdyState { task_id: 1 })
        .at(11, TaskSwitchedIn { task_id: 1 })
        .at(12, CurtaskBlockOnQueueSend { queue_id: 9, ticks_to_wait: u32::MAX })
        .at(13, TaskSwitchedIn { task_id: 2 })
        .at(14, TaskDeleted { task_id: 1 });
    assert_details(
        &recording,
        Flows::Wakes,
        &format!(
            "{HEAD_ITEM}
             40 0 a: wait to be aborted
             50 0 a: blocked on queue_receive rxq -> ready by b
             50 0 a: wait on queue_receive rxq ended: aborted
             60 0 b: running -> ready
             60 0 a: ready -> running
             70 0 rxq: receive failed by a
             80 0 a: waits until tick 105
             90 0 a: running -> blocked on delay
             90 0 b: ready -> running
             100 0 a: wait to be aborted
             100 0 a: blocked on delay -> ready by b
             100 0 a: wait on delay ended: aborted
             110 0 b: running -> ready
             110 0 a: ready -> running
             130 0 a: running -> blocked on queue_send rxq
             130 0 b: ready -> running
             140 0 a: blocked on queue_send rxq -> deleted
             140 0 a: wait on queue_send rxq ended: deleted
             140 0 b: runs on
             140 end"
        ),
    );
}

/// Kernels before V11 do not report that a wait was aborted: it ends like a time-out.
#[test]
fn an_abort_of_an_older_kernel_is_a_timeout() {
    let recording = for_item()
        .at(5, TaskToRdyState { task_id: 1 })
        .at(6, TaskSwitchedIn { task_id: 1 })
        .at(7, QueueReceiveFailed { queue_id: 9 });
    let inputs = [Input::from_bytes("r", &recording.0)];
    let mut text = TimelineText::new(Vec::new()).detailed();
    convert(&inputs, &Options::default(), &mut text).unwrap();
    let text = String::from_utf8(text.into_inner()).unwrap();
    assert!(text.contains("a: wait on queue_receive rxq ended: timeout"), "{text}");
}

#[test]
fn room_in_a_queue_is_waited_for() {
    let recording = wakes(
        waits(CurtaskBlockOnQueueSend { queue_id: 9, ticks_to_wait: u32::MAX })
            .at(3, IsrEnter { isr_id: 5 })
            .at(4, QueueReceiveFromIsr { queue_id: 9, len_after: 3 }),
    )
    .at(7, IsrExit { isr_id: 5 })
    .at(8, QueueSend { queue_id: 9, len_after: 4 });
    assert_details(
        &recording,
        Flows::Wakes,
        "10 0 a: unknown -> running
         30 0 a: running -> blocked on queue_send rxq
         30 0 b: unknown -> running
         30 0 isr uart begins
         40 0 rxq: receive from isr, level 3
         50 0 a: blocked on queue_send rxq -> ready
         50 0 a: wait on queue_send rxq ended: satisfied
         60 0 b: running -> ready
         60 0 a: ready -> running
         70 0 isr uart ends
         80 0 rxq: send, level 4
         80 0 uart (receive rxq @40) -> a (send rxq), woken
         80 0 a: runs on
         80 end",
    );
}

#[test]
fn tasks_are_notified() {
    let notify =
        |action, value_after| TaskNotify { task_id: 1, index: 0, action, value: 0, value_after };
    let recording = wakes(
        waits(CurtaskBlockOnNotifyTake { index: 0, ticks_to_wait: 20 })
            .at(4, notify(Action::INCREMENT, 1)),
    )
    .at(7, CurtaskNotifyTake { index: 0, value: 1, value_after: 0 })
    // Of another index, from an interrupt, while it does not wait.
    .at(8, IsrEnter { isr_id: 5 })
    .at(9, TaskNotifyGiveFromIsr { task_id: 1, index: 2, value_after: 1 })
    .at(10, IsrExit { isr_id: 5 })
    .at(11, CurtaskNotifyTake { index: 2, value: 1, value_after: 0 })
    .at(12, CurtaskBlockOnNotifyWait { index: 1, ticks_to_wait: 7 })
    .at(13, TaskSwitchedIn { task_id: 2 })
    // Not the awaited object.
    .at(14, notify(Action::SET_BITS, 4))
    .at(15, TaskToRdyState { task_id: 1 })
    .at(16, TaskSwitchedIn { task_id: 1 })
    .at(17, CurtaskNotifyWait { index: 1, value: 0, received: 0 })
    .at(18, TaskNotifyValueClear { task_id: 1, index: 0, bits: 4 })
    .at(19, TaskNotifyStateClear { task_id: 1, index: 0 });
    let text = |all: &str| {
        format!(
            "10 0 a: unknown -> running
             30 0 a: running -> blocked on notify_take, 20 ticks at most
             30 0 b: unknown -> running
             40 0 a: notified [0], increment, value 1 by b
             50 0 a: blocked on notify_take -> ready by b
             50 0 a: wait on notify_take ended: satisfied
             60 0 b: running -> ready
             60 0 a: ready -> running
             70 0 a: takes notification [0], value 1, then 0
             70 0 b (notify a @40) -> a (notified), woken
             80 0 isr uart begins
             90 0 a: notified [2], increment, value 1 by uart
             100 0 isr uart ends
             110 0 a: takes notification [2], value 1, then 0
             {all}
             130 0 a: running -> blocked on notify_wait 1, 7 ticks at most
             130 0 b: ready -> running
             140 0 a: notified [0], set bits, value 4 by b
             150 0 a: blocked on notify_wait 1 -> ready
             160 0 b: running -> ready
             160 0 a: ready -> running
             170 0 a: wait on notify_wait 1 ended: timeout
             170 0 a: gets no notification [1], value 0
             180 0 a: notification [0], bits 0x4 cleared
             190 0 a: notification [0] discarded
             190 0 a: runs on
             190 end"
        )
    };
    assert_details(&recording, Flows::Wakes, &text(""));
    assert_details(&recording, Flows::All, &text("110 0 uart (notify a @90) -> a (notified)"));
}

/// A stream buffer is waited for by waiting for a notification.
#[test]
fn stream_buffers_are_waited_for() {
    let receives = |received: u32| {
        wakes(waits(CurtaskBlockOnStreamBufferReceive { stream_buffer_id: 9, ticks_to_wait: 8 }))
            .at(7, CurtaskNotifyWait { index: 0, value: 0, received })
    };
    let head = "10 0 a: unknown -> running
         30 0 a: running -> blocked on stream_buffer_receive log, 8 ticks at most
         30 0 b: unknown -> running\n";
    // By the notification alone.
    assert_details(
        &receives(0).at(8, StreamBufferReceiveFailed { stream_buffer_id: 9 }),
        Flows::Wakes,
        &format!(
            "{head}
             50 0 a: blocked on stream_buffer_receive log -> ready
             60 0 b: running -> ready
             60 0 a: ready -> running
             70 0 a: wait on stream_buffer_receive log ended: timeout
             70 0 a: gets no notification [0], value 0
             80 0 stream buffer log: receive failed by a
             80 0 a: runs on
             80 end"
        ),
    );
    // As the kernel has it with everything recorded.
    let recording = two_tasks()
        .meta(StreamBufferName { stream_buffer_id: 9, name: str("log") })
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(2, CurtaskBlockOnStreamBufferReceive { stream_buffer_id: 9, ticks_to_wait: 8 })
        .at(2, CurtaskBlockOnNotifyWait { index: 0, ticks_to_wait: 8 })
        .at(3, TaskSwitchedIn { task_id: 2 })
        .at(4, StreamBufferSend { stream_buffer_id: 9, amount: 3, level_after: 3 })
        .at(4, TaskNotify { task_id: 1, index: 0, action: Action::NONE, value: 0, value_after: 0 })
        .at(5, TaskToRdyState { task_id: 1 })
        .at(6, TaskSwitchedIn { task_id: 1 })
        .at(7, CurtaskNotifyWait { index: 0, value: 0, received: 1 })
        .at(8, StreamBufferReceive { stream_buffer_id: 9, amount: 3, level_after: 0 });
    for flows in [Flows::Wakes, Flows::All] {
        assert_details(
            &recording,
            flows,
            &format!(
                "{head}
                 40 0 stream buffer log: send 3 by b, level 3
                 40 0 a: notified [0], no action, value 0 by b
                 50 0 a: blocked on stream_buffer_receive log -> ready by b
                 50 0 a: wait on stream_buffer_receive log ended: satisfied
                 60 0 b: running -> ready
                 60 0 a: ready -> running
                 70 0 a: gets notification [0], value 0
                 80 0 b (send log @40) -> a (receive log), woken
                 80 0 stream buffer log: receive 3 by a, level 0
                 80 0 a: runs on
                 80 end"
            ),
        );
    }
}

#[test]
fn bits_are_waited_for() {
    let set = |bits_after| EventGroupSetBits { event_group_id: 9, bits: 0, bits_after };
    let wait = CurtaskBlockOnEventGroupWait {
        event_group_id: 9,
        bits: 5,
        flags: 1,
        ticks_to_wait: u32::MAX,
    };
    let end = |flags, found| EventGroupWaitEnd { event_group_id: 9, bits: 5, flags, found };
    let recording = wakes(waits(wait).at(4, set(7)))
        .at(7, end(1, 7))
        .at(
            8,
            CurtaskBlockOnEventGroupSync { event_group_id: 9, set: 1, bits: 3, ticks_to_wait: 9 },
        )
        .at(9, TaskSwitchedIn { task_id: 2 })
        // Not all of them.
        .at(10, set(1))
        .at(11, TaskToRdyState { task_id: 1 })
        .at(12, TaskSwitchedIn { task_id: 1 })
        .at(13, EventGroupSyncEnd { event_group_id: 9, set: 1, bits: 3, flags: 4, found: 1 })
        .at(
            14,
            CurtaskBlockOnEventGroupWait {
                event_group_id: 9,
                bits: 6,
                flags: 2,
                ticks_to_wait: u32::MAX,
            },
        )
        .at(15, TaskSwitchedIn { task_id: 2 })
        .at(16, EventGroupDeleted { event_group_id: 9 })
        .at(16, TaskToRdyState { task_id: 1 })
        .at(17, TaskSwitchedIn { task_id: 1 })
        .at(18, EventGroupWaitEnd { event_group_id: 9, bits: 6, flags: 2, found: 0 });
    assert_details(
        &recording,
        Flows::Wakes,
        "10 0 a: unknown -> running
         30 0 a: running -> blocked on event_group state, all of 0x5
         30 0 b: unknown -> running
         40 0 event group state: set 0x0, bits 0b0111 (0x7)
         50 0 a: blocked on event_group state, all of 0x5 -> ready by b
         50 0 a: wait on event_group state ended: satisfied
         60 0 b: running -> ready
         60 0 a: ready -> running
         70 0 b (set state @40) -> a (found state), woken
         90 0 a: running -> blocked on event_group_sync state, all of 0x3, 9 ticks at most
         90 0 b: ready -> running
         100 0 event group state: set 0x0, bits 0b0001 (0x1)
         110 0 a: blocked on event_group_sync state, all of 0x3 -> ready
         120 0 b: running -> ready
         120 0 a: ready -> running
         130 0 a: wait on event_group_sync state ended: timeout
         150 0 a: running -> blocked on event_group state, any of 0x6
         150 0 b: ready -> running
         160 0 event group state: deleted
         160 0 a: blocked on event_group state, any of 0x6 -> ready by b
         160 0 a: wait on event_group state ended: deleted
         170 0 b: running -> ready
         170 0 a: ready -> running
         180 0 a: runs on
         180 end",
    );
}

/// The end of the wait is unknown after a gap, but its object stays known.
#[test]
fn a_gap_ends_a_wait_for_bits() {
    let (bits, flags, ticks_to_wait) = (5, 1, 70);
    let recording =
        waits(CurtaskBlockOnEventGroupWait { event_group_id: 9, bits, flags, ticks_to_wait })
            .at(5, DroppedEvtCnt { cnt: 1 })
            .at(6, TaskSwitchedIn { task_id: 1 })
            .at(
                7,
                CurtaskBlockOnEventGroupWait {
                    event_group_id: 9,
                    bits: 2,
                    flags: 0,
                    ticks_to_wait: u32::MAX,
                },
            )
            .at(8, TaskSwitchedIn { task_id: 2 });
    let mut text = TimelineText::new(Vec::new()).detailed();
    convert(&[Input::from_bytes("r", &recording.0)], &Options::default(), &mut text).unwrap();
    let text = String::from_utf8(text.into_inner()).unwrap();
    let lines: Vec<&str> =
        text.lines().map(str::trim).filter(|line| line.contains(" a: ")).collect();
    assert_eq!(
        lines,
        [
            "10 0 a: unknown -> running",
            "30 0 a: running -> blocked on event_group state, all of 0x5, 70 ticks at most",
            "32 0 a: blocked on event_group state, all of 0x5 -> unknown",
            "60 0 a: unknown -> running",
            "80 0 a: running -> blocked on event_group state, any of 0x2",
        ],
        "\n{text}"
    );
}

/// Lines that are flows, of all that there are.
fn flows_of(recording: &Recording) -> Vec<String> {
    chosen_flows_of(recording, Flows::All)
}

fn chosen_flows_of(recording: &Recording, chosen: Flows) -> Vec<String> {
    let mut options = Options::default();
    options.flows = chosen;
    let mut text = TimelineText::new(Vec::new()).detailed();
    let inputs = [Input::from_bytes("f", &recording.0)];
    convert(&inputs, &options, &mut text).unwrap();
    let text = String::from_utf8(text.into_inner()).unwrap();
    let flows = text.lines().filter(|line| line.contains(") -> "));
    flows.map(|line| line.trim().to_owned()).collect()
}

#[test]
fn every_item_comes_from_its_sender() {
    let send = |len_after| QueueSend { queue_id: 9, len_after };
    let receive = |len_after| QueueReceive { queue_id: 9, len_after };
    let recording = two_tasks()
        .meta(QueueName { queue_id: 9, name: str("rxq") })
        .at(1, TaskSwitchedIn { task_id: 1 })
        // There is one item in it already.
        .at(2, send(2))
        .at(3, send(3))
        .at(4, send(4))
        .at(4, QueueSentToFront { queue_id: 9 })
        .at(5, QueueReset { queue_id: 9 })
        .at(6, send(1))
        .at(7, send(2))
        .at(8, send(3))
        .at(8, QueueSentToFront { queue_id: 9 })
        // Its own items give no arrow.
        .at(9, receive(2))
        .at(10, TaskSwitchedIn { task_id: 2 })
        .at(11, receive(1))
        .at(12, IsrEnter { isr_id: 7 })
        .at(13, QueueReceiveFromIsr { queue_id: 9, len_after: 0 })
        .at(14, QueueSendFromIsr { queue_id: 9, len_after: 1 })
        .at(15, IsrExit { isr_id: 7 })
        .at(16, QueueOverwriteFromIsr { queue_id: 9, len_after: 1 })
        .at(17, receive(0));
    assert_eq!(
        flows_of(&recording),
        [
            "110 0 a (send rxq @60) -> b (receive rxq)",
            "130 0 a (send rxq @70) -> isr 7 (receive rxq)",
            "170 0 an interrupt (send rxq @160) -> b (receive rxq)",
        ]
    );
}

#[test]
fn a_mutex_goes_from_task_to_task() {
    let recording = two_tasks()
        .meta(QueueKind { queue_id: 1, kind: Kind::MUTEX })
        .meta(QueueName { queue_id: 1, name: str("mtx") })
        .at(0, QueueCreated { queue_id: 1 })
        .at(0, QueueSend { queue_id: 1, len_after: 1 })
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(2, QueueReceive { queue_id: 1, len_after: 0 })
        .at(3, QueueSend { queue_id: 1, len_after: 1 })
        .at(4, QueueReceive { queue_id: 1, len_after: 0 })
        .at(5, QueueSend { queue_id: 1, len_after: 1 })
        .at(6, TaskSwitchedIn { task_id: 2 })
        .at(7, QueueReceive { queue_id: 1, len_after: 0 });
    assert_eq!(flows_of(&recording), ["70 0 a (give mtx @50) -> b (take mtx)"]);
    // It woke no task.
    assert!(chosen_flows_of(&recording, Flows::Wakes).is_empty());
    let woken = wakes(for_item().at(4, QueueSend { queue_id: 9, len_after: 1 }))
        .at(7, QueueReceive { queue_id: 9, len_after: 0 });
    assert_eq!(chosen_flows_of(&woken, Flows::Wakes).len(), 1);
    assert!(chosen_flows_of(&woken, Flows::None).is_empty());
}

#[test]
fn a_gap_clears_the_senders() {
    let send = |len_after| QueueSend { queue_id: 9, len_after };
    let receive = |len_after| QueueReceive { queue_id: 9, len_after };
    let bytes = |amount, level_after| StreamBufferSend { stream_buffer_id: 9, amount, level_after };
    let take = |level_after| StreamBufferReceive { stream_buffer_id: 9, amount: 1, level_after };
    let recording = two_tasks()
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(2, send(1))
        .at(3, bytes(4, 4))
        .at(4, DroppedEvtCnt { cnt: 0 })
        .at(5, DroppedEvtCnt { cnt: 2 })
        .at(6, TaskSwitchedIn { task_id: 1 })
        .at(7, send(2))
        .at(8, bytes(4, 8))
        .at(9, TaskSwitchedIn { task_id: 2 })
        .at(10, receive(1))
        .at(11, take(4))
        .at(12, receive(0))
        .at(13, take(0));
    assert_eq!(
        flows_of(&recording),
        [
            "120 0 a (send queue 9 @70) -> b (receive queue 9)",
            "130 0 a (send stream buffer 9 @80) -> b (receive stream buffer 9)",
        ]
    );
}

#[test]
fn messages_come_from_their_senders() {
    let send = |amount, level_after| StreamBufferSend { stream_buffer_id: 9, amount, level_after };
    let receive =
        |amount, level_after| StreamBufferReceive { stream_buffer_id: 9, amount, level_after };
    // Each message takes four bytes more.
    let recording = two_tasks()
        .meta(StreamBufferName { stream_buffer_id: 9, name: str("log") })
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(2, send(2, 6))
        .at(3, send(10, 20))
        .at(4, TaskSwitchedIn { task_id: 2 })
        .at(5, receive(2, 14))
        .at(6, send(1, 19))
        .at(7, TaskSwitchedIn { task_id: 3 })
        .at(8, receive(10, 5))
        .at(9, receive(1, 0));
    assert_eq!(
        flows_of(&recording),
        [
            "50 0 a (send log @20) -> b (receive log)",
            "80 0 a (send log @30) -> task 3 (receive log)",
            "90 0 b (send log @60) -> task 3 (receive log)",
        ]
    );
}

#[test]
fn queues_and_tasks_say_more() {
    let recording = two_tasks()
        .meta(QueueKind { queue_id: 1, kind: Kind::RECURSIVE_MUTEX })
        .meta(QueueName { queue_id: 1, name: str("rec") })
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(2, QueueReceive { queue_id: 1, len_after: 0 })
        .at(2, MutexRecursiveTake { queue_id: 1, depth_after: 1 })
        .at(3, MutexRecursiveTake { queue_id: 1, depth_after: 2 })
        .at(4, MutexRecursiveGive { queue_id: 1, depth_after: 1 })
        .at(5, MutexRecursiveGiveFailed { queue_id: 1 })
        .at(6, QueuePeek { queue_id: 2 })
        .at(7, QueueSendFromIsrFailed { queue_id: 2 })
        .at(8, QueueDeleted { queue_id: 1 })
        .at(9, TaskCoreAffinitySet { task_id: 2, core_mask: 3 })
        .at(10, TaskStackHighWaterMark { task_id: 1, bytes: 96 })
        .at(11, TaskSwitchedOut { task_id: 1 })
        .at(11, TaskSwitchedIn { task_id: 2 })
        .at(12, CreateFailed { object: tband_format::Created::TASK });
    assert_details(
        &recording,
        Flows::Wakes,
        "10 0 a: unknown -> running
         20 0 rec: receive, level 0
         20 0 rec: taken by a
         20 0 rec: depth 1 by a
         30 0 rec: depth 2 by a
         40 0 rec: depth 1 by a
         50 0 rec: recursive give failed by a
         60 0 queue 2: peek by a
         70 0 queue 2: send failed by an interrupt
         80 0 rec: given
         80 0 rec: deleted by a
         90 0 b: may run on cores 0b11
         100 0 a: 96 bytes of stack never used
         110 0 a: running -> ready
         110 0 b: unknown -> running
         120 0 ! object that the kernel could not create @97: task b could not create a task
         120 0 b: runs on
         120 end",
    );
}
