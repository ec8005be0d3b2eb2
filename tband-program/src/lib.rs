//! The firmware's program: facts in its ELF file about its recordings.
//!
//! - [`explain`] adds the program's facts to the options of a conversion: formats of the application's log records, names of
//!   functions and objects, and the function and line of a crash. So every conversion reports the same.
//! - [`formats`] and [`places`] are the parts of that. With the target's [`Memory`], [`places`] has the callers too.
//! - [`Program`] and [`Setup`] hold the places of the recorder's variables, for tools that read them out of a target.
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
pub use formats::{RecordFacts, formats};
pub use memory::{Memory, MemoryWords};
pub use names::as_written;
pub use places::{CrashPlace, places};
pub use setup::Setup;
pub use symbols::Program;
