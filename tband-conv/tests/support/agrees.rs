//! Perfetto's engine and the timeline must say the same: run time and switches of each task to the
//! nanosecond, and the levels of queues.

use std::collections::BTreeMap;

use tband_conv::sinks::RunTimes;
use tband_conv::{Input, Options};

use super::{Engine, Temp, trace_of};

fn timeline(times: &RunTimes) -> BTreeMap<String, (i64, u64)> {
    times
        .tasks()
        .filter(|task| task.switches_in > 0)
        .map(|task| (task.name.clone(), (task.run_ns, task.switches_in)))
        .collect()
}

/// Run time in ns, switches and name by task, from the `sched` table.
const SCHED: (&str, &str, &str) = (
    "sched",
    "sum(dur) || ' ' || count(*) || ' ' || thread.name",
    "from sched join thread using (utid) group by utid",
);

/// Every value of each queue's level, in the order of time.
const LEVELS: (&str, &str, &str) = (
    "level",
    "cast(value as int) || ' 0 ' || t.name",
    "from counter c join track t on t.id = c.track_id join track p on p.id = t.parent_id \
     where p.name in ('Queues', 'Semaphores', 'Mutexes') \
     and t.name not glob '* depth' order by c.ts, c.id",
);

/// Rows of a tag as two numbers by name; of equal names the last stays.
fn by_name(rows: &[(String, String)], tag: &str) -> BTreeMap<String, (i64, u64)> {
    let parse = |row: &(String, String)| {
        let mut parts = row.1.splitn(3, ' ');
        let mut next = || parts.next().unwrap().to_owned();
        let (first, second) = (next().parse().unwrap(), next().parse().unwrap());
        (next(), (first, second))
    };
    rows.iter().filter(|row| row.0 == tag).map(parse).collect()
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
    let (bytes, times, _) = trace_of(inputs, options);
    let trace = Temp::new(&format!("{name}.pftrace"), &bytes);
    let rows = engine.check(&trace.0, &[&[SCHED, LEVELS], more].concat());
    assert_eq!(by_name(&rows, "sched"), timeline(&times), "{name}: sched");
    let queues: BTreeMap<_, _> = times
        .queues()
        .filter_map(|queue| Some((queue.name.clone(), (i64::from(queue.level?), 0))))
        .collect();
    assert_eq!(by_name(&rows, "level"), queues, "{name}: queue levels");
    rows
}
