//! Which tables there are and what is in them.

use std::cmp::Reverse;
use std::collections::HashSet;

use tband_conv::sinks::{Stats, TaskStats};
use tband_conv::timeline::{Life, TaskState};
use tband_conv::{Census, Diagnostics, Severity, Summary};

use super::table::{Cell, Column, LeftOut, Table, duration};
use super::{objects, waits};

/// Everything that is known, in the order in which it is shown.
pub fn all(stats: &Stats, summary: &Summary, census: &Census) -> Vec<Table> {
    vec![
        recording(stats, summary, census),
        findings(if summary.part.is_some() { stats.findings() } else { &summary.diagnostics }),
        gaps(stats),
        cores(stats),
        tasks(stats),
        waits::open(stats),
        waits::blocked(stats),
        waits::notifications(stats),
        isrs(stats),
        queues(stats),
        waits::locks(stats),
        waits::holders(stats),
        waits::inversions(stats),
        objects::stream_buffers(stats.objects()),
        objects::event_groups(stats.objects()),
        objects::timers(stats.objects()),
        objects::heap(stats),
        objects::calls(stats.objects()),
        markers(stats),
        values(stats),
        events(census),
    ]
}

pub fn table(key: &'static str, title: &'static str, columns: &[Column]) -> Table {
    let left_out = LeftOut::default();
    Table { key, title, columns: columns.to_vec(), rows: Vec::new(), left_out, single: false }
}

fn share(part: i64, whole: i64) -> Cell {
    Cell::Share(part as f64 / whole.max(1) as f64)
}

fn recording(stats: &Stats, summary: &Summary, census: &Census) -> Table {
    let columns = [
        ("length_ns", "length"),
        ("start_ns", "starts at"),
        ("end_ns", "ends at"),
        ("timestamp_hz", "timestamps at"),
        ("events", "events"),
        ("bytes", "bytes"),
        ("events_per_second", "events rate"),
        ("bytes_per_second", "bytes rate"),
        ("lost_events", "lost events"),
        ("gaps", "gaps"),
        ("lost_names", "lost names"),
        ("damaged_frames", "damaged frames"),
        ("kernel_version", "kernel"),
        ("tick_rate_hz", "kernel ticks"),
        ("build_id", "build"),
    ];
    let length = stats.length_ns();
    let rate = |count: u64| {
        (length > 0).then_some(count as f64 / (length as f64 / 1e9)).map_or(Cell::None, Cell::Rate)
    };
    let found = |problem| stats.findings().get(problem);
    let amount = |problem| Cell::Count(found(problem).map_or(0, |found| found.amount));
    let damaged = match summary.part {
        Some(_) => stats.findings().count(tband_conv::Problem::UndecodableFrame),
        None => census.damaged.count,
    };
    let info = stats.trace_info();
    let version = info.and_then(|info| info.kernel_version);
    let tick_rate = info.and_then(|info| info.tick_rate_hz);
    let row = vec![
        Cell::Ns(length),
        Cell::At(stats.start_ns()),
        Cell::At(stats.end_ns()),
        Cell::Frequency(summary.frequency),
        Cell::Count(census.events()),
        Cell::Count(census.bytes),
        rate(census.events()),
        rate(census.bytes),
        amount(tband_conv::Problem::EventsLost),
        Cell::Count(stats.gap_count()),
        amount(tband_conv::Problem::MetadataLost),
        Cell::Count(damaged),
        Cell::text(version.map(kernel_version)),
        tick_rate.map_or(Cell::None, |rate| Cell::Rate(rate.into())),
        Cell::text(summary.build_id.as_ref()),
    ];
    Table { rows: vec![row], single: true, ..table("recording", "Recording", &columns) }
}

/// A kernel version as people write it.
fn kernel_version(version: u32) -> String {
    format!("FreeRTOS V{}.{}.{}", version / 10_000, version / 100 % 100, version % 100)
}

