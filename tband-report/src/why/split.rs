//! The split of an activation as rows: the uses of its time, longest first; waits for a lock with the activity of its holder.

use std::sync::Arc;

use tband_conv::activations::{Activation, Link, Occupant, PartKind, Path, Reason};
use tband_conv::model::{QueueRef, TaskRef, World};

/// One line of a split.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// How long, in ns.
    pub ns: i64,
    /// The use of the time, as text.
    pub text: String,
    /// The sum that it counts for.
    pub kind: PartKind,
    /// It is part of the wait for a lock above it.
    pub is_detail: bool,
    /// It counts as priority inversion.
    pub is_inverted: bool,
    /// Names of other tasks that it is about.
    pub tasks: Vec<String>,
    /// For a wait for a lock: the lock is a binary semaphore.
    pub is_semaphore: bool,
    /// For a wait for a lock: its name.
    pub lock: Option<String>,
}

/// The rows of an activation.
pub fn rows(world: &World, it: &Activation) -> Vec<Row> {
    let mut groups: Vec<(i64, Vec<Row>)> = Vec::new();
    let mut locks: Vec<QueueRef> = Vec::new();
    for (path, _) in &it.split {
        let Some(link) = path.locks.first() else { continue };
        if !locks.contains(&link.lock) {
            locks.push(link.lock);
        }
    }
    for lock in locks {
        let of_lock = it
            .split
            .iter()
            .filter(|(path, _)| path.locks.first().is_some_and(|link| link.lock == lock));
        groups.push(lock_rows(world, lock, of_lock));
    }
    for (path, ns) in it.split.iter().filter(|(path, _)| path.locks.is_empty()) {
        groups.push((*ns, vec![plain(world, path, *ns, None)]));
    }
    for kind in PartKind::ALL {
        let ns = it.others[kind as usize];
        if ns > 0 {
            let text = format!("{} for further reasons", kind.name());
            groups.push((ns, vec![row(ns, text, kind)]));
        }
    }
    groups.sort_by_key(|(ns, _)| std::cmp::Reverse(*ns));
    groups.into_iter().flat_map(|(_, rows)| rows).collect()
}

fn row(ns: i64, text: String, kind: PartKind) -> Row {
    Row {
        ns,
        text,
        kind,
        is_detail: false,
        is_inverted: false,
        tasks: Vec::new(),
        is_semaphore: false,
        lock: None,
    }
}

/// Returns the rows of a wait for one lock, with the activities of its last holder.
fn lock_rows<'a>(
    world: &World,
    lock: QueueRef,
    paths: impl Iterator<Item = &'a (Arc<Path>, i64)>,
) -> (i64, Vec<Row>) {
    let (mut total, mut holders, mut details) = (0_i64, Vec::<(TaskRef, i64)>::new(), Vec::new());
    for (path, ns) in paths {
        total = total.saturating_add(*ns);
        if let Some(holder) = path.locks.first().and_then(|link| link.holder) {
            match holders.iter_mut().find(|(known, _)| *known == holder) {
                Some((_, held)) => *held = held.saturating_add(*ns),
                None => holders.push((holder, *ns)),
            }
        }
        let last = path.locks.last().and_then(|link| link.holder);
        let mut detail = plain(world, path, *ns, last);
        if let Some(further) = further(world, &path.locks) {
            detail.text = format!("{further}: {}", detail.text);
        }
        detail.is_detail = true;
        details.push(detail);
    }
    holders.sort_by_key(|(_, ns)| std::cmp::Reverse(*ns));
    details.sort_by_key(|detail| std::cmp::Reverse(detail.ns));
    let names: Vec<_> = holders.iter().map(|(holder, _)| task(world, *holder)).collect();
    let name = world.queue_name(lock).to_string();
    let text = match names.as_slice() {
        [] => format!("waited for {name}"),
        names => format!("waited for {name}, held by {}", names.join(" and ")),
    };
    let queue = world.queues.get(lock);
    let head = Row {
        tasks: holders.iter().map(|(holder, _)| world.task_name(*holder).to_string()).collect(),
        is_semaphore: queue.is_some_and(|queue| !queue.is_mutex()),
        is_inverted: details.iter().any(|detail| detail.is_inverted),
        lock: Some(name),
        ..row(total, text, PartKind::Locked)
    };
    details.insert(0, head);
    (total, details)
}

