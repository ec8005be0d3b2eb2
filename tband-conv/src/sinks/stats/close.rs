//! The end of the recording: what goes on is closed, everything gets its name.

use std::cmp::Reverse;

use super::lock::LockStats;
use super::spread::End;
use super::task::Cause;
use super::{Party, Stats};
use crate::load::is_idle_task_known;
use crate::model::{Scope, TaskRef, TaskState, World};

impl Stats {
    /// Closes waits that go on and gives everything its name.
    pub(super) fn close(&mut self, world: &World, end: i64) {
        self.end = end;
        let origin = self.start_ns();
        self.trace_info = world.trace_info;
        self.close_states(world, end);
        let partly_ns = self.known.partly_ns(end);
        let known_ns = self.length_ns().saturating_sub(self.known.finish(end));
        for (task, known) in world.tasks.iter() {
            let stats = self.tasks.entry(task);
            (stats.id, stats.name) = (known.id, world.task_name(task).to_string());
            stats.is_idle = known.idle_of.is_some();
            stats.priority = known.priority.or(stats.reported_priority);
            (stats.state, stats.life) = (known.state, known.life);
            if known.state == TaskState::Unknown {
                stats.becomes_known(partly_ns);
            }
            stats.known_ns = known_ns.saturating_sub(stats.unsure_ns).max(stats.run_ns);
            let causes = std::mem::take(&mut stats.causes);
            stats.blocked = causes.into_stats(|cause| match cause {
                Cause::Wait(wait) => world.describe_wait(wait),
                Cause::Suspended => "suspended".to_owned(),
                Cause::Further => "(further causes)".to_owned(),
            });
        }
        for (queue, known) in world.queues.iter() {
            let name = || world.queue_name(queue).to_string();
            let kind = known.kind.and_then(tband_format::QueueKind::name);
            let stats = self.queues.entry(queue);
            (stats.id, stats.name, stats.kind) = (known.id, name(), kind);
            stats.life = known.life;
            stats.finish(end);
            if let Some(lock) = self.may_be_locks.get_mut(queue) {
                (lock.id, lock.name, lock.kind) = (known.id, name(), kind);
                lock.is_mutex |= known.is_mutex();
                let died = |task| world.tasks.get(task).and_then(|task| task.life.died_ns);
                lock.end_waits(end, End::Open, died);
                lock.finish(end, |task| world.task_name(task).to_string());
            }
        }
        self.close_inversions(world);
        let locks = std::mem::take(&mut self.may_be_locks).into_values().into_iter();
        self.locks = locks.filter(LockStats::is_used_lock).collect();
        self.close_cores(world, origin, end);
        self.between.close(&world.clocks);
        self.close_markers(world, end);
        self.objects.close(world, end);
    }

    /// A task by name; what it is called and how urgent it is at the end.
    pub(super) fn party(&self, world: &World, task: TaskRef) -> Party {
        let known = world.tasks.get(task);
        Party {
            name: world.task_name(task).to_string(),
            id: known.map_or(0, |known| known.id),
            priority: known.and_then(|known| known.priority),
        }
    }

    fn close_inversions(&mut self, world: &World) {
        for mut done in std::mem::take(&mut self.inversions.done) {
            let Some(lock) = self.may_be_locks.get(done.kind.lock) else { continue };
            if !lock.is_used_lock() {
                continue;
            }
            let is_idle = |task| world.tasks.get(task).is_some_and(|it| it.idle_of.is_some());
            done.finish(|task| (self.party(world, task), is_idle(task)));
            let mut stats = done.stats;
            (stats.lock, stats.lock_id, stats.lock_kind) = (lock.name.clone(), lock.id, lock.kind);
            let party = |(task, priority)| Party { priority, ..self.party(world, task) };
            (stats.waiter, stats.holder) = (party(done.kind.waiter), party(done.kind.holder));
            self.inverted.push(stats);
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
            for ((isr, known), stats) in world.isrs.iter().zip(clock.isrs.iter_mut()) {
                if stats.count > 0 {
                    (stats.id, stats.core) = (known.id, clock.stats.core);
                    stats.recorded_ns = clock.stats.recorded_ns;
                    stats.name = world.isr_name(isr, stats.core).to_string();
                    self.isrs.push(std::mem::take(stats));
                }
            }
            // Numbers that no event has have no time of their own.
            if world.cores.contains(&core) {
                self.cores.push(clock.stats);
            }
        }
    }

    fn close_markers(&mut self, world: &World, end: i64) {
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
    }
}
