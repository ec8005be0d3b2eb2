//! `cargo xtask bench host`: what the converter costs, compared with its budgets.
//!
//! Instructions are counted by callgrind over whole runs of the `measure` example of `tband-conv`, in
//! the release profile. The difference of two sizes is taken, so that starting up does not count.
//! These numbers are exact and the same on every run; wall times are not and have no budget.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use serde_json::json;
use tband_programs::{Program, output_inheriting};

use crate::command::run_quiet;
use crate::generate::{self, mix::Mix};

/// Most instructions for each event, all costs included. `timeline` is what `stats` and `conv` share: it has a
/// sink that counts the steps and looks at nothing but their times. `conv-rows` has interrupts on rows of
/// their own. `conv-gzip` is the command line's `conv -o FILE.gz`, all threads together: what it costs beyond
/// `conv` compresses. `dump` is text, with names and times.
pub const MAX_INSTRUCTIONS: [(&str, u64); 8] = [
    ("decode", 100),
    ("timeline", 200),
    ("stats", 250),
    ("conv", 650),
    ("conv-rows", 600),
    (GZIP, 1600),
    ("dump", 480),
    ("dump-json", 480),
];
const GZIP: &str = "conv-gzip";
/// Most bytes of a Perfetto trace for each event, before compression, however interrupts are shown.
pub const MAX_PERFETTO_BYTES: f64 = 17.0;
/// Most memory, for a recording of any length.
pub const MAX_RSS_MIB: f64 = 64.0;

/// The recordings that are measured lose a few events once in so many.
const LOSS_EVERY: u64 = 20_000;

/// Sizes of the two recordings that callgrind sees.
const SMALL: u64 = 200_000;
const BIG: u64 = 1_200_000;

/// What a run of `measure` says.
#[derive(Clone, Copy, Debug, Default)]
pub struct Run {
    /// Events in the recording.
    pub events: u64,
    /// Bytes of the result.
    pub bytes_out: u64,
    /// The most memory that the process had, in KiB.
    pub peak_rss_kib: u64,
    /// Wall time.
    pub nanoseconds: u64,
    /// Instructions, if callgrind counted them.
    pub instructions: u64,
}

/// The program that is measured, and a folder for recordings that is removed in the end.
pub struct Bench {
    program: PathBuf,
    /// The command line.
    tool: PathBuf,
    folder: PathBuf,
}

