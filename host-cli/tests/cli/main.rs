//! The program on the command line: exit codes and messages, interruptions, terminals.

mod exit_codes;
#[cfg(unix)]
mod interrupt;
#[path = "../support/mod.rs"]
mod support;
#[cfg(unix)]
mod terminal;
#[cfg(unix)]
mod written;
