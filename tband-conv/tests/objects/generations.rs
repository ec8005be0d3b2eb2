//! A number that is used by one object after another: each has its own name, statistics and lifetime.

use tband_conv::sinks::Stats;
use tband_conv::{Input, Options};
use tband_format::Event::*;
use tband_format::named::{QueueKind as Kind, StreamBufferKind as BufferKind, TimerCommand};
use tband_recordings::{Recording, assert_timeline, str, trace_of, two_tasks};

fn stats_of(recording: &Recording) -> Stats {
    trace_of(&[Input::from_bytes("r", &recording.0)], &Options::default()).1
}

fn created(recording: Recording, ts: u64, task_id: u32, name: &str) -> Recording {
    recording
        .at(ts, TaskCreated { task_id })
        .at(ts, TaskPrioritySet { task_id, priority: 1 })
        .meta(TaskName { task_id, name: str(name) })
        .at(ts, TaskToRdyState { task_id })
}

#[test]
fn queue_numbers_are_used_again() {
    let recording = two_tasks()
        .meta(QueueKind { queue_id: 1, kind: Kind::MUTEX })
        .meta(QueueName { queue_id: 1, name: str("bus") })
        .at(5, TaskSwitchedIn { task_id: 1 })
        .at(10, QueueReceive { queue_id: 1, len_after: 0 })
        .at(20, QueueDeleted { queue_id: 1 })
        .at(30, QueueCreated { queue_id: 1 })
        .meta(QueueKind { queue_id: 1, kind: Kind::QUEUE })
        .at(30, QueueCurLength { queue_id: 1, length: 0 })
        .meta(QueueName { queue_id: 1, name: str("rx") })
        .at(40, QueueSend { queue_id: 1, len_after: 1 })
        // Neither its end nor the next beginning is recorded.
        .meta(QueueKind { queue_id: 1, kind: Kind::COUNTING_SEMAPHORE })
        .at(50, QueueSend { queue_id: 1, len_after: 1 });
    assert_timeline(
        &recording,
        "50 0 a: unknown -> running
         100 0 bus: receive, level 0
         100 0 bus: taken by a
         200 0 bus: given
         200 0 bus: deleted by a
         300 0 rx: reported, level 0
         400 0 rx: send, level 1
         400 0 rx: deleted
         500 0 counting semaphore 1: send, level 1
         500 0 a: runs on
         500 end",
    );
    let stats = stats_of(&recording);
    let queues: Vec<_> = stats
        .queues()
        .map(|queue| (queue.name.as_str(), queue.kind.unwrap(), queue.sends))
        .collect();
    let expected = [
        ("bus", "mutex", 0),
        ("rx", "queue", 1),
        ("counting semaphore 1", "counting semaphore", 1),
    ];
    assert_eq!(queues, expected);
    assert_eq!(stats.locks().map(|lock| lock.held_ns).collect::<Vec<_>>(), [100]);
}

/// A queue that is named twice is one queue, unless something may have happened in between.
#[test]
fn a_queue_may_have_two_names() {
    let twice = |between: Recording| {
        let recording = between.meta(QueueName { queue_id: 1, name: str("uart rx") });
        let recording = recording.at(30, QueueSend { queue_id: 1, len_after: 2 });
        stats_of(&recording).queues().map(|queue| queue.sends).collect::<Vec<_>>()
    };
    let recording = two_tasks()
        .meta(QueueName { queue_id: 1, name: str("q1") })
        .at(10, QueueSend { queue_id: 1, len_after: 1 });
    assert_eq!(twice(recording.clone()), [2]);
    assert_eq!(twice(recording.at(20, DroppedEvtCnt { cnt: 1 })), [1, 1]);
}

