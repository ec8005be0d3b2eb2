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

mod api;
pub mod classes;
pub mod cobs;
mod declaration;
mod declare;
#[cfg(feature = "host")]
mod decode;
#[cfg(feature = "host")]
mod decode_described;
mod described_event;
#[cfg(feature = "host")]
mod encode;
mod field;
#[cfg(feature = "host")]
mod fixed;
mod named;
mod packed;
pub mod packet;
mod reader;
pub mod registry;
mod schema;
mod short_reader;
mod text;
mod timestamps;
pub mod trigger;
pub mod writer;

pub use api::{API_FUNCTIONS, api_function};
pub use cobs::BufferTooSmall;
pub use declaration::{DECLARATIONS, Declaration, MAX_DECLARATION};
#[cfg(feature = "host")]
pub use decode::{
    DecodeError, Decoded, EventHandler, FrameError, WINDOW, decode_frame, decode_in_window,
    decode_payload,
};
#[cfg(feature = "host")]
pub use decode_described::{
    DESCRIBED_ROOM, DescribedPacked, decode_described, decode_described_packed,
};
pub use described_event::DescribedEvent;
#[cfg(feature = "host")]
pub use encode::{EncodeError, encode_frame, encode_payload, max_frame_len};
pub use field::{Field, FieldKind, Str, Value};
#[cfg(feature = "host")]
pub use fixed::FIXED_WINDOW;
pub use named::{
    CrashKind, Created, FaultFact, NotifyAction, QueueKind, StreamBufferKind, TimerCommand,
};
pub use packet::command::{
    COMMAND_ERRORS, COMMAND_KINDS, Command, CommandKind, MAX_ARGUMENTS, MAX_COMMAND_FRAME,
};
pub use reader::{FieldError, Reader, leading_varint};
pub use registry::{EVENTS, Event, EventDef, FieldDef, Group};
pub use schema::{MAX_SCHEMA_FIELDS, MAX_SCHEMA_NAME, Schema, SchemaError, SchemaKind};
pub use timestamps::Timestamps;

/// Version of the event set that a recording names in its `trace_info` event.
///
/// It rises with the first release that has more events than the one before; ids and fields of
/// released events never change.
pub const FORMAT_VERSION: u32 = 12;
