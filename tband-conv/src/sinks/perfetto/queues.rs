//! Queues and semaphores as counters, and the tasks that wait for a mutex while another one holds it.

use super::trace::Trace;
use super::tracks::{Group, NewTrack, Parent, TrackContent, Uuid};
use crate::model::{QueueRef, TaskRef, TaskState, Wait, World};
use crate::tracks::{Now, Owner};

/// Waiters of a mutex that are named.
const MAX_WAITERS: usize = 8;

impl Trace {
    #[inline]
    pub(super) fn queue_level(&mut self, now: Now<'_>, queue: QueueRef, level: i64) {
        let track = match self.queues.entry(queue).level {
            0 => self.new_level(now.world, queue),
            level => level,
        };
        if track != 0 {
            self.packets.counter(now.ns, track, level);
        }
    }

    #[cold]
    fn new_level(&mut self, world: &World, queue: QueueRef) -> Uuid {
        let group = Group::of(Owner::Queue(queue).group(world));
        if group == Group::MUTEXES {
            // Its track shows the holder, which contains the same information.
            return 0;
        }
        let name = self.tracks.unique(group, &world.queue_name(queue));
        let about =
            "Items in it, or its count; -1 where that is not known, since events are missing.";
        let track =
            NewTrack { about, ..NewTrack::new(Parent::Group(group), name, TrackContent::Counter) };
        let level = self.tracks.make(&mut self.packets, track);
        self.queues.entry(queue).level = level;
        level
    }

    /// A mutex is held by another task from now on, or by none.
    pub(super) fn change_holder(&mut self, world: &World, queue: QueueRef, is_held: bool) {
        let entry = self.queues.entry(queue);
        entry.is_held = is_held;
        entry.waiters.retain(|task| {
            let state = world.tasks.get(*task).map(|task| task.state);
            state == Some(TaskState::Blocked(Wait::Receive(queue)))
        });
    }

    /// Returns the names of the tasks that have waited for a mutex, usually none.
    pub(super) fn waiters_of(&self, world: &World, queue: QueueRef) -> Option<String> {
        let waiters = &self.queues.get(queue).filter(|queue| !queue.waiters.is_empty())?.waiters;
        let mut names: Vec<String> =
            waiters.iter().map(|task| world.task_name(*task).to_string()).collect();
        if names.len() > MAX_WAITERS {
            names.truncate(MAX_WAITERS);
            names.push("others".to_owned());
        }
        Some(names.join(", "))
    }

    /// A task waits for a queue from now on.
    #[inline]
    pub(super) fn wait_for_queue(&mut self, task: TaskRef, queue: QueueRef) {
        if let Some(entry) = self.queues.get_mut(queue)
            && entry.is_held
            && entry.waiters.len() <= MAX_WAITERS
            && !entry.waiters.contains(&task)
        {
            entry.waiters.push(task);
        }
    }
}
