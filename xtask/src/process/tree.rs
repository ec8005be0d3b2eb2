//! Copies of the project's files, to test changes there.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::command::run_quiet;

/// Copies the files that git tracks, and removes sources that it no longer tracks. Unchanged files keep their time, so that
/// little is rebuilt.
///
/// # Errors
/// A file cannot be written.
pub fn copy(root: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    let list = run_quiet(Command::new("git").args(["ls-files", "-z"]).current_dir(root))?;
    let mut known = BTreeSet::new();
    for name in String::from_utf8(list.stdout)?.split('\0').filter(|name| !name.is_empty()) {
        let (from, to) = (root.join(name), to.join(name));
        // Git knows of files that were deleted since, too.
        let Ok(bytes) = fs::read(&from) else { continue };
        known.insert(to.clone());
        if fs::read(&to).is_ok_and(|old| old == bytes) {
            continue;
        }
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&to, bytes).with_context(|| format!("cannot write {}", to.display()))?;
    }
    remove_unknown(to, &known)
}

/// Removes sources of an earlier copy: a module in a file and in a folder does not compile.
fn remove_unknown(folder: &Path, known: &BTreeSet<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() && path.file_name().is_some_and(|it| it == "target") {
            continue; // Build output.
        }
        if path.is_dir() {
            remove_unknown(&path, known)?;
        } else if path.extension().is_some_and(|it| it == "rs") && !known.contains(&path) {
            fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
        }
    }
    Ok(())
}
