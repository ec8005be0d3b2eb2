//! What records packets, controls them and takes them out: the same functions for each backend of one core, and for
//! several, of which firmware links one. What is known when they are compiled is not asked for on the target.
//!
//! Generated from the list of backends by `cargo xtask header`, since cbindgen does not look into
//! macros; do not edit.

mod cores;
mod one_post_mortem;
mod one_snapshot;
mod one_stream;
