//! Where the real kernel records an event before its outcome is known, after its consequences, twice, or without effect: the
//! timeline shows the real course.

use tband_conv::Flows;
use tband_format::Event::*;
use tband_format::{NotifyAction, QueueKind as Kind};
use tband_recordings::{Recording, assert_details, str, two_tasks};

/// Task a waits, and b runs.
fn waits(event: tband_format::Event<'_>) -> Recording {
    two_tasks()
        .meta(IsrName { isr_id: 5, name: str("uart") })
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(2, event)
        .at(3, TaskSwitchedIn { task_id: 2 })
}

#[test]
fn a_recursive_mutex_is_asked_for_in_vain() {
    let take = MutexRecursiveTake { queue_id: 1, depth_after: 1 };
    let recording = two_tasks()
        .meta(QueueKind { queue_id: 1, kind: Kind::RECURSIVE_MUTEX })
        .meta(QueueName { queue_id: 1, name: str("rec") })
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(2, take)
        .at(2, QueueReceive { queue_id: 1, len_after: 0 })
        .at(3, MutexRecursiveTake { queue_id: 1, depth_after: 2 })
        .at(4, TaskSwitchedIn { task_id: 2 })
        .at(5, take)
        .at(5, QueueReceiveFailed { queue_id: 1 })
        .at(5, MutexRecursiveTakeFailed { queue_id: 1 })
        .at(6, take)
        .at(6, CurtaskBlockOnQueueReceive { queue_id: 1, ticks_to_wait: u32::MAX })
        .at(7, TaskSwitchedIn { task_id: 1 })
        .at(8, MutexRecursiveGive { queue_id: 1, depth_after: 1 })
        .at(9, MutexRecursiveGive { queue_id: 1, depth_after: 0 })
        .at(9, QueueSend { queue_id: 1, len_after: 1 })
        .at(9, TaskToRdyState { task_id: 2 })
        .at(10, TaskSwitchedIn { task_id: 2 })
        .at(11, QueueReceive { queue_id: 1, len_after: 0 });
    assert_details(
        &recording,
        Flows::Wakes,
        "10 0 a: unknown -> running
         20 0 rec: depth 1 by a
         20 0 rec: receive, level 0
         20 0 rec: taken by a
         30 0 rec: depth 2 by a
         40 0 a: running -> ready
         40 0 b: unknown -> running
         50 0 rec: receive failed by b
         50 0 rec: recursive take failed by b
         70 0 b: running -> blocked on mutex rec
         70 0 a: ready -> running
         80 0 rec: depth 1 by a
         90 0 rec: depth 0 by a
         90 0 rec: send, level 1
         90 0 rec: given
         90 0 b: blocked on mutex rec -> ready by a
         100 0 a: running -> ready
         100 0 b: ready -> running
         110 0 rec: receive, level 0
         110 0 rec: taken by b
         110 0 rec: depth 1 by b
         110 0 b: wait on mutex rec ended: satisfied
         110 0 a (give rec @90) -> b (take rec), woken
         110 0 b: runs on
         110 end",
    );
}

#[test]
fn an_abort_without_a_wait_is_ignored() {
    let recording = two_tasks()
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(2, TaskSuspended { task_id: 2 })
        .at(3, TaskDelayAbort { task_id: 2 })
        .at(4, TaskResumed { task_id: 2 })
        .at(5, TaskDelayAbort { task_id: 2 })
        // This one is unknown.
        .at(6, TaskDelayAbort { task_id: 3 });
    assert_details(
        &recording,
        Flows::Wakes,
        "10 0 a: unknown -> running
         20 0 b: unknown -> suspended
         40 0 b: suspended -> ready by a
         60 0 task 3: appears
         60 0 task 3: wait to be aborted
         60 0 a: runs on
         60 end",
    );
}

#[test]
fn bits_are_read_by_clearing_none() {
    let recording = two_tasks()
        .meta(EventGroupName { event_group_id: 1, name: str("flags") })
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(2, EventGroupClearBits { event_group_id: 1, bits: 0, bits_after: 5 })
        .at(3, EventGroupClearBits { event_group_id: 1, bits: 4, bits_after: 1 });
    assert_details(
        &recording,
        Flows::Wakes,
        "10 0 a: unknown -> running
         20 0 event group flags: found, bits 0b0101 (0x5)
         30 0 event group flags: clear 0x4, bits 0b0001 (0x1)
         30 0 a: runs on
         30 end",
    );
}

