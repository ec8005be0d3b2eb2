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
use crate::cost_page::{CostPage, Table};
use crate::dist;
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
/// The same events in packets of [`PACKET_SIZE`] bytes.
pub const MAX_PACKET_INSTRUCTIONS: [(&str, u64); 3] =
    [("decode", 65), ("stats", 265), ("conv", 565)];
/// Most bytes of an event in packets, headers and metadata included.
pub const MAX_PACKET_BYTES: f64 = 5.0;
const PACKET_SIZE: usize = 512;
/// Most bytes of a Perfetto trace for each event, before compression, however interrupts are shown.
pub const MAX_PERFETTO_BYTES: f64 = 17.0;
/// Most memory, for a recording of any length.
pub const MAX_RSS_MIB: f64 = 64.0;

/// The recordings that are measured lose a few events once in so many.
const LOSS_EVERY: u64 = 20_000;

/// Sizes of the two recordings that callgrind sees.
const SMALL: u64 = 200_000;
const BIG: u64 = 1_200_000;

/// What events are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    /// A frame each.
    Frames,
    /// Packets.
    Packets,
}

impl Wire {
    /// What is measured, and most instructions an event.
    #[must_use]
    pub const fn budgets(self) -> &'static [(&'static str, u64)] {
        match self {
            Self::Frames => &MAX_INSTRUCTIONS,
            Self::Packets => &MAX_PACKET_INSTRUCTIONS,
        }
    }
}

