//! Activations in a trace: Perfetto's engine has a slice for each activation of the timeline, and computes the same splits from
//! its own scheduling data.

use std::collections::BTreeMap;
use std::io;

use tband_conv::activations::{Activation, ActivationSink, Activations, PartKind, Subject};
use tband_conv::clock::moment::Moment;
use tband_conv::model::{Flows, World};
use tband_conv::sinks::{Perfetto, PerfettoWithActivations, RawEvents, Stats};
use tband_conv::{Input, Options, convert};
use tband_format::Event::*;
use tband_format::named::QueueKind as Kind;
use tband_recordings::{Engine, Recording, TempFile, str, vector};

/// Activations of tasks, as the engine's rows have them.
#[derive(Default)]
struct Rows {
    lines: Vec<String>,
    all: Vec<(String, Activation)>,
}

impl ActivationSink for Rows {
    fn activation(&mut self, world: &World, it: &Activation) -> io::Result<()> {
        let Subject::Task(_) = it.subject else { return Ok(()) };
        let name = it.subject.name(world);
        let sums: Vec<_> = PartKind::ALL.iter().map(|kind| it.sum(*kind).to_string()).collect();
        self.lines.push(format!(
            "{name} {}: {} {} {} {} {} {} {}",
            it.number,
            it.released_ns,
            it.response_ns(),
            it.release.name(),
            it.release.object(world).unwrap_or_default(),
            it.inverted_ns,
            it.is_whole(),
            sums.join(" "),
        ));
        self.all.push((name, it.clone()));
        Ok(())
    }
}

