//! A machine without Rust: commands that find every program except Rust's, and no home folder.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::temp_dir;

/// The machine; it goes away with this.
#[derive(Debug)]
pub struct WithoutRust {
    folder: TempDir,
}

impl WithoutRust {
    /// A machine with the programs of the real one's PATH.
    #[must_use]
    pub fn new() -> Self {
        Self::without(|_| false)
    }

    /// As [`new`](Self::new), without the programs whose name is `missing` either.
    #[must_use]
    pub fn without(missing: impl Fn(&str) -> bool) -> Self {
        let machine = Self { folder: temp_dir() };
        let bin = machine.bin();
        for folder in ["bin", "home"] {
            fs::create_dir_all(machine.folder.path().join(folder)).expect("a folder");
        }
        for folder in std::env::split_paths(&std::env::var_os("PATH").expect("a PATH")) {
            for entry in fs::read_dir(folder).into_iter().flatten() {
                let path = entry.expect("an entry").path();
                let name = path.file_name().expect("a name").to_string_lossy().into_owned();
                let is_rust = name.starts_with("cargo") || name.starts_with("rust");
                if !is_rust && !missing(&name) && !bin.join(&name).exists() {
                    // Names that come twice are the same or lose to the first.
                    let _ = symlink(&path, bin.join(name));
                }
            }
        }
        let mut look = Command::new("sh");
        look.args(["-c", "command -v cargo || command -v rustc || command -v rustup"]);
        machine.enter(&mut look);
        assert!(!crate::finish(&mut look).ok, "the machine has Rust");
        machine
    }

    fn bin(&self) -> PathBuf {
        self.folder.path().join("bin")
    }

    /// A command that runs there.
    #[must_use]
    pub fn command(&self, program: &str) -> Command {
        // A program is looked for on this process's PATH, not on the command's.
        let mut command = Command::new(self.bin().join(program));
        self.enter(&mut command);
        command
    }

    /// Lets a command run there.
    pub fn enter(&self, command: &mut Command) {
        let home: &Path = &self.folder.path().join("home");
        command.env_clear().env("PATH", self.bin()).env("HOME", home);
    }
}

impl Default for WithoutRust {
    fn default() -> Self {
        Self::new()
    }
}
