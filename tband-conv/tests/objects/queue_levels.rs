//! The level of a queue equals that of its last event, in any order of sends, overwrites of a full queue, resets, queue sets,
//! creations and deletions, and losses.

use std::collections::BTreeMap;
use std::io;

use proptest::prelude::*;
use tband_conv::model::{Change, EventTime, ForgottenState, QueueChange, Sink, TimedEvent, World};
use tband_conv::sinks::Stats;
use tband_conv::{Input, Options, convert};
use tband_format::Event::{self, *};
use tband_format::named::QueueKind as Kind;
use tband_recordings::Recording;
use tband_recordings::random::config;

/// Known levels of queues, by number, and the number of reports so far.
#[derive(Default)]
struct Model {
    now: BTreeMap<u32, u32>,
    reported: u64,
    expected: u64,
    lost: u32,
}

impl Sink for Model {
    fn needs_events(&self) -> bool {
        true
    }

    fn event(&mut self, event: &TimedEvent<'_>) -> io::Result<()> {
        let (queue, level) = match event.decoded.event {
            QueueSend { queue_id, len_after }
            | QueueSendFromIsr { queue_id, len_after }
            | QueueOverwrite { queue_id, len_after }
            | QueueOverwriteFromIsr { queue_id, len_after }
            | QueueReceive { queue_id, len_after }
            | QueueReceiveFromIsr { queue_id, len_after } => (queue_id, Some(len_after)),
            QueueCurLength { queue_id, length } => (queue_id, Some(length)),
            QueueReset { queue_id } => (queue_id, Some(0)),
            QueueCreated { queue_id } | QueueDeleted { queue_id } => (queue_id, None),
            DroppedEvtCnt { cnt } => {
                if cnt > self.lost {
                    self.now.clear();
                }
                self.lost = cnt;
                return Ok(());
            }
            _ => return Ok(()),
        };
        match level {
            Some(level) => drop(self.now.insert(queue, level)),
            None => drop(self.now.remove(&queue)),
        }
        self.expected += u64::from(level.is_some());
        Ok(())
    }

    fn change(&mut self, world: &World, _: EventTime, change: &Change<'_>) -> io::Result<()> {
        match *change {
            Change::QueueLevel { queue, level, .. } => {
                let entry = world.queues.get(queue).unwrap();
                assert_eq!((entry.level, self.now.get(&entry.id)), (Some(level), Some(&level)));
                self.reported += 1;
            }
            Change::Forgotten(ForgottenState::Level(queue))
            | Change::Queue(queue, QueueChange::Deleted, _) => {
                assert_eq!(world.queues.get(queue).unwrap().level, None);
            }
            _ => {}
        }
        Ok(())
    }

    fn finish(&mut self, world: &World, _: i64) -> io::Result<()> {
        for id in 0..4 {
            let queue = world.queues.find(id).and_then(|queue| world.queues.get(queue));
            assert_eq!(queue.and_then(|queue| queue.level), self.now.get(&id).copied(), "{id}");
        }
        assert_eq!(self.reported, self.expected);
        Ok(())
    }
}

fn event(what: u8, queue_id: u32, len_after: u32, lost: &mut u32) -> Event<'static> {
    match what {
        0 | 1 => QueueSend { queue_id, len_after },
        2 => QueueSendFromIsr { queue_id, len_after },
        // A queue with room for one item, which is full already or not.
        3 => QueueOverwrite { queue_id, len_after: 1 },
        4 => QueueOverwriteFromIsr { queue_id, len_after: 1 },
        5 | 6 => QueueReceive { queue_id, len_after },
        7 => QueueReceiveFromIsr { queue_id, len_after },
        8 => QueueReset { queue_id },
        9 => QueueCurLength { queue_id, length: len_after },
        10 => QueueCreated { queue_id },
        11 => QueueDeleted { queue_id },
        12 => QueuePeek { queue_id },
        13 => CurtaskBlockOnQueueReceive { queue_id, ticks_to_wait: 9 },
        14 => TaskToRdyState { task_id: queue_id },
        15 => TaskSwitchedIn { task_id: len_after },
        _ => {
            *lost += len_after % 2;
            DroppedEvtCnt { cnt: *lost }
        }
    }
}

proptest! {
    #![proptest_config(config(64))]

    #[test]
    fn the_last_event_determines_the_level(
        kinds in [0..6_u8, 0..6, 0..6, 0..6],
        steps in prop::collection::vec((0..17_u8, 0..4_u32, 0..4_u32), 1..300),
    ) {
        let mut recording = Recording::default();
        for (queue_id, kind) in (0..).zip(kinds) {
            let kind = [Kind::QUEUE, Kind::COUNTING_SEMAPHORE, Kind::BINARY_SEMAPHORE, Kind::MUTEX,
                Kind::RECURSIVE_MUTEX, Kind::QUEUE_SET][usize::from(kind)];
            recording = recording.meta(QueueKind { queue_id, kind });
        }
        let mut lost = 0;
        for (ts, (what, queue, level)) in (1..).zip(steps) {
            recording = recording.at(ts, event(what, queue, level, &mut lost));
        }
        let mut sinks = (Model::default(), Stats::default());
        convert(&[Input::from_bytes("r", &recording.0)], &Options::default(), &mut sinks).unwrap();
        let (model, stats) = sinks;
        let mut last = BTreeMap::new();
        for queue in stats.queues() {
            // The last one of a number is the one that lives.
            last.insert(queue.id, queue.level);
        }
        for (id, level) in last {
            prop_assert_eq!(level, model.now.get(&id).copied());
        }
    }
}
