//! Kernel objects other than tasks and queues in Perfetto's own engine.

use tband_conv::{Input, Options};
use tband_format::Event::*;
use tband_format::registry::event_group_flags::CLEAR_ON_EXIT;
use tband_format::{API_FUNCTIONS, Event, StreamBufferKind as Kind, TimerCommand};
use tband_recordings::{Engine, Recording, TempFile, str, trace_of};

/// Arrows: row, slice, when it begins and how long it lasts, of both ends.
const ARROWS: Query = (
    "arrow",
    "a.name || '/' || o.name || ' ' || o.ts || ' ' || o.dur || ' -> ' || \
     p.name || ' ' || b.name || '/' || i.name || ' ' || i.ts || ' ' || i.dur",
    "from flow join slice o on o.id = slice_out join slice i on i.id = slice_in \
     join track a on a.id = o.track_id join track b on b.id = i.track_id \
     join process_track pt on pt.id = b.id join process p using (upid) order by o.ts, i.ts",
);

type Query = (&'static str, &'static str, &'static str);

/// Counters: row, value.
const COUNTERS: Query = (
    "counter",
    "t.name || ' ' || cast(value as int)",
    "from counter c join counter_track t on t.id = c.track_id order by c.ts, c.id",
);

/// Slices and instants: time, duration, row, name, values.
const SLICES: Query = (
    "slice",
    "s.ts || ' ' || s.dur || ' ' || coalesce('thread ' || th.name, t.name) || ': ' || s.name || \
     coalesce((select group_concat(' ' || substr(a.key, 7) || '=' || coalesce(display_value, ''), '') \
     from args a where a.arg_set_id = s.arg_set_id and a.key glob 'debug.*'), '')",
    "from slice s left join track t on t.id = s.track_id \
     left join thread_track tt on tt.id = s.track_id left join thread th using (utid) \
     left join track g on g.id = t.parent_id \
     where coalesce(g.name, '') != 'Errors' order by s.ts, s.id",
);

/// Row and its group.
const GROUPS: Query = (
    "group",
    "p.name || ' / ' || t.name || coalesce(' in ' || c.unit, '')",
    "from track t join track p on p.id = t.parent_id left join counter_track c on c.id = t.id \
     where p.name is not null order by p.name, t.name",
);

/// Checks that Perfetto accepts the trace, and that each query gives these rows.
#[track_caller]
fn check(name: &str, recording: &Recording, expected: &[(Query, &[&str])]) {
    let Some(engine) = Engine::find() else { return };
    let inputs = [Input::from_bytes("o", &recording.0)];
    let (bytes, _, _) = trace_of(&inputs, &Options::default());
    let trace = TempFile::new(&format!("objects-{name}.pftrace"), &bytes);
    let queries: Vec<Query> = expected.iter().map(|it| it.0).collect();
    let rows = engine.check(&trace.0, &queries);
    for ((tag, ..), expected) in expected {
        let rows: Vec<_> = rows.iter().filter(|row| row.0 == *tag).map(|row| &row.1).collect();
        assert_eq!(rows, *expected, "{tag}");
    }
}

fn start() -> Recording {
    Recording::default()
        .meta(TsResolutionNs { ns_per_ts: 10 })
        .meta(TaskName { task_id: 1, name: str("a") })
        .meta(TaskName { task_id: 2, name: str("Tmr Svc") })
        .meta(TaskIsTimerTask { task_id: 2 })
        .at(1, TaskSwitchedIn { task_id: 1 })
}

fn api(name: &str) -> u32 {
    API_FUNCTIONS.iter().position(|it| *it == name).unwrap() as u32
}

fn buffers() -> Recording {
    let stream_buffer_id = 1;
    start()
        .meta(StreamBufferKind { stream_buffer_id, kind: Kind::MESSAGE_BUFFER })
        .meta(StreamBufferName { stream_buffer_id, name: str("log") })
        .at(2, StreamBufferCreated { stream_buffer_id, size: 64, trigger_level: 1 })
        .at(3, StreamBufferSend { stream_buffer_id, amount: 20, level_after: 24 })
        .at(4, StreamBufferSendFromIsrFailed { stream_buffer_id })
        .at(5, StreamBufferReceive { stream_buffer_id, amount: 8, level_after: 12 })
        .at(6, StreamBufferReset { stream_buffer_id })
        .at(7, StreamBufferReceiveFailed { stream_buffer_id })
        .at(8, StreamBufferSend { stream_buffer_id: 2, amount: 300, level_after: 300 })
        .at(9, StreamBufferDeleted { stream_buffer_id: 2 })
        .at(10, TaskSwitchedIn { task_id: 2 })
}

#[test]
fn stream_buffers_are_counters_of_bytes() {
    let log = "message buffer log, 64 bytes";
    let other = "stream buffer 2";
    let counters = [(log, 0), (log, 24), (log, 12), (log, 0), (other, 300), (other, 0)];
    let counters: Vec<String> = counters.iter().map(|(row, it)| format!("{row} {it}")).collect();
    let counters: Vec<&str> = counters.iter().map(String::as_str).collect();
    let slices = [
        "40 0 log events: send failed by an interrupt",
        "60 0 log events: reset by a",
        "70 0 log events: receive failed by a",
        "90 0 stream buffer 2 events: deleted by a",
    ];
    let groups = [
        "Stream buffers / log events",
        "Stream buffers / message buffer log, 64 bytes in bytes",
        "Stream buffers / stream buffer 2 in bytes",
        "Stream buffers / stream buffer 2 events",
    ];
    check("buffers", &buffers(), &[(COUNTERS, &counters), (SLICES, &slices), (GROUPS, &groups)]);
}

#[test]
fn event_groups_show_their_bits() {
    let event_group_id = 1;
    let recording = start()
        .meta(EventGroupName { event_group_id, name: str("flags") })
        .at(2, EventGroupCreated { event_group_id })
        .at(3, EventGroupSetBits { event_group_id, bits: 5, bits_after: 5 })
        .at(4, EventGroupSetBitsFromIsr { event_group_id, bits: 0x100 })
        .at(
            5,
            CurtaskBlockOnEventGroupWait {
                event_group_id,
                bits: 0x100,
                flags: CLEAR_ON_EXIT,
                ticks_to_wait: 9,
            },
        )
        .at(6, TaskSwitchedIn { task_id: 2 })
        .at(7, EventGroupSetBits { event_group_id, bits: 0x100, bits_after: 0x105 })
        .at(8, EventGroupClearBits { event_group_id, bits: 4, bits_after: 1 })
        .at(9, DroppedEvtCnt { cnt: 1 })
        .at(10, EventGroupSetBits { event_group_id, bits: 2, bits_after: 2 })
        .at(12, EventGroupDeleted { event_group_id });
    let slices = [
        "20 10 flags: 0b0000 (0x0) bits=0",
        "30 40 flags: 0b0101 (0x5) bits=5",
        "30 0 flags: set 0x5",
        "40 0 flags: set 0x100 asked by interrupt",
        "60 20 thread a: event_group flags: any of 0x100 (limit 9 ticks) object_id=1 ticks_to_wait=9",
        "70 0 flags: 0b000100000101 (0x105) bits=261",
        "70 0 flags: set 0x100",
        "70 10 flags: 0b0101 (0x5) bits=5",
        "70 0 flags: clear 0x100 on exit",
        "80 0 flags: 0b0001 (0x1) bits=1",
        "80 0 flags: clear 0x4",
        "100 20 flags: 0b0010 (0x2) bits=2",
        "100 0 flags: set 0x2",
        "120 0 flags: deleted",
    ];
    check("event-groups", &recording, &[(SLICES, &slices)]);
}

#[test]
fn timers_are_active_and_call_back() {
    let timer_id = 1;
    let sent = |command, result| TimerCommandSent { timer_id, command, value: 0, result };
    let recording = start()
        .meta(TimerName { timer_id, name: str("blink") })
        .meta(QueueName { queue_id: 1, name: str("TmrQ") })
        .at(2, TimerCreated { timer_id, period: 7, auto_reload: 1, callback: 0x800_1234 })
        .at(3, sent(TimerCommand::START, 1))
        .at(4, TaskSwitchedIn { task_id: 2 })
        .at(5, TimerCommandReceived { timer_id, command: TimerCommand::START, value: 0 })
        .at(8, TimerExpired { timer_id, callback: 0x800_1234 })
        .at(9, TaskSwitchedIn { task_id: 1 })
        .at(10, sent(TimerCommand::STOP, 0))
        .at(11, PendFuncCall { function: 0x800_4321, parameter1: 1, parameter2: 2, result: 1 })
        // It waited all that time.
        .at(12, TaskToRdyState { task_id: 2 })
        .at(13, TaskSwitchedIn { task_id: 2 })
        .at(14, TimerExpired { timer_id, callback: 0x800_1234 })
        .at(16, QueueReceive { queue_id: 1, len_after: 0 })
        .at(16, TimerCommandReceived { timer_id, command: TimerCommand::STOP, value: 0 });
    let slices = [
        "20 0 blink: created",
        "30 0 blink: start sent",
        "50 0 blink: start received",
        "50 30 blink: active period_ticks=7 end=expired",
        "80 60 blink: active period_ticks=7 end=expired",
        "80 10 timer callbacks: blink callback=0x8001234",
        "100 0 blink: stop refused",
        "110 0 pended function calls: call sent function=0x8004321",
        "140 20 blink: active period_ticks=7 end=stopped",
        "140 20 timer callbacks: blink callback=0x8001234",
        "160 0 blink: stop received",
    ];
    // From each time that is active and expires, not from the one that is stopped.
    let arrows = [
        "blink/active 50 30 -> Tmr\u{A0}Svc timer callbacks/blink 80 10",
        "blink/active 80 60 -> Tmr\u{A0}Svc timer callbacks/blink 140 20",
    ];
    check("timers", &recording, &[(SLICES, &slices), (ARROWS, &arrows)]);
}

fn system() -> Recording {
    start()
        .at(2, HeapMalloc { address: 16, size: 24, bytes_free: Some(1000) })
        .at(3, HeapMalloc { address: 0, size: 4000, bytes_free: Some(1000) })
        .at(4, HeapFree { address: 16, size: 24, bytes_free: Some(1024) })
        .at(5, TickIncrement { tick_count: 41 })
        .at(6, LowPowerIdleBegin { expected_ticks: 20 })
        .at(7, TickCountIncrease { ticks: 8 })
        .at(8, LowPowerIdleEnd {})
        .at(9, TaskSwitchedIn { task_id: 2 })
}

#[test]
fn heap_sleep_and_ticks_are_shown() {
    let counters = [
        "heap bytes free 1000",
        "heap bytes in use since the start 24",
        "heap bytes free 1024",
        "heap bytes in use since the start 0",
        "tick count 42",
        "tick count 50",
    ];
    let slices = [
        "30 0 heap malloc failed: malloc of 4000 bytes failed task=a",
        "60 20 low power, core 0: sleep expected_ticks=20",
    ];
    check("system", &system(), &[(COUNTERS, &counters), (SLICES, &slices)]);
}

/// Kernels before V11.2 report the requested size. A heap that counts its free bytes shows the allocated size.
#[test]
fn bytes_that_were_asked_for_are_called_so() {
    let recording = |kernel_version, bytes_free| {
        start()
            .meta(TraceInfo {
                format_version: 1,
                core_count: 1,
                flags: 1,
                kernel_version: Some(kernel_version),
                tick_rate_hz: Some(1000),
            })
            .at(1, HeapMalloc { address: 64, size: 24, bytes_free })
    };
    let in_use = "heap bytes in use since the start 24";
    let asked_for = "heap bytes asked for since the start 24";
    for (version, row) in [(110_200, in_use), (110_100, asked_for), (100_602, asked_for)] {
        check("asked", &recording(version, None), &[(COUNTERS, &[row])]);
    }
    check("counted", &recording(110_100, Some(76)), &[(COUNTERS, &["heap bytes free 76", in_use])]);
}

#[test]
fn a_free_mutex_has_no_depth() {
    let queue_id = 5;
    let recording = start()
        .meta(QueueKind { queue_id, kind: tband_format::QueueKind::RECURSIVE_MUTEX })
        .meta(QueueName { queue_id, name: str("m") })
        .at(2, QueueReceive { queue_id, len_after: 0 })
        .at(2, MutexRecursiveTake { queue_id, depth_after: 1 })
        .at(4, QueueSend { queue_id, len_after: 1 })
        .at(9, TaskSwitchedIn { task_id: 2 });
    let counters = ["m depth 1", "m depth 0"];
    check("depth", &recording, &[(COUNTERS, &counters), (SLICES, &["20 20 m: a"])]);
}

#[test]
fn calls_stand_on_the_row_of_their_task() {
    let enter = |name| ApiEnter { function: api(name) };
    let leave = |name, value| -> Event<'static> { ApiReturn { function: api(name), value } };
    let recording = start()
        .at(2, enter("xQueueReceive"))
        .at(3, enter("vTaskSuspendAll"))
        .at(4, leave("vTaskSuspendAll", None))
        .at(5, IsrEnter { isr_id: 1 })
        .at(6, enter("xQueueReceiveFromISR"))
        .at(7, leave("xQueueReceiveFromISR", Some(0xFFFF_FFFF)))
        .at(8, IsrExitToScheduler { isr_id: 1 })
        .at(9, TaskSwitchedIn { task_id: 2 })
        .at(10, enter("vTaskDelete"))
        .at(11, TaskDeleted { task_id: 2 })
        .at(12, TaskSwitchedIn { task_id: 1 })
        .at(13, leave("xQueueReceive", Some(1)));
    let slices = [
        "20 110 thread a: xQueueReceive value=1",
        "30 10 thread a: vTaskSuspendAll",
        "60 10 kernel calls of interrupts, core 0: xQueueReceiveFromISR value=4294967295",
        "100 20 thread Tmr Svc: vTaskDelete returns=never",
        "120 0 thread Tmr Svc: deleted",
    ];
    let interrupts =
        ("isr", "name || ' ' || dur", "from sched join thread using (utid) where name glob 'ISR*'");
    check("calls", &recording, &[(SLICES, &slices), (interrupts, &["ISR 1 30"])]);
}

/// Counters of records: integers and floats on one track.
#[test]
fn numbers_of_records_are_counters() {
    const REALS: Query = (
        "counter",
        "t.name || ' ' || value",
        "from counter c join counter_track t on t.id = c.track_id order by c.ts, c.id",
    );
    let counters = [
        "volts 3.0",
        "volts 2.25",
        "big 1.84467440737096e+19",
        "count -7.0",
        "odd -0.100000001490116",
        "odd Inf",
        "volts 4.0",
    ];
    check("records", &tband_recordings::records::counters(), &[(REALS, &counters)]);
}
