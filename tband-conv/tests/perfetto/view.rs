//! The appearance of the trace in Perfetto: waits, interrupts, losses, the order and names of rows, tasks that are created and
//! deleted. The page's display follows from the tables that are queried here.

use tband_conv::sinks::{Interrupts, Perfetto, Stats};
use tband_conv::{Input, Options, convert};
use tband_format::Event::*;
use tband_format::{Created, QueueKind as Kind};
use tband_recordings::{Engine, Recording, TempFile, str, two_tasks};

type Query = (&'static str, &'static str, &'static str);

/// Each wait, or call, on the row of its task: time, duration, name, and its arguments.
const WAITS: Query = (
    "wait",
    "s.ts || ' ' || s.dur || ' ' || thread.name || ': ' || s.name || coalesce((select \
     group_concat(' ' || substr(key, 7) || '=' || display_value, '') from args a \
     where a.arg_set_id = s.arg_set_id and key glob 'debug.*'), '')",
    "from slice s join thread_track t on t.id = s.track_id join thread using (utid) \
     where t.name = 'waits and calls' order by s.ts, s.id",
);

/// The slices on each core, except idle ones.
const CORES: Query = (
    "core",
    "s.ts || ' ' || s.dur || ' core ' || cpu || ': ' || t.name",
    "from sched s join thread t using (utid) where tid != 0 order by s.ts, cpu, s.id",
);

/// States of threads, and their wakers.
const STATES: Query = (
    "state",
    "s.ts || ' ' || t.name || ' ' || s.state || coalesce(' by ' || w.name, '')",
    "from thread_state s join thread t using (utid) left join thread w on w.utid = s.waker_utid \
     where t.tid != 0 order by s.ts, s.id",
);

/// Slices of rows of the whole target.
const SLICES: Query = (
    "slice",
    "p.name || '/' || t.name || ' ' || s.ts || ' ' || s.dur || ' ' || s.name || coalesce((select \
     group_concat(' ' || substr(key, 7) || '=' || display_value, '') from args a \
     where a.arg_set_id = s.arg_set_id and key glob 'debug.*'), '')",
    "from slice s join track t on t.id = s.track_id join track p on p.id = t.parent_id \
     order by p.name, t.name, s.ts, s.id",
);

fn view(
    name: &str,
    recording: &Recording,
    interrupts: Interrupts,
    queries: &[Query],
) -> Option<Vec<(String, String)>> {
    let engine = Engine::find()?;
    let inputs = [Input::from_bytes("v", &recording.0)];
    let mut sink = Perfetto::new(Vec::new()).with_interrupts(interrupts);
    convert(&inputs, &Options::default(), &mut sink).unwrap();
    let trace = TempFile::new(&format!("view-{name}.pftrace"), &sink.into_inner());
    Some(engine.check(&trace.0, queries))
}

#[track_caller]
fn assert_shows(name: &str, recording: &Recording, queries: &[(Query, &[&str])]) {
    assert_shows_with(name, recording, Interrupts::Cpu, queries);
}

#[track_caller]
fn assert_shows_with(
    name: &str,
    recording: &Recording,
    interrupts: Interrupts,
    expected: &[(Query, &[&str])],
) {
    let queries: Vec<Query> = expected.iter().map(|it| it.0).collect();
    let Some(rows) = view(name, recording, interrupts, &queries) else { return };
    for ((tag, ..), expected) in expected {
        let rows: Vec<_> = rows.iter().filter(|row| row.0 == *tag).map(|row| &row.1).collect();
        assert_eq!(rows, *expected, "{tag}");
    }
}

/// Task b waits for the mutex that a holds, first until its time-out and then with success.
fn waits() -> Recording {
    two_tasks()
        .meta(QueueKind { queue_id: 7, kind: Kind::MUTEX })
        .meta(QueueName { queue_id: 7, name: str("bus") })
        .meta(IsrName { isr_id: 3, name: str("UART") })
        .meta(QueueName { queue_id: 8, name: str("rx") })
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(2, QueueReceive { queue_id: 7, len_after: 0 })
        .at(3, TaskToRdyState { task_id: 2 })
        .at(4, TaskSwitchedIn { task_id: 2 })
        .at(5, CurtaskBlockOnQueueReceive { queue_id: 7, ticks_to_wait: 50 })
        .at(6, TaskSwitchedIn { task_id: 1 })
        .at(20, TaskToRdyState { task_id: 2 })
        .at(21, TaskSwitchedIn { task_id: 2 })
        .at(22, QueueReceiveFailed { queue_id: 7 })
        .at(23, CurtaskBlockOnQueueReceive { queue_id: 7, ticks_to_wait: 60 })
        .at(24, TaskSwitchedIn { task_id: 1 })
        .at(30, QueueSend { queue_id: 7, len_after: 1 })
        .at(30, TaskToRdyState { task_id: 2 })
        .at(31, TaskSwitchedIn { task_id: 2 })
        .at(32, QueueReceive { queue_id: 7, len_after: 0 })
        .at(33, CurtaskBlockOnQueueReceive { queue_id: 8, ticks_to_wait: u32::MAX })
        .at(34, TaskSwitchedIn { task_id: 1 })
        .at(40, IsrEnter { isr_id: 3 })
        .at(41, QueueSendFromIsr { queue_id: 8, len_after: 1 })
        .at(41, TaskToRdyState { task_id: 2 })
        .at(42, IsrExit { isr_id: 3 })
        .at(43, TaskSwitchedIn { task_id: 2 })
        .at(44, QueueReceive { queue_id: 8, len_after: 0 })
        .at(45, CurtaskDelay { ticks: 3 })
        .at(46, TaskSwitchedIn { task_id: 1 })
}

#[test]
fn a_wait_is_a_slice_from_block_to_ready() {
    let waits = waits();
    let slices = [
        "60 140 b: mutex bus (timeout after 50 ticks) object_id=7 ticks_to_wait=50",
        "240 80 b: mutex bus (satisfied, limit 60 ticks) object_id=7 ticks_to_wait=60 ended_by=a",
        "300 0 a: give bus",
        "320 0 b: take bus",
        "340 70 b: queue_receive rx (satisfied) object_id=8 ended_by=UART ISR",
        "440 0 b: receive rx",
        // To the end of the recording.
        "460 -1 b: delay",
    ];
    assert_shows("waits", &waits, &[(WAITS, &slices)]);
}

/// A mutex is not taken by being given: another task may be faster.
#[test]
fn a_wait_for_a_mutex_is_as_long_as_until_it_is_taken() {
    let start = || {
        two_tasks()
            .meta(TaskName { task_id: 3, name: str("thief") })
            .meta(QueueKind { queue_id: 7, kind: Kind::MUTEX })
            .meta(QueueName { queue_id: 7, name: str("bus") })
            .at(1, TaskSwitchedIn { task_id: 1 })
            .at(2, QueueReceive { queue_id: 7, len_after: 0 })
            .at(4, TaskSwitchedIn { task_id: 2 })
            .at(5, CurtaskBlockOnQueueReceive { queue_id: 7, ticks_to_wait: 90 })
            .at(6, TaskSwitchedIn { task_id: 1 })
            .at(10, QueueSend { queue_id: 7, len_after: 1 })
            .at(10, TaskToRdyState { task_id: 2 })
            .at(11, TaskSwitchedIn { task_id: 3 })
            .at(12, QueueReceive { queue_id: 7, len_after: 0 })
    };
    let stolen = start()
        .at(13, TaskSwitchedIn { task_id: 2 })
        .at(14, CurtaskBlockOnQueueReceive { queue_id: 7, ticks_to_wait: 80 })
        .at(15, TaskSwitchedIn { task_id: 3 })
        .at(20, QueueSend { queue_id: 7, len_after: 1 })
        .at(20, TaskToRdyState { task_id: 2 })
        .at(22, TaskSwitchedIn { task_id: 2 })
        .at(25, QueueReceive { queue_id: 7, len_after: 0 });
    let slices = [
        "60 90 b: mutex bus (limit 90 ticks) object_id=7 ticks_to_wait=90 ended_by=a",
        "150 100 b: mutex bus (satisfied, limit 80 ticks) object_id=7 ticks_to_wait=80 ended_by=thief",
        "200 0 thief: give bus",
        "250 0 b: take bus",
    ];
    let states =
        ["60 b S", "100 b R by a", "130 b Running", "150 b S", "200 b R by thief", "220 b Running"];
    let of_b: Query = (
        "state",
        "s.ts || ' ' || t.name || ' ' || s.state || coalesce(' by ' || w.name, '')",
        "from thread_state s join thread t using (utid) left join thread w on w.utid = s.waker_utid \
         where t.name = 'b' and s.ts >= 60 and (s.state = 'S' or s.state = 'Running' or w.name is not null) \
         order by s.ts, s.id",
    );
    assert_shows("stolen", &stolen, &[(WAITS, &slices), (of_b, &states)]);
    // It is unknown when it is taken.
    let open = start().at(30, Valmarker { valmarker_id: 1, val: 1 });
    let slice = "60 -1 b: mutex bus (limit 90 ticks) object_id=7 ticks_to_wait=90";
    assert_shows("given", &open, &[(WAITS, &[slice])]);
    let lost = open.at(31, DroppedEvtCnt { cnt: 1 }).at(40, TaskSwitchedIn { task_id: 1 });
    let slice = "60 240 b: mutex bus (limit 90 ticks) object_id=7 ticks_to_wait=90 ended_by=a";
    assert_shows("given-lost", &lost, &[(WAITS, &[slice])]);
}

/// A counter always needs a value: an unknown one is -1, and that of an ended object is 0.
#[test]
fn a_gap_ends_open_slices() {
    const COUNTERS: Query = (
        "counter",
        "t.name || ' ' || c.ts || ' ' || cast(c.value as int)",
        "from counter c join track t on t.id = c.track_id where t.name not glob '*cpu*' \
         order by t.name, c.ts, c.id",
    );
    let recording = two_tasks()
        .meta(QueueName { queue_id: 1, name: str("q") })
        .meta(QueueKind { queue_id: 2, kind: Kind::RECURSIVE_MUTEX })
        .meta(QueueName { queue_id: 2, name: str("m") })
        .meta(QueueName { queue_id: 3, name: str("unused") })
        .meta(StreamBufferName { stream_buffer_id: 1, name: str("s") })
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(2, TaskPrioritySet { task_id: 1, priority: 3 })
        .at(2, TaskPrioritySet { task_id: 2, priority: 4 })
        .at(3, QueueSend { queue_id: 1, len_after: 1 })
        .at(4, MutexRecursiveTake { queue_id: 2, depth_after: 1 })
        .at(5, QueueReceive { queue_id: 2, len_after: 0 })
        .at(6, StreamBufferSend { stream_buffer_id: 1, amount: 7, level_after: 7 })
        .at(7, TaskDeleted { task_id: 2 })
        .at(8, DroppedEvtCnt { cnt: 9 })
        .at(12, TaskSwitchedIn { task_id: 1 })
        .at(13, TaskPrioritySet { task_id: 1, priority: 5 })
        .at(14, QueueSend { queue_id: 1, len_after: 4 })
        .at(15, QueueDeleted { queue_id: 1 })
        // The forgotten states do not become known.
        .at(20, DroppedEvtCnt { cnt: 10 })
        .at(21, DroppedEvtCnt { cnt: 11 });
    let counters = [
        "m depth 40 1",
        "m depth 70 -1",
        "priority of a 20 3",
        "priority of a 70 -1",
        "priority of a 130 5",
        "priority of a 150 -1",
        "priority of b 20 4",
        "priority of b 70 0",
        "q 30 1",
        "q 70 -1",
        "q 140 4",
        "q 150 0",
        "stream buffer s 60 7",
        "stream buffer s 70 -1",
    ];
    assert_shows("gap-counters", &recording, &[(COUNTERS, &counters)]);
}

#[test]
fn a_wait_ends_where_events_are_lost_or_its_task_is_deleted() {
    let recording = two_tasks()
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(2, CurtaskBlockOnQueueReceive { queue_id: 1, ticks_to_wait: 9 })
        .at(3, TaskSwitchedIn { task_id: 2 })
        .at(5, DroppedEvtCnt { cnt: 4 })
        .at(7, TaskSwitchedIn { task_id: 1 })
        .at(8, CurtaskBlockOnQueueReceive { queue_id: 1, ticks_to_wait: 9 })
        .at(9, TaskSwitchedIn { task_id: 2 })
        .at(12, TaskDeleted { task_id: 1 });
    let slices = [
        "30 2 a: queue_receive queue 1 (limit 9 ticks) object_id=1 ticks_to_wait=9",
        "90 30 a: queue_receive queue 1 (deleted, limit 9 ticks) object_id=1 ticks_to_wait=9",
        "120 0 a: deleted",
    ];
    assert_shows("waits-end", &recording, &[(WAITS, &slices)]);
}

#[test]
fn an_interrupt_preempts_the_task_on_its_core() {
    let nested = two_tasks()
        .meta(IsrName { isr_id: 1, name: str("tick") })
        .meta(IsrName { isr_id: 2, name: str("uart") })
        .at(1, TaskSwitchedIn { task_id: 2 })
        .at(2, CurtaskBlockOnNotifyTake { index: 0, ticks_to_wait: u32::MAX })
        .at(3, TaskSwitchedIn { task_id: 1 })
        .at(10, IsrEnter { isr_id: 1 })
        .at(12, IsrEnter { isr_id: 2 })
        .at(13, TaskToRdyState { task_id: 2 })
        .at(14, IsrExit { isr_id: 2 })
        .at(17, IsrExit { isr_id: 1 })
        // Both at one time, and no time in between.
        .at(20, IsrEnter { isr_id: 2 })
        .at(20, IsrExit { isr_id: 2 })
        .at(22, TaskSwitchedIn { task_id: 2 })
        .at(30, TaskSwitchedIn { task_id: 1 });
    let cores = [
        "10 20 core 0: b",
        "30 70 core 0: a",
        "100 20 core 0: tick ISR",
        "120 20 core 0: uart ISR",
        "140 30 core 0: tick ISR",
        "170 30 core 0: a",
        "200 0 core 0: uart ISR",
        "200 20 core 0: a",
        "220 80 core 0: b",
        "300 1 core 0: a",
    ];
    let states = [
        "10 b Running",
        "30 b S",
        "30 a Running",
        "100 a R+",
        "100 tick ISR Running",
        "120 tick ISR R+",
        "120 uart ISR Running",
        "130 b R by uart ISR",
        "140 uart ISR S",
        "140 tick ISR Running",
        "170 tick ISR S",
        "170 a Running",
        "200 a R+",
        "200 uart ISR Running",
        "200 uart ISR S",
        "200 a Running",
        "220 a R+",
        "220 b Running",
        "300 b R+",
        "300 a Running",
        // The recording ends.
        "301 a R",
    ];
    assert_shows("nested", &nested, &[(CORES, &cores), (STATES, &states)]);
    // The row of each interrupt instead: tasks continue beneath.
    let cores = ["10 20 core 0: b", "30 190 core 0: a", "220 80 core 0: b", "300 1 core 0: a"];
    let rows = [
        "Interrupts/tick 100 70 tick",
        "Interrupts/uart 120 20 uart",
        "Interrupts/uart 200 0 uart",
    ];
    let expected: [(Query, &[&str]); 2] = [(CORES, &cores), (SLICES, &rows)];
    assert_shows_with("nested-rows", &nested, Interrupts::Rows, &expected);
}

#[test]
fn each_interrupt_of_each_core_is_a_thread() {
    let mut recording = two_tasks().meta(IsrName { isr_id: 1, name: str("tick") });
    for core_id in [0, 1] {
        recording = recording
            .at(1, CoreId { core_id })
            .at(5 + u64::from(core_id), TaskSwitchedIn { task_id: core_id + 1 })
            .at(20, IsrEnter { isr_id: 1 })
            .at(25, IsrExit { isr_id: 1 })
            // A switch in an interrupt takes effect when that ends.
            .at(26, IsrEnter { isr_id: 2 })
            .at(27, TaskSwitchedIn { task_id: 3 + core_id })
            .at(28, IsrExit { isr_id: 2 })
            .at(40, TaskSwitchedIn { task_id: core_id + 1 });
    }
    let cores = [
        "50 150 core 0: a",
        "60 140 core 1: b",
        "200 50 core 0: tick ISR, core 0",
        "200 50 core 1: tick ISR, core 1",
        "250 10 core 0: a",
        "250 10 core 1: b",
        "260 20 core 0: ISR 2, core 0",
        "260 20 core 1: ISR 2, core 1",
        "280 120 core 0: task 3",
        "280 120 core 1: task 4",
        "400 1 core 0: a",
        "400 1 core 1: b",
    ];
    let threads = (
        "thread",
        "t.name || ' ' || (pid = tid) || ' ' || is_main_thread",
        "from thread t join process p using (upid) where t.name glob '*ISR*' order by t.name",
    );
    let of_interrupts =
        ["ISR 2, core 0 1 0", "ISR 2, core 1 1 0", "tick ISR, core 0 1 0", "tick ISR, core 1 1 0"];
    assert_shows("cores", &recording, &[(CORES, &cores), (threads, &of_interrupts)]);
}

#[test]
fn time_of_tasks_is_their_own_as_in_the_numbers() {
    let Some(engine) = Engine::find() else { return };
    let recording = waits();
    let inputs = [Input::from_bytes("v", &recording.0)];
    let mut sinks = (Perfetto::new(Vec::new()), Stats::default());
    convert(&inputs, &Options::default(), &mut sinks).unwrap();
    let trace = TempFile::new("view-own.pftrace", &sinks.0.into_inner());
    let own = (
        "own",
        "t.name || ' ' || sum(dur)",
        "from sched join thread t using (utid) where tid between 1 and 99 group by utid order by 1",
    );
    let rows = engine.check(&trace.0, &[own]);
    let rows: Vec<_> = rows.iter().map(|row| row.1.clone()).collect();
    let stats: Vec<_> =
        sinks.1.tasks().map(|task| format!("{} {}", task.name, task.run_ns)).collect();
    assert_eq!(rows, stats);
    assert_eq!(rows, ["a 321", "b 110"]);
}

#[test]
fn a_loss_is_a_slice_from_the_last_event_to_its_report() {
    let recording = two_tasks()
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(4, Evtmarker { evtmarker_id: 1, msg: str("x") })
        .at(9, DroppedEvtCnt { cnt: 3 })
        .at(10, Evtmarker { evtmarker_id: 1, msg: str("y") })
        .at(12, DroppedEvtCnt { cnt: 4 })
        .at(13, CreateFailed { object: Created::QUEUE })
        .raw(&[3, 0xFF, 0xFF, 0])
        .at(14, Evtmarker { evtmarker_id: 1, msg: str("z") });
    let errors = (
        "error",
        "t.name || ' ' || s.ts || ' ' || s.dur || ' ' || substr(s.name, 1, 13) || coalesce((select \
         ' lost=' || display_value from args a where a.arg_set_id = s.arg_set_id \
         and key = 'debug.lost'), '')",
        "from slice s join track t on t.id = s.track_id join track p on p.id = t.parent_id \
         where p.name = 'Errors' order by s.ts, s.id",
    );
    let shown = [
        "lost events 40 50 3 events lost lost=3",
        "lost events 100 20 1 event lost lost=1",
        "notes 130 0 a queue could",
        "damage 130 0 frame of 3 by",
    ];
    let ranks = (
        "rank",
        "name",
        "from (select distinct t.name, extract_arg(t.source_arg_set_id, 'sibling_order_rank') r, \
         extract_arg(p.source_arg_set_id, 'child_ordering') o from track t \
         join track p on p.id = t.parent_id where p.name = 'Errors' order by r) where o = 'explicit'",
    );
    let order: [&str; 3] = ["lost events", "damage", "notes"];
    assert_shows("losses", &recording, &[(errors, &shown), (ranks, &order)]);
    // A viewer can jump there.
    let mut sink = Perfetto::new(Vec::new());
    convert(&[Input::from_bytes("v", &recording.0)], &Options::default(), &mut sink).unwrap();
    let first = [(40, "3 events lost".to_owned()), (100, "1 event lost".to_owned())];
    assert_eq!(sink.first_losses(), first);
}

/// Rows as Perfetto's page orders them: group, position, name and description.
const ORDER: Query = (
    "row",
    "coalesce('thread ' || th.name || ': ', replace(pr.name, '\u{A0}', ' ') || ': ', '') \
     || coalesce(p.name || ' / ', '') || g.name",
    "from _track_event_tracks_ordered_groups g left join track p on p.id = g.parent_id \
     left join process pr on pr.upid = g.upid left join thread th on th.utid = g.utid \
     where g.name is not null and has_data \
     order by coalesce(pr.name, th.name, ''), th.name is null, \
     coalesce((select q.order_id from _track_event_tracks_ordered_groups q \
     where q.min_track_id = g.parent_id), g.order_id), g.order_id",
);

const INCLUDE: &str = "include perfetto module viz.summary.track_event; ";

/// Everything that has a separate row, and two objects with one name.
fn many_rows() -> Recording {
    let start = two_tasks()
        .meta(TaskName { task_id: 3, name: str("IDLE") })
        .meta(TaskIsIdleTask { task_id: 3, core_id: 0 })
        .meta(QueueKind { queue_id: 1, kind: Kind::MUTEX })
        .meta(QueueName { queue_id: 1, name: str("bus") })
        .meta(QueueName { queue_id: 2, name: str("rx") })
        .meta(QueueName { queue_id: 3, name: str("rx") })
        .meta(QueueName { queue_id: 4, name: str("tx") })
        .meta(EvtmarkerName { evtmarker_id: 1, name: str("Alpha") })
        .meta(TaskEvtmarkerName { evtmarker_id: 1, task_id: 1, name: str("zeta") })
        .meta(TaskValmarkerName { valmarker_id: 1, task_id: 1, name: str("Beta") });
    start
        .at(1, TaskPrioritySet { task_id: 3, priority: 0 })
        .at(1, TaskPrioritySet { task_id: 1, priority: 4 })
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(2, QueueReceive { queue_id: 1, len_after: 0 })
        .at(3, QueueSend { queue_id: 2, len_after: 1 })
        .at(3, QueueSend { queue_id: 3, len_after: 1 })
        .at(3, QueueSend { queue_id: 4, len_after: 1 })
        .at(4, TaskEvtmarker { evtmarker_id: 1, msg: str("") })
        .at(4, TaskValmarker { valmarker_id: 1, val: 7 })
        .at(4, Evtmarker { evtmarker_id: 1, msg: str("") })
        .at(5, TaskStackHighWaterMark { task_id: 1, bytes: 99 })
        .at(6, CurtaskDelay { ticks: 1 })
        .at(7, TaskSwitchedIn { task_id: 3 })
        .at(4_000_000, TaskToRdyState { task_id: 1 })
        .at(4_000_001, TaskSwitchedIn { task_id: 1 })
        .at(4_300_000, QueueSend { queue_id: 1, len_after: 1 })
        .at(4_300_001, TaskSwitchedIn { task_id: 3 })
        .at(5_200_000, TaskSwitchedIn { task_id: 1 })
        .at(5_300_000, DroppedEvtCnt { cnt: 1 })
}

#[test]
fn rows_have_one_order_and_one_name() {
    let Some(engine) = Engine::find() else { return };
    let (bytes, _, _) =
        tband_recordings::trace_of(&[Input::from_bytes("v", &many_rows().0)], &Options::default());
    let trace = TempFile::new("view-order.pftrace", &bytes);
    let (_, column, rest) = ORDER;
    let rows = engine.rows_with(INCLUDE, &trace.0, column, rest);
    let expected = [
        "Errors / lost events",
        "Load of core 0 / in interrupts of core 0",
        "Load of core 0",
        "Markers / Alpha",
        "Mutexes / bus",
        "Queues / rx #2",
        "Queues / rx #3",
        "Queues / tx",
        "thread a: waits and calls",
        "a: markers / Beta",
        "a: markers / zeta",
        "a: priority of a",
        "a: stack high-water mark of a",
    ];
    assert_eq!(rows, expected);
    // No "main thread", and rows that are not obvious have a description.
    let queries = [
        ("main", "name", "from thread where is_main_thread and tid != 0"),
        (
            "names",
            "group_concat(name)",
            "from (select name from thread where tid != 0 order by tid)",
        ),
        (
            "about",
            "name",
            "from track where extract_arg(source_arg_set_id, 'description') is not null order by name",
        ),
        // Idle in all windows until 40 ms, then busy for 3 ms. After 52 ms nothing is known.
        (
            "load",
            "ts || ' ' || cast(value as int)",
            "from counter c join track t on t.id = c.track_id where t.name = 'Load of core 0' order by ts",
        ),
        (
            "interrupts",
            "p.name || ' ' || ts || ' ' || cast(value as int)",
            "from counter c join track t on t.id = c.track_id join track p on p.id = t.parent_id \
             where t.name = 'in interrupts of core 0' order by ts",
        ),
    ];
    let rows = engine.check(&trace.0, &queries);
    let of = |tag: &str| -> Vec<&str> {
        rows.iter().filter(|row| row.0 == tag).map(|row| row.1.as_str()).collect()
    };
    assert_eq!(of("main"), [""; 0]);
    assert_eq!(of("names"), ["a,b,IDLE"]);
    let levels = ["rx #2", "rx #3"];
    let about = [
        &["Load of core 0", "bus", "in interrupts of core 0", "lost events", "priority of a"][..],
        &levels,
        &["stack high-water mark of a", "tx", "waits and calls"],
    ];
    assert_eq!(of("about"), about.concat());
    assert_eq!(of("load"), ["0 0", "40000000 30", "50000000 0"]);
    assert_eq!(of("interrupts"), ["Load of core 0 0 0"]);
}

#[test]
fn a_mutex_is_named_after_its_holder_and_free_while_empty() {
    let slices = [
        "Mutexes/bus 20 280 a waiters=b",
        "Mutexes/bus 320 -1 b",
        "Mutexes/bus events 220 0 receive failed by b",
    ];
    let levels = ("level", "name", "from counter_track where name glob '*bus*'");
    assert_shows("mutex", &waits(), &[(SLICES, &slices), (levels, &[])]);
}

#[test]
fn a_waiter_waits_for_the_next_holder_of_the_mutex() {
    let recording = two_tasks()
        .meta(QueueKind { queue_id: 1, kind: Kind::MUTEX })
        .meta(QueueName { queue_id: 1, name: str("bus") })
        .meta(TaskName { task_id: 3, name: str("c") })
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(2, QueueReceive { queue_id: 1, len_after: 0 })
        .at(3, TaskSwitchedIn { task_id: 2 })
        .at(4, CurtaskBlockOnQueueReceive { queue_id: 1, ticks_to_wait: 9 })
        .at(5, TaskSwitchedIn { task_id: 3 })
        .at(6, CurtaskBlockOnQueueReceive { queue_id: 1, ticks_to_wait: 9 })
        .at(7, TaskSwitchedIn { task_id: 1 })
        .at(8, QueueSend { queue_id: 1, len_after: 1 })
        .at(8, TaskToRdyState { task_id: 2 })
        .at(9, TaskSwitchedIn { task_id: 2 })
        .at(10, QueueReceive { queue_id: 1, len_after: 0 })
        .at(11, QueueSend { queue_id: 1, len_after: 1 })
        .at(12, TaskToRdyState { task_id: 3 });
    let slices = ["Mutexes/bus 20 60 a waiters=b, c", "Mutexes/bus 100 10 b waiters=c"];
    assert_shows("waiters", &recording, &[(SLICES, &slices)]);
}

#[test]
fn deleted_tasks_are_like_others_and_end_where_they_end() {
    let recording = two_tasks()
        .meta(TaskName { task_id: 3, name: str("c") })
        .at(1, TaskPrioritySet { task_id: 1, priority: 4 })
        .at(1, TaskPrioritySet { task_id: 2, priority: 5 })
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(2, CurtaskBlockOnNotifyTake { index: 0, ticks_to_wait: u32::MAX })
        .at(3, TaskSwitchedIn { task_id: 2 })
        .at(5, TaskEvtmarkerBegin { evtmarker_id: 1, msg: str("work") })
        .at(9, TaskDeleted { task_id: 2 })
        .at(10, TaskSwitchedIn { task_id: 3 })
        // Another task with the number of the deleted one.
        .at(12, TaskCreated { task_id: 2 })
        .meta(TaskName { task_id: 2, name: str("new") })
        .at(13, TaskToRdyState { task_id: 2 })
        .at(14, TaskSwitchedIn { task_id: 2 })
        .at(20, TaskDeleted { task_id: 1 })
        .at(25, TaskSwitchedIn { task_id: 3 });
    let threads = (
        "thread",
        "p.name || ' / ' || t.name || coalesce(' ends ' || t.end_ts, '')",
        "from thread t join process p using (upid) where tid != 0 and not is_main_thread \
         order by t.end_ts is null, t.end_ts, t.name",
    );
    let names = ["b / b ends 101", "a / a ends 200", "c / c", "new / new"];
    let counters = (
        "counter",
        "c.ts || ' ' || t.name || ' ' || cast(value as int)",
        "from counter c join track t on t.id = c.track_id where t.name glob 'priority*' \
         order by c.ts, t.name",
    );
    let priorities =
        ["10 priority of a 4", "10 priority of b 5", "100 priority of b 0", "200 priority of a 0"];
    assert_shows("deleted", &recording, &[(threads, &names), (counters, &priorities)]);
}

#[test]
fn a_number_with_another_name_is_another_thread() {
    let recording = Recording::default()
        .meta(TsResolutionNs { ns_per_ts: 10 })
        .at(1, TaskSwitchedIn { task_id: 1 })
        .meta(TaskName { task_id: 1, name: str("first") })
        .at(2, Evtmarker { evtmarker_id: 1, msg: str("") })
        .meta(TaskName { task_id: 1, name: str("second") })
        .at(9, TaskSwitchedIn { task_id: 2 });
    let names = ("name", "name || ' ' || tid", "from thread where tid != 0 order by tid");
    assert_shows("renamed", &recording, &[(names, &["first 1", "task 2 2", "second 1073741825"])]);
}

/// The text of a marker is shown in the same way as names.
#[test]
fn control_characters_of_markers_are_replaced() {
    let recording = Recording::default()
        .meta(TsResolutionNs { ns_per_ts: 1 })
        .meta(EvtmarkerName { evtmarker_id: 1, name: str("m") })
        .at(100, Evtmarker { evtmarker_id: 1, msg: str("a\tb\u{1b}[2J") })
        .at(200, Evtmarker { evtmarker_id: 1, msg: str("\u{9b}°C") });
    let slices = ["Markers/m 100 0 a\u{FFFD}b\u{FFFD}[2J", "Markers/m 200 0 \u{FFFD}°C"];
    assert_shows("control", &recording, &[(SLICES, &slices)]);
}

/// From a wait to the actor that ended it, and from there to the woken task's next act: one flow in Perfetto. The suspension of
/// a task has a slice, and the actor that resumed it.
#[test]
fn an_arrow_leads_from_a_wait_to_who_ended_it() {
    let flows = (
        "flow",
        "o.ts || ' ' || o.name || ' > ' || i.ts || ' ' || i.name",
        "from flow join slice o on o.id = slice_out join slice i on i.id = slice_in order by o.ts, i.ts",
    );
    let shown = [
        "240 mutex bus (satisfied, limit 60 ticks) > 300 give bus",
        "300 give bus > 320 take bus",
        "340 queue_receive rx (satisfied) > 410 send rx",
        "410 send rx > 440 receive rx",
    ];
    assert_shows("wait-flows", &waits(), &[(flows, &shown)]);

    let suspended = two_tasks()
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(3, TaskSuspended { task_id: 1 })
        .at(4, TaskSwitchedIn { task_id: 2 })
        .at(7, TaskResumed { task_id: 1 })
        .at(8, TaskSuspended { task_id: 1 })
        .at(9, Evtmarker { evtmarker_id: 1, msg: str("end") });
    let slices = ["40 30 a: suspended ended_by=b", "80 -1 a: suspended"];
    let states = (
        "state",
        "s.ts || ' ' || state || ' ' || coalesce(io_wait, 'alone')",
        "from thread_state s join thread t using (utid) where t.name = 'a' and state = 'T' order by s.ts",
    );
    assert_shows(
        "suspended",
        &suspended,
        &[(WAITS, &slices), (states, &["40 T alone", "80 T alone"])],
    );
}

/// Tasks have their own numbers as processes as long as that gives each a colour; a rank shows how urgent they are.
#[test]
fn processes_are_in_the_order_of_urgency() {
    let mut recording = Recording::default().meta(TsResolutionNs { ns_per_ts: 10 });
    for task_id in 1..13 {
        recording = recording
            .at(task_id.into(), TaskPrioritySet { task_id, priority: task_id % 4 })
            .at(task_id.into(), TaskSwitchedIn { task_id });
    }
    let ranks = (
        "rank",
        "t.tid || ' ' || (p.pid = t.tid) || ' ' || (p.pid % 1000000 = t.tid)",
        "from thread t join process p using (upid) where tid != 0 and not is_main_thread order by t.tid",
    );
    let shown = [
        "1 1 1", "2 1 1", "3 1 1", "4 1 1", "5 1 1", "6 1 1", "7 1 1", "8 1 1", "9 1 1", "10 1 1",
        // The colours of 10 and of 9.
        "11 0 1", "12 0 1",
    ];
    assert_shows("colours", &recording, &[(ranks, &shown)]);
}
