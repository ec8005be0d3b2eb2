//! Flows: which act of one task or interrupt led to which act of another.

use super::object::{EventGroupRef, IsrRef, QueueRef, StreamBufferRef, TaskRef};

/// Which flows are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Flows {
    /// None.
    None,
    /// From the act that ended a task's wait to the task's next act on the object, from the time that a timer is active to its
    /// callback, and from the core that a task leaves to its next core.
    #[default]
    Wakes,
    /// These, and from every item's sender to its receiver, which may be one task.
    All,
}

/// The actor: the innermost open interrupt of the core, or otherwise the task that runs there. If neither is known, as
/// before the scheduler runs or after missing events, the actor is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Actor {
    /// A task.
    Task(TaskRef),
    /// An interrupt.
    Isr(IsrRef),
    /// An interrupt that is not recorded itself.
    UnknownIsr,
}

impl Actor {
    /// The task, if it is one.
    #[must_use]
    pub const fn task(self) -> Option<TaskRef> {
        match self {
            Self::Task(task) => Some(task),
            Self::Isr(_) | Self::UnknownIsr => None,
        }
    }

    /// An interrupt, recorded or not.
    #[must_use]
    pub const fn is_isr(self) -> bool {
        matches!(self, Self::Isr(_) | Self::UnknownIsr)
    }
}

/// An act on an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Act {
    /// An item is sent, a semaphore or mutex given.
    Send(QueueRef),
    /// An item is received, a semaphore or mutex taken.
    Receive(QueueRef),
    /// An item is peeked.
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
    /// This task leaves a core, and moves to another one next.
    LeaveCore(TaskRef),
    /// This task arrives on a core from another one.
    ComeToCore(TaskRef),
}

/// One end of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// When, in ns.
    pub ns: i64,
    /// On which core.
    pub core: u32,
    /// The actor.
    pub actor: Actor,
    /// The act.
    pub act: Act,
}

/// An act and its consequence, which is not earlier: by another task or interrupt, on another core, or, with [`Flows::All`],
/// the receipt of an item by the task that sent it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    /// The first act.
    pub from: End,
    /// The later act.
    pub to: End,
    /// It ended the wait of the task that acts then.
    pub woke: bool,
    /// Possible error, in ns, between the two ends' clocks, which is at least the time between them. Their order is known from
    /// the kinds of acts, not from their times, and the second may even have the earlier time. 0 if times are certain.
    pub uncertain_ns: i64,
}

impl Flow {
    /// Whether a task received its own item: a cause of its next work, but not an arrow between two rows.
    #[must_use]
    pub fn is_to_itself(&self) -> bool {
        self.from.actor == self.to.actor && !matches!(self.from.act, Act::LeaveCore(_))
    }
}
