//! Actors and their acts: every change that an act makes contains its actor in the same way.

use std::io;

use tband_conv::model::{Change, EventTime, Sink, World};
use tband_conv::{Input, Options, convert};
use tband_format::Event;
use tband_format::Event::*;
use tband_format::named::{NotifyAction, QueueKind as Kind, TimerCommand};
use tband_recordings::{Recording, str, two_tasks};

/// The actor of every change at or after a time.
struct ActorCollector {
    from_ns: i64,
    found: Vec<Option<String>>,
}

impl Sink for ActorCollector {
    fn change(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        // Automatic changes have no actor.
        let comes = matches!(
            change,
            Change::TaskState { .. }
                | Change::TaskAppears(_)
                | Change::IsrEnter(_)
                | Change::IsrExit(_)
                | Change::WaitEnded { .. }
                | Change::StillRunning(_)
        );
        if at.ns >= self.from_ns && !comes {
            let by = change.by().map(|by| world.actor_name(by, at.core).to_string());
            self.found.push(by);
        }
        Ok(())
    }
}

fn actors_of(before: Recording, act: Event<'_>) -> Vec<Option<String>> {
    let recording = before.at(100, act);
    let mut by = ActorCollector { from_ns: 1000, found: Vec::new() };
    convert(&[Input::from_bytes("r", &recording.0)], &Options::default(), &mut by).unwrap();
    by.found
}

fn start() -> Recording {
    two_tasks()
        .meta(IsrName { isr_id: 5, name: str("uart") })
        .meta(QueueKind { queue_id: 2, kind: Kind::MUTEX })
        .meta(QueueKind { queue_id: 3, kind: Kind::QUEUE })
}

/// Acts of tasks.
fn acts() -> Vec<Event<'static>> {
    let (task_id, index) = (2, 0);
    vec![
        QueueSend { queue_id: 3, len_after: 1 },
        QueueReceive { queue_id: 3, len_after: 1 },
        QueueOverwrite { queue_id: 3, len_after: 1 },
        QueueReset { queue_id: 3 },
        QueuePeek { queue_id: 3 },
        QueueSendFailed { queue_id: 3 },
        QueueReceiveFailed { queue_id: 3 },
        QueueDeleted { queue_id: 3 },
        MutexRecursiveGive { queue_id: 2, depth_after: 1 },
        MutexRecursiveTake { queue_id: 2, depth_after: 2 },
        StreamBufferSend { stream_buffer_id: 4, amount: 1, level_after: 1 },
        StreamBufferReceive { stream_buffer_id: 4, amount: 1, level_after: 1 },
        StreamBufferReset { stream_buffer_id: 4 },
        StreamBufferSendFailed { stream_buffer_id: 4 },
        StreamBufferDeleted { stream_buffer_id: 4 },
        EventGroupCreated { event_group_id: 6 },
        EventGroupSetBits { event_group_id: 6, bits: 1, bits_after: 1 },
        EventGroupClearBits { event_group_id: 6, bits: 1, bits_after: 0 },
        EventGroupDeleted { event_group_id: 6 },
        TimerCreated { timer_id: 7, period: 1, auto_reload: 0, callback: 0 },
        TimerCommandSent { timer_id: 7, command: TimerCommand::START, value: 0, result: 1 },
        TimerCommandReceived { timer_id: 7, command: TimerCommand::START, value: 0 },
        TimerExpired { timer_id: 7, callback: 8 },
        TaskNotify { task_id, index, action: NotifyAction::INCREMENT, value: 0, value_after: 1 },
        TaskNotifyStateClear { task_id, index },
        CurtaskNotifyTake { index, value: 1, value_after: 0 },
        TaskPrioritySet { task_id, priority: 3 },
        TaskDelayAbort { task_id },
        TaskCoreAffinitySet { task_id, core_mask: 1 },
        Evtmarker { evtmarker_id: 1, msg: str("m") },
        EvtmarkerBegin { evtmarker_id: 1, msg: str("m") },
        Valmarker { valmarker_id: 1, val: 3 },
        TaskValmarker { valmarker_id: 1, val: 3 },
        HeapMalloc { address: 0, size: 8, bytes_free: None },
        HeapMalloc { address: 64, size: 8, bytes_free: None },
        PendFuncCall { function: 1, parameter1: 0, parameter2: 0, result: 1 },
    ]
}

