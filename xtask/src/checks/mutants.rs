//! `cargo xtask mutants`: makes one small change of the code at a time, which a test should notice.
//!
//! The Rust ones are made by cargo-mutants, those of the C code are listed in `tests/mutants/c.txt`. Some have no observable
//! effect: they are listed in `tests/mutants/equivalent.txt`, with reasons. Any other that no test notices is a failure. A
//! whole run takes hours: `--crate`, `--shard` and `--in-diff` limit it.

mod c;
mod equivalent;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use tband_programs::Program;

use crate::command::format_command;
use crate::setup::{self, Purpose};
use crate::tool::Tool;
use equivalent::Equivalent;

/// The version whose mutants `equivalent.txt` names.
const TOOL: Tool = Tool { name: "cargo-mutants", version: "27.1.0", features: "" };

/// Cases of each property; what any of them notices, many do.
const PROPERTY_CASES: &str = "64";

/// Programs of tests: all but the examples in the documentation, which are slow to run. The build gets these options as well,
/// since it takes most of the time.
const ALL_TESTS: &[&str] = &["--lib", "--tests"];

/// Code to change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Code {
    /// tband-format
    Format,
    /// tband-core
    Core,
    /// The timeline of tband-conv
    Timeline,
    /// The shim and the kernel's hooks
    C,
}

/// What `cargo xtask mutants` is asked for.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which code; all if empty.
    pub code: Vec<Code>,
    /// A part of the mutants: which, of how many.
    pub shard: Option<String>,
    /// Only what a diff, in this file, has changed.
    pub in_diff: Option<PathBuf>,
}

/// What became of the mutants of some code.
#[derive(Debug, Default)]
struct Outcome {
    /// A test failed, or did not end.
    caught: usize,
    /// No test noticed; as `equivalent.txt` would name them.
    missed: Vec<Equivalent>,
    /// Not a program.
    unviable: usize,
}

impl Code {
    const ALL: [Self; 4] = [Self::Format, Self::Core, Self::Timeline, Self::C];

    const fn name(self) -> &'static str {
        match self {
            Self::Format => "format",
            Self::Core => "core",
            Self::Timeline => "timeline",
            Self::C => "C",
        }
    }

    /// The programs of tests that notice most of its mutants.
    const fn first_tests(self) -> &'static [&'static str] {
        match self {
            Self::Core => &["--lib", "--test=packets"],
            _ => &["--lib"],
        }
    }

    /// Package, its files that are changed, and the packages whose tests should notice.
    const fn rust(self) -> (&'static str, &'static str, &'static [&'static str]) {
        match self {
            Self::Format => {
                ("tband-format", "tband-format/src/**", &["tband-format", "tband-core"])
            }
            Self::Core => ("tband-core", "tband-core/src/**", &["tband-core"]),
            Self::Timeline | Self::C => {
                ("tband-conv", "tband-conv/src/{model,machine}/**", &["tband-conv"])
            }
        }
    }
}

/// Makes the mutants and runs the tests.
///
/// # Errors
/// No test noticed one that is not listed, or the tests fail without any.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    let equivalent = equivalent::read(root)?;
    let folder = root.join("target/mutants");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let code = if options.code.is_empty() { &Code::ALL[..] } else { &options.code };
    let mut rows = Vec::new();
    let mut unknown = Vec::new();
    for &code in code {
        let outcome = match code {
            Code::C => c::run(root, &folder, options)?,
            _ => rust(root, &folder, code, options)?,
        };
        let (known, new): (Vec<_>, Vec<_>) =
            outcome.missed.into_iter().partition(|missed| equivalent.contains(missed));
        let noticed = outcome.caught as f64 / (outcome.caught + new.len()).max(1) as f64;
        rows.push(format!(
            "{:<10} {:>6} {:>6} {:>10} {:>8} {:>7.1} %",
            code.name(),
            outcome.caught,
            new.len(),
            known.len(),
            outcome.unviable,
            100.0 * noticed
        ));
        unknown.extend(new);
    }
    println!("code       caught missed equivalent unviable   caught of those that matter");
    rows.iter().for_each(|row| println!("{row}"));
    if !unknown.is_empty() {
        println!("\nNo test noticed:");
        unknown.iter().for_each(|missed| println!("{missed}"));
        bail!(
            "{} mutants went unnoticed; write tests, or list them in {}",
            unknown.len(),
            equivalent::FILE
        );
    }
    Ok(())
}

