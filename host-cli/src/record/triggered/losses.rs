//! Detects losses in the received bytes: events discarded by the target, or lost on the way.

use tband_format::Event;
use tband_format::packet::{Header, METADATA_STREAM};

use super::units::Unit;

/// State of the received bytes so far.
#[derive(Debug, Default)]
pub struct Losses {
    /// The last packet of each core.
    packets: Vec<Header>,
    /// Events that the target has discarded, where it has frames.
    dropped: u32,
    /// A complete unit was received.
    has_begun: bool,
}

impl Losses {
    /// Whether events may be missing in a unit, or between it and those before.
    pub fn has(&mut self, unit: Unit, bytes: &[u8]) -> bool {
        let (mut is_empty, mut dropped) = (true, self.dropped);
        unit.each(bytes, |event| {
            is_empty = false;
            if let Event::DroppedEvtCnt { cnt } = *event {
                dropped = cnt;
            }
        });
        let is_more = std::mem::replace(&mut self.dropped, dropped) != dropped;
        let is_whole = match unit {
            Unit::Packet(header) => return self.has_loss_before(header) || is_more,
            Unit::Frame => !is_empty,
            Unit::Other => false,
        };
        // A reader that joins in the middle gets the rest of an item first, and a frame may consist of a single zero byte.
        let is_damaged = self.has_begun && !is_whole && bytes.len() > 1;
        self.has_begun |= is_whole;
        is_damaged || is_more
    }

    /// Whether packets or events of a core are missing before the end of this packet. A target that was reset counts from 0
    /// again.
    fn has_loss_before(&mut self, header: Header) -> bool {
        self.has_begun = true;
        if header.stream == METADATA_STREAM {
            return false;
        }
        let Some(last) = self.packets.iter_mut().find(|it| it.stream == header.stream) else {
            self.packets.push(header);
            return false;
        };
        let last = std::mem::replace(last, header);
        header.sequence != last.sequence.wrapping_add(1) || header.discarded != last.discarded
    }
}

#[cfg(test)]
mod tests {
    use tband_recordings::frame;

    use super::*;

    #[test]
    fn packets_count_themselves_and_what_was_discarded() {
        let packet = |stream, sequence, discarded| {
            let (content_len, packet_len, begin, end) = (36, 36, 0, 0);
            Unit::Packet(Header {
                stream,
                sequence,
                content_len,
                packet_len,
                begin,
                end,
                discarded,
            })
        };
        let mut losses = Losses::default();
        // The rest of one that began before.
        assert!(!losses.has(Unit::Other, &[1, 2, 3]));
        for (stream, sequence, discarded, has) in [
            (0, 0xFFFF, 7, false),
            (1, 3, 0, false),
            (0, 0, 7, false),
            (METADATA_STREAM, 9, 0, false),
            (METADATA_STREAM, 11, 0, false),
            (0, 1, 8, true),
            (0, 2, 8, false),
            (0, 4, 8, true),
            (1, 4, 0, false),
            // It was reset.
            (0, 0, 0, true),
        ] {
            assert_eq!(losses.has(packet(stream, sequence, discarded), &[]), has, "{sequence}");
        }
        assert!(losses.has(Unit::Other, &[1, 2, 3]));
    }

    #[test]
    fn frames_are_damaged_or_say_it() {
        let mut losses = Losses::default();
        let switch = frame(1, Event::TaskSwitchedIn { task_id: 1 });
        let dropped = |cnt| frame(2, Event::DroppedEvtCnt { cnt });
        for (bytes, has) in [
            (&[9, 9, 0][..], false),
            (&switch, false),
            (&[0], false),
            (&dropped(0), false),
            (&dropped(4), true),
            (&dropped(4), false),
            (&switch[..2], true),
            (&[], false),
            (&switch, false),
        ] {
            assert_eq!(losses.has(Unit::Frame, bytes), has, "{bytes:?}");
        }
    }
}
