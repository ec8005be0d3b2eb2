//! Prints to standard output. It does not matter if nobody reads on, as after `| head`: what a command is for
//! goes on, and nothing is said of it.

use std::fmt;
use std::io::{self, Write};

/// As the standard library's, but for readers that are gone.
#[macro_export]
macro_rules! print {
    ($($text:tt)*) => { $crate::stdout::write(format_args!($($text)*)) };
}

/// As the standard library's, but for readers that are gone.
#[macro_export]
macro_rules! println {
    () => { $crate::print!("\n") };
    ($($text:tt)*) => { $crate::print!("{}\n", format_args!($($text)*)) };
}

/// Writes a text, for the macros.
///
/// # Panics
/// Standard output cannot be written for another reason, such as a full disk.
pub fn write(text: fmt::Arguments<'_>) {
    match io::stdout().write_fmt(text) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            panic!("cannot write to standard output: {error}")
        }
        _ => {}
    }
}
