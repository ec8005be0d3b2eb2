//! Rows of objects: priorities, queues, mutexes, markers, values. Each row is made when its object
//! first shows something.

use std::io::Write;

use tband_format::Str;

use super::Perfetto;
use super::packets::{Arg, EventType};
use super::tracks::{Group, Parent, Row, Shows, Uuid};
use crate::timeline::{
    At, Label, Marker, MarkerRef, Queue, QueueRef, Scope, TaskRef, TaskState, Wait, World, shown,
};

/// The value of a counter that counts no less than nothing, where it is not known.
const UNKNOWN: i64 = -1;
/// Waiters of a mutex that are named.
const MAX_WAITERS: usize = 8;

/// Rows of a queue; 0 stands for one that is not made yet.
#[derive(Clone, Debug, Default)]
pub struct QueueTracks {
    level: Uuid,
    holder: Uuid,
    /// The mutex is shown as held.
    is_held: bool,
    /// Tasks that waited for the mutex while it was held by the one that holds it, or still wait.
    waiters: Vec<TaskRef>,
}

impl QueueTracks {
    /// The row of its level; 0 if there is none.
    pub const fn level(&self) -> Uuid {
        self.level
    }
}

impl<W: Write> Perfetto<W> {
    pub(super) fn priority(&mut self, world: &World, at: At, task: TaskRef, priority: u32) {
        let entry = self.task(world, task);
        if entry.priority == 0 && world.tasks.get(task).is_some_and(|task| task.idle_of.is_some()) {
            // That of an idle task never changes, and says nothing.
            match entry.only_priority {
                None => return entry.only_priority = Some((at.ns, priority)),
                Some((_, only)) if only == priority => return,
                Some(_) => {}
            }
        }
        let mut track = entry.priority;
        let first = entry.only_priority.take();
        if track == 0 {
            let row = Row {
                rank: 3,
                about: "The task's priority as the kernel has it, inherited ones included: higher \
                        is more urgent. -1 where it is not known, since events are missing.",
                ..Row::new(
                    self.process(world, task),
                    format!("priority of {}", world.task_name(task)),
                    Shows::Counter,
                )
            };
            track = self.task_counter(world, task, row);
            self.task(world, task).priority = track;
        }
        if let Some((ns, priority)) = first {
            self.packets.counter(ns, track, priority.into());
        }
        self.packets.counter(at.ns, track, priority.into());
    }

    #[inline]
    pub(super) fn queue(&mut self, queue: QueueRef) -> Option<&mut QueueTracks> {
        let index = queue.index();
        if self.queues.len() <= index {
            self.queues.resize_with(index + 1, QueueTracks::default);
        }
        self.queues.get_mut(index)
    }

    #[inline]
    pub(super) fn queue_level(&mut self, world: &World, at: At, queue: QueueRef, level: u32) {
        let track = match self.queue(queue) {
            Some(QueueTracks { level, .. }) if *level != 0 => *level,
            _ => self.new_level(world, queue),
        };
        if track != 0 {
            self.packets.counter(at.ns, track, level.into());
        }
    }

    /// A counter cannot be without a value: a negative one stands for what is not known.
    pub(super) fn counter_is_unknown(&mut self, at: At, row: Uuid) {
        if row != 0 {
            self.packets.counter(at.ns, row, UNKNOWN);
        }
    }

    pub(super) fn level_is_unknown(&mut self, at: At, queue: QueueRef) {
        let row = self.queues.get(queue.index()).map_or(0, |queue| queue.level);
        self.counter_is_unknown(at, row);
    }

    #[cold]
    fn new_level(&mut self, world: &World, queue: QueueRef) -> Uuid {
        let group = group_of(world.queues.get(queue));
        if group == Group::Mutexes {
            // Its row shows who holds it, which says the same.
            return 0;
        }
        let name = self.tracks.unique(group, &world.queue_name(queue));
        let about =
            "Items in it, or its count; -1 where that is not known, since events are missing.";
        let row = Row { about, ..Row::new(Parent::Group(group), name, Shows::Counter) };
        let level = self.tracks.make(&mut self.packets, row);
        if let Some(entry) = self.queue(queue) {
            entry.level = level;
        }
        level
    }

