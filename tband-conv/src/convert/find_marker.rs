//! Finds the time of a marker, to inspect its surroundings.

use std::io;

use crate::convert::convert;
use crate::diagnostics::Problem;
use crate::error::ConvError;
use crate::input::Input;
use crate::model::{Change, EventTime, Sink, World};
use crate::options::Options;

/// Where a marker occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MarkerOccurrence {
    /// Time of the first occurrence, in ns.
    pub first_ns: i64,
    /// How often it occurs.
    pub count: u64,
    /// Whether the length of a tick is known; otherwise the time is in ticks.
    pub is_in_ns: bool,
}

/// Searches the recordings for a marker of this name, or with this text; both may fire as an instant or open a span.
///
/// # Errors
/// As for [`convert()`].
pub fn find_marker(
    inputs: &[Input<'_>],
    options: &Options,
    name: &str,
) -> Result<Option<MarkerOccurrence>, ConvError> {
    let mut search = MarkerSearch { name, found: None };
    let summary = convert(inputs, options, &mut search)?;
    let is_in_ns = summary.diagnostics.get(Problem::NoResolution).is_none();
    Ok(search.found.map(|found| MarkerOccurrence { is_in_ns, ..found }))
}

struct MarkerSearch<'n> {
    name: &'n str,
    found: Option<MarkerOccurrence>,
}

impl Sink for MarkerSearch<'_> {
    fn change(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        let (Change::Marker(marker, msg, _) | Change::SpanBegin(marker, msg, _)) = *change else {
            return Ok(());
        };
        let name = world.markers.get(marker).and_then(|marker| marker.name.as_deref());
        if name == Some(self.name) || msg.0 == self.name.as_bytes() {
            let first = MarkerOccurrence { first_ns: at.ns, count: 0, is_in_ns: true };
            let found = self.found.get_or_insert(first);
            found.count = found.count.saturating_add(1);
        }
        Ok(())
    }
}
