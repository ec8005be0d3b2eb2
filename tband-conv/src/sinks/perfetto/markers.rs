//! Event markers, spans and value markers.

use tband_format::Str;

use super::events::EventType;
use super::trace::Trace;
use super::tracks::{Group, Parent, Track, TrackContent, Uuid};
use crate::model::{EventTime, Label, Marker, MarkerRef, Scope, TaskRef, World, printable_text};

impl Trace {
    /// The track of a marker.
    #[inline]
    pub(super) fn marker_track(
        &mut self,
        world: &World,
        marker: MarkerRef,
        shows: TrackContent,
    ) -> Uuid {
        let (known, entry, name) = match shows {
            TrackContent::Slices => {
                (&mut self.markers, world.markers.get(marker), world.marker_name(marker))
            }
            _ => (&mut self.values, world.values.get(marker), world.value_name(marker)),
        };
        match known.copied(marker) {
            0 => {}
            uuid => return uuid,
        }
        let (parent, name, task) = self.marker_parent(world, entry, name);
        let track = Track::new(parent, name, shows);
        let uuid = match (shows, task) {
            (TrackContent::Counter, Some(task)) => self.task_counter(world, task, track),
            _ => self.tracks.make(&mut self.packets, track),
        };
        let known = match shows {
            TrackContent::Slices => &mut self.markers,
            _ => &mut self.values,
        };
        *known.entry(marker) = uuid;
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

    /// Writes a slice or instant on a marker's track, named by its message, or otherwise by the marker.
    pub(super) fn marker(
        &mut self,
        world: &World,
        at: EventTime,
        marker: MarkerRef,
        kind: EventType,
        msg: Str<'_>,
    ) {
        let track = self.marker_track(world, marker, TrackContent::Slices);
        let text;
        let is_plain = msg.0.iter().all(|byte| (b' '..=b'~').contains(byte));
        let name = match (msg.0.is_empty(), is_plain) {
            (true, _) => {
                text = world.marker_name(marker).text();
                self.packets.name(text.as_bytes())
            }
            (false, true) => self.packets.name(msg.0),
            (false, false) => {
                text = printable_text(msg).into();
                self.packets.name(text.as_bytes())
            }
        };
        self.packets.event(at.ns, kind, track, Some(name));
    }
}