#[test]
fn ticks_are_put_off_and_made_up_for() {
    let recording = two_tasks()
        .at(1, TickIncrement { tick_count: 7 })
        // The scheduler is suspended.
        .at(2, TickIncrement { tick_count: 8 })
        .at(3, TickIncrement { tick_count: 8 })
        // It continues.
        .at(4, TickIncrement { tick_count: 8 })
        .at(4, TickIncrement { tick_count: 9 })
        .at(5, TickIncrement { tick_count: 10 });
    assert_details(
        &recording,
        Flows::Wakes,
        "10 0 tick count 8
         20 0 tick count 9
         40 0 tick count 10
         50 0 tick count 11
         50 end",
    );
}

#[test]
fn an_interrupt_sends_to_a_queue_set() {
    // It comes while a is about to wait, and again when a has not yet got what it waited for.
    let sends = |recording: Recording, ts: u64| {
        recording
            .at(ts, IsrEnter { isr_id: 5 })
            .at(ts, QueueSendFromIsr { queue_id: 2, len_after: 1 })
            .at(ts, QueueSend { queue_id: 3, len_after: 1 })
            .at(ts, IsrExit { isr_id: 5 })
    };
    let recording = two_tasks()
        .meta(IsrName { isr_id: 5, name: str("uart") })
        .meta(QueueKind { queue_id: 3, kind: Kind::QUEUE_SET })
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(2, CurtaskBlockOnQueueReceive { queue_id: 1, ticks_to_wait: u32::MAX });
    let recording = sends(recording, 3)
        .at(4, TaskSwitchedIn { task_id: 2 })
        .at(5, QueueSend { queue_id: 1, len_after: 1 })
        .at(5, TaskToRdyState { task_id: 1 })
        .at(6, TaskSwitchedIn { task_id: 1 });
    let recording = sends(recording, 7).at(8, QueueReceive { queue_id: 1, len_after: 0 });
    assert_details(
        &recording,
        Flows::Wakes,
        "10 0 a: unknown -> running
         30 0 isr uart begins
         30 0 queue 2: send from isr, level 1
         30 0 queue set 3: send from isr, level 1
         30 0 isr uart ends
         40 0 a: running -> blocked on queue_receive queue 1
         40 0 b: unknown -> running
         50 0 queue 1: send, level 1
         50 0 a: blocked on queue_receive queue 1 -> ready by b
         50 0 a: wait on queue_receive queue 1 ended: satisfied
         60 0 b: running -> ready
         60 0 a: ready -> running
         70 0 isr uart begins
         70 0 queue 2: send from isr, level 1
         70 0 queue set 3: send from isr, level 1
         70 0 isr uart ends
         80 0 queue 1: receive, level 0
         80 0 b (send queue 1 @50) -> a (receive queue 1), woken
         80 0 a: runs on
         80 end",
    );
}

#[test]
fn an_interrupt_reports_its_stream_buffer_act_last() {
    let (action, value, value_after) = (NotifyAction::NONE, 0, 0);
    let recording = waits(CurtaskBlockOnStreamBufferSend { stream_buffer_id: 9, ticks_to_wait: 8 })
        .at(4, IsrEnter { isr_id: 5 })
        .at(4, TaskNotifyFromIsr { task_id: 1, index: 0, action, value, value_after })
        .at(4, TaskToRdyState { task_id: 1 })
        .at(5, StreamBufferReceiveFromIsr { stream_buffer_id: 9, amount: 6, level_after: 2 })
        .at(6, IsrExit { isr_id: 5 })
        .at(7, TaskSwitchedIn { task_id: 1 })
        .at(8, CurtaskNotifyWait { index: 0, value: 0, received: 1 })
        .at(9, StreamBufferSend { stream_buffer_id: 9, amount: 5, level_after: 7 });
    assert_details(
        &recording,
        Flows::Wakes,
        "10 0 a: unknown -> running
         30 0 a: running -> blocked on stream_buffer_send stream buffer 9, 8 ticks at most
         30 0 b: unknown -> running
         40 0 isr uart begins
         40 0 a: notified [0], no action, value 0 by uart
         40 0 a: blocked on stream_buffer_send stream buffer 9 -> ready
         50 0 a: wait on stream_buffer_send stream buffer 9 ended: satisfied
         50 0 stream buffer 9: receive 6 by uart, level 2
         60 0 isr uart ends
         70 0 b: running -> ready
         70 0 a: ready -> running
         80 0 a: gets notification [0], value 0
         90 0 uart (receive stream buffer 9 @50) -> a (send stream buffer 9), woken
         90 0 stream buffer 9: send 5 by a, level 7
         90 0 a: runs on
         90 end",
    );
}
