//! The guide's pages for vendors' environments: each is short and says what was tried, and what can be had of an
//! environment is built as its page says.

mod cubemx;
mod esp_idf;
mod pack;
mod pages;
mod pico;
mod platformio;

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use tband_tests::root;
use xtask::dist;

/// A page, for `tband_tests::guide`.
fn page(name: &str) -> String {
    format!("boards/{name}")
}

/// The library for a target, as it is in the tarball. Tests that want the same one make it in turn.
fn library(triple: &str) -> PathBuf {
    static IN_TURN: Mutex<()> = Mutex::new(());
    let _turn = IN_TURN.lock().unwrap_or_else(PoisonError::into_inner);
    dist::library(root(), &root().join("target/test-dist/work"), triple)
        .unwrap_or_else(|error| panic!("{error:#}"))
}
