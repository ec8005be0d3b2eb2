//! Clocks that are not one: how far wrong the times of each can be, as a counter.

use super::trace::Trace;
use super::tracks::{Group, NewTrack, Parent, TrackContent};
use crate::model::World;

impl Trace {
    /// The recording ends: reports the known facts about its clocks, if there are several.
    #[cold]
    pub(super) fn emit_clocks(&mut self, world: &World, end_ns: i64) {
        let start_ns = world.start_ns.unwrap_or(0);
        for clock in world.clocks.iter() {
            let name = format!("{}: right within ns", clock.name);
            let track = NewTrack {
                about: "How far the times of this clock can be from those of the first one, in ns: the order of events that are closer together on the \
                        two may have come in either order.",
                ..NewTrack::new(Parent::Group(Group::CLOCKS), name, TrackContent::Counter)
            };
            let track = self.tracks.make(&mut self.packets, track);
            let inside = clock.points().filter(|(ns, _)| *ns > start_ns && *ns < end_ns);
            let first = (start_ns, clock.uncertainty_ns(start_ns));
            for (ns, wrong) in std::iter::once(first).chain(inside) {
                self.packets.counter(ns, track, wrong);
            }
        }
    }
}
