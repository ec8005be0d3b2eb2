//! Which events are looked at by who looks at few.

use tband_format::packet::PassOver;

/// The events that are of interest to someone who looks at few.
#[derive(Debug)]
pub(crate) struct Wanted {
    ids: [bool; 256],
    packed: PassOver,
}

impl Wanted {
    /// Those with these ids. In frames `core_id` always is.
    pub const fn new(ids: [bool; 256]) -> Self {
        Self { ids, packed: PassOver::all_but(&ids) }
    }

    /// All others, in packets.
    pub const fn packed(&self) -> &PassOver {
        &self.packed
    }

    /// The event with this id is.
    pub fn is(&self, id: u8) -> bool {
        self.ids.get(usize::from(id)).is_some_and(|it| *it)
    }

    /// A frame may hold one, judged by its first two bytes: a code byte of 1 stands for an id of 0, else the id follows.
    #[inline]
    pub fn has(&self, code: u8, id: u8) -> bool {
        code == 1 || self.is(id)
    }
}
