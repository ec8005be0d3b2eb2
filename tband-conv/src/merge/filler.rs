//! Reads items into the lanes of their cores until a certain lane has its next record.

use std::io;

use tband_format::decode::Decoded;

use super::intake::{CoreLane, FrameResult, Intake};
use crate::item::{Item, Origin, Visitor};

/// Puts the items of an input into their lanes.
pub(super) struct Filler<'s> {
    pub lanes: &'s mut Vec<CoreLane>,
    pub intake: &'s mut Intake,
    /// The lane that needs a record.
    pub lane: usize,
    /// Most bytes that the lanes may take.
    pub window: usize,
}

/// Why no more items are taken.
pub(super) enum Full {
    /// The lane has its record or gets none, the window is full, or a stream may start.
    Lane,
    /// The input could not be read, or has to be waited for.
    Failed(io::Error),
}

impl From<io::Error> for Full {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}

impl Visitor for Filler<'_> {
    type Error = Full;

    // All kinds of events go the same way.
    const FREQUENT: [bool; 256] = [false; 256];

    fn event(&mut self, origin: &Origin, decoded: &Decoded<'_>) -> Result<(), Full> {
        let (&Origin { core, reported, .. }, event) = (origin, Ok(*decoded));
        // The length counts only for items that are not events.
        self.other(&Item { core, offset: origin.offset(), len: 0, event, reported })
    }

    fn other(&mut self, item: &Item<'_>) -> Result<(), Full> {
        let FrameResult { may_start, .. } = self.intake.put(self.lanes, item);
        if may_start || self.is_full(item.offset) { Err(Full::Lane) } else { Ok(()) }
    }

    fn has_taken(error: &Full) -> bool {
        matches!(error, Full::Lane)
    }
}

impl Filler<'_> {
    /// After an item at this offset.
    fn is_full(&self, offset: u64) -> bool {
        let has_next = |entry: &CoreLane| offset >= entry.end || entry.lane.ready(false).is_some();
        self.lanes.get(self.lane).is_none_or(has_next) || memory(self.lanes) >= self.window
    }
}

/// Bytes that pending records of these lanes take.
pub(super) fn memory(lanes: &[CoreLane]) -> usize {
    lanes.iter().map(|entry| entry.lane.memory()).sum()
}
