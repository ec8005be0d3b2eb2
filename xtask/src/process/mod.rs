//! Running programs, and their requirements: tools, compilers' targets, copies of the project.

pub mod command;
pub mod rust_target;
pub mod tool;
pub mod tree;
