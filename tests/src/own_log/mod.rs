//! The log that `examples/riscv-smp` keeps of what it does, and the comparison of its recordings with that.

mod compare;
mod entry;
mod recorded;

pub use compare::{Found, compare, lengths_follow};
pub use entry::{Entry, read_log};
pub use recorded::{Cores, Field, Recorded, of_frames, of_packets};
