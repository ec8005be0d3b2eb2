//! The tband recorder, independent of C.
//!
//! [`Recorder`] turns events into frames and passes them to a backend: [`Snapshot`] (fill a buffer per
//! core, then stop), [`Streaming`] (pass every frame to the port) or [`External`] (like streaming,
//! always on, to the user's own function). It accesses the firmware only through the [`Port`] trait.
//! `tband-ffi` implements that for C; Rust firmware can implement it itself.
//!
//! Contexts: every method that takes a [`CoreState`] must run inside the port's critical section of
//! that core, from a task or an interrupt. Only its own core touches per-core state, except for a few
//! words that are written with plain atomic stores; the crate builds for chips without
//! compare-and-swap. All state is valid when zero. Nothing here panics, allocates or divides.

#![no_std]

#[cfg(test)]
extern crate std;

mod atomics;
mod backend;
mod bounded;
mod declared;
mod emit;
mod external;
mod filter;
mod lock;
mod metadata;
mod named;
mod packet;
mod port;
mod recorder;
mod ring;
mod shedding;
mod snapshot;
mod state;
mod stream;
mod streaming;
mod table;
mod triggers;

pub use backend::Backend;
pub use emit::{
    Head, MAX_NUMBERS, Numbers, Shape, U32, U32S64, U32Str, U32U32, frame_buf_size, timed_frame_len,
};
pub use external::External;
pub use filter::{Choice, Filter, InvalidSelection};
#[cfg(target_has_atomic = "8")]
pub use lock::SpinLock;
pub use metadata::Metadata;
pub use named::number_of_name;
pub use packet::{LONG, RttBuffer};
pub use port::{Port, SystemInfo};
pub use recorder::Recorder;
pub use ring::{
    HEAD_LEN, MetadataLocation, PacketSetup, Policy, Reader, Ring, TO_TAIL, TableMeasure, Tail,
};
pub use shedding::{Shed, ShedOrder, Shedding};
pub use snapshot::{NotStarted, Snapshot};
pub use state::CoreState;
pub use streaming::{StartError, Streaming};
pub use table::Search;
pub use tband_format::Command;
pub use tband_format::classes;
pub use tband_format::trigger;
pub use tband_format::writer::RawFrame;
pub use triggers::{ANY, COUNTS, NextAction, RELISTED, RecordedEvent, TRIGGERS, Trigger, Triggers};
