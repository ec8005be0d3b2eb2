//! Tracks: the track of each object of the timeline, created when it is first needed.
//!
//! Objects are grouped under a few parent tracks, which Perfetto orders by their names; tracks of equal names stay separate.

use super::packets::Packets;
use super::proto::{
    ChildOrdering, CounterDescriptor, SiblingMerge, TracePacket, TrackDescriptor, Unit,
};
use crate::model::{Label, PerKey, TaskRef, World};
use crate::tracks::{Owner, Track, TrackGroup};
use foldhash::fast::RandomState;
use std::collections::HashMap;

/// Number of a track; 0 is never one.
pub type Uuid = u64;

/// A parent track: its number, which no other one has, and its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Group(u8, &'static str);

impl Group {
    pub const ERRORS: Self = Self(1, "Errors");
    pub const MARKERS: Self = Self(2, "Markers");
    pub const MUTEXES: Self = Self::of(TrackGroup::Mutexes);
    pub const INTERRUPTS: Self = Self(6, "Interrupts");
    pub const STREAM_BUFFERS: Self = Self::of(TrackGroup::StreamBuffers);
    pub const TIMERS: Self = Self::of(TrackGroup::Timers);
    pub const KERNEL: Self = Self(10, "Kernel");
    pub const RECORDED: Self = Self(11, "Recorded events");
    pub const MIGRATIONS: Self = Self(12, "Migrations");
    pub const CLOCKS: Self = Self(13, "Clocks");
    pub const LEFT_OUT: Self = Self(14, "Not recorded");

    /// The group of objects that have no process.
    pub const fn of(group: TrackGroup) -> Self {
        match group {
            TrackGroup::Core(_) | TrackGroup::Kernel => Self::KERNEL,
            TrackGroup::Tasks | TrackGroup::Markers | TrackGroup::Values => Self::MARKERS,
            TrackGroup::Recording => Self::ERRORS,
            _ => {
                let (number, title) = group.facts();
                Self(number, title)
            }
        }
    }

    /// The order of its tracks.
    fn ordering(self) -> ChildOrdering {
        match self {
            Self::ERRORS | Self::MIGRATIONS => ChildOrdering::Explicit,
            _ => ChildOrdering::Lexicographic,
        }
    }
}

/// The parent of a track.
#[derive(Clone, Copy, Debug)]
pub enum Parent {
    /// None. Perfetto's page shows such a track at once, without a click, if it has another one below it.
    Root,
    Group(Group),
    /// The track of a thread.
    Track(u64),
}

/// The content of a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrackContent {
    Slices,
    Counter,
    /// A counter of bytes.
    Bytes,
    /// A counter of hundredths.
    Percent,
}

/// A track to be created.
#[derive(Clone, Debug)]
pub struct NewTrack {
    pub parent: Parent,
    pub name: String,
    pub shows: TrackContent,
    /// Its place among the tracks of its parent, where those are not in the order of their names.
    pub rank: i32,
    /// Its description, where its content is not obvious.
    pub about: &'static str,
    /// Tracks of this name are shown as one.
    pub is_merged: bool,
}

impl NewTrack {
    pub fn new(parent: Parent, name: impl Into<String>, shows: TrackContent) -> Self {
        Self { parent, name: name.into(), shows, rank: 0, about: "", is_merged: false }
    }
}

/// Tracks that only this output has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OwnTrack {
    /// Losses by core, shown as one track: those of two cores may overlap.
    Lost(u32),
    Damage,
    Notes,
    /// Interrupts that are not recorded, but did something.
    UnknownIsr,
    /// Tasks that leave this core for another one, or come from another one.
    Migrations(u32),
    IsrCalls(u32),
    UnknownCalls(u32),
    Callbacks(Option<TaskRef>),
}

/// A track as it is drawn.
#[derive(Clone, Copy, Debug, Default)]
pub struct DrawnTrack {
    /// 0: it is not drawn yet.
    pub uuid: Uuid,
    /// Its value is shown as a slice that is not over.
    pub is_open: bool,
}

/// Tracks created so far.
#[derive(Debug, Default)]
pub struct Tracks {
    groups: [bool; GROUPS as usize],
    /// Tracks other than the groups.
    made: u64,
    /// How many objects have a name, by their group.
    names: HashMap<(Group, String), u32>,
    /// Number of tracks with each description.
    abouts: HashMap<&'static str, u32>,
    /// Tracks that change often, by kind and object, and all others.
    frequent: [PerKey<usize, DrawnTrack>; FREQUENT],
    rare: HashMap<Track, DrawnTrack, RandomState>,
    pub own: HashMap<OwnTrack, Uuid, RandomState>,
}

/// Kinds of tracks that change often.
const FREQUENT: usize = 4;

