//! Chains of locks: to the task that ran instead of the holder.

use tband_format::Event::*;

use crate::set_up::{BUS, FLAG, HIGH, IDLE, LOW, MEDIUM, RecordingExt, follow, of, start};

/// `high` waits for a lock that `low` holds while `medium` runs.
#[test]
fn a_chain_leads_to_the_task_that_ran_instead() {
    for lock in [BUS, FLAG] {
        let recording = start()
            .send(0, lock, 1)
            .runs(0, LOW)
            .take(10, lock, 0)
            .wake(20, MEDIUM)
            .runs(21, MEDIUM)
            .wake(30, HIGH)
            .runs(31, HIGH)
            .wait(40, lock)
            .runs(41, MEDIUM)
            .delays(100)
            .runs(101, LOW)
            .at(110, IsrEnter { isr_id: 7 })
            .at(112, IsrExit { isr_id: 7 })
            .send(120, lock, 1)
            .wake(120, HIGH)
            .runs(121, HIGH)
            .take(122, lock, 0)
            .send(130, lock, 1)
            .delays(140)
            .runs(141, IDLE);
        let lines = follow(&recording);
        let name = if lock == BUS { "bus" } else { "flag" };
        let parts: Vec<_> =
            of(&lines.parts, "high 1").iter().map(|part| part.replace(name, "L")).collect();
        assert_eq!(
            parts,
            [
                "high 1: 30 to 31 held off by medium",
                "high 1: 31 to 41 own",
                "high 1: 41 to 101 lock L held by low > preempted by medium",
                "high 1: 101 to 110 lock L held by low > own",
                "high 1: 110 to 112 lock L held by low > interrupt UART",
                "high 1: 112 to 120 lock L held by low > own",
                "high 1: 120 to 122 lock L > handed over",
                "high 1: 122 to 141 own",
            ]
        );
        assert_eq!(
            of(&lines.activations, "high"),
            [
                "high 1: unknown 30, ready 30, started 31, ended 141, begin unseen, 1 resumes, inverted 60"
            ]
        );
        assert_eq!(
            lines.holds,
            [
                format!("{name} by low: 10 to 120, 1 waited"),
                format!("{name} by high: 122 to 130, 0 waited"),
            ]
        );
    }
}

/// A faster task takes the lock after it was given and before the waiter ran.
#[test]
fn a_lock_that_is_stolen_is_held_by_the_thief() {
    let recording = start()
        .send(0, BUS, 1)
        .runs(0, LOW)
        .take(10, BUS, 0)
        .wake(20, MEDIUM)
        .runs(21, MEDIUM)
        .wait(30, BUS)
        .runs(31, LOW)
        .wake(40, HIGH)
        .send(50, BUS, 1)
        .wake(50, MEDIUM)
        .runs(60, HIGH)
        .take(61, BUS, 0)
        .delays(70)
        .runs(71, MEDIUM)
        .wait(72, BUS)
        .runs(73, IDLE)
        .wake(80, HIGH)
        .runs(81, HIGH)
        .send(90, BUS, 1)
        .wake(90, MEDIUM)
        .delays(95)
        .runs(96, MEDIUM)
        .take(97, BUS, 0)
        .send(99, BUS, 1)
        .delays(100)
        .runs(101, IDLE);
    let lines = follow(&recording);
    assert_eq!(
        of(&lines.parts, "medium 1"),
        [
            "medium 1: 20 to 21 held off by low",
            "medium 1: 21 to 31 own",
            "medium 1: 31 to 50 lock bus held by low > own",
            "medium 1: 50 to 61 lock bus > handed over",
            "medium 1: 61 to 71 lock bus held by high > own",
            "medium 1: 71 to 80 lock bus held by high > waits for delay",
            "medium 1: 80 to 81 lock bus held by high > held off by IDLE",
            "medium 1: 81 to 90 lock bus held by high > own",
            "medium 1: 90 to 97 lock bus > handed over",
            "medium 1: 97 to 101 own",
        ]
    );
}

#[test]
fn a_cycle_is_a_deadlock() {
    let recording = start()
        .meta(QueueKind { queue_id: FLAG, kind: tband_format::QueueKind::MUTEX })
        .send(0, BUS, 1)
        .send(0, FLAG, 1)
        .runs(0, LOW)
        .take(10, BUS, 0)
        .wake(20, HIGH)
        .runs(21, HIGH)
        .take(30, FLAG, 0)
        .wait(40, BUS)
        .runs(41, LOW)
        .wait(50, FLAG)
        .runs(51, IDLE)
        .at(100, IsrEnter { isr_id: 7 })
        .at(101, IsrExit { isr_id: 7 });
    let lines = follow(&recording);
    assert_eq!(
        of(&lines.parts, "high 1").last(),
        Some(&"high 1: 51 to 101 lock bus held by low > lock flag held by high > deadlock")
    );
    assert_eq!(
        lines.holds,
        [
            "bus by low: 10 to 101, 1 waited, give unseen",
            "flag by high: 30 to 101, 1 waited, give unseen"
        ]
    );
}

/// A semaphore that an interrupt gives is a signal, so a wait for it is a wait for work.
#[test]
fn a_semaphore_that_an_interrupt_gives_is_work() {
    let recording = start().runs(0, MEDIUM).wait(5, FLAG).runs(6, IDLE);
    let give = |recording: tband_recordings::Recording, us| {
        recording
            .at(us, IsrEnter { isr_id: 7 })
            .at(us + 1, QueueSendFromIsr { queue_id: FLAG, len_after: 1 })
            .wake(us + 1, MEDIUM)
            .at(us + 2, IsrExit { isr_id: 7 })
            .runs(us + 3, MEDIUM)
            .take(us + 4, FLAG, 0)
            .wait(us + 9, FLAG)
            .runs(us + 10, IDLE)
    };
    let lines = follow(&give(give(recording, 100), 200));
    assert_eq!(
        of(&lines.activations, "medium")[1..],
        [
            "medium 2: item by UART 101, ready 101, started 103, ended 110",
            "medium 3: item by UART 201, ready 201, started 203, ended 210",
        ]
    );
    assert_eq!(lines.holds, [""; 0]);
}
