//! How the clock of a trace counts, and how precise it is.

use crate::input::Input;

/// The clock of a trace.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counts {
    /// How often it counts in a second.
    pub hz: u64,
    /// Time 0 of the trace is this tick of the recording's.
    pub first_ticks: u64,
    /// By how many ticks times can be wrong against each other, if they are of several clocks.
    pub precision: Option<u64>,
    /// How often the clock counts is not known.
    pub is_unknown: bool,
}

impl Counts {
    /// Returns a description of the clock.
    pub const fn about(self) -> &'static str {
        if self.is_unknown {
            "Timer of the target, of unknown frequency: each tick is shown as 1 ns"
        } else {
            "Timer of the target"
        }
    }
}

/// By how many ticks times can be wrong against each other, if the inputs have more than one clock.
pub(super) fn precision(inputs: &[Input<'_>], hz: u64) -> Option<u64> {
    let mut worst: Vec<f64> =
        inputs.iter().flat_map(Input::clocks).map(|clock| clock.uncertainty_ns).collect();
    worst.sort_by(|one, other| other.total_cmp(one));
    // As `as` does: nothing is beyond the range.
    let ticks = |ns: f64| (ns * hz as f64 / 1e9).ceil() as u64;
    // Of two clocks neither of which is the first one.
    (!worst.is_empty()).then(|| ticks(worst.iter().take(2).sum()))
}
