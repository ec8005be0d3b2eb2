//! Node.js, which runs scripts of the pages without a browser.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Node.js: that of Playwright, which `cargo xtask setup` installs, or else the machine's own.
#[must_use]
pub fn node() -> Command {
    let environment = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/python/lib");
    let of_version = |version: PathBuf| version.join("site-packages/playwright/driver/node");
    let versions = fs::read_dir(environment).into_iter().flatten().flatten();
    let found = versions.map(|version| of_version(version.path())).find(|node| node.is_file());
    Command::new(found.unwrap_or_else(|| "node".into()))
}
