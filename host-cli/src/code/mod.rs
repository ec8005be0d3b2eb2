//! The firmware's code: where a crash is in its sources, and who has called it.

mod call;
mod formats;
mod frame;
mod places;
mod program;
mod recorded;
mod unwind;

pub use formats::{Known, formats};
pub use places::places;
pub use program::Code;
