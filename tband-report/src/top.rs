//! The tables of `top` and of the live page: the numbers of a window for each task, queue and interrupt, as text.

use std::cmp::Reverse;
use std::collections::HashMap;

use tband_conv::model::TaskState;
use tband_conv::sinks::{CoreStats, IsrStats, QueueStats, Stats, TaskStats};

use crate::time_unit::TimeUnit;

/// A column, and its cells' width.
pub struct Column {
    /// Its heading.
    pub title: &'static str,
    /// Letters.
    pub width: u16,
    /// A number.
    pub is_right: bool,
}

const fn text(title: &'static str, width: u16) -> Column {
    Column { title, width, is_right: false }
}

const fn number(title: &'static str, width: u16) -> Column {
    Column { title, width, is_right: true }
}

/// Of cores.
pub const CORES: [Column; 4] =
    [number("CORE", 4), number("CPU", 6), number("INTERRUPTS", 10), number("SWITCHES/s", 10)];

/// Columns for tasks. Those without room on a narrow screen are at the end.
pub const TASKS: [Column; 8] = [
    text("TASK", 16),
    number("CPU", 6),
    text("STATE", 9),
    number("PRIO", 4),
    number("STACK", 7),
    number("RUNS/s", 8),
    number("ID", 5),
    text("WAITS FOR", 24),
];

/// Of queues, semaphores and mutexes.
pub const QUEUES: [Column; 7] = [
    text("QUEUE", 16),
    number("LEVEL", 6),
    number("MIN", 5),
    number("MAX", 5),
    number("IN/s", 8),
    number("OUT/s", 8),
    text("KIND", 20),
];

/// Of interrupts.
pub const ISRS: [Column; 5] = [
    text("INTERRUPT", 16),
    number("RATE/s", 8),
    number("CPU", 6),
    number("LONGEST", 9),
    number("CORE", 4),
];

/// A row of a table.
pub struct Row {
    /// A text for each column.
    pub cells: Vec<String>,
    /// The index of a task among all tasks.
    pub task: Option<usize>,
}

/// Formats a share in percent; a `-` if the total is 0.
pub fn share(part: i64, whole: i64) -> String {
    if whole > 0 { format!("{:.1}%", part as f64 * 100.0 / whole as f64) } else { "-".to_owned() }
}

/// The load of a core in percent; a `-` if it is not known.
#[must_use]
pub fn load(core: &CoreStats) -> String {
    core.busy_share().map_or_else(|| "-".to_owned(), |load| share(load.part_ns, load.of_ns))
}

/// Formats a rate per second; a `-` if it is not known.
pub fn rate(count: u64, ns: i64, unit: TimeUnit) -> String {
    let Some(rate) = unit.per_second(count, ns) else { return "-".to_owned() };
    if rate < 10.0 { format!("{rate:.1}") } else { format!("{rate:.0}") }
}

fn known(number: Option<impl ToString>) -> String {
    number.map_or_else(|| "-".to_owned(), |number| number.to_string())
}

const fn state(state: TaskState) -> &'static str {
    match state {
        TaskState::Unknown => "?",
        TaskState::Running(_) => "running",
        TaskState::Deleted => "deleted",
        TaskState::Created => "created",
        TaskState::Ready => "ready",
        TaskState::Blocked(_) => "blocked",
        TaskState::Suspended => "suspended",
    }
}

/// Cores that are known.
pub fn cores(stats: &Stats, unit: TimeUnit) -> Vec<Row> {
    let row = |core: &CoreStats| {
        let cells = vec![
            core.core.to_string(),
            load(core),
            share(core.isr_ns, core.recorded_ns),
            rate(core.switches, core.recorded_ns, unit),
        ];
        Row { cells, task: None }
    };
    stats.cores().map(row).collect()
}

/// A task of a window, with its place among all.
pub type Task<'s> = (usize, &'s TaskStats);

/// Tasks that are there and whose name passes. They come as they ran, most first; `sort` may order them otherwise.
pub fn tasks(
    stats: &Stats,
    unit: TimeUnit,
    passes: impl Fn(&str) -> bool,
    sort: impl FnOnce(&mut [Task<'_>]),
) -> Vec<Row> {
    let waits: HashMap<(u32, &str), _> =
        stats.open_waits().map(|wait| ((wait.task.id, wait.task.name.as_str()), wait)).collect();
    let mut tasks: Vec<_> = stats
        .tasks()
        .enumerate()
        .filter(|(_, task)| !task.is_deleted() && passes(&task.name))
        .collect();
    tasks.sort_by_key(|(_, task)| Reverse(task.run_ns));
    sort(&mut tasks);
    let ns = stats.recorded_ns();
    let row = |(index, task): (usize, &TaskStats)| {
        let is_waiting = matches!(task.state, TaskState::Blocked(_) | TaskState::Suspended);
        let wait = waits.get(&(task.id, task.name.as_str())).filter(|_| is_waiting);
        let wait = wait.map_or_else(String::new, |wait| {
            let held = wait.holder.as_ref().map(|it| format!(" held by {}", it.name));
            format!("{} {}{}", wait.cause, unit.duration(wait.length_ns), held.unwrap_or_default())
        });
        let cells = vec![
            task.name.clone(),
            share(task.run_ns, task.known_ns),
            state(task.state).to_owned(),
            known(task.priority),
            known(task.stack_high_water_mark),
            rate(task.switches, ns, unit),
            task.id.to_string(),
            wait,
        ];
        Row { cells, task: Some(index) }
    };
    tasks.into_iter().map(row).collect()
}

/// Queues whose level is known and whose name passes, those with most traffic first.
pub fn queues(stats: &Stats, unit: TimeUnit, passes: impl Fn(&str) -> bool) -> Vec<Row> {
    let ns = stats.recorded_ns();
    let mut queues: Vec<_> = stats
        .queues()
        .filter(|queue| queue.level.is_some() && passes(&queue.name))
        .filter(|queue| queue.life.died_ns.is_none())
        .collect();
    queues.sort_by_key(|queue| Reverse(queue.sends.saturating_add(queue.receives)));
    let row = |queue: &QueueStats| {
        let cells = vec![
            queue.name.clone(),
            known(queue.level),
            known(queue.levels.map(|levels| levels.0)),
            known(queue.levels.map(|levels| levels.1)),
            rate(queue.sends, ns, unit),
            rate(queue.receives, ns, unit),
            queue.kind.unwrap_or("queue").to_owned(),
        ];
        Row { cells, task: None }
    };
    queues.into_iter().map(row).collect()
}

/// Interrupts that occur and whose name passes, the most frequent first.
pub fn isrs(stats: &Stats, unit: TimeUnit, passes: impl Fn(&str) -> bool) -> Vec<Row> {
    let mut isrs: Vec<_> = stats.isrs().filter(|isr| passes(&isr.name)).collect();
    isrs.sort_by_key(|isr| Reverse(isr.count));
    let row = |isr: &IsrStats| {
        let longest = unit.duration(i64::try_from(isr.time.max()).unwrap_or(i64::MAX));
        let cells = vec![
            isr.name.clone(),
            rate(isr.count, isr.recorded_ns, unit),
            share(isr.own_ns, isr.recorded_ns),
            longest,
            isr.core.to_string(),
        ];
        Row { cells, task: None }
    };
    isrs.into_iter().map(row).collect()
}
