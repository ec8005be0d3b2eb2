//! The project's own commands, as functions: `cargo xtask` runs them and the tests use them.

#[macro_use]
pub mod stdout;

pub mod bench;
pub mod board;
pub mod checks;
pub mod core_library;
pub mod coverage;
pub mod demo;
pub mod drive;
pub mod example_run;
pub mod fresh;
pub mod generate;
pub mod header;
pub mod kernel;
pub mod picture;
pub mod process;
pub mod setup;
pub mod ship;
pub mod web;
pub mod xtensa;

use std::path::{Path, PathBuf};

pub use bench::{
    cost_page, doctor_figures, exports as bench_exports, fleet as bench_fleet, host as bench_host,
    target as bench_target, web as bench_web,
};
pub use checks::{fuzz, lint, mutants, oldest_rust, portable, suite, tier};
pub use process::{command, rust_target, tool, tree};
pub use ship::{
    address, audit, book, crates, dist, libraries, licenses, packages, python_wheel, release, sbom,
    sdk,
};

/// The workspace's root folder.
#[must_use]
pub fn workspace_root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_path_buf()
}
