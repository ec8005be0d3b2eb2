//! `cargo xtask demo`: build the library, build and run a C program against it, on this machine or on
//! an emulated board, convert the recording, show what is in it.

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use tband_conv::sinks::{Perfetto, RunTimes};
use tband_conv::{Input, Options, convert};

use crate::board::Board;
use crate::command::run_quiet;
use crate::kernel;
use crate::setup::{self, For};

/// Backend that the example is built with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Backend {
    /// Streamed into a file while the program runs
    Streaming,
    /// Kept in memory and written at the end
    Snapshot,
}

impl Backend {
    /// As CMake knows it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Streaming => "streaming",
            Self::Snapshot => "snapshot",
        }
    }
}

/// What a run of the example leaves behind.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The recording.
    pub trace: PathBuf,
    /// The program's own record of what it did, as JSON.
    pub truth: PathBuf,
}

/// Builds the example below `build` and runs it; files go to `out`.
///
/// # Errors
/// A step failed; the text has its output.
pub fn record(root: &Path, build: &Path, out: &Path, backend: Backend) -> Result<Recorded> {
    let kernel = kernel::path(root)?;
    fs::create_dir_all(out).with_context(|| format!("cannot create {}", out.display()))?;
    run_quiet(
        Command::new("cmake")
            .arg("-S")
            .arg(root.join("examples/posix-freertos"))
            .arg("-B")
            .arg(build)
            .arg(format!("-DFREERTOS_KERNEL_PATH={}", kernel.display()))
            .arg(format!("-DTBAND_BACKEND={}", backend.name())),
    )?;
    run_quiet(Command::new("cmake").arg("--build").arg(build).args(["--parallel", "2"]))?;
    let recorded = Recorded { trace: out.join("trace.bin"), truth: out.join("truth.json") };
    run_quiet(
        Command::new(build.join("posix-freertos"))
            .arg("--out")
            .arg(&recorded.trace)
            .arg("--truth")
            .arg(&recorded.truth),
    )?;
    Ok(recorded)
}

/// Runs the demo.
///
/// # Errors
/// A step failed; nothing is shown as done that is not.
pub fn run(root: &Path, out: &Path, board: Option<Board>, backend: Backend) -> Result<()> {
    setup::run(if board.is_some() { For::Boards } else { For::Demo })?;
    let out = std::path::absolute(out)?;
    let example = board.map_or("posix-freertos", Board::name);
    let build = root.join("target/demo-build").join(format!("{example}-{}", backend.name()));

    eprintln!("Building libtband.a and examples/{example} ({}) ...", backend.name());
    let recorded = match board {
        None => record(root, &build, &out, backend)?,
        Some(board) => {
            let elf = board.build(root, &build, backend, &[])?;
            eprintln!("Running it: {} ...", board.emulator().join(" "));
            board.run(&elf, &out, backend)?
        }
    };

    eprintln!("Converting the recording ...");
    let trace = out.join("trace.pftrace");
    let times = to_perfetto(&recorded.trace, &trace)?;

    print_busiest(&times);
    println!("Recording:      {} ({} bytes)", recorded.trace.display(), size(&recorded.trace)?);
    println!("Perfetto trace: {} ({} bytes)", trace.display(), size(&trace)?);
    println!();
    println!("Look at it: open https://ui.perfetto.dev and drop the Perfetto trace on it, or run");
    println!("  cargo run --release -p tband-cli -- conv --open {}", recorded.trace.display());
    Ok(())
}

/// Prints the table of tasks, without the many that ran for a moment only.
fn print_busiest(times: &RunTimes) {
    const SHOWN: usize = 18;
    let table = times.to_string();
    let rows = times.tasks().count();
    if rows == 0 {
        println!(
            "No tasks: the program has no RTOS. {:.3} ms recorded.\n",
            times.length_ns() as f64 / 1e6
        );
        return;
    }
    for line in table.lines().take(table.lines().count().saturating_sub(rows) + SHOWN) {
        println!("{line}");
    }
    if rows > SHOWN {
        println!("... and {} tasks more that ran less", rows - SHOWN);
    }
    println!();
}

/// Converts a recording and returns the run times that are in it.
///
/// # Errors
/// Files cannot be read or written, or the recording is not whole; the text has what was found.
pub fn to_perfetto(recording: &Path, trace: &Path) -> Result<RunTimes> {
    let name = recording.display().to_string();
    let input = Input::new(name, || Ok(Box::new(File::open(recording)?)));
    let file = File::create(trace).with_context(|| format!("cannot write {}", trace.display()))?;
    let mut file = BufWriter::new(file);
    let mut times = RunTimes::default();
    let mut sinks = (Perfetto::new(&mut file), &mut times);
    let summary = convert(&[input], &Options::default(), &mut sinks)?;
    drop(sinks);
    file.flush()?;
    if !summary.diagnostics.is_clean() {
        let findings: Vec<_> = summary
            .diagnostics
            .iter()
            .map(|finding| format!("  {}: {finding}", summary.place(finding.place)))
            .collect();
        bail!("the recording is damaged or incomplete:\n{}", findings.join("\n"));
    }
    Ok(times)
}

fn size(path: &Path) -> Result<u64> {
    Ok(fs::metadata(path).with_context(|| format!("cannot read {}", path.display()))?.len())
}
