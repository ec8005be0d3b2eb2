//! The longest events: those that open a packet, or have a count of dropped events in front; and the first record.
//!
//! Events of the kernel's hooks and interrupts are measured where the kernel calls them, which nothing interrupts. Markers are
//! measured with interrupts masked, so that interrupts do not add to the longest time.

use super::figure::{Figure, figure};
use super::firmware::Samples;
use super::{ISR, ISR_END, QUEUE_SEND, SWITCH};

/// Kinds, as `tests/bench/bench.h` numbers them.
const MARKER_10: u32 = 10;
const MARKER_20: u32 = 11;
const MARKER_IN_ISR: u32 = 12;
const FIRST_RECORD: u32 = 13;

/// How many there are.
pub(super) const COUNT: usize = 5;

/// Instructions that each may take, in the order of the rows.
pub(super) type Budgets = [f64; COUNT];

/// Keys, and names of rows.
pub(super) const NAMES: [(&str, &str); COUNT] = [
    ("longest_hook", "longest task switch, queue send or interrupt"),
    ("longest_marker_10", "longest event marker, 10 characters"),
    ("longest_marker_20", "longest event marker, 20 characters"),
    ("longest_in_isr", "the same inside an interrupt"),
    ("first_record", "the first record, which describes its event"),
];

/// Instructions of each in one run.
pub(super) fn values(run: &Samples) -> [f64; COUNT] {
    let hooks = [SWITCH, QUEUE_SEND, ISR, ISR_END];
    [
        hooks.into_iter().map(|kind| run.max(kind)).fold(0.0, f64::max),
        run.max(MARKER_10),
        run.max(MARKER_20),
        run.max(MARKER_IN_ISR),
        run.max(FIRST_RECORD),
    ]
}

/// Returns the same as rows, with their budgets.
pub(super) fn figures(run: &Samples, budgets: Budgets) -> impl Iterator<Item = Figure> {
    let rows = NAMES.into_iter().zip(values(run)).zip(budgets);
    rows.map(|(((key, name), value), budget)| figure(key, name, value, budget, ["", "", ""]))
}
