//! RKH's trace: frames with an event, a sequence number, a timestamp and a checksum.

mod arguments;
mod config;
mod layout;
mod reader;

pub use reader::Rkh;
