//! The appearance of the trace in Perfetto: the order and names of rows. The page's display follows from the tables that are
//! queried here.

use tband_conv::sinks::Perfetto;
use tband_conv::{Input, Options, convert};
use tband_format::Event::*;
use tband_format::named::QueueKind as Kind;
use tband_recordings::{Engine, Recording, TempFile, str, two_tasks};

/// A viewer can jump there.
#[test]
fn the_first_losses_have_their_times() {
    let recording = two_tasks()
        .at(4, Evtmarker { evtmarker_id: 1, msg: str("x") })
        .at(9, DroppedEvtCnt { cnt: 3 })
        .at(10, Evtmarker { evtmarker_id: 1, msg: str("y") })
        .at(12, DroppedEvtCnt { cnt: 4 })
        .at(14, Evtmarker { evtmarker_id: 1, msg: str("z") });
    let mut sink = Perfetto::new(Vec::new());
    convert(&[Input::from_bytes("v", &recording.0)], &Options::default(), &mut sink).unwrap();
    let first = [(40, "3 events lost".to_owned()), (100, "1 event lost".to_owned())];
    assert_eq!(sink.first_losses(), first);
}

/// Rows as Perfetto's page orders them: group, position, name and description.
const ORDER: (&str, &str, &str) = (
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
