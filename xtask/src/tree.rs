//! Copies of the project's files, to change something there and see what becomes of it.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::command::run_quiet;

/// Copies the files that git knows. What is the same already keeps its time, so that little is built anew.
///
/// # Errors
/// A file cannot be written.
pub fn copy(root: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    let list = run_quiet(Command::new("git").args(["ls-files", "-z"]).current_dir(root))?;
    for name in String::from_utf8(list.stdout)?.split('\0').filter(|name| !name.is_empty()) {
        let (from, to) = (root.join(name), to.join(name));
        // Git knows of files that were deleted since, too.
        let Ok(bytes) = fs::read(&from) else { continue };
        if fs::read(&to).is_ok_and(|old| old == bytes) {
            continue;
        }
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&to, bytes).with_context(|| format!("cannot write {}", to.display()))?;
    }
    Ok(())
}
