//! Formats of the application's log records, which a recording is to begin with: finds their place in the received bytes.

use tband_conv::foreign::recognised_format;
use tband_format::decode::decode_payload;
use tband_format::{Event, cobs};

use crate::gaps::packets;
use crate::target::Recording;

/// Maximum number of bytes held back: in a recording of packets they contain the beginning of one.
pub const MOST: usize = 8192;
/// Consecutive frames that are not a coincidence.
const ENOUGH: usize = 4;

/// Metadata that waits until the kind of recording is known.
#[derive(Debug)]
pub struct Dictionary {
    frames: Vec<Vec<u8>>,
    held: Vec<u8>,
}

impl Dictionary {
    /// Creates it from frames of metadata; `None` if there are none.
    pub fn new(frames: Vec<Vec<u8>>) -> Option<Self> {
        (!frames.is_empty()).then(|| Self { frames, held: Vec::new() })
    }

    /// Returns the bytes so far with the metadata inserted, once its place is known.
    pub fn add(&mut self, bytes: &[u8]) -> Option<Vec<u8>> {
        self.held.extend_from_slice(bytes);
        let packet = packets(&self.held).next();
        if let Some(at) = packet {
            let rest = self.held.split_off(at);
            let mut recording = Recording { bytes: rest, ..Recording::default() };
            recording.prepend_events(&self.frames);
            return Some([std::mem::take(&mut self.held), recording.bytes].concat());
        }
        (self.held.len() >= MOST || has_frames(&self.held)).then(|| self.take())
    }

    /// Returns the same, because no more bytes will come. Empty if none came.
    pub fn take(&mut self) -> Vec<u8> {
        // No other recorder's format has room for frames of tband.
        if recognised_format(&self.held).is_some() {
            return std::mem::take(&mut self.held);
        }
        // A reader that joins in the middle of a frame gets its rest first; a stream begins with a complete one, which is to
        // stay the first.
        let Some(end) = self.held.iter().position(|byte| *byte == 0) else {
            return std::mem::take(&mut self.held);
        };
        let rest = self.held.split_off(end + 1);
        [std::mem::take(&mut self.held), self.frames.concat(), rest].concat()
    }
}

/// Whether there are some frames without other bytes between them, and not only metadata, which packets have as frames too.
pub fn has_frames(bytes: &[u8]) -> bool {
    let whole =
        bytes.split_inclusive(|byte| *byte == 0).filter(|it| it.len() > 1 && it.ends_with(&[0]));
    let (mut frames, mut has_events) = (0, false);
    for frame in whole.skip(1) {
        let Some(is_event) = is_event(frame) else { return false };
        has_events |= is_event;
        frames += 1;
    }
    frames >= ENOUGH && has_events
}

/// Whether a frame has an event that packets do not have as a frame; `None` if it is not a frame.
fn is_event(frame: &[u8]) -> Option<bool> {
    let frame = frame.strip_suffix(&[0]).unwrap_or(frame);
    let mut room = vec![0; frame.len()];
    let decoded = decode_payload(cobs::decode(frame, &mut room).ok()?).ok()?;
    Some(!decoded.event.is_metadata() && !matches!(decoded.event, Event::CoreId { .. }))
}

#[cfg(test)]
mod tests {
    use tband_format::Str;

    use super::*;
    use crate::target::frame;

    const NAME: Event<'_> = Event::Format { format_id: 1, text: Str(b"i:%d\x03") };

    /// Returns the output after each of these pieces, and at the end.
    fn written(pieces: &[&[u8]]) -> Vec<Vec<u8>> {
        let mut dictionary = Dictionary::new(vec![frame(&NAME)]).unwrap();
        for piece in pieces {
            if let Some(begin) = dictionary.add(piece) {
                return vec![begin];
            }
        }
        vec![Vec::new(), dictionary.take()]
    }

    #[test]
    fn frames_have_it_after_the_first_one() {
        let core = frame(&Event::CoreId { core_id: 0 });
        let all = [&core, &frame(&NAME), &core[..]].concat();
        let runs = frame(&Event::TaskSwitchedIn { task_id: 1 });
        let frames = [core.repeat(ENOUGH), runs.clone()].concat();
        let begin = [&core, &frame(&NAME), &core.repeat(ENOUGH - 1)[..], &runs].concat();
        assert_eq!(written(&[&frames]).concat(), begin);
        // Byte by byte, and all at once.
        let (one, rest) = frames.split_at(1);
        assert_eq!(written(&[one, rest]), [begin]);
        assert_eq!(written(&[&core, &core]), [vec![], all]);
        // The rest of a frame is first, and nothing if nothing came.
        assert_eq!(written(&[&[9, 9, 0]]), [vec![], [&[9, 9, 0], &frame(&NAME)[..]].concat()]);
        assert_eq!(written(&[]).concat(), b"");
        assert_eq!(written(&[&[9, 9]]), [vec![], vec![9, 9]]);
        assert!(Dictionary::new(vec![]).is_none());
    }

    /// A reader that joins in the middle of a packet gets its last frames first, which are not a recording of frames.
    #[test]
    fn the_rest_of_a_packet_is_no_recording_of_frames() {
        let frames: Vec<u8> =
            (0..200).flat_map(|number| frame(&Event::CoreId { core_id: number % 2 })).collect();
        let packets_of = tband_recordings::packed::pieces(&frames, 512);
        let all = packets_of.concat();
        let begin = written(&all[100..].chunks(64).collect::<Vec<_>>()).concat();
        let first = packets(&begin).next().unwrap();
        let name = frame(&NAME);
        assert!(begin[first..].windows(name.len()).any(|it| it == name));
        assert!(!begin[..first].windows(name.len()).any(|it| it == name));
    }

    #[test]
    fn packets_have_it_in_front_of_the_first_one() {
        let mut packet = Recording {
            bytes: tband_format::packet::MAGIC.to_le_bytes().to_vec(),
            ..Recording::default()
        };
        packet.prepend_events(&[frame(&Event::CoreId { core_id: 0 })]);
        let packet = packet.bytes;
        let [begin] = &*written(&[&[7; 100], &packet]) else { panic!("held") };
        assert_eq!(begin[..100], [7; 100]);
        assert_eq!(packets(begin).count(), 2);
        assert!(begin.windows(frame(&NAME).len()).any(|it| it == frame(&NAME)));
        assert!(begin.ends_with(&packet));
    }
}
