//! `cargo xtask bench target`: what the recorder costs on a Cortex-M4F, against its budgets.
//!
//! Everything is counted, not timed: QEMU's virtual time is the number of instructions, so the numbers
//! are the same on every machine. The firmware is in `tests/bench`; the kernel's own hooks are measured
//! where the kernel calls them, critical section and timestamp included.

mod classes;
mod cores;
mod page;
mod stack;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, anyhow, bail};
use serde_json::json;
use tband_format::packet::{MAGIC, Packet};

use crate::board::{Board, build_firmware, run_firmware_at};
use crate::command::run_quiet;
use crate::kernel;

pub use classes::{ClassCost, class_costs, class_table};
pub use cores::CoreCosts;
pub use page::compilers;
pub use stack::{StackBackend, StackUse, stack_use};

/// One measured number.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Key in the JSON output.
    pub key: &'static str,
    /// What it is.
    pub name: &'static str,
    /// What was measured.
    pub value: f64,
    /// What it must not exceed.
    pub budget: f64,
    /// The same of SystemView, TraceRecorder and Tonbandgerät, measured with the same bench.
    pub rivals: [&'static str; 3],
}

impl Figure {
    /// The number is within its budget.
    #[must_use]
    pub fn is_within_budget(&self) -> bool {
        self.value <= self.budget
    }
}

/// Everything that the bench measures.
#[derive(Clone, Debug)]
pub struct Report {
    /// The numbers that have budgets.
    pub figures: Vec<Figure>,
    /// The same numbers where packets are recorded, with budgets of their own.
    pub packets: Vec<Figure>,
    /// Instructions that go through the metadata buffer, with budgets as well.
    pub metadata: Vec<Figure>,
    /// Instructions of events on other cores, with budgets too.
    pub cores: Vec<CoreCosts>,
    /// Timestamp in ticks, its bytes, and instructions and bytes of a task switch with it.
    pub growth: Vec<Growth>,
    /// Instructions of a task switch with a 32-bit timer that is extended to 64 bits.
    pub switch_with_extended_timer: f64,
    /// Stack by target.
    pub stacks: Vec<StackUse>,
}

/// Cost of a task switch at one uptime.
#[derive(Clone, Copy, Debug)]
pub struct Growth {
    /// How long the timer has run.
    pub uptime: &'static str,
    /// Timestamp in ticks of 100 MHz.
    pub ticks: u64,
    /// Instructions.
    pub instructions: f64,
    /// Bytes of the frame.
    pub bytes: f64,
}

/// Kinds of measured events, as `tests/bench/bench.h` numbers them.
const EMPTY: u32 = 0;
const SWITCH: u32 = 1;
const QUEUE_SEND: u32 = 2;
const ISR: u32 = 3;
const VALMARKER: u32 = 4;
const EVTMARKER_10: u32 = 5;
const STOPPED: u32 = 6;
const ISR_END: u32 = 7;
/// Keys of the other results.
const COUNTS: u32 = 100;
const BYTES: u32 = 101;
const ROUNDS: f64 = 1000.0;
const IDLE_TICKS: f64 = 100.0;

/// Counts of the bench's 25 MHz clock per instruction at a shift of 10: 1024 ns of 40 ns each.
const COUNTS_PER_INSTRUCTION: f64 = 25.6;
/// The same at a shift of 6.
const COUNTS_PER_INSTRUCTION_FAST: f64 = 1.6;

/// Results of what goes through the metadata buffer, as `tests/bench/main.c` numbers them.
const NOTHING: u32 = 200;
const DROPPED: u32 = 201;
const DELETED_FROM_FULL: u32 = 202;
const CLOSED: u32 = 203;
const DELETED_FROM_GAPS: u32 = 204;

const EVENTS_SHIFT: u32 = 10;
const ROUNDS_SHIFT: u32 = 6;

/// Uptimes of the growth table: a timer of 100 MHz. The smallest is what the other figures have.
/// Budgets that the format of packets was not given, or misses: what was measured.
const PACKET_CHANGE: f64 = 159.0;
const PACKETS_FLASH: f64 = 6440.0;
const PACKETS_RAM: f64 = 396.0;

const UPTIMES: [(&str, u64); 4] = [
    ("0.1 s", 10_000_000),
    ("1 s", 100_000_000),
    ("1 h", 360_000_000_000),
    ("1 week", 60_480_000_000_000),
];

