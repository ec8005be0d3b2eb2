//! Load and CPU time: every place that shows them agrees with a slow model, on random recordings with nested interrupts, losses,
//! resets, several cores and unknown idle tasks, in any window.

mod model;
mod recording;
mod viewer;

use std::collections::BTreeMap;
use std::io;

use proptest::prelude::*;
use tband_conv::clock::moment::Moment;
use tband_conv::load::{Owners, TakeWindow, Windows};
use tband_conv::model::World;
use tband_conv::sinks::Stats;
use tband_conv::{Input, Options, convert};
use tband_recordings::random::config;
use tband_report::top;
use tband_tables::{Cell, RecordingInfo, Rows, convert_to_rows};

use self::model::{CoreTimes, Model};
use self::recording::{RandomRecording, drawn};
use self::viewer::{Viewer, ViewerFigures};

/// A window of a recording, as shares of its length in parts of 1000.
type Window = (u16, u16);

/// None if it has no event.
fn model_of(bytes: &[u8], options: &Options) -> Option<Model> {
    let mut model = Model::default();
    convert(&[Input::from_bytes("r", bytes)], options, &mut model).ok()?;
    Some(model)
}

/// A window in ns; it has some length.
fn bounds(model: &Model, (from, to): Window) -> (i64, i64) {
    let at = |part: u16| model.start + (model.end - model.start) * i64::from(part) / 1000;
    let (from, to) = (at(from.min(to)), at(from.max(to)));
    (from, to.max(from + 1))
}

/// The statistics, whose figures are shown by `stats`, `check`, `top`, the tables of the report and the live view.
fn stats_agree(stats: &Stats, model: &Model, (from, to): (i64, i64)) {
    for core in stats.cores() {
        let owned = model.core(core.core, from, to);
        let found = CoreTimes {
            task: core.task_ns,
            idle: core.idle_ns,
            isr: core.isr_ns,
            unknown: core.unknown_ns,
            known: core.known_ns,
        };
        assert_eq!(found, owned, "core {} from {from} to {to}", core.core);
        assert_eq!(core.is_idle_task_known, model.idle_cores.contains(&core.core));
        let load = core.busy_share().map(|load| (load.part_ns, load.of_ns));
        assert_eq!(load, model.load(core.core, from, to));
        let busy: i64 = core.load.busy_ns().iter().sum();
        assert_eq!(busy, owned.known - owned.idle, "load over time of core {}", core.core);
    }
    // Tasks that had one number after each other count together.
    let mut tasks: BTreeMap<u32, i64> = BTreeMap::new();
    for task in stats.tasks() {
        *tasks.entry(task.id).or_default() += task.run_ns;
    }
    for (id, run_ns) in tasks {
        assert_eq!(run_ns, model.task(id, from, to), "task {id}");
    }
    // What people read of it.
    for (row, core) in
        top::cores(stats, tband_report::time_unit::TimeUnit::Ns).iter().zip(stats.cores())
    {
        let shown = model.load(core.core, from, to).map(|(part, of)| top::share(part, of));
        assert_eq!(row.cells[1], shown.unwrap_or_else(|| "-".to_owned()));
    }
}

/// Rows of the table `states`: task, core, begin, end, interrupted.
struct States<'r>(&'r mut Vec<[i64; 5]>);

impl Rows for States<'_> {
    fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        let [_, begin, end, task, _, _, state, core, _, _, _, _, interrupted] = cells else {
            panic!("{cells:?}")
        };
        let number = |cell: &Cell<'_>| match cell {
            Cell::Int(value) => *value,
            other => panic!("{other:?}"),
        };
        if let Cell::Text("running") = state {
            self.0.push([task, core, begin, end, interrupted].map(number));
        } else {
            assert!(matches!(interrupted, Cell::None), "{interrupted:?}");
        }
        Ok(())
    }

    fn close(self) -> io::Result<()> {
        Ok(())
    }
}

/// The table `states` of `query`, `ingest` and Python.
fn compare_tables(bytes: &[u8], options: &Options, model: &Model, (from, to): (i64, i64)) {
    let mut rows = Vec::new();
    let about = RecordingInfo { recording: "r".into(), file: "r.bin".into(), bytes: None };
    let mut rows_of = Some(States(&mut rows));
    convert_to_rows(&[Input::from_bytes("r", bytes)], options, &about, &mut |table| {
        Ok(if table.name == "states" { rows_of.take() } else { None })
    })
    .unwrap();
    let mut tasks: BTreeMap<i64, i64> = BTreeMap::new();
    let mut cores: BTreeMap<i64, (i64, i64)> = BTreeMap::new();
    for [task, core, begin, end, interrupted] in rows {
        *tasks.entry(task).or_default() += end - begin - interrupted;
        let core = cores.entry(core).or_default();
        core.0 += if model.idle_tasks.contains(&(task as u32)) { interrupted } else { end - begin };
        core.1 += end - begin;
    }
    for (task, cpu) in tasks {
        assert_eq!(cpu, model.task(task as u32, from, to), "task {task} in the tables");
    }
    for (core, (busy, known)) in cores {
        let owned = model.core(core as u32, from, to);
        assert_eq!((busy, known), (owned.known - owned.idle, owned.known), "core {core}");
    }
}

