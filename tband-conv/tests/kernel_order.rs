//! Where the real kernel records a thing before it knows its outcome, behind what followed from it, twice,
//! or though nothing happened: what is shown is what happened.

mod support;

use support::{assert_details, str, two_tasks};
use tband_conv::Flows;
use tband_format::Event::*;

#[test]
fn there_is_no_wait_to_abort() {
    let recording = two_tasks()
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(2, TaskSuspended { task_id: 2 })
        .at(3, TaskDelayAbort { task_id: 2 })
        .at(4, TaskResumed { task_id: 2 })
        .at(5, TaskDelayAbort { task_id: 2 })
        // Of this one nothing is known.
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
        // It goes on.
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