/// Measures everything. Takes a minute or two.
///
/// # Errors
/// A firmware could not be built or run; the text has the output.
pub fn measure(root: &Path) -> Result<Report> {
    let machine = Machine {
        toolchain: Board::Mps2An386.toolchain(root),
        emulator: Board::Mps2An386.emulator(),
        counts_per_instruction: COUNTS_PER_INSTRUCTION,
    };
    let bench = Bench::new(root, machine);
    let events = bench.run("events", &["BENCH_MEASURE=events"], EVENTS_SHIFT)?;
    let extended =
        bench.run("extended", &["BENCH_MEASURE=events", "BENCH_TIMER=extended"], EVENTS_SHIFT)?;
    let isr_class =
        bench.run("isr-class", &["BENCH_MEASURE=events", "BENCH_ISR_CLASS=1"], EVENTS_SHIFT)?;
    let tick_left_out =
        bench.run("tick-left-out", &["BENCH_MEASURE=events", "BENCH_ISR_CLASS=2"], EVENTS_SHIFT)?;
    let idle = bench.run("idle", &["BENCH_MEASURE=idle"], ROUNDS_SHIFT)?;
    let rounds = bench.run("rounds", &["BENCH_MEASURE=rounds"], ROUNDS_SHIFT)?;
    let paced = bench.run("paced", &["BENCH_MEASURE=paced"], ROUNDS_SHIFT)?;
    let (flash, ram) = bench.size(&[])?;
    let stacks = stack_use(root)?;

    let median = |kind| events.median(kind);
    let worst = [SWITCH, QUEUE_SEND, ISR].map(|kind| (events.max(kind), median(kind)));
    // The kind that comes closest to twice its own median.
    let (worst, its_median) = worst
        .into_iter()
        .max_by(|a, b| (a.0 / a.1).total_cmp(&(b.0 / b.1)))
        .context("nothing was measured")?;
    let per_round = |run: &Samples| run.single(COUNTS) / COUNTS_PER_INSTRUCTION_FAST / ROUNDS;
    let snapshots = stacks.iter().filter(|stack| stack.backend == StackBackend::Snapshot);
    let stack = snapshots.map(|stack| stack.hook).max().unwrap_or(0);

    #[rustfmt::skip]
    let figures = vec![
        figure("task_switched_in", "task switched in", median(SWITCH), 85.0, ["121", "125", "228"]),
        figure("queue_send", "queue send", median(QUEUE_SEND), 95.0, ["214 + 131", "110", "270"]),
        figure("isr_enter", "ISR enter", median(ISR), 85.0, ["106", "117", "227"]),
        figure("isr_class_enter", "ISR enter, by the kernel's hook (class ISR)", isr_class.median(ISR), 85.0, ["", "", ""]),
        figure("isr_class_exit", "ISR exit, by the kernel's hook (class ISR)", isr_class.median(ISR_END), 95.0, ["", "", ""]),
        figure("tick_isr_left_out", "the tick's interrupt, left out: enter and exit",
               tick_left_out.median(ISR) + tick_left_out.median(ISR_END), 6.0, ["", "", ""]),
        figure("valmarker", "value marker", median(VALMARKER), 100.0, ["127", "114", "315"]),
        figure("evtmarker_10", "event marker, 10 characters", median(EVTMARKER_10), 160.0,
               ["251", "227", "457"]),
        figure("stopped", "any hook while stopped", median(STOPPED), 12.0, ["51", "19", "165"]),
        figure("worst", "worst single event (a drop count in front)", worst, 2.0 * its_median,
               ["", "", "402"]),
        figure("bytes_per_round", "bytes per round", paced.single(BYTES) / ROUNDS, 118.0,
               ["470", "204", "118"]),
        figure("instructions_per_round", "instructions per round", per_round(&rounds), 2500.0,
               ["3493–9767", "2737", "4666"]),
        figure("idle_bytes_per_tick", "bytes a tick of an idle system, default classes",
               idle.single(BYTES) / IDLE_TICKS, 0.0, ["", "", ""]),
        figure("flash_bytes_os", "flash at -Os, bytes", flash, 3500.0, ["5364", "7648", "4668"]),
        figure("static_ram_bytes", "static RAM without trace buffer, bytes", ram, 300.0,
               ["1652", "3656", "300"]),
        figure("stack_bytes_max", "stack of a hook, bytes", f64::from(stack), 64.0,
               ["", "", "80–104 + 92"]),
    ];
    let metadata = metadata(&bench)?;
    let packets = packets(&bench, &stacks)?;
    let cores = cores::core_costs(root)?;
    let mut growth = Vec::new();
    for (uptime, ticks) in UPTIMES {
        let start = format!("BENCH_COUNTER_START={ticks}");
        let run = bench.run(
            &format!("uptime-{}", uptime.replace([' ', '.'], "-")),
            &["BENCH_MEASURE=events", &start],
            EVENTS_SHIFT,
        )?;
        let bytes = frame_len(ticks);
        growth.push(Growth { uptime, ticks, instructions: run.median(SWITCH), bytes });
    }
    let switch_with_extended_timer = extended.median(SWITCH);
    Ok(Report { figures, packets, metadata, cores, growth, switch_with_extended_timer, stacks })
}

