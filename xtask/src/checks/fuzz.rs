//! `cargo xtask fuzz`: any bytes into decoder, converter and every sink, steered by what they reach.
//!
//! Two fuzzers run side by side, so that both cores of a small machine have work: one begins with nothing, the other with
//! pieces of real recordings. Each keeps the cases that reached new code in a separate folder, from which the next run
//! continues. The checks are in `tests/fuzz`.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail, ensure};

use crate::command::{format_command, run_quiet, run_with_output};
use crate::rust_target::host_target;

/// Maximum case, in bytes: about eighty events. Longer ones reach hardly any other code, and take longer.
const MAX_LEN: usize = 400;

/// Compiler options with which the fuzzer sees the paths of a case.
const INSTRUMENT: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=3 \
     -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table";

/// Large blocks come from the heap as small ones do; otherwise the time is spent on mapping them.
const ALLOCATOR: &str =
    "glibc.malloc.mmap_threshold=268435456:glibc.malloc.trim_threshold=268435456";

/// The fuzzers, by their initial cases.
const FUZZERS: [&str; 2] = ["nothing", "recordings"];

/// Runs that many cases in all, half of them by each fuzzer.
///
/// # Errors
/// If one does not hold; the text has the file with it.
#[expect(clippy::disallowed_methods, reason = "the user sees what it waits for")]
pub fn run(root: &Path, cases: u64) -> Result<()> {
    let program = build(root)?;
    let folder = root.join("target/fuzz");
    let mut running = Vec::new();
    for (index, name) in (0_u64..).zip(FUZZERS) {
        let corpus = folder.join(name);
        fs::create_dir_all(&corpus).with_context(|| format!("cannot make {}", corpus.display()))?;
        if name == "recordings" {
            write_seeds(&program, &corpus)?;
        }
        let share = cases / 2 + cases % 2 * index;
        let mut command = Command::new(&program);
        command
            .arg(format!("-runs={share}"))
            .arg(format!("-max_len={MAX_LEN}"))
            .arg(format!("-seed={}", seed(index)))
            .arg(format!("-artifact_prefix={}/failed-", folder.display()))
            .args(["-print_final_stats=1", "-reduce_inputs=0", "-entropic=0"])
            .arg(&corpus)
            .env("GLIBC_TUNABLES", ALLOCATOR)
            .stderr(Stdio::piped());
        let text = format_command(&command);
        let child = command.spawn().with_context(|| format!("cannot start `{text}`"))?;
        running.push(Fuzzer { name, child, command: text });
    }
    let failed = &AtomicBool::new(false);
    let results: Vec<Result<u64>> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            running.into_iter().map(|fuzzer| scope.spawn(|| fuzzer.follow(failed))).collect();
        let result = |thread: std::thread::ScopedJoinHandle<'_, _>| match thread.join() {
            Ok(result) => result,
            Err(_) => bail!("a thread ended early"),
        };
        threads.into_iter().map(result).collect()
    });
    let done = results.into_iter().sum::<Result<u64>>()?;
    println!("{done} cases, none failed; what they reached is kept in {}", folder.display());
    ensure!(done >= cases, "{cases} cases were asked for");
    Ok(())
}

/// Shows one case, from a file, and runs it again.
///
/// # Errors
/// If it does not hold.
pub fn replay(root: &Path, case: &Path) -> Result<()> {
    ensure!(case.is_file(), "there is no file {}", case.display());
    let program = build(root)?;
    run_with_output(
        Command::new(program).arg(case).env("TBAND_FUZZ_SHOW", "1").env("RUST_BACKTRACE", "1"),
    )
}

fn build(root: &Path) -> Result<PathBuf> {
    let host = host_target()?;
    let target = root.join("target/fuzz-build");
    let mut command = Command::new("cargo");
    // With an explicit target the flags do not apply to build scripts.
    command
        .args(["build", "--locked", "--profile", "fuzz", "--package", "tband-fuzz"])
        .args(["--features", "fuzzer,parquet", "--target", &host, "--target-dir"])
        .arg(&target)
        .env("RUSTFLAGS", INSTRUMENT)
        .current_dir(root);
    run_with_output(&mut command)?;
    Ok(target.join(host).join("fuzz/tband-fuzz"))
}

/// Written by the fuzzer itself, so that `xtask` is built without the parts of tband that are fuzzed.
fn write_seeds(program: &Path, corpus: &Path) -> Result<()> {
    let mut command = Command::new(program);
    command.env("TBAND_FUZZ_SEEDS", corpus).env("TBAND_FUZZ_SEED_LEN", MAX_LEN.to_string());
    run_quiet(&mut command)?;
    Ok(())
}

/// Returns another seed each time, so that runs add up; the fuzzer prints it.
fn seed(index: u64) -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    1 + (now.as_secs() * 2 + index) % 0xFFFF_FFFE
}

struct Fuzzer {
    name: &'static str,
    child: Child,
    command: String,
}

impl Fuzzer {
    /// Shows its progress, until it ends, or another one has `failed`; returns the number of its cases.
    #[expect(clippy::disallowed_methods, reason = "the user sees what it waits for")]
    fn follow(self, failed: &AtomicBool) -> Result<u64> {
        let Self { name, mut child, command } = self;
        let mut cases = 0;
        let mut printed = Vec::new();
        for line in child.stderr.take().into_iter().flat_map(|it| BufReader::new(it).lines()) {
            let line = line.context("cannot read the fuzzer's output")?;
            if failed.load(Relaxed) {
                child.kill()?;
                child.wait()?;
                return Ok(cases);
            }
            if let Some(count) = line.strip_prefix("stat::number_of_executed_units:") {
                cases = count.trim().parse().context("the fuzzer's count is not a number")?;
            }
            // Each case that reaches new code has a line; only those at powers of two, and the end of the run, are shown.
            if line.contains("pulse") || line.starts_with("Done") || line.starts_with("stat::") {
                println!("{name}: {line}");
            } else if !line.starts_with('#') {
                printed.push(line);
            }
        }
        let status = child.wait()?;
        if status.success() {
            return Ok(cases);
        }
        failed.store(true, Relaxed);
        let panicked = printed.iter().position(|line| line.contains("panicked at")).unwrap_or(0);
        let reason = printed.get(panicked..).unwrap_or_default();
        let file = printed.iter().find_map(|line| line.split_once("Test unit written to "));
        bail!(
            "`{command}` failed ({status}):\n{}\nTo see the case and run it again:\n  \
             cargo xtask fuzz --replay {}",
            reason.iter().take(3).cloned().collect::<Vec<_>>().join("\n"),
            file.map_or("FILE", |(_, file)| file)
        )
    }
}
