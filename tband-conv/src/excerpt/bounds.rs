//! Bounds of a window, in ns.

use crate::clock::moment::Moment;
use crate::clock::{Clock, MAX_NS};
use crate::error::ConvError;
use crate::options::Options;

/// The two ends of a window, which belong to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub from: i64,
    pub to: i64,
}

impl Bounds {
    /// Those that the options name, by a clock that knows all changes of the timer's frequency if moments are in ticks:
    /// they have the one that is in force then.
    ///
    /// # Errors
    /// [`ConvError::EmptyWindow`] if the window ends before it begins.
    pub fn find(options: &Options, mut clock: Clock) -> Result<Self, ConvError> {
        let mut ns = |moment: Moment| match moment {
            Moment::Ns(ns) => i64::try_from(ns).unwrap_or(MAX_NS).min(MAX_NS),
            Moment::Ticks(ticks) => clock.ns(ticks).unwrap_or(MAX_NS),
            Moment::TicksAndNs(ticks, ns) => {
                clock.ns(ticks).unwrap_or(MAX_NS).saturating_add(ns).clamp(0, MAX_NS)
            }
        };
        let bounds =
            Self { from: options.from.map_or(0, &mut ns), to: options.to.map_or(MAX_NS, ns) };
        if bounds.from > bounds.to {
            return Err(ConvError::EmptyWindow { from_ns: bounds.from, to_ns: bounds.to });
        }
        Ok(bounds)
    }
}
