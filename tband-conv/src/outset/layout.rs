//! Where things lie in an input, as the first pass has found it: what the second pass reads it by.

use crate::item::schemas::Schemas;
use crate::outset::starts::Start;

/// What the first pass has found in one input.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    /// Where the events of each of its cores lie.
    pub extents: Vec<Extent>,
    /// Where its streams start.
    pub starts: Vec<Start>,
    /// Up to here its packets are known to be whole.
    pub checked_to: u64,
    /// There are records of the application's own in it.
    pub has_records: bool,
    /// What it says of events that the registry does not have.
    pub schemas: Schemas,
}

/// Where a core's events lie in an input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    /// The core.
    pub core: u32,
    /// Offset from which on it has events.
    pub first: u64,
    /// As of [`EventReader::reached`](crate::events::EventReader::reached): whoever has read so far has had all its events.
    pub end: u64,
}

/// Events of a core lie between these offsets.
pub(crate) fn extend(extents: &mut Vec<Extent>, core: u32, first: u64, end: u64) {
    match extents.iter_mut().find(|extent| extent.core == core) {
        Some(extent) => extent.end = end,
        None if end > first => extents.push(Extent { core, first, end }),
        None => {}
    }
}
