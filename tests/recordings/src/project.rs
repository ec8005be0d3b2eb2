//! Files of the project, for the tests in packages: a published package contains no path to a file outside it.

use std::fs;
use std::path::{Path, PathBuf};

/// The path of a file or folder, from its path in the project.
#[must_use]
pub fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

/// The bytes of a file.
#[must_use]
pub fn bytes(name: &str) -> Vec<u8> {
    let path = path(name);
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The text of a file.
#[must_use]
pub fn text(name: &str) -> String {
    String::from_utf8(bytes(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}
