//! Events of metadata that are made here, as frames.

use tband_format::{Event, Str, encode_frame, max_frame_len};

/// An event of metadata as a frame.
pub fn frame(event: &Event<'_>) -> Vec<u8> {
    let mut frame = vec![0; max_frame_len(event, 0)];
    let len = encode_frame(event, 0, &mut frame).unwrap_or(0);
    frame.truncate(len);
    frame
}

/// What events of metadata of this id look like, for readers that do not know them.
pub fn described((event_id, schema): (u8, &[u8])) -> Vec<u8> {
    frame(&Event::EventSchema { event_id, timed: 0, schema: Str(schema) })
}
