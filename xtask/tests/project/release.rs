//! Only for a release: rustup installs another Rust.

use xtask::{oldest_rust, workspace_root};

#[test]
fn the_oldest_rust_compiles_the_libraries_for_firmware() {
    oldest_rust::firmware(&workspace_root()).unwrap_or_else(|error| panic!("{error:#}"));
}
