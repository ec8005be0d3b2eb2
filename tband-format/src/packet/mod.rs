//! Packets: the second wire format, beside frames.
//!
//! A packet has events of one core, with what a reader needs to judge it: a sequence number, the times at which it
//! begins and ends, how many events the target has discarded so far, and a check over all of it. It is, byte for
//! byte, a packet of the Common Trace Format, version 2 (CTF 2). All integers of fixed length are little-endian.
//!
//! | bytes | header |
//! |---|---|
//! | 4 | [`MAGIC`] |
//! | 1 | stream: the core, or [`METADATA_STREAM`] |
//! | 1 | [`VERSION`] |
//! | 2 | sequence number, modulo 2^16 |
//! | 2 | size of header and events in bits |
//! | 2 | size of the packet in bits |
//! | 4 | [`check`] over header, with this field 0, and events; 0 if nobody has worked it out |
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
//! the state of its core, at the time of its begin: `running_task` if a task is known to run, and an `open_isr` for
//! each open interrupt, outermost first.
//!
//! # Metadata
//! The stream [`METADATA_STREAM`] says what exists: names and the rest of the metadata, when a recording starts and
//! again now and then. After the header of its packets there are frames as those of the other format, each with the
//! zero byte that ends it, and none is split between two packets. `core_id` frames tell whose metadata follows, up to
//! the next of them; before the first it is core 0. It counts its packets on its own: the first one of a recording
//! has number 0. Begin and end are the time at which it was written.
//! Whatever it says anew changes nothing. What changes while recording runs is an event in a packet, too.
//!
//! # Packets out of memory
//! A check is worked out when a packet is sent, so one that was read out of the target's memory has none: 0. Such a
//! packet is accepted if it is longer than its content, as each is that fills its slot, and if all of it holds: the
//! content is events, the last one ends where it does, and their times lie between begin and end. No check that was
//! worked out is 0, and a packet that was sent ends with its content, so zeros in the place of its check are damage.

mod check;
pub(crate) mod command;
mod header;
#[cfg(feature = "host")]
mod passing;
#[cfg(feature = "host")]
mod reader;
#[cfg(feature = "host")]
mod time;
#[cfg(feature = "host")]
mod writer;

pub use check::{check, of_hash, step};
pub use header::{
    BEGIN_AT, HEADER_LEN, Header, HeaderError, MAGIC, MAX_LEN, METADATA_STREAM, VERSION,
};
#[cfg(feature = "host")]
pub use passing::PassOver;
#[cfg(feature = "host")]
pub(crate) use reader::packed_time;
#[cfg(feature = "host")]
pub use reader::{Events, Packet, PacketError};
#[cfg(feature = "host")]
pub use writer::{NotPushed, PacketWriter};
