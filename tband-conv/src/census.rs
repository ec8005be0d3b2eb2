//! Counts events and bytes by kind of event, without looking at what they say.

use std::collections::BTreeMap;
use std::{fmt, io};

use tband_format::{Decoded, EVENTS, Event, Schema, Str, cobs, decode_payload, registry};

use crate::error::ConvError;
use crate::frames::MAX_FRAME;
use crate::input::Input;
use crate::item::{Item, Mode, Origin, Visitor};
use crate::text::read_retrying;
use crate::wire::Wire;

/// Names of events that only the recording describes, beyond the last one of each id.
const MAX_PAST: usize = 256;

const SCHEMA_ID: u8 = Event::EventSchema { event_id: 0, timed: 0, schema: Str(&[]) }.id();

/// Room for at least one whole frame.
const BLOCK: usize = 2 * MAX_FRAME;

/// Events of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct KindCount {
    /// How many.
    pub count: u64,
    /// Their bytes in the recording, framing included.
    pub bytes: u64,
}

impl KindCount {
    #[inline]
    fn add(&mut self, frame_len: u64) {
        self.count = self.count.saturating_add(1);
        self.bytes = self.bytes.saturating_add(frame_len).saturating_add(1);
    }
}

/// What a recording consists of.
#[derive(Clone)]
pub struct Census {
    /// By id.
    kinds: [KindCount; 256],
    /// How events that only the recording describes are called, by id.
    names: BTreeMap<u8, Box<str>>,
    /// Those that had the id of another before.
    past: BTreeMap<(u8, Box<str>), KindCount>,
    /// Frames that are not events.
    pub damaged: KindCount,
    /// Bytes of the recording, all in all, padding included.
    pub bytes: u64,
}

impl Default for Census {
    fn default() -> Self {
        let (names, past) = (BTreeMap::new(), BTreeMap::new());
        let damaged = KindCount::default();
        Self { kinds: [KindCount::default(); 256], names, past, damaged, bytes: 0 }
    }
}

impl fmt::Debug for Census {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds: Vec<_> = self.kinds().collect();
        f.debug_struct("Census").field("kinds", &kinds).field("damaged", &self.damaged).finish()
    }
}

impl Census {
    /// Reads the inputs once. If they are known to be `clean`, since a conversion found no damage,
    /// it is enough to look at a byte or two of each frame.
    ///
    /// # Errors
    /// [`ConvError::Read`] if an input cannot be read.
    pub fn run(inputs: &[Input<'_>], mode: Mode, clean: bool) -> Result<Self, ConvError> {
        let mut census = Self::default();
        for input in inputs {
            let at_a_glance = clean && input.wire() == Some(Wire::Frames);
            let len = if at_a_glance { census.glance(input) } else { census.read(input, mode) }?;
            census.bytes = census.bytes.saturating_add(len);
        }
        Ok(census)
    }

    /// Counts an event with the bytes that it has in a frame.
    pub(crate) fn add(&mut self, decoded: &Decoded<'_>) {
        let event = &decoded.event;
        let (id, len) = (event.wire_id(), event.payload_len(decoded.ts.unwrap_or(0)));
        if let Event::Described(_) | Event::DescribedMetadata(_) = event {
            self.is_called(id, event.name());
        }
        // One more byte in front, and one for every 254 of a long one.
        let frame_len = len.saturating_add(len / 254).saturating_add(1) as u64;
        self.kind(id).add(frame_len);
        self.bytes = self.bytes.saturating_add(frame_len).saturating_add(1);
    }

    /// Events of this id are called so from here on; the first name is also that of those before.
    #[cold]
    fn is_called(&mut self, id: u8, name: &str) {
        let before = self.names.get(&id);
        if before.is_some_and(|before| **before == *name) || self.past.len() >= MAX_PAST {
            return;
        }
        if let Some(before) = self.names.insert(id, name.into()) {
            let kind = std::mem::take(self.kind(id));
            self.past.insert((id, before), kind);
        }
        if let Some(kind) = self.past.remove(&(id, name.into())) {
            *self.kind(id) = kind;
        }
    }

    /// Learns how events are called, if this is what an event says.
    #[cold]
    fn learn(&mut self, event: &Event<'_>) {
        if let Event::EventSchema { event_id, schema: Str(text), .. } = *event
            && registry::by_id(event_id).is_none()
            && let Ok(schema) = Schema::parse(text)
        {
            self.is_called(event_id, schema.name());
        }
    }

    /// Events of all kinds.
    #[must_use]
    pub fn events(&self) -> u64 {
        let kinds = self.kinds.iter().chain(self.past.values());
        kinds.map(|kind| kind.count).fold(0, u64::saturating_add)
    }

    fn read(&mut self, input: &Input<'_>, mode: Mode) -> Result<u64, ConvError> {
        let mut events = input.events(mode)?;
        let before = self.clone();
        for is_last in [false, true] {
            let mut count = Count { census: self, packed: None };
            events.visit(&mut count).map_err(|error| input.read_error(error))?;
            count.settle(u64::MAX);
            if is_last || !events.schemas().came_late() {
                break;
            }
            *self = before.clone();
            events = input.events(mode)?.with_schemas(events.schemas());
        }
        Ok(events.offset())
    }

    fn glance(&mut self, input: &Input<'_>) -> Result<u64, ConvError> {
        let mut reader = input.open()?;
        let mut buf = vec![0; BLOCK];
        let (mut filled, mut total) = (0, 0_u64);
        loop {
            if filled == buf.len() {
                // Not so clean after all: no frame is that long.
                self.damaged.add(filled as u64);
                filled = 0;
            }
            let free = buf.get_mut(filled..).unwrap_or_default();
            let len = read_retrying(&mut reader, free).map_err(|error| input.read_error(error))?;
            if len == 0 {
                return Ok(total);
            }
            (filled, total) = (filled + len, total.saturating_add(len as u64));
            let used = self.frames(buf.get(..filled).unwrap_or_default());
            buf.copy_within(used..filled, 0);
            filled -= used;
        }
    }

    /// Counts the whole frames; gives where the first that is not whole begins.
    fn frames(&mut self, bytes: &[u8]) -> usize {
        let mut start = 0;
        loop {
            // A code byte is the distance to the next one, or to the zero that ends the frame. A
            // code byte of 1 in front stands for a zero, that is, for an id of 0.
            let mut end = start;
            let id = match bytes.get(start..) {
                Some([0, ..]) => {
                    start += 1;
                    continue;
                }
                Some([1, _, ..]) => 0,
                Some([_, id, ..]) => *id,
                _ => return start,
            };
            loop {
                match bytes.get(end) {
                    Some(0) => break,
                    Some(code) => end += usize::from(*code),
                    None => return start,
                }
            }
            self.kind(id).add((end - start) as u64);
            if id == SCHEMA_ID {
                self.frame_of_schema(bytes.get(start..end).unwrap_or_default());
            }
            start = end + 1;
        }
    }

    #[cold]
    fn frame_of_schema(&mut self, frame: &[u8]) {
        let mut scratch = vec![0; frame.len()];
        if let Ok(payload) = cobs::decode(frame, &mut scratch)
            && let Ok(decoded) = decode_payload(payload)
        {
            self.learn(&decoded.event);
        }
    }

    fn kind(&mut self, id: u8) -> &mut KindCount {
        &mut self.kinds[usize::from(id)]
    }

    /// Name and numbers of each kind of event that occurs, by rising id; after those that this version knows those
    /// that only the recording describes.
    pub fn kinds(&self) -> impl Iterator<Item = (&str, KindCount)> {
        let described = self.names.iter().map(|(id, name)| (&**name, self.kinds[usize::from(*id)]));
        EVENTS
            .iter()
            .map(|event| (event.name, self.kinds[usize::from(event.id)]))
            .chain(described)
            .chain(self.past.iter().map(|((_, name), kind)| (&**name, *kind)))
            .filter(|(_, kind)| kind.count > 0)
    }
}

/// Counts the events of an input as they come.
struct Count<'c> {
    census: &'c mut Census,
    /// The last event, if it is one of a packet: its length is known when it is known where the next one begins.
    packed: Option<Packed>,
}

