//! What tband does with recordings, once for all who offer it: the command line, the web page, and programs of yours.
//!
//! [`EXPORTS`] has every format that recordings can be converted to, with its name, its file, the settings that it takes
//! and the function that writes it. [`Choice`] names the values of options that are one of a few words. Whoever shows,
//! tests or documents exports goes through the list, so a new one is a file in `tband-app/src/exports/` and a line in
//! the list.
//!
//! It opens no files and compiles to WebAssembly.

mod choice;
pub mod exports;

pub use choice::Choice;
pub use exports::{EXPORTS, Export};