#[test]
fn numbers_of_other_objects_are_used_again() {
    let recording = two_tasks()
        .at(1, StreamBufferCreated { stream_buffer_id: 1, size: 10, trigger_level: 1 })
        .meta(StreamBufferName { stream_buffer_id: 1, name: str("rx") })
        .at(2, StreamBufferSend { stream_buffer_id: 1, amount: 4, level_after: 4 })
        .at(3, StreamBufferDeleted { stream_buffer_id: 1 })
        .at(4, StreamBufferCreated { stream_buffer_id: 1, size: 20, trigger_level: 1 })
        .meta(StreamBufferKind { stream_buffer_id: 1, kind: BufferKind::MESSAGE_BUFFER })
        .meta(StreamBufferName { stream_buffer_id: 1, name: str("log") })
        .at(5, EventGroupCreated { event_group_id: 1 })
        .meta(EventGroupName { event_group_id: 1, name: str("flags") })
        .at(5, EventGroupSetBits { event_group_id: 1, bits: 1, bits_after: 1 })
        .at(6, EventGroupCreated { event_group_id: 1 })
        .meta(EventGroupName { event_group_id: 1, name: str("ready") })
        .at(7, TimerCreated { timer_id: 1, period: 10, auto_reload: 0, callback: 5 })
        .meta(TimerName { timer_id: 1, name: str("once") })
        .at(8, TimerCommandReceived { timer_id: 1, command: TimerCommand::START, value: 0 })
        .at(9, TimerCreated { timer_id: 1, period: 20, auto_reload: 1, callback: 6 })
        .meta(TimerName { timer_id: 1, name: str("often") });
    assert_timeline(
        &recording,
        "10 0 stream buffer rx: created, level 0
         20 0 stream buffer rx: send 4, level 4
         30 0 stream buffer rx: deleted
         40 0 message buffer log: created, level 0
         50 0 event group flags: created, bits 0b0000 (0x0)
         50 0 event group flags: set 0x1, bits 0b0001 (0x1)
         60 0 event group flags: deleted
         60 0 event group ready: created, bits 0b0000 (0x0)
         70 0 timer once: created
         80 0 timer once: start received
         80 0 timer once: active
         90 0 timer once: deleted
         90 0 timer often: created
         90 end",
    );
    let stats = stats_of(&recording);
    let sizes: Vec<_> =
        stats.objects().stream_buffers().map(|it| (it.name.clone(), it.size)).collect();
    assert_eq!(sizes, [("rx".to_owned(), Some(10)), ("log".to_owned(), Some(20))]);
    let periods: Vec<_> = stats.objects().timers().map(|it| (it.name.clone(), it.period)).collect();
    assert_eq!(periods, [("once".to_owned(), Some(10)), ("often".to_owned(), Some(20))]);
    assert_eq!(stats.objects().event_groups().count(), 2);
}

/// Markers of a task are not those of the next task with its number, and its spans end with it.
#[test]
fn markers_die_with_their_task() {
    let recording = two_tasks()
        .meta(TaskEvtmarkerName { evtmarker_id: 1, task_id: 1, name: str("step") })
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(2, TaskEvtmarkerBegin { evtmarker_id: 1, msg: str("x") })
        .at(3, TaskEvtmarkerBegin { evtmarker_id: 1, msg: str("y") })
        .at(4, TaskDeleted { task_id: 1 })
        .at(5, TaskSwitchedIn { task_id: 2 });
    let recording = created(recording, 6, 1, "c")
        .at(7, TaskSwitchedIn { task_id: 1 })
        .at(8, TaskEvtmarkerBegin { evtmarker_id: 1, msg: str("z") });
    assert_timeline(
        &recording,
        r#"10 0 a: unknown -> running
         20 0 a's step: begin "x"
         30 0 a's step: begin "y"
         50 0 a: running -> deleted
         50 0 a's step: does not end
         50 0 a's step: does not end
         50 0 b: unknown -> running
         60 0 c: appears
         60 0 c: unknown -> created
         60 0 c: priority 1
         61 0 c: created -> ready by b
         70 0 b: running -> ready
         70 0 c: ready -> running
         80 0 c's evtmarker 1: begin "z"
         80 0 c: runs on
         80 end"#,
    );
    let stats = stats_of(&recording);
    let spans: Vec<_> = stats
        .markers()
        .map(|it| (it.task.as_deref(), it.open, it.spans.count(), it.spans.max()))
        .collect();
    assert_eq!(spans, [(Some("a"), 0, 2, 30), (Some("c"), 1, 1, 0)]);
}

/// The life of each generation.
#[test]
fn each_generation_has_a_separate_lifetime() {
    #[derive(Default)]
    struct LifetimeCollector(Vec<(Option<i64>, Option<i64>)>);
    impl tband_conv::model::Sink for LifetimeCollector {
        fn change(
            &mut self,
            _: &tband_conv::model::World,
            _: tband_conv::model::EventTime,
            _: &tband_conv::model::Change<'_>,
        ) -> std::io::Result<()> {
            Ok(())
        }

        fn finish(&mut self, world: &tband_conv::model::World, _: i64) -> std::io::Result<()> {
            let lives = world.tasks.iter().map(|(_, it)| it.life);
            self.0.extend(lives.map(|life| (life.born_ns, life.died_ns)));
            Ok(())
        }
    }
    let recording = created(two_tasks(), 10, 1, "a")
        .at(20, TaskSwitchedIn { task_id: 2 })
        .at(30, TaskDeleted { task_id: 1 });
    let recording = created(recording, 40, 1, "a");
    let mut lives = LifetimeCollector::default();
    let inputs = [Input::from_bytes("r", &recording.0)];
    tband_conv::convert(&inputs, &Options::default(), &mut lives).unwrap();
    assert_eq!(lives.0, [(Some(100), Some(300)), (None, None), (Some(400), None)]);
}
