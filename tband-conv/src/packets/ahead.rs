//! What is reported before the events of a packet: where a recording starts, what is missing, metadata that is news.

use tband_format::{Event, decode_kept, encode_payload};

use crate::item::{Defect, Item, Mode, check};

/// Something that is reported before a packet.
#[derive(Debug)]
pub(super) struct Ahead {
    pub core: u32,
    pub offset: u64,
    pub len: u64,
    pub what: What,
    /// When an event was reported, in ticks, as far as that counts: not at the start of a recording.
    pub reported: Option<u64>,
}

#[derive(Debug)]
pub(super) enum What {
    /// An event, by the bytes that its frame has.
    Event(Box<[u8]>),
    Defect(Defect),
}

impl Ahead {
    /// A recording starts here: `core_id` at time 0, as before a stream of frames.
    pub fn start(core: u32, offset: u64) -> Self {
        let mut payload = [0; 8];
        let len = encode_payload(&Event::CoreId { core_id: core }, 0, &mut payload).unwrap_or(0);
        let payload = payload.get(..len).unwrap_or_default();
        Self { core, offset, len: 0, what: What::Event(payload.into()), reported: None }
    }

    pub fn is_core_id(&self) -> bool {
        matches!(&self.what, What::Event(payload) if payload.starts_with(&[0]))
    }

    pub fn item(&self, mode: Mode) -> Option<Item<'_>> {
        let &Self { core, offset, len, ref what, reported } = self;
        Some(match what {
            What::Event(payload) => {
                let decoded = decode_kept(payload).ok()?;
                let event = check(&decoded.event, &mut { core }, mode).map(|()| decoded);
                Item { core, offset, len, payload, event, reported }
            }
            What::Defect(defect) => {
                Item { core, offset, len, payload: &[], event: Err(*defect), reported: None }
            }
        })
    }
}
