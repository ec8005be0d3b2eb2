//! `cargo xtask bench host`: measures the cost of the converter, and compares it with its budgets.
//!
//! It measures the commands of `tband-cli`, as users get it; only the decoder, which is not a command, is a separate program.
//! Instructions are counted by callgrind over whole runs. The difference of two sizes is taken, so that starting up does not
//! count. These numbers are exact and the same on every run; wall times are not and have no budget.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::json;
use tband_conv::Input;
use tband_conv::convert::take_census::take_census;
use tband_conv::item::Mode;
use tband_programs::Program;
use tempfile::TempDir;

use super::exports::{self, EXPORTS, ExportCost, PARQUET};
use super::imported::{self, ImporterCost};
use super::measured::MeasuredCommand;
use crate::cost_page::{CostPage, Table};
use crate::dist;
use crate::generate::{self, mix::Mix};

/// All measurements with a budget. `decode` is that program. `conv-rows` has interrupts on separate rows; the cost of
/// `conv-gzip` beyond `conv`, all threads together, is the compression.
const MEASURED: [MeasuredCommand; 8] = [
    MeasuredCommand { name: DECODE, args: &[], most: [82, 78], writes: None },
    MeasuredCommand { name: "check", args: &["check"], most: [360, 360], writes: None },
    MeasuredCommand { name: "stats", args: &["stats"], most: [400, 415], writes: None },
    MeasuredCommand {
        name: "conv",
        args: &["conv", "--quiet"],
        most: [615, 620],
        writes: Some("t.pftrace"),
    },
    MeasuredCommand {
        name: "conv-rows",
        args: &["conv", "--quiet", "--interrupts", "rows"],
        most: [645, 650],
        writes: Some("t.pftrace"),
    },
    MeasuredCommand {
        name: "conv-gzip",
        args: &["conv", "--quiet"],
        most: [1555, 1570],
        writes: Some("t.pftrace.gz"),
    },
    MeasuredCommand { name: "dump", args: &["dump"], most: [805, 800], writes: None },
    MeasuredCommand {
        name: "dump-json",
        args: &["dump", "--json"],
        most: [805, 800],
        writes: None,
    },
];
const DECODE: &str = "decode";
/// A command on recordings of two cores, whose events have to be merged by time.
const TWO_CORES: MeasuredCommand =
    MeasuredCommand { name: "stats-two-cores", args: &["stats"], most: [2150, 1950], writes: None };
/// A command that follows activations, measured on recordings of this many tasks and, for its memory, of this size.
const WHY: MeasuredCommand =
    MeasuredCommand { name: "why", args: &["why", "sensor"], most: [3600; 2], writes: None };
const MANY_TASKS: u32 = 300;
const LARGE: u64 = 100_000_000;
/// Most bytes of an event in packets, headers and metadata included.
pub const MAX_PACKET_BYTES: f64 = 5.0;
const PACKET_SIZE: usize = 512;
/// Most bytes of a Perfetto trace for each event, before compression, however interrupts are shown.
pub const MAX_PERFETTO_BYTES: f64 = 17.0;
/// Most memory, for a recording of any length.
pub const MAX_RSS_MIB: f64 = 64.0;

/// The measured recordings lose a few events once per this many.
const LOSS_EVERY: u64 = 20_000;

/// Sizes of the two recordings that callgrind sees.
const SMALL: u64 = 200_000;
const BIG: u64 = 1_200_000;
/// The sizes for exports; some of these take ten times as many instructions.
const EXPORTED: [u64; 2] = [100_000, 500_000];
/// Runs of which the one with the least processor time counts.
const RUNS: usize = 15;
/// Size of the recording for which the memory of exports is measured.
const LONG: u64 = 10_000_000;

/// The encoding of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    /// A frame each.
    Frames,
    /// Packets.
    Packets,
}

impl Wire {
    const fn index(self) -> usize {
        match self {
            Self::Frames => 0,
            Self::Packets => 1,
        }
    }
}

