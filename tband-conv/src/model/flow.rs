//! Flows: which act of one task or interrupt led to which act of another.

use super::object::{EventGroupRef, IsrRef, QueueRef, StreamBufferRef, TaskRef};

/// Which flows are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Flows {
    /// None.
    None,
    /// From what ended a task's wait to what the task did next with the object, from the time that
    /// a timer is active to its callback, and from the core that a task leaves to the one it comes to.
    #[default]
    Wakes,
    /// These, and from every item's sender to its receiver, which may be one task.
    All,
}

/// Who does something: the innermost open interrupt of the core, else the task that runs there. Where neither is
/// known, as before the scheduler runs or after missing events, there is no actor.
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

/// What is done to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
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
    /// This task leaves a core, and comes to another one next.
    LeaveCore(TaskRef),
    /// This task comes to a core from another one.
    ComeToCore(TaskRef),
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

/// An act and what followed from it, not earlier: by another task or interrupt, on another core, or, with [`Flows::All`], the receipt of an
/// item by the task that sent it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    /// What came first.
    pub from: End,
    /// What followed.
    pub to: End,
    /// It ended the wait of the task that acts then.
    pub woke: bool,
    /// The two are of clocks that may be wrong against each other by so many ns, which is no less than what is between them: their
    /// order is known by what they are, not by their times, and the second may even have the earlier one. 0 if times are certain.
    pub uncertain_ns: i64,
}

impl Flow {
    /// A task received what it had sent: a cause of its next work, and no arrow between two rows.
    #[must_use]
    pub fn is_to_itself(&self) -> bool {
        self.from.actor == self.to.actor && !matches!(self.from.act, Act::LeaveCore(_))
    }
}
