//! A target's memory, and the recordings in it: where they are, and how they are taken out.

mod attach;
mod channel;
mod drain;
mod frames;
mod level;
mod live;
mod metadata;
mod packets;
mod place;
mod rtt;
mod slot;

pub use attach::{Attach, AttachedTarget, Target};
pub use drain::Drain;
pub use metadata::{described, frame, frame_at, of_program};
pub use packets::{Recording, Ring, metadata_packets, take_rings};
pub use place::take;
pub use rtt::Channels;
pub use slot::Slot;
