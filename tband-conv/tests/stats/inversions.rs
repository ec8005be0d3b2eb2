//! Who delayed the holder of a mutex in a priority inversion; the tables of `stats` do not have it.

use tband_conv::sinks::Stats;
use tband_conv::{Input, Options, convert};
use tband_format::Event::*;
use tband_format::named::QueueKind as Kind;
use tband_recordings::{Recording, str};

const US: i64 = 1000;
/// Tasks 1 to 4: `low`, `medium` and `high` with priorities 1, 3 and 5, and the idle task.
const LOW: u32 = 1;
const MEDIUM: u32 = 2;
const HIGH: u32 = 3;
const IDLE: u32 = 4;
/// The mutex that `low` holds.
const BUS: u32 = 1;

fn start() -> Recording {
    Recording::default()
        .meta(TsResolutionNs { ns_per_ts: 1000 })
        .meta(TaskName { task_id: LOW, name: str("low") })
        .meta(TaskName { task_id: MEDIUM, name: str("medium") })
        .meta(TaskName { task_id: HIGH, name: str("high") })
        .meta(TaskIsIdleTask { task_id: IDLE, core_id: 0 })
        .meta(QueueKind { queue_id: BUS, kind: Kind::MUTEX })
        .at(0, TaskPrioritySet { task_id: LOW, priority: 1 })
        .at(0, TaskPrioritySet { task_id: MEDIUM, priority: 3 })
        .at(0, TaskPrioritySet { task_id: HIGH, priority: 5 })
}

/// The task with a priority between both is named, if one of the tasks that run in that time has one: the others do not make it
/// an inversion.
#[test]
fn an_inversion_names_the_task_of_middle_priority() {
    const URGENT: u32 = 6;
    let between = |it: Option<u32>| {
        let (from, until) = (120, it.map_or(120, |_| 130));
        let runs = |task_id| TaskSwitchedIn { task_id };
        let take = QueueReceive { queue_id: BUS, len_after: 0 };
        let mut recording = start()
            .at(0, TaskPrioritySet { task_id: URGENT, priority: 9 })
            .at(0, runs(LOW))
            .at(10, take)
            .at(20, TaskToRdyState { task_id: HIGH })
            .at(21, runs(HIGH))
            .at(30, CurtaskBlockOnQueueReceive { queue_id: BUS, ticks_to_wait: u32::MAX })
            .at(31, runs(LOW))
            .at(40, runs(URGENT));
        if let Some(task) = it {
            recording = recording.at(from, runs(task));
        }
        let recording = recording
            .at(until, runs(LOW))
            .at(150, QueueSend { queue_id: BUS, len_after: 1 })
            .at(151, TaskToRdyState { task_id: HIGH })
            .at(153, runs(HIGH))
            .at(154, take)
            // Its later priority does not count.
            .at(160, TaskPrioritySet { task_id: MEDIUM, priority: 8 });
        let mut stats = Stats::default();
        let inputs = [Input::from_bytes("r", &recording.0)];
        convert(&inputs, &Options::default(), &mut stats).unwrap();
        let [it] = stats.inversions().collect::<Vec<_>>()[..] else { panic!("{stats:?}") };
        let delay = it.delay.as_ref();
        let delay = delay.map(|it| (it.by.name.clone(), it.at_ns / US, it.ran_ns / US));
        (it.between.as_ref().map(|it| (it.name.clone(), it.priority)), it.between_ns / US, delay)
    };
    let medium = || "medium".to_owned();
    assert_eq!(between(Some(MEDIUM)), (Some((medium(), Some(3))), 10, Some((medium(), 31, 10))));
    // Without a priority, the task that ran longest counts.
    assert_eq!(between(None), (Some(("task 6".to_owned(), Some(9))), 80, None));
    assert_eq!(between(Some(IDLE)), (Some(("task 6".to_owned(), Some(9))), 80, None));
}
