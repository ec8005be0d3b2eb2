//! The cost of a part of the recorder that a switch compiles in: in each of its states, against the recorder without it.

use std::fmt::Write as _;

use anyhow::Result;

use super::figure::{Figure, Row, figure, number, push_page_rows, push_rows};
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

/// Instructions that an event may take more, or altogether where it is not recorded.
#[derive(Clone, Copy)]
pub(super) enum Budget {
    More(f64),
    All(f64),
}

/// Bytes that the recorder may take more.
pub(super) struct Sizes {
    pub(super) flash: f64,
    pub(super) ram: f64,
}

pub(super) struct State {
    /// The setting of the bench.
    pub(super) setting: &'static str,
    /// Its name on the page.
    pub(super) name: &'static str,
    pub(super) budget: Budget,
    /// None: not measured.
    pub(super) sizes: Option<Sizes>,
}

/// A part.
pub(super) struct Part {
    /// Of its table.
    pub(super) name: &'static str,
    /// Begin of the table for people.
    pub(super) title: &'static str,
    pub(super) states: &'static [State],
    /// Maximum additional instructions of any hook while nothing is recorded, if that differs from the budgets of events.
    pub(super) stopped: Option<f64>,
}

/// The recorder without the part.
pub(super) struct ReducedRecorder<'a> {
    /// The format.
    pub(super) format: &'static str,
    /// By which the bench records it.
    pub(super) settings: &'a [&'a str],
    pub(super) events: &'a Samples,
    pub(super) flash: f64,
    pub(super) ram: f64,
}

/// The cost of a part in one format.
#[derive(Clone, Debug)]
pub struct PartCosts {
    /// The format.
    pub format: &'static str,
    /// The numbers without the part.
    without: Vec<f64>,
    /// In each of the states the same numbers, with their budgets.
    pub figures: Vec<Vec<Figure>>,
}

const NO_RIVALS: [&str; 3] = ["", "", ""];

impl Part {
    /// Measures it.
    ///
    /// # Errors
    /// A firmware could not be built or run; the text has the output.
    pub(super) fn costs(&self, bench: &Bench<'_>, of: &ReducedRecorder<'_>) -> Result<PartCosts> {
        let mut without: Vec<_> = EVENTS.iter().map(|(kind, ..)| of.events.median(*kind)).collect();
        if self.has_sizes() {
            without.extend([of.flash, of.ram]);
        }
        let figures = self.states.iter().map(|state| self.figures(bench, of, state));
        Ok(PartCosts { format: of.format, without, figures: figures.collect::<Result<_>>()? })
    }

    fn has_sizes(&self) -> bool {
        self.states.iter().any(|state| state.sizes.is_some())
    }

    fn figures(
        &self,
        bench: &Bench<'_>,
        of: &ReducedRecorder<'_>,
        state: &State,
    ) -> Result<Vec<Figure>> {
        let name = format!("{}-{}-{}", self.name, of.format, state.name.replace(' ', "-"));
        let settings = [of.settings, &[state.setting]].concat();
        let events = [&settings[..], &["BENCH_MEASURE=events"]].concat();
        let run = bench.run(&name, &events, EVENTS_SHIFT)?;
        let of_events = EVENTS.iter().map(|(kind, key, event)| {
            let budget = match (state.budget, self.stopped) {
                (_, Some(more)) if *kind == STOPPED => of.events.median(*kind) + more,
                (Budget::More(more), _) => of.events.median(*kind) + more,
                // The running task is still recorded.
                (Budget::All(_), _) if *kind == SWITCH => of.events.median(*kind) + 3.0,
                (Budget::All(all), _) => all,
            };
            figure(key, event, run.median(*kind), budget, NO_RIVALS)
        });
        let mut figures: Vec<_> = of_events.collect();
        if let Some(more) = &state.sizes {
            let (flash, ram) = bench.size(&format!("{name}-size"), &settings)?;
            let flash_budget = of.flash + more.flash;
            figures.push(figure("flash", "flash at -Os, bytes", flash, flash_budget, NO_RIVALS));
            let ram_budget = of.ram + more.ram;
            figures.push(figure("ram", "static RAM, bytes", ram, ram_budget, NO_RIVALS));
        }
        Ok(figures)
    }

    /// For the page.
    pub(super) fn page(&self, costs: &[PartCosts]) -> Table {
        let mut text = String::from("| ");
        for cost in costs {
            let _ = write!(text, "| {}, without ", cost.format);
            for state in self.states {
                let _ = write!(text, "| {} ", state.name);
            }
        }
        let columns = costs.len() * (self.states.len() + 1) + 1;
        let _ = writeln!(text, "|\n|{}", "---|".repeat(columns));
        push_page_rows(&mut text, &rows(costs));
        Table { name: self.name, text }
    }

    /// For people.
    pub(super) fn table(&self, costs: &[PartCosts]) -> String {
        let mut text = format!("\n{}: without", self.title);
        for state in self.states {
            let _ = write!(text, ", {}", state.name);
        }
        for cost in costs {
            let _ = write!(text, "; {}", cost.format);
        }
        text.push('\n');
        push_rows(&mut text, &rows(costs));
        text
    }
}

/// Rows of the table: for each number a cell of each format and state.
fn rows(costs: &[PartCosts]) -> Vec<Row> {
    let names = costs.first().and_then(|cost| cost.figures.first());
    let names = names.map(Vec::as_slice).unwrap_or_default();
    let cells = |row: usize| {
        let mut cells = Vec::new();
        for cost in costs {
            cells.push(cost.without.get(row).map_or("–".into(), |value| number(*value)));
            let states = cost.figures.iter().filter_map(|figures| figures.get(row));
            cells.extend(states.map(|figure| number(figure.value)));
        }
        cells
    };
    names.iter().enumerate().map(|(row, figure)| (figure.name, cells(row))).collect()
}
