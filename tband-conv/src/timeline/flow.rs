//! Flows: which act of one task or interrupt led to which act of another.
//!
//! Items of a queue are matched first in, first out, from its level: of `n` items the last ones are
//! those whose senders are known, so whatever was in it before (at the start, behind a gap) costs no
//! more than the arrows that cannot be drawn, and never a false one. Bytes of a stream buffer are
//! matched in the same way. Senders are kept up to a bound for each object and for all.

use std::collections::VecDeque;
use std::io;

use super::change::{Change, QueueCause, Sink};
use super::world::{EventGroupRef, IsrRef, QueueRef, StreamBufferRef, TaskRef};
use super::{Step, Timeline};

/// Which flows are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Flows {
    /// None.
    None,
    /// From what ended a task's wait to what the task did next with the object, and from the time that
    /// a timer is armed to its callback.
    #[default]
    Wakes,
    /// These, and from every item's sender to its receiver.
    All,
}

/// Who does something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {
    /// A task.
    Task(TaskRef),
    /// An interrupt.
    Isr(IsrRef),
    /// An interrupt that is not recorded itself.
    UnknownIsr,
}

impl Actor {
    /// The innermost open interrupt, else the running task; from an interrupt that is not open it is
    /// neither.
    pub(super) fn of(isr: Option<IsrRef>, from_isr: bool, task: Option<TaskRef>) -> Option<Self> {
        match isr {
            Some(isr) => Some(Self::Isr(isr)),
            None if from_isr => Some(Self::UnknownIsr),
            None => task.map(Self::Task),
        }
    }
}

/// What is done to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Act {
    /// An item is sent, a semaphore or mutex given.
    Send(QueueRef),
    /// An item is received, a semaphore or mutex taken.
    Receive(QueueRef),
    /// An item is looked at.
    Peek(QueueRef),
    /// A queue is emptied.
    Reset(QueueRef),
    /// Bytes are sent to a stream buffer.
    SendBytes(StreamBufferRef),
    /// Bytes are received from a stream buffer.
    ReceiveBytes(StreamBufferRef),
    /// Bits of an event group are set.
    SetBits(EventGroupRef),
    /// A wait for bits of an event group ends.
    FindBits(EventGroupRef),
    /// An event group is deleted.
    DeleteGroup(EventGroupRef),
    /// This task is notified.
    Notify(TaskRef),
    /// A task takes its notification.
    TakeNotification,
}

/// One end of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// When, in ns.
    pub ns: i64,
    /// On which core.
    pub core: u32,
    /// Who.
    pub actor: Actor,
    /// What.
    pub act: Act,
}

/// An act and what followed from it, by somebody else and not earlier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    /// What came first.
    pub from: End,
    /// What followed.
    pub to: End,
    /// It ended the wait of the task that acts then.
    pub woke: bool,
}

/// Senders that are kept for one object.
const MAX_KEPT: usize = 1024;
/// Senders that are kept in all.
const MAX_KEPT_IN_ALL: usize = 1 << 16;

/// Where the bytes that one act put into a stream buffer end, counted from the first that is known.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    end: u64,
    from: End,
}

#[derive(Clone, Debug, Default)]
struct Bytes {
    /// Bytes put in so far, lengths of messages included where they can be told.
    sent: u64,
    /// Bytes in it, if known.
    level: Option<u32>,
    stretches: VecDeque<Stretch>,
}

/// Senders of what lies in queues and stream buffers.
#[derive(Debug, Default)]
pub(super) struct Senders {
    pub mode: Flows,
    queues: Vec<VecDeque<End>>,
    buffers: Vec<Bytes>,
    kept: usize,
}

impl Senders {
    fn has_room(&self, kept: usize) -> bool {
        kept < MAX_KEPT && self.kept < MAX_KEPT_IN_ALL
    }

