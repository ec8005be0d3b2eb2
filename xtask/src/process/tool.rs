//! Subcommands of cargo that some commands need: of one version, so that they have the same result everywhere.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::command::{find_program, run_with_output};

/// One of them.
#[derive(Clone, Copy, Debug)]
pub struct Tool {
    /// The package, and the program that it installs, such as `cargo-deny`.
    pub name: &'static str,
    /// The required version.
    pub version: &'static str,
    /// Features that it has its program with, or none.
    pub features: &'static str,
}

impl Tool {
    /// Returns the program: below `target/tools` or on the `PATH`.
    ///
    /// # Errors
    /// There is none of this version; the text has the command that installs it.
    pub fn find(&self, root: &Path) -> Result<PathBuf> {
        let places = [Some(tools(root).join("bin").join(self.name)), find_program(self.name)];
        places.into_iter().flatten().find(|program| self.is(program)).with_context(|| {
            format!(
                "{} {} is not installed. Install it with:\n  cargo {}",
                self.name,
                self.version,
                self.install_args(root).join(" ")
            )
        })
    }

    /// Returns the program, installed below `target/tools` if there is none.
    ///
    /// # Errors
    /// It cannot be installed.
    pub fn find_or_install(&self, root: &Path) -> Result<PathBuf> {
        if let Ok(program) = self.find(root) {
            return Ok(program);
        }
        eprintln!("Installing {} {} in {} ...", self.name, self.version, tools(root).display());
        run_with_output(Command::new("cargo").args(self.install_args(root)).current_dir(root))?;
        self.find(root)
    }

    fn install_args(&self, root: &Path) -> Vec<String> {
        let mut args: Vec<String> =
            ["install", self.name, "--locked", "--version", self.version, "--root"]
                .map(str::to_owned)
                .into();
        args.push(tools(root).display().to_string());
        if !self.features.is_empty() {
            args.extend(["--features".to_owned(), self.features.to_owned()]);
        }
        args
    }

    /// A program is this one.
    fn is(&self, program: &Path) -> bool {
        let subcommand = self.name.trim_start_matches("cargo-");
        let mut version = Command::new(program);
        tband_programs::output_inheriting(version.args([subcommand, "--version"])).is_ok_and(|it| {
            let output = String::from_utf8_lossy(&it.stdout);
            output.trim() == format!("{} {}", self.name, self.version)
        })
    }
}

/// Where they are installed, apart from those of the user.
fn tools(root: &Path) -> PathBuf {
    root.join("target/tools")
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn another_version_is_rejected_with_the_command() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let tool = Tool { name: "cargo-tband-none", version: "1.2.3", features: "" };
        let output = tool.find(root).unwrap_err().to_string();
        let command = format!(
            "cargo install cargo-tband-none --locked --version 1.2.3 --root {}",
            root.join("target/tools").display()
        );
        assert!(output.contains(&command), "{output}");

        let program = root.join("target/tools/bin/cargo-tband-none");
        fs::create_dir_all(program.parent().unwrap()).unwrap();
        for (version, is_it) in [("1.2.30", false), ("1.2.3", true)] {
            let script = format!(
                "#!/bin/sh\n[ \"$*\" = 'tband-none --version' ] && echo cargo-tband-none {version}\n"
            );
            fs::write(&program, script).unwrap();
            fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
            assert_eq!(tool.find(root).ok(), is_it.then(|| program.clone()));
        }
    }
}
