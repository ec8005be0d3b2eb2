//! `cargo xtask bench fleet`: measures the time and memory to turn many recordings into tables and to query them.
//!
//! Recordings are created, added and removed a few at a time, so the disk holds the tables and not the recordings. Nothing has
//! a budget here: times are those of this machine under its load. Creating recordings takes longer than all measurements, so
//! only a few are created, and the others are copies without some packets at their end.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use tband_programs::Program;

use crate::dist;
use crate::generate;

/// Options of the measurement.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many recordings.
    pub recordings: u64,
    /// Bytes of each.
    pub size: u64,
    /// Leave out the questions, which `tband-cli query` copies the tables' columns for.
    pub only_ingest: bool,
    /// Where everything is put, which is removed in the end.
    pub folder: PathBuf,
}

/// Recordings that are on the disk at a time.
const BATCH: u64 = 20;
const DEVICES: u64 = 10;
/// Number of created recordings.
const BASES: u64 = 4;
const PACKET_SIZE: usize = 512;
/// Bytes of the events in frames that take 47 bytes in packets.
const FRAMES_TO_PACKETS: (u64, u64) = (86, 47);
const QUESTIONS: [&str; 3] = ["losses", "stacks", "latency"];

/// Cost of runs of a program.
#[derive(Clone, Copy, Debug, Default)]
struct RunCost {
    wall_s: f64,
    cpu_s: f64,
    peak_mib: f64,
}

impl RunCost {
    const fn and(self, other: Self) -> Self {
        Self {
            wall_s: self.wall_s + other.wall_s,
            cpu_s: self.cpu_s + other.cpu_s,
            peak_mib: self.peak_mib.max(other.peak_mib),
        }
    }
}

/// Runs a command to its end.
fn run(command: &mut Command) -> Result<RunCost> {
    let begin = Instant::now();
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let (ran, cost) =
        Program::start_inheriting(command).context("cannot start")?.output_and_cost()?;
    // 1: recordings that have lost something.
    ensure!(matches!(ran.status.code(), Some(0 | 1)), "{command:?} failed");
    Ok(RunCost {
        wall_s: begin.elapsed().as_secs_f64(),
        cpu_s: cost.processor.as_secs_f64(),
        peak_mib: cost.peak_bytes as f64 / f64::from(1 << 20),
    })
}

/// Bytes of all files below a folder.
fn bytes_below(folder: &Path) -> Result<u64> {
    let mut bytes = 0;
    for entry in
        fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?
    {
        let entry = entry?;
        let meta = entry.metadata()?;
        bytes += if meta.is_dir() { bytes_below(&entry.path())? } else { meta.len() };
    }
    Ok(bytes)
}

