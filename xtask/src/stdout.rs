//! Prints to standard output. A closed pipe, as after `| head`, is ignored: the command continues without a message.

use std::fmt;
use std::io::{self, Write};

/// As the standard library's macro, but tolerant of a closed pipe.
#[macro_export]
macro_rules! print {
    ($($text:tt)*) => { $crate::stdout::write(format_args!($($text)*)) };
}

/// As the standard library's macro, but tolerant of a closed pipe.
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
