//! Queues, semaphores and mutexes: a counter of items, slices of a mutex's holders, instants of other changes.

use super::events::{Arg, EventType};
use super::memory::QueueTracks;
use super::trace::Trace;
use super::tracks::{Group, Parent, Track, TrackContent, Uuid, group_of};
use crate::model::{Actor, EventTime, QueueChange, QueueRef, TaskRef, TaskState, Wait, World};

/// The value of a counter that counts no less than nothing, where it is not known.
const UNKNOWN: i64 = -1;
/// Waiters of a mutex that are named.
const MAX_WAITERS: usize = 8;

impl Trace {
    #[inline]
    pub(super) fn queue_level(
        &mut self,
        world: &World,
        at: EventTime,
        queue: QueueRef,
        level: u32,
    ) {
        let track = match self.queues.entry(queue).level {
            0 => self.new_level(world, queue),
            level => level,
        };
        if track != 0 {
            self.packets.counter(at.ns, track, level.into());
        }
    }

    /// Sets a counter to a negative value, which means unknown, because a counter always needs a value.
    pub(super) fn counter_is_unknown(&mut self, at: EventTime, track: Uuid) {
        if track != 0 {
            self.packets.counter(at.ns, track, UNKNOWN);
        }
    }

    pub(super) fn level_is_unknown(&mut self, at: EventTime, queue: QueueRef) {
        let track = self.queues.get(queue).map_or(0, |queue| queue.level);
        self.counter_is_unknown(at, track);
    }

    #[cold]
    fn new_level(&mut self, world: &World, queue: QueueRef) -> Uuid {
        let group = group_of(world.queues.get(queue));
        if group == Group::Mutexes {
            // Its track shows the holder, which contains the same information.
            return 0;
        }
        let name = self.tracks.unique(group, &world.queue_name(queue));
        let about =
            "Items in it, or its count; -1 where that is not known, since events are missing.";
        let track =
            Track { about, ..Track::new(Parent::Group(group), name, TrackContent::Counter) };
        let level = self.tracks.make(&mut self.packets, track);
        self.queues.entry(queue).level = level;
        level
    }

    pub(super) fn mutex(
        &mut self,
        world: &World,
        at: EventTime,
        queue: QueueRef,
        taken: Option<Option<TaskRef>>,
    ) {
        let track = match self.queues.entry(queue).holder {
            0 => self.new_holder(world, queue),
            holder => holder,
        };
        let entry = self.queues.entry(queue);
        let was_held = std::mem::replace(&mut entry.is_held, taken.is_some());
        let mut waiters = std::mem::take(&mut entry.waiters);
        if was_held {
            let names = names_of(world, &waiters);
            let names = (!names.is_empty()).then_some(("waiters", Arg::Text(&names)));
            self.end_slice(at.ns, track, names.as_slice());
        }
        waiters.retain(|task| {
            let state = world.tasks.get(*task).map(|task| task.state);
            state == Some(TaskState::Blocked(Wait::Receive(queue)))
        });
        self.queues.entry(queue).waiters = waiters;
        if let Some(holder) = taken {
            let name = match holder {
                Some(task) => world.task_name(task).text(),
                None => "held, not known by whom".into(),
            };
            self.slice(at.ns, track, &name, &[]);
        }
    }

    #[cold]
    fn new_holder(&mut self, world: &World, queue: QueueRef) -> Uuid {
        let name = self.tracks.unique(Group::Mutexes, &world.queue_name(queue));
        let track = Track {
            about: "Who holds the mutex: empty while it is free. Tasks that waited for it in that time \
                    are among the arguments.",
            ..Track::new(Parent::Group(Group::Mutexes), name, TrackContent::Slices)
        };
        let holder = self.tracks.make(&mut self.packets, track);
        self.queues.entry(queue).holder = holder;
        holder
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

    /// The depth of a mutex becomes unknown.
    pub(super) fn depth_is_unknown(&mut self, at: EventTime, queue: QueueRef) {
        let track = self.queues.get(queue).map_or(0, |queue| queue.depth);
        self.counter_is_unknown(at, track);
    }

    #[inline(never)]
    pub(super) fn queue_change(
        &mut self,
        world: &World,
        at: EventTime,
        queue: QueueRef,
        change: QueueChange,
        by: Option<Actor>,
    ) {
        if change == QueueChange::Deleted {
            // Its counters end with it.
            let &mut QueueTracks { level, depth, .. } = self.queues.entry(queue);
            for track in [level, depth].into_iter().filter(|track| *track != 0) {
                self.packets.counter(at.ns, track, 0);
            }
        }
        let group = group_of(world.queues.get(queue));
        let tracks = self.queues.entry(queue);
        let packets = &mut self.packets;
        let track = |of: &str, tracks: &super::tracks::Tracks| {
            let name = tracks.unique(group, &world.queue_name(queue));
            Track::new(Parent::Group(group), format!("{name} {of}"), TrackContent::Slices)
        };
        if let QueueChange::Depth(depth) = change {
            if tracks.depth == 0 {
                let track = Track {
                    shows: TrackContent::Counter,
                    about: "How many times its holder has taken the recursive mutex.",
                    ..track("depth", &self.tracks)
                };
                tracks.depth = self.tracks.make(packets, track);
            }
            return packets.counter(at.ns, tracks.depth, depth.into());
        }
        if tracks.events == 0 {
            let track = track("events", &self.tracks);
            tracks.events = self.tracks.make(packets, track);
        }
        let text = match by {
            Some(by) => format!("{} by {}", change.name(), world.actor_name(by, at.core)),
            None => change.name().to_owned(),
        };
        let name = packets.name(text.as_bytes());
        packets.event(at.ns, EventType::Instant, tracks.events, Some(name));
    }
}

/// Returns the names of tasks that have waited for a mutex, usually none.
fn names_of(world: &World, waiters: &[TaskRef]) -> String {
    if waiters.is_empty() {
        return String::new();
    }
    let mut names: Vec<String> =
        waiters.iter().map(|task| world.task_name(*task).to_string()).collect();
    if names.len() > MAX_WAITERS {
        names.truncate(MAX_WAITERS);
        names.push("others".to_owned());
    }
    names.join(", ")
}