fn findings(found: &Diagnostics) -> Table {
    let columns =
        [("finding", "finding"), ("severity", "kind"), ("count", "count"), ("amount", "amount")];
    let severity = |severity| match severity {
        Severity::Note => "note",
        Severity::Loss => "loss",
        Severity::Damage => "damage",
    };
    let row = |found: &tband_conv::Diagnostic| {
        vec![
            Cell::Text(found.problem.title().to_owned()),
            Cell::text(Some(severity(found.problem.severity()))),
            Cell::Count(found.count),
            Cell::Count(found.amount),
        ]
    };
    let rows = found.iter().map(row).collect();
    Table { rows, ..table("findings", "Findings", &columns) }
}

fn gaps(stats: &Stats) -> Table {
    let columns =
        [("at_ns", "at"), ("core", "core"), ("lost_events", "lost events"), ("what", "what")];
    let row = |gap: &tband_conv::sinks::Gap| {
        vec![
            Cell::At(gap.ns),
            Cell::Count(gap.core.into()),
            gap.lost.map_or(Cell::None, Cell::Count),
            Cell::text(Some(gap.problem.title())),
        ]
    };
    let rows = stats.gaps().iter().map(row).collect();
    Table { rows, ..table("gaps", "Gaps (first 100)", &columns) }
}

/// Columns for when an object came and went. In text they are shown where a number stands for several.
pub fn lives(mut ids: impl Iterator<Item = u32>) -> [Column; 2] {
    let mut seen = HashSet::new();
    let shared = ids.any(|id| !seen.insert(id));
    let title = |title| if shared { title } else { "" };
    [("created_at_ns", title("from")), ("ended_at_ns", title("until"))]
}

/// The cells of [`lives`].
pub fn life(life: Life) -> [Cell; 2] {
    [life.born_ns, life.died_ns].map(|ns| ns.map_or(Cell::None, Cell::At))
}

/// When something was, if it was.
pub fn when(was: bool, ns: i64) -> Cell {
    if was { Cell::At(ns) } else { Cell::None }
}

fn cores(stats: &Stats) -> Table {
    let columns = [
        ("core", "core"),
        ("load", "load"),
        ("task_ns", "tasks"),
        ("idle_ns", "idle"),
        ("isr_ns", "interrupts"),
        ("unknown_ns", "unknown"),
        ("switches", "switches"),
        ("max_isr_nesting", "ISR nesting"),
        ("max_isr_nesting_at_ns", "nesting at"),
        ("load_stretch_ns", "stretch"),
        ("load_over_time", "Load over time, one mark a stretch"),
    ];
    let length = stats.length_ns();
    let row = |core: &tband_conv::sinks::CoreStats| {
        vec![
            Cell::Count(core.core.into()),
            share(core.task_ns.saturating_add(core.isr_ns), length),
            Cell::Ns(core.task_ns),
            Cell::Ns(core.idle_ns),
            Cell::Ns(core.isr_ns),
            Cell::Ns(core.unknown_ns),
            Cell::Count(core.switches),
            Cell::size(core.max_nesting),
            when(core.max_nesting > 0, core.max_nesting_at),
            Cell::Ns(core.load.stretch_ns()),
            Cell::Series(core.load.shares(length).collect()),
        ]
    };
    Table { rows: stats.cores().map(row).collect(), ..table("cores", "Cores", &columns) }
}

