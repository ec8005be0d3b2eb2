//! The load of each task over time: Perfetto's engine has the counters that follow from the running times of the tasks in the same
//! trace.

use std::collections::BTreeMap;

use tband_conv::sinks::{Perfetto, PerfettoWithTaskLoad};
use tband_conv::{Input, Options, convert};
use tband_format::Event::*;
use tband_recordings::{Engine, Recording, TempFile, str, vector};

const WINDOW: i64 = 10_000_000;

/// Two tasks; the second one has complete windows, none of a window, and the last, short one.
fn long_runs() -> Vec<u8> {
    let switch = |task_id| TaskSwitchedIn { task_id };
    Recording::default()
        .meta(TsResolutionNs { ns_per_ts: 1000 })
        .meta(TaskName { task_id: 1, name: str("first") })
        .meta(TaskName { task_id: 2, name: str("second") })
        .meta(TaskName { task_id: 3, name: str("IDLE") })
        .meta(TaskIsIdleTask { task_id: 3, core_id: 0 })
        .at(3_000, switch(1))
        .at(12_000, switch(2))
        .at(14_000, IsrEnter { isr_id: 1 })
        .at(15_000, IsrExit { isr_id: 1 })
        .at(75_500, switch(1))
        .at(80_000, switch(3))
        .at(120_000, switch(2))
        .at(120_600, switch(3))
        .at(155_000, switch(1))
        .at(157_000, switch(3))
        .at(158_000, switch(1))
        .0
}

/// Rows of a query: task, time, length or value.
fn rows(engine: &Engine, trace: &TempFile, column: &str, rest: &str) -> Vec<(String, i64, i64)> {
    let rows = engine.rows(&trace.0, column, rest);
    let row = |text: String| {
        let mut parts = text.rsplitn(3, ' ');
        let mut number = || parts.next().unwrap().parse().unwrap();
        let (value, ns) = (number(), number());
        (parts.next().unwrap().to_owned(), ns, value)
    };
    rows.into_iter().map(row).collect()
}

#[test]
fn counters_are_the_shares_of_running_times() {
    let Some(engine) = Engine::find() else { return };
    for (name, bytes) in [("long", long_runs()), ("sim", vector("freertos_sim.bin"))] {
        let inputs = [Input::from_bytes("r", &bytes)];
        let mut sink = PerfettoWithTaskLoad::new(Perfetto::new(Vec::new()));
        convert(&inputs, &Options::default(), &mut sink).unwrap();
        let trace = sink.into_inner().into_inner();
        let trace = TempFile::new(&format!("task-load-{name}.pftrace"), &trace);
        let shown = rows(
            &engine,
            &trace,
            "replace(p.name, char(160), ' ') || ' ' || c.ts || ' ' || cast(c.value as int)",
            "from counter c join process_counter_track t on t.id = c.track_id join process p using (upid) where t.name = 'load'",
        );
        let runs = rows(
            &engine,
            &trace,
            "t.name || ' ' || s.ts || ' ' || s.dur",
            "from sched s join thread t using (utid) where t.is_idle is null or t.is_idle = 0",
        );
        let end = runs.iter().map(|(_, ns, length)| ns + length).max().unwrap();
        let end = if name == "long" { 158_000_000 } else { end };
        let mut loads: BTreeMap<(String, i64), i64> = BTreeMap::new();
        for (task, from, length) in runs {
            let mut at = from;
            while at < from + length {
                let until = (from + length).min((at / WINDOW + 1) * WINDOW);
                *loads.entry((task.clone(), at / WINDOW)).or_default() += until - at;
                at = until;
            }
        }
        let mut expected = Vec::new();
        let tasks: std::collections::BTreeSet<_> = shown.iter().map(|it| it.0.clone()).collect();
        assert!(tasks.len() >= 2, "{shown:?}");
        for task in &tasks {
            let mut last = 0;
            for window in 0..=end / WINDOW {
                let length = (end - window * WINDOW).min(WINDOW);
                let ns = loads.get(&(task.clone(), window)).copied().unwrap_or(0);
                let percent = (ns * 100 + length / 2) / length.max(1);
                if percent != last {
                    expected.push((task.clone(), window * WINDOW, percent));
                    last = percent;
                }
            }
        }
        let mut shown = shown;
        shown.sort();
        expected.sort();
        assert_eq!(shown, expected, "{name}");
    }
}
