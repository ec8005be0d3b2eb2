//! What the shim calls to record: the same functions for each backend, of which firmware links one.
//!
//! Generated from the list of backends by `cargo xtask header`, since cbindgen does not look into
//! macros; do not edit.

mod external;
mod snapshot;
mod streaming;
