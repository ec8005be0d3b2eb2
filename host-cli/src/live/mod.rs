//! A growing recording for viewers: web pages of this machine.

mod asks;
mod hub;
mod stream;

pub use asks::{Ask, Asks};
pub use hub::{Hub, Status};
pub use stream::Stream;