/// The place of a track that changes often: in a table it is found faster than by a hash.
#[inline]
fn frequent(track: Track) -> Option<(usize, usize)> {
    match track {
        Track::Holder(queue) => Some((0, queue.index())),
        Track::Marker(marker) => Some((1, marker.index())),
        Track::Value(marker) => Some((2, marker.index())),
        Track::Priority(task) => Some((3, task.index())),
        _ => None,
    }
}

/// Maximum number of tracks with the same description.
const MAX_ABOUTS: u32 = 32;

/// Uuids up to this are those of the groups.
const GROUPS: u64 = 16;

impl Tracks {
    /// The number of a track that is described later.
    pub fn next(&mut self) -> Uuid {
        self.made += 1;
        GROUPS + self.made
    }

    #[inline]
    pub fn drawn(&self, track: Track) -> DrawnTrack {
        let known = frequent(track).and_then(|(kind, index)| {
            let of_kind = self.frequent.get(kind)?;
            Some(of_kind.copied(index))
        });
        known.unwrap_or_else(|| self.rare.get(&track).copied().unwrap_or_default())
    }

    pub fn entry(&mut self, track: Track) -> &mut DrawnTrack {
        let known = frequent(track).and_then(|(kind, index)| {
            let of_kind = self.frequent.get_mut(kind)?;
            Some(of_kind.entry(index))
        });
        match known {
            Some(known) => known,
            None => self.rare.entry(track).or_default(),
        }
    }

    /// Counts names, so that it is known which ones several objects have.
    pub fn count_names(&mut self, world: &World) {
        for owner in Owner::of_kernel(world) {
            if let Some(name) = owner.label(world).and_then(|label| label.name()) {
                let key = (Group::of(owner.group(world)), name.to_owned());
                *self.names.entry(key).or_default() += 1;
            }
        }
    }

    /// A track's name for an object, with its number if another one is called the same.
    pub fn unique(&self, group: Group, label: &Label<'_>) -> String {
        let Some(name) = label.name() else { return label.to_string() };
        match self.names.get(&(group, name.to_owned())) {
            Some(2..) => format!("{name} #{}", label.id()),
            _ => name.to_owned(),
        }
    }

    /// The track of a group.
    pub fn group(&mut self, packets: &mut Packets, group: Group) -> Uuid {
        let Group(number, name) = group;
        let uuid = number.into();
        if let Some(made) = self.groups.get_mut(usize::from(number))
            && !std::mem::replace(made, true)
        {
            let descriptor = TrackDescriptor {
                uuid: Some(uuid),
                name: Some(name.to_owned()),
                child_ordering: Some(group.ordering().into()),
                sibling_merge_behavior: Some(SiblingMerge::None.into()),
                ..TrackDescriptor::default()
            };
            write(packets, descriptor);
        }
        uuid
    }

    /// A new track.
    pub fn make(&mut self, packets: &mut Packets, track: NewTrack) -> Uuid {
        let uuid = self.next();
        self.describe(packets, uuid, track);
        uuid
    }

    /// Describes a track.
    pub fn describe(&mut self, packets: &mut Packets, uuid: Uuid, track: NewTrack) {
        let parent = match track.parent {
            Parent::Root => None,
            Parent::Group(group) => Some(self.group(packets, group)),
            Parent::Track(uuid) => Some(uuid),
        };
        let counter = |unit: Option<Unit>, unit_name: Option<&str>| {
            let (unit, unit_name) = (unit.map(Into::into), unit_name.map(str::to_owned));
            Some(CounterDescriptor { unit, unit_name })
        };
        let count = self.abouts.entry(track.about).or_default();
        *count = count.saturating_add(1);
        let about = if *count > MAX_ABOUTS { "" } else { track.about };
        let merge = if track.is_merged { SiblingMerge::ByName } else { SiblingMerge::None };
        let descriptor = TrackDescriptor {
            uuid: Some(uuid),
            parent_uuid: parent,
            name: Some(track.name),
            description: Some(about.to_owned()).filter(|about| !about.is_empty()),
            counter: match track.shows {
                TrackContent::Slices => None,
                TrackContent::Counter => counter(None, None),
                TrackContent::Bytes => counter(Some(Unit::Bytes), None),
                TrackContent::Percent => counter(None, Some("%")),
            },
            sibling_order_rank: Some(track.rank).filter(|rank| *rank != 0),
            sibling_merge_behavior: Some(merge.into()),
            ..TrackDescriptor::default()
        };
        write(packets, descriptor);
    }
}

fn write(packets: &mut Packets, descriptor: TrackDescriptor) {
    let track_descriptor = Some(descriptor);
    packets.message(&TracePacket { track_descriptor, ..TracePacket::default() });
}
