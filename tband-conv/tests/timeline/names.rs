//! Names of objects and of waits for them.

use tband_conv::{Input, Options};
use tband_format::Event::*;
use tband_format::named::QueueKind as Kind;
use tband_recordings::{Recording, str, timeline_of, two_tasks};

#[track_caller]
fn assert_has(recording: &Recording, line: &str) {
    let (text, _) = timeline_of(&[Input::from_bytes("r", &recording.0)], &Options::default());
    assert!(text.contains(&format!(" {line}")), "{line}{text}");
}

#[test]
fn waits_are_called_by_what_is_known_of_the_object() {
    for (kind, name, wait) in [
        (Kind::MUTEX, None, "mutex 1"),
        (Kind::MUTEX, Some("m"), "mutex m"),
        (Kind::RECURSIVE_MUTEX, Some("m"), "mutex m"),
        (Kind::BINARY_SEMAPHORE, None, "binary semaphore 1"),
        (Kind::BINARY_SEMAPHORE, Some("s"), "semaphore s"),
        (Kind::QUEUE_SET, Some("s"), "queue_set s"),
        (Kind::QUEUE, Some("q"), "queue_receive q"),
        (Kind::QUEUE, None, "queue_receive queue 1"),
    ] {
        let mut recording = two_tasks().meta(QueueKind { queue_id: 1, kind });
        if let Some(name) = name {
            recording = recording.meta(QueueName { queue_id: 1, name: str(name) });
        }
        let recording = recording
            .at(1, TaskSwitchedIn { task_id: 1 })
            .at(2, CurtaskBlockOnQueueReceive { queue_id: 1, ticks_to_wait: 5 })
            .at(3, TaskSwitchedIn { task_id: 2 });
        assert_has(&recording, &format!("30 0 a: running -> blocked on {wait}\n"));
    }
}

#[test]
fn names_are_cut_where_they_are_longer_than_any_name_is() {
    for (len, is_cut) in [(499, false), (500, false), (501, true)] {
        let name = "n".repeat(len);
        let recording = two_tasks()
            .meta(TaskName { task_id: 3, name: str(&name) })
            .at(1, TaskSwitchedIn { task_id: 3 });
        let shown = if is_cut { format!("{}…", &name[..500]) } else { name };
        assert_has(&recording, &format!("10 0 {shown}: unknown -> running\n"));
    }
}
