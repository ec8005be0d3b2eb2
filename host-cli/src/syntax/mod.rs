//! The syntax of files that people write: C, and CMake.

pub mod c;
pub mod cmake;
mod quoted;
pub mod steps;
pub mod text;

pub use quoted::quoted_len;