/// What packets of 512 bytes cost.
fn packets(bench: &Bench<'_>, stacks: &[StackUse]) -> Result<Vec<Figure>> {
    let run = |name: &str, settings: &[&str], shift| {
        bench.run(
            &format!("packets-{name}"),
            &[&["BENCH_PACKET_SIZE=512"], settings].concat(),
            shift,
        )
    };
    let events = run("events", &["BENCH_MEASURE=events"], EVENTS_SHIFT)?;
    let week = format!("BENCH_COUNTER_START={}", UPTIMES[3].1);
    let week = run("week", &["BENCH_MEASURE=events", &week], EVENTS_SHIFT)?;
    let rounds = run("rounds", &["BENCH_MEASURE=rounds"], ROUNDS_SHIFT)?;
    run("paced", &["BENCH_MEASURE=paced"], ROUNDS_SHIFT)?;
    let (bytes, events_in_packets) =
        bytes_and_events(&bench.folder.join("out/packets-paced/trace.bin"))?;
    let (flash, ram) = bench.size(&["BENCH_PACKET_SIZE=512"])?;
    let median = |kind| events.median(kind);
    let change = [SWITCH, QUEUE_SEND].map(|kind| events.max(kind));
    let of_packets = stacks.iter().filter(|stack| stack.backend == StackBackend::Packets);
    let (hook, rare) =
        of_packets.fold((0, 0), |(hook, rare), stack| (hook.max(stack.hook), rare.max(stack.rare)));
    #[rustfmt::skip]
    let figures = vec![
        figure("task_switched_in", "task switched in", median(SWITCH), 50.0, ["121", "125", "228"]),
        figure("task_switched_in_week", "task switched in after a week", week.median(SWITCH), 50.0, ["", "", ""]),
        figure("queue_send", "queue send", median(QUEUE_SEND), 58.0, ["214 + 131", "110", "270"]),
        figure("isr_enter", "ISR enter", median(ISR), 50.0, ["106", "117", "227"]),
        figure("valmarker", "value marker", median(VALMARKER), 65.0, ["127", "114", "315"]),
        figure("evtmarker_10", "event marker, 10 characters", median(EVTMARKER_10), 138.0,
               ["251", "227", "457"]),
        figure("stopped", "any hook while stopped", median(STOPPED), 11.0, ["51", "19", "165"]),
        figure("worst", "worst single event (another packet is opened)", change[0].max(change[1]), PACKET_CHANGE,
               ["", "", "402"]),
        figure("bytes_per_round", "bytes per round", bytes / ROUNDS, 70.0,
               ["470", "204", "118"]),
        figure("bytes_per_event", "bytes an event", bytes / events_in_packets, 5.5,
               ["", "", ""]),
        figure("instructions_per_round", "instructions per round",
               rounds.single(COUNTS) / COUNTS_PER_INSTRUCTION_FAST / ROUNDS, 2100.0,
               ["3493–9767", "2737", "4666"]),
        figure("flash_bytes_os", "flash at -Os, bytes", flash, PACKETS_FLASH, ["5364", "7648", "4668"]),
        figure("static_ram_bytes", "static RAM without packets, bytes", ram, PACKETS_RAM,
               ["1652", "3656", "300"]),
        figure("stack_bytes_max", "stack of a hook, bytes", f64::from(hook), 90.0, ["", "", "80–104 + 92"]),
        figure("stack_bytes_change", "stack of a hook that opens another packet, bytes", f64::from(rare), 190.0, ["", "", ""]),
    ];
    Ok(figures)
}

