//! The second wire format on the target: packets in a ring of each core.
//!
//! An event is written where it belongs, in the open packet of its core: id, time, fields. Nothing is copied and
//! nothing is handed out, and the time is the low bits of the port's timer. The shim does that
//! (`port/recorder/tband_packet_event.h`), and `event` for models and tests. All that a packet costs is paid when one
//! packet is closed and the next opened: `change`. What a full ring means is the [`Policy`]. Who takes the packets out is
//! in `take`; it works out their checks, outside of every critical section, and sends the metadata too, which is
//! `metadata`.
//!
//! The rings themselves are in `crate::ring`. The parts of one that hooks write, the reader only reads, and the other way round, so that neither waits. Each
//! packet can be read alone: it begins with the task that runs and the interrupts that are open.

mod change;
mod event;
mod metadata;
mod post_mortem;
mod rtt;
mod shed;
mod take;

pub use event::LONG;
pub use rtt::RttBuffer;