/// The cost of recordings of one kind.
#[derive(Clone, Debug)]
pub struct PerEvent {
    /// For each command its name, the instructions and their budget.
    pub instructions: Vec<(&'static str, u64, u64)>,
    /// The most Perfetto bytes, before compression.
    pub perfetto_bytes: f64,
    /// Bytes in the recording.
    pub bytes: f64,
}

impl PerEvent {
    /// The commands that take more than they may.
    #[must_use]
    pub fn over(&self) -> Vec<String> {
        let over = self.instructions.iter().filter(|(_, count, most)| count > most);
        over.map(|(name, count, most)| format!("{name}: {count} of {most}")).collect()
    }
}

/// Returns the page's table, from the cost of both formats.
#[must_use]
pub fn table(frames: &PerEvent, packets: &PerEvent) -> Table {
    let mut text = "| | frames | packets |\n|---|---|---|\n".to_owned();
    for (frames, packets) in frames.instructions.iter().zip(&packets.instructions) {
        text += &format!("| `{}` | {} | {} |\n", frames.0, frames.1, packets.1);
    }
    Table { name: "host", text }
}

/// Cost of a run of a command.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    /// The most memory that the process had, in KiB.
    peak_rss_kib: u64,
    /// Wall time.
    nanoseconds: u64,
    /// Time of the processors.
    processor: Duration,
}

/// The programs that are measured, and a folder for recordings that is removed in the end.
pub struct Bench {
    decode: PathBuf,
    pub(super) tool: PathBuf,
    /// The same tool built with tables, if they are to be measured.
    with_tables: Option<PathBuf>,
    pub(super) folder: TempDir,
}

/// Builds the decoder and the tool, once in a process. Looked for again, the tool's last package would be compiled again if
/// another process has built a tool with other contents.
fn programs(root: &Path) -> Result<[PathBuf; 2]> {
    static BUILT: Mutex<Option<[PathBuf; 2]>> = Mutex::new(None);
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(programs) = &*built {
        return Ok(programs.clone());
    }
    // The decoder's build makes the tool, too, which is then only looked at.
    Ok(built.insert([dist::decoder(root)?, dist::installed_program(root)?]).clone())
}

impl Bench {
    /// Builds the programs.
    ///
    /// # Errors
    /// One cannot be built.
    pub fn new(root: &Path) -> Result<Self> {
        let [decode, tool] = programs(root)?;
        // Not among temporary files, which may be in memory.
        let folder = root.join("target/bench-host");
        fs::create_dir_all(&folder)?;
        let folder = tempfile::Builder::new().prefix("recordings-").tempdir_in(folder)?;
        Ok(Self { decode, tool, with_tables: None, folder })
    }

    /// Also builds the program that writes tables.
    ///
    /// # Errors
    /// It cannot be built.
    pub fn with_tables(mut self, root: &Path) -> Result<Self> {
        self.with_tables = Some(dist::program_with_tables(root)?);
        Ok(self)
    }