    pub(super) fn mutex(
        &mut self,
        world: &World,
        at: At,
        queue: QueueRef,
        taken: Option<Option<TaskRef>>,
    ) {
        let row = match self.queue(queue) {
            Some(QueueTracks { holder, .. }) if *holder != 0 => *holder,
            _ => self.new_holder(world, queue),
        };
        let Some(entry) = self.queue(queue) else { return };
        let was_held = std::mem::replace(&mut entry.is_held, taken.is_some());
        let waiters = std::mem::take(&mut entry.waiters);
        let still_waits = |task: &&TaskRef| {
            let state = world.tasks.get(**task).map(|task| task.state);
            state == Some(TaskState::Blocked(Wait::Receive(queue)))
        };
        entry.waiters = waiters.iter().filter(still_waits).copied().collect();
        if was_held {
            let mut names: Vec<String> =
                waiters.iter().map(|task| world.task_name(*task).to_string()).collect();
            if names.len() > MAX_WAITERS {
                names.truncate(MAX_WAITERS);
                names.push("others".to_owned());
            }
            let names = names.join(", ");
            let waiters = (!names.is_empty()).then_some(("waiters", Arg::Text(&names)));
            self.slice_ends(at.ns, row, waiters.as_slice());
        }
        if let Some(holder) = taken {
            match holder {
                Some(task) => {
                    let name = world.task_name(task).to_string();
                    self.slice(at.ns, row, &name, &[]);
                }
                None => self.slice(at.ns, row, "held, not known by whom", &[]),
            }
        }
    }

    #[cold]
    fn new_holder(&mut self, world: &World, queue: QueueRef) -> Uuid {
        let name = self.tracks.unique(Group::Mutexes, &world.queue_name(queue));
        let row = Row {
            about: "Who holds the mutex: empty while it is free. Tasks that waited for it meanwhile \
                    are among the arguments.",
            ..Row::new(Parent::Group(Group::Mutexes), name, Shows::Slices)
        };
        let holder = self.tracks.make(&mut self.packets, row);
        if let Some(entry) = self.queue(queue) {
            entry.holder = holder;
        }
        holder
    }

    /// A task waits for a queue from now on.
    #[inline]
    pub(super) fn waits_for_queue(&mut self, task: TaskRef, queue: QueueRef) {
        if let Some(entry) = self.queues.get_mut(queue.index())
            && entry.is_held
            && entry.waiters.len() <= MAX_WAITERS
            && !entry.waiters.contains(&task)
        {
            entry.waiters.push(task);
        }
    }

    /// The row of a marker.
    #[inline]
    pub(super) fn marker_track(&mut self, world: &World, marker: MarkerRef, shows: Shows) -> Uuid {
        let index = marker.index();
        let (known, entry, name) = match shows {
            Shows::Slices => {
                (&mut self.markers, world.markers.get(marker), world.marker_name(marker))
            }
            _ => (&mut self.values, world.values.get(marker), world.value_name(marker)),
        };
        match known.get(index).copied() {
            Some(uuid) if uuid != 0 => return uuid,
            Some(_) => {}
            None => known.resize(index + 1, 0),
        }
        let (parent, name, task) = self.marker_parent(world, entry, name);
        let row = Row::new(parent, name, shows);
        let uuid = match (shows, task) {
            (Shows::Counter, Some(task)) => self.task_counter(world, task, row),
            _ => self.tracks.make(&mut self.packets, row),
        };
        let known = match shows {
            Shows::Slices => &mut self.markers,
            _ => &mut self.values,
        };
        if let Some(entry) = known.get_mut(index) {
            *entry = uuid;
        }
        uuid
    }

    fn marker_parent(
        &mut self,
        world: &World,
        marker: Option<&Marker>,
        name: Label<'_>,
    ) -> (Parent, String, Option<TaskRef>) {
        let global = Parent::Group(Group::Markers);
        match marker.map(|marker| marker.scope) {
            Some(Scope::Task(task)) => {
                (self.task_markers(world, task), name.to_string(), Some(task))
            }
            Some(Scope::UnknownTask) => (global, format!("{name} of an unknown task"), None),
            _ => (global, name.to_string(), None),
        }
    }

    /// A slice or instant on a marker's row, named by its message, else like the marker.
    pub(super) fn marker(
        &mut self,
        world: &World,
        at: At,
        marker: MarkerRef,
        kind: EventType,
        msg: Str<'_>,
    ) {
        let track = self.marker_track(world, marker, Shows::Slices);
        let text;
        let is_plain = msg.0.iter().all(|byte| (b' '..=b'~').contains(byte));
        let name = match (msg.0.is_empty(), is_plain) {
            (true, _) => {
                text = world.marker_name(marker).to_string();
                self.packets.name(text.as_bytes())
            }
            (false, true) => self.packets.name(msg.0),
            (false, false) => {
                text = shown(msg);
                self.packets.name(text.as_bytes())
            }
        };
        self.packets.event(at.ns, kind, track, Some(name));
    }
}

pub(super) fn group_of(queue: Option<&Queue>) -> Group {
    match queue {
        Some(queue) if queue.is_mutex() => Group::Mutexes,
        Some(queue) if queue.is_semaphore() => Group::Semaphores,
        _ => Group::Queues,
    }
}
