//! The cost of filters in hooks: compiled in, with everything recorded; where another item of the same kind is left out; and
//! for an event that is left out itself. On a Cortex-M4F, against the same without filters.
//!
//! The flag and the filter are one check: a pointer and a byte, while a hook without filters has the flag alone. That is one
//! more instruction, and 3 more where another object is left out; the rest results from the compiler's choices in the code
//! around it. While nothing is recorded, a hook finds that out after the check.

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
