//! A recording for those who look at it while it comes: web pages of this machine.

mod asks;
mod hub;
mod stream;

pub use asks::{Ask, Asks};
pub use hub::{Hub, Status};
pub use stream::Stream;