impl Bench {
    /// Builds the program.
    ///
    /// # Errors
    /// It cannot be built.
    pub fn new(root: &Path) -> Result<Self> {
        // A folder of its own, since cargo holds on to the target folder while it runs tests.
        let target = root.join("target/bench-host");
        let mut cargo = Command::new("cargo");
        cargo.args(["build", "--release", "--locked"]);
        cargo.args(["--package", "tband-conv", "--example", "measure"]);
        cargo.args(["--package", "tband-cli", "--bin", "tband-cli"]);
        cargo.arg("--target-dir").arg(&target).current_dir(root);
        run_quiet(&mut cargo)?;
        // Not among temporary files, which may be kept in memory.
        let folder = target.join(format!("recordings-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        let release = target.join("release");
        Ok(Self {
            program: release.join("examples/measure"),
            tool: release.join("tband-cli"),
            folder,
        })
    }

    /// Makes a recording.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn recording(&self, size: u64) -> Result<PathBuf> {
        let path = self.folder.join(format!("{size}.bin"));
        let options =
            generate::Options { size, loss_every: LOSS_EVERY, ..generate::Options::default() };
        let file = std::io::BufWriter::with_capacity(1 << 18, fs::File::create(&path)?);
        generate::stream(&options, file).context("cannot write a recording")?;
        Ok(path)
    }

    /// Runs `measure`.
    ///
    /// # Errors
    /// It fails.
    pub fn run(&self, what: &str, recording: &Path, out: Option<&Path>) -> Result<Run> {
        let mut command = Command::new(&self.program);
        parse(&run_quiet(command.arg(what).arg(recording).args(out))?.stdout)
    }

    fn counted(&self, what: &str, recording: &Path) -> Result<Run> {
        // A file of its own: two runs go on at a time.
        let counts = recording.with_extension("callgrind");
        let mut command = Command::new("valgrind");
        command.arg("--tool=callgrind");
        command.arg(format!("--callgrind-out-file={}", counts.display()));
        let run = if what == GZIP {
            let trace = recording.with_extension("pftrace.gz");
            command.arg(&self.tool).args(["conv", "--quiet", "-o"]).arg(&trace).arg(recording);
            // It fails, since the recording tells of losses.
            output_inheriting(&mut command).context("cannot start valgrind")?;
            let zipped = fs::metadata(&trace).context("nothing was compressed")?.len();
            fs::remove_file(&trace)?;
            Run { bytes_out: zipped, ..self.run("decode", recording, None)? }
        } else {
            parse(&run_quiet(command.arg(&self.program).arg(what).arg(recording))?.stdout)?
        };
        let text = fs::read_to_string(&counts)?;
        let total = text.lines().find_map(|line| {
            line.strip_prefix("summary:").or_else(|| line.strip_prefix("totals:"))
        });
        let instructions = total.and_then(|total| total.trim().parse().ok());
        let instructions = instructions.context("callgrind wrote no total")?;
        Ok(Run { instructions, ..run })
    }

    /// Instructions for each event of each kind of run, and the most Perfetto bytes for each event.
    ///
    /// # Errors
    /// A run fails.
    pub fn per_event(&self) -> Result<(Vec<(&'static str, u64)>, f64)> {
        let (small, big) = (self.recording(SMALL)?, self.recording(BIG)?);
        let mut counts = Vec::new();
        let mut bytes = 0.0_f64;
        for (what, _) in MAX_INSTRUCTIONS {
            // Both cores of the machine.
            let (small, big) = std::thread::scope(|scope| {
                let small = scope.spawn(|| self.counted(what, &small));
                let big = self.counted(what, &big);
                (small.join(), big)
            });
            let Ok(small) = small else { bail!("a measuring thread panicked") };
            let (small, big) = (small?, big?);
            let events = big.events.saturating_sub(small.events).max(1);
            counts.push((what, big.instructions.saturating_sub(small.instructions) / events));
            let out = big.bytes_out.saturating_sub(small.bytes_out);
            bytes = bytes.max(out as f64 / events as f64);
        }
        Ok((counts, bytes))
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn parse(stdout: &[u8]) -> Result<Run> {
    let text = String::from_utf8_lossy(stdout);
    let mut run = Run::default();
    for part in text.split_whitespace() {
        let Some((name, value)) = part.split_once('=') else { continue };
        let value = value.parse().with_context(|| format!("measure says {part}"))?;
        match name {
            "events" => run.events = value,
            "bytes_out" => run.bytes_out = value,
            "peak_rss_kib" => run.peak_rss_kib = value,
            "nanoseconds" => run.nanoseconds = value,
            _ => {}
        }
    }
    ensure!(run.events > 0, "measure says nothing: {text}");
    Ok(run)
}

/// Measures everything, prints what the recordings consist of and a table, and fails if a budget is exceeded. If it is to be `quick`, it
/// leaves out the recording of 2 GB.
///
/// # Errors
/// A budget is exceeded, or something cannot be measured.
pub fn run(root: &Path, json_file: Option<&Path>, quick: bool) -> Result<()> {
    let bench = Bench::new(root)?;
    println!("{}", Mix::of_file(&bench.recording(BIG)?)?);
    let mut over = Vec::new();
    let mut line = |name: &str, value: f64, budget: f64, unit: &str| {
        let verdict = if value <= budget { "" } else { "  OVER" };
        println!("{name:<28} {value:>8.1} of {budget:>5.0} {unit}{verdict}");
        if value > budget {
            over.push(name.to_owned());
        }
    };

    let (counts, bytes) = bench.per_event()?;
    for ((what, count), (_, budget)) in counts.iter().zip(MAX_INSTRUCTIONS) {
        line(what, *count as f64, budget as f64, "instructions an event");
    }
    line("Perfetto", bytes, MAX_PERFETTO_BYTES, "bytes an event");

    let mut sizes = vec![("10MB", 10_000_000)];
    if !quick {
        sizes.push(("2GB", 2_000_000_000));
    }
    let mut peaks = serde_json::Map::new();
    let mut walls = Vec::new();
    for (name, size) in sizes {
        let recording = bench.recording(size)?;
        let out = bench.folder.join("trace.pftrace");
        // A large trace is of no use to anyone; a small one is written as a user's is.
        let out = (size < 100_000_000).then_some(out.as_path());
        let cat = cat(&recording)?;
        walls.push((name, "cat", size, 0, cat));
        let mut peak = 0.0_f64;
        for (what, _) in MAX_INSTRUCTIONS.into_iter().filter(|(what, _)| *what != GZIP) {
            let run = bench.run(what, &recording, out.filter(|_| what == "conv"))?;
            peak = peak.max(run.peak_rss_kib as f64 / 1024.0);
            walls.push((name, what, size, run.events, run.nanoseconds));
        }
        line(&format!("memory, {name} of input"), peak, MAX_RSS_MIB, "MiB");
        peaks.insert(name.to_owned(), json!((peak * 10.0).round() / 10.0));
        fs::remove_file(&recording)?;
    }
    for (name, what, size, events, nanoseconds) in walls {
        let seconds = nanoseconds as f64 / 1e9;
        let (bytes, events) = (size as f64 / 1e6 / seconds, events as f64 / 1e6 / seconds);
        println!(
            "{name:>5} {what:<22} {seconds:>8.3} s {bytes:>8.0} MB/s {events:>6.1} M events/s"
        );
    }

    if let Some(path) = json_file {
        let counts: serde_json::Map<_, _> = counts
            .iter()
            .filter(|(what, _)| *what != "timeline")
            .map(|(what, count)| ((*what).to_owned(), json!(count)))
            .collect();
        let result = json!({
            "instructions_per_event": counts,
            "peak_rss_mib": peaks,
            "perfetto_bytes_per_event": (bytes * 10.0).round() / 10.0,
        });
        fs::write(path, format!("{result:#}\n"))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    ensure!(over.is_empty(), "over budget: {}", over.join(", "));
    Ok(())
}

/// Wall time of reading a file to no end, in ns.
fn cat(path: &Path) -> Result<u64> {
    let start = Instant::now();
    let mut command = Command::new("cat");
    command.arg(path).stdout(std::process::Stdio::null());
    ensure!(Program::start_inheriting(&mut command)?.wait()?.success(), "cat failed");
    Ok(u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX))
}
