//! Only for a release: rustup installs another Rust, and each published crate is compiled.

use xtask::crates::{self, Packing};
use xtask::{oldest_rust, workspace_root};

#[test]
fn the_oldest_rust_compiles_the_libraries_for_firmware() {
    oldest_rust::firmware(&workspace_root()).unwrap_or_else(|error| panic!("{error:#}"));
}

/// Cargo takes the other crates from their packages too.
#[test]
fn each_published_crate_compiles_from_its_package() {
    let root = workspace_root();
    let packed = crates::pack(&root, &root.join("target/crates"), Packing::Compile);
    assert!(packed.unwrap_or_else(|error| panic!("{error:#}")).len() > 10);
}
