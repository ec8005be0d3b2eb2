//! Rows of objects: priorities, queues, mutexes, markers, values. Each row is made when its object
//! first shows something.

use std::io::Write;

use tband_format::Str;

use super::packets::EventType;
use super::tracks::{Group, Parent, Shows, Uuid};
use super::{Perfetto, TaskTracks};
use crate::timeline::{At, Label, Marker, MarkerRef, Queue, QueueRef, Scope, TaskRef, World};

/// Rows of a queue; 0 stands for one that is not made yet.
#[derive(Clone, Copy, Debug, Default)]
pub struct QueueTracks {
    level: Uuid,
    holder: Uuid,
}

impl<W: Write> Perfetto<W> {
    pub(super) fn priority(&mut self, world: &World, at: At, task: TaskRef, priority: u32) {
        let TaskTracks { priority: mut track, .. } = self.task(world, task);
        if track == 0 {
            let parent = Parent::Track(self.thread(world, task));
            let name = format!("{} priority", world.task_name(task));
            track = self.tracks.make(&mut self.packets, parent, name, Shows::Counter);
            if let Some(entry) = self.tasks.get_mut(task.index()) {
                entry.priority = track;
            }
        }
        self.packets.counter(at.ns, track, priority.into());
    }

    #[inline]
    pub(super) fn queue(&mut self, queue: QueueRef) -> QueueTracks {
        let index = queue.index();
        if self.queues.len() <= index {
            self.queues.resize(index + 1, QueueTracks::default());
        }
        self.queues.get(index).copied().unwrap_or_default()
    }

    #[inline]
    pub(super) fn queue_level(&mut self, world: &World, at: At, queue: QueueRef, level: u32) {
        let QueueTracks { level: mut track, .. } = self.queue(queue);
        if track == 0 {
            let parent = Parent::Group(group_of(world.queues.get(queue)));
            let name = world.queue_name(queue).to_string();
            track = self.tracks.make(&mut self.packets, parent, name, Shows::Counter);
            if let Some(entry) = self.queues.get_mut(queue.index()) {
                entry.level = track;
            }
        }
        self.packets.counter(at.ns, track, level.into());
    }

    pub(super) fn mutex(
        &mut self,
        world: &World,
        at: At,
        queue: QueueRef,
        taken: Option<Option<TaskRef>>,
    ) {
        let QueueTracks { holder: mut track, .. } = self.queue(queue);
        if track == 0 {
            let parent = Parent::Group(Group::Mutexes);
            let name = format!("{} holder", world.queue_name(queue));
            track = self.tracks.make(&mut self.packets, parent, name, Shows::Slices);
            if let Some(entry) = self.queues.get_mut(queue.index()) {
                entry.holder = track;
            }
        }
        match taken {
            Some(holder) => {
                let text = match holder {
                    Some(task) => format!("held by {}", world.task_name(task)),
                    None => "held".to_owned(),
                };
                let name = self.packets.name(text.as_bytes());
                self.packets.event(at.ns, EventType::SliceBegin, track, Some(name));
            }
            None => self.packets.event(at.ns, EventType::SliceEnd, track, None),
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
            Shows::Counter | Shows::Bytes => {
                (&mut self.values, world.values.get(marker), world.value_name(marker))
            }
        };
        match known.get(index).copied() {
            Some(uuid) if uuid != 0 => return uuid,
            Some(_) => {}
            None => known.resize(index + 1, 0),
        }
        let (parent, name) = self.marker_parent(world, entry, name);
        let uuid = self.tracks.make(&mut self.packets, parent, name, shows);
        let known = match shows {
            Shows::Slices => &mut self.markers,
            Shows::Counter | Shows::Bytes => &mut self.values,
        };
        if let Some(entry) = known.get_mut(index) {
            *entry = uuid;
        }
        uuid
    }

    pub(super) fn marker_parent(
        &mut self,
        world: &World,
        marker: Option<&Marker>,
        name: Label<'_>,
    ) -> (Parent, String) {
        match marker.map(|marker| marker.scope) {
            Some(Scope::Task(task)) => (Parent::Track(self.thread(world, task)), name.to_string()),
            Some(Scope::UnknownTask) => {
                (Parent::Group(Group::Markers), format!("{name} of an unknown task"))
            }
            _ => (Parent::Group(Group::Markers), name.to_string()),
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
        let label;
        let name = if msg.0.is_empty() {
            label = world.marker_name(marker).to_string();
            self.packets.name(label.as_bytes())
        } else {
            self.packets.name(msg.0)
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
