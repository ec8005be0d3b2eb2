//! A target's memory, and the recordings in it: where they are, and how they are taken out.

mod attach;
mod channel;
mod drain;
mod elf_file;
mod frames;
mod level;
mod live;
mod memory;
mod metadata;
mod packets;
mod place;
mod rtt;
mod slot;
mod symbols;

pub use attach::{Attach, Attached, Target};
pub use drain::Drain;
pub use elf_file::{Elf, of_elf_file};
pub use memory::Memory;
pub use metadata::{described, frame};
pub use packets::{Recording, Ring, metadata_packets, take_rings};
pub use place::{build_name, take};
pub use slot::Slot;
pub use symbols::Program;