    /// An item comes in last.
    fn push(&mut self, queue: QueueRef, from: Option<End>) {
        let index = queue.index();
        let kept = self.queues.get(index).map_or(0, VecDeque::len);
        let Some(from) = from.filter(|_| self.has_room(kept)) else {
            // Its sender is not known, so those before it cannot be told apart any more.
            return self.forget_queue(queue);
        };
        if self.queues.len() <= index {
            self.queues.resize_with(index + 1, VecDeque::new);
        }
        if let Some(items) = self.queues.get_mut(index) {
            items.push_back(from);
            self.kept += 1;
        }
    }

    /// The first item goes out and leaves this many; gives its sender if that is known.
    fn pop(&mut self, queue: QueueRef, level_after: u32) -> Option<End> {
        let items = self.queues.get_mut(queue.index())?;
        let mut first = None;
        while items.len() > level_after as usize {
            first = items.pop_front();
            self.kept = self.kept.saturating_sub(1);
        }
        first
    }

    /// The item that came in last goes to the front of this many.
    pub fn move_to_front(&mut self, queue: QueueRef, level: u32) {
        match self.queues.get_mut(queue.index()) {
            Some(items) if items.len() == level as usize => items.rotate_right(items.len().min(1)),
            _ => self.forget_queue(queue),
        }
    }

    /// What is in a queue is not known any more, or nothing is.
    pub fn forget_queue(&mut self, queue: QueueRef) {
        if let Some(items) = self.queues.get_mut(queue.index()) {
            self.kept = self.kept.saturating_sub(items.len());
            items.clear();
        }
    }

    /// As [`forget_queue`](Self::forget_queue).
    pub fn forget_buffer(&mut self, buffer: StreamBufferRef) {
        if let Some(bytes) = self.buffers.get_mut(buffer.index()) {
            self.kept = self.kept.saturating_sub(bytes.stretches.len());
            bytes.stretches.clear();
            bytes.level = None;
        }
    }

    /// What is in stream buffers is not known any more.
    pub fn forget_buffers(&mut self) {
        for bytes in &mut self.buffers {
            self.kept = self.kept.saturating_sub(bytes.stretches.len());
            bytes.stretches.clear();
            bytes.level = None;
        }
    }

    fn push_bytes(
        &mut self,
        (buffer, level_after): (StreamBufferRef, u32),
        amount: u32,
        from: Option<End>,
    ) {
        let index = buffer.index();
        if self.buffers.len() <= index {
            self.buffers.resize_with(index + 1, Bytes::default);
        }
        let kept = self.buffers.get(index).map_or(0, |bytes| bytes.stretches.len());
        let has_room = self.has_room(kept);
        let Some(bytes) = self.buffers.get_mut(index) else { return };
        let before = bytes.level.replace(level_after);
        let more = before.and_then(|before| level_after.checked_sub(before)).unwrap_or(amount);
        bytes.sent = bytes.sent.saturating_add(more.into());
        match from.filter(|_| has_room) {
            Some(from) => {
                bytes.stretches.push_back(Stretch { end: bytes.sent, from });
                self.kept += 1;
            }
            None => self.forget_buffer(buffer),
        }
    }

    /// The first bytes go out and leave this many; gives who sent the first of them, if that is
    /// known.
    fn pop_bytes(&mut self, buffer: StreamBufferRef, level_after: u32) -> Option<End> {
        let bytes = self.buffers.get_mut(buffer.index())?;
        bytes.level = Some(level_after);
        let out = bytes.sent.saturating_sub(level_after.into());
        let mut first = None;
        while let Some(stretch) = bytes.stretches.front()
            && stretch.end <= out
        {
            first = first.or(Some(stretch.from));
            bytes.stretches.pop_front();
            self.kept = self.kept.saturating_sub(1);
        }
        first
    }
}

impl Timeline {
    /// Who acts on a core.
    pub(super) fn actor(&mut self, core: u32, from_isr: bool) -> Option<Actor> {
        let core = self.core(core);
        Actor::of(core.isrs.last().copied(), from_isr, core.running)
    }

