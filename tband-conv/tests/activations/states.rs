//! Paths of ready tasks, interrupts within each other, gaps, and the ends of recordings.

use tband_format::Event::*;
use tband_recordings::str;

use crate::set_up::{HIGH, IDLE, LOW, MEDIUM, RecordingExt, follow, of, start};

#[test]
fn nested_interrupts_are_the_innermost() {
    let recording = start()
        .runs(0, MEDIUM)
        .at(10, IsrEnter { isr_id: 7 })
        .at(20, IsrEnter { isr_id: 8 })
        .at(25, IsrExit { isr_id: 8 })
        .at(40, IsrExit { isr_id: 7 })
        .delays(50)
        .runs(51, IDLE);
    let lines = follow(&recording);
    assert_eq!(
        of(&lines.parts, "medium"),
        [
            "medium 1: 0 to 10 own",
            "medium 1: 10 to 20 interrupt UART",
            "medium 1: 20 to 25 interrupt ADC",
            "medium 1: 25 to 40 interrupt UART",
            "medium 1: 40 to 51 own",
        ]
    );
    assert_eq!(
        of(&lines.parts, "UART"),
        ["UART 1: 10 to 20 own", "UART 1: 20 to 25 interrupt ADC", "UART 1: 25 to 40 own"]
    );
}

#[test]
fn a_ready_task_is_preempted_shares_or_is_held_off() {
    let recording = start()
        .runs(0, IDLE)
        .wake(10, MEDIUM)
        .runs(12, MEDIUM)
        .wake(20, HIGH)
        .runs(21, HIGH)
        .delays(30)
        .at(30, TaskPrioritySet { task_id: LOW, priority: 3 })
        .wake(30, LOW)
        .runs(31, LOW)
        .delays(50)
        .runs(51, MEDIUM)
        .delays(60)
        .runs(61, IDLE);
    let lines = follow(&recording);
    assert_eq!(
        of(&lines.parts, "medium 1"),
        [
            "medium 1: 10 to 12 held off by IDLE",
            "medium 1: 12 to 21 own",
            "medium 1: 21 to 31 preempted by high",
            "medium 1: 31 to 51 shares with low",
            "medium 1: 51 to 61 own",
        ]
    );
}

/// `low` runs with a priority that it inherited from another task than `medium`.
#[test]
fn a_task_with_an_inherited_priority_pushes() {
    let recording = start()
        .runs(0, LOW)
        .at(10, TaskPriorityInherit { task_id: LOW, priority: 5 })
        .wake(20, MEDIUM)
        .at(40, TaskPriorityDisinherit { task_id: LOW, priority: 1 })
        .runs(41, MEDIUM)
        .delays(50)
        .runs(51, LOW);
    let lines = follow(&recording);
    assert_eq!(
        of(&lines.parts, "medium 1"),
        [
            "medium 1: 20 to 40 pushed by low",
            "medium 1: 40 to 41 held off by low",
            "medium 1: 41 to 51 own",
        ]
    );
}

#[test]
fn suspension_by_another_task_is_part_of_an_activation() {
    let recording = start()
        .runs(0, MEDIUM)
        .delays(5)
        .runs(6, IDLE)
        .wake(10, MEDIUM)
        .runs(11, MEDIUM)
        .wake(20, HIGH)
        .runs(21, HIGH)
        .at(30, TaskSuspended { task_id: MEDIUM })
        .at(40, TaskResumed { task_id: MEDIUM })
        .wake(40, MEDIUM)
        .delays(50)
        .runs(51, MEDIUM)
        .at(60, TaskSuspended { task_id: MEDIUM })
        .runs(61, IDLE);
    let lines = follow(&recording);
    assert_eq!(
        of(&lines.parts, "medium 2"),
        [
            "medium 2: 10 to 11 held off by IDLE",
            "medium 2: 11 to 21 own",
            "medium 2: 21 to 30 preempted by high",
            "medium 2: 30 to 40 suspended by high",
            "medium 2: 40 to 51 preempted by high",
            "medium 2: 51 to 61 own",
        ]
    );
}

/// A loss inside an activation: known parts up to it, then unknown time, and a lower bound.
#[test]
fn a_loss_cuts_an_activation() {
    let recording = start()
        .runs(0, MEDIUM)
        .delays(5)
        .runs(6, IDLE)
        .wake(10, MEDIUM)
        .runs(11, MEDIUM)
        .at(30, DroppedEvtCnt { cnt: 0 })
        .at(40, DroppedEvtCnt { cnt: 3 })
        .runs(50, MEDIUM)
        .delays(60)
        .runs(61, IDLE);
    let lines = follow(&recording);
    let activations = of(&lines.activations, "medium");
    assert!(activations.iter().any(|line| line.contains("cut")), "{activations:#?}");
    assert!(lines.parts.iter().any(|line| line.contains("unknown")), "{:#?}", lines.parts);
}

#[test]
fn an_activation_that_is_open_at_the_end_is_a_lower_bound() {
    let recording = start()
        .runs(0, IDLE)
        .at(5, IsrEnter { isr_id: 7 })
        .wake(10, HIGH)
        .at(12, Valmarker { valmarker_id: 1, val: 1 });
    let lines = follow(&recording);
    assert_eq!(
        lines.activations,
        [
            "UART 1: interrupt 5, ready 5, started 5, ended 12, cut",
            "high 1: unknown 10, ready 10, started never, ended 12, begin unseen, cut",
        ]
    );
}

/// Each switch is a border in the activation of each ready task: only a limited number is followed, and the time of the others
/// is unknown.
#[test]
fn of_very_many_ready_tasks_some_are_cut() {
    const TASKS: u32 = 600;
    const FOLLOWED: usize = 512;
    let mut recording = start().runs(5, IDLE);
    for task in 0..TASKS {
        let task_id = 100 + task;
        recording = recording
            .meta(TaskName { task_id, name: str(&format!("t{task}")) })
            .at(10, TaskCreated { task_id })
            .at(10, TaskToRdyState { task_id });
    }
    let recording = recording.runs(20, 100).delays(30).runs(40, 101).delays(50).runs(60, IDLE);
    let lines = follow(&recording);
    let of = |task: u32| {
        let name = format!("t{task} ");
        let starts = |line: &&String| line.starts_with(&name);
        (
            lines.activations.iter().filter(starts).collect::<Vec<_>>(),
            lines.parts.iter().filter(starts).collect::<Vec<_>>(),
        )
    };
    let (first, parts) = of(0);
    assert_eq!(first.len(), 1, "{first:?}");
    assert!(!first[0].ends_with(", cut"), "{first:?}");
    assert!(parts.len() > 1 && !parts.iter().any(|part| part.ends_with("unknown")), "{parts:?}");
    let (last, parts) = of(TASKS - 1);
    assert_eq!(last.len(), 1, "{last:?}");
    assert!(last[0].ends_with(", cut"), "{last:?}");
    assert!(matches!(parts[..], [part] if part.ends_with(" unknown")), "{parts:?}");
    let unknown = lines.parts.iter().filter(|part| part.ends_with("unknown")).count();
    assert_eq!(unknown, TASKS as usize - FOLLOWED);
}