/// The activations of a recording, and its trace that has them.
fn converted(inputs: &[Input<'_>], options: &Options) -> (Rows, Vec<u8>) {
    let mut all = options.clone();
    all.flows = Flows::All;
    let mut rows = Activations::new(Rows::default());
    convert(inputs, &all, &mut rows).unwrap();
    let mut sink = PerfettoWithActivations::new(Perfetto::new(Vec::new()), options.flows);
    convert(inputs, &all, &mut sink).unwrap();
    (rows.into_inner(), sink.into_inner().into_inner())
}

const NAMES: [&str; PartKind::COUNT] = [
    "backlog",
    "own",
    "interrupts",
    "preempted",
    "shared",
    "pushed",
    "held_off",
    "locked",
    "room",
    "suspended",
    "unknown",
];

/// The slices of activations, as [`Rows`] has them.
fn slices() -> (String, &'static str) {
    let arg = |name: &str| format!("coalesce(extract_arg(s.arg_set_id, 'debug.{name}'), 0)");
    let sums: Vec<_> = NAMES.iter().map(|name| arg(&format!("{name}_ns"))).collect();
    let text = format!(
        "replace(p.name, char(160), ' ') || ' ' || {number} || ': ' || s.ts || ' ' || s.dur || ' ' || {release} || ' ' || \
         coalesce(extract_arg(s.arg_set_id, 'debug.object'), '') || ' ' || {inverted} || ' ' || \
         iif(extract_arg(s.arg_set_id, 'debug.cut') is null, 'true', 'false') || ' ' || {sums}",
        number = arg("number"),
        release = arg("release"),
        inverted = arg("inverted_ns"),
        sums = sums.join(" || ' ' || "),
    );
    (
        text,
        "from slice s join process_track t on t.id = s.track_id join process p using (upid) where t.name = 'activations'",
    )
}

/// Slices of one track that overlap, or are in each other.
const OVERLAPS: (&str, &str, &str) = (
    "overlap",
    "a.id || ' ' || b.id",
    "from slice a join slice b using (track_id) join track t on t.id = track_id \
     where t.name = 'activations' and a.id < b.id and a.ts < b.ts + b.dur and b.ts < a.ts + a.dur",
);

/// Sums of the arguments that are not the length.
const SUMS: (&str, &str, &str) = (
    "sum",
    "s.name || ' ' || s.dur",
    "from slice s join track t on t.id = s.track_id where t.name = 'activations' and s.dur != \
     (select sum(int_value) from args where arg_set_id = s.arg_set_id and key in ('debug.backlog_ns', \
     'debug.own_ns', 'debug.interrupts_ns', 'debug.preempted_ns', 'debug.shared_ns', 'debug.pushed_ns', \
     'debug.held_off_ns', 'debug.locked_ns', 'debug.room_ns', 'debug.suspended_ns', 'debug.unknown_ns')) \
     and s.dur > 0",
);

#[track_caller]
fn agree(engine: &Engine, name: &str, inputs: &[Input<'_>], options: &Options) -> Rows {
    let (mut rows, trace) = converted(inputs, options);
    let trace = TempFile::new(&format!("activations-{name}.pftrace"), &trace);
    let (text, rest) = slices();
    let found = engine.check(&trace.0, &[("slice", text.as_str(), rest), OVERLAPS, SUMS]);
    let of = |tag: &str| -> Vec<String> {
        found.iter().filter(|(it, _)| it == tag).map(|(_, text)| text.clone()).collect()
    };
    let mut shown = of("slice");
    shown.sort();
    rows.lines.sort();
    assert_eq!(shown, rows.lines, "{name}");
    assert_eq!(of("overlap"), [""; 0], "{name}");
    assert_eq!(of("sum"), [""; 0], "{name}");
    rows
}

fn demo() -> Vec<u8> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    std::fs::read(root.join("../web/examples/sensor-pipeline.bin")).unwrap()
}

#[test]
fn each_activation_is_a_slice_with_its_split() {
    let Some(engine) = Engine::find() else { return };
    let options = Options::default();
    let mut count = 0;
    for name in ["freertos_sim", "freertos_late_start", "truncated"] {
        let bytes = vector(&format!("{name}.bin"));
        count += agree(&engine, name, &[Input::from_bytes(name, &bytes)], &options).all.len();
    }
    let bytes = demo();
    let rows = agree(&engine, "demo", &[Input::from_bytes("demo", &bytes)], &options);
    assert!(rows.all.iter().any(|(_, it)| it.inverted_ns > 1_000_000));
    assert!(rows.all.iter().any(|(_, it)| it.sum(PartKind::Backlog) > 0));
    let (core0, core1) = (vector("mc_split.core0.bin"), vector("mc_split.core1.bin"));
    let meta = vector("mc_split.core0.meta.bin");
    let cores = [
        Input::from_bytes("meta", &meta),
        Input::from_bytes("0", &core0),
        Input::from_bytes("1", &core1).on_core(1),
    ];
    let more = agree(&engine, "cores", &cores, &options).all.len();
    let mut window = Options::default();
    (window.from, window.to) = (Some(Moment::Ns(300_000_000)), Some(Moment::Ns(400_000_000)));
    agree(&engine, "window", &[Input::from_bytes("demo", &bytes)], &window);
    assert!(count > 400 && more > 300 && rows.all.len() > 500, "{count} and {more}");
}

/// Items that are sent while their task is busy: their activations overlap, and are below each other.
#[test]
fn a_backlog_is_drawn_below() {
    let Some(engine) = Engine::find() else { return };
    const QUEUE: u32 = 1;
    let mut recording = Recording::default()
        .meta(TsResolutionNs { ns_per_ts: 1000 })
        .meta(TaskName { task_id: 1, name: str("worker") })
        .meta(TaskName { task_id: 2, name: str("IDLE") })
        .meta(TaskIsIdleTask { task_id: 2, core_id: 0 })
        .meta(QueueName { queue_id: QUEUE, name: str("items") })
        .meta(QueueKind { queue_id: QUEUE, kind: Kind::QUEUE })
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(2, CurtaskBlockOnQueueReceive { queue_id: QUEUE, ticks_to_wait: u32::MAX })
        .at(3, TaskSwitchedIn { task_id: 2 });
    // Five items come at once, and each takes 10 us.
    for item in 0..5 {
        recording = recording
            .at(10 + u64::from(item), QueueSendFromIsr { queue_id: QUEUE, len_after: item + 1 });
    }
    recording =
        recording.at(16, TaskToRdyState { task_id: 1 }).at(17, TaskSwitchedIn { task_id: 1 });
    for item in 0..5 {
        let len_after = 4 - item;
        recording =
            recording.at(20 + 10 * u64::from(item), QueueReceive { queue_id: QUEUE, len_after });
    }
    let recording = recording
        .at(70, CurtaskBlockOnQueueReceive { queue_id: QUEUE, ticks_to_wait: u32::MAX })
        .at(71, TaskSwitchedIn { task_id: 2 })
        .at(80, TaskSwitchedIn { task_id: 2 });
    let inputs = [Input::from_bytes("r", &recording.0)];
    let rows = agree(&engine, "backlog", &inputs, &Options::default());
    let backlogs: Vec<_> = rows.all.iter().map(|(_, it)| it.sum(PartKind::Backlog)).collect();
    assert!(backlogs.iter().filter(|ns| **ns > 0).count() >= 4, "{backlogs:?}");
    let (_, trace) = converted(&inputs, &Options::default());
    let trace = TempFile::new("activations-lanes.pftrace", &trace);
    let lanes = engine.rows(
        &trace.0,
        "count(distinct track_id) || ' ' || count(*)",
        "from slice s join track t on t.id = s.track_id where t.name = 'activations'",
    );
    let [lanes] = &lanes[..] else { panic!("{lanes:?}") };
    let (lanes, slices) = lanes.split_once(' ').unwrap();
    assert_eq!(slices, rows.all.len().to_string());
    // The items at one time; the last ones overlap with at most as many as those before.
    assert!((4..=5).contains(&lanes.parse::<usize>().unwrap()), "{lanes}");
}

/// In the window of an activation, from when its task stops being busy with the one before, the engine's states equal its
/// split.
#[test]
fn the_engine_computes_the_same_own_ready_and_blocked_time() {
    let Some(engine) = Engine::find() else { return };
    let (sim, demo) = (vector("freertos_sim.bin"), demo());
    for (name, bytes) in [("sim", &sim), ("demo", &demo)] {
        let inputs = [Input::from_bytes(name, bytes)];
        let (rows, trace) = converted(&inputs, &Options::default());
        let trace = TempFile::new(&format!("activations-states-{name}.pftrace"), &trace);
        // Until the task takes a lock that was given it waits for it, whatever its state is.
        let state = |states: &str| {
            format!(
                "sum(iif(st.state in ({states}), min(st.ts + st.dur, a.ts + a.dur) - max(st.ts, a.begin), 0))"
            )
        };
        let text = format!(
            "name || ' ' || number || ': ' || {} || ' ' || {} || ' ' || {}",
            state("'Running'"),
            state("'R', 'R+'"),
            state("'S'")
        );
        let rest = "from (select p.name, s.ts + coalesce(extract_arg(s.arg_set_id, 'debug.backlog_ns'), 0) as begin, s.ts, s.dur, \
             utid, extract_arg(s.arg_set_id, 'debug.number') as number from slice s join process_track t on t.id = s.track_id \
             join process p using (upid) join thread using (upid) where t.name = 'activations' \
             and extract_arg(s.arg_set_id, 'debug.cut') is null and extract_arg(s.arg_set_id, 'debug.locked_ns') is null) a \
             join thread_state st on st.utid = a.utid and st.ts < a.ts + a.dur and st.ts + st.dur > a.begin group by name, number";
        let mut found = engine.rows(&trace.0, &text, rest);
        found.iter_mut().for_each(|row| *row = row.replace('\u{A0}', " "));
        found.sort();
        let of = |it: &Activation, kinds: &[PartKind]| -> i64 {
            kinds.iter().map(|kind| it.sum(*kind)).sum()
        };
        use PartKind::*;
        let wanted = rows.all.iter().filter(|(_, it)| {
            it.is_whole() && it.sum(Locked) == 0 && it.ended_ns > it.released_ns + it.sum(Backlog)
        });
        let mut wanted: Vec<_> = wanted
            .map(|(name, it)| {
                let own = it.sum(Own);
                // Before the first switch the running task is unknown.
                let ready = of(it, &[Interrupts, Preempted, Shared, Pushed, HeldOff, Unknown]);
                format!("{name} {}: {own} {ready} {}", it.number, it.sum(Room))
            })
            .collect();
        wanted.sort();
        assert!(wanted.len() > 100, "{name}: {}", wanted.len());
        assert_eq!(found, wanted, "{name}");
    }
}

/// The own time of each task in any window: by the engine, from a trace of the complete recording, and by a window of the
/// recording.
#[test]
fn in_a_window_each_task_has_the_own_time_of_the_engine() {
    let Some(engine) = Engine::find() else { return };
    let bytes = demo();
    let inputs = [Input::from_bytes("demo", &bytes)];
    let (_, trace) = converted(&inputs, &Options::default());
    let trace = TempFile::new("activations-windows.pftrace", &trace);
    for (from, to) in [(100_000_000, 200_000_000), (368_077_523, 373_757_825), (5, 700_000_001)] {
        let text = format!("thread.name || ' ' || sum(min(ts + dur, {to}) - max(ts, {from}))");
        let rest = format!(
            "from thread_state join thread using (utid) where state = 'Running' and ts < {to} and ts + dur > {from} \
             and tid != 0 and tid not between 300000 and 400000 group by thread.name"
        );
        let found = engine.rows(&trace.0, &text, &rest);
        let mut options = Options::default();
        (options.from, options.to) = (Some(Moment::Ns(from)), Some(Moment::Ns(to)));
        let mut stats = Stats::default();
        convert(&inputs, &options, &mut stats).unwrap();
        let mut ran = BTreeMap::<String, i64>::new();
        for task in stats.tasks().filter(|task| task.run_ns > 0) {
            *ran.entry(task.name.clone()).or_default() += task.run_ns;
        }
        let ran: Vec<_> = ran.iter().map(|(name, ns)| format!("{name} {ns}")).collect();
        let mut found = found;
        found.sort();
        let mut ran = ran;
        ran.sort();
        assert_eq!(found, ran, "{from} to {to}");
    }
}

/// The rest of the trace is as without activations, with each choice of flows, and with recorded events.
#[test]
fn activations_change_no_other_row() {
    let Some(engine) = Engine::find() else { return };
    let bytes = vector("freertos_sim.bin");
    let inputs = [Input::from_bytes("sim", &bytes)];
    const ALL: [(&str, &str, &str); 4] = [
        (
            "slice",
            "s.ts || ' ' || s.dur || ' ' || s.name || ' ' || t.name",
            "from slice s join track t on t.id = s.track_id where t.name != 'activations' order by s.ts, s.name, t.name",
        ),
        ("flow", "count(*)", "from flow"),
        (
            "state",
            "ts || ' ' || dur || ' ' || state || ' ' || name",
            "from thread_state join thread using (utid) order by ts, name",
        ),
        ("counter", "ts || ' ' || value", "from counter order by ts, value"),
    ];
    for flows in [Flows::None, Flows::Wakes, Flows::All] {
        for is_raw in [false, true] {
            let mut options = Options::default();
            options.flows = flows;
            let mut all = options.clone();
            all.flows = Flows::All;
            let traces = if is_raw {
                let mut sink = RawEvents::new(Perfetto::new(Vec::new()));
                convert(&inputs, &options, &mut sink).unwrap();
                let events = RawEvents::new(Perfetto::new(Vec::new()));
                let mut with = PerfettoWithActivations::new(events, flows);
                convert(&inputs, &all, &mut with).unwrap();
                [sink.into_trace(), with.into_inner().into_trace()]
            } else {
                let mut sink = Perfetto::new(Vec::new());
                convert(&inputs, &options, &mut sink).unwrap();
                let mut with = PerfettoWithActivations::new(Perfetto::new(Vec::new()), flows);
                convert(&inputs, &all, &mut with).unwrap();
                [sink, with.into_inner()]
            };
            let [without, with] = traces.map(|trace| {
                let trace = TempFile::new("activations-else.pftrace", &trace.into_inner());
                engine.check(&trace.0, &ALL)
            });
            assert!(without.len() > 1000);
            assert_eq!(without, with, "{flows:?} {is_raw}");
        }
    }
}