fn tasks(stats: &Stats) -> Table {
    let [from, until] = lives(stats.tasks().map(|task| task.id));
    let columns = [
        ("name", "task"),
        ("id", "id"),
        from,
        until,
        ("priority", "prio"),
        ("is_idle", ""),
        ("state", "in the end"),
        ("run_ns", "run time"),
        ("cpu_share", "CPU"),
        ("interrupted_ns", "ISRs"),
        ("switches", "switches"),
        ("preemptions", "preempted"),
        ("stack_high_water_mark_bytes", "stack left"),
        ("stack_high_water_mark_at_ns", "stack left at"),
        ("ready_wait", "Ready wait: from ready to running"),
        ("run_burst", "Run burst: from getting the core to leaving it"),
    ];
    let length = stats.length_ns();
    let mut tasks: Vec<_> = stats.tasks().collect();
    let is_past = |task: &TaskStats| task.is_deleted() || task.did_nothing();
    tasks.sort_by_key(|task| (is_past(task), Reverse(task.run_ns)));
    let row = |task: &TaskStats| {
        let [from, until] = life(task.life);
        vec![
            Cell::Text(task.name.clone()),
            Cell::Count(task.id.into()),
            from,
            until,
            Cell::number(task.priority),
            Cell::text(Some(if task.is_idle { "yes" } else { "no" })),
            Cell::text(Some(state(task.state))),
            Cell::Ns(task.run_ns),
            share(task.run_ns, length),
            Cell::Ns(task.interrupted_ns),
            Cell::Count(task.switches),
            Cell::Count(task.preemptions),
            Cell::number(task.stack_high_water_mark),
            when(task.stack_high_water_mark.is_some(), task.stack_high_water_mark_at),
            Cell::Spread(task.ready_wait.clone()),
            Cell::Spread(task.run_burst.clone()),
        ]
    };
    let left_out = left_out(&tasks);
    let rows = tasks.into_iter().map(row).collect();
    Table { rows, left_out, ..table("tasks", "Tasks", &columns) }
}

/// Tasks that were deleted, and those that never did anything: one line for all of them.
fn left_out(tasks: &[&TaskStats]) -> LeftOut {
    let deleted: Vec<_> = tasks.iter().filter(|task| task.is_deleted()).collect();
    let idle = tasks.iter().filter(|task| !task.is_deleted() && task.did_nothing()).count();
    let rows = deleted.len() + idle;
    // A table of nothing else is shown.
    if rows == tasks.len() {
        return LeftOut::default();
    }
    let ran = deleted.iter().fold(0, |sum: i64, task| sum.saturating_add(task.run_ns));
    let mut parts = Vec::new();
    if !deleted.is_empty() {
        parts.push(format!("{} that are no more, which ran for {}", deleted.len(), duration(ran)));
    }
    if idle > 0 {
        parts.push(format!("{idle} that never ran nor waited"));
    }
    LeftOut { rows, text: format!("... and {}", parts.join(", ")) }
}

const fn state(state: TaskState) -> &'static str {
    match state {
        TaskState::Unknown => "not known",
        TaskState::Running(_) => "running",
        TaskState::Deleted => "deleted",
        TaskState::Created => "created",
        TaskState::Ready => "ready",
        TaskState::Blocked(_) => "blocked",
        TaskState::Suspended => "suspended",
    }
}

fn isrs(stats: &Stats) -> Table {
    let columns = [
        ("name", "interrupt"),
        ("id", "id"),
        ("core", "core"),
        ("count", "count"),
        ("own_ns", "time"),
        ("cpu_share", "CPU"),
        ("max_depth", "depth"),
        ("max_depth_at_ns", "depth at"),
        ("duration", "Interrupt duration: from enter to exit"),
    ];
    let length = stats.length_ns();
    let mut isrs: Vec<_> = stats.isrs().collect();
    isrs.sort_by_key(|isr| Reverse(isr.own_ns));
    let row = |isr: &tband_conv::sinks::IsrStats| {
        vec![
            Cell::Text(isr.name.clone()),
            Cell::Count(isr.id.into()),
            Cell::Count(isr.core.into()),
            Cell::Count(isr.count),
            Cell::Ns(isr.own_ns),
            share(isr.own_ns, length),
            Cell::size(isr.max_depth),
            Cell::At(isr.max_depth_at),
            Cell::Spread(isr.time.clone()),
        ]
    };
    Table {
        rows: isrs.into_iter().map(row).collect(),
        ..table("interrupts", "Interrupts", &columns)
    }
}

