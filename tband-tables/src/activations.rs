//! Activations, their parts, and holds of locks, as rows.

use std::io;

use tband_conv::activations::{
    Activation, ActivationSink, LockHold, Occupant, PartKind, PathSegment, Reason, Subject,
};
use tband_conv::model::World;

use crate::periods::Periods;
use crate::row::Rows;

/// The tables that are wanted of these.
pub struct ActivationRows<R> {
    recording: String,
    pub activations: Option<R>,
    pub parts: Option<R>,
    pub holds: Option<R>,
    pub periods: Periods<R>,
}

impl<R: Rows> ActivationRows<R> {
    /// Writes rows of this recording to the tables that are there.
    pub fn new(recording: &str, [activations, parts, holds, periods]: [Option<R>; 4]) -> Self {
        let periods = Periods::new(recording, periods);
        Self { recording: recording.to_owned(), activations, parts, holds, periods }
    }

    /// A table of these is wanted.
    pub const fn is_wanted(&self) -> bool {
        self.activations.is_some()
            || self.parts.is_some()
            || self.holds.is_some()
            || self.periods.table.is_some()
    }
}

impl<R: Rows> ActivationSink for ActivationRows<R> {
    fn activation(&mut self, world: &World, it: &Activation) -> io::Result<()> {
        self.periods.activation(it);
        let Some(table) = &mut self.activations else { return Ok(()) };
        let woken_by = world.waker_name(it.woken_by, it.core);
        let sum = |kind| it.sum(kind).into();
        table.row(&[
            (&self.recording).into(),
            it.subject.id(world).into(),
            (&it.subject.name(world)).into(),
            it.subject.kind().into(),
            it.number.into(),
            it.core.into(),
            it.release.name().into(),
            it.release.object(world).as_ref().into(),
            woken_by.as_ref().into(),
            it.released_ns.into(),
            it.ready_ns.into(),
            it.started_ns.into(),
            it.ended_ns.into(),
            sum(PartKind::Backlog),
            sum(PartKind::Own),
            sum(PartKind::Interrupts),
            sum(PartKind::Preempted),
            sum(PartKind::Shared),
            sum(PartKind::Pushed),
            sum(PartKind::HeldOff),
            sum(PartKind::Locked),
            sum(PartKind::Room),
            sum(PartKind::Suspended),
            sum(PartKind::Unknown),
            it.inverted_ns.into(),
            it.resumes.into(),
            it.merged.into(),
            it.priority.into(),
            it.begin_seen.into(),
            it.end_seen.into(),
        ])
    }

    fn part(&mut self, world: &World, part: &PathSegment<'_>) -> io::Result<()> {
        let Some(table) = &mut self.parts else { return Ok(()) };
        let path = part.path;
        let name = |occupant: &Occupant| occupant.name(world);
        let by = match &path.reason {
            Reason::Interrupt(isr, core) => Some(world.isr_name(*isr, *core).to_string()),
            Reason::Preempted(by)
            | Reason::Shares(by)
            | Reason::Pushed(by)
            | Reason::HeldOff(by) => Some(by.iter().map(name).collect::<Vec<_>>().join(", ")),
            Reason::Room(_, by) | Reason::BufferRoom(_, by) | Reason::Suspended(by) => {
                by.as_ref().map(name)
            }
            _ => None,
        };
        let last = path.locks.last();
        let lock = last.map(|link| world.queue_name(link.lock).to_string());
        let holder = last.and_then(|link| link.holder);
        let holder = holder.map(|holder| world.task_name(holder).to_string());
        table.row(&[
            (&self.recording).into(),
            part.subject.id(world).into(),
            (&part.subject.name(world)).into(),
            part.subject.kind().into(),
            part.number.into(),
            part.begin_ns.into(),
            part.end_ns.into(),
            (&path.describe(world)).into(),
            path.kind().name().into(),
            by.as_ref().into(),
            lock.as_ref().into(),
            holder.as_ref().into(),
            path.locks.len().into(),
            path.is_inverted.into(),
        ])
    }

    fn hold(&mut self, world: &World, hold: &LockHold) -> io::Result<()> {
        let Some(table) = &mut self.holds else { return Ok(()) };
        let queue = world.queues.get(hold.lock);
        let kind = queue.and_then(|queue| queue.kind).and_then(|kind| kind.name());
        let holder = hold.holder.map(Subject::Task);
        table.row(&[
            (&self.recording).into(),
            queue.map_or(0, |queue| queue.id).into(),
            (&world.queue_name(hold.lock).to_string()).into(),
            kind.unwrap_or("queue").into(),
            holder.map(|holder| holder.id(world)).into(),
            holder.map(|holder| holder.name(world)).as_ref().into(),
            hold.begin_ns.into(),
            hold.end_ns.into(),
            hold.waiters.into(),
            hold.begin_seen.into(),
            hold.end_seen.into(),
        ])
    }
}
