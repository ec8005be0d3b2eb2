//! Writes flux, the format of toem's impulse. [`encoding`] encodes entries and samples as bytes, both for recordings that
//! `tband-cli` converts and for firmware. [`Trace`] and [`Buffer`] are an emitter for firmware with custom signals.
//!
//! The emitter uses only the memory that its caller provides, and neither allocates nor panics nor divides. Its stack is
//! bounded: no function recurses. One context writes a buffer at a time; `tband-flux-ffi`, which C calls, detects a
//! second one on the same core.

#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;

mod buffer;
pub mod encoding;
mod error;
mod handler;
mod items;
mod linear;
mod ring;
mod sequences;
mod trace;

pub use buffer::Buffer;
pub use error::Error;
pub use handler::Handler;
pub use items::Item;
pub use sequences::Sequence;
pub use trace::{Setup, Trace};
