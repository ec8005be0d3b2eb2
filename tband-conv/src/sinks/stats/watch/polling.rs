//! Tasks that poll an empty queue repeatedly without waiting.

use super::locks::named;
use super::{LockRef, MAX_KEPT, Map, Observation};
use crate::model::{TaskRef, World};

/// Attempts in [`WINDOW`] that are polling.
const LEAST: u64 = 100;
/// The time in which they are counted, in ns.
const WINDOW: i64 = 100_000_000;
/// The CPU time that they take in it, as a divisor of the window.
const SHARE: i64 = 20;
/// Pairs of a task and a queue that are followed.
const MAX_FOLLOWED: usize = 1024;

#[derive(Clone, Copy, Debug)]
struct Attempts {
    since: i64,
    count: u64,
    run: i64,
}

#[derive(Clone, Copy, Debug)]
struct PollingTask {
    task: TaskRef,
    queue: LockRef,
    at: i64,
    count: u64,
    length: i64,
    run: i64,
}

/// Attempts of each task at each queue.
#[derive(Clone, Debug, Default)]
pub struct Polling {
    open: Map<(TaskRef, LockRef), Attempts>,
    found: Vec<PollingTask>,
}

impl Polling {
    pub fn reset(&mut self) {
        self.open.clear();
    }

    /// A task has found no item, and did not wait for one before. `run` is its CPU time so far.
    pub fn add_failure(&mut self, ns: i64, task: TaskRef, queue: LockRef, run: i64) {
        let key = (task, queue);
        if self.open.len() >= MAX_FOLLOWED && !self.open.contains_key(&key) {
            return;
        }
        let begins = Attempts { since: ns, count: 0, run };
        let open = self.open.entry(key).or_insert(begins);
        let length = ns.saturating_sub(open.since);
        if length > WINDOW {
            *open = begins;
        }
        open.count = open.count.saturating_add(1);
        let run = run.saturating_sub(open.run);
        if open.count < LEAST || run < WINDOW / SHARE {
            return;
        }
        let (at, count) = (open.since, open.count);
        let found = PollingTask { task, queue, at, count, length, run };
        let has_room = self.found.len() < MAX_KEPT;
        match self.found.iter_mut().find(|it| (it.task, it.queue) == (task, queue)) {
            Some(known) if known.at == at || known.count < count => *known = found,
            Some(_) => {}
            None if has_room => self.found.push(found),
            None => {}
        }
    }

    pub fn close(self, world: &World, done: &mut Vec<Observation>) {
        done.extend(self.found.into_iter().map(|it| Observation::BusyPolling {
            task: named(world, it.task),
            queue: world.queue_name(it.queue).to_string(),
            at_ns: it.at,
            attempts: it.count,
            length_ns: it.length,
            run_ns: it.run,
        }));
    }
}
