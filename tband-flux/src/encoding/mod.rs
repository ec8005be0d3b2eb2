//! Entries and samples as bytes. They are written to an [`Out`]: a `Vec` on a computer, a [`Room`] on a target.

pub mod entry;
pub mod member;
pub mod number;
mod out;
pub mod sample;
mod version;

pub use out::{Out, Room};
pub use version::Version;
