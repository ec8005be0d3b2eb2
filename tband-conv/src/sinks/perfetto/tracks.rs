//! Tracks: which row each object of the timeline has, made when it is first needed.
//!
//! Objects are grouped under a few parent rows; rows of equal names stay apart.

use super::packets::Packets;
use super::proto::{
    ChildOrdering, CounterDescriptor, SiblingMerge, ThreadDescriptor, TracePacket, TrackDescriptor,
    Unit,
};
use std::io::Write;

/// Number of a row; 0 is never one.
pub type Uuid = u64;

/// Parent rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Group {
    Errors = 1,
    Markers = 2,
    Queues = 3,
    Semaphores = 4,
    Mutexes = 5,
    Interrupts = 6,
    StreamBuffers = 7,
    EventGroups = 8,
    Timers = 9,
    Kernel = 10,
}

impl Group {
    const fn name(self) -> &'static str {
        match self {
            Self::Errors => "Errors",
            Self::Markers => "Markers",
            Self::Queues => "Queues",
            Self::Semaphores => "Semaphores",
            Self::Mutexes => "Mutexes",
            Self::Interrupts => "Interrupts",
            Self::StreamBuffers => "Stream buffers",
            Self::EventGroups => "Event groups",
            Self::Timers => "Timers",
            Self::Kernel => "Kernel",
        }
    }
}

/// Where a row goes.
#[derive(Clone, Copy, Debug)]
pub enum Parent {
    Group(Group),
    /// The row of a thread.
    Track(u64),
}

/// What a row shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shows {
    Slices,
    Counter,
    /// A counter of bytes.
    Bytes,
}

/// Rows made so far.
#[derive(Debug, Default)]
pub struct Tracks {
    groups: [bool; GROUPS as usize],
    /// Rows besides the groups.
    made: u64,
}

/// Uuids up to this are those of the groups.
const GROUPS: u64 = 16;

impl Tracks {
    fn next(&mut self) -> u64 {
        self.made += 1;
        GROUPS + self.made
    }

    /// The row of a group.
    pub fn group<W: Write>(&mut self, packets: &mut Packets<W>, group: Group) -> u64 {
        let uuid = group as u64;
        if let Some(made) = self.groups.get_mut(group as usize)
            && !std::mem::replace(made, true)
        {
            describe(
                packets,
                TrackDescriptor {
                    uuid: Some(uuid),
                    name: Some(group.name().to_owned()),
                    child_ordering: Some(ChildOrdering::Lexicographic.into()),
                    sibling_order_rank: Some(group as i32),
                    sibling_merge_behavior: Some(SiblingMerge::None.into()),
                    ..TrackDescriptor::default()
                },
            );
        }
        uuid
    }

    /// A new row.
    pub fn make<W: Write>(
        &mut self,
        packets: &mut Packets<W>,
        parent: Parent,
        name: String,
        shows: Shows,
    ) -> u64 {
        let parent = match parent {
            Parent::Group(group) => self.group(packets, group),
            Parent::Track(uuid) => uuid,
        };
        let uuid = self.next();
        describe(
            packets,
            TrackDescriptor {
                uuid: Some(uuid),
                parent_uuid: Some(parent),
                name: Some(name),
                counter: match shows {
                    Shows::Slices => None,
                    Shows::Counter => Some(CounterDescriptor::default()),
                    Shows::Bytes => Some(CounterDescriptor { unit: Some(Unit::Bytes.into()) }),
                },
                sibling_merge_behavior: Some(SiblingMerge::None.into()),
                ..TrackDescriptor::default()
            },
        );
        uuid
    }

    /// The row of a thread whose process has the same number.
    pub fn thread<W: Write>(&mut self, packets: &mut Packets<W>, tid: i32) -> u64 {
        let uuid = self.next();
        let track_descriptor = Some(TrackDescriptor {
            uuid: Some(uuid),
            thread: Some(ThreadDescriptor { pid: Some(tid), tid: Some(tid.into()) }),
            ..TrackDescriptor::default()
        });
        packets.thread(&TracePacket { track_descriptor, ..TracePacket::default() });
        uuid
    }
}

fn describe<W: Write>(packets: &mut Packets<W>, descriptor: TrackDescriptor) {
    let track_descriptor = Some(descriptor);
    packets.message(&TracePacket { track_descriptor, ..TracePacket::default() });
}
