//! Entries and samples as bytes. They are written to an [`ByteSink`]: a `Vec` on a computer, a [`BoundedMemory`] on a target.

pub mod entry;
pub mod member;
pub mod number;
mod out;
pub mod sample;
mod version;

pub use out::{BoundedMemory, ByteSink};
pub use version::Version;
