//! The end of the recording: closes open items, and gives everything its name.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::lock::LockStats;
use super::runs::{Identity, Rows};
use super::spread::End;
use super::task::{Cause, FURTHER};
use super::{MarkerStats, Participant, QueueStats, Stats, TaskStats, ValueStats};
use crate::load::is_idle_task_known;
use crate::model::{Marker, Scope, Task, TaskRef, TaskState, World};

impl Stats {
    /// Closes open waits and gives everything its name.
    pub(super) fn close(&mut self, world: &World, end: i64) {
        self.end = end;
        let origin = self.start_ns();
        self.trace_info = world.trace_info;
        self.close_watch(world, end);
        self.close_states(world, end);
        let partly_ns = self.known.partly_ns(end);
        let known_ns = self.length_ns().saturating_sub(self.known.finish(end));
        let tasks = self.close_tasks(world, partly_ns, known_ns);
        let queues = self.close_queues(world, end);
        self.close_locks(world, &tasks, &queues);
        self.close_inversions(world, &tasks, &queues);
        self.locks = std::mem::take(&mut self.may_be_locks).into_values();
        self.locks.retain(LockStats::is_used_lock);
        self.close_cores(world, origin, end);
        self.between.close(&world.clocks);
        self.close_markers(world, end, &tasks);
        self.objects.close(world, end);
        self.close_periods();
    }

    /// Returns the row of each task. `known_ns` is the time in which at least one core's owner is known, `partly_ns` that in
    /// which not all are.
    fn close_tasks(&mut self, world: &World, partly_ns: i64, known_ns: i64) -> Rows {
        for (task, known) in world.tasks.iter() {
            let stats = self.tasks.entry(task);
            (stats.id, stats.name) = (known.id, world.task_name(task).to_string());
            (stats.is_idle, stats.runs) = (known.idle_of.is_some(), 1);
            let board = world.tasks.board_of(task);
            stats.priority = known.priority.or(stats.reported_priority);
            (stats.state, stats.life) = (known.state, known.life);
            let is_over = known.life.run < world.run_of_board(board);
            if known.state == TaskState::Unknown && !is_over {
                stats.start_known(partly_ns);
            }
            // It was on no core before its run.
            let before_ns = self.partly_before.get(&(board, known.life.run)).copied().unwrap_or(0);
            stats.unsure_ns = stats.unsure_ns.saturating_sub(before_ns).max(0);
            let causes = std::mem::take(&mut stats.causes);
            stats.blocked = causes.into_stats(|cause| match cause {
                Cause::Wait(wait) => world.describe_wait(wait),
                Cause::Suspended => "suspended".to_owned(),
                Cause::Further => FURTHER.to_owned(),
            });
        }
        let kind = |task: &Task| (task.idle_of, task.is_timer);
        let all = world.tasks.iter();
        let rows =
            Rows::new(all.map(|(_, it)| Identity::new(it.name.as_ref(), kind(it), it.id, it.life)));
        rows.join_all(&mut self.tasks, TaskStats::join);
        for stats in self.tasks.iter_mut() {
            stats.known_ns = known_ns.saturating_sub(stats.unsure_ns).max(stats.run_ns);
        }
        rows
    }

    /// Returns the row of each queue.
    fn close_queues(&mut self, world: &World, end: i64) -> Rows {
        for (queue, known) in world.queues.iter() {
            let kind = known.kind.and_then(tband_format::named::QueueKind::name);
            let stats = self.queues.entry(queue);
            (stats.id, stats.name, stats.kind) =
                (known.id, world.queue_name(queue).to_string(), kind);
            (stats.life, stats.runs) = (known.life, 1);
            stats.finish(end);
            let lock = self.may_be_locks.entry(queue);
            (lock.id, lock.name, lock.kind) = (stats.id, stats.name.clone(), kind);
            (lock.is_mutex, lock.runs) = (lock.is_mutex || known.is_mutex(), 1);
            let died = |task| world.tasks.get(task).and_then(|task| task.life.died_ns);
            lock.end_waits(end, End::Open, died);
            lock.finish(end);
        }
        let all = world.queues.iter();
        let rows =
            Rows::new(all.map(|(_, it)| Identity::new(it.name.as_ref(), it.kind, it.id, it.life)));
        rows.join_all(&mut self.queues, QueueStats::join);
        rows
    }

    fn close_locks(&mut self, world: &World, tasks: &Rows, queues: &Rows) {
        let row = |task: TaskRef| tasks.row(task.index());
        queues.join_all(&mut self.may_be_locks, |lock, later| lock.join(later, row));
        for lock in self.may_be_locks.iter_mut() {
            lock.name_holders(|task| world.task_name(task).to_string());
        }
    }