    /// An act that happens now on the core of this step.
    pub(super) fn end<S: Sink + ?Sized>(
        &mut self,
        step: &Step<'_, S>,
        act: Act,
        from_isr: bool,
    ) -> Option<End> {
        let super::At { ns, core } = step.at;
        self.actor(core, from_isr).map(|actor| End { ns, core, actor, act })
    }

    /// Tells that one act followed from another.
    pub(super) fn flow<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        from: End,
        to: End,
        woke: bool,
    ) -> io::Result<()> {
        // Clocks of cores may differ a little.
        if self.senders.mode == Flows::None || from.actor == to.actor || from.ns > to.ns {
            return Ok(());
        }
        step.sink.change(&self.world, step.at, &Change::Flow(&Flow { from, to, woke }))
    }

    /// An item goes in or out of a queue. `woken_by` has ended the wait of the task that acts.
    pub(super) fn match_item<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        (queue, level): (QueueRef, u32),
        cause: QueueCause,
        now: Option<End>,
        woken_by: Option<End>,
    ) -> io::Result<()> {
        let mut from = None;
        match cause {
            QueueCause::Send => self.senders.push(queue, now),
            QueueCause::Overwrite => {
                self.senders.forget_queue(queue);
                self.senders.push(queue, now);
            }
            QueueCause::Receive => from = self.senders.pop(queue, level),
            QueueCause::Reset | QueueCause::Told => self.senders.forget_queue(queue),
        }
        match (from.or(woken_by), now) {
            (Some(from), Some(now)) => self.flow(step, from, now, woken_by.is_some()),
            _ => Ok(()),
        }
    }

    /// As [`match_item`](Self::match_item) for the bytes of a stream buffer, of which `sent` were sent
    /// or else some received.
    pub(super) fn match_bytes<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        (buffer, level): (StreamBufferRef, u32),
        sent: Option<u32>,
        now: Option<End>,
        woken_by: Option<End>,
    ) -> io::Result<()> {
        let mut from = None;
        if self.senders.mode == Flows::All {
            match sent {
                Some(amount) => self.senders.push_bytes((buffer, level), amount, now),
                None => from = self.senders.pop_bytes(buffer, level),
            }
        }
        match (from.or(woken_by), now) {
            (Some(from), Some(now)) => self.flow(step, from, now, woken_by.is_some()),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::World;

    fn queue() -> QueueRef {
        World::default().queue(1).unwrap()
    }

    fn sent(ns: i64) -> Option<End> {
        Some(End { ns, core: 0, actor: Actor::UnknownIsr, act: Act::Send(queue()) })
    }

    fn pop(senders: &mut Senders, level: u32) -> Option<i64> {
        senders.pop(queue(), level).map(|end| end.ns)
    }

    #[test]
    fn items_that_were_there_before_go_first() {
        let mut senders = Senders::default();
        // Two items are in it already.
        senders.push(queue(), sent(1));
        senders.push(queue(), sent(2));
        assert_eq!(pop(&mut senders, 3), None);
        assert_eq!(pop(&mut senders, 2), None);
        assert_eq!(pop(&mut senders, 1), Some(1));
        assert_eq!(pop(&mut senders, 0), Some(2));
        assert_eq!(pop(&mut senders, 0), None);
    }

    #[test]
    fn an_item_sent_to_the_front_goes_first() {
        let mut senders = Senders::default();
        senders.push(queue(), sent(1));
        senders.push(queue(), sent(2));
        senders.move_to_front(queue(), 2);
        assert_eq!(pop(&mut senders, 1), Some(2));
        // In front of an item of which nothing is known: none can be told apart.
        senders.push(queue(), sent(3));
        senders.move_to_front(queue(), 3);
        assert_eq!([2, 1, 0].map(|level| pop(&mut senders, level)), [None; 3]);
        assert_eq!(senders.kept, 0);
    }

    #[test]
    fn the_number_of_senders_is_bounded() {
        let mut senders = Senders::default();
        for ns in 0..10_000 {
            senders.push(queue(), sent(ns));
            assert!(senders.kept <= MAX_KEPT);
        }
        senders.forget_queue(queue());
        assert_eq!(senders.kept, 0);
    }
}
