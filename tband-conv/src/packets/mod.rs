//! Packets in a stream of bytes: complete ones, bytes between them, and losses.

mod continuity;
mod events;
mod firsts;
mod leading_report;
mod link;
mod metadata;
mod order;
mod packer;
mod reader;
mod unnamed_recordings;

pub use continuity::Continuity;
pub(crate) use events::PacketEvents;
pub(crate) use firsts::{FirstPacket, FirstPackets, MissingFirstPackets, find_missing};
pub use link::Link;
pub use packer::{NotPacked, PACKET_SIZES, Packer};
pub use reader::{PacketPiece, PacketReader};
