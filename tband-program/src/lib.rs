//! The firmware's program: what its ELF file says of what it has recorded.
//!
//! - [`explain`] adds to the options of a conversion what the program knows: formats of the application's own records, names
//!   of functions and objects, in which function and line a crash is. So whoever converts says the same of it.
//! - [`formats`] and [`places`] are the parts of that. With the target's [`Memory`], [`places`] has the callers too.
//! - [`Program`] and [`Setup`] are where the recorder's variables are, for those who read them out of a target.
//!
//! No file makes this panic.

mod call;
mod code;
mod elf_file;
mod explain;
mod formats;
mod frame;
mod identity;
mod memory;
mod names;
mod places;
mod setup;
mod split;
mod stack;
mod symbols;
mod unwind;

pub use code::Code;
pub use elf_file::{Elf, of_elf_file};
pub use explain::{ExplainError, explain};
pub use formats::{Known, formats};
pub use memory::{Memory, Words};
pub use names::as_written;
pub use places::{Places, places};
pub use setup::Setup;
pub use symbols::Program;
