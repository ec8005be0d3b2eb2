//! Tables of stream buffers, event groups, timers, heap and kernel calls.

use std::cmp::Reverse;

use tband_conv::sinks::{
    CallStats, EventGroupStats, HeapStats, ObjectStats, Stats, StreamBufferStats, TimerStats,
};

use super::table::{Cell, Table, life, lives, runs, table, when};

pub fn stream_buffers(stats: &ObjectStats) -> Table {
    let [from, until] = lives(stats.stream_buffers().map(|buffer| buffer.id));
    let runs = runs(stats.stream_buffers().map(|buffer| buffer.runs));
    let columns = [
        ("name", "buffer"),
        ("id", "id"),
        from,
        until,
        runs,
        ("kind", "kind"),
        ("size_bytes", "size"),
        ("max_level_bytes", "max"),
        ("max_level_at_ns", "max at"),
        ("level_bytes", "last"),
        ("sends", "sends"),
        ("receives", "receives"),
        ("bytes_sent", "sent"),
        ("bytes_received", "received"),
        ("failed_sends", "failed sends"),
        ("failed_receives", "failed receives"),
    ];
    let row = |buffer: &StreamBufferStats| {
        let [from, until] = life(buffer.life);
        vec![
            Cell::Text(buffer.name.clone()),
            Cell::Count(buffer.id.into()),
            from,
            until,
            Cell::Count(buffer.runs.into()),
            Cell::text(buffer.kind),
            Cell::number(buffer.size),
            Cell::number(buffer.max_level),
            when(buffer.max_level.is_some(), buffer.max_level_at),
            Cell::number(buffer.level),
            Cell::Count(buffer.sends),
            Cell::Count(buffer.receives),
            Cell::Count(buffer.bytes_sent),
            Cell::Count(buffer.bytes_received),
            Cell::Count(buffer.failed_sends),
            Cell::Count(buffer.failed_receives),
        ]
    };
    let title = "Stream and message buffers, in bytes";
    let rows = stats.stream_buffers().map(row).collect();
    Table { rows, ..table("stream_buffers", title, &columns) }
}

pub fn event_groups(stats: &ObjectStats) -> Table {
    let [from, until] = lives(stats.event_groups().map(|group| group.id));
    let runs = runs(stats.event_groups().map(|group| group.runs));
    let columns = [
        ("name", "event group"),
        ("id", "id"),
        from,
        until,
        runs,
        ("bits", "last"),
        ("sets", "sets"),
        ("clears", "clears"),
        ("clears_on_exit", "clears on exit"),
        ("deferred_by_isrs", "deferred by interrupts"),
    ];
    let row = |group: &EventGroupStats| {
        let [from, until] = life(group.life);
        vec![
            Cell::Text(group.name.clone()),
            Cell::Count(group.id.into()),
            from,
            until,
            Cell::Count(group.runs.into()),
            Cell::text(group.bits.map(|bits| format!("{bits:#x}"))),
            Cell::Count(group.sets),
            Cell::Count(group.clears),
            Cell::Count(group.clears_on_exit),
            Cell::Count(group.deferred_by_isrs),
        ]
    };
    let rows = stats.event_groups().map(row).collect();
    Table { rows, ..table("event_groups", "Event groups", &columns) }
}

pub fn timers(stats: &ObjectStats) -> Table {
    let [from, until] = lives(stats.timers().map(|timer| timer.id));
    let runs = runs(stats.timers().map(|timer| timer.runs));
    let columns = [
        ("name", "timer"),
        ("id", "id"),
        from,
        until,
        runs,
        ("period_ticks", "period"),
        ("restarts", "restarts"),
        ("commands", "commands"),
        ("refused", "refused"),
        ("expiries", "expiries"),
        ("callback", "Timer callback: from call to return"),
    ];
    let row = |timer: &TimerStats| {
        let [from, until] = life(timer.life);
        vec![
            Cell::Text(timer.name.clone()),
            Cell::Count(timer.id.into()),
            from,
            until,
            Cell::Count(timer.runs.into()),
            Cell::number(timer.period),
            Cell::text(timer.auto_reload.map(|it| if it { "yes" } else { "no" })),
            Cell::Count(timer.commands),
            Cell::Count(timer.refused),
            Cell::Count(timer.expiries),
            Cell::spread(&timer.callback),
        ]
    };
    let title = "Software timers, period in kernel ticks";
    Table { rows: stats.timers().map(row).collect(), ..table("timers", title, &columns) }
}

pub fn heap(stats: &Stats) -> Table {
    // Only where they differ from the usual meaning.
    let is_asked_for = stats.trace_info().is_some_and(|info| info.has_requested_bytes());
    let columns = [
        ("mallocs", "heap mallocs"),
        ("frees", "heap frees"),
        ("failures", "heap failures"),
        ("sizes", "heap sizes of pieces"),
        ("largest_bytes", "heap largest piece, bytes"),
        ("largest_at_ns", "heap largest piece, at"),
        ("min_free_bytes", "heap least free, bytes"),
        ("min_free_at_ns", "heap least free, at"),
        ("free_bytes", "heap free at the end, bytes"),
        ("max_in_use_bytes", "heap most in use since the start, bytes"),
        ("max_in_use_at_ns", "heap most in use, at"),
        ("in_use_bytes", "heap in use since the start, bytes"),
    ];
    let row = |heap: &HeapStats| {
        vec![
            Cell::Count(heap.mallocs),
            Cell::Count(heap.frees),
            Cell::Count(heap.failures),
            Cell::text(
                is_asked_for.then_some("as asked for; the heap took more (kernel before V11.2)"),
            ),
            Cell::Count(heap.largest.into()),
            when(heap.largest > 0, heap.largest_at),
            Cell::number(heap.min_free),
            when(heap.min_free.is_some(), heap.min_free_at),
            Cell::number(heap.free),
            Cell::Number(heap.max_in_use),
            when(heap.max_in_use > 0, heap.max_in_use_at),
            Cell::Number(heap.in_use),
        ]
    };
    let rows = stats.objects().heap().map(row).into_iter().collect();
    Table { rows, single: true, ..table("heap", "Heap", &columns) }
}

pub fn calls(stats: &ObjectStats) -> Table {
    let columns = [
        ("name", "function"),
        ("count", "calls"),
        ("time", "Kernel call: from call to return, waits included"),
    ];
    let mut calls: Vec<_> = stats.calls().collect();
    calls.sort_by_key(|call| Reverse(call.count));
    let row = |call: &CallStats| {
        vec![Cell::Text(call.name.clone()), Cell::Count(call.count), Cell::spread(&call.time)]
    };
    Table { rows: calls.into_iter().map(row).collect(), ..table("calls", "Kernel calls", &columns) }
}
