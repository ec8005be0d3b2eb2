//! The cost for a user who keeps all defaults: each backend, in frames and in packets, on a Cortex-M4F.
//!
//! All classes that are on by default, the tick that maintains the time, and a timer of 32 bits that the port extends. Flash
//! and RAM are the recorder's additions to the bench's program, including the consumer of a stream or a recording.

use std::fmt::Write as _;

use anyhow::Result;

use super::figure::{Figure, figure, number};
use super::firmware::{Bench, Sections, bytes_of_symbols, sections};
use super::longest;
use super::{EVENTS_SHIFT, EVTMARKER_10, ISR, QUEUE_SEND, STOPPED, SWITCH, TICK, VALMARKER};
use crate::cost_page::Table;

/// The cost of a backend by default, in one format.
#[derive(Clone, Debug)]
pub struct DefaultCosts {
    /// Backend and format.
    pub name: &'static str,
    /// The numbers, with their budgets.
    pub figures: Vec<Figure>,
}

/// As [`NAMES`] has them.
type Budgets = [f64; 11];

const NAMES: [(&str, &str); 11] = [
    ("task_switched_in", "task switched in"),
    ("queue_send", "queue send"),
    ("isr_enter", "ISR enter, by the kernel's hook"),
    ("valmarker", "value marker"),
    ("evtmarker_10", "event marker, 10 characters"),
    ("stopped", "any hook while stopped"),
    ("tick", "a tick of an idle system, which keeps the time"),
    ("tick_closes", "the longest such tick: with packets, one that closes a packet"),
    ("flash_bytes_os", "flash at -Os, bytes"),
    ("static_ram_bytes", "static RAM without ring or buffer, bytes"),
    ("ring_bytes", "ring or buffer, bytes, as it is by default"),
];

struct Case {
    key: &'static str,
    name: &'static str,
    settings: &'static [&'static str],
    budgets: Budgets,
    longest: longest::Budgets,
}

const CASES: [Case; 5] = [
    Case {
        key: "snapshot-frames",
        name: "snapshot, frames",
        settings: &["BENCH_BACKEND=snapshot"],
        budgets: [85.0, 102.0, 92.0, 105.0, 165.0, 12.0, 15.0, 15.0, 4510.0, 380.0, 32_768.0],
        longest: [176.0, 235.0, 291.0, 291.0, 5_500.0],
    },
    Case {
        key: "snapshot-packets",
        name: "snapshot, packets",
        settings: &["BENCH_BACKEND=snapshot", "BENCH_PACKET_SIZE=512"],
        budgets: [46.0, 56.0, 48.0, 60.0, 115.0, 11.0, 38.0, 85.0, 5260.0, 432.0, 4096.0],
        longest: [213.0, 206.0, 264.0, 328.0, 3_800.0],
    },
    Case {
        key: "streaming-frames",
        name: "streaming, frames",
        settings: &["BENCH_BACKEND=streaming"],
        budgets: [195.0, 215.0, 200.0, 215.0, 280.0, 12.0, 15.0, 15.0, 6290.0, 440.0, 4096.0],
        longest: [399.0, 463.0, 526.0, 534.0, 6_030.0],
    },
    Case {
        key: "streaming-packets",
        name: "streaming, packets",
        settings: &["BENCH_BACKEND=streaming", "BENCH_PACKET_SIZE=512"],
        budgets: [46.0, 56.0, 48.0, 60.0, 115.0, 11.0, 36.0, 89.0, 6190.0, 448.0, 4096.0],
        longest: [220.0, 214.0, 272.0, 335.0, 3_850.0],
    },
    Case {
        key: "post-mortem-packets",
        name: "post-mortem, packets",
        settings: &["BENCH_BACKEND=post_mortem", "BENCH_PACKET_SIZE=512"],
        budgets: [46.0, 56.0, 48.0, 60.0, 115.0, 11.0, 42.0, 88.0, 8140.0, 888.0, 4096.0],
        longest: [255.0, 248.0, 307.0, 370.0, 4_200.0],
    },
];

