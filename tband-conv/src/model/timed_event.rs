//! An event that was put in its place.

use tband_format::Decoded;

use super::change::At;
use crate::diagnostics::Place;

/// An event in its place among those of all cores and inputs.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct TimedEvent<'a> {
    /// Time in ns and core. An event without a time of its own has that of the one before it on its core.
    pub at: At,
    /// Time in ticks of the target's timer, put right where it was damaged, and counted on where the target was
    /// restarted. What was recorded is in [`decoded`](Self::decoded).
    pub ticks: u64,
    /// Where it is.
    pub place: Place,
    /// What it says, with its timestamp as it was recorded, in ticks.
    pub decoded: Decoded<'a>,
}