/// Sums of windows: of each core and owner the time, by kind and number.
#[derive(Default)]
struct Sums {
    length: i64,
    windows: Vec<(u32, i64, i64)>,
    by_owner: BTreeMap<(u32, &'static str, Option<u32>), i64>,
    rows: Vec<(u32, i64, i64, BTreeMap<&'static str, i64>)>,
}

impl TakeWindow for Sums {
    fn window(&mut self, world: &World, window: &tband_conv::load::Window<'_>) -> io::Result<()> {
        let Self { windows, by_owner, rows, .. } = self;
        let sum: i64 = window.shares.iter().map(|share| share.1).sum();
        assert_eq!(sum, window.end_ns - window.begin_ns, "{window:?}");
        assert!(window.shares.iter().all(|share| share.1 > 0), "{window:?}");
        windows.push((window.core, window.begin_ns, window.end_ns));
        let mut kinds: BTreeMap<&'static str, i64> = BTreeMap::new();
        for (owner, ns) in window.shares {
            let key = (window.core, owner.kind(), owner.id(world));
            *by_owner.entry(key).or_default() += ns;
            *kinds.entry(owner.kind()).or_default() += ns;
        }
        rows.push((window.core, window.begin_ns, window.end_ns, kinds));
        Ok(())
    }
}

/// The load over time, in windows that are much shorter than the recording, as long, and longer.
fn windows_agree(bytes: &[u8], options: &Options, stats: &Stats, model: &Model, divisor: i64) {
    let (start, end) = (stats.start_ns(), stats.end_ns());
    let length = ((end - start) / divisor).max(1);
    let mut sink = Owners::new(Windows::new(length, Sums { length, ..Sums::default() }));
    convert(&[Input::from_bytes("r", bytes)], options, &mut sink).unwrap();
    let Sums { length, windows, by_owner, rows } = sink.into_inner().into_inner();
    for core in stats.cores() {
        let own: Vec<_> = windows.iter().filter(|window| window.0 == core.core).collect();
        let mut at = start;
        for (index, (_, begin, until)) in own.iter().enumerate() {
            assert_eq!(*begin, at, "a window follows the one before");
            // All but the last are whole.
            assert!(index + 1 == own.len() || (until - begin) % length == 0, "{own:?}");
            at = *until;
        }
        assert_eq!(at, end, "core {}", core.core);
        let sum = |kind: &str| -> i64 {
            by_owner
                .iter()
                .filter(|(key, _)| (key.0, key.1) == (core.core, kind))
                .map(|it| it.1)
                .sum()
        };
        assert_eq!(
            ["task", "idle", "interrupt", "unknown"].map(sum),
            [core.task_ns, core.idle_ns, core.isr_ns, core.unknown_ns],
            "core {}",
            core.core
        );
    }
    let mut tasks: BTreeMap<u32, i64> = BTreeMap::new();
    for task in stats.tasks() {
        *tasks.entry(task.id).or_default() += task.run_ns;
    }
    for (id, run_ns) in tasks {
        let of =
            |key: &(u32, &str, Option<u32>)| ["task", "idle"].contains(&key.1) && key.2 == Some(id);
        let found: i64 = by_owner.iter().filter(|(key, _)| of(key)).map(|it| it.1).sum();
        assert_eq!(found, run_ns, "task {id}");
    }
    let mut isrs: BTreeMap<(u32, u32), i64> = BTreeMap::new();
    for isr in stats.isrs() {
        *isrs.entry((isr.core, isr.id)).or_default() += isr.own_ns;
    }
    for ((core, id), own_ns) in isrs {
        let found = by_owner.get(&(core, "interrupt", Some(id))).copied().unwrap_or(0);
        assert_eq!(found, own_ns, "interrupt {id} of core {core}");
    }
    for (core, from, to, kinds) in rows {
        let owned = model.core(core, from, to);
        let of = |kind| kinds.get(kind).copied().unwrap_or(0);
        assert_eq!(
            (of("task"), of("idle"), of("interrupt"), of("unknown")),
            (owned.task, owned.idle, owned.isr, owned.unknown),
            "core {core} from {from} to {to}"
        );
    }
}

/// A timeline with all slices, and one of very few, where most are aggregates.
const SLICES: [usize; 2] = [usize::MAX, 40];

/// The viewer of the report and of the web page: its load, and its report about a marked part. `windows` begin with the
/// complete recording, where all figures are exact.
fn compare_viewer(viewer: &Viewer, bytes: &[u8], model: &Model, windows: &[(i64, i64)]) {
    for (all, most) in viewer.ask(bytes, &SLICES, windows).into_iter().zip(SLICES) {
        for ((shown, &window), index) in all.iter().zip(windows).zip(0..) {
            let must_be_exact = most == usize::MAX || index == 0;
            compare_shown(shown, model, window, must_be_exact);
        }
    }
}

fn compare_shown(
    shown: &ViewerFigures,
    model: &Model,
    (from, to): (i64, i64),
    must_be_exact: bool,
) {
    let mut loads = Some((0, 0));
    for core in &shown.cores {
        let owned = model.core(core.number, from, to);
        let load = model.load(core.number, from, to);
        assert!(core.is_exact || !must_be_exact, "{core:?}");
        // Whatever it is, it is of all of the time.
        let [task, idle, isr, unknown, _] = core.times;
        assert!((task + idle + isr + unknown - (to - from) as f64).abs() < 0.01, "{core:?}");
        if core.is_exact {
            let owned = [owned.task, owned.idle, owned.isr, owned.unknown, owned.known];
            assert_eq!(core.times, owned.map(|ns| ns as f64), "{core:?}");
            assert_eq!(core.load, load.map(|(busy, known)| [busy as f64, known as f64]));
        }
        if owned.known > 0 {
            loads = loads.zip(load).map(|(sum, load)| (sum.0 + load.0, sum.1 + load.1));
        }
    }
    let mut tasks: BTreeMap<u32, (f64, bool)> = BTreeMap::new();
    for task in &shown.tasks {
        assert!(task.is_exact || !must_be_exact, "{task:?}");
        let sum = tasks.entry(task.id).or_insert((0.0, true));
        *sum = (sum.0 + task.runs, sum.1 && task.is_exact);
    }
    for (id, _) in tasks.iter().filter(|(_, (_, is_exact))| *is_exact) {
        assert_eq!(tasks[id].0, model.task(*id, from, to) as f64, "task {id}");
    }
    let Some(words) = &shown.words else { return };
    let is_exact = shown.cores.iter().all(|core| core.is_exact);
    match loads {
        _ if !is_exact => assert!(!words.ends_with('%') || words.starts_with('≈'), "{words}"),
        None => assert_eq!(words, "no known idle task"),
        Some((_, 0)) => assert_eq!(words, "not recorded"),
        Some((busy, known)) => {
            let percent = words.strip_suffix(" %").unwrap();
            let share = busy as f64 / known as f64 * 100.0;
            let found: f64 = percent.parse().unwrap();
            assert!((found - share).abs() <= 0.05 + 1e-9, "{found} {share}");
        }
    }
}

fn all_agree(viewer: &Viewer, drawn: &RandomRecording, windows: &[Window]) {
    let bytes = drawn.bytes();
    let Some(model) = model_of(&bytes, &Options::default()) else { return };
    if model.end <= model.start {
        return;
    }
    let inputs = [Input::from_bytes("r", &bytes)];
    let all = (model.start, model.end);
    let windows: Vec<_> = windows.iter().map(|window| bounds(&model, *window)).collect();
    let windows = [&[all][..], &windows].concat();
    for &(from, to) in &windows {
        let mut options = Options::default();
        if (from, to) != all {
            options.from = Some(Moment::Ns(from.unsigned_abs()));
            options.to = Some(Moment::Ns(to.unsigned_abs()));
        }
        // A window without an event is refused.
        let mut stats = Stats::default();
        if convert(&inputs, &options, &mut stats).is_err() {
            continue;
        }
        // It ends with its last event. With several cores a reset after it may show that a core was unknown before it, which
        // only the complete recording contains.
        let covered = (stats.start_ns(), stats.end_ns());
        let part = model_of(&bytes, &options).unwrap();
        let of = if drawn.has_one_core() { &model } else { &part };
        stats_agree(&stats, of, covered);
        for divisor in [1000, 7, 1] {
            windows_agree(&bytes, &options, &stats, of, divisor);
        }
        compare_tables(&bytes, &options, of, covered);
    }
    compare_viewer(viewer, &bytes, &model, &windows);
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn all_places_agree(
        drawn in drawn(),
        windows in prop::collection::vec((0..1000_u16, 0..=1000_u16), 1..4),
    ) {
        all_agree(&Viewer::new(), &drawn, &windows);
    }
}
