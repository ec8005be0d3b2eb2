//! The rows of tasks: their threads, states and waits.

pub(in crate::sinks::perfetto) mod activations;
pub(in crate::sinks::perfetto) mod calls;
pub(in crate::sinks::perfetto) mod load;
pub(in crate::sinks::perfetto) mod sched;
pub(in crate::sinks::perfetto) mod states;
pub(in crate::sinks::perfetto) mod threads;
pub(in crate::sinks::perfetto) mod tids;
pub(in crate::sinks::perfetto) mod waits;
