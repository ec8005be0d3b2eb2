//! The log that `examples/riscv-smp` writes of its actions, and the comparison of its recordings with it.

mod compare;
mod entry;
mod recorded;

pub use compare::{LogComparison, compare, lengths_follow};
pub use entry::{Entry, read_log};
pub use recorded::{Cores, Field, RecordedEvent, of_frames, of_packets};
