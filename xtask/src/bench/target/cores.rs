//! Measures the events' instructions on cores that cannot store a word at any address, Cortex-M0+ and RISC-V; and on a core
//! that is one of two: with the marks and fences that synchronize the cores.
//!
//! The same firmware and the same brackets as on the Cortex-M4F, with the kernel's port for the core. The code for a Cortex-M0+
//! runs on the board's Cortex-M3, which has all of its instructions and a timer that takes one load to read.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;

use super::figure::{Figure, figure, number};
use super::firmware::{Bench, Machine, Toolchain};
use super::longest;
use super::{EVENTS_SHIFT, EVTMARKER_10, ISR, QUEUE_SEND, STOPPED, SWITCH, VALMARKER};
use crate::board::Board;
use crate::{dist, xtensa};

/// The cost of events on one core, in one format.
#[derive(Clone, Debug)]
pub struct CoreCosts {
    /// Key in the JSON output.
    pub core: &'static str,
    /// As people call it.
    pub name: &'static str,
    /// Packets of 512 bytes; otherwise frames.
    pub is_packets: bool,
    /// The numbers, with their budgets.
    pub figures: Vec<Figure>,
}

impl CoreCosts {
    /// Key of the format in the JSON output.
    #[must_use]
    pub const fn format(&self) -> &'static str {
        if self.is_packets { "packets" } else { "frames" }
    }
}

/// Task switched in, queue send, ISR enter, value marker, marker of 10 characters, stopped.
pub(super) type Budgets = [f64; 6];

pub(super) struct Core {
    pub(super) key: &'static str,
    pub(super) name: &'static str,
    /// The toolchain of the folder; `None`: the board's, or the one for Xtensa.
    pub(super) toolchain: Option<&'static str>,
    /// The target of the library; `None`: CMake builds the one for the toolchain.
    pub(super) triple: Option<&'static str>,
    /// Further settings of the firmware.
    pub(super) settings: &'static [&'static str],
    pub(super) emulator: &'static str,
    pub(super) counts_per_instruction: f64,
    pub(super) frames: (Budgets, longest::Budgets),
    pub(super) packets: (Budgets, longest::Budgets),
}

pub(super) const CORES: [Core; 3] = [
    Core {
        key: "cortex_m0plus",
        name: "Cortex-M0+",
        toolchain: Some("cortex-m0plus.cmake"),
        triple: None,
        settings: &[],
        emulator: Board::BareMetal.emulator(),
        counts_per_instruction: super::COUNTS_PER_INSTRUCTION,
        frames: ([90.0, 110.0, 90.0, 120.0, 210.0, 20.0], [207.0, 294.0, 377.0, 377.0, 6_100.0]),
        packets: ([66.0, 80.0, 65.0, 94.0, 173.0, 12.0], [256.0, 292.0, 382.0, 454.0, 4_460.0]),
    },
    Core {
        key: "riscv32imac",
        name: "RISC-V (RV32IMAC)",
        toolchain: Some("riscv32imac.cmake"),
        triple: None,
        settings: &[],
        emulator: "qemu-system-riscv32 -M virt -bios none",
        // Of nanoseconds.
        counts_per_instruction: (1_u32 << EVENTS_SHIFT) as f64,
        frames: ([85.0, 98.0, 85.0, 105.0, 175.0, 8.0], [186.0, 257.0, 330.0, 330.0, 1_860.0]),
        packets: ([51.0, 56.0, 57.0, 66.0, 131.0, 8.0], [215.0, 244.0, 314.0, 363.0, 1_440.0]),
    },
    Core {
        key: "one_of_two",
        name: "Cortex-M4, one of two cores",
        toolchain: None,
        triple: None,
        settings: &["BENCH_CORES=2"],
        emulator: Board::Mps2An386.emulator(),
        counts_per_instruction: super::COUNTS_PER_INSTRUCTION,
        frames: ([120.0, 136.0, 119.0, 139.0, 195.0, 8.0], [211.0, 272.0, 328.0, 328.0, 6_830.0]),
        packets: ([88.0, 96.0, 92.0, 102.0, 160.0, 8.0], [269.0, 275.0, 333.0, 390.0, 5_250.0]),
    },
];

impl Core {
    fn is_xtensa(&self) -> bool {
        self.triple == Some(xtensa::TRIPLE)
    }
}

/// Returns whether the tools of a core are installed. Some systems have no package of a compiler for Xtensa.
fn has_tools(core: &Core) -> bool {
    if !core.is_xtensa() {
        return true;
    }
    let installed = xtensa::install();
    if let Err(error) = &installed {
        eprintln!("SKIPPED: {} is not measured: {error:#}", core.name);
    }
    installed.is_ok()
}

/// Measures each core in both formats, except those whose tools cannot be installed.
///
/// # Errors
/// A firmware could not be built or run; the text has the output.
pub(super) fn core_costs(root: &Path, cores: &[Core]) -> Result<Vec<CoreCosts>> {
    let mut costs = Vec::new();
    for core in cores.iter().filter(|core| has_tools(core)) {
        let machine = Machine {
            toolchain: match core.toolchain {
                None if core.is_xtensa() => Toolchain::Xtensa,
                None => Toolchain::CMake(Board::Mps2An386.toolchain(root)),
                Some(name) => Toolchain::CMake(root.join("tests/bench/cores").join(name)),
            },
            emulator: core.emulator,
            counts_per_instruction: core.counts_per_instruction,
        };
        let work = dist::shared_work(root);
        let library = core.triple.map(|triple| match core.is_xtensa() {
            true => xtensa::library(root, &work),
            false => dist::library(root, &work, triple),
        });
        let bench = Bench::new(root, machine, library.transpose()?);
        for (is_packets, budgets) in [(false, core.frames), (true, core.packets)] {
            let format = if is_packets { "BENCH_PACKET_SIZE=512" } else { "BENCH_PACKET_SIZE=" };
            let name = format!("{}-{}", core.key, if is_packets { "packets" } else { "frames" });
            let settings = [&["BENCH_MEASURE=events", format], core.settings].concat();
            let run = bench.run(&name, &settings, EVENTS_SHIFT)?;
            let (usual, longest) = budgets;
            let [switch, send, isr, value, marker, stopped] = usual;
            let none = ["", "", ""];
            #[rustfmt::skip]
            let mut figures = vec![
                figure("task_switched_in", "task switched in", run.median(SWITCH), switch, none),
                figure("queue_send", "queue send", run.median(QUEUE_SEND), send, none),
                figure("isr_enter", "ISR enter", run.median(ISR), isr, none),
                figure("valmarker", "value marker", run.median(VALMARKER), value, none),
                figure("evtmarker_10", "event marker, 10 characters", run.median(EVTMARKER_10), marker, none),
                figure("stopped", "any hook while stopped", run.median(STOPPED), stopped, none),
            ];
            figures.extend(longest::figures(&run, longest));
            costs.push(CoreCosts { core: core.key, name: core.name, is_packets, figures });
        }
    }
    Ok(costs)
}

/// Tables for people.
pub(super) fn table(costs: &[CoreCosts]) -> String {
    let mut text = String::new();
    for cost in costs {
        let _ = writeln!(text, "\n{}, {}:", cost.name, cost.format());
        for figure in &cost.figures {
            let over = if figure.is_within_budget() { ' ' } else { '!' };
            let (value, budget) = (number(figure.value), number(figure.budget));
            let _ = writeln!(text, "{:<62} {value:>9} {budget:>9} {over}", figure.name);
        }
    }
    text
}
