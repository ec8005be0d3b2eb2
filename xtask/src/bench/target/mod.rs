//! `cargo xtask bench target`: measures the recorder's cost on a Cortex-M4F, against its budgets.
//!
//! Everything is counted, not timed: QEMU's virtual time is the number of instructions, so the numbers are the same on every
//! machine. The firmware is in `tests/bench`; the kernel's own hooks are measured where the kernel calls them, critical section
//! and timestamp included.

mod classes;
mod cores;
mod cpus;
mod defaults;
mod figure;
mod filters;
mod firmware;
mod longest;
mod page;
mod parts;
mod report;
mod stack;
mod triggers;
mod trust;
mod xtensa;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use tband_format::packet::{MAGIC, Packet};

use self::figure::figure;
use self::filters::FILTERS;
use self::firmware::{Bench, Machine, Samples, Toolchain};
use self::parts::{Part, ReducedRecorder};
use self::triggers::TRIGGERS;
use crate::board::Board;

pub use classes::{ClassCost, class_costs, class_table};
pub use cores::CoreCosts;
pub use defaults::DefaultCosts;
pub use figure::Figure;
pub use page::compilers;
pub use parts::PartCosts;
pub use report::{Growth, Report};
pub use stack::{StackBackend, StackUse, stack_use};
pub use trust::TrustCosts;

/// Kinds of measured events, as `tests/bench/bench.h` numbers them.
const EMPTY: u32 = 0;
const SWITCH: u32 = 1;
const QUEUE_SEND: u32 = 2;
const ISR: u32 = 3;
const VALMARKER: u32 = 4;
const EVTMARKER_10: u32 = 5;
const STOPPED: u32 = 6;
const ISR_END: u32 = 7;
const TICK: u32 = 8;
const RECORD: u32 = 9;
/// Keys of the other results.
const COUNTS: u32 = 100;
const BYTES: u32 = 101;
const ROUNDS: f64 = 1000.0;
const IDLE_TICKS: f64 = 100.0;

/// Counts of the bench's 25 MHz clock per instruction at a shift of 10: 1024 ns of 40 ns each.
const COUNTS_PER_INSTRUCTION: f64 = 25.6;
/// The same at a shift of 6.
const COUNTS_PER_INSTRUCTION_FAST: f64 = 1.6;

/// Numbers of the results that go through the metadata buffer, as in `tests/bench/main.c`.
const NOTHING: u32 = 200;
const DROPPED: u32 = 201;
const DELETED_FROM_FULL: u32 = 202;
const CLOSED: u32 = 203;
const DELETED_FROM_GAPS: u32 = 204;

const EVENTS_SHIFT: u32 = 10;
const ROUNDS_SHIFT: u32 = 6;

/// Uptimes of the growth table, with a timer of 100 MHz. The smallest is that of the other figures.
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
        toolchain: Toolchain::CMake(Board::Mps2An386.toolchain(root)),
        emulator: Board::Mps2An386.emulator(),
        counts_per_instruction: COUNTS_PER_INSTRUCTION,
    };
    let bench = Bench::new(root, machine, None);
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
    let (flash, ram) = bench.size("size", &[])?;
    let stacks = stack_use(root)?;

    let median = |kind| events.median(kind);
    let per_round = |run: &Samples| run.single(COUNTS) / COUNTS_PER_INSTRUCTION_FAST / ROUNDS;
    let snapshots = stacks.iter().filter(|stack| stack.backend == StackBackend::Snapshot);
    let stack = snapshots.map(|stack| stack.hook).max().unwrap_or(0);

    #[rustfmt::skip]
    let mut figures = vec![
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
        figure("record", "record with two numbers", median(RECORD), 240.0, ["", "", ""]),
        figure("stopped", "any hook while stopped", median(STOPPED), 12.0, ["51", "19", "165"]),
        figure("bytes_per_round", "bytes per round", paced.single(BYTES) / ROUNDS, 118.0,
               ["470", "204", "118"]),
        figure("instructions_per_round", "instructions per round", per_round(&rounds), 2500.0,
               ["3493–9767", "2737", "4666"]),
        figure("idle_bytes_per_tick", "bytes a tick of an idle system, default classes",
               idle.single(BYTES) / IDLE_TICKS, 0.0, ["", "", ""]),
        figure("flash_bytes_os", "flash at -Os, bytes", flash, 3580.0, ["5364", "7648", "4668"]),
        figure("static_ram_bytes", "static RAM without trace buffer, bytes", ram, 300.0,
               ["1652", "3656", "300"]),
        figure("stack_bytes_max", "stack of a hook, bytes", f64::from(stack), 64.0,
               ["", "", "80–104 + 92"]),
    ];
    figures.extend(longest::figures(&events, [168.0, 228.0, 284.0, 284.0, 5_490.0]));
    let metadata = metadata(&bench)?;
    let (packets, events_in_packets) = packets(&bench, &stacks)?;
    let flash_of_packets = packets.iter().find(|it| it.key == "flash_bytes_os");
    let flash_of_packets = flash_of_packets.context("no flash")?.value;
    let ram_of_packets = packets.iter().find(|it| it.key == "static_ram_bytes");
    let ram_of_packets = ram_of_packets.context("no RAM")?.value;
    let without = [
        ReducedRecorder { format: "frames", settings: &[], events: &events, flash, ram },
        ReducedRecorder {
            format: "packets",
            settings: &["BENCH_PACKET_SIZE=512"],
            events: &events_in_packets,
            flash: flash_of_packets,
            ram: ram_of_packets,
        },
    ];
    let costs = |part: &Part| -> Result<Vec<_>> {
        without.iter().map(|of| part.costs(&bench, of)).collect()
    };
    let filters = costs(&FILTERS)?;
    let triggers = costs(&TRIGGERS)?;
    let trust = vec![
        trust::trust_costs(&bench, "frames", &[], (&events, flash))?,
        trust::trust_costs(
            &bench,
            "packets",
            &["BENCH_PACKET_SIZE=512"],
            (&events_in_packets, flash_of_packets),
        )?,
    ];
    let cores = cores::core_costs(root, &cores::CORES)?;
    let cpus = cores::core_costs(root, &cpus::CPUS)?;
    let defaults = defaults::default_costs(&bench)?;
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
    Ok(Report {
        defaults,
        figures,
        packets,
        filters,
        triggers,
        trust,
        metadata,
        cores,
        cpus,
        growth,
        switch_with_extended_timer,
        stacks,
    })
}

