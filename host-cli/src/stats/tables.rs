//! Which tables there are and what is in them.

use std::cmp::Reverse;

use tband_conv::sinks::Stats;
use tband_conv::{Census, Severity, Summary};

use super::objects;
use super::table::{Cell, Column, Table};

/// Everything that is known, in the order in which it is shown.
pub fn all(stats: &Stats, summary: &Summary, census: &Census) -> Vec<Table> {
    vec![
        recording(stats, summary, census),
        findings(summary),
        gaps(stats),
        cores(stats),
        tasks(stats),
        blocked(stats),
        isrs(stats),
        queues(stats),
        mutexes(stats),
        holders(stats),
        objects::stream_buffers(stats.objects()),
        objects::event_groups(stats.objects()),
        objects::timers(stats.objects()),
        objects::heap(stats.objects()),
        objects::calls(stats.objects()),
        markers(stats),
        values(stats),
        events(census),
    ]
}

pub fn table(key: &'static str, title: &'static str, columns: &[Column]) -> Table {
    Table { key, title, columns: columns.to_vec(), rows: Vec::new(), single: false }
}

fn share(part: i64, whole: i64) -> Cell {
    Cell::Share(part as f64 / whole.max(1) as f64)
}

fn recording(stats: &Stats, summary: &Summary, census: &Census) -> Table {
    let columns = [
        ("length_ns", "length"),
        ("start_ns", "starts at"),
        ("end_ns", "ends at"),
        ("ns_per_tick", "ns per tick"),
        ("events", "events"),
        ("bytes", "bytes"),
        ("events_per_second", "events rate"),
        ("bytes_per_second", "bytes rate"),
        ("lost_events", "lost events"),
        ("gaps", "gaps"),
        ("lost_names", "lost names"),
        ("damaged_frames", "damaged frames"),
        ("build_id", "build"),
    ];
    let length = stats.length_ns();
    let rate = |count: u64| {
        (length > 0).then_some(count as f64 / (length as f64 / 1e9)).map_or(Cell::None, Cell::Rate)
    };
    let found = |problem| summary.diagnostics.get(problem);
    let amount = |problem| Cell::Count(found(problem).map_or(0, |found| found.amount));
    let row = vec![
        Cell::Ns(length),
        Cell::Ns(stats.start_ns()),
        Cell::Ns(stats.end_ns()),
        Cell::Count(summary.ns_per_tick),
        Cell::Count(summary.events),
        Cell::Count(census.bytes),
        rate(summary.events),
        rate(census.bytes),
        amount(tband_conv::Problem::EventsLost),
        Cell::Count(summary.diagnostics.count(tband_conv::Problem::EventsLost)),
        amount(tband_conv::Problem::MetadataLost),
        Cell::Count(census.damaged.count),
        Cell::text(summary.build_id.as_ref()),
    ];
    Table { rows: vec![row], single: true, ..table("recording", "Recording", &columns) }
}

fn findings(summary: &Summary) -> Table {
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
    let rows = summary.diagnostics.iter().map(row).collect();
    Table { rows, ..table("findings", "Findings", &columns) }
}

fn gaps(stats: &Stats) -> Table {
    let columns = [("at_ns", "at"), ("core", "core"), ("lost_events", "lost events")];
    let row = |gap: &tband_conv::sinks::Gap| {
        vec![Cell::Ns(gap.ns), Cell::Count(gap.core.into()), Cell::Count(gap.lost)]
    };
    let rows = stats.gaps().iter().map(row).collect();
    Table { rows, ..table("gaps", "Gaps (first 100)", &columns) }
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
            Cell::Ns(core.load.stretch_ns()),
            Cell::Series(core.load.shares(length).collect()),
        ]
    };
    Table { rows: stats.cores().map(row).collect(), ..table("cores", "Cores", &columns) }
}

