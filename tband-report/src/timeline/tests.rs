//! Tests the limits of a timeline.

use tband_conv::{Input, Options, convert};
use tband_format::Event;
use tband_format::named::NotifyAction;
use tband_recordings::{Recording, two_tasks};

use super::{FINEST, OmittedItems, ReportTimeline};

/// Returns a recording with a switch to another task every 1000 ns, and an interrupt in each.
fn recording(switches: u64) -> Recording {
    let mut recording = Recording::default();
    for turn in 0..switches {
        let (at, task_id) = (1_000 * turn, 1 + (turn % 3) as u32);
        recording = recording
            .at(at, Event::TaskSwitchedIn { task_id })
            .at(at + 300, Event::IsrEnter { isr_id: 1 })
            .at(at + 310, Event::IsrExit { isr_id: 1 });
    }
    recording
}

fn left_out(recording: &Recording, max: usize) -> OmittedItems {
    let mut picture = ReportTimeline::with_at_most(max);
    convert(&[Input::from_bytes("a", &recording.0)], &Options::default(), &mut picture).unwrap();
    picture.left_out()
}

#[test]
fn neighbours_become_one_only_as_far_as_they_have_to() {
    const MAX: usize = 600;
    for times in [1, 3, 10, 30, 100] {
        let switches = MAX as u64 * times;
        let left_out = left_out(&recording(switches), MAX);
        let length = 1_000 * switches as i64;
        // Three tasks, a core and its interrupts, each an aggregate at a time, which counts as two.
        let ideal = length / (MAX as i64 / (2 * 5));
        let all = left_out.kept + 2 * left_out.aggregates;
        assert!(left_out.below_ns <= 4 * ideal.max(FINEST), "{times}: {left_out:?}, ideal {ideal}");
        assert!(all >= MAX as u64 / 4, "{times}: {left_out:?}");
        assert!(all <= MAX as u64 + 10, "{times}: {left_out:?}");
    }
}

#[test]
fn keeps_a_timeline_that_fits() {
    let recording = recording(100);
    let all = left_out(&recording, usize::MAX);
    assert_eq!(left_out(&recording, all.kept as usize), all);
    assert_eq!((all.aggregates, all.below_ns), (0, 0));
    let fewer = left_out(&recording, all.kept as usize - 10);
    assert!(fewer.aggregates > 0 && fewer.kept + fewer.aggregated == all.kept, "{fewer:?}");
}

/// Each row: its group, its name, and the slices of its first lane, packed.
fn rows(recording: &Recording) -> Vec<(String, String, Vec<u8>)> {
    let mut picture = ReportTimeline::default();
    convert(&[Input::from_bytes("a", &recording.0)], &Options::default(), &mut picture).unwrap();
    let head: serde_json::Value = serde_json::from_str(picture.head_text()).unwrap();
    let mut bytes = picture.bytes();
    let mut rows = Vec::new();
    for row in head["rows"].as_array().unwrap() {
        let lanes = row["lanes"].as_array().unwrap().iter();
        let mut lanes = lanes.map(|lane| {
            let (own, rest) = bytes.split_at(lane[2].as_u64().unwrap() as usize);
            bytes = rest;
            own.to_vec()
        });
        let first = lanes.next().unwrap();
        lanes.for_each(drop);
        let text = |name: &str| row[name].as_str().unwrap().to_owned();
        rows.push((text("group"), text("name"), first));
    }
    rows
}

#[test]
fn each_counter_has_a_row() {
    let action = NotifyAction::INCREMENT;
    let recording = two_tasks()
        .at(10, Event::TaskSwitchedIn { task_id: 1 })
        .at(20, Event::TaskNotify { task_id: 2, index: 3, action, value: 0, value_after: 1 })
        .at(30, Event::TaskStackHighWaterMark { task_id: 1, bytes: 50 })
        .at(40, Event::MutexRecursiveTake { queue_id: 5, depth_after: 1 })
        .at(50, Event::MutexRecursiveTake { queue_id: 5, depth_after: 2 })
        .at(60, Event::HeapMalloc { address: 8, size: 16, bytes_free: Some(40) })
        .at(70, Event::TaskSwitchedIn { task_id: 2 })
        .at(80, Event::Shed { class: 6, n: 7 })
        .at(90, Event::TaskSwitchedIn { task_id: 1 });
    let rows = rows(&recording);
    // The number of slices, and begin, length and twice the value of each, as varints.
    for (group, name, slices) in [
        ("Tasks", "unused stack of a", &[1, 200, 1, 217, 4, 100][..]),
        ("Tasks", "notification 3 of b", &[1, 100, 189, 5, 2]),
        ("Mutexes", "depth of queue 5", &[2, 172, 2, 100, 2, 0, 145, 3, 4]),
        ("Heap", "bytes in use", &[1, 244, 3, 173, 2, 32]),
        ("Heap", "bytes free", &[1, 244, 3, 173, 2, 80]),
        ("Not recorded", "class QUEUE, events shed", &[1, 188, 5, 101, 14]),
    ] {
        let row = (group.to_owned(), name.to_owned(), slices.to_vec());
        assert!(rows.contains(&row), "{row:?}: {rows:?}");
    }
}

#[test]
fn the_counters_of_a_deleted_task_end() {
    let recording = two_tasks()
        .at(10, Event::TaskSwitchedIn { task_id: 1 })
        .at(20, Event::TaskPrioritySet { task_id: 2, priority: 4 })
        .at(30, Event::TaskPrioritySet { task_id: 2, priority: 5 })
        .at(40, Event::TaskDeleted { task_id: 2 })
        .at(90, Event::TaskSwitchedIn { task_id: 3 });
    let row = ("Tasks".to_owned(), "priority of b".to_owned(), vec![2, 100, 100, 8, 0, 100, 10]);
    let rows = rows(&recording);
    assert!(rows.contains(&row), "{rows:?}");
}