/// A recording, and where its packets end.
#[derive(Default)]
struct Base {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Write for Base {
    /// Gets a packet at a time.
    fn write(&mut self, packet: &[u8]) -> io::Result<usize> {
        self.bytes.extend(packet);
        self.ends.push(self.bytes.len());
        Ok(packet.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Base {
    /// Creates a recording of this many bytes.
    fn new(seed: u64, size: u64) -> Result<Self> {
        let (frames, packets) = FRAMES_TO_PACKETS;
        let size = size * frames / packets;
        let options = generate::Options { size, seed, ..generate::Options::default() };
        let mut base = Self::default();
        generate::packets(&options, PACKET_SIZE, &mut base).context("cannot make a recording")?;
        Ok(base)
    }

    /// Returns it without this many packets at its end.
    fn without(&self, packets: u64) -> &[u8] {
        let packets = usize::try_from(packets).unwrap_or(usize::MAX);
        let end = self.ends.len().checked_sub(packets.saturating_add(1));
        end.and_then(|at| self.bytes.get(..self.ends[at])).unwrap_or_default()
    }
}

struct Bench<'o> {
    options: &'o Options,
    tool: PathBuf,
    bases: Vec<Base>,
}

impl Bench<'_> {
    fn path(&self, name: &str) -> PathBuf {
        self.options.folder.join(name)
    }

    /// Writes a recording that is another one for each number; its bytes.
    fn recording(&self, number: u64, path: &Path) -> Result<u64> {
        let bytes = self.bases[(number % BASES) as usize].without(number / BASES);
        ensure!(!bytes.is_empty(), "so small recordings are not different");
        fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(bytes.len() as u64)
    }

    /// Adds recordings to a folder of tables.
    fn ingest(&self, device: u64, tables: &Path, paths: &[PathBuf]) -> Result<RunCost> {
        let mut command = Command::new(&self.tool);
        command.args(["ingest", "--quiet", "--date", "2026-11-01", "--device"]);
        run(command.arg(format!("pump-{device}")).arg(tables).args(paths))
    }

    fn ask(&self, root: &Path, tables: &Path) -> Result<Vec<RunCost>> {
        let answers = QUESTIONS.map(|name| {
            let path = root.join("examples/fleet/questions").join(name).with_extension("sql");
            let sql = fs::read_to_string(&path);
            let sql = sql.with_context(|| format!("cannot read {}", path.display()))?;
            // The engine's temporary files are beside the tables, on a disk that is known to have room.
            let mut command = Command::new(&self.tool);
            run(command
                .env("SQLITE_TMPDIR", &self.options.folder)
                .args(["query", "--quiet", &sql])
                .arg(tables))
        });
        answers.into_iter().collect()
    }
}

/// Measures, and prints the results.
///
/// # Errors
/// A step cannot be built, written or run.
pub fn bench(root: &Path, options: &Options) -> Result<()> {
    ensure!(options.recordings > 0 && options.size > 0, "there is nothing to measure");
    let tool = dist::program_with_tables(root)?;
    let bases = (1..=BASES).map(|seed| Base::new(seed, options.size)).collect::<Result<_>>()?;
    let bench = Bench { options, tool, bases };
    ensure!(!options.folder.exists(), "{} is there; name a new folder", options.folder.display());
    fs::create_dir_all(&options.folder)
        .with_context(|| format!("cannot make {}", options.folder.display()))?;
    let measured = measure(root, &bench);
    fs::remove_dir_all(&options.folder)
        .with_context(|| format!("cannot remove {}", options.folder.display()))?;
    measured
}

fn measure(root: &Path, bench: &Bench<'_>) -> Result<()> {
    let Options { recordings, only_ingest, .. } = *bench.options;
    let (one, all) = (bench.path("one"), bench.path("all"));
    let first = bench.path("first.bin");
    let len = bench.recording(0, &first)?;
    let took = bench.ingest(0, &one, std::slice::from_ref(&first))?;
    fs::remove_file(&first)?;
    show("one recording added", took);
    println!("{len} bytes, {} bytes of tables", bytes_below(&one)?);
    let (mut total, mut bytes, mut number) = (RunCost::default(), 0, 0);
    while number < recordings {
        let batch = BATCH.min(recordings - number);
        let paths: Vec<_> = (0..batch).map(|it| bench.path(&format!("{it}.bin"))).collect();
        for (path, number) in paths.iter().zip(number..) {
            bytes += bench.recording(number, path)?;
        }
        total = total.and(bench.ingest(number / BATCH % DEVICES, &all, &paths)?);
        paths.iter().try_for_each(fs::remove_file)?;
        number += batch;
    }
    show(&format!("{recordings} recordings added"), total);
    println!("{bytes} bytes, {} bytes of tables", bytes_below(&all)?);
    let mb = bytes as f64 / 1e6;
    println!("{:.1} MB/s, {:.1} MB for a second of a core", mb / total.wall_s, mb / total.cpu_s);
    if !only_ingest {
        let answers = [(1, one), (recordings, all)].map(|(count, tables)| {
            for (name, took) in QUESTIONS.iter().zip(bench.ask(root, &tables)?) {
                show(&format!("{name}, of {count}"), took);
            }
            anyhow::Ok(())
        });
        answers.into_iter().collect::<Result<()>>()?;
    }
    Ok(())
}

fn show(what: &str, took: RunCost) {
    let RunCost { wall_s, cpu_s, peak_mib } = took;
    println!("{what:<28} {wall_s:>8.2} s {cpu_s:>8.2} s of a core {peak_mib:>7.1} MiB");
}
