//! A growing recording for viewers: web pages of this machine.

mod hub;
mod page_commands;
mod stream;

pub use hub::{Hub, Status};
pub use page_commands::{PageCommand, PageCommands};
pub use stream::Stream;