/// Mutants of a crate, by cargo-mutants, in a copy of the tree: with the programs of tests that notice most, and what
/// these leave with all.
fn rust(root: &Path, folder: &Path, code: Code, options: &Options) -> Result<Outcome> {
    setup::run(Purpose::Mutants)?;
    let program = TOOL.find_or_install(root)?;
    let out = folder.join(code.name());
    // The output of the last run; cargo-mutants writes nothing if it finds no mutants.
    let found = out.join("mutants.out");
    if found.exists() {
        fs::remove_dir_all(&found).with_context(|| format!("cannot remove {}", found.display()))?;
    }
    let lines = |name: &str| -> Vec<String> {
        let text = fs::read_to_string(found.join(name)).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    };
    let mut outcome = Outcome::default();
    for tests in [code.first_tests(), ALL_TESTS] {
        let is_first = tests != ALL_TESTS;
        let mut command = pass(root, &program, code, options)?;
        command.arg("--output").arg(&out);
        command.args(tests.iter().map(|test| format!("--cargo-arg={test}")));
        if !is_first {
            command.arg("--iterate");
        }
        let text = format_command(&command);
        #[expect(
            clippy::disallowed_methods,
            reason = "it takes hours, and the user sees how it gets on"
        )]
        let status = command.status().with_context(|| format!("cannot start `{text}`"))?;
        // All caught; some missed; some that did not end.
        ensure!(matches!(status.code(), Some(0 | 2 | 3)), "`{text}` failed ({status})");
        outcome.caught += lines("caught.txt").len();
        outcome.unviable += lines("unviable.txt").len();
        if lines("missed.txt").is_empty() && lines("timeout.txt").is_empty() {
            break;
        }
    }
    // A mutant whose first tests did not end was tried again.
    outcome.caught += lines("timeout.txt").len();
    let missed: Result<_> =
        lines("missed.txt").iter().map(|line| Equivalent::of_mutant(root, line)).collect();
    outcome.missed = missed?;
    Ok(outcome)
}

/// A run of cargo-mutants over some code; the caller adds the choice of tests.
fn pass(root: &Path, program: &Path, code: Code, options: &Options) -> Result<Command> {
    let (package, files, tested_by) = code.rust();
    let mut command = Command::new(program);
    command
        .args(["mutants", "--package", package, "--file", files, "--no-shuffle"])
        .args(["--test-package", &tested_by.join(",")])
        .args(["--colors", "never", "--no-times"])
        // Debug info is slow to link, and of a crate hardly anything changes from one mutant to the next.
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .env("CARGO_INCREMENTAL", "1")
        .env("PROPTEST_CASES", PROPERTY_CASES)
        .current_dir(root)
        // Its own trees have their own output.
        .env_remove("CARGO_TARGET_DIR");
    if let Some(shard) = &options.shard {
        command.args(["--sharding", "round-robin", "--shard", shard]);
    }
    if let Some(diff) = &options.in_diff {
        command.arg("--in-diff").arg(std::path::absolute(diff)?);
    }
    Ok(command)
}

/// What tests that ran have shown.
enum TestResult {
    Passed,
    /// With what they printed; nothing if they did not end.
    Failed(String),
}

/// Runs tests of a tree, which may take long.
fn run_tests(tree: &Path, args: &[&str]) -> Result<TestResult> {
    let mut command = Command::new("cargo");
    command.args(["test", "--quiet", "--package", "tband-tests"]).args(args).current_dir(tree);
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    // A test that does not end counts as a failure.
    let Ok(output) = Program::start_inheriting(&mut command)?.output() else {
        return Ok(TestResult::Failed(String::new()));
    };
    if output.status.success() {
        return Ok(TestResult::Passed);
    }
    let text = [output.stdout, output.stderr].concat();
    Ok(TestResult::Failed(String::from_utf8_lossy(&text).into_owned()))
}
