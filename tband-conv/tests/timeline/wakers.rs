//! The waker of a task: the actor that gave it the object that it waited for, and none where the clock ends the wait.

use std::io;

use tband_conv::model::{Change, EventTime, Sink, TaskState, Waker, World};
use tband_conv::{Input, Options, convert};
use tband_format::Event;
use tband_format::Event::*;
use tband_format::named::{NotifyAction, QueueKind as Kind};
use tband_recordings::{Recording, str, two_tasks};

/// Wakers and woken tasks, by name.
#[derive(Default)]
struct WakeCollector(Vec<(String, Option<String>)>);

impl Sink for WakeCollector {
    fn change(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        if let Change::TaskState { task, from, to: TaskState::Ready, waker } = *change
            && !matches!(from, TaskState::Running(_))
        {
            let waker = match waker {
                Waker::Task(task) => Some(world.task_name(task).to_string()),
                Waker::Isr(isr) => Some(format!("{:#}", world.isr_name(isr, at.core))),
                Waker::Other => None,
            };
            self.0.push((world.task_name(task).to_string(), waker));
        }
        Ok(())
    }
}

/// Returns the waker of a, which does this and then leaves the core, while b runs and these events come.
fn waker_of(asks: &[Event<'_>], then: &[Event<'_>]) -> Option<String> {
    let mut recording = two_tasks()
        .meta(IsrName { isr_id: 5, name: str("uart") })
        .meta(QueueKind { queue_id: 2, kind: Kind::MUTEX })
        .at(1, TaskSwitchedIn { task_id: 1 });
    for event in asks {
        recording = recording.at(2, *event);
    }
    recording = recording.at(3, TaskSwitchedIn { task_id: 2 });
    for (ts, event) in (4..).zip(then) {
        recording = recording.at(ts, *event);
    }
    let mut wakes = WakeCollector::default();
    convert(&[Input::from_bytes("r", &recording.0)], &Options::default(), &mut wakes).unwrap();
    let [(task, waker)] = &wakes.0[..] else { panic!("{:?}", wakes.0) };
    assert_eq!(task, "a");
    waker.clone()
}

const READY: Event<'static> = TaskToRdyState { task_id: 1 };
const ENTER: Event<'static> = IsrEnter { isr_id: 5 };

fn receives() -> [Event<'static>; 1] {
    [CurtaskBlockOnQueueReceive { queue_id: 1, ticks_to_wait: 9 }]
}

#[test]
fn a_timeout_has_no_waker() {
    let delays = [CurtaskDelay { ticks: 5 }, CurtaskDelayUntil { time_to_wake: 5 }];
    let waits = [
        receives()[0],
        CurtaskBlockOnQueueSend { queue_id: 1, ticks_to_wait: 9 },
        CurtaskBlockOnNotifyTake { index: 0, ticks_to_wait: 9 },
        CurtaskBlockOnStreamBufferReceive { stream_buffer_id: 1, ticks_to_wait: 9 },
        CurtaskBlockOnEventGroupWait { event_group_id: 1, bits: 1, flags: 0, ticks_to_wait: 9 },
    ];
    let send = QueueSend { queue_id: 7, len_after: 1 };
    for asks in delays.iter().chain(&waits) {
        // The class of ticks is off; it is on; in the interrupt of the tick; after tickless sleep.
        for then in [
            &[READY][..],
            &[TickIncrement { tick_count: 9 }, READY],
            &[ENTER, READY, IsrExit { isr_id: 5 }],
            &[ENTER, TickIncrement { tick_count: 9 }, READY],
            &[LowPowerIdleBegin { expected_ticks: 9 }, TickCountIncrease { ticks: 9 }, READY],
            // An act happened, but on another object.
            &[send, READY],
        ] {
            assert_eq!(waker_of(&[*asks], then), None, "{asks:?} {then:?}");
        }
    }
    // The item was there and is gone before the wait begins.
    let before = [QueueSend { queue_id: 1, len_after: 1 }, receives()[0]];
    assert_eq!(waker_of(&before, &[READY]), None);
}

