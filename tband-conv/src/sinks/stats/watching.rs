//! Passes changes on to the watch for mistakes of the program, and collects its observations.

use super::Stats;
use super::states::queue_of;
use super::watch::locks_named as named;
use super::watch::{ObjectName, Observation, PeriodStats, Watch};
use crate::model::{QueueRef, TaskRef, TaskState, Wait, World};

/// A task that is ready for less than this part of the recording does not starve, as a divisor.
const STARVED_SHARE: i64 = 5;

impl Stats {
    /// A task waits until a tick, or for something while locks are in use.
    #[inline(never)]
    pub(super) fn watch_wait(&mut self, world: &World, ns: i64, task: TaskRef, wait: Wait) {
        let known = world.tasks.get(task);
        if let Wait::DelayUntil = wait
            && let Some(known) = known.filter(|it| !it.is_timer)
        {
            self.watch.ticks.delay(ns, task, known.terms.delay);
        }
        let is_for_lock =
            matches!(wait, Wait::Receive(_)) && queue_of(wait).is_some_and(|it| self.is_lock(it));
        if !is_for_lock {
            self.watch.locks.wait_for_work(ns, task, wait);
        }
    }

    /// A task has found no item in a queue.
    pub(super) fn note_empty_poll(&mut self, ns: i64, task: TaskRef, queue: QueueRef) {
        let Some(stats) = self.tasks.get_mut(task) else { return };
        // It gave up at the end of a wait.
        if stats.waited_on.take_if(|it| *it == queue).is_some() {
            return;
        }
        let running = self.clocks.iter().find(|clock| clock.running == Some(task));
        let own = running.map_or(0, |clock| clock.time.spent(ns).own_ns());
        let run = stats.run_ns.wrapping_add(own);
        self.watch.polling.add_failure(ns, task, queue, run);
    }

    /// Mistakes that are open at the end of the recording, and all of them by name. Locks have to be known as such.
    pub(super) fn close_watch(&mut self, world: &World, end: i64) {
        let mut watch = std::mem::take(&mut self.watch);
        let running = world.tasks.iter().filter_map(|(task, it)| match it.state {
            TaskState::Running(_) => Some(task),
            _ => None,
        });
        let most_urgent =
            running.max_by_key(|task| world.tasks.get(*task).and_then(|it| it.priority));
        for (task, known) in world.tasks.iter() {
            let Some(stats) = self.tasks.get(task) else { continue };
            match known.state {
                TaskState::Running(_) => watch.check_awake(world, end, task, stats),
                TaskState::Ready => {
                    watch.check_awake(world, end, task, stats);
                    if let Some(by) = most_urgent
                        && end.saturating_sub(stats.since) >= super::watch::LONG_NS
                    {
                        watch.check_starved(world, (stats.since, end), task, by, true);
                    }
                }
                _ => {}
            }
        }
        self.observe(world, end, watch);
    }

    /// Releases may be missing here.
    pub(super) fn restart_releases(&mut self) {
        self.tasks.iter_mut().for_each(|task| task.releases.restart());
        let isrs = self.clocks.iter_mut().flat_map(|clock| clock.isrs.iter_mut());
        isrs.for_each(|isr| isr.releases.restart());
    }

    /// Adds the periods that steps between releases have, of tasks and interrupts that have no other one. Tasks and interrupts have their
    /// names already.
    pub(super) fn close_periods(&mut self) {
        let mut periods = std::mem::take(&mut self.periods);
        let has_own = |periods: &[PeriodStats], name: &str, id| {
            periods.iter().any(|it| it.kind == "task" && it.whose.name == name && it.whose.id == id)
        };
        let tasks = self.tasks.iter().filter(|task| !task.is_idle);
        let tasks = tasks.map(|it| ("task", &it.name, it.id, &it.releases));
        let isrs = self.isrs.iter().map(|it| ("interrupt", &it.name, it.id, &it.releases));
        for (kind, name, id, releases) in tasks.chain(isrs) {
            let Some(found) = releases.period() else { continue };
            if kind == "task" && has_own(&periods, name, id) {
                continue;
            }
            periods.push(PeriodStats {
                whose: ObjectName { name: name.clone(), id },
                kind,
                how: "found",
                ticks: None,
                period_ns: found.ns,
                releases: releases.count(),
                missed: found.missed,
                period_jitter_ns: Some(found.step_jitter_ns),
                release_jitter_ns: Some(found.release_jitter_ns),
                start_jitter_ns: None,
            });
        }
        let place = |it: &PeriodStats| {
            ["nominal", "declared"].iter().position(|how| *how == it.how).unwrap_or(2)
        };
        periods.sort_by(|one, other| {
            let key = |it: &PeriodStats| (place(it), it.period_ns, it.whose.id);
            key(one).cmp(&key(other)).then_with(|| one.whose.name.cmp(&other.whose.name))
        });
        self.periods = periods;
    }

    fn observe(&mut self, world: &World, end: i64, watch: Watch) {
        let mut done = Vec::new();
        let Watch { locks, polling, ticks, heap, timers, starved, awake, lost, .. } = watch;
        let is_lock =
            |queue| self.may_be_locks.get(queue).is_some_and(super::LockStats::is_used_lock);
        locks.close(world, is_lock, &mut done);
        let mut periods = Vec::new();
        ticks.close(world, &mut done, &mut periods);
        let length = end.saturating_sub(self.start_ns());
        for it in starved.iter().filter(|it| it.length >= length / STARVED_SHARE) {
            done.push(Observation::Starvation {
                task: named(world, it.task),
                at_ns: it.at,
                length_ns: it.length,
                is_open: it.is_open,
                by: named(world, it.by),
            });
        }
        for it in awake {
            let less = world.tasks.iter().filter(|(task, other)| {
                *task != it.task
                    && other.idle_of.is_none()
                    && other.state != TaskState::Deleted
                    && other.priority.is_some_and(|priority| priority < it.priority)
            });
            // The most urgent of those that are less urgent.
            let Some((over, _)) = less.max_by_key(|(_, other)| other.priority) else { continue };
            done.push(Observation::NeverBlocks {
                task: named(world, it.task),
                at_ns: it.at,
                length_ns: it.length,
                run_ns: it.run,
                over: named(world, over),
            });
        }
        polling.close(world, &mut done);
        let mut lost: Vec<_> =
            lost.into_iter().filter(|(_, it)| it.refused + it.overwritten > 0).collect();
        lost.sort_by_key(|((task, index), it)| (it.at, task.index(), *index));
        for ((task, index), it) in lost {
            done.push(Observation::NotificationLost {
                task: named(world, task),
                index,
                refused: it.refused,
                overwritten: it.overwritten,
                at_ns: it.at,
            });
        }
        heap.close(world, end, &mut done);
        timers.close(world, &mut done, &mut periods);
        self.periods = periods;
        self.observed = done;
    }
}
