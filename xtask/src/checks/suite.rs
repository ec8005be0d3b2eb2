//! `cargo xtask test`: builds every test program, then runs as many at a time as the machine has cores.
//!
//! `cargo test` runs one program after the other, and most have a last test that keeps one core busy. The output of a program
//! is shown when it ends, as `cargo test` shows it; every minute the programs that still run are named. The longest of the last
//! run are started first.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use tband_programs::output_and_cost;

use crate::command::run_with_output;
use crate::setup::{self, Purpose, packages, python};
use crate::tier::{Tier, guess};

/// How often the programs that still run are named.
const REPORT: Duration = Duration::from_secs(60);
/// How long each program took the last time, in milliseconds, below the target folder.
const TIMES: &str = "target/test-times.json";
/// Property tests draw the same cases in each run of the suite, so that a change is judged and not the luck of a
/// draw. `cargo test` and `cargo xtask properties` draw new ones.
const SEED: (&str, &str) = ("PROPTEST_RNG_SEED", "1");

/// A program of tests.
#[derive(Clone, Debug)]
struct Suite {
    package: String,
    /// Name of its target; of unit tests that of the library or program.
    name: String,
    /// The option of `cargo test` that chooses it.
    choice: String,
    program: PathBuf,
    /// Folder of the package, where cargo runs it.
    folder: PathBuf,
    /// Which of its tests, as arguments of the program.
    arguments: Vec<&'static str>,
    /// Variables of its environment.
    environment: &'static [(&'static str, &'static str)],
}

impl Suite {
    fn format_name(&self) -> String {
        let words = [&self.package[..], &self.name[..]].into_iter();
        words.chain(self.arguments.iter().copied()).collect::<Vec<_>>().join(" ")
    }

    /// The command that runs this program alone.
    fn command(&self) -> String {
        format!("cargo test -p {} {}", self.package, self.choice)
    }

    /// Returns a program that cargo has built, from its message.
    fn of(message: &Value) -> Option<Self> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        if message["reason"] != "compiler-artifact" || message["profile"]["test"] != true {
            return None;
        }
        let (target, manifest) = (&message["target"], text(&message["manifest_path"])?);
        let name = text(&target["name"])?;
        let choice = match target["kind"][0].as_str() {
            Some("test") => format!("--test {name}"),
            Some("bin") => format!("--bin {name}"),
            Some("example") => format!("--example {name}"),
            _ => "--lib".to_owned(),
        };
        let id = text(&message["package_id"])?;
        let (_, package) = id.rsplit_once('#')?;
        let folder = Path::new(&manifest).parent()?.to_path_buf();
        let package = match package.split_once('@') {
            Some((package, _)) => package.to_owned(),
            None => folder.file_name()?.to_string_lossy().into_owned(),
        };
        let program = text(&message["executable"])?.into();
        Some(Self {
            package,
            name,
            choice,
            program,
            folder,
            arguments: Vec::new(),
            environment: &[],
        })
    }

    fn run(&self) -> Result<ProgramResult> {
        let begin = Instant::now();
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).current_dir(&self.folder).env("CARGO", cargo());
        command.env("CARGO_MANIFEST_DIR", &self.folder);
        for (name, value) in self.environment.iter().chain([&SEED]) {
            if std::env::var_os(name).is_none() {
                command.env(name, value);
            }
        }
        let (output, cost) = output_and_cost(&mut command)
            .with_context(|| format!("cannot start {}", self.program.display()))?;
        let mut text = String::from_utf8_lossy(&output.stderr).into_owned();
        text += &String::from_utf8_lossy(&output.stdout);
        Ok(ProgramResult {
            ok: output.status.success(),
            text,
            took: begin.elapsed(),
            processor: cost.processor,
        })
    }
}

/// Result of a program.
struct ProgramResult {
    ok: bool,
    text: String,
    took: Duration,
    /// Processor time.
    processor: Duration,
}

impl ProgramResult {
    /// Returns how many tests passed, failed and were ignored, from the last line.
    fn counts(&self) -> [usize; 3] {
        let line = self.text.lines().rfind(|line| line.starts_with("test result:"));
        let count = |name: &str| {
            let before = line?.split(name).next()?;
            before.trim_end().rsplit(' ').next()?.parse().ok()
        };
        [" passed", " failed", " ignored"].map(|name| count(name).unwrap_or(0))
    }
}

