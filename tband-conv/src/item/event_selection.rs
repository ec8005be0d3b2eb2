//! The events that a reader of few events selects.

use tband_format::packet::SkippedEvents;

/// The selected events of a reader that needs only few of them.
#[derive(Debug)]
pub(crate) struct EventSelection {
    ids: [bool; 256],
    packed: SkippedEvents,
}

impl EventSelection {
    /// Those with these ids. In frames `core_id` always is.
    pub const fn new(ids: [bool; 256]) -> Self {
        Self { ids, packed: SkippedEvents::all_except(&ids) }
    }

    /// All others, in packets.
    pub const fn packed(&self) -> &SkippedEvents {
        &self.packed
    }

    /// The event with this id is.
    pub fn is(&self, id: u8) -> bool {
        self.ids.get(usize::from(id)).is_some_and(|it| *it)
    }

    /// Whether a frame may hold a selected event, judged by its first two bytes: a code byte of 1 means an id of 0, otherwise
    /// the id follows.
    #[inline]
    pub fn has(&self, code: u8, id: u8) -> bool {
        code == 1 || self.is(id)
    }
}
