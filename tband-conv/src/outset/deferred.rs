//! What the first pass learnt that belongs to a later place of the recording: what metadata reports an
//! object that is created there, and of those that are there when a stream starts anew.
//!
//! Names come after what they explain, so who reads the recording only once would show an object
//! without its name, or by that of the one that had its number before.

use std::collections::HashMap;

use tband_format::Event;
use tband_format::registry::MAIN_PROGRAM;

use crate::diagnostics::Place;
use crate::item::owned_event::OwnedEvent;
use crate::model::shown;

/// Metadata events that are kept; what is beyond is learnt where it is.
const MAX_KEPT: usize = 1 << 17;

/// Metadata by the place that it belongs to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Deferred {
    events: HashMap<Place, Vec<(u32, OwnedEvent)>>,
    kept: usize,
}

impl Deferred {
    /// Keeps a metadata event of a core.
    pub fn add(&mut self, place: Place, core: u32, event: OwnedEvent) {
        if self.kept < MAX_KEPT {
            self.kept += 1;
            self.events.entry(place).or_default().push((core, event));
        }
    }

    /// Adds what others have found, of other inputs.
    pub fn append(&mut self, other: Self) {
        self.kept = self.kept.saturating_add(other.kept);
        self.events.extend(other.events);
    }

    /// How the main program is called from a place on, if that belongs there.
    pub fn main_name(&self, place: Place) -> Option<String> {
        self.events.get(&place)?.iter().rev().find_map(|(_, event)| match event.get() {
            Event::IsrName { isr_id: MAIN_PROGRAM, name } => Some(shown(name)),
            _ => None,
        })
    }

    /// What belongs to a place, with the core that reported it.
    pub fn take(&mut self, place: Place) -> Vec<(u32, OwnedEvent)> {
        self.events.remove(&place).unwrap_or_default()
    }
}
