//! What the machine remembers of a task: how it leaves its core, and its waits.

use tband_format::registry::event_group_flags::ALL;

use super::base_priority::BasePriority;
use crate::model::{Act, Actor, End, QueueRef, TaskRef, TaskState, Terms, Wait};

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
    /// The act as an end of a flow, if it is known who acted.
    pub fn end(&self, core: u32) -> Option<End> {
        self.by.map(|actor| End { ns: self.ns, core, actor, act: self.act })
    }
}

/// What the machine remembers of a task.
#[derive(Clone, Copy, Debug, Default)]
pub struct TaskMemory {
    /// It may change its state from this time on, in ns.
    pub settled: i64,
    /// While it runs: what becomes of it at the next switch.
    pub leaves_to: TaskState,
    pub waiting: Waiting,
    /// The core that it got last, if nothing is missing since.
    pub ran_on: RanOn,
    /// When it left that, in ns.
    pub left_ns: i64,
    /// The sink knows of it.
    pub listed: bool,
    pub base_priority: BasePriority,
}

/// The core that a task got last: one more than its number, or 0 if it is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RanOn(u32);

impl RanOn {
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
pub struct Notified {
    pub index: u32,
    pub end: Option<End>,
    /// Number of this act.
    pub number: u32,
}

/// A wait, and once it is over how it ended.
#[derive(Clone, Copy, Debug, Default)]
pub struct Waiting {
    /// Of a delay: kernel ticks that it lasts, or the tick count at its end.
    pub delay: u32,
    /// Number of the last act before it.
    pub number: u32,
    /// It is to be aborted.
    pub aborted: bool,
    pub notified: Option<Notified>,
    /// It asked for this recursive mutex while another task held it.
    pub asked: Option<QueueRef>,
    pub over: Option<Over>,
}

/// A wait that is over, until its task acts on.
#[derive(Clone, Copy, Debug)]
pub struct Over {
    pub wait: Wait,
    /// Its outcome is reported.
    pub reported: bool,
    pub by: Option<End>,
}

impl Waiting {
    /// An act of this number comes after its beginning.
    pub fn is_later(&self, number: u32) -> bool {
        number.wrapping_sub(self.number).cast_signed() > 0
    }
}

impl Cause {
    /// Whether this act can end a wait on these terms that began before it.
    pub fn ends(&self, wait: Wait, terms: &Terms) -> bool {
        match (wait, self.act) {
            // An item that is only looked at is there for the next.
            (Wait::Receive(queue) | Wait::Peek(queue), Act::Send(at) | Act::Peek(at)) => {
                queue == at
            }
            (Wait::Send(queue), Act::Receive(at) | Act::Reset(at)) => queue == at,
            (Wait::ReceiveBytes(_) | Wait::SendBytes(_), act) => lets_go_on(wait, act),
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

/// Who was notified last.
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
    // One nanosecond after its start a sink may say what the task waits for.
    let waits = matches!(state, TaskState::Blocked(_) | TaskState::Suspended | TaskState::Unknown);
    1 + waits as i64
}

/// With this act on a stream buffer somebody else ends this wait.
pub fn lets_go_on(wait: Wait, act: Act) -> bool {
    match (wait, act) {
        (Wait::ReceiveBytes(buffer), Act::SendBytes(at))
        | (Wait::SendBytes(buffer), Act::ReceiveBytes(at)) => buffer == at,
        _ => false,
    }
}

/// With this act a task gets what it waited for.
pub fn gets(wait: Wait, act: Act) -> bool {
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
