//! Harness for tests that need more than one part of tband: paths, the library for the host, compiling and running C, and
//! recordings as lists of events.
//!
//! Only the test programs beside this folder use it. Every fault here is a failed test, so it panics with the command and its
//! output.

pub mod c;
pub mod class_check;
pub mod counts;
pub mod debugged;
pub mod entries;
pub mod events;
pub mod explained;
pub mod guide;
pub mod kernel;
pub mod lacking;
pub mod library;
pub mod own_log;
pub mod packets;
pub mod random;
pub mod senders;
pub mod stress;
pub mod user_project;
pub mod without_rust;

use std::fs;
use std::path::Path;
use std::process::Command;

pub use library::archive;
use tband_programs::{format_command, output};

/// The workspace's root folder.
#[must_use]
pub fn root() -> &'static Path {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().unwrap_or(tests)
}

/// The cargo that runs the tests, without what it sets for them.
#[must_use]
pub fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    for name in ["CARGO_ENCODED_RUSTFLAGS", "CARGO_BUILD_TARGET", "CARGO_TARGET_DIR", "RUSTFLAGS"] {
        cargo.env_remove(name);
    }
    cargo
}

/// What a command has left.
#[derive(Debug)]
pub struct ProgramOutput {
    /// Exit status 0.
    pub ok: bool,
    /// Bytes on stdout.
    pub stdout: Vec<u8>,
    /// Text on stderr.
    pub stderr: String,
}

impl ProgramOutput {
    /// Text on both outputs.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{}\n{}", String::from_utf8_lossy(&self.stdout), self.stderr)
    }
}

/// Runs a command to its end.
pub fn finish(command: &mut Command) -> ProgramOutput {
    let output = output(command)
        .unwrap_or_else(|error| panic!("cannot run {}: {error}", format_command(command)));
    ProgramOutput {
        ok: output.status.success(),
        stdout: output.stdout,
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Runs a command that must succeed and returns its stdout.
pub fn run(command: &mut Command) -> Vec<u8> {
    let finished = finish(command);
    assert!(finished.ok, "failed: {}\n{}", format_command(command), finished.text());
    finished.stdout
}

/// Writes a file of a test's own, with the folders above it.
pub fn write(path: impl AsRef<Path>, text: impl AsRef<[u8]>) {
    let path = path.as_ref();
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    }
    fs::write(path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// Reads a text file.
#[must_use]
pub fn read(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A folder that goes away with the test.
#[must_use]
pub fn temp_dir() -> tempfile::TempDir {
    tempfile::Builder::new().prefix("tband-test-").tempdir().expect("a temporary folder")
}
