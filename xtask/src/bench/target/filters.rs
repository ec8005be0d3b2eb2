//! What filters cost in hooks: compiled in, with everything recorded; where something else of the same kind is left out; and
//! what an event costs that is left out itself. On a Cortex-M4F, against the same without filters.
//!
//! The look itself takes 3 instructions, and 4 more where another object is left out; the rest is what the compiler makes of the code
//! around it.

use std::fmt::Write as _;

use anyhow::Result;

use super::figure::{Figure, figure, number};
use super::firmware::{Bench, Samples};
use super::{EVENTS_SHIFT, EVTMARKER_10, ISR, QUEUE_SEND, STOPPED, SWITCH, VALMARKER};
use crate::cost_page::Table;

const EVENTS: [(u32, &str, &str); 6] = [
    (SWITCH, "task_switched_in", "task switched in"),
    (QUEUE_SEND, "queue_send", "queue send"),
    (ISR, "isr_enter", "ISR enter"),
    (VALMARKER, "valmarker", "value marker"),
    (EVTMARKER_10, "evtmarker_10", "event marker, 10 characters"),
    (STOPPED, "stopped", "any hook while stopped"),
];

/// Instructions that an event may take more, or altogether where it is left out.
enum Budget {
    More(f64),
    All(f64),
}

/// Of `BENCH_FILTERS`, and how the page names it.
const STATES: [(&str, &str, Budget); 3] = [
    ("BENCH_FILTERS=1", "everything on", Budget::More(6.0)),
    ("BENCH_FILTERS=2", "another object is left out", Budget::More(10.0)),
    ("BENCH_FILTERS=3", "left out", Budget::All(50.0)),
];

/// What filters cost in one format.
#[derive(Clone, Debug)]
pub struct FilterCosts {
    /// The format.
    pub name: &'static str,
    /// The events without filters, by their keys.
    without: Vec<f64>,
    /// In each of the states the events, with their budgets.
    pub figures: Vec<Vec<Figure>>,
}

/// Measures a format, for which the bench takes these settings; without filters it has been measured.
///
/// # Errors
/// A firmware could not be built or run; the text has the output.
pub(super) fn filter_costs(
    bench: &Bench<'_>,
    name: &'static str,
    settings: &[&str],
    without: &Samples,
) -> Result<FilterCosts> {
    let mut figures = Vec::new();
    for (setting, state, budget) in &STATES {
        let settings = [settings, &["BENCH_MEASURE=events", setting]].concat();
        let run = bench.run(
            &format!("filters-{name}-{}", state.replace(' ', "-")),
            &settings,
            EVENTS_SHIFT,
        )?;
        let of_events = EVENTS.iter().map(|(kind, key, event)| {
            let budget = match budget {
                Budget::More(more) => without.median(*kind) + more,
                // Who runs is recorded all the same.
                Budget::All(_) if *kind == SWITCH => without.median(*kind) + 6.0,
                Budget::All(all) => *all,
            };
            figure(key, event, run.median(*kind), budget, ["", "", ""])
        });
        figures.push(of_events.collect());
    }
    let without = EVENTS.iter().map(|(kind, ..)| without.median(*kind)).collect();
    Ok(FilterCosts { name, without, figures })
}

/// Rows of the table: for each event a cell of each format and state.
fn rows(costs: &[FilterCosts]) -> impl Iterator<Item = (&'static str, Vec<String>)> {
    EVENTS.iter().enumerate().map(move |(row, (_, _, event))| {
        let mut cells = Vec::new();
        for cost in costs {
            cells.push(cost.without.get(row).map_or("–".into(), |value| number(*value)));
            let states = cost.figures.iter().filter_map(|figures| figures.get(row));
            cells.extend(states.map(|figure| number(figure.value)));
        }
        (*event, cells)
    })
}

/// For the page.
pub(super) fn filter_table(costs: &[FilterCosts]) -> Table {
    let mut text = String::from("| ");
    for cost in costs {
        let _ = write!(text, "| {}, without ", cost.name);
        for (_, state, _) in &STATES {
            let _ = write!(text, "| {state} ");
        }
    }
    let columns = costs.len() * (STATES.len() + 1) + 1;
    let _ = writeln!(text, "|\n|{}", "---|".repeat(columns));
    for (event, cells) in rows(costs) {
        let _ = writeln!(text, "| {event} | {} |", cells.join(" | "));
    }
    Table { name: "filters", text }
}

/// For people.
pub(super) fn table(costs: &[FilterCosts]) -> String {
    let mut text = String::from(
        "\nFilters: without, everything on, another object is left out, left out itself",
    );
    for cost in costs {
        let _ = write!(text, "; {}", cost.name);
    }
    text.push('\n');
    for (event, cells) in rows(costs) {
        let _ = write!(text, "{event:<45}");
        for cell in cells {
            let _ = write!(text, " {cell:>7}");
        }
        text.push('\n');
    }
    text
}
