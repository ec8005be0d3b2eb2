//! Names of several files that belong together.

use std::fmt::Display;
use std::path::{Path, PathBuf};

/// The name of a file with a number before its ending: `r.bin` is `r.2.bin`.
pub fn numbered(path: &Path, number: impl Display) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!(".{number}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}
