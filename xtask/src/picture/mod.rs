//! `cargo xtask picture`: the pictures of page and report, taken in a browser, and a moving one.

pub mod moving;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::web::{self, WebBuild};

/// Where the pictures of page and report are.
pub const PAGES: &str = "docs/src/pictures";
/// The states of page and report that have a picture, light and dark.
pub const STATES: [&str; 13] = [
    "activation",
    "damage",
    "histogram",
    "inheritance",
    "interrupts",
    "live",
    "losses",
    "measured",
    "page",
    "page-recording",
    "pair",
    "report",
    "search",
];

/// Takes the pictures of page and report, and draws the moving one.
///
/// # Errors
/// Page or `tband-cli` cannot be built, or the browser does not run.
pub fn run(root: &Path) -> Result<()> {
    let page = root.join("target/picture-web");
    web::build(root, &page, WebBuild::Quick)?;
    web::screenshots(root, &page, &root.join(PAGES), false)?;
    // Which has just been built.
    let moving = moving::draw(root, &root.join("target/debug/tband-cli"))?;
    fs::write(root.join(moving::FILE), moving).context("cannot write the moving picture")
}