/// An event in a packet.
#[derive(Clone, Copy)]
struct Packed {
    id: u8,
    offset: u64,
    /// Offset of the end of its packet's content.
    end: u64,
}

impl Count<'_> {
    /// The next event, or what comes in its place, begins at this offset.
    fn settle(&mut self, next: u64) {
        if let Some(Packed { id, offset, end }) = self.packed.take() {
            // What is reported between packets may lie anywhere.
            let next = if next > offset { next.min(end) } else { end };
            self.census.kind(id).add(next.saturating_sub(offset).saturating_sub(1));
        }
    }

    /// An event whose frame has this length, closing zero not counted; 0 if it has no bytes of its own.
    fn framed(&mut self, id: u8, frame_len: u64) {
        let kind = self.census.kind(id);
        match frame_len {
            0 => kind.count = kind.count.saturating_add(1),
            len => kind.add(len),
        }
    }
}

impl Visitor for Count<'_> {
    type Error = io::Error;

    fn event(&mut self, origin: &Origin, decoded: &Decoded<'_>) -> io::Result<()> {
        self.settle(origin.offset());
        let mut id = decoded.event.id();
        if id >= SCHEMA_ID {
            self.census.learn(&decoded.event);
            id = decoded.event.wire_id();
        }
        if origin.is_packed() {
            let (offset, end) = (origin.offset(), origin.place.end);
            self.packed = Some(Packed { id, offset, end });
        } else {
            self.framed(id, origin.frame_len);
        }
        Ok(())
    }

    fn other(&mut self, item: &Item<'_>) -> io::Result<()> {
        self.settle(item.offset);
        if !matches!(&item.event, Err(defect) if defect.is_report()) {
            self.census.damaged.add(item.len);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_count_the_same() {
        // core_id 0, core_id 1, a switch, padding, a name.
        let bytes = [1, 1, 1, 1, 0, 1, 2, 7, 1, 0, 4, 84, 10, 1, 0, 0, 0, 4, 0x5F, 1, b'a', 0];
        let inputs = [Input::from_bytes("r", &bytes)];
        let slow = Census::run(&inputs, Mode::FreeRtos, false).unwrap();
        let fast = Census::run(&inputs, Mode::FreeRtos, true).unwrap();
        assert_eq!(slow.kinds().collect::<Vec<_>>(), fast.kinds().collect::<Vec<_>>());
        let task_switch = KindCount { count: 1, bytes: 5 };
        assert!(slow.kinds().any(|kind| kind == ("task_switched_in", task_switch)));
        assert_eq!((slow.damaged.count, slow.bytes), (0, bytes.len() as u64));
    }
}