fn queues(stats: &Stats) -> Table {
    let [from, until] = lives(stats.queues().map(|queue| queue.id));
    let columns = [
        ("name", "queue"),
        ("id", "id"),
        from,
        until,
        ("kind", "kind"),
        ("min_level", "min"),
        ("max_level", "max"),
        ("max_level_at_ns", "max at"),
        ("level", "last"),
        ("empty_ns", "empty"),
        ("full_ns", "full"),
        ("sends", "sends"),
        ("receives", "receives"),
        ("blocked_sends", "send waits"),
        ("blocked_receives", "receive waits"),
        ("failed_sends", "failed sends"),
        ("failed_receives", "failed receives"),
    ];
    let row = |queue: &tband_conv::sinks::QueueStats| {
        let [from, until] = life(queue.life);
        vec![
            Cell::Text(queue.name.clone()),
            Cell::Count(queue.id.into()),
            from,
            until,
            Cell::text(queue.kind),
            Cell::number(queue.levels.map(|levels| levels.0)),
            Cell::number(queue.levels.map(|levels| levels.1)),
            when(queue.levels.is_some(), queue.max_level_at),
            Cell::number(queue.level),
            Cell::Ns(queue.empty_ns),
            Cell::ns(queue.full_ns),
            Cell::Count(queue.sends),
            Cell::Count(queue.receives),
            Cell::Count(queue.blocked_sends),
            Cell::Count(queue.blocked_receives),
            Cell::Count(queue.failed_sends),
            Cell::Count(queue.failed_receives),
        ]
    };
    let title = "Queues, semaphores and mutexes";
    Table { rows: stats.queues().map(row).collect(), ..table("queues", title, &columns) }
}

fn markers(stats: &Stats) -> Table {
    let columns = [
        ("name", "marker"),
        ("id", "id"),
        ("task", "task"),
        ("instants", "instants"),
        ("open_spans", "open spans"),
        ("spans", "Spans: from begin to end"),
    ];
    let row = |marker: &tband_conv::sinks::MarkerStats| {
        vec![
            Cell::Text(marker.name.clone()),
            Cell::Count(marker.id.into()),
            Cell::text(marker.task.as_ref()),
            Cell::Count(marker.instants),
            Cell::size(marker.open),
            Cell::Spread(marker.spans.clone()),
        ]
    };
    Table {
        rows: stats.markers().map(row).collect(),
        ..table("markers", "Event markers", &columns)
    }
}

fn values(stats: &Stats) -> Table {
    let columns = [
        ("name", "marker"),
        ("id", "id"),
        ("task", "task"),
        ("count", "count"),
        ("min", "min"),
        ("max", "max"),
        ("max_at_ns", "max at"),
        ("last", "last"),
    ];
    let row = |value: &tband_conv::sinks::ValueStats| {
        let number = |number| if value.count > 0 { Cell::Number(number) } else { Cell::None };
        vec![
            Cell::Text(value.name.clone()),
            Cell::Count(value.id.into()),
            Cell::text(value.task.as_ref()),
            Cell::Count(value.count),
            number(value.min),
            number(value.max),
            when(value.count > 0, value.max_at),
            number(value.last),
        ]
    };
    Table { rows: stats.values().map(row).collect(), ..table("values", "Value markers", &columns) }
}

fn events(census: &Census) -> Table {
    let columns =
        [("event", "event"), ("count", "count"), ("bytes", "bytes"), ("byte_share", "share")];
    let mut kinds: Vec<_> = census.kinds().collect();
    kinds.sort_by_key(|(_, kind)| Reverse(kind.bytes));
    let row = |(name, kind): (&str, tband_conv::KindCount)| {
        vec![
            Cell::Text(name.to_owned()),
            Cell::Count(kind.count),
            Cell::Count(kind.bytes),
            Cell::Share(kind.bytes as f64 / census.bytes.max(1) as f64),
        ]
    };
    let rows = kinds.into_iter().map(row).collect();
    Table { rows, ..table("events", "Bytes by kind of event", &columns) }
}
