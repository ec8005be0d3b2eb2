//! The second wire format on the target: packets in a ring of each core.
//!
//! An event is written directly into the open packet of its core: id, time, fields. Nothing is copied or handed out, and the time
//! is the low bits of the port's timer. The shim writes events (`port/recorder/tband_packet_event.h`), and `event` does so for
//! models and tests. All costs of a packet occur when one packet is closed and the next is opened: `change`. The `Policy` decides
//! what happens when a ring is full. The consumer of the packets is in `take`; it computes their checksums outside every critical
//! section, and sends the metadata, which is in `metadata`.
//!
//! The rings themselves are in `crate::ring`. Hooks write some parts of a ring and the reader only reads them, and vice versa, so
//! that neither waits. Each packet can be read alone: it begins with the running task and the open interrupts.

mod change;
mod event;
mod metadata;
mod post_mortem;
mod rtt;
mod shed;
mod take;

pub use event::LONG;
pub use rtt::RttBuffer;