/// Installs missing packages, builds and runs the tests of a tier.
///
/// # Errors
/// A test failed, something does not compile, or cannot be installed.
pub fn run(root: &Path, tier: Tier) -> Result<()> {
    // The compiler needs some of these.
    setup::install_packages(Purpose::Tests)?;
    // Two rustup processes that add a target at the same time fail, so all targets are added before tests run in parallel.
    tier.install_targets(root)?;
    packages::fetch(root)?;
    // And nothing of Python, which waits for downloads most of the time.
    let (suites, installed) = thread::scope(|scope| {
        let python = scope.spawn(|| {
            python::USUAL.install(root)?;
            python::TYPES.install(root)?;
            python::WORKFLOWS.install(root)?;
            if tier.has_release() {
                python::VALIDATORS.install(root)?;
            }
            let cmakes = if tier.has_release() { &python::CMAKES[..] } else { &[] };
            cmakes.iter().try_for_each(|cmake| cmake.install(root))
        });
        let suites = build(root, tier);
        (suites, python.join())
    });
    let mut suites = suites?;
    installed.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
    suites.retain_mut(|suite| {
        let arguments = tier.arguments(&suite.package, &suite.name);
        let is_run = arguments.is_some();
        suite.arguments = arguments.unwrap_or_default();
        suite.environment = tier.environment();
        is_run
    });
    let times = Times::read(root);
    suites.sort_by_key(|suite| {
        std::cmp::Reverse(times.of(suite).unwrap_or_else(|| guess(&suite.package, &suite.name)))
    });
    let mut failed = run_all(root, &suites, times)?;
    if tier != Tier::Release {
        let mut doc = Command::new(cargo());
        // The build above fits them.
        doc.args(["test", "--workspace", "--locked", "--doc", "--no-fail-fast"]);
        doc.args(tier.features().iter().flat_map(|it| ["--features", it]));
        doc.args(tier.without().iter().flat_map(|package| ["--exclude", package]));
        if let Err(error) = run_with_output(doc.current_dir(root)) {
            failed.push(error.to_string());
        }
    }
    ensure!(failed.is_empty(), "tests failed; again, each alone:\n{}", failed.join("\n"));
    Ok(())
}

/// Compiles the tests, shows the compiler's output, and returns the programs.
fn build(root: &Path, tier: Tier) -> Result<Vec<Suite>> {
    let mut command = Command::new(cargo());
    command.args(["test", "--workspace", "--locked", "--no-run"]);
    command.args(tier.features().iter().flat_map(|it| ["--features", it]));
    command.arg("--message-format=json-render-diagnostics").current_dir(root);
    command.args(tier.without().iter().flat_map(|package| ["--exclude", package]));
    command.stdout(std::process::Stdio::piped());
    // The compiler's messages and cargo's progress go to stderr, which the user sees.
    let mut cargo = tband_programs::Program::start_inheriting(&mut command)?;
    let mut suites = Vec::new();
    loop {
        let line = cargo.line();
        if line.is_empty() {
            break;
        }
        let Ok(message) = serde_json::from_str::<Value>(&line) else { continue };
        suites.extend(Suite::of(&message));
    }
    ensure!(cargo.wait()?.success(), "the tests do not compile");
    ensure!(!suites.is_empty(), "cargo has built no tests");
    Ok(suites)
}

