//! Entries of a lane: events, and findings between them.

use tband_format::Event;
use tband_format::decode::Decoded;

use crate::diagnostics::Problem;
use crate::item::packet_loss::PacketLoss;

/// Something in a recording, in its place.
#[derive(Clone, Copy, Debug)]
pub enum RecordItem<'a> {
    /// An event, with its timestamp as it was recorded, or metadata.
    Event(Decoded<'a>),
    /// An event that changes nothing. Queued only if every event is to be reported.
    Silent(Decoded<'a>),
    /// A finding, with its text.
    Finding(Problem, &'a [u8]),
    /// Packets or events are missing.
    Missing(PacketLoss),
}

impl RecordItem<'_> {
    /// An event that happens at its time.
    #[inline]
    pub const fn is_timed(&self) -> bool {
        matches!(self, Self::Event(Decoded { ts: Some(_), .. }))
    }
}

/// A [`RecordItem`] without its text, which is stored separately. It is small, because many are pending.
#[derive(Clone, Debug)]
pub(super) struct StoredItem {
    content: Content,
    /// Timestamp of an event that has one.
    ts: u64,
    /// Bytes of the text.
    pub len: u32,
    has_ts: bool,
    is_silent: bool,
    pub is_timed: bool,
}

#[derive(Clone, Debug)]
enum Content {
    Event(Event<'static>),
    Finding(Problem),
    Missing(Box<PacketLoss>),
}

impl StoredItem {
    /// Takes it apart.
    #[inline]
    pub fn of<'a>(what: &RecordItem<'a>) -> (Self, &'a [u8]) {
        let mut ts = None;
        let (content, text) = match *what {
            RecordItem::Event(decoded) | RecordItem::Silent(decoded) => {
                let (event, text) = decoded.event.split_text();
                ts = decoded.ts;
                (Content::Event(event), text)
            }
            RecordItem::Finding(problem, text) => (Content::Finding(problem), text),
            RecordItem::Missing(missing) => (Content::Missing(Box::new(missing)), &[][..]),
        };
        // A text is below 64 KiB.
        let len = u32::try_from(text.len()).unwrap_or(0);
        let is_silent = matches!(what, RecordItem::Silent(_));
        let has_ts = ts.is_some();
        let (ts, is_timed) = (ts.unwrap_or(0), what.is_timed());
        let kept = Self { content, ts, len, has_ts, is_silent, is_timed };
        (kept, text.get(..len as usize).unwrap_or_default())
    }

    /// Puts it together with its text.
    #[inline]
    pub fn with_text<'a>(&self, text: &'a [u8]) -> RecordItem<'a> {
        match self.content {
            Content::Event(event) => {
                let event = if text.is_empty() { event } else { event.with_text(text) };
                let decoded = Decoded { ts: self.has_ts.then_some(self.ts), event };
                if self.is_silent {
                    RecordItem::Silent(decoded)
                } else {
                    RecordItem::Event(decoded)
                }
            }
            Content::Finding(problem) => RecordItem::Finding(problem, text),
            Content::Missing(ref missing) => RecordItem::Missing(**missing),
        }
    }

    /// The event without its text, if it is one.
    pub fn event(&self) -> Option<&Event<'static>> {
        match &self.content {
            Content::Event(event) => Some(event),
            _ => None,
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Record {
    pub ticks: u64,
    pub offset: u64,
    pub kept: StoredItem,
}

/// A record at the front of a lane.
#[derive(Clone, Copy, Debug)]
pub struct FrontRecord<'a> {
    /// Time in ticks, put right.
    pub ticks: u64,
    /// Offset of the frame in the recording.
    pub offset: u64,
    /// Its content.
    pub what: RecordItem<'a>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_small() {
        assert_eq!(size_of::<Record>(), 64);
    }
}
