//! Perfetto's engine and the timeline must say the same: each task's own time on a core to the
//! nanosecond, and the levels of queues.

use std::collections::BTreeMap;

use tband_conv::sinks::Stats;
use tband_conv::{Input, Options};

use crate::{Engine, TempFile, rows, trace_of};

/// Several tasks may have one name.
fn timeline(stats: &Stats) -> BTreeMap<String, i64> {
    let mut ran = BTreeMap::new();
    for task in stats.tasks().filter(|task| task.run_ns > 0) {
        *ran.entry(task.name.clone()).or_default() += task.run_ns;
    }
    ran
}

/// Time on a core in ns by name of tasks, from the `sched` table.
const SCHED: (&str, &str, &str) = (
    "sched",
    "sum(dur) || ' ' || t.name",
    "from sched join thread t using (utid) \
     where tid != 0 and tid not between 300000 and 400000 group by t.name having sum(dur) > 0",
);

/// Every value of each queue's level, in the order of time.
const LEVELS: (&str, &str, &str) = (
    "level",
    "cast(value as int) || ' ' || t.name",
    "from counter c join track t on t.id = c.track_id join track p on p.id = t.parent_id \
     where p.name in ('Queues', 'Semaphores') and value >= 0 \
     and t.name not glob '* depth' order by c.ts, c.id",
);

fn of_tag<'a>(rows: &'a [(String, String)], tag: &str) -> impl Iterator<Item = &'a str> {
    rows.iter().filter(move |row| row.0 == tag).map(|row| row.1.as_str())
}

/// The `sched` table's rows by name.
fn sched(rows: &[(String, String)]) -> BTreeMap<String, i64> {
    let parse = |row: &str| {
        let (ns, name) = row.split_once(' ').unwrap();
        (name.to_owned(), ns.parse().unwrap())
    };
    of_tag(rows, "sched").map(parse).collect()
}

/// Least, greatest and last level by name.
fn levels(rows: &[(String, String)]) -> BTreeMap<String, (u32, u32, u32)> {
    let mut levels = BTreeMap::new();
    for row in of_tag(rows, "level") {
        let (level, name) = row.split_once(' ').unwrap();
        let level: u32 = level.parse().unwrap();
        let entry = levels.entry(name.to_owned()).or_insert((level, level, level));
        *entry = (entry.0.min(level), entry.1.max(level), level);
    }
    levels
}

/// Converts, checks the trace against the timeline's own numbers, and gives the rows of further
/// queries.
pub fn check(
    engine: &Engine,
    name: &str,
    inputs: &[Input<'_>],
    options: &Options,
    more: &[(&str, &str, &str)],
) -> Vec<(String, String)> {
    let (bytes, stats, _) = trace_of(inputs, options);
    let trace = TempFile::new(&format!("{name}.pftrace"), &bytes);
    let rows = engine.check(&trace.0, &[&[SCHED, LEVELS], more].concat());
    assert_eq!(sched(&rows), timeline(&stats), "{name}: sched");
    let shown = levels(&rows);
    let queues: BTreeMap<_, _> = stats
        .queues()
        // A mutex has a row of its holders only.
        .filter(|queue| !queue.kind.is_some_and(|kind| kind.ends_with("mutex")))
        .filter_map(|queue| {
            let (min, max) = queue.levels?;
            // After a gap the last level is not known, but a counter keeps it.
            let last = queue.level.or(shown.get(&queue.name).map(|levels| levels.2))?;
            Some((queue.name.clone(), (min, max, last)))
        })
        .collect();
    assert_eq!(shown, queues, "{name}: queue levels");
    rows
}

/// As [`check`], and states of tasks, interrupts, slices, counters and flows are those of the timeline.
pub fn check_all(engine: &Engine, name: &str, inputs: &[Input<'_>], options: &Options) {
    let rows = rows::sums_of_rows(&check(engine, name, inputs, options, &rows::QUERIES));
    let expected = rows::expected(inputs, options);
    for (key, numbers) in &expected {
        assert_eq!(rows.get(key), Some(numbers), "{name}: {key:?}");
    }
    assert_eq!(rows, expected, "{name}");
}
