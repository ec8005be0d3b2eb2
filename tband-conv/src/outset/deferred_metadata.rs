//! Facts from the first pass that belong to a later place of the recording: metadata of objects that are created there, and of
//! those that exist when a new stream starts.
//!
//! Names come after the events that they explain, so a reader of a single pass would show an object without its name, or by
//! that of the one that had its number before.

use std::collections::HashMap;

use tband_format::Event;
use tband_format::registry::MAIN_PROGRAM;

use crate::diagnostics::Place;
use crate::item::owned_event::OwnedEvent;
use crate::model::printable_text;

/// Maximum number of metadata events that are kept; further ones are learnt at their places.
const MAX_KEPT: usize = 1 << 17;

/// Metadata by the place that it belongs to.
#[derive(Clone, Debug, Default)]
pub(crate) struct DeferredMetadata {
    events: HashMap<Place, Vec<(u32, OwnedEvent)>>,
    kept: usize,
}

impl DeferredMetadata {
    /// Keeps a metadata event of a core.
    pub fn add(&mut self, place: Place, core: u32, event: OwnedEvent) {
        if self.kept < MAX_KEPT {
            self.kept += 1;
            self.events.entry(place).or_default().push((core, event));
        }
    }

    /// Adds the results for other inputs.
    pub fn append(&mut self, other: Self) {
        self.kept = self.kept.saturating_add(other.kept);
        self.events.extend(other.events);
    }

    /// How the main program is called from a place on, if that belongs there.
    pub fn main_name(&self, place: Place) -> Option<String> {
        self.events.get(&place)?.iter().rev().find_map(|(_, event)| match event.get() {
            Event::IsrName { isr_id: MAIN_PROGRAM, name } => Some(printable_text(name)),
            _ => None,
        })
    }

    /// Takes the metadata that belongs to a place, with the core that reported it.
    pub fn take(&mut self, place: Place) -> Vec<(u32, OwnedEvent)> {
        self.events.remove(&place).unwrap_or_default()
    }
}
