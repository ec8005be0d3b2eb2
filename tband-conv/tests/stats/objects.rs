//! The numbers of kernel objects other than tasks and queues are those of the recording.

use tband_conv::sinks::Stats;
use tband_conv::{Input, Options, convert};
use tband_format::Event::*;
use tband_format::api::API_FUNCTIONS;
use tband_format::named::{StreamBufferKind as Kind, TimerCommand};
use tband_format::registry::event_group_flags::CLEAR_ON_EXIT;
use tband_recordings::{Recording, str, two_tasks};

fn stats_of(recording: &Recording) -> Stats {
    let mut stats = Stats::default();
    let inputs = [Input::from_bytes("s", &recording.0)];
    convert(&inputs, &Options::default(), &mut stats).unwrap();
    stats
}

#[test]
fn buffers_and_event_groups_are_counted() {
    let (stream_buffer_id, event_group_id) = (1, 1);
    let recording = two_tasks()
        .meta(StreamBufferKind { stream_buffer_id, kind: Kind::MESSAGE_BUFFER })
        .meta(StreamBufferName { stream_buffer_id, name: str("log") })
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(2, StreamBufferCreated { stream_buffer_id, size: 64, trigger_level: 1 })
        .at(3, StreamBufferSend { stream_buffer_id, amount: 20, level_after: 24 })
        .at(4, StreamBufferSendFromIsr { stream_buffer_id, amount: 10, level_after: 38 })
        .at(5, StreamBufferSendFailed { stream_buffer_id })
        .at(6, StreamBufferReceive { stream_buffer_id, amount: 20, level_after: 14 })
        .at(7, StreamBufferReceiveFromIsrFailed { stream_buffer_id })
        .at(8, StreamBufferReceiveFailed { stream_buffer_id: 2 })
        .at(9, EventGroupSetBits { event_group_id, bits: 3, bits_after: 3 })
        .at(10, EventGroupSetBitsFromIsr { event_group_id, bits: 3 })
        .at(11, EventGroupClearBits { event_group_id, bits: 1, bits_after: 2 })
        .at(12, EventGroupWaitEnd { event_group_id, bits: 2, flags: CLEAR_ON_EXIT, found: 2 });
    let stats = stats_of(&recording);
    let [log, other] = stats.objects().stream_buffers().collect::<Vec<_>>()[..] else {
        panic!("two buffers")
    };
    assert_eq!((log.name.as_str(), log.kind, log.size), ("log", Some("message buffer"), Some(64)));
    assert_eq!((log.max_level, log.level), (Some(38), Some(14)));
    assert_eq!((log.sends, log.bytes_sent, log.failed_sends), (2, 30, 1));
    assert_eq!((log.receives, log.bytes_received, log.failed_receives), (1, 20, 1));
    assert_eq!((other.name.as_str(), other.level), ("stream buffer 2", None));
    let [group] = stats.objects().event_groups().collect::<Vec<_>>()[..] else {
        panic!("one group")
    };
    assert_eq!((group.name.as_str(), group.bits), ("event group 1", Some(0)));
    assert_eq!(
        (group.sets, group.clears, group.clears_on_exit, group.deferred_by_isrs),
        (1, 1, 1, 1)
    );
    assert!(stats.objects().heap().is_none());
}

#[test]
fn timers_heap_and_calls_are_counted() {
    let timer_id = 1;
    let function = API_FUNCTIONS.iter().position(|it| *it == "xQueueReceive").unwrap() as u32;
    let recording = two_tasks()
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(2, TimerCreated { timer_id, period: 7, auto_reload: 0, callback: 9 })
        .at(3, TimerCommandReceived { timer_id, command: TimerCommand::START, value: 0 })
        .at(4, TimerExpired { timer_id, callback: 9 })
        .at(6, TimerCommandReceived { timer_id, command: TimerCommand::START, value: 0 })
        .at(7, TimerCommandSent { timer_id, command: TimerCommand::STOP, value: 0, result: 0 })
        .at(8, TimerExpired { timer_id, callback: 9 })
        .at(9, HeapMalloc { address: 8, size: 40, bytes_free: Some(100) })
        .at(9, HeapMalloc { address: 88, size: 16, bytes_free: Some(84) })
        .at(9, HeapMalloc { address: 0, size: 400, bytes_free: Some(84) })
        .at(9, HeapFree { address: 8, size: 40, bytes_free: Some(124) })
        .at(10, ApiEnter { function })
        .at(13, ApiReturn { function, value: Some(1) })
        .at(14, ApiEnter { function });
    let stats = stats_of(&recording);
    let [timer] = stats.objects().timers().collect::<Vec<_>>()[..] else { panic!("one timer") };
    assert_eq!((timer.period, timer.auto_reload), (Some(7), Some(false)));
    assert_eq!((timer.commands, timer.refused, timer.expiries), (2, 1, 2));
    // The second one is still open.
    assert_eq!((timer.callback.count(), timer.callback.sum()), (2, 20 + 60));
    assert_eq!((timer.callback.open(), timer.callback.open_max()), (1, 60));
    let heap = stats.objects().heap().unwrap();
    assert_eq!((heap.mallocs, heap.frees, heap.failures, heap.largest), (2, 1, 1, 40));
    assert_eq!((heap.min_free, heap.free), (Some(84), Some(124)));
    assert_eq!((heap.max_in_use, heap.in_use), (56, 16));
    let [call] = stats.objects().calls().collect::<Vec<_>>()[..] else { panic!("one function") };
    assert_eq!((call.name.as_str(), call.count), ("xQueueReceive", 2));
    assert_eq!((call.time.count(), call.time.sum(), call.time.open()), (2, 30, 1));
}

/// A call that does not return lasted as long as is known: to a gap, or to the end of its task, interrupt or outer call.
#[test]
fn callbacks_and_calls_without_an_end_are_counted() {
    let (timer_id, function) = (1, 5);
    let begin = || {
        two_tasks()
            .at(1, TaskSwitchedIn { task_id: 1 })
            .at(4, TimerExpired { timer_id, callback: 9 })
            .at(10, ApiEnter { function })
    };
    let value = |recording: Recording| recording.at(90, Valmarker { valmarker_id: 1, val: 1 });
    let of = |recording: Recording| {
        let stats = stats_of(&value(recording));
        let call = stats.objects().calls().next().unwrap().time.clone();
        let timer = stats.objects().timers().next().unwrap().callback.clone();
        [call, timer].map(|it| (it.count(), it.max(), it.open(), it.cut()))
    };
    assert_eq!(of(begin()), [(1, 800, 1, 0), (1, 860, 1, 0)]);
    let gap = begin().at(30, Valmarker { valmarker_id: 1, val: 1 });
    let gap = gap.at(50, DroppedEvtCnt { cnt: 3 });
    assert_eq!(of(gap), [(1, 200, 0, 1), (1, 260, 0, 1)]);
    let ended = begin().at(30, TaskDeleted { task_id: 1 }).at(40, TaskSwitchedIn { task_id: 2 });
    let [call, _] = of(ended);
    assert_eq!(call, (1, 300, 0, 1));
    // Two tasks in one function, and one of them returns.
    let two = begin()
        .at(20, TaskSwitchedIn { task_id: 2 })
        .at(30, ApiEnter { function })
        .at(50, TaskSwitchedIn { task_id: 1 })
        .at(60, ApiReturn { function, value: None });
    let [call, _] = of(two);
    assert_eq!(call, (2, 600, 1, 0));
}
