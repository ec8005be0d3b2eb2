//! The tband wire format, shared by the recorder on the target and the converter on the host.
//!
//! A recording is a sequence of frames. A frame is one event, COBS encoded ([`cobs`]) and terminated by one zero byte. An
//! event is an id byte, a timestamp unless it is metadata, and the fields that the [`registry`] lists for that id. The
//! registry is the only place where events are declared; [`Event`], its decoder, its encoder and the tables in the docs
//! are all derived from it.
//!
//! The crate is `no_std`, has no dependencies and never allocates. [`writer::FrameWriter`] is the in-place encoder that
//! the target uses; everything else is safe code and never panics. The feature `host` contains the code for the host
//! only. It is on unless the recorder turns it off, because it takes most of the build time.

#![no_std]
// The code that reads and describes fields is compiled for firmware too, because it is small.
#![cfg_attr(not(feature = "host"), allow(dead_code, reason = "only the host reads"))]

#[cfg(test)]
extern crate std;

pub mod api;
pub mod classes;
pub mod cobs;
pub mod declaration;
mod declare;
#[cfg(feature = "host")]
pub mod decode;
#[cfg(feature = "host")]
pub mod decode_described;
pub mod described_event;
#[cfg(feature = "host")]
pub mod encode;
pub mod field;
pub mod named;
pub mod packet;
pub mod reader;
pub mod registry;
pub mod schema;
mod short_reader;
pub mod timestamps;
pub mod trigger;
pub mod writer;

// The root has what every reader and writer of events names: an event, its text, and the two directions.
#[cfg(feature = "host")]
pub use decode::decode_frame;
#[cfg(feature = "host")]
pub use encode::{encode_frame, max_frame_len};
pub use field::Str;
pub use registry::Event;

/// Version of the event set that a recording names in its `trace_info` event.
///
/// It rises with the first release that has more events than the one before; ids and fields of
/// released events never change.
pub const FORMAT_VERSION: u32 = 12;