    /// Creates a recording of the events that take this many bytes in frames.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn recording(&self, wire: Wire, size: u64) -> Result<PathBuf> {
        self.recording_of(wire, size, 1)
    }

    /// As [`recording`](Self::recording), of a target with this many cores.
    fn recording_of(&self, wire: Wire, size: u64, cores: u32) -> Result<PathBuf> {
        let options =
            generate::Options { size, cores, loss_every: LOSS_EVERY, ..Default::default() };
        self.generated(wire, &options)
    }

    fn generated(&self, wire: Wire, options: &generate::Options) -> Result<PathBuf> {
        let &generate::Options { size, cores, tasks, .. } = options;
        let name = format!("{wire:?}-{size}-{cores}-{tasks}.bin");
        let path = self.folder.path().join(name);
        let file = std::io::BufWriter::with_capacity(1 << 18, fs::File::create(&path)?);
        match wire {
            Wire::Frames => generate::stream(options, file),
            Wire::Packets => generate::packets(options, PACKET_SIZE, file),
        }
        .context("cannot write a recording")?;
        Ok(path)
    }

    /// The command on a recording, and the file that it writes.
    fn command(&self, what: &MeasuredCommand, recording: &Path) -> (Command, Option<PathBuf>) {
        let program = match what.name {
            DECODE => &self.decode,
            PARQUET => self.with_tables.as_ref().unwrap_or(&self.tool),
            _ => &self.tool,
        };
        let mut command = Command::new(program);
        command.args(what.args).arg(recording);
        // Two runs are active at a time, each with its file.
        let out = what.writes.map(|name| recording.with_extension(name));
        if let Some(out) = &out {
            command.arg("-o").arg(out);
        }
        (command, out)
    }

    /// Runs a command as it is.
    fn run(&self, what: &MeasuredCommand, recording: &Path) -> Result<Run> {
        let (mut command, out) = self.command(what, recording);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let begin = Instant::now();
        let program = Program::start_inheriting(&mut command).context("cannot start")?;
        let (ran, cost) = program.output_and_cost()?;
        let nanoseconds = u64::try_from(begin.elapsed().as_nanos()).unwrap_or(u64::MAX);
        // 1: the recordings report losses.
        ensure!(matches!(ran.status.code(), Some(0 | 1)), "{} failed", what.name);
        out.map_or(Ok(0), |out| take(&out))?;
        let processor = cost.processor;
        Ok(Run { peak_rss_kib: cost.peak_bytes / 1024, nanoseconds, processor })
    }

    /// Processor time in ns for each of the events that one recording has more than the other. Other programs can only add to the
    /// time of a run, so the least of several is taken.
    ///
    /// # Errors
    /// A run fails.
    pub(super) fn processor_growth(
        &self,
        what: &MeasuredCommand,
        pair: [&Path; 2],
        events: u64,
    ) -> Result<u64> {
        let mut least = [Duration::MAX; 2];
        for _ in 0..RUNS {
            for (least, recording) in least.iter_mut().zip(pair) {
                *least = self.run(what, recording)?.processor.min(*least);
            }
        }
        let [small, big] = least;
        let grown = big.saturating_sub(small).as_nanos();
        Ok(u64::try_from(grown).unwrap_or(u64::MAX) / events)
    }

    /// Instructions of a run of a command, and the bytes of the file that it writes.
    fn counted(&self, what: &MeasuredCommand, recording: &Path) -> Result<(u64, u64)> {
        let (command, out) = self.command(what, recording);
        let counts = recording.with_extension("callgrind");
        let mut valgrind = Command::new("valgrind");
        valgrind.args(["--tool=callgrind", "--quiet"]);
        valgrind.arg(format!("--callgrind-out-file={}", counts.display()));
        valgrind.arg(command.get_program()).args(command.get_args());
        // Its output is discarded: otherwise it would be memory of this process, and a child's peak begins with that.
        valgrind.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let started = Program::start_inheriting(&mut valgrind).context("cannot start valgrind")?;
        let ran = started.output()?;
        ensure!(
            matches!(ran.status.code(), Some(0 | 1)),
            "{}: {}",
            what.name,
            String::from_utf8_lossy(&ran.stderr)
        );
        let text = fs::read_to_string(&counts)?;
        let total = text.lines().find_map(|line| {
            line.strip_prefix("summary:").or_else(|| line.strip_prefix("totals:"))
        });
        let instructions = total.and_then(|total| total.trim().parse().ok());
        let instructions = instructions.context("callgrind wrote no total")?;
        Ok((instructions, out.map_or(Ok(0), |out| take(&out))?))
    }

    /// Returns the cost of an event.
    ///
    /// # Errors
    /// A run fails.
    pub fn per_event(&self, wire: Wire) -> Result<PerEvent> {
        let (small, big) = (self.recording(wire, SMALL)?, self.recording(wire, BIG)?);
        let grown = |small: u64, big: u64| big.saturating_sub(small);
        let events = grown(events(&small)?, events(&big)?).max(1);
        let lens = grown(fs::metadata(&small)?.len(), fs::metadata(&big)?.len());
        let bytes = lens as f64 / events as f64;
        let mut cost = PerEvent { instructions: Vec::new(), perfetto_bytes: 0.0, bytes };
        for what in &MEASURED {
            let (count, out) = self.growth(what, [&small, &big], events)?;
            cost.instructions.push((what.name, count, what.most[wire.index()]));
            cost.perfetto_bytes = cost.perfetto_bytes.max(out);
        }
        cost.instructions.push(self.of_two_cores(wire)?);
        Ok(cost)
    }

    /// Name, instructions per event and budget of [`TWO_CORES`].
    fn of_two_cores(&self, wire: Wire) -> Result<(&'static str, u64, u64)> {
        let (small, big) = (self.recording_of(wire, SMALL, 2)?, self.recording_of(wire, BIG, 2)?);
        let events = events(&big)?.saturating_sub(events(&small)?).max(1);
        let (count, _) = self.growth(&TWO_CORES, [&small, &big], events)?;
        Ok((TWO_CORES.name, count, TWO_CORES.most[wire.index()]))
    }

    /// Instructions and bytes of output for each of the events that one recording has more than the other.
    pub(super) fn growth(
        &self,
        what: &MeasuredCommand,
        pair: [&Path; 2],
        events: u64,
    ) -> Result<(u64, f64)> {
        // Both cores of the machine.
        let [small, big] = pair;
        let (small, big) = std::thread::scope(|scope| {
            let small = scope.spawn(|| self.counted(what, small));
            let big = self.counted(what, big);
            (small.join(), big)
        });
        let Ok(small) = small else { bail!("a measuring thread panicked") };
        let (small, big) = (small?, big?);
        let instructions = big.0.saturating_sub(small.0) / events;
        Ok((instructions, big.1.saturating_sub(small.1) as f64 / events as f64))
    }

    /// Returns the cost of activations in packets of very many tasks, most of which are ready: instructions per event, and MiB.
    ///
    /// # Errors
    /// A run fails.
    pub fn of_many_tasks(&self) -> Result<(u64, f64)> {
        let recording = |size| {
            let tasks = MANY_TASKS;
            let options =
                generate::Options { size, tasks, loss_every: LOSS_EVERY, ..Default::default() };
            self.generated(Wire::Packets, &options)
        };
        let (small, big) = (recording(SMALL)?, recording(BIG)?);
        let events = events(&big)?.saturating_sub(events(&small)?).max(1);
        let (instructions, _) = self.growth(&WHY, [&small, &big], events)?;
        let large = recording(LARGE)?;
        let run = self.run(&WHY, &large)?;
        fs::remove_file(&large)?;
        Ok((instructions, run.peak_rss_kib as f64 / 1024.0))
    }

    /// Returns the cost of each export, from packets; its memory on request, which takes as long as everything else.
    ///
    /// # Errors
    /// A run fails.
    pub fn exports(&self, with_memory: bool) -> Result<Vec<ExportCost>> {
        let wire = Wire::Packets;
        let [small, big] = EXPORTED.map(|size| self.recording(wire, size));
        let (small, big) = (small?, big?);
        let events = events(&big)?.saturating_sub(events(&small)?).max(1);
        let long = if with_memory { Some(self.recording(wire, LONG)?) } else { None };
        let exports = EXPORTS.iter().filter(|it| it.name != PARQUET || self.with_tables.is_some());
        let costs = exports.map(|what| {
            let (instructions, bytes) = self.growth(what, [&small, &big], events)?;
            let peak_kib = match &long {
                Some(long) => self.run(what, long)?.peak_rss_kib,
                None => 0,
            };
            let peak_mib = peak_kib as f64 / 1024.0;
            let most = what.most[wire.index()];
            Ok(ExportCost { name: what.name, instructions, most, bytes, peak_mib })
        });
        costs.collect()
    }
}

