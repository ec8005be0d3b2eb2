//! The recording's schemas of events that the registry does not have, as far as it was read.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use tband_format::decode::{DecodeError, Decoded, decode_payload};
use tband_format::decode_described::{
    DESCRIBED_ROOM, DescribedPacked, decode_described, decode_described_packed,
};
use tband_format::packet::MAX_LEN;
use tband_format::schema::{Schema, SchemaError};
use tband_format::{Event, Str, registry};

/// Why a schema is not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BadSchema {
    /// It does not describe the layout of an event.
    Text(SchemaError),
    /// It is neither marked as timed nor as untimed.
    Timed(u8),
    /// It is for this event of the registry, which has another layout.
    Registered(&'static str),
}

impl fmt::Display for BadSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(error) => error.fmt(f),
            Self::Timed(timed) => write!(f, "timed is {timed}, not 0, 1 or 2"),
            Self::Registered(name) => write!(f, "that is {name}, which looks otherwise"),
        }
    }
}

/// Also marks an event as untimed: recorders that write the mark together with the id as one varint cannot write 0.
const METADATA_AGAIN: u8 = 2;

/// The schema of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    text: Box<str>,
    is_timed: bool,
}

/// Schemas by id. Memory: about 1 kB each, at most one per id.
#[derive(Clone, Debug, Default)]
pub(crate) struct Schemas {
    /// The schemas that apply at the current position.
    now: BTreeMap<u8, Entry>,
    /// The first one of each id.
    first: BTreeMap<u8, Entry>,
    /// Ids of events before their schemas.
    missed: BTreeSet<u8>,
    /// There were two schemas of one id.
    has_changed: bool,
}

impl Schemas {
    /// Returns the schemas that apply at the start of an input that was read before with these: the first one of each id,
    /// because the schema may come after the events that it describes if the recording was joined late.
    pub fn at_start(&self) -> Self {
        Self { now: self.first.clone(), first: self.first.clone(), ..Self::default() }
    }

    /// Whether events were not read because their schemas came after them.
    pub fn are_late(&self) -> bool {
        self.missed.iter().any(|id| self.first.contains_key(id))
    }

    /// Stores the schema in an event, if it is one.
    ///
    /// # Errors
    /// The id, and why the schema is not used.
    pub fn learn(&mut self, event: &Event<'_>) -> Result<(), (u8, BadSchema)> {
        match *event {
            Event::EventSchema { event_id, timed, schema: Str(text) } => {
                self.add(event_id, timed, text).map_err(|error| (event_id, error))
            }
            _ => Ok(()),
        }
    }

    fn add(&mut self, id: u8, timed: u8, text: &[u8]) -> Result<(), BadSchema> {
        let schema = Schema::parse(text).map_err(BadSchema::Text)?;
        if timed > METADATA_AGAIN {
            return Err(BadSchema::Timed(timed));
        }
        let is_timed = timed == 1;
        if let Some(def) = registry::by_id(id) {
            let is_same = def.is_described_by(&schema) && def.metadata != is_timed;
            return if is_same { Ok(()) } else { Err(BadSchema::Registered(def.name)) };
        }
        let entry = Entry { text: schema.to_string().into(), is_timed };
        let first = self.first.entry(id).or_insert_with(|| entry.clone());
        self.has_changed |= *first != entry;
        self.now.insert(id, entry);
        Ok(())
    }

    fn of(&self, id: u8) -> Option<(&str, bool)> {
        self.now.get(&id).map(|entry| (&*entry.text, entry.is_timed))
    }

    /// Whether the event that these bytes begin with is one that the recording has described.
    pub fn describe(&self, event: &[u8]) -> bool {
        event.first().is_some_and(|id| self.now.contains_key(id))
    }

    /// Decodes the content of a frame, also if the recording itself describes the event; such an event borrows from `kept`.
    ///
    /// # Errors
    /// The content is not an event, or nothing describes it.
    #[inline]
    pub fn decode<'a>(
        &mut self,
        payload: &'a [u8],
        kept: &'a mut Vec<u8>,
    ) -> Result<Decoded<'a>, DecodeError> {
        match decode_payload(payload) {
            Ok(decoded) => Ok(decoded),
            Err(DecodeError::UnknownId { id }) => self.decode_described(id, payload, kept),
            Err(error) => Err(error),
        }
    }

    #[cold]
    fn decode_described<'a>(
        &mut self,
        id: u8,
        payload: &[u8],
        kept: &'a mut Vec<u8>,
    ) -> Result<Decoded<'a>, DecodeError> {
        let Some(of) = self.of(id) else {
            self.missed.insert(id);
            return Err(DecodeError::UnknownId { id });
        };
        kept.resize(payload.len().saturating_add(of.0.len()).saturating_add(DESCRIBED_ROOM), 0);
        decode_described(payload, of, kept)
    }

    /// Decodes the described event that `event` begins with in a packet, after one at time `last`; it borrows from `kept`.
    ///
    /// # Errors
    /// It does not match its description, or has none.
    pub fn decode_packed<'a>(
        &self,
        event: &[u8],
        last: u64,
        kept: &'a mut Vec<u8>,
    ) -> Result<DescribedPacked<'a>, DecodeError> {
        let id = *event.first().ok_or(DecodeError::Empty)?;
        let of = self.of(id).ok_or(DecodeError::UnknownId { id })?;
        // No longer than a packet.
        let len = event.len().min(MAX_LEN);
        kept.resize(len.saturating_add(of.0.len()).saturating_add(DESCRIBED_ROOM), 0);
        decode_described_packed(event, last, of, kept)
    }

    /// Nothing describes the event of a packet that these bytes begin with, if the registry does not have it.
    pub fn note_missing(&mut self, event: &[u8]) {
        if let Some(id) = event.first().filter(|id| registry::by_id(**id).is_none()) {
            self.missed.insert(*id);
        }
    }

    /// There were two schemas of one id.
    pub const fn has_changed(&self) -> bool {
        self.has_changed
    }

    /// Those that were reported, the first one of each id.
    pub fn first(&self) -> impl Iterator<Item = (u8, Schema<'_>)> {
        self.first
            .iter()
            .filter_map(|(id, entry)| Some((*id, Schema::parse(entry.text.as_bytes()).ok()?)))
    }
}
