//! Events of metadata that are created here, as frames.

use tband_format::{Event, Str, encode_frame, max_frame_len};
use tband_program::RecordFacts;

/// Bytes of a text in an event, at most.
const MOST: usize = 1024;
/// Schemas of the events of a format, and of its program, for readers that do not know them.
const EVENTS: [(u8, &[u8]); 2] =
    [(233, b"format format_id:u32,text:str"), (231, b"formats_of first:u32,second:u32")];

/// An event of metadata as a frame.
pub fn frame(event: &Event<'_>) -> Vec<u8> {
    frame_at(0, event)
}

/// An event as a frame, at this time in ticks if it has one.
pub fn frame_at(ticks: u64, event: &Event<'_>) -> Vec<u8> {
    let mut frame = vec![0; max_frame_len(event, ticks)];
    let len = encode_frame(event, ticks, &mut frame).unwrap_or(0);
    frame.truncate(len);
    frame
}

/// Returns the schema of metadata events of this id, for readers that do not know them.
pub fn described((event_id, schema): (u8, &[u8])) -> Vec<u8> {
    frame(&Event::EventSchema { event_id, timed: 0, schema: Str(schema) })
}

/// Returns a program's facts about records as metadata, for a recording that is to be read without the program: a frame for
/// each format, and one with the program's identity. Empty if there are no formats.
pub fn of_program(known: &RecordFacts) -> Vec<Vec<u8>> {
    if known.formats.is_empty() {
        return Vec::new();
    }
    let mut frames: Vec<_> = EVENTS.into_iter().map(described).collect();
    if let Some(build) = known.program.build {
        let (first, second) = ((build >> 32) as u32, build as u32);
        frames.push(frame(&Event::FormatsOf { first, second }));
    }
    for (at, text) in &known.formats {
        let mut format_id = *at;
        for piece in text.chunks(MOST) {
            frames.push(frame(&Event::Format { format_id, text: Str(piece) }));
            format_id = format_id.wrapping_add(piece.len() as u32);
        }
    }
    frames
}

#[cfg(test)]
mod tests {
    use tband_format::schema::Schema;

    use super::*;

    #[test]
    fn the_schemas_are_those_of_the_events() {
        for (id, text) in EVENTS {
            let def = tband_format::registry::EVENTS.iter().find(|def| def.id == id).unwrap();
            assert!(def.is_described_by(&Schema::parse(text).unwrap()));
        }
    }

    #[test]
    fn long_formats_are_several_events() {
        let mut known = RecordFacts::default();
        assert!(of_program(&known).is_empty());
        known.formats = vec![(1, b"i:%d\x03".to_vec()), (7, vec![b'x'; 2 * MOST + 1])];
        assert_eq!(of_program(&known).len(), 2 + 1 + 3);
        known.program.build = Some(1);
        assert_eq!(of_program(&known).len(), 2 + 1 + 1 + 3);
    }
}