/// Bytes of the packets in a file of them in their slots, as they are sent, and how many events there are in them.
fn bytes_and_events(trace: &Path) -> Result<(f64, f64)> {
    let file = fs::read(trace).with_context(|| format!("no {}", trace.display()))?;
    // The metadata buffer stands ahead of them.
    let magic = MAGIC.to_le_bytes();
    let start = file.windows(4).position(|bytes| bytes == magic).context("no packets")?;
    let (mut bytes, mut events) = (0, 0);
    for slot in file[start..].chunks_exact(512) {
        let packet =
            Packet::read(slot).map_err(|error| anyhow!("{error} in {}", trace.display()))?;
        if packet.header().stream == 0 {
            bytes += packet.header().content_len;
            events += packet.events().count();
        }
    }
    Ok((bytes as f64, events as f64))
}

/// What kernels' hooks do with a metadata buffer of the default size and with a large one: full of semaphores, and
/// when all of those are deleted.
fn metadata(bench: &Bench<'_>) -> Result<Vec<Figure>> {
    let run = |size: u32| {
        let name = format!("metadata-{size}");
        let size = format!("BENCH_METADATA_SIZE={size}");
        bench.run(&name, &["BENCH_MEASURE=metadata", &size], EVENTS_SHIFT)
    };
    let (default, large) = (run(256)?, run(16384)?);
    let of = |run: &Samples, key| run.median_over(key, NOTHING);
    let none = ["", "", ""];
    #[rustfmt::skip]
    let figures = vec![
        figure("deleted_from_full_256", "a task is deleted, the buffer is full",
               of(&default, DELETED_FROM_FULL), 1400.0, none),
        figure("deleted_from_gaps_256", "a task is deleted, the buffer is gaps but for the last entry",
               of(&default, DELETED_FROM_GAPS), 1350.0, none),
        figure("deleted_from_full_16384", "  with 16 KiB",
               of(&large, DELETED_FROM_FULL), 77_000.0, none),
        figure("deleted_from_gaps_16384", "  with 16 KiB",
               of(&large, DELETED_FROM_GAPS), 77_000.0, none),
        figure("closed_256", "a semaphore is created, for which the gaps are closed",
               of(&default, CLOSED), 3800.0, none),
        figure("closed_16384", "  with 16 KiB",
               of(&large, CLOSED), 200_000.0, none),
        figure("dropped_256", "a semaphore is created, for which there is no room, and no gap",
               of(&default, DROPPED), 300.0, none),
        figure("dropped_16384", "  with 16 KiB",
               of(&large, DROPPED), 300.0, none),
    ];
    Ok(figures)
}

/// Bytes of a task switch's frame at this time.
fn frame_len(ticks: u64) -> f64 {
    let event = tband_format::Event::TaskSwitchedIn { task_id: 1 };
    let mut frame = [0; 32];
    tband_format::encode_frame(&event, ticks, &mut frame).map_or(f64::NAN, |len| len as f64)
}

fn figure(
    key: &'static str,
    name: &'static str,
    value: f64,
    budget: f64,
    rivals: [&'static str; 3],
) -> Figure {
    Figure { key, name, value, budget, rivals }
}

/// A core to measure on.
struct Machine {
    toolchain: PathBuf,
    /// QEMU and its machine.
    emulator: &'static [&'static str],
    /// Counts of the bench's clock where single events are measured.
    counts_per_instruction: f64,
}

struct Bench<'a> {
    root: &'a Path,
    folder: PathBuf,
    machine: Machine,
}

impl<'a> Bench<'a> {
    fn new(root: &'a Path, machine: Machine) -> Self {
        Self { root, folder: root.join("target/bench-target"), machine }
    }

    fn build(&self, name: &str, settings: &[&str]) -> Result<PathBuf> {
        let build = self.folder.join(name);
        let kernel = kernel::path(self.root)?;
        let mut all = vec![format!("FREERTOS_KERNEL_PATH={}", kernel.display())];
        all.extend(settings.iter().map(|&setting| setting.to_owned()));
        build_firmware(&self.root.join("tests/bench"), &build, &self.machine.toolchain, &all)?;
        Ok(build.join("tband-bench.elf"))
    }

