//! Rules for recordings: deadlines, jitter, load, stacks and order, as a file in TOML. Each rule is compiled to one SELECT over
//! the tables of `tband-tables`; its rows are judged, and the results are written for people, CI servers and pull requests.
//!
//! The crate opens no files, contains no engine and compiles to WebAssembly. No text makes it panic.

pub mod baseline;
mod bound;
pub mod error;
mod event;
pub mod judge;
pub mod learn;
mod metric;
pub mod output;
pub mod read;
pub mod rule;
pub mod sql;
