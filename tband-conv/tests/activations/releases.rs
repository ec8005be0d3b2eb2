//! Begins and ends of activations, and their causes.

use tband_format::Event::*;
use tband_format::NotifyAction;
use tband_recordings::Recording;

use crate::set_up::{HIGH, IDLE, LOW, MEDIUM, QUEUE, RecordingExt, follow, of, start};

#[test]
fn a_delay_releases_and_ends_activations() {
    let recording = start()
        .runs(0, HIGH)
        .delays(10)
        .runs(11, IDLE)
        .wake(100, HIGH)
        .runs(103, HIGH)
        .delays(120)
        .runs(121, IDLE)
        .wake(200, HIGH)
        .runs(202, HIGH)
        .delays(210)
        .runs(211, IDLE);
    let lines = follow(&recording);
    assert_eq!(
        of(&lines.activations, "high"),
        [
            "high 1: unknown 0, ready 0, started 0, ended 11, begin unseen",
            "high 2: tick 100, ready 100, started 103, ended 121",
            "high 3: tick 200, ready 200, started 202, ended 211",
        ]
    );
    assert_eq!(
        of(&lines.parts, "high 2"),
        ["high 2: 100 to 103 held off by IDLE", "high 2: 103 to 121 own"]
    );
}

/// Three items are there before the task takes the first: each is an activation, released when it was sent.
#[test]
fn each_item_is_an_activation_released_when_it_was_sent() {
    let recording = start()
        .runs(0, MEDIUM)
        .wait(5, QUEUE)
        .runs(6, IDLE)
        .at(10, IsrEnter { isr_id: 7 })
        .at(11, QueueSendFromIsr { queue_id: QUEUE, len_after: 1 })
        .wake(11, MEDIUM)
        .at(12, IsrExit { isr_id: 7 })
        .runs(13, MEDIUM)
        .take(14, QUEUE, 0)
        .at(20, IsrEnter { isr_id: 7 })
        .at(21, QueueSendFromIsr { queue_id: QUEUE, len_after: 1 })
        .at(22, IsrExit { isr_id: 7 })
        .at(30, IsrEnter { isr_id: 7 })
        .at(31, QueueSendFromIsr { queue_id: QUEUE, len_after: 2 })
        .at(32, IsrExit { isr_id: 7 })
        .take(50, QUEUE, 1)
        .take(60, QUEUE, 0)
        .wait(70, QUEUE)
        .runs(71, IDLE);
    let lines = follow(&recording);
    assert_eq!(
        of(&lines.activations, "medium")[1..],
        [
            "medium 2: item by UART 11, ready 11, started 13, ended 50",
            "medium 3: item by UART 21, ready 50, started 50, ended 60",
            "medium 4: item by UART 31, ready 60, started 60, ended 71",
        ]
    );
    assert_eq!(
        of(&lines.parts, "medium 3"),
        ["medium 3: 21 to 50 backlog", "medium 3: 50 to 60 own"]
    );
    assert_eq!(
        of(&lines.activations, "UART"),
        [
            "UART 1: interrupt 10, ready 10, started 10, ended 12",
            "UART 2: interrupt 20, ready 20, started 20, ended 22",
            "UART 3: interrupt 30, ready 30, started 30, ended 32",
        ]
    );
}

/// Takes of another object belong to the activation.
#[test]
fn a_take_of_another_object_ends_no_activation() {
    let recording = start()
        .runs(0, MEDIUM)
        .delays(5)
        .runs(6, IDLE)
        .send(7, QUEUE, 1)
        .send(8, QUEUE, 2)
        .wake(100, MEDIUM)
        .runs(101, MEDIUM)
        .take(110, QUEUE, 1)
        .take(120, QUEUE, 0)
        .delays(130)
        .runs(131, IDLE);
    let lines = follow(&recording);
    assert_eq!(
        of(&lines.activations, "medium")[1..],
        ["medium 2: tick 100, ready 100, started 101, ended 131"]
    );
}

fn notified(recording: Recording, us: u64, value_after: u32) -> Recording {
    recording.at(
        us,
        TaskNotify {
            task_id: MEDIUM,
            index: 0,
            action: NotifyAction::INCREMENT,
            value: 0,
            value_after,
        },
    )
}

/// Several gives that one take serves are one activation, released by the first.
#[test]
fn merged_notifications_are_counted() {
    let recording = start()
        .runs(0, MEDIUM)
        .at(5, CurtaskBlockOnNotifyTake { index: 0, ticks_to_wait: u32::MAX })
        .runs(6, HIGH);
    let recording = notified(recording, 10, 1).wake(10, MEDIUM);
    let recording = notified(notified(recording, 20, 2), 30, 3)
        .delays(40)
        .runs(41, MEDIUM)
        .at(42, CurtaskNotifyTake { index: 0, value: 3, value_after: 0 });
    let recording = notified(recording, 50, 1)
        .at(60, CurtaskNotifyTake { index: 0, value: 1, value_after: 0 })
        .at(70, CurtaskBlockOnNotifyTake { index: 0, ticks_to_wait: u32::MAX })
        .runs(71, IDLE);
    let lines = follow(&recording);
    assert_eq!(
        of(&lines.activations, "medium")[1..],
        [
            "medium 2: notify by high 10, ready 10, started 41, ended 60, 3 merged",
            "medium 3: notify 50, ready 60, started 60, ended 71",
        ]
    );
    assert_eq!(
        of(&lines.parts, "medium 2"),
        ["medium 2: 10 to 41 preempted by high", "medium 2: 41 to 60 own"]
    );
}

#[test]
fn a_timeout_is_a_separate_release() {
    let recording = start()
        .runs(0, MEDIUM)
        .at(5, CurtaskBlockOnQueueReceive { queue_id: QUEUE, ticks_to_wait: 10 })
        .runs(6, IDLE)
        .wake(100, MEDIUM)
        .runs(101, MEDIUM)
        .at(102, QueueReceiveFailed { queue_id: QUEUE })
        .delays(110)
        .runs(111, IDLE);
    let lines = follow(&recording);
    assert_eq!(
        of(&lines.activations, "medium")[1..],
        ["medium 2: timeout 100, ready 100, started 101, ended 111"]
    );
}

#[test]
fn a_deleted_task_ends_its_activation() {
    let recording = start()
        .runs(0, IDLE)
        .at(5, TaskCreated { task_id: LOW })
        .wake(6, LOW)
        .runs(10, LOW)
        .at(20, TaskDeleted { task_id: LOW })
        .runs(21, IDLE)
        .at(30, Evtmarker { evtmarker_id: 1, msg: tband_recordings::str("end") });
    let lines = follow(&recording);
    // Its number is that of a task that did not exist before, so it has no name.
    assert_eq!(lines.activations, ["task 1 1: ready by IDLE 6, ready 6, started 10, ended 21"]);
}