/// Size of a file, or of the files in a folder, which is removed.
fn take(path: &Path) -> Result<u64> {
    let there = fs::metadata(path).with_context(|| format!("no {}", path.display()))?;
    if !there.is_dir() {
        fs::remove_file(path)?;
        return Ok(there.len());
    }
    let lens = fs::read_dir(path)?.map(|entry| Ok(entry?.metadata()?.len()));
    let len = lens.sum::<Result<u64>>()?;
    fs::remove_dir_all(path)?;
    Ok(len)
}

/// Events of a recording.
fn events(path: &Path) -> Result<u64> {
    let input = Input::new("recording", || Ok(Box::new(fs::File::open(path)?)));
    Ok(take_census(&[input], Mode::FreeRtos)?.events())
}

/// Measures everything, prints the composition of the recordings and a table, and fails if a budget is exceeded. If `quick`, it
/// leaves out the recording of 2 GB; with `docs` it writes the page's table.
///
/// # Errors
/// A budget is exceeded, or a measurement fails.
pub fn run(root: &Path, json_file: Option<&Path>, quick: bool, docs: bool) -> Result<()> {
    let bench = Bench::new(root)?.with_tables(root)?;
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
        for (what, count, most) in &cost.instructions {
            line(&name(what), *count as f64, *most as f64, "instructions an event");
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
        let counts = cost.instructions.iter();
        let counts = counts.map(|(what, count, _)| ((*what).to_owned(), json!(count)));
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
    let (instructions, peak) = bench.of_many_tasks()?;
    let name = format!("why, {MANY_TASKS} tasks, packets");
    let most = WHY.most[Wire::Packets.index()];
    line(&name, instructions as f64, most as f64, "instructions an event");
    line(&name, peak, MAX_RSS_MIB, "MiB for 100 MB");
    let figures = json!({"instructions_per_event": instructions, "peak_rss_mib": tenths(peak)});
    members.insert("activations".to_owned(), figures);
    let exported = bench.exports(true)?;
    for it in &exported {
        let name = format!("export {}", it.name);
        line(&name, it.instructions as f64, it.most as f64, "instructions an event");
        line(&name, it.peak_mib, MAX_RSS_MIB, "MiB");
        println!("{name:<28} {:>8.1} bytes an event", it.bytes);
    }
    members.insert("exports".to_owned(), exports::json(&exported));
    let imported = print_importers(&bench, root)?;
    members.insert("importers".to_owned(), imported::json(&imported));
    over.extend(imported.iter().filter(|it| it.is_over()).map(over_budget));
    for (size, what, Wall { bytes, nanoseconds }) in walls {
        let seconds = nanoseconds as f64 / 1e9;
        let speed = bytes as f64 / 1e6 / seconds;
        println!("{size:>5} {what:<22} {seconds:>8.3} s {speed:>8.0} MB/s");
    }

    if let Some(path) = json_file {
        let result = serde_json::Value::Object(members);
        fs::write(path, format!("{result:#}\n"))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    if let (true, [frames, packets]) = (docs, &costs[..]) {
        let mut page = CostPage::read(root)?;
        page.put(&table(frames, packets))?;
        page.put(&exports::table(&exported))?;
        page.write()?;
    }
    ensure!(over.is_empty(), "over budget: {}", over.join(", "));
    Ok(())
}

/// Measures and prints the cost of importers only.
///
/// # Errors
/// A measurement fails.
pub fn run_importers(root: &Path) -> Result<()> {
    let imported = print_importers(&Bench::new(root)?, root)?;
    let over: Vec<_> = imported.iter().filter(|it| it.is_over()).map(over_budget).collect();
    ensure!(over.is_empty(), "over budget: {}", over.join(", "));
    Ok(())
}

fn over_budget(cost: &ImporterCost) -> String {
    format!("import {}", cost.name)
}

fn print_importers(bench: &Bench, root: &Path) -> Result<Vec<ImporterCost>> {
    let costs = bench.importers(root, true)?;
    for it in &costs {
        let name = format!("import {}", it.name);
        println!("{name:<28} {}", it.line());
    }
    Ok(costs)
}

fn tenths(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// How long something took.
struct Wall {
    /// Bytes of the recording.
    bytes: u64,
    nanoseconds: u64,
}

/// Returns the peak memory of any command for the events that take this many bytes in frames, in MiB, and the time of each.
fn memory(bench: &Bench, wire: Wire, size: u64) -> Result<(f64, Vec<(&'static str, Wall)>)> {
    let recording = bench.recording(wire, size)?;
    let bytes = fs::metadata(&recording)?.len();
    let mut walls = vec![("cat", Wall { bytes, nanoseconds: cat(&recording)? })];
    let mut peak = 0.0_f64;
    for what in &MEASURED {
        let run = bench.run(what, &recording)?;
        peak = peak.max(run.peak_rss_kib as f64 / 1024.0);
        walls.push((what.name, Wall { bytes, nanoseconds: run.nanoseconds }));
    }
    fs::remove_file(&recording)?;
    Ok((peak, walls))
}

/// Wall time of reading a file to no end, in ns.
fn cat(path: &Path) -> Result<u64> {
    let start = Instant::now();
    let mut command = Command::new("cat");
    command.arg(path).stdout(Stdio::null());
    ensure!(Program::start_inheriting(&mut command)?.wait()?.success(), "cat failed");
    Ok(u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX))
}
