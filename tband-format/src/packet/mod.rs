//! Packets: the second wire format, beside frames.
//!
//! A packet contains events of one core, with the information that a reader needs to validate it: a sequence number,
//! the times at which it begins and ends, how many events the target has discarded so far, and a checksum over all of
//! it. It is, byte for byte, a packet of the Common Trace Format, version 2 (CTF 2). All integers of fixed length are
//! little-endian.
//!
//! | bytes | header |
//! |---|---|
//! | 4 | [`MAGIC`] |
//! | 1 | stream: the core, or [`METADATA_STREAM`] |
//! | 1 | [`VERSION`] |
//! | 2 | sequence number, modulo 2^16 |
//! | 2 | size of header and events in bits |
//! | 2 | size of the packet in bits |
//! | 4 | [`check`] over header, with this field 0, and events; 0 if it was not computed |
//! | 8 | time of the packet's begin, in ticks |
//! | 8 | time of its end |
//! | 4 | events discarded so far, modulo 2^32 |
//!
//! An event is its id (a byte), its time, and its fields. The time is 1, 2, 4 or 8 bytes: from bit 2 on the lowest 6,
//! 14, 30 or 62 bits of the time, as few as the distance to the event before needs (for the first one, to the begin
//! of the packet), and below them which it is, 0 to 3. Fields are written as
//!
//! | field | in packets |
//! |---|---|
//! | `u8`, enumerations | a byte |
//! | `u32`, `u64` | LEB128 |
//! | `s64` | signed LEB128 |
//! | `ticks_to_wait` | signed LEB128 of the same 32 bits, so that for ever is one byte, -1 |
//! | what may be missing | signed LEB128, -1 if it is |
//! | strings | their bytes and a NUL |
//!
//! Each event has all its fields, metadata has a time too, and nothing depends on other packets. A packet begins with
//! the state of its core, at the time of its begin: `running_task` if the running task is known, and an `open_isr`
//! for each open interrupt, outermost first.
//!
//! # Metadata
//! The stream [`METADATA_STREAM`] describes the objects: names and other metadata, at the start of a recording and
//! repeatedly. After the header its packets contain frames as in the other format, each with its terminating zero
//! byte; no frame is split between two packets. A `core_id` frame gives the core of the metadata that follows, up to
//! the next such frame; before the first one it is core 0. The stream counts its packets separately: the first one of
//! a recording has number 0. Begin and end are the time at which the packet was written. A repetition changes
//! nothing. Changes while recording runs are events in packets, too.
//!
//! # Packets out of memory
//! The checksum is computed when a packet is sent, so a packet that was read out of the target's memory has none: 0.
//! Such a packet is accepted if it is longer than its content, because a packet in memory fills its slot, and if it
//! is consistent: the content consists of events, the last one ends at its end, and their times are between begin and
//! end. A computed checksum is never 0, and a packet that was sent ends with its content, so zeros in place of its
//! checksum are damage.

mod check;
pub mod command;
mod header;
#[cfg(feature = "host")]
mod reader;
#[cfg(feature = "host")]
mod skipped_events;
#[cfg(feature = "host")]
mod time;
#[cfg(feature = "host")]
mod writer;

pub use check::{check, of_hash, step};
pub use header::{
    BEGIN_AT, HEADER_LEN, Header, HeaderError, MAGIC, MAX_LEN, METADATA_STREAM, VERSION,
};
#[cfg(feature = "host")]
pub(crate) use reader::packed_time;
#[cfg(feature = "host")]
pub use reader::{Events, Packet, PacketError};
#[cfg(feature = "host")]
pub use skipped_events::SkippedEvents;
#[cfg(feature = "host")]
pub use writer::{NotPushed, PacketWriter};