fn tasks(stats: &Stats) -> Table {
    let columns = [
        ("name", "task"),
        ("id", "id"),
        ("priority", "prio"),
        ("is_idle", "idle"),
        ("run_ns", "run time"),
        ("cpu_share", "CPU"),
        ("interrupted_ns", "interrupted"),
        ("switches", "switches"),
        ("preemptions", "preempted"),
        ("ready_wait", "Ready wait: from ready to running"),
        ("run_burst", "Run burst: from getting the core to leaving it"),
    ];
    let length = stats.length_ns();
    let mut tasks: Vec<_> = stats.tasks().collect();
    tasks.sort_by_key(|task| Reverse(task.run_ns));
    let row = |task: &tband_conv::sinks::TaskStats| {
        vec![
            Cell::Text(task.name.clone()),
            Cell::Count(task.id.into()),
            task.priority.map_or(Cell::None, |priority| Cell::Count(priority.into())),
            Cell::text(Some(if task.is_idle { "yes" } else { "no" })),
            Cell::Ns(task.run_ns),
            share(task.run_ns, length),
            Cell::Ns(task.interrupted_ns),
            Cell::Count(task.switches),
            Cell::Count(task.preemptions),
            Cell::Spread(task.ready_wait.clone()),
            Cell::Spread(task.run_burst.clone()),
        ]
    };
    Table { rows: tasks.into_iter().map(row).collect(), ..table("tasks", "Tasks", &columns) }
}

fn blocked(stats: &Stats) -> Table {
    let columns = [
        ("task", "task"),
        ("task_id", "id"),
        ("cause", "cause"),
        ("count", "count"),
        ("total_ns", "total"),
        ("max_ns", "max"),
    ];
    let mut rows = Vec::new();
    for task in stats.tasks() {
        rows.extend(task.blocked.iter().map(|blocked| {
            vec![
                Cell::Text(task.name.clone()),
                Cell::Count(task.id.into()),
                Cell::Text(blocked.cause.clone()),
                Cell::Count(blocked.count),
                Cell::Ns(blocked.total_ns),
                Cell::Ns(blocked.max_ns),
            ]
        }));
    }
    Table { rows, ..table("blocked", "Blocked time by cause", &columns) }
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
            Cell::Spread(isr.time.clone()),
        ]
    };
    Table {
        rows: isrs.into_iter().map(row).collect(),
        ..table("interrupts", "Interrupts", &columns)
    }
}

fn queues(stats: &Stats) -> Table {
    let columns = [
        ("name", "queue"),
        ("id", "id"),
        ("kind", "kind"),
        ("min_level", "min"),
        ("max_level", "max"),
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
    let level = |level: Option<u32>| level.map_or(Cell::None, |level| Cell::Count(level.into()));
    let row = |queue: &tband_conv::sinks::QueueStats| {
        vec![
            Cell::Text(queue.name.clone()),
            Cell::Count(queue.id.into()),
            Cell::text(queue.kind),
            level(queue.levels.map(|levels| levels.0)),
            level(queue.levels.map(|levels| levels.1)),
            level(queue.level),
            Cell::Ns(queue.empty_ns),
            queue.full_ns.map_or(Cell::None, Cell::Ns),
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

fn mutexes(stats: &Stats) -> Table {
    let columns = [
        ("name", "mutex"),
        ("id", "id"),
        ("takes", "takes"),
        ("held_total_ns", "held"),
        ("contentions", "contentions"),
        ("held", "Mutex held: from take to give"),
        ("wait", "Mutex wait: from contention to getting it, or giving up"),
        ("inversions", "Priority inversion: waits for a less urgent holder"),
    ];
    let row = |mutex: &tband_conv::sinks::MutexStats| {
        vec![
            Cell::Text(mutex.name.clone()),
            Cell::Count(mutex.id.into()),
            Cell::Count(mutex.takes),
            Cell::Ns(mutex.held_ns),
            Cell::Count(mutex.contentions),
            Cell::Spread(mutex.held.clone()),
            Cell::Spread(mutex.waits.clone()),
            Cell::Spread(mutex.inversions.clone()),
        ]
    };
    Table { rows: stats.mutexes().map(row).collect(), ..table("mutexes", "Mutexes", &columns) }
}

fn holders(stats: &Stats) -> Table {
    let columns = [
        ("mutex", "mutex"),
        ("mutex_id", "id"),
        ("task", "holder"),
        ("count", "takes"),
        ("held_ns", "held"),
        ("max_ns", "max"),
    ];
    let mut rows = Vec::new();
    for mutex in stats.mutexes() {
        rows.extend(mutex.holders.iter().map(|holder| {
            vec![
                Cell::Text(mutex.name.clone()),
                Cell::Count(mutex.id.into()),
                Cell::Text(holder.task.clone()),
                Cell::Count(holder.count),
                Cell::Ns(holder.held_ns),
                Cell::Ns(holder.max_ns),
            ]
        }));
    }
    Table { rows, ..table("mutex_holders", "Mutex holders", &columns) }
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
