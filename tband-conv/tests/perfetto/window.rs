//! Windows through Perfetto's engine: its tables hold the window of the timeline, wherever it begins and ends, and nothing
//! outside of it.

use tband_conv::clock::moment::Moment;
use tband_conv::sinks::{Perfetto, RawEvents};
use tband_conv::{Input, Options, convert};
use tband_format::Event::*;
use tband_recordings::agrees::check_all;
use tband_recordings::{Engine, Recording, TempFile, cases, project, str, trace_of, vector};

fn within(from: Option<u64>, to: Option<u64>) -> Options {
    let mut options = Options::default();
    (options.from, options.to) = (from.map(Moment::Ns), to.map(Moment::Ns));
    options
}

#[test]
fn windows_of_recordings_are_the_timeline() {
    let Some(engine) = Engine::find() else { return };
    let (one, meta) = (vector("freertos_sim.bin"), vector("mc_split.core0.meta.bin"));
    let (core0, core1) = (vector("mc_split.core0.bin"), vector("mc_split.core1.bin"));
    let one = [Input::from_bytes("one", &one)];
    let two = [
        Input::from_bytes("meta", &meta),
        Input::from_bytes("core0", &core0),
        Input::from_bytes("core1", &core1).on_core(1),
    ];
    for (name, inputs) in [("one", &one[..]), ("two", &two[..])] {
        let (_, stats, _) = trace_of(inputs, &Options::default());
        let (start, length) = (stats.start_ns().unsigned_abs(), stats.length_ns().unsigned_abs());
        let at = |per_mille: u64| start + length * per_mille / 1000;
        let windows = [
            (Some(at(301)), Some(at(333))),
            (None, Some(at(77))),
            (Some(at(917)), None),
            (Some(at(500)), Some(at(500))),
        ];
        for (from, to) in windows {
            let name = format!("{name}-{}-{}", from.unwrap_or(0), to.unwrap_or(0));
            check_all(&engine, &name, inputs, &within(from, to));
        }
    }
}

/// One tick is 1000 ns. From 100 to 200 us task 1 runs and task 2 waits; interrupt 5 is open at 100 us, and 6 in it;
/// a span and a mutex last from before to after. The case tests its rows.
fn nested() -> Recording {
    let path = project::path("tband-conv/tests/cases/perfetto/window.txt");
    Recording(cases::recording(&path, "the whole recording"))
}

#[test]
fn numbers_are_of_the_window() {
    let recording = nested();
    let inputs = [Input::from_bytes("nested", &recording.0)];
    let (_, stats, _) = trace_of(&inputs, &within(Some(100_000), Some(200_000)));
    let waits: Vec<_> = stats
        .open_waits()
        .map(|wait| (wait.task.name.as_str(), wait.since_ns, wait.length_ns))
        .collect();
    assert_eq!(waits, [("waits", 30_000, 170_000)]);
    let blocked: Vec<_> = stats.tasks().flat_map(|task| &task.blocked).collect();
    assert_eq!(blocked.iter().map(|it| it.total_ns).collect::<Vec<_>>(), [100_000]);
}

/// Ends that are at events, windows without a length, before the recording and after it.
#[test]
fn windows_at_the_edges_of_things_are_the_timeline() {
    let Some(engine) = Engine::find() else { return };
    let recording = nested();
    let inputs = [Input::from_bytes("nested", &recording.0)];
    let us = |us: u64| Some(us * 1000);
    for (from, to) in [
        (us(100), us(200)),
        (us(80), us(110)),
        (us(90), us(90)),
        (us(110), us(130)),
        (us(300), us(310)),
        (us(300), us(300)),
        (us(0), us(5)),
        (us(400), us(500)),
        (us(20), us(300)),
    ] {
        check_all(&engine, &format!("edge-{from:?}-{to:?}"), &inputs, &within(from, to));
    }
}

