//! The results of the bench: as numbers for programs, and as tables for people.

use std::fmt::Write as _;

use anyhow::{Result, bail};
use serde_json::json;

use super::cores::{self, Core, CoreCosts};
use super::cpus::CPUS;
use super::defaults::{self, DefaultCosts};
use super::figure::{Figure, number};
use super::filters::FILTERS;
use super::parts::PartCosts;
use super::stack::StackUse;
use super::triggers::TRIGGERS;
use super::trust::{self, TrustCosts};

/// Everything that the bench measures.
#[derive(Clone, Debug)]
pub struct Report {
    /// The cost for a user who keeps all defaults, with budgets.
    pub defaults: Vec<DefaultCosts>,
    /// The numbers that have budgets.
    pub figures: Vec<Figure>,
    /// The same numbers where packets are recorded, with separate budgets.
    pub packets: Vec<Figure>,
    /// Instructions of events with filters, with budgets against those without.
    pub filters: Vec<PartCosts>,
    /// Instructions of events with triggers, and the memory that triggers use.
    pub triggers: Vec<PartCosts>,
    /// Instructions of events that rely on the kernel's critical sections, with budgets against those that do not.
    pub trust: Vec<TrustCosts>,
    /// Instructions that go through the metadata buffer, with budgets as well.
    pub metadata: Vec<Figure>,
    /// Instructions of events on other cores, with budgets too.
    pub cores: Vec<CoreCosts>,
    /// The same on CPUs beside microcontrollers, by the ports that users have.
    pub cpus: Vec<CoreCosts>,
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

impl Report {
    /// Returns an error unless all CPUs were measured, as the page needs it.
    ///
    /// # Errors
    /// One was skipped.
    pub fn ensure_complete(&self) -> Result<()> {
        let measured = |core: &Core| self.cpus.iter().any(|cost| cost.core == core.key);
        match CPUS.iter().find(|core| !measured(core)) {
            Some(core) => bail!("{} was skipped, but the page has its figures", core.name),
            None => Ok(()),
        }
    }

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
        for cost in self.cores.iter().chain(&self.cpus) {
            let figures = cost.figures.iter().map(|it| (it.key.to_owned(), json!(it.value)));
            let figures = figures.collect::<serde_json::Map<_, _>>();
            let core = all.entry(cost.core).or_insert_with(|| json!({}));
            core[cost.format()] = figures.into();
        }
        all.into()
    }

    /// All numbers that have budgets.
    pub fn all(&self) -> impl Iterator<Item = &Figure> {
        let of_cores = self.cores.iter().chain(&self.cpus).flat_map(|core| &core.figures);
        let of_parts = self.filters.iter().chain(&self.triggers);
        let of_parts = of_parts.flat_map(|it| &it.figures).flatten();
        let of_trust = self.trust.iter().flat_map(|it| &it.figures);
        let of_defaults = self.defaults.iter().flat_map(|it| &it.figures);
        self.figures
            .iter()
            .chain(&self.packets)
            .chain(&self.metadata)
            .chain(of_cores)
            .chain(of_parts)
            .chain(of_trust)
            .chain(of_defaults)
    }

    /// Returns the figures that exceed their budgets, for people; empty if none does.
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
            "Cortex-M4F, instructions unless noted",
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
        text += &defaults::table(&self.defaults);
        text += &FILTERS.table(&self.filters);
        text += &TRIGGERS.table(&self.triggers);
        text += &trust::table(&self.trust);
        text += &cores::table(&self.cores);
        text += &cores::table(&self.cpus);
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