#[test]
fn the_giver_is_the_waker() {
    let send = QueueSend { queue_id: 1, len_after: 1 };
    let from_isr = QueueSendFromIsr { queue_id: 1, len_after: 1 };
    let notify = TaskNotify {
        task_id: 1,
        index: 0,
        action: NotifyAction::INCREMENT,
        value: 0,
        value_after: 1,
    };
    let (b, uart) = (Some("b".to_owned()), Some("isr uart".to_owned()));
    assert_eq!(waker_of(&receives(), &[send, READY]), b);
    assert_eq!(waker_of(&receives(), &[ENTER, from_isr, READY]), uart);
    // The interrupt itself is not recorded.
    assert_eq!(waker_of(&receives(), &[from_isr, READY]), None);
    // An item that is only peeked is available to the next task.
    assert_eq!(waker_of(&receives(), &[QueuePeek { queue_id: 1 }, READY]), b);
    let mutex = [CurtaskBlockOnQueueReceive { queue_id: 2, ticks_to_wait: 9 }];
    assert_eq!(waker_of(&mutex, &[QueueSend { queue_id: 2, len_after: 1 }, READY]), b);
    let room = [CurtaskBlockOnQueueSend { queue_id: 1, ticks_to_wait: 9 }];
    assert_eq!(waker_of(&room, &[QueueReceive { queue_id: 1, len_after: 0 }, READY]), b);
    let take = [CurtaskBlockOnNotifyTake { index: 0, ticks_to_wait: 9 }];
    assert_eq!(waker_of(&take, &[notify, READY]), b);
    let give = TaskNotifyGiveFromIsr { task_id: 1, index: 0, value_after: 1 };
    assert_eq!(waker_of(&take, &[ENTER, give, READY]), uart);
    let bits =
        [CurtaskBlockOnEventGroupWait { event_group_id: 1, bits: 1, flags: 0, ticks_to_wait: 9 }];
    let set = EventGroupSetBits { event_group_id: 1, bits: 1, bits_after: 1 };
    assert_eq!(waker_of(&bits, &[set, READY]), b);
    let deleted = EventGroupDeleted { event_group_id: 1 };
    assert_eq!(waker_of(&bits, &[deleted, READY]), b);
    // An actor that aborts a wait, or resumes or creates a task, needs no object.
    let abort = TaskDelayAbort { task_id: 1 };
    assert_eq!(waker_of(&[CurtaskDelay { ticks: 5 }], &[abort, READY]), b);
    assert_eq!(waker_of(&receives(), &[abort, READY]), b);
    let suspends = [TaskSuspended { task_id: 1 }];
    assert_eq!(waker_of(&suspends, &[TaskResumed { task_id: 1 }, READY]), b);
    let resumed = TaskResumedFromIsr { task_id: 1 };
    assert_eq!(waker_of(&suspends, &[ENTER, resumed, READY]), uart);
    assert_eq!(waker_of(&suspends, &[resumed, READY]), None);
}

#[test]
fn the_creator_of_a_task_is_its_waker() {
    let recording = Recording::default()
        .meta(TsResolutionNs { ns_per_ts: 1 })
        .meta(TaskName { task_id: 1, name: str("a") })
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(2, TaskCreated { task_id: 2 })
        .meta(TaskName { task_id: 2, name: str("b") })
        .at(3, TaskToRdyState { task_id: 2 });
    let mut wakes = WakeCollector::default();
    convert(&[Input::from_bytes("r", &recording.0)], &Options::default(), &mut wakes).unwrap();
    assert_eq!(wakes.0, [("b".to_owned(), Some("a".to_owned()))]);
}

/// The clock does not end a wait without limit; the actor's act is then not recorded.
#[test]
fn a_wait_without_limit_is_ended_by_an_actor() {
    let endless = [CurtaskBlockOnQueueReceive { queue_id: 1, ticks_to_wait: u32::MAX }];
    assert_eq!(waker_of(&endless, &[READY]).as_deref(), Some("b"));
    assert_eq!(waker_of(&endless, &[ENTER, READY]).as_deref(), Some("isr uart"));
    // The idle task gives nothing: an unrecorded interrupt does.
    let recording = two_tasks()
        .meta(TaskIsIdleTask { task_id: 2, core_id: 0 })
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(2, endless[0])
        .at(3, TaskSwitchedIn { task_id: 2 })
        .at(4, READY);
    let mut wakes = WakeCollector::default();
    convert(&[Input::from_bytes("r", &recording.0)], &Options::default(), &mut wakes).unwrap();
    assert_eq!(wakes.0, [("a".to_owned(), None)]);
}