    fn run(&self, name: &str, settings: &[&str], shift: u32) -> Result<Samples> {
        let elf = self.build(name, settings)?;
        let out = self.folder.join("out").join(name);
        run_firmware_at(self.machine.emulator, &elf, &out, None, shift)?;
        let results = out.join("bench.bin");
        let bytes = fs::read(&results).with_context(|| format!("no {}", results.display()))?;
        Ok(Samples::parse(&bytes, self.machine.counts_per_instruction))
    }

    /// Flash and static RAM that the recorder adds, in bytes.
    fn size(&self, more: &[&str]) -> Result<(f64, f64)> {
        const TRACE_BUFFER: i64 = 16384;
        let settings = ["BENCH_MEASURE=size", "BENCH_OPTIMISE=-Os"];
        let name = if more.is_empty() { "size" } else { "packets-size" };
        let with = sections(&self.build(name, &[&settings[..], more].concat())?)?;
        let without =
            sections(&self.build("size-off", &[&settings[..], &["BENCH_TRACE=0"]].concat())?)?;
        let flash = (with.text + with.data) - (without.text + without.data);
        let ram = (with.data + with.bss) - (without.data + without.bss) - TRACE_BUFFER;
        Ok((flash as f64, ram as f64))
    }
}

struct Sections {
    text: i64,
    data: i64,
    bss: i64,
}

fn sections(elf: &Path) -> Result<Sections> {
    let output = run_quiet(Command::new("arm-none-eabi-size").arg(elf))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let numbers: Vec<i64> = text
        .lines()
        .nth(1)
        .into_iter()
        .flat_map(|line| line.split_whitespace().take(3).filter_map(|word| word.parse().ok()))
        .collect();
    let [text, data, bss] = numbers[..] else { bail!("arm-none-eabi-size said: {text}") };
    Ok(Sections { text, data, bss })
}

/// Measurements of one run.
struct Samples {
    /// Kind and counts.
    pairs: Vec<(u32, u32)>,
    counts_per_instruction: f64,
}

impl Samples {
    fn parse(bytes: &[u8], counts_per_instruction: f64) -> Self {
        let word = |bytes: &[u8]| bytes.try_into().map_or(0, u32::from_le_bytes);
        let pairs = bytes.chunks_exact(8).map(|pair| (word(&pair[..4]), word(&pair[4..])));
        Self { pairs: pairs.collect(), counts_per_instruction }
    }

    fn sorted(&self, kind: u32) -> Vec<u32> {
        let mut counts: Vec<u32> =
            self.pairs.iter().filter(|pair| pair.0 == kind).map(|pair| pair.1).collect();
        counts.sort_unstable();
        counts
    }

    /// Median instructions of a kind, the empty bracket's taken off.
    fn median(&self, kind: u32) -> f64 {
        self.median_over(kind, EMPTY)
    }

    fn median_over(&self, kind: u32, empty: u32) -> f64 {
        let middle = |sorted: Vec<u32>| sorted.get(sorted.len() / 2).copied().unwrap_or(0);
        self.instructions(middle(self.sorted(kind)), middle(self.sorted(empty)))
    }

    /// Most instructions of a kind. Only of kinds inside critical sections, where no interrupt's
    /// instructions come in between.
    fn max(&self, kind: u32) -> f64 {
        let empty = self.sorted(EMPTY);
        let most = self.sorted(kind).last().copied().unwrap_or(0);
        self.instructions(most, empty.get(empty.len() / 2).copied().unwrap_or(0))
    }

    fn instructions(&self, counts: u32, empty: u32) -> f64 {
        (f64::from(counts.saturating_sub(empty)) / self.counts_per_instruction).round()
    }

    fn single(&self, key: u32) -> f64 {
        self.sorted(key).first().map_or(f64::NAN, |&value| f64::from(value))
    }
}

impl Report {
    /// The numbers for programs.
    #[must_use]
    pub fn json(&self) -> serde_json::Value {
        let mut all = serde_json::Map::new();
        let mut instructions = serde_json::Map::new();
        for figure in self.figures.iter().chain(&self.metadata) {
            let value = json!((figure.value * 1000.0).round() / 1000.0);
            match figure.key {
                key if key.contains("bytes") || key.contains("per_round") => {
                    all.insert(key.into(), value)
                }
                key => instructions.insert(key.into(), value),
            };
        }
        all.insert("instructions".into(), instructions.into());
        let packets = self
            .packets
            .iter()
            .map(|figure| (figure.key.to_owned(), json!((figure.value * 1000.0).round() / 1000.0)));
        all.insert("packets".into(), packets.collect::<serde_json::Map<_, _>>().into());
        for cost in &self.cores {
            let figures = cost.figures.iter().map(|it| (it.key.to_owned(), json!(it.value)));
            let figures = figures.collect::<serde_json::Map<_, _>>();
            let core = all.entry(cost.core).or_insert_with(|| json!({}));
            core[cost.format()] = figures.into();
        }
        all.into()
    }

