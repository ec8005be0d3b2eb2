//! Positions in an input, found in the first pass and used by the second pass.

use crate::item::schemas::Schemas;
use crate::outset::starts::Start;

/// Results of the first pass over one input.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    /// Ranges of the events of each of its cores.
    pub extents: Vec<Extent>,
    /// Where its streams start.
    pub starts: Vec<Start>,
    /// Up to here its packets are known to be complete.
    pub checked_to: u64,
    /// It has log records of the application.
    pub has_records: bool,
    /// The recording's schemas of events that the registry does not have.
    pub schemas: Schemas,
}

/// The range of a core's events in an input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    /// The core.
    pub core: u32,
    /// Offset from which on it has events.
    pub first: u64,
    /// See [`EventReader::reached`](crate::events::EventReader::reached): a reader at this offset has received all events of
    /// the core.
    pub end: u64,
}

/// Extends the ranges by events of a core between these offsets.
pub(crate) fn extend(extents: &mut Vec<Extent>, core: u32, first: u64, end: u64) {
    match extents.iter_mut().find(|extent| extent.core == core) {
        Some(extent) => extent.end = end,
        None if end > first => extents.push(Extent { core, first, end }),
        None => {}
    }
}