/// Runs the programs and shows their output; returns the commands for those that failed.
fn run_all(root: &Path, suites: &[Suite], mut times: Times) -> Result<Vec<String>> {
    let workers = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let queue = Mutex::new(suites.iter());
    let (done, results) = mpsc::channel();
    let mut failed = Vec::new();
    let (begin, mut processor) = (Instant::now(), Duration::ZERO);
    let mut counts = [0; 3];
    thread::scope(|scope| {
        for _ in 0..workers {
            let (queue, done) = (&queue, done.clone());
            scope.spawn(move || {
                loop {
                    let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let Some(suite) = next else { return };
                    if done.send((suite, None)).is_err() {
                        return;
                    }
                    if done.send((suite, Some(suite.run()))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(done);
        let mut running: Vec<(&Suite, Instant)> = Vec::new();
        let mut ended = 0;
        loop {
            match results.recv_timeout(REPORT) {
                Ok((suite, None)) => running.push((suite, Instant::now())),
                Ok((suite, Some(ran))) => {
                    running.retain(|(other, _)| !std::ptr::eq(*other, suite));
                    let ran = ran?;
                    ended += 1;
                    times.note(suite, ran.took);
                    processor += ran.processor;
                    println!(
                        "\n     Running {} ({ended} of {}, {:.1} s, {:.1} of a processor)",
                        suite.format_name(),
                        suites.len(),
                        ran.took.as_secs_f64(),
                        ran.processor.as_secs_f64()
                    );
                    print!("{}", ran.text);
                    for (sum, count) in counts.iter_mut().zip(ran.counts()) {
                        *sum += count;
                    }
                    if !ran.ok {
                        failed.push(suite.command());
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    for (suite, since) in &running {
                        let minutes = since.elapsed().as_secs() / 60;
                        eprintln!("  ... {} runs, for {minutes} min so far", suite.format_name());
                    }
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        times.write(root)
    })?;
    let [passed, not, ignored] = counts;
    let minutes = |time: Duration| time.as_secs_f64() / 60.0;
    println!(
        "\nThe programs took {:.1} minutes, and {:.1} of a processor.",
        minutes(begin.elapsed()),
        minutes(processor)
    );
    println!("{passed} passed, {not} failed, {ignored} skipped");
    Ok(failed)
}

/// How long programs took.
#[derive(Debug, Default)]
struct Times(BTreeMap<String, u64>);

impl Times {
    fn read(root: &Path) -> Self {
        let text = fs::read_to_string(root.join(TIMES)).unwrap_or_default();
        Self(serde_json::from_str(&text).unwrap_or_default())
    }

    fn of(&self, suite: &Suite) -> Option<u64> {
        self.0.get(&suite.format_name()).copied()
    }

    fn note(&mut self, suite: &Suite, took: Duration) {
        self.0.insert(suite.format_name(), u64::try_from(took.as_millis()).unwrap_or(u64::MAX));
    }

    fn write(&self, root: &Path) -> Result<()> {
        let text = serde_json::to_string_pretty(&self.0)?;
        fs::write(root.join(TIMES), text).with_context(|| format!("cannot write {TIMES}"))
    }
}

fn cargo() -> PathBuf {
    std::env::var_os("CARGO").map_or_else(|| "cargo".into(), PathBuf::from)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_program_that_cargo_has_built() {
        let message = |kind: &str, id: &str| {
            json!({
                "reason": "compiler-artifact", "package_id": id, "profile": {"test": true},
                "manifest_path": "/w/tband-conv/Cargo.toml", "executable": "/w/target/debug/deps/x-1",
                "target": {"kind": [kind], "name": "waits"},
            })
        };
        let suite = Suite::of(&message("test", "path+file:///w/tband-conv#0.1.0")).unwrap();
        assert_eq!(suite.command(), "cargo test -p tband-conv --test waits");
        assert_eq!(suite.format_name(), "tband-conv waits");
        assert_eq!(suite.folder, Path::new("/w/tband-conv"));
        let suite = Suite::of(&message("lib", "path+file:///w/x#other@0.1.0")).unwrap();
        assert_eq!(suite.command(), "cargo test -p other --lib");
        let mut library = message("lib", "path+file:///w/x#other@0.1.0");
        library["profile"]["test"] = json!(false);
        assert!(Suite::of(&library).is_none());
    }

    #[test]
    fn counts_are_those_of_the_last_line() {
        let text = "test a ... ok\n\ntest result: FAILED. 12 passed; 3 failed; 1 ignored; 0 measured; 0 filtered out\n";
        let ran = ProgramResult {
            ok: false,
            text: text.to_owned(),
            took: Duration::ZERO,
            processor: Duration::ZERO,
        };
        assert_eq!(ran.counts(), [12, 3, 1]);
        let crashed = ProgramResult {
            ok: false,
            text: String::new(),
            took: Duration::ZERO,
            processor: Duration::ZERO,
        };
        assert_eq!(crashed.counts(), [0, 0, 0]);
    }
}