/// Buffers for events: the user chooses their size.
const RINGS: [&str; 3] = ["tband_packets", "tband_snapshot_bufs", "bench_ring_bytes"];

/// Measures each.
///
/// # Errors
/// A firmware could not be built or run; the text has the output.
pub(super) fn default_costs(bench: &Bench<'_>) -> Result<Vec<DefaultCosts>> {
    let common = ["BENCH_DEFAULT=1", "BENCH_TIMER=extended"];
    let off = [&common[..], &["BENCH_MEASURE=size", "BENCH_OPTIMISE=-Os", "BENCH_TRACE=0"]];
    let without = sections(&bench.build("default-off", &off.concat())?)?;
    CASES.iter().map(|case| measured(bench, &common, &without, case)).collect()
}

fn measured(
    bench: &Bench<'_>,
    common: &[&str],
    without: &Sections,
    case: &Case,
) -> Result<DefaultCosts> {
    let name = |what| format!("default-{}-{what}", case.key);
    let events = [common, case.settings, &["BENCH_MEASURE=events"]].concat();
    let run = bench.run(&name("events"), &events, EVENTS_SHIFT)?;
    // Ticks close packets that are open for longer than a tick, which takes large ones.
    let mut aged = events;
    if case.name.ends_with("packets") {
        aged.extend(["BENCH_PACKET_SIZE=4096", "BENCH_PACKET_AGE=1"]);
    }
    let aged = bench.run(&name("aged"), &aged, EVENTS_SHIFT)?;
    let size = [common, case.settings, &["BENCH_MEASURE=size", "BENCH_OPTIMISE=-Os"]].concat();
    let elf = bench.build(&name("size"), &size)?;
    let with = sections(&elf)?;
    let ring = bytes_of_symbols(&elf, &RINGS)?;
    let flash = (with.text + with.data) - (without.text + without.data);
    let ram = (with.data + with.bss) - (without.data + without.bss) - ring;
    let values = [
        run.median(SWITCH),
        run.median(QUEUE_SEND),
        run.median(ISR),
        run.median(VALMARKER),
        run.median(EVTMARKER_10),
        run.median(STOPPED),
        run.median(TICK),
        aged.max(TICK),
        flash as f64,
        ram as f64,
        ring as f64,
    ];
    let rows = NAMES.iter().zip(values).zip(case.budgets);
    let figures =
        rows.map(|(((key, name), value), budget)| figure(key, name, value, budget, ["", "", ""]));
    Ok(DefaultCosts {
        name: case.name,
        figures: figures.chain(longest::figures(&run, case.longest)).collect(),
    })
}

/// Side by side.
pub(super) fn default_table(costs: &[DefaultCosts]) -> Table {
    let mut text = String::from("| ");
    for cost in costs {
        let _ = write!(text, "| {} ", cost.name);
    }
    let _ = writeln!(text, "|\n|{}", "---|".repeat(costs.len() + 1));
    for (row, (_, name)) in NAMES.iter().chain(&longest::NAMES).enumerate() {
        let _ = write!(text, "| {name} |");
        for cost in costs {
            let figure = cost.figures.get(row);
            let _ = write!(text, " {} |", figure.map_or("–".into(), |it| number(it.value)));
        }
        text.push('\n');
    }
    Table { name: "default", text }
}

/// For people.
pub(super) fn table(costs: &[DefaultCosts]) -> String {
    let mut text = String::new();
    for cost in costs {
        let _ = writeln!(text, "\nBy default, {}:", cost.name);
        for figure in &cost.figures {
            let over = if figure.is_within_budget() { ' ' } else { '!' };
            let (value, budget) = (number(figure.value), number(figure.budget));
            let _ = writeln!(text, "{:<62} {value:>9} {budget:>9} {over}", figure.name);
        }
    }
    text
}
