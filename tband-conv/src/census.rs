//! Counts events and bytes by kind of event, without evaluating their content.

use std::collections::BTreeMap;
use std::fmt;

use tband_format::decode::Decoded;
use tband_format::packet::{Events, SkippedEvents};
use tband_format::registry::EVENTS;
use tband_format::schema::Schema;
use tband_format::{Event, Str, registry};

use crate::item::Item;

/// Names of events that only the recording describes, beyond the last one of each id.
const MAX_PAST: usize = 256;

const SCHEMA_ID: u8 = Event::EventSchema { event_id: 0, timed: 0, schema: Str(&[]) }.id();

/// How long events of packets are.
static ALL: SkippedEvents = SkippedEvents::all_except(&[false; 256]);

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
    pub(crate) const fn add(&mut self, bytes: u64) {
        // No recording is long enough to overflow this.
        self.count = self.count.wrapping_add(1);
        self.bytes = self.bytes.wrapping_add(bytes);
    }

    const fn and(&mut self, other: Self) {
        self.count = self.count.wrapping_add(other.count);
        self.bytes = self.bytes.wrapping_add(other.bytes);
    }
}

/// Event counts of a recording.
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
    /// Counts an event with the bytes that it has in a frame.
    pub(crate) fn add(&mut self, decoded: &Decoded<'_>) {
        let event = &decoded.event;
        let (id, len) = (event.wire_id(), event.payload_len(decoded.ts.unwrap_or(0)));
        if let Event::Described(_) | Event::DescribedMetadata(_) = event {
            self.is_called(id, event.name());
        }
        // One more byte in front, one for every 254 of a long one, and the closing zero.
        let bytes = len.saturating_add(len / 254).saturating_add(2) as u64;
        self.kind(id).add(bytes);
        self.bytes = self.bytes.saturating_add(bytes);
    }

    /// Sets the name of an event id from here on; the first name also applies to earlier events.
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

    /// Learns the name of an event from its schema, if the event is one.
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

    /// Counts an item of a reader.
    pub(crate) fn item(&mut self, item: &Item<'_>) {
        match &item.event {
            Ok(decoded) => self.event(&decoded.event, item.len),
            Err(defect) if defect.is_report() => {}
            Err(_) => self.damaged.add(item.len.saturating_add(1)),
        }
    }

    /// Counts an event of a reader, of an item of this length.
    #[inline]
    pub(crate) fn event(&mut self, event: &Event<'_>, len: u64) {
        let id = event.wire_id();
        if id >= SCHEMA_ID {
            self.learn(event);
        }
        self.kind(id).add(if len > 0 { len.saturating_add(1) } else { 0 });
    }

    /// Counts events of a packet that were read, all of which are known and have a time.
    pub(crate) fn packed(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        loop {
            let taken = ALL.each(rest, |id, len| self.kind(id).add(len as u64));
            rest = rest.get(taken..).unwrap_or_default();
            // One whose length is not simply seen.
            let mut events = Events::new(rest, 0);
            let (Some(id), Some(_)) = (rest.first(), events.next()) else { break };
            self.kind(*id).add((rest.len() - events.remaining()) as u64);
            rest = rest.get(rest.len() - events.remaining()..).unwrap_or_default();
        }
    }

    /// Adds the counts of another input.
    pub(crate) fn join(&mut self, other: &Self) {
        let named = other.past.iter().map(|((id, name), kind)| (*id, &**name, *kind));
        let last =
            other.names.iter().map(|(id, name)| (*id, &**name, other.kinds[usize::from(*id)]));
        for (id, name, kind) in named.chain(last) {
            self.is_called(id, name);
            self.kind(id).and(kind);
        }
        for id in (0..=u8::MAX).filter(|id| !other.names.contains_key(id)) {
            self.kind(id).and(other.kinds[usize::from(id)]);
        }
        self.damaged.and(other.damaged);
        self.bytes = self.bytes.saturating_add(other.bytes);
    }

    /// Events of this id.
    #[inline]
    pub(crate) const fn kind(&mut self, id: u8) -> &mut KindCount {
        &mut self.kinds[id as usize]
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
