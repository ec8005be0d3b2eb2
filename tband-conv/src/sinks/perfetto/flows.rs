//! Flows as arrows.
//!
//! An arrow connects two slices of no length, one on the track of each task. If the first act ended a wait of the second's
//! task, the wait is part of the flow as well: all three are one flow in Perfetto. Acts of interrupts are on separate tracks,
//! because Perfetto's interrupt tracks take no slices of others. Tasks that move between cores have a row for each core.

use super::events::{Arg, EventType, Link};
use super::memory::ACTS;
use super::packets::Name;
use super::trace::Trace;
use super::tracks::{Group, NewTrack, OwnTrack, Parent, TrackContent, Uuid};
use crate::model::{Act, Actor, End, Flow, World};

/// Where the name of an act is remembered.
fn place_of(act: Act) -> (usize, usize) {
    match act {
        Act::Send(queue) => (0, queue.index()),
        Act::Receive(queue) => (1, queue.index()),
        Act::Peek(queue) => (2, queue.index()),
        Act::Reset(queue) => (3, queue.index()),
        Act::SendBytes(buffer) => (4, buffer.index()),
        Act::ReceiveBytes(buffer) => (5, buffer.index()),
        Act::SetBits(group) => (6, group.index()),
        Act::FindBits(group) => (7, group.index()),
        Act::DeleteGroup(group) => (8, group.index()),
        Act::Notify(task) => (9, task.index()),
        Act::TakeNotification => (10, 0),
        Act::LeaveCore(task) => (11, task.index()),
        Act::ComeToCore(task) => (ACTS - 1, task.index()),
    }
}

impl Trace {
    /// A number that no flow had so far.
    pub(super) fn next_flow(&mut self) -> u64 {
        self.arrows.drawn = self.arrows.drawn.wrapping_add(1);
        self.arrows.drawn
    }

    pub(super) fn arrow(&mut self, world: &World, flow: &Flow) {
        let id = self.next_flow();
        if flow.woke
            && let Actor::Task(task) = flow.to.actor
        {
            self.wait_flows(world, task, id);
        }
        // Where clocks are not certain the second may have the earlier time.
        let to = End { ns: flow.to.ns.max(flow.from.ns), ..flow.to };
        for (end, link) in [(flow.from, Link::Begins(id)), (to, Link::Ends(id))] {
            let track = match end.act {
                Act::LeaveCore(_) | Act::ComeToCore(_) => self.migrations_of(end.core),
                _ => self.actor_track(world, end.actor, end.core),
            };
            let text;
            let (kind, index) = place_of(end.act);
            let name = match self.arrows.names.get(kind).map(|known| known.copied(index)) {
                Some(iid @ 1..) => Name::Interned(iid),
                _ => {
                    text = world.describe_act(end.act);
                    self.act_name((kind, index), &text)
                }
            };
            if flow.uncertain_ns > 0 {
                let within = Arg::Signed(flow.uncertain_ns);
                let (name, args) = (Some(name), [("times_certain_within_ns", within)]);
                let (kind, link) = (EventType::Instant, Some(link));
                self.packets.event_with(end.ns, kind, track, name, &args, link);
            } else {
                self.packets.linked(end.ns, EventType::Instant, track, name, link);
            }
        }
    }

    /// The row of tasks that leave a core for another one, or come from another one.
    fn migrations_of(&mut self, core: u32) -> Uuid {
        self.own_track(OwnTrack::Migrations(core), |_| NewTrack {
            rank: i32::try_from(core).unwrap_or(i32::MAX),
            about: "Tasks that leave this core and run on another one next, and those that come here from another one.",
            ..NewTrack::new(
                Parent::Group(Group::MIGRATIONS),
                format!("core {core}"),
                TrackContent::Slices,
            )
        })
    }

    #[cold]
    fn act_name<'n>(&mut self, (kind, index): (usize, usize), text: &'n str) -> Name<'n> {
        let name = self.packets.name(text.as_bytes());
        if let (Name::Interned(iid), Some(known)) = (name, self.arrows.names.get_mut(kind)) {
            *known.entry(index) = iid;
        }
        name
    }

    /// Returns the track that shows an actor's acts.
    pub(super) fn actor_track(&mut self, world: &World, actor: Actor, core: u32) -> Uuid {
        match actor {
            Actor::Task(task) => self.calls_track(world, task),
            Actor::Isr(isr) => self.isr_track(world, isr, core),
            Actor::UnknownIsr => self.unknown_isr_track(),
        }
    }
}
