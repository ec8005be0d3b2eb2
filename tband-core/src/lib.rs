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
pub mod emit;
mod external;
pub mod filter;
pub mod lock;
pub mod metadata;
pub mod named;
pub mod packet;
pub mod port;
mod recorder;
pub mod ring;
pub mod shedding;
pub mod snapshot;
mod state;
mod stream;
pub mod streaming;
pub mod table;
pub mod triggers;

// The root has what every firmware names: a recorder, its backends, port and state.
pub use backend::Backend;
pub use external::External;
pub use port::Port;
pub use recorder::Recorder;
pub use snapshot::Snapshot;
pub use state::CoreState;
pub use streaming::Streaming;
// Functions of the recorder take and return these, so firmware needs no dependency on the format.
pub use tband_format::classes;
pub use tband_format::packet::command::Command;
pub use tband_format::trigger;
pub use tband_format::writer::RawFrame;