/// Acts of interrupts, with separate events.
fn acts_of_interrupts() -> Vec<Event<'static>> {
    let action = NotifyAction::INCREMENT;
    vec![
        QueueSendFromIsr { queue_id: 3, len_after: 1 },
        QueueReceiveFromIsr { queue_id: 3, len_after: 1 },
        QueueOverwriteFromIsr { queue_id: 3, len_after: 1 },
        QueuePeekFromIsr { queue_id: 3 },
        QueueSendFromIsrFailed { queue_id: 3 },
        QueueReceiveFromIsrFailed { queue_id: 3 },
        QueuePeekFromIsrFailed { queue_id: 3 },
        StreamBufferSendFromIsr { stream_buffer_id: 4, amount: 1, level_after: 1 },
        StreamBufferReceiveFromIsr { stream_buffer_id: 4, amount: 1, level_after: 1 },
        StreamBufferResetFromIsr { stream_buffer_id: 4 },
        StreamBufferSendFromIsrFailed { stream_buffer_id: 4 },
        StreamBufferReceiveFromIsrFailed { stream_buffer_id: 4 },
        EventGroupSetBitsFromIsr { event_group_id: 6, bits: 1 },
        EventGroupClearBitsFromIsr { event_group_id: 6, bits: 1 },
        TimerCommandSent {
            timer_id: 7,
            command: TimerCommand::START_FROM_ISR,
            value: 0,
            result: 1,
        },
        TaskNotifyFromIsr { task_id: 2, index: 0, action, value: 0, value_after: 1 },
        TaskNotifyGiveFromIsr { task_id: 2, index: 0, value_after: 1 },
        PendFuncCallFromIsr { function: 1, parameter1: 0, parameter2: 0, result: 1 },
    ]
}

fn assert_all(before: &Recording, acts: Vec<Event<'_>>, expected: Option<&str>) {
    for act in acts {
        let found = actors_of(before.clone(), act);
        assert!(!found.is_empty(), "{act:?} changes nothing");
        assert!(found.iter().all(|by| by.as_deref() == expected), "{act:?}: {found:?}");
    }
}

#[test]
fn acts_of_a_task_have_the_task_as_actor() {
    assert_all(&start().at(10, TaskSwitchedIn { task_id: 1 }), acts(), Some("a"));
}

#[test]
fn acts_inside_an_interrupt_have_the_interrupt_as_actor() {
    let before = start().at(10, TaskSwitchedIn { task_id: 1 }).at(11, IsrEnter { isr_id: 5 });
    assert_all(&before, acts_of_interrupts(), Some("uart"));
    // After its end the task acts again.
    assert_all(&before.at(12, IsrExit { isr_id: 5 }), vec![acts()[0], acts()[16]], Some("a"));
}

#[test]
fn acts_of_an_unrecorded_interrupt_have_no_task() {
    let before = start().at(10, TaskSwitchedIn { task_id: 1 });
    assert_all(&before, acts_of_interrupts(), Some("an interrupt"));
}

#[test]
fn the_actor_is_unknown_before_the_first_switch() {
    let by_nobody = acts().into_iter().filter(|act| !matches!(act, CurtaskNotifyTake { .. }));
    assert_all(&start(), by_nobody.collect(), None);
}

/// A change that is only reported, or concluded from another act, has no actor.
#[test]
fn metadata_and_conclusions_have_no_actor() {
    let before = start().at(10, TaskSwitchedIn { task_id: 1 });
    let reported = vec![
        QueueCurLength { queue_id: 3, length: 2 },
        TaskStackHighWaterMark { task_id: 1, bytes: 64 },
    ];
    assert_all(&before, reported, None);
    let timer = TimerCreated { timer_id: 7, period: 1, auto_reload: 0, callback: 0 };
    let active = before
        .at(11, timer)
        .at(12, TimerCommandReceived { timer_id: 7, command: TimerCommand::START, value: 0 });
    // The number is given again: the timer before it has ended without a report.
    let found = actors_of(active, timer);
    assert_eq!(found, [None, Some("a".to_owned())]);
    let again = EventGroupCreated { event_group_id: 6 };
    let found = actors_of(start().at(10, TaskSwitchedIn { task_id: 1 }).at(11, again), again);
    assert_eq!(found, [None, Some("a".to_owned())]);
}
