//! Flows as arrows, and what else happens to tasks and queues: instants and counters on their rows.
//!
//! An arrow connects two slices of no length, one on the row of each task; what interrupts do is on
//! rows of their own, since Perfetto's interrupt rows take no slices of others.

use std::io::Write;

use tband_format::NotifyAction;

use super::packets::{EventType, Link, Name};
use super::tracks::{Parent, Row, Shows, Uuid};
use super::{Perfetto, packets};
use crate::timeline::{Act, Actor, At, Flow, QueueChange, QueueRef, TaskChange, TaskRef, World};

/// Kinds of acts.
const ACTS: usize = 11;

/// Rows of notification values that a task has at most.
const MAX_NOTIFICATIONS: usize = 16;

/// What flows need.
#[derive(Debug, Default)]
pub struct Arrows {
    drawn: u64,
    /// Interned names by kind of act and object; 0 where there is none.
    names: [Vec<u64>; ACTS],
}

/// Further rows of a task; 0 stands for one that is not made yet.
#[derive(Clone, Debug, Default)]
pub struct TaskRows {
    stack: Uuid,
    wakes_at: Uuid,
    notifications: Vec<Uuid>,
}

/// Further rows of a queue; 0 stands for one that is not made yet.
#[derive(Clone, Copy, Debug, Default)]
pub struct QueueRows {
    events: Uuid,
    depth: Uuid,
}

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
        for (end, link) in [(flow.from, Link::Begins(id)), (flow.to, Link::Ends(id))] {
            let track = self.actor_track(world, end.actor, end.core);
            let text;
            let (kind, index) = place_of(end.act);
            let name = match self.arrows.names.get(kind).and_then(|known| known.get(index)) {
                Some(iid) if *iid != 0 => Name::Interned(*iid),
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
            if known.len() <= index {
                known.resize(index + 1, 0);
            }
            if let Some(known) = known.get_mut(index) {
                *known = iid;
            }
        }
        name
    }

    /// The row on which is shown what somebody does.
    pub(super) fn actor_track(&mut self, world: &World, actor: Actor, core: u32) -> Uuid {
        match actor {
            Actor::Task(task) => self.calls(world, task),
            Actor::Isr(isr) => self.isr_row(world, isr, core),
            Actor::UnknownIsr => self.unknown_isr_row(),
        }
    }

    #[inline(never)]
    pub(super) fn task_change(&mut self, world: &World, at: At, task: TaskRef, change: TaskChange) {
        let instant = |text: &str| (text.to_owned(), None);
        let (text, value) = match change {
            // The value stays, which stream buffers do not use.
            TaskChange::Notified { action: NotifyAction::NONE, .. } => return,
            TaskChange::Notified { index, value_after: value, .. }
            | TaskChange::NotificationTaken { index, value_after: value, .. } => {
                return self.notification(world, at, task, index, value);
            }
            // Bits that a wait clears are not told.
            TaskChange::NotificationEnds { .. } => return,
            TaskChange::NotificationDiscarded { index } => {
                (format!("notification {index} discarded"), None)
            }
            TaskChange::NotificationCleared { index, bits } => {
                (format!("bits {bits:#x} of notification {index} cleared"), None)
            }
            TaskChange::Since(ns) => return self.waits_since(task, ns),
            TaskChange::WaitAborted => instant("wait aborted"),
            TaskChange::MayRunOn(mask) => (format!("may run on cores {mask:#b}"), None),
            TaskChange::StackMargin(bytes) => ("stack margin".to_owned(), Some(bytes)),
            TaskChange::WakesAt(tick) => ("wakes at tick".to_owned(), Some(tick)),
        };
        let Some(value) = value else {
            let row = self.calls(world, task);
            let name = self.packets.name(text.as_bytes());
            return self.packets.event(at.ns, EventType::Instant, row, Some(name));
        };
        let (rank, which): (_, fn(&mut TaskRows) -> &mut Uuid) = match change {
            TaskChange::StackMargin(_) => (4, |rows| &mut rows.stack),
            _ => (6, |rows| &mut rows.wakes_at),
        };
        let mut row = self.task_row_of(task).map_or(0, |rows| *which(rows));
        if row == 0 {
            let new = Row {
                rank,
                about: match change {
                    TaskChange::StackMargin(_) => "Bytes of the task's stack that were never used.",
                    _ => "The tick count until which the task waits at most.",
                },
                ..Row::new(
                    self.process(world, task),
                    format!("{text} of {}", world.task_name(task)),
                    Shows::Counter,
                )
            };
            row = self.task_counter(world, task, new);
            if let Some(rows) = self.task_row_of(task) {
                *which(rows) = row;
            }
        }
        self.packets.counter(at.ns, row, value.into());
    }

    fn task_row_of(&mut self, task: TaskRef) -> Option<&mut TaskRows> {
        if self.task_rows.len() <= task.index() {
            self.task_rows.resize_with(task.index() + 1, TaskRows::default);
        }
        self.task_rows.get_mut(task.index())
    }

    fn notification(&mut self, world: &World, at: At, task: TaskRef, index: u32, value: u32) {
        let Some(place) = usize::try_from(index).ok().filter(|it| *it < MAX_NOTIFICATIONS) else {
            return;
        };
        let known = self.task_row_of(task).and_then(|rows| rows.notifications.get(place).copied());
        let mut row = known.unwrap_or(0);
        if row == 0 {
            let number = if index == 0 { String::new() } else { format!(" {index}") };
            let new = Row {
                rank: 3,
                about: "The value of a notification of the task.",
                ..Row::new(
                    self.process(world, task),
                    format!("notification{number} of {}", world.task_name(task)),
                    Shows::Counter,
                )
            };
            row = self.task_counter(world, task, new);
            if let Some(rows) = self.task_row_of(task) {
                if rows.notifications.len() <= place {
                    rows.notifications.resize(place + 1, 0);
                }
                if let Some(known) = rows.notifications.get_mut(place) {
                    *known = row;
                }
            }
        }
        self.packets.counter(at.ns, row, value.into());
    }

    /// How deep a mutex is held is not known any more.
    pub(super) fn depth_is_unknown(&mut self, at: At, queue: QueueRef) {
        let row = self.queue_rows.get(queue.index()).map_or(0, |rows| rows.depth);
        self.counter_is_unknown(at, row);
    }

    #[inline(never)]
    pub(super) fn queue_change(
        &mut self,
        world: &World,
        at: At,
        queue: QueueRef,
        change: QueueChange,
        by: Option<Actor>,
    ) {
        let what = match change {
            QueueChange::Peek => "peek",
            QueueChange::PeekFailed => "peek failed",
            QueueChange::SendFailed => "send failed",
            QueueChange::ReceiveFailed => "receive failed",
            QueueChange::TakeFailed => "recursive take failed",
            QueueChange::GiveFailed => "recursive give failed",
            QueueChange::Deleted => "deleted",
            QueueChange::Depth(_) => "depth",
        };
        if change == QueueChange::Deleted {
            // What it counted ends with it.
            let level = self.queue(queue).map_or(0, |queue| queue.level());
            let depth = self.queue_rows.get(queue.index()).map_or(0, |rows| rows.depth);
            for row in [level, depth].into_iter().filter(|row| *row != 0) {
                self.packets.counter(at.ns, row, 0);
            }
        }
        let group = super::rows::group_of(world.queues.get(queue));
        if self.queue_rows.len() <= queue.index() {
            self.queue_rows.resize(queue.index() + 1, QueueRows::default());
        }
        let Some(rows) = self.queue_rows.get_mut(queue.index()) else { return };
        let packets: &mut packets::Packets<W> = &mut self.packets;
        let row = |of: &str, tracks: &super::Tracks| {
            let name = tracks.unique(group, &world.queue_name(queue));
            Row::new(Parent::Group(group), format!("{name} {of}"), Shows::Slices)
        };
        if let QueueChange::Depth(depth) = change {
            if rows.depth == 0 {
                let row = Row {
                    shows: Shows::Counter,
                    about: "How many times its holder has taken the recursive mutex.",
                    ..row("depth", &self.tracks)
                };
                rows.depth = self.tracks.make(packets, row);
            }
            return packets.counter(at.ns, rows.depth, depth.into());
        }
        if rows.events == 0 {
            let row = row("events", &self.tracks);
            rows.events = self.tracks.make(packets, row);
        }
        let text = match by {
            Some(by) => format!("{what} by {}", world.actor_name(by, at.core)),
            None => what.to_owned(),
        };
        let name = packets.name(text.as_bytes());
        packets.event(at.ns, EventType::Instant, rows.events, Some(name));
    }
}
