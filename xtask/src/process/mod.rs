//! Programs that are run, and what they need: tools, compilers' targets, copies of the project.

pub mod command;
pub mod rust_target;
pub mod tool;
pub mod tree;
