//! Packages of Python that tests import, in separate environments below the target folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::command::run_quiet;

/// An environment.
#[derive(Clone, Copy, Debug)]
pub struct Environment {
    /// Where it is, below the workspace's root folder.
    folder: &'static str,
    packages: &'static [&'static str],
    /// The command that installs it.
    command: &'static str,
}

/// Packages of every run of the tests: Playwright and axe, which drive Debian's browser, engines that read tables, plotting
/// libraries of notebooks, tools that build and read the wheel, validators of XML and JSON, and SciPy.
pub const USUAL: Environment = Environment {
    folder: "target/python",
    packages: &[
        "playwright==1.56.0",
        "axe-playwright-python==0.1.8",
        "duckdb==1.4.1",
        "polars==2.1.0",
        "datafusion==55.0.0",
        "matplotlib==3.11.2",
        "maturin==1.16.0",
        "pandas==3.1.1",
        "pyarrow==26.0.1",
        "jsonschema==4.25.1",
        "xmlschema==4.1.0",
        "scipy==1.17.1",
    ],
    command: "cargo xtask setup",
};

/// Type checkers. They are separate from the others, whose packages they would otherwise read.
pub const TYPES: Environment = Environment {
    folder: "target/types",
    packages: &["mypy==2.4.1"],
    command: "cargo xtask setup",
};

/// Spark, which takes 500 MB and a minute to start.
pub const SPARK: Environment = Environment {
    folder: "target/spark",
    packages: &["pyspark==4.3.0"],
    command: "cargo xtask test --engines",
};

/// Checkers of the workflows and forms below `.github`.
pub const WORKFLOWS: Environment = Environment {
    folder: "target/workflows",
    packages: &["jactionlint==2.3.0", "check-jsonschema==0.39.0"],
    command: "cargo xtask setup",
};

/// Tools of the registries of PlatformIO and ESP-IDF.
pub const VALIDATORS: Environment = Environment {
    folder: "target/validators",
    packages: &["platformio==6.2.0", "idf-component-manager==3.1.2"],
    command: "cargo xtask setup",
};

/// maturin, which builds the wheel of a release.
pub const MATURIN: Environment = Environment {
    folder: "target/maturin",
    packages: &["maturin==1.16.0"],
    command: "cargo xtask wheel",
};

/// The same with Zig, whose linker and C libraries serve other systems than this one.
pub const MATURIN_ZIG: Environment = Environment {
    folder: "target/maturin-zig",
    packages: &["maturin==1.16.0", "ziglang==0.15.2"],
    command: "cargo xtask wheel --platform manylinux",
};

/// Versions of CMake that a release builds the examples with: the least that tband takes, those of Ubuntu 22.04, Debian 12 and
/// Ubuntu 24.04, and the newest.
pub const CMAKES: [Environment; 5] = [
    cmake("target/cmake/3.20", &["cmake==3.20.2"]),
    cmake("target/cmake/3.22", &["cmake==3.22.1"]),
    cmake("target/cmake/3.25", &["cmake==3.25.0"]),
    cmake("target/cmake/3.28", &["cmake==3.28.3"]),
    cmake("target/cmake/4.4", &["cmake==4.4.5"]),
];

const fn cmake(folder: &'static str, packages: &'static [&'static str]) -> Environment {
    Environment { folder, packages, command: "cargo xtask test --release" }
}

/// The name of Python, and the folder of an environment's programs.
const NAMES: (&str, &str) = if cfg!(windows) { ("python", "Scripts") } else { ("python3", "bin") };

/// Python can make an environment, and put packages there.
pub(super) fn is_there() -> bool {
    run_quiet(Command::new(NAMES.0).args(["-c", "import venv, ensurepip"])).is_ok()
}

impl Environment {
    fn is_installed(&self, root: &Path) -> bool {
        let noted = fs::read_to_string(root.join(self.folder).join("packages")).unwrap_or_default();
        noted == self.packages.join("\n")
    }

    /// Python with all of its packages.
    ///
    /// # Errors
    /// It is not there; the text has the command to run.
    pub fn python(&self, root: &Path) -> Result<PathBuf> {
        self.program(root, "python")
    }

    /// A program of its packages.
    ///
    /// # Errors
    /// They are not there; the text has the command to run.
    pub fn program(&self, root: &Path, name: &str) -> Result<PathBuf> {
        ensure!(
            self.is_installed(root),
            "packages of Python for tests are not installed: run `{}`, then try again",
            self.command
        );
        Ok(root.join(self.folder).join(NAMES.1).join(name))
    }

    /// Installs it unless it is there.
    ///
    /// # Errors
    /// It cannot be installed.
    pub fn install(&self, root: &Path) -> Result<()> {
        if self.is_installed(root) {
            return Ok(());
        }
        let packages = self.packages.join(" ");
        eprintln!("Installing packages of Python for tests: {packages}");
        let folder = root.join(self.folder);
        let by_hand = format!(
            "could not install it. Run this yourself, then try again:\n  {1} -m venv {0} && {0}/{2}/pip install {packages}",
            folder.display(),
            NAMES.0,
            NAMES.1,
        );
        run_quiet(Command::new(NAMES.0).args(["-m", "venv", "--clear"]).arg(&folder))
            .with_context(|| by_hand.clone())?;
        let mut pip = Command::new(folder.join(NAMES.1).join("pip"));
        // Most of their modules are never imported, so the imported ones are compiled at that time.
        pip.args(["install", "--quiet", "--no-compile", "--disable-pip-version-check"]);
        run_quiet(pip.args(self.packages)).context(by_hand)?;
        let note = folder.join("packages");
        fs::write(note, self.packages.join("\n")).context("cannot note the installed packages")
    }
}
