//! Rare orders of events, each of which was once misjudged: `cargo xtask paint` found them.

use tband_format::Event::*;
use tband_format::QueueKind as Kind;

use crate::set_up::{BUS, FLAG, HIGH, IDLE, LOW, MEDIUM, QUEUE, RecordingExt, follow, of, start};

const FOREVER: u32 = u32::MAX;

/// While a task is suspended it waits for no lock, although it will try again.
#[test]
fn a_task_that_waits_for_a_lock_is_suspended() {
    let recording = start()
        .send(0, BUS, 1)
        .runs(0, LOW)
        .take(10, BUS, 0)
        .wake(20, MEDIUM)
        .runs(21, MEDIUM)
        .wait(30, BUS)
        .runs(31, LOW)
        .at(40, TaskSuspended { task_id: MEDIUM })
        .at(50, TaskResumed { task_id: MEDIUM })
        .delays(60)
        .runs(61, IDLE);
    let lines = follow(&recording);
    let parts = of(&lines.parts, "medium 1");
    assert!(parts.contains(&"medium 1: 31 to 40 lock bus held by low > own"), "{parts:?}");
    assert!(parts.contains(&"medium 1: 40 to 50 suspended by low"), "{parts:?}");
}

/// An item that a task sends to itself releases its next activation when it was sent.
#[test]
fn an_item_from_itself_releases() {
    let recording = start()
        .runs(0, LOW)
        .wait(10, QUEUE)
        .runs(11, IDLE)
        .at(20, IsrEnter { isr_id: 7 })
        .at(21, QueueSendFromIsr { queue_id: QUEUE, len_after: 1 })
        .wake(21, LOW)
        .at(22, IsrExit { isr_id: 7 })
        .runs(23, LOW)
        .take(24, QUEUE, 0)
        .send(30, QUEUE, 1)
        .take(40, QUEUE, 0)
        .wait(50, QUEUE)
        .runs(51, IDLE);
    let lines = follow(&recording);
    assert_eq!(
        of(&lines.activations, "low").last(),
        Some(&"low 3: item by low 30, ready 40, started 40, ended 51")
    );
    assert_eq!(of(&lines.parts, "low 3")[0], "low 3: 30 to 40 backlog");
}

/// Another task takes a semaphore that a task waits for, before that task can.
#[test]
fn a_semaphore_is_stolen() {
    let recording = start()
        .send(0, FLAG, 1)
        .runs(0, LOW)
        .take(10, FLAG, 0)
        .wake(20, HIGH)
        .runs(21, HIGH)
        .wait(30, FLAG)
        .runs(31, LOW)
        .send(40, FLAG, 1)
        .wake(40, HIGH)
        .take(45, FLAG, 0)
        .runs(50, HIGH)
        .at(55, QueueReceiveFailed { queue_id: FLAG })
        .delays(60)
        .runs(61, LOW);
    let lines = follow(&recording);
    assert_eq!(
        of(&lines.parts, "high 1"),
        [
            "high 1: 20 to 21 held off by low",
            "high 1: 21 to 31 own",
            "high 1: 31 to 40 lock flag held by low > own",
            "high 1: 40 to 45 lock flag > handed over",
            "high 1: 45 to 50 lock flag held by low > own",
            "high 1: 50 to 55 lock flag held by low > preempted by high",
            "high 1: 55 to 61 own",
        ]
    );
}

/// The program sets the priority of a task that inherits: its base priority decides which task pushes.
#[test]
fn a_base_priority_is_set_while_another_is_inherited() {
    let recording = start()
        .runs(0, LOW)
        .at(10, TaskPriorityInherit { task_id: LOW, priority: 5 })
        .at(15, TaskPrioritySet { task_id: LOW, priority: 4 })
        .wake(20, MEDIUM)
        .at(30, TaskPrioritySet { task_id: LOW, priority: 2 })
        .runs(40, MEDIUM)
        .delays(50)
        .runs(51, LOW);
    let lines = follow(&recording);
    assert_eq!(
        of(&lines.parts, "medium 1")[..2],
        ["medium 1: 20 to 30 preempted by low", "medium 1: 30 to 40 pushed by low"]
    );
}

