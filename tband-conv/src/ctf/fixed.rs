//! Packets of CTF 1.8: all numbers of fixed length, little-endian, each at a whole byte.
//!
//! | bytes | |
//! |---|---|
//! | 4, 4, 8 | magic number, 0, number of the stream |
//! | 8, 8 | times of begin and end |
//! | 8, 8 | sizes of content and packet in bits |
//! | 8, 8 | sequence number, events discarded so far |
//! | 4 | core |
//!
//! An event is its id (a byte), its time (8), and its fields: a byte, 4 or 8; of what may be missing 8, -1 if it is;
//! of strings their bytes and a NUL.

use tband_format::packet::MAGIC;
use tband_format::{Described, Event, FieldKind, SchemaKind, Str, Value, registry};

/// A packet is closed when it has so many bytes.
const FULL: usize = 32 * 1024;

/// Bytes of header and context.
const HEAD: usize = 68;

/// After so many losses no packet is ended for another one that has less than its head: they are reported together.
const MANY_LOSSES: u64 = 100;

/// Puts events into packets.
#[derive(Debug, Default)]
pub(super) struct FixedPacker {
    streams: Vec<Stream>,
    /// How often something was missing.
    losses: u64,
}

#[derive(Debug, Default)]
struct Stream {
    id: u8,
    core: u32,
    events: Vec<u8>,
    begin: u64,
    last: u64,
    sequence: u64,
    discarded: u64,
    /// Of these the packets so far have reported.
    reported: u64,
}

impl FixedPacker {
    pub fn push(
        &mut self,
        (id, core): (u8, u32),
        ts: u64,
        event: &Event<'_>,
        out: &mut impl FnMut(u8, &[u8]),
    ) {
        self.push_fields((id, core), ts, event.wire_id(), out, |bytes| fields(bytes, event));
    }

    /// An event of this id, whose fields are written by `fields`.
    pub fn push_fields(
        &mut self,
        (id, core): (u8, u32),
        ts: u64,
        event_id: u8,
        out: &mut impl FnMut(u8, &[u8]),
        fields: impl FnOnce(&mut Vec<u8>),
    ) {
        let stream = self.stream(id);
        stream.core = core;
        if stream.events.len() >= FULL {
            stream.close(out);
        }
        if stream.events.is_empty() {
            stream.begin = ts;
        }
        stream.last = ts;
        stream.events.push(event_id);
        stream.events.extend(ts.to_le_bytes());
        fields(&mut stream.events);
    }

    /// Events, or packets, are missing here.
    pub fn missing(
        &mut self,
        (id, core): (u8, u32),
        events: u32,
        packets: u32,
        out: &mut impl FnMut(u8, &[u8]),
    ) {
        self.losses = self.losses.saturating_add(1);
        let joins = packets == 0 && self.losses > MANY_LOSSES;
        let stream = self.stream(id);
        stream.core = core;
        if !joins || stream.events.len() >= HEAD {
            stream.close(out);
        }
        stream.discarded = stream.discarded.saturating_add(events.into());
        stream.sequence = stream.sequence.saturating_add(packets.into());
    }

    /// Closes all packets. What is missing after the last event is reported in a packet without events.
    pub fn flush(&mut self, out: &mut impl FnMut(u8, &[u8])) {
        for stream in &mut self.streams {
            stream.close(out);
            if stream.reported != stream.discarded {
                stream.begin = stream.last;
                stream.write(out);
            }
        }
    }

    fn stream(&mut self, id: u8) -> &mut Stream {
        let known = self.streams.iter().position(|stream| stream.id == id);
        let index = known.unwrap_or_else(|| {
            self.streams.push(Stream { id, ..Stream::default() });
            self.streams.len() - 1
        });
        &mut self.streams[index]
    }
}

impl Stream {
    fn close(&mut self, out: &mut impl FnMut(u8, &[u8])) {
        if !self.events.is_empty() {
            self.write(out);
        }
    }

    fn write(&mut self, out: &mut impl FnMut(u8, &[u8])) {
        let bits = (HEAD + self.events.len()) as u64 * 8;
        let mut packet = Vec::with_capacity(HEAD + self.events.len());
        packet.extend(MAGIC.to_le_bytes());
        packet.extend(0_u32.to_le_bytes());
        let numbers =
            [u64::from(self.id), self.begin, self.last, bits, bits, self.sequence, self.discarded];
        packet.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        packet.extend(self.core.to_le_bytes());
        packet.append(&mut self.events);
        self.sequence = self.sequence.saturating_add(1);
        self.reported = self.discarded;
        out(self.id, &packet);
    }
}

fn fields(bytes: &mut Vec<u8>, event: &Event<'_>) {
    if let Event::Described(event) | Event::DescribedMetadata(event) = event {
        return described(bytes, event);
    }
    let defs = registry::by_id(event.id()).map_or(&[][..], |def| def.fields);
    let mut defs = defs.iter();
    // Only the last ones may be missing.
    event.for_each_field(|_, value| {
        if let Some(def) = defs.next() {
            field(bytes, Some(value), len_of(def.kind));
        }
    });
    for def in defs {
        field(bytes, None, len_of(def.kind));
    }
}

/// Bytes of a field that is a number.
const fn len_of(kind: FieldKind) -> usize {
    match kind {
        FieldKind::U8 | FieldKind::Enum { .. } => 1,
        FieldKind::U32 => 4,
        _ => 8,
    }
}

/// As [`fields`], of an event that only the recording describes.
fn described(bytes: &mut Vec<u8>, event: &Described<'_>) {
    let mut values = Vec::new();
    event.for_each_field(|_, value| values.push(value));
    // Only the last ones may be missing.
    let values = values.into_iter().map(Some).chain(std::iter::repeat(None));
    for ((_, kind), value) in event.schema().fields().zip(values) {
        let len = match kind {
            SchemaKind::U8 => 1,
            SchemaKind::U32 | SchemaKind::Ticks => 4,
            _ => 8,
        };
        field(bytes, value, len);
    }
}

/// A field that has so many bytes if it is a number.
fn field(bytes: &mut Vec<u8>, value: Option<Value<'_>>, len: usize) {
    let number = match value {
        Some(Value::Unsigned(number)) => number,
        Some(Value::Signed(number)) => number.cast_unsigned(),
        Some(Value::Named(number, _)) => number.into(),
        Some(Value::Str(Str(text))) => return string(bytes, text),
        // Nothing is missing but what may be.
        None => u64::MAX,
    };
    match len {
        1 => bytes.push(number as u8),
        4 => bytes.extend_from_slice(&(number as u32).to_le_bytes()),
        _ => bytes.extend_from_slice(&number.to_le_bytes()),
    }
}

/// A string ends at its first NUL.
pub(super) fn string(bytes: &mut Vec<u8>, text: &[u8]) {
    bytes.extend(text.iter().take_while(|byte| **byte != 0));
    bytes.push(0);
}