/// Events are lost from 60 to 150 us.
#[test]
fn a_window_that_begins_or_ends_inside_a_loss_shows_its_part_of_it() {
    let Some(engine) = Engine::find() else { return };
    let recording = Recording::default()
        .meta(TsResolutionNs { ns_per_ts: 1000 })
        .meta(TaskName { task_id: 1, name: str("runs") })
        .meta(TaskName { task_id: 2, name: str("waits") })
        .at(10, TaskSwitchedIn { task_id: 2 })
        .at(20, CurtaskDelay { ticks: 5 })
        .at(30, TaskSwitchedIn { task_id: 1 })
        .at(60, Valmarker { valmarker_id: 1, val: 1 })
        .at(150, DroppedEvtCnt { cnt: 7 })
        .at(150, Valmarker { valmarker_id: 1, val: 2 })
        .at(180, TaskSwitchedIn { task_id: 2 })
        .at(200, TaskSwitchedIn { task_id: 1 });
    let inputs = [Input::from_bytes("loss", &recording.0)];
    let query = [
        (
            "lost",
            "(ts / 1000) || ' ' || (dur / 1000) || ' ' || s.name",
            "from slice s join track t on t.id = s.track_id where t.name = 'lost events'",
        ),
        (
            "core",
            "(ts / 1000) || ' ' || (dur / 1000) || ' ' || name",
            "from sched join thread using (utid) where tid != 0 order by ts",
        ),
        (
            "state",
            "(ts / 1000) || ' ' || state || ' ' || name || coalesce(' ' || blocked_function, '')",
            "from thread_state join thread using (utid) where tid between 1 and 9 and state != 'Running' \
             order by ts, name",
        ),
    ];
    let unknown = |us: u64, name: &str| format!("{us} D {name} unknown, events are missing");
    for (from, to, lost, cores) in [
        (40, 100, Some("60 40 7 events lost"), &["40 20 runs"][..]),
        (100, 190, Some("100 50 7 events lost"), &["180 10 waits"]),
        (70, 140, Some("70 70 7 events lost"), &[]),
        (40, 50, None, &["40 10 runs"]),
        (160, 200, None, &["180 20 waits", "200 0 runs"]),
    ] {
        let options = within(Some(from * 1000), Some(to * 1000));
        let (bytes, stats, summary) = trace_of(&inputs, &options);
        let trace = TempFile::new("loss-window.pftrace", &bytes);
        let rows = engine.check(&trace.0, &query);
        let of = |tag: &str| -> Vec<&str> {
            rows.iter().filter(|row| row.0 == tag).map(|row| row.1.as_str()).collect()
        };
        assert_eq!(of("lost"), lost.into_iter().collect::<Vec<_>>(), "{from} to {to}");
        let cores: Vec<_> = cores.iter().filter(|row| !row.contains(" 0 ")).copied().collect();
        assert_eq!(
            of("core").into_iter().filter(|row| !row.contains(" 0 ")).collect::<Vec<_>>(),
            cores,
            "{from} to {to}"
        );
        // Also where the loss, of the time from 60 to 150, began before the window.
        let states: Vec<_> = of("state").into_iter().filter(|row| row.contains(" D ")).collect();
        let lost_from = from.max(60);
        let expected = match from {
            _ if lost.is_some() => vec![unknown(lost_from, "runs"), unknown(lost_from, "waits")],
            160 => vec![unknown(160, "runs"), unknown(160, "waits")],
            _ => vec![],
        };
        assert_eq!(states, expected, "{from} to {to}");
        assert_eq!(stats.gaps().len(), usize::from(lost.is_some()), "{from} to {to}");
        // Nothing is read after the window.
        assert_eq!(summary.diagnostics.is_clean(), to < 60, "{from} to {to}");
        check_all(&engine, &format!("loss-{from}"), &inputs, &options);
    }
}

#[test]
fn recorded_events_are_those_of_the_window() {
    let Some(engine) = Engine::find() else { return };
    let recording = nested();
    let inputs = [Input::from_bytes("nested", &recording.0)];
    let mut sink = RawEvents::new(Perfetto::new(Vec::new()));
    convert(&inputs, &within(Some(80_000), Some(130_000)), &mut sink).unwrap();
    let trace = TempFile::new("raw-window.pftrace", &sink.into_trace().into_inner());
    let query = (
        "raw",
        "(s.ts / 1000) || ' ' || s.name",
        "from slice s join track t on t.id = s.track_id join track g on g.id = t.parent_id \
         where g.name = 'Recorded events' order by s.ts, s.id",
    );
    let rows = engine.check(&trace.0, &[query]);
    let rows: Vec<_> = rows.iter().map(|row| row.1.as_str()).collect();
    assert_eq!(rows, ["80 isr_enter", "90 isr_enter", "110 isr_exit", "130 isr_exit"]);
}
