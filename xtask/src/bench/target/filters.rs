//! What filters cost in hooks: compiled in, with everything recorded; where something else of the same kind is left out; and
//! what an event costs that is left out itself. On a Cortex-M4F, against the same without filters.
//!
//! The flag and the filter are one look: a pointer and a byte, of which a hook without filters has the flag alone. So that is an
//! instruction more, and 3 more where another object is left out; the rest is what the compiler makes of the code around it. While
//! nothing is recorded a hook finds that out after the look.

use super::parts::{Budget, Part, State};

pub(super) const FILTERS: Part = Part {
    name: "filters",
    title: "Filters",
    states: &[
        state("BENCH_FILTERS=1", "everything on", Budget::More(3.0)),
        state("BENCH_FILTERS=2", "another object is left out", Budget::More(6.0)),
        state("BENCH_FILTERS=3", "left out", Budget::All(50.0)),
    ],
    stopped: Some(14.0),
};

const fn state(setting: &'static str, name: &'static str, budget: Budget) -> State {
    State { setting, name, budget, sizes: None }
}