    /// All numbers that have budgets.
    pub fn all(&self) -> impl Iterator<Item = &Figure> {
        let of_cores = self.cores.iter().flat_map(|core| &core.figures);
        self.figures.iter().chain(&self.packets).chain(&self.metadata).chain(of_cores)
    }

    /// What exceeds its budget, for people; empty if nothing does.
    #[must_use]
    pub fn over_budget(&self) -> String {
        let over = self.all().filter(|figure| !figure.is_within_budget());
        let over = over.map(|it| format!("{}: {} of {}", it.name, it.value, it.budget));
        over.collect::<Vec<_>>().join(", ")
    }

    /// Tables for people.
    #[must_use]
    pub fn table(&self) -> String {
        let mut text = format!(
            "{:<62} {:>9} {:>9}   {:>10} {:>13} {:>12}\n",
            "Cortex-M4F, instructions unless said",
            "measured",
            "budget",
            "SystemView",
            "TraceRecorder",
            "Tonbandgerät"
        );
        for figure in &self.figures {
            let over = if figure.is_within_budget() { ' ' } else { '!' };
            let [systemview, tracerecorder, tonbandgeraet] = figure.rivals;
            let _ = writeln!(
                text,
                "{:<62} {:>9} {:>9} {over} {systemview:>10} {tracerecorder:>13} {tonbandgeraet:>12}",
                figure.name,
                number(figure.value),
                number(figure.budget),
            );
        }
        let _ = writeln!(text, "\nPackets of 512 bytes:");
        for figure in &self.packets {
            let over = if figure.is_within_budget() { ' ' } else { '!' };
            let (value, budget) = (number(figure.value), number(figure.budget));
            let [systemview, tracerecorder, tonbandgeraet] = figure.rivals;
            let _ = writeln!(
                text,
                "{:<62} {value:>9} {budget:>9} {over} {systemview:>10} {tracerecorder:>13} {tonbandgeraet:>12}",
                figure.name
            );
        }
        text += &cores::table(&self.cores);
        let _ = writeln!(text, "\nThrough the metadata buffer:");
        for figure in &self.metadata {
            let over = if figure.is_within_budget() { ' ' } else { '!' };
            let (value, budget) = (number(figure.value), number(figure.budget));
            let _ = writeln!(text, "{:<62} {value:>9} {budget:>9} {over}", figure.name);
        }
        let _ = writeln!(
            text,
            "\nThe timestamp is one load, as for the others; with a 32-bit timer extended to 64 bits \
             (tband_extend32.h)\na task switch takes {} instructions.",
            number(self.switch_with_extended_timer)
        );
        let _ = writeln!(
            text,
            "\nA task switch as the timer runs (100 MHz):\n{:<10} {:>16} {:>14} {:>7}",
            "uptime", "ticks", "instructions", "bytes"
        );
        for Growth { uptime, ticks, instructions, bytes } in &self.growth {
            let _ = writeln!(
                text,
                "{uptime:<10} {ticks:>16} {:>14} {:>7}",
                number(*instructions),
                number(*bytes)
            );
        }
        let _ = writeln!(
            text,
            "\n{:<30} {:<9} {:>6} {:>8} {:>10} {:>9}   whole in debug frame info",
            "Stack below the caller, bytes", "backend", "hook", "numbers", "drop/full", "metadata"
        );
        for stack in &self.stacks {
            let StackUse { target, hook, numbers, rare, metadata, .. } = stack;
            let (backend, (known, all)) = (stack.backend.name(), stack.from_debug_frame);
            let _ = writeln!(
                text,
                "{target:<30} {backend:<9} {hook:>6} {numbers:>8} {rare:>10} {metadata:>9}   \
                 {known} of {all} functions"
            );
        }
        text
    }
}

fn number(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.1}") }
}
