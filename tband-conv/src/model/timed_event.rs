//! An event that was put in its place.

use tband_format::decode::Decoded;

use super::change::EventTime;
use crate::diagnostics::Place;

/// An event in its place among those of all cores and inputs.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct TimedEvent<'a> {
    /// Time in ns and core. An event without its own time has that of the previous event on its core.
    pub at: EventTime,
    /// Time in ticks of the target's timer, corrected where it was damaged, and continued where the target was restarted. The
    /// recorded one is in [`decoded`](Self::decoded).
    pub ticks: u64,
    /// Where it is.
    pub place: Place,
    /// Its content, with its timestamp as it was recorded, in ticks.
    pub decoded: Decoded<'a>,
}
