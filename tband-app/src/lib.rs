//! What tband does with recordings, once for all who offer it: the command line, the web page, and programs of yours.
//!
//! - [`EXPORTS`] has every format that recordings can be converted to, with its name, its file, the settings that it
//!   takes and the function that writes it; [`COMMANDS`] the same for what is said of a recording: its numbers, the
//!   verdict, its events, the report. Each is a file in `tband-app/src/exports/` or `tband-app/src/commands/` and a line
//!   in the list, and whoever shows, tests or documents them goes through the list.
//! - [`options`] is what users set. [`options::Asked`] takes options by their names, as texts.
//! - [`live`] follows a recording while it comes.
//! - [`tail`] finds the end of the last complete packet or frame of a recording.
//! - [`times`] is what is kept of when a recording came.
//! - [`Choice`] names the values of options that are one of a few words.
//!
//! It opens no files and compiles to WebAssembly.

mod choice;
pub mod commands;
mod done;
pub mod exports;
pub mod live;
pub mod options;
pub mod tail;
pub mod times;

pub use choice::Choice;
pub use commands::{COMMANDS, Command};
pub use done::{Done, Failure, found};
pub use exports::{EXPORTS, Export};