/// A task that was woken, finds nothing and stops waiting was released by its waker, not by the time limit.
#[test]
fn a_woken_task_gives_up() {
    let recording = start()
        .runs(0, HIGH)
        .at(10, CurtaskBlockOnQueueReceive { queue_id: QUEUE, ticks_to_wait: 9 })
        .runs(11, LOW)
        .send(20, QUEUE, 1)
        .wake(20, HIGH)
        .take(22, QUEUE, 0)
        .runs(30, HIGH)
        .at(31, QueueReceiveFailed { queue_id: QUEUE })
        .delays(40)
        .runs(41, LOW);
    let lines = follow(&recording);
    assert_eq!(
        of(&lines.activations, "high").last(),
        Some(&"high 2: item by low 20, ready 20, started 30, ended 41")
    );
}

/// After a loss nothing shows whether a semaphore is a lock, so a wait for it is not a certain end.
#[test]
fn the_use_of_a_semaphore_is_lost() {
    let recording = start()
        .send(0, FLAG, 1)
        .runs(0, LOW)
        .take(10, FLAG, 0)
        .wake(15, HIGH)
        .at(20, DroppedEvtCnt { cnt: 3 })
        .runs(21, HIGH)
        .at(30, CurtaskBlockOnQueueReceive { queue_id: FLAG, ticks_to_wait: FOREVER })
        .runs(31, LOW)
        .send(40, FLAG, 1)
        .wake(40, HIGH)
        .runs(41, HIGH)
        .take(42, FLAG, 0)
        .delays(50)
        .runs(51, LOW);
    let lines = follow(&recording);
    let of_high = of(&lines.activations, "high");
    assert!(!of_high.is_empty());
    let is_cut = |line: &&str| line.contains("begin unseen") || line.contains("cut");
    assert!(of_high.iter().all(is_cut), "{of_high:#?}");
}

/// After a loss it is not known whether a lock is free.
#[test]
fn the_holder_of_a_lock_is_lost() {
    let recording = start()
        .meta(QueueKind { queue_id: BUS, kind: Kind::MUTEX })
        .send(0, BUS, 1)
        .runs(0, LOW)
        .take(10, BUS, 0)
        .at(20, DroppedEvtCnt { cnt: 3 })
        .runs(21, HIGH)
        .at(30, CurtaskBlockOnQueueReceive { queue_id: BUS, ticks_to_wait: FOREVER })
        .runs(31, LOW)
        .send(40, BUS, 1)
        .wake(40, HIGH)
        .runs(41, HIGH);
    let lines = follow(&recording);
    let parts = of(&lines.parts, "high");
    assert!(parts.iter().any(|it| it.ends_with("31 to 40 lock bus > unknown")), "{parts:#?}");
    assert!(parts.iter().any(|it| it.ends_with("lock bus > handed over")), "{parts:#?}");
}

/// A cut activation claims no more time than the one that was cut took: the wait in the gap may have ended it.
#[test]
fn a_suspension_after_a_loss_changes_no_activation() {
    let recording = start()
        .runs(0, LOW)
        .wake(10, HIGH)
        .at(20, DroppedEvtCnt { cnt: 3 })
        .runs(21, LOW)
        .at(30, TaskSuspended { task_id: HIGH })
        .at(90, TaskResumed { task_id: HIGH })
        .wake(90, HIGH)
        .runs(91, HIGH)
        .delays(95)
        .runs(96, LOW);
    let lines = follow(&recording);
    let of_high = of(&lines.activations, "high");
    assert!(of_high.iter().any(|it| it.contains("ended 96, begin unseen")), "{of_high:#?}");
    assert!(
        !of(&lines.parts, "high").iter().any(|it| it.contains("suspended")),
        "{:#?}",
        lines.parts
    );
}

/// The object that releases an activation is not known after a loss, so each take may begin the next one.
#[test]
fn a_take_after_a_loss_may_begin_an_activation() {
    let recording = start()
        .runs(0, LOW)
        .at(20, DroppedEvtCnt { cnt: 3 })
        .runs(21, HIGH)
        .take(30, QUEUE, 1)
        .take(50, QUEUE, 0)
        .wait(60, QUEUE)
        .runs(61, LOW);
    let lines = follow(&recording);
    let of_high = of(&lines.activations, "high");
    assert_eq!(of_high.len(), 3, "{of_high:#?}");
    assert!(of_high.iter().all(|it| it.contains("begin unseen")), "{of_high:#?}");
}
