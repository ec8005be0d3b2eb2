//! flux, the format of toem's impulse: items in scopes, sequences of samples, compressed blocks.

mod about;
mod block;
mod bytes;
mod clock;
mod domain;
mod item;
mod known_items;
mod label;
mod reader;
mod recognise;
mod role;
mod sequences;
mod show;
mod tasks;
mod trace;
mod value;

pub use reader::Flux;
pub use recognise::recognise;
