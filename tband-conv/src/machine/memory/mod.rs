//! State that the machine keeps between events. The files beside this folder change it.

pub mod base_priority;
mod begins;
pub mod calls;
pub mod core;
pub mod crashes;
pub mod filters;
pub mod gaps;
pub mod high_bits;
pub mod hooks;
pub mod newer_events;
pub mod pace;
pub mod senders;
mod shed;
pub mod system;
pub mod task;
pub mod tick_rate;
pub mod timer_task;
pub mod waiters;

/// State of an event marker.
#[derive(Clone, Copy, Debug, Default)]
pub struct MarkerMemory {
    /// After which [gap of spans](Gaps::of_spans) one began or ended last.
    pub proven: u32,
    /// It is in the list of what to forget at the next gap.
    pub noted: bool,
}