    /// Returns a task by name, with its name and priority at the end.
    pub(super) fn participant(&self, world: &World, task: TaskRef) -> Participant {
        let known = world.tasks.get(task);
        Participant {
            name: world.task_name(task).to_string(),
            id: known.map_or(0, |known| known.id),
            priority: known.and_then(|known| known.priority),
        }
    }

    fn close_inversions(&mut self, world: &World, tasks: &Rows, queues: &Rows) {
        let mut known = HashMap::new();
        for mut done in std::mem::take(&mut self.inversions.done) {
            let lock_row = queues.row(done.kind.lock.index());
            let Some(lock) = self.may_be_locks.iter().as_slice().get(lock_row) else { continue };
            if !lock.is_used_lock() {
                continue;
            }
            let is_idle = |task| world.tasks.get(task).is_some_and(|it| it.idle_of.is_some());
            done.finish(|task| (self.participant(world, task), is_idle(task)));
            let mut stats = done.stats;
            (stats.lock, stats.lock_id, stats.lock_kind) = (lock.name.clone(), lock.id, lock.kind);
            let party =
                |(task, priority)| Participant { priority, ..self.participant(world, task) };
            (stats.waiter, stats.holder) = (party(done.kind.waiter), party(done.kind.holder));
            let whose = |(task, priority): (TaskRef, _)| (tasks.row(task.index()), priority);
            let key = (lock_row, whose(done.kind.waiter), whose(done.kind.holder));
            let row = *known.entry(key).or_insert(self.inverted.len());
            match self.inverted.get_mut(row) {
                Some(known) => known.join(stats),
                None => self.inverted.push(stats),
            }
        }
        self.inverted.sort_by_key(|stats| Reverse(stats.max_ns));
    }

    fn close_cores(&mut self, world: &World, origin: i64, end: i64) {
        // One that has markers only, or the like, has had no clock so far.
        if let Some(last) = world.cores.last() {
            self.clocks.entry(*last);
        }
        for (core, mut clock) in (0_u32..).zip(std::mem::take(&mut self.clocks).into_values()) {
            clock.stats.core = core;
            clock.stats.is_idle_task_known = is_idle_task_known(world, core);
            clock.finish(origin, end);
            let mut rows = HashMap::new();
            for ((isr, known), stats) in world.isrs.iter().zip(clock.isrs.iter_mut()) {
                if stats.count > 0 {
                    (stats.id, stats.core) = (known.id, clock.stats.core);
                    stats.recorded_ns = clock.stats.recorded_ns;
                    stats.name = world.isr_name(isr, stats.core).to_string();
                    let stats = std::mem::take(stats);
                    // Without a name it may be another one in each run.
                    let name = known.name_on(core);
                    let row =
                        name.map(|name| rows.entry((known.id, name)).or_insert(self.isrs.len()));
                    match row.and_then(|row| self.isrs.get_mut(*row)) {
                        Some(known) => known.join(stats),
                        None => self.isrs.push(stats),
                    }
                }
            }
            // Core numbers without an event have no separate time.
            if world.cores.contains(&core) {
                self.cores.push(clock.stats);
            }
        }
    }

    fn close_markers(&mut self, world: &World, end: i64, tasks: &Rows) {
        let owner = |scope| match scope {
            Scope::Global => None,
            Scope::Task(task) => Some(world.task_name(task).to_string()),
            Scope::UnknownTask => Some("(not known)".to_owned()),
        };
        for (marker, known) in world.markers.iter() {
            let stats = self.markers.entry(marker);
            (stats.id, stats.task) = (known.id, owner(known.scope));
            stats.name = world.marker_name(marker).to_string();
            stats.finish(end);
        }
        for (value, known) in world.values.iter() {
            let stats = self.values.entry(value);
            (stats.id, stats.task) = (known.id, owner(known.scope));
            stats.name = world.value_name(value).to_string();
        }
        let rows = Rows::new(world.markers.iter().map(|(_, it)| identity_of(it, tasks)));
        rows.join_all(&mut self.markers, MarkerStats::join);
        let rows = Rows::new(world.values.iter().map(|(_, it)| identity_of(it, tasks)));
        rows.join_all(&mut self.values, ValueStats::join);
    }
}

/// A marker is the same one in another run if its task, its name and its number agree.
fn identity_of<'w>(marker: &'w Marker, tasks: &Rows) -> Identity<'w, (Option<usize>, u32)> {
    let task = match marker.scope {
        Scope::Global => None,
        Scope::UnknownTask => Some(usize::MAX),
        Scope::Task(task) => Some(tasks.row(task.index())),
    };
    let kind = (task, marker.id);
    Identity { name: marker.name.as_deref(), kind, id: marker.id, run: marker.run }
}
