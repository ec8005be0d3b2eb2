//! Priorities: a task that inherits one keeps it while its base priority is set.

use tband_conv::{Input, Options};
use tband_format::Event::{self, *};
use tband_recordings::{Recording, timeline_of, two_tasks};

/// The recording's start, of a kernel of this version; task 1 has priority 1, and inherits 35 from task 2.
fn inherited(kernel_version: Option<u32>) -> Recording {
    two_tasks()
        .meta(TraceInfo {
            format_version: 1,
            core_count: 1,
            flags: 1,
            kernel_version,
            tick_rate_hz: kernel_version.map(|_| 1000),
        })
        .meta(TaskBasePriority { task_id: 1, priority: 1 })
        .at(1, TaskSwitchedIn { task_id: 2 })
        .at(2, TaskPriorityInherit { task_id: 1, priority: 35 })
        .at(3, TaskSwitchedIn { task_id: 1 })
}

fn set(priority: u32) -> Event<'static> {
    TaskPrioritySet { task_id: 1, priority }
}

/// Returns the priorities of the timeline after the first inheritance.
fn priorities(recording: &Recording) -> Vec<String> {
    let (text, _) = timeline_of(&[Input::from_bytes("r", &recording.0)], &Options::default());
    let lines = text.lines().filter_map(|line| line.split_once(": "));
    let of_priority = lines.map(|it| it.1.to_owned()).filter(|it| it.contains("priority"));
    of_priority.skip_while(|it| it != "inherits priority 35").skip(1).collect()
}

/// From V11 on the kernel uses a higher base priority at once; older ones when the mutex is given.
#[test]
fn a_base_priority_above_the_inherited_one_depends_on_the_kernel() {
    let steps = |version| inherited(version).at(4, set(40)).at(5, set(20));
    for version in [None, Some(110_000), Some(110_200)] {
        // Once it is used nothing is inherited.
        assert_eq!(priorities(&steps(version)), ["priority 40", "priority 20"], "{version:?}");
    }
    let older = ["base priority 40, still priority 35", "base priority 20, still priority 35"];
    for version in [Some(100_402), Some(100_602)] {
        assert_eq!(priorities(&steps(version)), older, "{version:?}");
    }
    // A base priority that equals the inherited one is not an inherited one.
    let equal = inherited(Some(100_602)).at(4, set(35)).at(5, set(5));
    assert_eq!(priorities(&equal), ["priority 35", "priority 5"]);
}
