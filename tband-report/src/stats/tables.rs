//! The list of tables, and their contents.

use tband_conv::Summary;
use tband_conv::census::Census;
use tband_conv::sinks::Stats;

use super::table::{Cell, Table, life, lives, runs, table, when};
use super::{cores, objects, recording, running, waits};
use crate::time_unit::TimeUnit;

/// Everything that is known, in the order in which it is shown.
#[must_use]
pub fn all(stats: &Stats, summary: &Summary, census: &Census) -> Vec<Table> {
    let unit = TimeUnit::of(&summary.diagnostics);
    let tables = vec![
        recording::recording(stats, summary, census, unit),
        recording::findings(if summary.part.is_some() {
            stats.findings()
        } else {
            &summary.diagnostics
        }),
        recording::gaps(stats),
        recording::left_out(summary),
        recording::shed(summary),
        recording::link(summary),
        recording::clocks(summary),
        running::cores(stats),
        cores::all(stats),
        cores::between(stats),
        running::tasks(stats),
        running::periods(stats),
        waits::open(stats),
        waits::blocked(stats),
        waits::notifications(stats),
        running::isrs(stats),
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
        recording::events(census),
    ];
    tables.into_iter().map(|table| table.in_unit(unit)).collect()
}

fn queues(stats: &Stats) -> Table {
    let [from, until] = lives(stats.queues().map(|queue| queue.id));
    let runs = runs(stats.queues().map(|queue| queue.runs));
    let columns = [
        ("name", "queue"),
        ("id", "id"),
        from,
        until,
        runs,
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
            Cell::Count(queue.runs.into()),
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
            Cell::spread(&marker.spans),
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
        let number = |number| if value.count > 0 { Cell::Value(number) } else { Cell::None };
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
