//! The syntax of files that people write: C, CMake, and commands of a shell.

pub mod c;
pub mod cmake;
mod quoted;
pub mod steps;
pub mod text;
pub mod words;

pub use quoted::quoted_len;
