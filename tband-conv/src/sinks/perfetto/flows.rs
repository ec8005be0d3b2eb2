//! Flows as arrows.
//!
//! An arrow connects two slices of no length, one on the track of each task. If the first ended a wait of the
//! second's task, one goes to it from the wait as well: all three are one flow of Perfetto's. What interrupts do is on
//! tracks of their own, since Perfetto's interrupt tracks take no slices of others.

use std::io::Write;

use super::Perfetto;
use super::events::{EventType, Link};
use super::memory::ACTS;
use super::packets::Name;
use super::tracks::Uuid;
use crate::model::{Act, Actor, Flow, World};

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
        Act::TakeNotification => (ACTS - 1, 0),
    }
}

impl<W: Write> Perfetto<W> {
    /// A number that no flow had so far.
    pub(super) fn next_flow(&mut self) -> u64 {
        self.arrows.drawn = self.arrows.drawn.wrapping_add(1);
        self.arrows.drawn
    }

    pub(super) fn flow(&mut self, world: &World, flow: &Flow) {
        let id = self.next_flow();
        if flow.woke
            && let Actor::Task(task) = flow.to.actor
        {
            self.wait_flows(world, task, id);
        }
        for (end, link) in [(flow.from, Link::Begins(id)), (flow.to, Link::Ends(id))] {
            let track = self.actor_track(world, end.actor, end.core);
            let text;
            let (kind, index) = place_of(end.act);
            let name = match self.arrows.names.get(kind).map(|known| known.copied(index)) {
                Some(iid @ 1..) => Name::Interned(iid),
                _ => {
                    text = world.describe_act(end.act);
                    self.act_name((kind, index), &text)
                }
            };
            self.packets.linked(end.ns, EventType::Instant, track, name, link);
        }
    }

    #[cold]
    fn act_name<'n>(&mut self, (kind, index): (usize, usize), text: &'n str) -> Name<'n> {
        let name = self.packets.name(text.as_bytes());
        if let (Name::Interned(iid), Some(known)) = (name, self.arrows.names.get_mut(kind)) {
            *known.entry(index) = iid;
        }
        name
    }

    /// The track on which is shown what somebody does.
    pub(super) fn actor_track(&mut self, world: &World, actor: Actor, core: u32) -> Uuid {
        match actor {
            Actor::Task(task) => self.calls(world, task),
            Actor::Isr(isr) => self.isr_track(world, isr, core),
            Actor::UnknownIsr => self.unknown_isr_track(),
        }
    }
}