/// Returns the locks that the holder of the first one waits for in turn.
fn further(world: &World, locks: &[Link]) -> Option<String> {
    let mut text = None;
    for pair in locks.windows(2) {
        let [before, link] = pair else { continue };
        let waiter = before.holder.map_or_else(String::new, |it| world.task_name(it).to_string());
        let holder = match link.holder {
            Some(holder) => format!(", held by {}", world.task_name(holder)),
            None => String::new(),
        };
        let one = format!("{waiter} waited for {}{holder}", world.queue_name(link.lock));
        text = Some(text.map_or(one.clone(), |text: String| format!("{text}, {one}")));
    }
    text
}

/// Returns the use of the time, as a sentence about the subject or the holder of a lock.
fn plain(world: &World, path: &Path, ns: i64, holder: Option<TaskRef>) -> Row {
    let who = holder.map(|holder| world.task_name(holder).to_string());
    let occupants = |list: &[Occupant]| {
        list.iter().map(|it| occupant(world, *it)).collect::<Vec<_>>().join(", ")
    };
    let text = match (&path.reason, &who) {
        (Reason::Own, Some(who)) => format!("{who} worked"),
        (Reason::Own, None) => "own work".to_owned(),
        (Reason::Backlog, _) => "backlog: busy with the previous activation".to_owned(),
        (Reason::Unknown, None) => "not known: events are missing".to_owned(),
        (Reason::Unknown, Some(who)) => format!("not known what {who} did"),
        (Reason::Preempted(by), who) => subject(who, format!("preempted by {}", occupants(by))),
        (Reason::Shares(by), who) => {
            subject(who, format!("ready while {} ran, equally urgent", occupants(by)))
        }
        (Reason::Pushed(by), who) => {
            subject(who, format!("ready while {} ran with an inherited priority", occupants(by)))
        }
        (Reason::HeldOff(by), who) => subject(who, format!("held off by {}", occupants(by))),
        (Reason::Deadlock, _) => "deadlock: the locks form a cycle".to_owned(),
        (Reason::Waits(wait), Some(who)) => {
            format!("{who} waited for {}", world.describe_wait(*wait))
        }
        (Reason::Room(..) | Reason::BufferRoom(..), who) => {
            subject_waits(who, path.reason.describe(world))
        }
        (Reason::Suspended(_), who) => subject(who, path.reason.describe(world)),
        (reason, _) => reason.describe(world),
    };
    let tasks = match &path.reason {
        Reason::Preempted(by) | Reason::Shares(by) | Reason::Pushed(by) | Reason::HeldOff(by) => {
            let is_task = |it: &&Occupant| matches!(it, Occupant::Task(_));
            by.iter().filter(is_task).map(|it| it.name(world)).collect()
        }
        _ => Vec::new(),
    };
    Row { is_inverted: path.is_inverted, tasks, ..row(ns, text, path.kind()) }
}

fn subject(who: &Option<String>, text: String) -> String {
    match who {
        Some(who) => format!("{who} was {text}"),
        None => text,
    }
}

fn subject_waits(who: &Option<String>, text: String) -> String {
    match who {
        Some(who) => format!("{who} waited for {text}"),
        None => format!("waited for {text}"),
    }
}

fn occupant(world: &World, it: Occupant) -> String {
    match it {
        Occupant::Task(of) => task(world, of),
        Occupant::Isr(..) => it.name(world),
    }
}

/// A task with its priority.
fn task(world: &World, of: TaskRef) -> String {
    let name = world.task_name(of);
    match world.tasks.get(of).and_then(|task| task.priority) {
        Some(priority) => format!("{name} (priority {priority})"),
        None => name.to_string(),
    }
}
