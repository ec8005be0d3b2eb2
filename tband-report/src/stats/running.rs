//! Tables about the activities on cores: cores, tasks, interrupts.

use std::cmp::Reverse;

use tband_conv::model::TaskState;
use tband_conv::sinks::{Stats, TaskStats};

use super::table::{Cell, OmittedRows, Table, life, lives, runs, share, table, when};
use crate::duration::duration;

pub fn cores(stats: &Stats) -> Table {
    let columns = [
        ("core", "core"),
        ("load", "load"),
        ("task_ns", "tasks"),
        ("idle_ns", "idle"),
        ("isr_ns", "interrupts"),
        ("unknown_ns", "unknown"),
        ("known_ns", ""),
        ("recorded_ns", ""),
        ("switches", "switches"),
        ("max_isr_nesting", "ISR nesting"),
        ("max_isr_nesting_at_ns", "nesting at"),
        ("load_window_ns", "window"),
        ("load_over_time", "Load over time, one mark a window; ? is not known"),
    ];
    let length = stats.length_ns();
    let row = |core: &tband_conv::sinks::CoreStats| {
        vec![
            Cell::Count(core.core.into()),
            Cell::share(core.busy_share()),
            Cell::Ns(core.task_ns),
            Cell::Ns(core.idle_ns),
            Cell::Ns(core.isr_ns),
            Cell::Ns(core.unknown_ns),
            Cell::Ns(core.known_ns),
            Cell::Ns(core.recorded_ns),
            Cell::Count(core.switches),
            Cell::size(core.max_nesting),
            when(core.max_nesting > 0, core.max_nesting_at),
            Cell::Ns(core.load.window_ns()),
            Cell::Series(core.shares(length).collect()),
        ]
    };
    Table { rows: stats.cores().map(row).collect(), ..table("cores", "Cores", &columns) }
}

pub fn tasks(stats: &Stats) -> Table {
    let [from, until] = lives(stats.tasks().map(|task| task.id));
    let runs = runs(stats.tasks().map(|task| task.runs));
    let columns = [
        ("name", "task"),
        ("id", "id"),
        from,
        until,
        runs,
        ("priority", "prio"),
        ("is_idle", ""),
        ("state", "in the end"),
        ("run_ns", "run time"),
        ("cpu_share", "CPU"),
        ("known_ns", ""),
        ("interrupted_ns", "ISRs"),
        ("switches", "switches"),
        ("migrations", if stats.cores().count() > 1 { "moved" } else { "" }),
        ("preemptions", "preempted"),
        ("stack_high_water_mark_bytes", "stack left"),
        ("stack_high_water_mark_at_ns", "stack left at"),
        ("ready_wait", "Ready wait: from ready to running"),
        ("run_burst", "Run burst: from getting the core to leaving it"),
    ];
    let mut tasks: Vec<_> = stats.tasks().collect();
    let is_past = |task: &TaskStats| task.is_deleted() || task.is_unused();
    tasks.sort_by_key(|task| (is_past(task), Reverse(task.run_ns)));
    let row = |task: &TaskStats| {
        let [from, until] = life(task.life);
        vec![
            Cell::Text(task.name.clone()),
            Cell::Count(task.id.into()),
            from,
            until,
            Cell::Count(task.runs.into()),
            Cell::number(task.priority),
            Cell::text(Some(if task.is_idle { "yes" } else { "no" })),
            Cell::text(Some(state(task.state))),
            Cell::Ns(task.run_ns),
            share(task.run_ns, task.known_ns),
            Cell::Ns(task.known_ns),
            Cell::Ns(task.interrupted_ns),
            Cell::Count(task.switches),
            Cell::Count(task.migrations),
            Cell::Count(task.preemptions),
            Cell::number(task.stack_high_water_mark),
            when(task.stack_high_water_mark.is_some(), task.stack_high_water_mark_at),
            Cell::spread(&task.ready_wait),
            Cell::spread(&task.run_burst),
        ]
    };
    let left_out = left_out(&tasks);
    let rows = tasks.into_iter().map(row).collect();
    Table { rows, left_out, ..table("tasks", "Tasks", &columns) }
}

/// Periods of tasks, timers and interrupts, and how they keep them.
pub fn periods(stats: &Stats) -> Table {
    let columns = [
        ("name", "periodic"),
        ("id", "id"),
        ("kind", "kind"),
        ("how", "period is"),
        ("period_ticks", "ticks"),
        ("period_ns", "period"),
        ("releases", "releases"),
        ("missed", "missed"),
        ("period_jitter_ns", "step jitter"),
        ("release_jitter_ns", "release jitter"),
        ("start_jitter_ns", "start jitter"),
    ];
    let row = |it: &tband_conv::sinks::PeriodStats| {
        vec![
            Cell::Text(it.whose.name.clone()),
            Cell::Count(it.whose.id.into()),
            Cell::text(Some(it.kind)),
            Cell::text(Some(it.how)),
            it.ticks.map_or(Cell::None, |ticks| Cell::Count(ticks.into())),
            Cell::Ns(it.period_ns),
            Cell::Count(it.releases),
            Cell::Count(it.missed),
            Cell::ns(it.period_jitter_ns),
            Cell::ns(it.release_jitter_ns),
            Cell::ns(it.start_jitter_ns),
        ]
    };
    let rows = stats.periods().map(row).collect();
    Table { rows, ..table("periods", "Periods", &columns) }
}

/// Tasks that were deleted, and those that never did anything: one line for all of them.
fn left_out(tasks: &[&TaskStats]) -> OmittedRows {
    let deleted: Vec<_> = tasks.iter().filter(|task| task.is_deleted()).collect();
    let idle = tasks.iter().filter(|task| !task.is_deleted() && task.is_unused()).count();
    let rows = deleted.len() + idle;
    // If all rows would be left out, the table is shown.
    if rows == tasks.len() {
        return OmittedRows::default();
    }
    let ran = deleted.iter().fold(0, |sum: i64, task| sum.saturating_add(task.run_ns));
    let mut parts = Vec::new();
    if !deleted.is_empty() {
        parts.push(format!("{} that are no more, which ran for {}", deleted.len(), duration(ran)));
    }
    if idle > 0 {
        parts.push(format!("{idle} that never ran nor waited"));
    }
    OmittedRows { rows, text: format!("... and {}", parts.join(", ")) }
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

pub fn isrs(stats: &Stats) -> Table {
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
    let mut isrs: Vec<_> = stats.isrs().collect();
    isrs.sort_by_key(|isr| Reverse(isr.own_ns));
    let row = |isr: &tband_conv::sinks::IsrStats| {
        vec![
            Cell::Text(isr.name.clone()),
            Cell::Count(isr.id.into()),
            Cell::Count(isr.core.into()),
            Cell::Count(isr.count),
            Cell::Ns(isr.own_ns),
            share(isr.own_ns, isr.recorded_ns),
            Cell::size(isr.max_depth),
            Cell::At(isr.max_depth_at),
            Cell::spread(&isr.time),
        ]
    };
    Table {
        rows: isrs.into_iter().map(row).collect(),
        ..table("interrupts", "Interrupts", &columns)
    }
}
