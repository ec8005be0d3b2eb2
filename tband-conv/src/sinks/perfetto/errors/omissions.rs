//! Events that a filter on the target leaves out, as slices *not recorded* in a group of that name: they show where other
//! tracks may be incomplete.

use super::super::trace::Trace;
use super::super::tracks::{Group, Parent, Track, TrackContent};
use crate::model::{EventTime, Omission, ShedClass, World};

/// Maximum number of shown slices; more occur only if the target does nothing else.
const MANY: u64 = 10_000;

impl Trace {
    #[cold]
    pub(in super::super) fn emit_omissions(
        &mut self,
        world: &World,
        at: EventTime,
        what: Omission,
        begins: bool,
    ) {
        let known = self.errors.left_out.get(&what).copied();
        if !begins {
            // One that does not end lasts to the end of the trace.
            if let Some(track) = known {
                self.end_slice(at.ns, track, &[]);
            }
            return;
        }
        if self.errors.left_out_slices >= MANY {
            return;
        }
        self.errors.left_out_slices += 1;
        let track = known.unwrap_or_else(|| {
            let name = world.omission_name(what);
            let about = "While this is not recorded, the other tracks do not show it, though it may happen.";
            let track = Track { about, ..Track::new(Parent::Group(Group::LeftOut), name, TrackContent::Slices) };
            let uuid = self.tracks.make(&mut self.packets, track);
            self.errors.left_out.insert(what, uuid);
            uuid
        });
        self.slice(at.ns, track, "not recorded", &[]);
    }

    /// This many events of a class were shed.
    #[cold]
    pub(in super::super) fn shed(&mut self, at: EventTime, class: u32, total: u64) {
        let known = self.errors.shed.get(&class).copied();
        let track = known.unwrap_or_else(|| {
            let name = format!("class {}, events shed", ShedClass::name_of(class));
            let about = "Events that were not recorded since packets ran out: how many so far.";
            let track = Track {
                about,
                ..Track::new(Parent::Group(Group::LeftOut), name, TrackContent::Counter)
            };
            let uuid = self.tracks.make(&mut self.packets, track);
            self.errors.shed.insert(class, uuid);
            uuid
        });
        self.packets.counter(at.ns, track, i64::try_from(total).unwrap_or(i64::MAX));
    }
}
