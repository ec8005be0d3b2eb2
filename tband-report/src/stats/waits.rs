//! Tables of waits: the causes of blocking, open waits at the end, locks and their holders.

use tband_conv::sinks::{
    BlockedStats, HolderStats, InversionStats, LockStats, NotificationStats, OpenWait, Participant,
    Stats, TaskStats,
};

use super::table::{Cell, Table, runs, table};

/// Numbers of a task that may not be known: its name, number and priority.
fn participant_cells(task: Option<&Participant>) -> [Cell; 3] {
    let priority = Cell::number(task.and_then(|task| task.priority));
    let id = Cell::number(task.map(|task| task.id));
    [Cell::text(task.map(|task| &task.name)), id, priority]
}

pub fn open(stats: &Stats) -> Table {
    let columns = [
        ("task", "task"),
        ("task_id", "id"),
        ("cause", "waits for"),
        ("holder", "held by"),
        ("holder_id", ""),
        ("since_ns", "since"),
        ("length_ns", "so far"),
    ];
    let row = |wait: &OpenWait| {
        let [holder, holder_id, _] = participant_cells(wait.holder.as_ref());
        vec![
            Cell::Text(wait.task.name.clone()),
            Cell::Count(wait.task.id.into()),
            Cell::Text(wait.cause.clone()),
            holder,
            holder_id,
            Cell::At(wait.since_ns),
            Cell::Ns(wait.length_ns),
        ]
    };
    let title = "Waits that are open at the end";
    Table { rows: stats.open_waits().map(row).collect(), ..table("open_waits", title, &columns) }
}

pub fn blocked(stats: &Stats) -> Table {
    let columns = [
        ("task", "task"),
        ("task_id", "id"),
        ("cause", "cause"),
        ("count", "count"),
        ("total_ns", "total"),
        ("max_ns", "max"),
        ("max_at_ns", "max at"),
        ("open", "open"),
        ("open_ns", ""),
        ("cut", "cut"),
    ];
    let row = |task: &TaskStats, blocked: &BlockedStats| {
        vec![
            Cell::Text(task.name.clone()),
            Cell::Count(task.id.into()),
            Cell::Text(blocked.cause.clone()),
            Cell::Count(blocked.count),
            Cell::Ns(blocked.total_ns),
            Cell::Ns(blocked.max_ns),
            Cell::At(blocked.max_at_ns),
            some(blocked.open_ns.is_some().into()),
            Cell::ns(blocked.open_ns),
            some(blocked.cut),
        ]
    };
    let rows = stats.tasks().flat_map(|task| task.blocked.iter().map(move |it| row(task, it)));
    let title = "Blocked time by cause";
    Table { rows: rows.collect(), ..table("blocked", title, &columns) }
}

/// A number that is usually 0.
fn some(count: u64) -> Cell {
    if count == 0 { Cell::None } else { Cell::Count(count) }
}

pub fn notifications(stats: &Stats) -> Table {
    let columns = [
        ("task", "task"),
        ("task_id", "id"),
        ("index", "index"),
        ("notified", "notified"),
        ("by_isrs", "by ISRs"),
        ("refused", "refused"),
        ("received", "received"),
        ("timeouts", "timeouts"),
        ("cleared", "cleared"),
    ];
    let row = |task: &TaskStats, it: &NotificationStats| {
        vec![
            Cell::Text(task.name.clone()),
            Cell::Count(task.id.into()),
            Cell::number(it.index),
            Cell::Count(it.notified),
            Cell::Count(it.by_isrs),
            Cell::Count(it.refused),
            Cell::Count(it.received),
            Cell::Count(it.timeouts),
            Cell::Count(it.cleared),
        ]
    };
    let all = stats.tasks().flat_map(|task| task.notifications.iter().map(move |it| row(task, it)));
    Table { rows: all.collect(), ..table("notifications", "Notifications", &columns) }
}

