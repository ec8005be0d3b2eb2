//! The cost of hooks that rely on the kernel's critical sections, `tband_configTRUST_KERNEL_CRITICAL_SECTIONS`, on a
//! Cortex-M4F.

use std::fmt::Write as _;

use anyhow::Result;

use super::figure::{Figure, Row, figure, number, push_page_rows, push_rows};
use super::firmware::{Bench, Samples};
use super::{EVENTS_SHIFT, QUEUE_SEND, SWITCH};
use crate::cost_page::Table;

const TRUST: &str = "BENCH_TRUST=1";

/// Key, name, and the maximum difference to the hooks without it: the instructions of a critical section less, and flash of
/// events that are written in and outside of one.
const EVENTS: [(u32, &str, &str, f64); 2] = [
    (SWITCH, "task_switched_in", "task switched in", -6.0),
    (QUEUE_SEND, "queue_send", "queue send", -6.0),
];
const FLASH: (&str, &str, f64) = ("flash_bytes_os", "flash at -Os, bytes", 300.0);

/// One format.
#[derive(Clone, Debug)]
pub struct TrustCosts {
    /// The format.
    pub name: &'static str,
    /// The same numbers of hooks with their own critical sections.
    without: Vec<f64>,
    /// With budgets.
    pub figures: Vec<Figure>,
}

/// Measures a format, for which the bench takes these settings; with their own critical sections, hooks took `without`, and
/// `flash`.
///
/// # Errors
/// A firmware could not be built or run; the text has the output.
pub(super) fn trust_costs(
    bench: &Bench<'_>,
    name: &'static str,
    settings: &[&str],
    (without, flash): (&Samples, f64),
) -> Result<TrustCosts> {
    let settings = [settings, &[TRUST]].concat();
    let events = [&settings[..], &["BENCH_MEASURE=events"]].concat();
    let run = bench.run(&format!("trust-{name}"), &events, EVENTS_SHIFT)?;
    let (with_flash, _) = bench.size(&format!("trust-{name}-size"), &settings)?;
    let none = ["", "", ""];
    let mut figures = Vec::new();
    let mut of_sections = Vec::new();
    for (kind, key, event, more) in EVENTS {
        of_sections.push(without.median(kind));
        let budget = without.median(kind) + more;
        figures.push(figure(key, event, run.median(kind), budget, none));
    }
    of_sections.push(flash);
    figures.push(figure(FLASH.0, FLASH.1, with_flash, flash + FLASH.2, none));
    Ok(TrustCosts { name, without: of_sections, figures })
}

/// For each number the cells of all formats: without, and with.
fn rows(costs: &[TrustCosts]) -> Vec<Row> {
    let names = costs.first().map(|cost| &cost.figures[..]).unwrap_or_default();
    let cell = |value: Option<f64>| value.map_or("–".into(), number);
    let cells = |at: usize| {
        let of_format = costs.iter().flat_map(|cost| {
            let with = cost.figures.get(at).map(|figure| figure.value);
            [cell(cost.without.get(at).copied()), cell(with)]
        });
        of_format.collect::<Vec<String>>()
    };
    names.iter().enumerate().map(|(at, figure)| (figure.name, cells(at))).collect()
}

/// For the page.
pub(super) fn trust_table(costs: &[TrustCosts]) -> Table {
    let mut text = String::from("| ");
    for cost in costs {
        let _ = write!(text, "| {}, as it is by default | trusting the kernel ", cost.name);
    }
    let _ = writeln!(text, "|\n|{}", "---|".repeat(costs.len() * 2 + 1));
    push_page_rows(&mut text, &rows(costs));
    Table { name: "trust", text }
}

/// For people.
pub(super) fn table(costs: &[TrustCosts]) -> String {
    let mut text =
        String::from("\nHooks that rely on the kernel's critical sections: without, with");
    for cost in costs {
        let _ = write!(text, "; {}", cost.name);
    }
    text.push('\n');
    push_rows(&mut text, &rows(costs));
    text
}
