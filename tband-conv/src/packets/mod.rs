//! Packets in a stream of bytes: which are whole, what lies between them, and what is missing.

mod ahead;
mod continuity;
mod events;
mod firsts;
mod link;
mod metadata;
mod order;
mod packer;
mod reader;
mod unnamed;

pub use continuity::Continuity;
pub(crate) use events::PacketEvents;
pub(crate) use firsts::{FirstPacket, FirstPackets, MissingFirst, find_missing};
pub use link::Link;
pub use packer::{NotPacked, PACKET_SIZES, Packer};
pub use reader::{PacketPiece, PacketReader};
