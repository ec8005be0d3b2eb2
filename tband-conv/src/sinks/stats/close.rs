//! The end of the recording: what goes on is closed, everything gets its name.

use super::queue::MutexStats;
use super::task::Cause;
use super::{Stats, grow};
use crate::timeline::{Label, Scope, TaskState, World};

impl Stats {
    /// Closes waits that go on and gives everything its name.
    pub(super) fn close(&mut self, world: &World, end: i64) {
        self.end = end;
        let origin = self.start_ns();
        for (task, known) in world.tasks.iter() {
            let Some(stats) = grow(&mut self.tasks, task.index()) else { continue };
            match known.state {
                TaskState::Blocked(wait) => drop(stats.was_away(end, Cause::Wait(wait))),
                TaskState::Suspended => drop(stats.was_away(end, Cause::Suspended)),
                _ => {}
            }
            (stats.id, stats.name) = (known.id, world.task_name(task).to_string());
            (stats.is_idle, stats.priority) = (known.idle_of.is_some(), known.priority);
            let causes = std::mem::take(&mut stats.causes);
            stats.blocked = causes.into_stats(|cause| match cause {
                Cause::Wait(wait) => world.describe_wait(wait),
                Cause::Suspended => "suspended".to_owned(),
                Cause::Further => "(further causes)".to_owned(),
            });
        }
        for (queue, known) in world.queues.iter() {
            let name = || world.queue_name(queue).to_string();
            if let Some(stats) = grow(&mut self.queues, queue.index()) {
                (stats.id, stats.name) = (known.id, name());
                stats.kind = known.kind.and_then(tband_format::QueueKind::name);
                stats.finish(end);
            }
            if let Some(mutex) = self.mutexes.get_mut(queue.index()) {
                (mutex.id, mutex.name) = (known.id, name());
                mutex.finish(end, |task| world.task_name(task).to_string());
            }
        }
        self.mutexes.retain(MutexStats::is_used);
        self.close_cores(world, origin, end);
        self.close_markers(world);
        self.objects.close(world);
    }

    fn close_cores(&mut self, world: &World, origin: i64, end: i64) {
        // One that has markers only, or the like, has had no clock so far.
        if let Some(last) = world.cores.last() {
            grow(&mut self.clocks, *last as usize);
        }
        for (core, mut clock) in (0_u32..).zip(std::mem::take(&mut self.clocks)) {
            clock.stats.core = core;
            clock.finish(origin, end);
            for ((isr, known), mut stats) in world.isrs.iter().zip(clock.isrs) {
                if stats.count > 0 {
                    (stats.id, stats.core) = (known.id, clock.stats.core);
                    stats.name = world.isr_name(isr, stats.core).to_string();
                    self.isrs.push(stats);
                }
            }
            // Numbers that no event has have no time of their own.
            if world.cores.contains(&core) {
                self.cores.push(clock.stats);
            }
        }
    }

    fn close_markers(&mut self, world: &World) {
        let owner = |scope| match scope {
            Scope::Global => None,
            Scope::Task(id) => Some(Label::of("task", id, world.name_of_task(id)).to_string()),
            Scope::UnknownTask => Some("(not known)".to_owned()),
        };
        for (marker, known) in world.markers.iter() {
            let Some(stats) = grow(&mut self.markers, marker.index()) else { continue };
            (stats.id, stats.task) = (known.id, owner(known.scope));
            stats.name = world.marker_name(marker).to_string();
            stats.open = stats.begins.len();
        }
        for (value, known) in world.values.iter() {
            let Some(stats) = grow(&mut self.values, value.index()) else { continue };
            (stats.id, stats.task) = (known.id, owner(known.scope));
            stats.name = world.value_name(value).to_string();
        }
    }
}
