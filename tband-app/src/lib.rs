//! Functions of tband on recordings, shared by the command line, the web page, and programs of users.
//!
//! - [`exports::EXPORTS`] has every format that recordings can be converted to, with its name, its file, the settings that it
//!   takes and the function that writes it; [`commands::COMMANDS`] does the same for reports about a recording: its numbers,
//!   the result of `check`, its events, the report. Each is a file in `tband-app/src/exports/` or `tband-app/src/commands/` and
//!   a line in the list. Code that shows, tests or documents them uses the list.
//! - [`options`] holds the settings of users. [`options::RequestOptions`] takes options by their names, as texts.
//! - [`live`] follows a recording while it grows.
//! - [`tail`] finds the end of the last complete packet or frame of a recording.
//! - `ctf_files` finds CTF traces among files, `file_inputs` sorts files, and `zip` has the files of an archive.
//! - [`times`] reads the times at which a recording was received.
//! - [`choice::Choice`] names the values of options that are one of a few words.
//!
//! It compiles to WebAssembly. Only `companion` and `ctf_folder` open files, which the web page does without.

pub mod choice;
pub mod command_result;
pub mod commands;
#[cfg(feature = "ctf-files")]
pub mod companion;
#[cfg(feature = "ctf-files")]
pub mod ctf_files;
#[cfg(feature = "ctf-folder")]
pub mod ctf_folder;
pub mod exports;
#[cfg(feature = "ctf-files")]
pub mod file_inputs;
pub mod live;
pub mod options;
pub mod tail;
pub mod times;
#[cfg(feature = "ctf-files")]
pub mod zip;