/// What recordings of one kind cost.
#[derive(Clone, Debug)]
pub struct PerEvent {
    /// Instructions of each kind of run.
    pub instructions: Vec<(&'static str, u64)>,
    /// The most Perfetto bytes.
    pub perfetto_bytes: f64,
    /// Bytes in the recording.
    pub bytes: f64,
}

/// The page's table, from what both formats cost.
#[must_use]
pub fn table(frames: &PerEvent, packets: &PerEvent) -> Table {
    let mut text = "| | frames | at most | packets | at most |\n|---|---|---|---|---|\n".to_owned();
    let of = |cost: &PerEvent, wire: Wire, what: &str| {
        let found = cost.instructions.iter().find(|(name, _)| *name == what);
        let budget = wire.budgets().iter().find(|(name, _)| *name == what);
        found
            .zip(budget)
            .map_or("– | –".to_owned(), |((_, count), (_, most))| format!("{count} | {most}"))
    };
    for (what, _) in MAX_INSTRUCTIONS {
        let (frames, packets) = (of(frames, Wire::Frames, what), of(packets, Wire::Packets, what));
        text += &format!("| `{what}` | {frames} | {packets} |\n");
    }
    Table { name: "host", text }
}

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
    /// Builds the programs.
    ///
    /// # Errors
    /// It cannot be built.
    pub fn new(root: &Path) -> Result<Self> {
        // A folder of its own, since cargo holds on to the target folder while it runs tests.
        let target = root.join("target/bench-host");
        let mut cargo = Command::new("cargo");
        cargo.args(["build", "--release", "--locked"]);
        cargo.args(["--package", "tband-conv", "--example", "measure"]);
        cargo.arg("--target-dir").arg(&target).current_dir(root);
        run_quiet(&mut cargo)?;
        // Not among temporary files, which may be kept in memory.
        let folder = target.join(format!("recordings-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        let program = target.join("release/examples/measure");
        Ok(Self { program, tool: dist::program(root, None)?, folder })
    }

    /// Makes a recording of the events that have so many bytes in frames.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn recording(&self, wire: Wire, size: u64) -> Result<PathBuf> {
        let path = self.folder.join(format!("{wire:?}-{size}.bin"));
        let options =
            generate::Options { size, loss_every: LOSS_EVERY, ..generate::Options::default() };
        let file = std::io::BufWriter::with_capacity(1 << 18, fs::File::create(&path)?);
        match wire {
            Wire::Frames => generate::stream(&options, file),
            Wire::Packets => generate::packets(&options, PACKET_SIZE, file),
        }
        .context("cannot write a recording")?;
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

    /// What an event costs.
    ///
    /// # Errors
    /// A run fails.
    pub fn per_event(&self, wire: Wire) -> Result<PerEvent> {
        let (small, big) = (self.recording(wire, SMALL)?, self.recording(wire, BIG)?);
        let lens = fs::metadata(&big)?.len().saturating_sub(fs::metadata(&small)?.len());
        let mut cost = PerEvent { instructions: Vec::new(), perfetto_bytes: 0.0, bytes: 0.0 };
        for (what, _) in wire.budgets() {
            // Both cores of the machine.
            let (small, big) = std::thread::scope(|scope| {
                let small = scope.spawn(|| self.counted(what, &small));
                let big = self.counted(what, &big);
                (small.join(), big)
            });
            let Ok(small) = small else { bail!("a measuring thread panicked") };
            let (small, big) = (small?, big?);
            let events = big.events.saturating_sub(small.events).max(1);
            let instructions = big.instructions.saturating_sub(small.instructions) / events;
            cost.instructions.push((*what, instructions));
            let out = big.bytes_out.saturating_sub(small.bytes_out);
            cost.perfetto_bytes = cost.perfetto_bytes.max(out as f64 / events as f64);
            cost.bytes = lens as f64 / events as f64;
        }
        Ok(cost)
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
/// leaves out the recording of 2 GB; with `docs` it writes the page's table.
///
/// # Errors
/// A budget is exceeded, or something cannot be measured.
pub fn run(root: &Path, json_file: Option<&Path>, quick: bool, docs: bool) -> Result<()> {
    let bench = Bench::new(root)?;
    let mut over = Vec::new();
    let mut line = |name: &str, value: f64, budget: f64, unit: &str| {
        let verdict = if value <= budget { "" } else { "  OVER" };
        println!("{name:<28} {value:>8.1} of {budget:>5.0} {unit}{verdict}");
        if value > budget {
            over.push(name.to_owned());
        }
    };

    let mut sizes = vec![("10MB", 10_000_000)];
    if !quick {
        sizes.push(("2GB", 2_000_000_000));
    }
    let mut walls = Vec::new();
    let mut members = serde_json::Map::new();
    let mut costs = Vec::new();
    for wire in [Wire::Frames, Wire::Packets] {
        let name = |what: &str| match wire {
            Wire::Frames => what.to_owned(),
            Wire::Packets => format!("{what}, packets"),
        };
        println!("{}:\n{}", name("recording"), Mix::of_file(&bench.recording(wire, BIG)?)?);
        let cost = bench.per_event(wire)?;
        for ((what, count), (_, budget)) in cost.instructions.iter().zip(wire.budgets()) {
            line(&name(what), *count as f64, *budget as f64, "instructions an event");
        }
        line(&name("Perfetto"), cost.perfetto_bytes, MAX_PERFETTO_BYTES, "bytes an event");
        let most_bytes = if wire == Wire::Packets { MAX_PACKET_BYTES } else { f64::INFINITY };
        line(&name("recording"), cost.bytes, most_bytes, "bytes an event");
        let mut peaks = serde_json::Map::new();
        for (size_name, size) in &sizes {
            let (peak, times) = memory(&bench, wire, *size)?;
            line(&name(&format!("memory, {size_name} of input")), peak, MAX_RSS_MIB, "MiB");
            peaks.insert((*size_name).to_owned(), json!(tenths(peak)));
            walls.extend(times.into_iter().map(|(what, time)| (*size_name, name(what), time)));
        }
        let counts = cost.instructions.iter().filter(|(what, _)| *what != "timeline");
        let counts = counts.map(|(what, count)| ((*what).to_owned(), json!(count)));
        let counts: serde_json::Map<_, _> = counts.collect();
        let figures = [
            ("instructions_per_event", json!(counts)),
            ("peak_rss_mib", json!(peaks)),
            ("perfetto_bytes_per_event", json!(tenths(cost.perfetto_bytes))),
            ("bytes_per_event", json!(tenths(cost.bytes))),
        ];
        let figures = figures.map(|(name, figure)| (name.to_owned(), figure));
        match wire {
            Wire::Frames => members.extend(figures),
            Wire::Packets => {
                members.insert("packets".to_owned(), json!(serde_json::Map::from_iter(figures)));
            }
        }
        costs.push(cost);
    }
    for (size, what, Wall { bytes, events, nanoseconds }) in walls {
        let seconds = nanoseconds as f64 / 1e9;
        let (bytes, events) = (bytes as f64 / 1e6 / seconds, events as f64 / 1e6 / seconds);
        println!(
            "{size:>5} {what:<22} {seconds:>8.3} s {bytes:>8.0} MB/s {events:>6.1} M events/s"
        );
    }

    if let Some(path) = json_file {
        let result = serde_json::Value::Object(members);
        fs::write(path, format!("{result:#}\n"))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    if let (true, [frames, packets]) = (docs, &costs[..]) {
        let mut page = CostPage::read(root)?;
        page.put(&table(frames, packets))?;
        page.write()?;
    }
    ensure!(over.is_empty(), "over budget: {}", over.join(", "));
    Ok(())
}

fn tenths(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// How long something took.
struct Wall {
    /// Bytes of the recording, and events in it.
    bytes: u64,
    events: u64,
    nanoseconds: u64,
}

/// The most memory that any command takes for the events that have so many bytes in frames, in MiB, and how long
/// each takes.
fn memory(bench: &Bench, wire: Wire, size: u64) -> Result<(f64, Vec<(&'static str, Wall)>)> {
    let recording = bench.recording(wire, size)?;
    let bytes = fs::metadata(&recording)?.len();
    let out = bench.folder.join("trace.pftrace");
    // A large trace is of no use to anyone; a small one is written as a user's is.
    let out = (size < 100_000_000).then_some(out.as_path());
    let mut walls = vec![("cat", Wall { bytes, events: 0, nanoseconds: cat(&recording)? })];
    let mut peak = 0.0_f64;
    for (what, _) in wire.budgets().iter().filter(|(what, _)| *what != GZIP) {
        let run = bench.run(what, &recording, out.filter(|_| *what == "conv"))?;
        peak = peak.max(run.peak_rss_kib as f64 / 1024.0);
        walls.push((what, Wall { bytes, events: run.events, nanoseconds: run.nanoseconds }));
    }
    fs::remove_file(&recording)?;
    Ok((peak, walls))
}

/// Wall time of reading a file to no end, in ns.
fn cat(path: &Path) -> Result<u64> {
    let start = Instant::now();
    let mut command = Command::new("cat");
    command.arg(path).stdout(std::process::Stdio::null());
    ensure!(Program::start_inheriting(&mut command)?.wait()?.success(), "cat failed");
    Ok(u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX))
}
