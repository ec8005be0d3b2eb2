//! The target's state that a sink gets before the first change, and how it requests it.

use std::io;

use tband_conv::model::{Change, EventTime, Sink, TaskState, World};
use tband_conv::{Input, Options, convert};
use tband_format::Event::*;
use tband_format::named::{QueueKind as Kind, StreamBufferKind as BufferKind};
use tband_recordings::{Recording, str, two_tasks};

/// Inspects the world at the start, and whether waits are for mutexes.
struct WorldInspector<F> {
    look: F,
    waits: Vec<bool>,
}

impl<F: FnMut(&World)> Sink for WorldInspector<F> {
    fn start(&mut self, world: &World) -> io::Result<()> {
        (self.look)(world);
        Ok(())
    }

    fn change(&mut self, world: &World, _: EventTime, change: &Change<'_>) -> io::Result<()> {
        if let Change::TaskState { to: TaskState::Blocked(wait), .. } = *change {
            self.waits.push(world.is_for_mutex(wait));
        }
        Ok(())
    }
}

fn look(recording: &Recording, look: impl FnMut(&World)) -> Vec<bool> {
    let mut sink = WorldInspector { look, waits: Vec::new() };
    convert(&[Input::from_bytes("r", &recording.0)], &Options::default(), &mut sink).unwrap();
    sink.waits
}

#[test]
fn metadata_applies_from_the_start() {
    let recording = two_tasks()
        .at(1, TaskSwitchedIn { task_id: 1 })
        .meta(TaskIsTimerTask { task_id: 2 })
        .meta(StreamBufferName { stream_buffer_id: 3, name: str("bytes") })
        .meta(StreamBufferKind { stream_buffer_id: 3, kind: BufferKind::MESSAGE_BUFFER })
        .meta(StreamBufferInfo { stream_buffer_id: 3, size: 99, trigger_level: 1 })
        .meta(EventGroupName { event_group_id: 4, name: str("flags") })
        .meta(QueueName { queue_id: 8, name: str("items") })
        .meta(TimerName { timer_id: 5, name: str("once") })
        .meta(TimerInfo { timer_id: 5, period: 100, auto_reload: 0 })
        .meta(TimerInfo { timer_id: 6, period: 7, auto_reload: 1 })
        .meta(IsrName { isr_id: 7, name: str("uart") })
        .meta(EvtmarkerName { evtmarker_id: 8, name: str("marker") })
        .meta(ValmarkerName { valmarker_id: 9, name: str("value") })
        .meta(BuildId { id: str("v7") })
        // A later name is not known yet.
        .meta(TaskName { task_id: 1, name: str("later") })
        .meta(QueueName { queue_id: 8, name: str("later") })
        .meta(StreamBufferName { stream_buffer_id: 3, name: str("later") })
        .meta(EventGroupName { event_group_id: 4, name: str("later") })
        .meta(TimerName { timer_id: 5, name: str("later") });
    let mut looked = 0;
    look(&recording, |world| {
        looked += 1;
        let timer_tasks = world.tasks.iter().filter(|(_, task)| task.is_timer);
        assert_eq!(timer_tasks.map(|(_, task)| task.id).collect::<Vec<_>>(), [2]);
        let (number, buffer) = world.stream_buffers.iter().next().unwrap();
        assert_eq!((buffer.size, buffer.kind), (Some(99), Some(BufferKind::MESSAGE_BUFFER)));
        assert_eq!(format!("{number:?}"), "#0");
        let timers: Vec<_> =
            world.timers.iter().map(|(_, it)| (it.id, it.period, it.auto_reload)).collect();
        assert_eq!(timers, [(5, Some(100), Some(false)), (6, Some(7), Some(true))]);
        assert_eq!(world.name_of_isr(7, 0), Some("uart"));
        assert_eq!(world.name_of_marker(8), Some("marker"));
        assert_eq!(world.name_of_value(9), Some("value"));
        assert_eq!(world.name_of_timer(5), Some("once"));
        assert_eq!(world.name_of_event_group(4), Some("flags"));
        assert_eq!((world.name_of_isr(8, 0), world.name_of_value(8)), (None, None));
        let names = |world: &World| {
            let tasks = world.tasks.iter().map(|(_, it)| it.name.clone());
            let queues = world.queues.iter().map(|(_, it)| it.name.clone());
            let buffers = world.stream_buffers.iter().map(|(_, it)| it.name.clone());
            tasks.chain(queues).chain(buffers).map(Option::unwrap).collect::<Vec<_>>()
        };
        assert_eq!(names(world), ["a", "b", "items", "bytes"]);
        assert_eq!(world.build_id.as_deref(), Some("v7"));
    });
    assert_eq!(looked, 1);
}

#[test]
fn a_wait_for_a_mutex_is_one_to_take_it() {
    let wait = |queue_id| CurtaskBlockOnQueueReceive { queue_id, ticks_to_wait: 5 };
    let recording = two_tasks()
        .meta(QueueKind { queue_id: 1, kind: Kind::MUTEX })
        .meta(QueueKind { queue_id: 2, kind: Kind::BINARY_SEMAPHORE })
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(2, wait(1))
        .at(3, TaskSwitchedIn { task_id: 2 })
        .at(4, wait(2))
        .at(5, TaskSwitchedIn { task_id: 3 })
        .at(6, CurtaskBlockOnQueueSend { queue_id: 1, ticks_to_wait: 5 })
        .at(7, TaskSwitchedIn { task_id: 4 });
    assert_eq!(look(&recording, |_| ()), [true, false, false]);
}
