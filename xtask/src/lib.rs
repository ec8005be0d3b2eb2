//! The project's own commands, as functions: `cargo xtask` runs them and the tests use them.

#[macro_use]
pub mod stdout;

pub mod audit;
pub mod bench_host;
pub mod bench_target;
pub mod bench_web;
pub mod board;
pub mod book;
pub mod command;
pub mod cost_page;
pub mod coverage;
pub mod demo;
pub mod dist;
pub mod drive;
pub mod fresh;
pub mod fuzz;
pub mod generate;
pub mod header;
pub mod kernel;
pub mod licenses;
pub mod lint;
pub mod mutants;
pub mod packages;
pub mod picture;
pub mod recorded;
pub mod release;
pub mod rust_target;
pub mod setup;
pub mod suite;
pub mod tier;
pub mod tool;
pub mod tree;
pub mod web;

use std::path::{Path, PathBuf};

/// The workspace's root folder.
#[must_use]
pub fn workspace_root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_path_buf()
}
