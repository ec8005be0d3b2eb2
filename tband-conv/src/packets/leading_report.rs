//! Reports before the events of a packet: the start of a recording, losses, and new metadata.

use tband_format::Event;
use tband_format::decode::Decoded;

use crate::item::owned_event::OwnedEvent;
use crate::item::{Defect, Item, Mode, check};

/// Something that is reported before a packet.
#[derive(Debug)]
pub(super) struct LeadingReport {
    pub core: u32,
    pub offset: u64,
    pub len: u64,
    pub what: LeadingContent,
    /// When an event was reported, in ticks, as far as that counts: not at the start of a recording.
    pub reported: Option<u64>,
}

#[derive(Debug)]
pub(super) enum LeadingContent {
    /// An event, with its time unless it is metadata.
    Event(Option<u64>, OwnedEvent),
    Defect(Defect),
}

impl LeadingReport {
    /// A recording starts here: `core_id` at time 0, as before a stream of frames.
    pub fn start(core: u32, offset: u64) -> Self {
        let what = LeadingContent::Event(Some(0), (&Event::CoreId { core_id: core }).into());
        Self { core, offset, len: 0, what, reported: None }
    }

    pub fn is_core_id(&self) -> bool {
        matches!(&self.what, LeadingContent::Event(_, event) if matches!(event.get(), Event::CoreId { .. }))
    }

    pub fn item(&self, mode: Mode) -> Item<'_> {
        let &Self { core, offset, len, ref what, reported } = self;
        match what {
            LeadingContent::Event(ts, event) => {
                let decoded = Decoded { ts: *ts, event: event.get() };
                let event = check(&decoded.event, &mut { core }, mode).map(|()| decoded);
                Item { core, offset, len, event, reported }
            }
            LeadingContent::Defect(defect) => {
                Item { core, offset, len, event: Err(*defect), reported: None }
            }
        }
    }
}
