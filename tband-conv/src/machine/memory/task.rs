//! State of a task: how it leaves its core, and its waits.

use tband_format::registry::event_group_flags::ALL;

use super::base_priority::BasePriority;
use crate::model::{Act, Actor, End, QueueRef, TaskRef, TaskState, Wait, WaitTerms};

/// The last act of a core that may end waits.
#[derive(Clone, Copy, Debug)]
pub struct Cause {
    pub ns: i64,
    pub act: Act,
    /// Bits of an event group after it; of a queue whether it is a mutex.
    pub bits: u64,
    /// Number of this act.
    pub number: u32,
    pub by: Option<Actor>,
}

impl Cause {
    /// Returns the act as an end of a flow, if the actor is known.
    pub fn end(&self, core: u32) -> Option<End> {
        self.by.map(|actor| End { ns: self.ns, core, actor, act: self.act })
    }
}

/// State of a task.
#[derive(Clone, Copy, Debug, Default)]
pub struct TaskMemory {
    /// It may change its state from this time on, in ns.
    pub settled: i64,
    /// While it runs: its state after the next switch.
    pub leaves_to: TaskState,
    pub waiting: WaitRecord,
    /// The last core that it got, if no events are missing since.
    pub ran_on: LastCore,
    /// When it left that, in ns.
    pub left_ns: i64,
    /// The sink knows of it.
    pub listed: bool,
    pub base_priority: BasePriority,
}

/// The core that a task got last: one more than its number, or 0 if it is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LastCore(u32);

impl LastCore {
    pub const fn core(number: u32) -> Self {
        Self(number.wrapping_add(1))
    }

    /// Its number, if it is known.
    pub const fn number(self) -> Option<u32> {
        self.0.checked_sub(1)
    }
}

/// A notification that a task got.
#[derive(Clone, Copy, Debug)]
pub struct PendingNotification {
    pub index: u32,
    pub end: Option<End>,
    /// Number of this act.
    pub number: u32,
}

/// A wait, and its outcome once it is over.
#[derive(Clone, Copy, Debug, Default)]
pub struct WaitRecord {
    /// For a delay: kernel ticks that it lasts, or the tick count at its end.
    pub delay: u32,
    /// Number of the last act before it.
    pub number: u32,
    /// It is to be aborted.
    pub aborted: bool,
    pub notified: Option<PendingNotification>,
    /// It requested this recursive mutex while another task held it.
    pub asked: Option<QueueRef>,
    pub over: Option<EndedWait>,
}

/// A wait that is over, until the next act of its task.
#[derive(Clone, Copy, Debug)]
pub struct EndedWait {
    pub wait: Wait,
    /// Its outcome is reported.
    pub reported: bool,
    pub by: Option<End>,
}

impl WaitRecord {
    /// Whether an act of this number comes after its beginning.
    pub fn is_later(&self, number: u32) -> bool {
        number.wrapping_sub(self.number).cast_signed() > 0
    }
}

impl Cause {
    /// Whether this act can end a wait on these terms that began before it.
    pub fn can_end(&self, wait: Wait, terms: &WaitTerms) -> bool {
        match (wait, self.act) {
            // An item that is only peeked is available to the next task.
            (Wait::Receive(queue) | Wait::Peek(queue), Act::Send(at) | Act::Peek(at)) => {
                queue == at
            }
            (Wait::Send(queue), Act::Receive(at) | Act::Reset(at)) => queue == at,
            (Wait::ReceiveBytes(_) | Wait::SendBytes(_), act) => can_end_stream_wait(wait, act),
            (Wait::Bits(group) | Wait::EventGroupSync(group), Act::DeleteGroup(at)) => group == at,
            (Wait::Bits(group) | Wait::EventGroupSync(group), Act::SetBits(at)) => {
                let found = self.bits & terms.bits;
                let holds = if terms.flags & ALL != 0 { found == terms.bits } else { found != 0 };
                group == at && holds
            }
            _ => false,
        }
    }
}

/// The last notification's target.
#[derive(Clone, Copy, Debug)]
pub struct LastNotified {
    pub core: u32,
    pub task: TaskRef,
    /// Number of this act.
    pub number: u32,
}

/// Time for which a task's state lasts at least, in ns.
#[inline]
pub const fn least_duration(state: TaskState) -> i64 {
    // One nanosecond after its start a sink may report the object of the wait.
    let waits = matches!(state, TaskState::Blocked(_) | TaskState::Suspended | TaskState::Unknown);
    1 + waits as i64
}

/// Whether this act on a stream buffer lets another task's wait end.
pub fn can_end_stream_wait(wait: Wait, act: Act) -> bool {
    match (wait, act) {
        (Wait::ReceiveBytes(buffer), Act::SendBytes(at))
        | (Wait::SendBytes(buffer), Act::ReceiveBytes(at)) => buffer == at,
        _ => false,
    }
}

/// Whether a task gets the object that it waited for with this act.
pub fn is_acquisition(wait: Wait, act: Act) -> bool {
    match (wait, act) {
        (Wait::Receive(queue), Act::Receive(at))
        | (Wait::Send(queue), Act::Send(at))
        | (Wait::Peek(queue), Act::Peek(at)) => queue == at,
        (Wait::SendBytes(buffer), Act::SendBytes(at))
        | (Wait::ReceiveBytes(buffer), Act::ReceiveBytes(at)) => buffer == at,
        (Wait::Bits(group) | Wait::EventGroupSync(group), Act::FindBits(at)) => group == at,
        _ => false,
    }
}
