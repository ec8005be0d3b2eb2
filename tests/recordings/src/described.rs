//! Recordings with events that only they describe.

use tband_format::{Event, cobs};

use crate::{Recording, str};

/// How an event of this id looks.
#[must_use]
pub fn schema(event_id: u8, timed: bool, text: &str) -> Event<'_> {
    Event::EventSchema { event_id, timed: timed.into(), schema: str(text) }
}

/// Returns the frame of an event that the registry does not have: its id, the bytes before its fields, and the fields.
#[must_use]
pub fn frame_of(payload: &[u8]) -> Vec<u8> {
    let mut frame = vec![0; cobs::max_frame_len(payload.len())];
    let len = cobs::encode(payload, &mut frame).expect("room");
    frame.truncate(len);
    frame
}

/// A varint.
#[must_use]
pub fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

impl Recording {
    /// Adds an event that the registry does not have, by the bytes of its fields in frames.
    #[must_use]
    pub fn unknown(self, id: u8, ts: u64, fields: &[u8]) -> Self {
        let payload = [&[id], &varint(ts)[..], fields].concat();
        let frame = frame_of(&payload);
        self.raw(&frame)
    }
}
