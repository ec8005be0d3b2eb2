//! Interrupts: threads that preempt tasks on their core, or a track for each.
//!
//! Each interrupt of each core is a separate thread or track.

use super::events::EventType;
use super::memory::Interrupts;
use super::packets::Name;
use super::tasks::sched::{self, CoreThread, PRIORITY_OFFSET, State};
use super::trace::Trace;
use super::tracks::{Group, NewTrack, OwnTrack, Parent, TrackContent, Uuid};
use crate::model::{EventTime, IsrRef, World};

impl Trace {
    #[inline]
    pub(super) fn isr_enters(&mut self, world: &World, at: EventTime, isr: IsrRef) {
        let on_core = match self.isrs.shown {
            Interrupts::Cpu => {
                let tid = self.isrs.tid(isr, at.core);
                Some(CoreThread { tid, priority: PRIORITY_OFFSET, is_idle: false })
            }
            Interrupts::Rows => {
                let track = self.isr_track(world, isr, at.core);
                let name = match self.isrs.entry(isr, at.core).name {
                    0 => self.isr_slice_name(world, isr, at.core),
                    known => Name::Interned(known),
                };
                self.packets.event(at.ns, EventType::SliceBegin, track, Some(name));
                None
            }
        };
        self.core(at.core).isr_enters(at.ns, isr, on_core);
    }

    #[inline]
    pub(super) fn isr_exits(&mut self, world: &World, at: EventTime, isr: IsrRef) {
        if let Some((ns, tid)) = self.core(at.core).isr_exits(at.ns) {
            sched::state(&mut self.packets, EventTime { ns, ..at }, tid, State::Runnable);
        }
        if let Interrupts::Rows = self.isrs.shown {
            let track = self.isr_track(world, isr, at.core);
            self.packets.event(at.ns, EventType::SliceEnd, track, None);
        }
    }

    #[cold]
    fn isr_slice_name<'w>(&mut self, world: &'w World, isr: IsrRef, core: u32) -> Name<'w> {
        let label = world.isr_name(isr, core);
        let name = match label.name() {
            Some(name) => self.packets.name(name.as_bytes()),
            None => match self.packets.name(label.to_string().as_bytes()) {
                Name::Interned(iid) => Name::Interned(iid),
                Name::Inline(_) => Name::Inline(b"isr"),
            },
        };
        if let Name::Interned(iid) = name {
            self.isrs.entry(isr, core).name = iid;
        }
        name
    }

    /// Returns the track of an interrupt's acts.
    #[inline]
    pub(super) fn isr_track(&mut self, world: &World, isr: IsrRef, core: u32) -> Uuid {
        match self.isrs.entry(isr, core).track {
            0 => self.new_isr_track(world, isr, core),
            track => track,
        }
    }

    #[cold]
    fn new_isr_track(&mut self, world: &World, isr: IsrRef, core: u32) -> Uuid {
        let mut thread = 0;
        let track = match self.isrs.shown {
            Interrupts::Cpu => {
                self.isrs.tid(isr, core);
                thread = self.tracks.next();
                NewTrack {
                    about: "What the interrupt does that arrows begin or end with.",
                    ..NewTrack::new(Parent::Track(thread), "calls", TrackContent::Slices)
                }
            }
            Interrupts::Rows => {
                let mut name = world.isr_name(isr, core).to_string();
                if world.cores.len() > 1 {
                    name.push_str(&format!(", core {core}"));
                }
                NewTrack::new(Parent::Group(Group::INTERRUPTS), name, TrackContent::Slices)
            }
        };
        let track = self.tracks.make(&mut self.packets, track);
        let entry = self.isrs.entry(isr, core);
        (entry.thread, entry.track) = (thread, track);
        track
    }

    /// The track of interrupts that are not recorded, but did something.
    pub(super) fn unknown_isr_track(&mut self) -> Uuid {
        self.own_track(OwnTrack::UnknownIsr, |_| NewTrack {
            about: "What interrupts did whose begin and end are not recorded.",
            ..NewTrack::new(Parent::Group(Group::INTERRUPTS), "not recorded", TrackContent::Slices)
        })
    }
}