pub fn locks(stats: &Stats) -> Table {
    let runs = runs(stats.locks().map(|lock| lock.runs));
    let columns = [
        ("name", "mutex"),
        ("id", "id"),
        runs,
        ("kind", "kind"),
        ("takes", "takes"),
        ("held_total_ns", "held"),
        ("contentions", "contentions"),
        ("held", "Mutex held: from take to give"),
        ("wait", "Mutex wait: from contention to getting it, or giving up"),
        ("inversions", "Priority inversion: waits for a less urgent holder"),
    ];
    let row = |lock: &LockStats| {
        vec![
            Cell::Text(lock.name.clone()),
            Cell::Count(lock.id.into()),
            Cell::Count(lock.runs.into()),
            Cell::text(lock.kind),
            Cell::Count(lock.takes),
            Cell::Ns(lock.held_ns),
            Cell::Count(lock.contentions),
            Cell::spread(&lock.held),
            Cell::spread(&lock.waits),
            Cell::spread(&lock.inversions),
        ]
    };
    let title = "Mutexes, and semaphores that are used as such";
    Table { rows: stats.locks().map(row).collect(), ..table("mutexes", title, &columns) }
}

pub fn holders(stats: &Stats) -> Table {
    let columns = [
        ("mutex", "mutex"),
        ("mutex_id", "id"),
        ("task", "holder"),
        ("count", "takes"),
        ("held_ns", "held"),
        ("max_ns", "max"),
        ("max_at_ns", "max at"),
        ("open", "open"),
        ("open_ns", ""),
        ("cut", "cut"),
    ];
    let row = |lock: &LockStats, holder: &HolderStats| {
        vec![
            Cell::Text(lock.name.clone()),
            Cell::Count(lock.id.into()),
            Cell::Text(holder.task.clone()),
            Cell::Count(holder.count),
            Cell::Ns(holder.held_ns),
            Cell::Ns(holder.max_ns),
            Cell::At(holder.max_at_ns),
            some(holder.open_ns.is_some().into()),
            Cell::ns(holder.open_ns),
            some(holder.cut),
        ]
    };
    let rows = stats.locks().flat_map(|lock| lock.holders.iter().map(move |it| row(lock, it)));
    Table { rows: rows.collect(), ..table("mutex_holders", "Mutex holders", &columns) }
}

pub fn inversions(stats: &Stats) -> Table {
    let columns = [
        ("mutex", "mutex"),
        ("mutex_id", ""),
        ("kind", ""),
        ("waiter", "waiter"),
        ("waiter_id", ""),
        ("waiter_priority", "prio"),
        ("holder", "holder"),
        ("holder_id", ""),
        ("holder_priority", "prio"),
        ("count", "count"),
        ("total_ns", "total"),
        ("max_ns", "max"),
        ("max_at_ns", "max at"),
        ("holder_ran_ns", "holder ran"),
        ("between", "ran between"),
        ("between_id", ""),
        ("between_priority", "prio"),
        ("between_ns", "for"),
        ("others_ns", "all others"),
        ("open", "open"),
        ("open_ns", ""),
        ("cut", "cut"),
    ];
    let row = |it: &InversionStats| {
        let has_other = it.between.is_some();
        let mut row = vec![
            Cell::Text(it.lock.clone()),
            Cell::Count(it.lock_id.into()),
            Cell::text(it.lock_kind),
        ];
        row.extend(participant_cells(Some(&it.waiter)));
        row.extend(participant_cells(Some(&it.holder)));
        row.extend([
            Cell::Count(it.count),
            Cell::Ns(it.total_ns),
            Cell::Ns(it.max_ns),
            Cell::At(it.max_at_ns),
            Cell::Ns(it.holder_ran_ns),
        ]);
        row.extend(participant_cells(it.between.as_ref()));
        let other = |ns| Cell::ns(Some(ns).filter(|_| has_other));
        row.extend([other(it.between_ns), other(it.others_ns)]);
        row.extend([some(it.open_ns.is_some().into()), Cell::ns(it.open_ns), some(it.cut)]);
        row
    };
    let title = "Priority inversions: who waited, who held the mutex, who ran in the longest";
    Table { rows: stats.inversions().map(row).collect(), ..table("inversions", title, &columns) }
}
