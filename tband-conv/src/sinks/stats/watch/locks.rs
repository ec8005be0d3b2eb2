//! Locks: deadlocks, orders of taking, and holders that wait for another object.

use super::{LockRef, MAX_KEPT, Map, ObjectName, Observation, Order, is_for_work};
use crate::model::{TaskRef, TaskState, Wait, World};

/// Maximum number of pairs of locks with a kept order.
const MAX_PAIRS: usize = 4096;
/// Tasks of a pair.
const MAX_TASKS: usize = 16;
/// Tasks that wait for each other.
const MAX_CYCLE: usize = 32;
/// Maximum number of locks that a task holds.
const MAX_HELD: usize = 32;

/// A task took a lock while it held another one.
#[derive(Clone, Debug)]
struct NestedTake {
    task: TaskRef,
    at: i64,
    /// Other locks that it held each time.
    gates: Vec<LockRef>,
}

#[derive(Clone, Debug)]
struct Cycle {
    waits: Vec<(TaskRef, LockRef)>,
    at: i64,
    until: Option<i64>,
}

#[derive(Clone, Debug)]
struct HeldLock {
    holder: TaskRef,
    lock: LockRef,
    wait: Wait,
    waiter: TaskRef,
    at: i64,
    count: u64,
}

/// Holders and waiters.
#[derive(Clone, Debug, Default)]
pub struct Locks {
    holders: Map<LockRef, TaskRef>,
    held: Map<TaskRef, Vec<LockRef>>,
    waits: Map<TaskRef, (LockRef, i64)>,
    pairs: Map<(LockRef, LockRef), Vec<NestedTake>>,
    cycles: Vec<Cycle>,
    holding: Vec<HeldLock>,
}

impl Locks {
    /// Whether a task holds a lock, or waits for one: changes of its state count.
    #[inline]
    pub fn is_in_use(&self) -> bool {
        !self.holders.is_empty() || !self.waits.is_empty()
    }

    pub fn reset(&mut self) {
        self.holders.clear();
        self.held.clear();
        self.waits.clear();
    }

    pub fn take(&mut self, ns: i64, lock: LockRef, task: Option<TaskRef>) {
        self.give(lock);
        let Some(task) = task else { return };
        self.waits.remove(&task);
        let held = self.held.entry(task).or_default();
        for other in held.iter() {
            let pair = (*other, lock);
            if self.pairs.len() >= MAX_PAIRS && !self.pairs.contains_key(&pair) {
                continue;
            }
            let taken = self.pairs.entry(pair).or_default();
            let gates = held.iter().copied().filter(|gate| gate != other);
            let has_room = taken.len() < MAX_TASKS;
            match taken.iter_mut().find(|it| it.task == task) {
                // One time without a gate is enough.
                Some(known) => known.gates.retain(|gate| held.contains(gate)),
                None if has_room => {
                    taken.push(NestedTake { task, at: ns, gates: gates.collect() });
                }
                None => {}
            }
        }
        if held.len() < MAX_HELD {
            held.push(lock);
            self.holders.insert(lock, task);
        }
    }

    pub fn give(&mut self, lock: LockRef) {
        if let Some(holder) = self.holders.remove(&lock)
            && let Some(held) = self.held.get_mut(&holder)
        {
            held.retain(|it| *it != lock);
        }
    }

    /// A task waits for a lock that another one may hold.
    pub fn wait_for_lock(
        &mut self,
        world: &World,
        ns: i64,
        task: TaskRef,
        lock: LockRef,
        holder: TaskRef,
    ) {
        self.waits.insert(task, (lock, ns));
        let mut cycle = vec![(task, lock)];
        let mut next = holder;
        while cycle.len() <= MAX_CYCLE {
            if next == task {
                if self.cycles.len() < MAX_KEPT {
                    self.cycles.push(Cycle { waits: cycle, at: ns, until: None });
                }
                return;
            }
            let Some((lock, _)) = self.waits.get(&next) else { break };
            cycle.push((next, *lock));
            let Some(holder) = self.holders.get(lock) else { break };
            next = *holder;
        }
        if let Some(TaskState::Blocked(wait)) = world.tasks.get(holder).map(|it| it.state)
            && !self.waits.contains_key(&holder)
        {
            self.is_holding((holder, lock, wait), task, ns);
        }
    }

