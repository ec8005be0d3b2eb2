//! Packets in a stream of bytes: which are whole, what lies between them, and what is missing.

mod continuity;
mod reader;

pub use continuity::{Continuity, Missing};
pub use reader::{PacketPiece, PacketReader};
