//! State that the machine keeps between events. The files beside this folder change it.

mod base_priority;
mod begins;
mod calls;
mod core;
mod crashes;
mod filters;
mod gaps;
mod high_bits;
mod hooks;
mod newer_events;
mod pace;
mod senders;
mod shed;
mod system;
mod task;
mod tick_rate;
mod timer_task;
mod waiters;

pub use self::base_priority::BasePriority;
pub use self::calls::{Call, Calls};
pub use self::core::{Core, Cores};
pub use self::crashes::Crashes;
pub use self::filters::{Filter, Filters};
pub use self::gaps::{Gaps, ObjectReport, Resets};
pub use self::high_bits::HighBits;
pub use self::hooks::Hooks;
pub use self::newer_events::NewerEvents;
pub use self::pace::{Candidate, LEAP_NS, Leap, Pace, SHORT_NS, Sample, ShortWaits};
pub use self::senders::Senders;
pub use self::system::System;
pub use self::task::{
    Cause, EndedWait, LastCore, LastNotified, PendingNotification, TaskMemory, WaitRecord,
    can_end_stream_wait, is_acquisition, least_duration,
};
pub use self::tick_rate::TickRate;
pub use self::timer_task::{Callback, TimerTask};
pub use self::waiters::{Condition, MAX_WAITERS, Waiter, Waiters};

/// State of an event marker.
#[derive(Clone, Copy, Debug, Default)]
pub struct MarkerMemory {
    /// After which [gap of spans](Gaps::of_spans) one began or ended last.
    pub proven: u32,
    /// It is in the list of what to forget at the next gap.
    pub noted: bool,
}