    /// A task waits for an object other than a lock.
    pub fn wait_for_work(&mut self, ns: i64, task: TaskRef, wait: Wait) {
        let Some(held) = self.held.get(&task).filter(|held| !held.is_empty()) else { return };
        let first = |(_, (lock, since)): &(&TaskRef, &(LockRef, i64))| (*since, lock.index());
        let waiting = self.waits.iter().filter(|(_, (lock, _))| held.contains(lock));
        if let Some((waiter, (lock, _))) = waiting.min_by_key(first) {
            let (waiter, lock) = (*waiter, *lock);
            self.is_holding((task, lock, wait), waiter, ns);
        }
    }

    fn is_holding(&mut self, what: (TaskRef, LockRef, Wait), waiter: TaskRef, at: i64) {
        let (holder, lock, wait) = what;
        if !is_for_work(wait) {
            return;
        }
        let has_room = self.holding.len() < MAX_KEPT;
        match self.holding.iter_mut().find(|it| (it.holder, it.lock) == (holder, lock)) {
            Some(known) => known.count = known.count.saturating_add(1),
            None if has_room => {
                self.holding.push(HeldLock { holder, lock, wait, waiter, at, count: 1 });
            }
            None => {}
        }
    }

    /// A task does not wait any more.
    pub fn wake(&mut self, ns: i64, task: TaskRef) {
        if self.waits.remove(&task).is_none() {
            return;
        }
        let open = self.cycles.iter_mut().filter(|it| it.until.is_none());
        for cycle in open.filter(|it| it.waits.iter().any(|(waiter, _)| *waiter == task)) {
            cycle.until = Some(ns);
        }
    }

    /// Reports the observations about queues that are locks.
    pub fn close(
        self,
        world: &World,
        is_lock: impl Fn(LockRef) -> bool,
        done: &mut Vec<Observation>,
    ) {
        let lock_name = |lock: LockRef| world.queue_name(lock).to_string();
        for Cycle { waits, at, until } in self.cycles {
            if waits.iter().all(|(_, lock)| is_lock(*lock)) {
                let waits =
                    waits.iter().map(|(task, lock)| (named(world, *task), lock_name(*lock)));
                done.push(Observation::Deadlock {
                    waits: waits.collect(),
                    at_ns: at,
                    until_ns: until,
                });
            }
        }
        let mut orders = Vec::new();
        for ((one, other), taken) in &self.pairs {
            if one.index() > other.index() || !is_lock(*one) || !is_lock(*other) {
                continue;
            }
            let Some(reverse) = self.pairs.get(&(*other, *one)) else { continue };
            let pairs = taken.iter().flat_map(|first| reverse.iter().map(move |it| (first, it)));
            let no_gate = |(first, second): &(&NestedTake, &NestedTake)| {
                first.task != second.task
                    && !first.gates.iter().any(|it| is_lock(*it) && second.gates.contains(it))
            };
            if let Some((first, second)) =
                pairs.filter(no_gate).min_by_key(|it| it.0.at.max(it.1.at))
            {
                orders.push(((*one, *other), first.clone(), second.clone()));
            }
        }
        orders.sort_by_key(|(locks, first, second)| {
            (first.at.max(second.at), locks.0.index(), locks.1.index())
        });
        let order = |taken: &NestedTake| Order { task: named(world, taken.task), at_ns: taken.at };
        for (locks, first, second) in orders.iter().take(MAX_KEPT) {
            let locks = [locks.0, locks.1].map(lock_name);
            let (first, second) = (order(first), order(second));
            done.push(Observation::LockOrder { locks, first, second });
        }
        for it in self.holding.into_iter().filter(|it| is_lock(it.lock)) {
            if let Wait::Receive(queue) | Wait::Peek(queue) = it.wait
                && is_lock(queue)
            {
                continue;
            }
            done.push(Observation::HeldWhileWaiting {
                holder: named(world, it.holder),
                lock: lock_name(it.lock),
                wait: world.describe_wait(it.wait),
                waiter: named(world, it.waiter),
                at_ns: it.at,
                count: it.count,
            });
        }
    }
}

/// A task by name and number.
pub fn named(world: &World, task: TaskRef) -> ObjectName {
    let id = world.tasks.get(task).map_or(0, |it| it.id);
    ObjectName { name: world.task_name(task).to_string(), id }
}