/// Returns the cost of packets of 512 bytes, and the measured events.
fn packets(bench: &Bench<'_>, stacks: &[StackUse]) -> Result<(Vec<Figure>, Samples)> {
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
    let small = run("events-small", &["BENCH_MEASURE=events", "BENCH_OPTIMISE=-Os"], EVENTS_SHIFT)?;
    let (flash, ram) = bench.size("packets-size", &["BENCH_PACKET_SIZE=512"])?;
    let (flash_of_stream, _) =
        bench.size("packets-stream-size", &["BENCH_PACKET_SIZE=512", "BENCH_BACKEND=streaming"])?;
    let median = |kind| events.median(kind);
    let of_packets = stacks.iter().filter(|stack| stack.backend == StackBackend::Packets);
    let (hook, rare) =
        of_packets.fold((0, 0), |(hook, rare), stack| (hook.max(stack.hook), rare.max(stack.rare)));
    #[rustfmt::skip]
    let mut figures = vec![
        figure("task_switched_in", "task switched in", median(SWITCH), 46.0, ["121", "125", "228"]),
        figure("task_switched_in_week", "task switched in after a week", week.median(SWITCH), 46.0, ["", "", ""]),
        figure("queue_send", "queue send", median(QUEUE_SEND), 56.0, ["214 + 131", "110", "270"]),
        figure("isr_enter", "ISR enter", median(ISR), 48.0, ["106", "117", "227"]),
        figure("valmarker", "value marker", median(VALMARKER), 60.0, ["127", "114", "315"]),
        figure("evtmarker_10", "event marker, 10 characters", median(EVTMARKER_10), 115.0,
               ["251", "227", "457"]),
        figure("record", "record with two numbers", median(RECORD), 90.0, ["", "", ""]),
        figure("task_switched_in_small", "task switched in, C code at -Os", small.median(SWITCH), 66.0, ["", "", ""]),
        figure("queue_send_small", "queue send, C code at -Os", small.median(QUEUE_SEND), 74.0, ["", "", ""]),
        figure("stopped", "any hook while stopped", median(STOPPED), 11.0, ["51", "19", "165"]),
        figure("bytes_per_round", "bytes per round", bytes / ROUNDS, 70.0,
               ["470", "204", "118"]),
        figure("bytes_per_event", "bytes an event", bytes / events_in_packets, 5.5,
               ["", "", ""]),
        figure("instructions_per_round", "instructions per round",
               rounds.single(COUNTS) / COUNTS_PER_INSTRUCTION_FAST / ROUNDS, 2100.0,
               ["3493–9767", "2737", "4666"]),
        figure("flash_bytes_os", "flash at -Os, bytes", flash, 4600.0, ["5364", "7648", "4668"]),
        figure("flash_bytes_os_stream", "flash at -Os, a stream that tband_stream_read takes, bytes", flash_of_stream,
               5440.0, ["5364", "", ""]),
        figure("static_ram_bytes", "static RAM without packets, bytes", ram, 345.0,
               ["1652", "3656", "300"]),
        figure("stack_bytes_max", "stack of a hook, bytes", f64::from(hook), 56.0, ["", "", "80–104 + 92"]),
        figure("stack_bytes_change", "stack of a hook that opens another packet, bytes", f64::from(rare), 164.0, ["", "", ""]),
    ];
    figures.extend(longest::figures(&events, [175.0, 193.0, 251.0, 303.0, 3_840.0]));
    Ok((figures, events))
}

/// Bytes of the packets in a file of them in their slots, as they are sent, and how many events there are in them.
fn bytes_and_events(trace: &Path) -> Result<(f64, f64)> {
    let file = fs::read(trace).with_context(|| format!("no {}", trace.display()))?;
    // The metadata buffer is before them.
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

/// Returns the cost of kernels' hooks with a metadata buffer of the default size and with a large one: full of semaphores, and
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
        figure("dropped_256", "a semaphore is created, but the buffer is full and has no gap",
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
