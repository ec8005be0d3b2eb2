//! Packets whose numbers have fixed lengths, little-endian, each at a whole byte: those of CTF 1.8, and of records.
//!
//! | bytes | |
//! |---|---|
//! | 4, 4, 8 | magic number, class of the stream, number of the stream; in CTF 2 4, 1, 1: magic number, its number, its class |
//! | 8, 8 | times of begin and end |
//! | 8, 8 | sizes of content and packet in bits |
//! | 8, 8 | sequence number, events discarded so far |
//! | 4 | core |
//!
//! An event is its id (1 byte, for records 2), its time (8), and its fields: 1, 4 or 8 bytes; an optional field has 8, with -1
//! if it is missing; a string has its bytes and a NUL.

use tband_format::described_event::DescribedEvent;
use tband_format::field::{FieldKind, Value};
use tband_format::packet::MAGIC;
use tband_format::registry::EVENTS;
use tband_format::schema::SchemaKind;
use tband_format::{Event, Str};

/// A packet is closed when it has this many bytes.
const FULL: usize = 32 * 1024;

/// Bytes of the context.
const CONTEXT: usize = 52;

/// The header of packets, with the class of their streams.
#[derive(Clone, Copy, Debug)]
pub(super) enum Head {
    /// Of CTF 1.8.
    One { class: u32 },
    /// CTF 2, with the class of the target's packets.
    Two { class: u8 },
}

impl Default for Head {
    fn default() -> Self {
        Self::One { class: 0 }
    }
}

impl Head {
    /// Bytes of header and context.
    const fn len(self) -> usize {
        match self {
            Self::One { .. } => 16 + CONTEXT,
            Self::Two { .. } => 6 + CONTEXT,
        }
    }

    fn write(self, packet: &mut Vec<u8>, stream: u8) {
        packet.extend(MAGIC.to_le_bytes());
        match self {
            Self::One { class } => {
                packet.extend(class.to_le_bytes());
                packet.extend(u64::from(stream).to_le_bytes());
            }
            Self::Two { class } => packet.extend([stream, class]),
        }
    }
}

/// After this many losses, a packet that is smaller than its head is not ended for another loss: they are reported together.
const MANY_LOSSES: u64 = 100;

/// Puts events into packets.
#[derive(Debug, Default)]
pub(super) struct FixedPacker {
    head: Head,
    streams: Vec<Stream>,
    /// The one of the last event, in their order.
    last: usize,
    /// How often something was missing.
    losses: u64,
}

/// A stream, and the core whose events it has.
#[derive(Clone, Copy, Debug)]
pub(super) struct StreamOfCore {
    pub id: u8,
    pub core: u32,
}

#[derive(Debug, Default)]
struct Stream {
    id: u8,
    core: u32,
    /// Room for header and context, then events; empty without events.
    packet: Vec<u8>,
    begin: u64,
    last: u64,
    sequence: u64,
    discarded: u64,
    /// Of these the packets so far have reported.
    reported: u64,
}

impl FixedPacker {
    /// Of packets with this header.
    pub fn new(head: Head) -> Self {
        Self { head, ..Self::default() }
    }

    /// False: the event has no place, since a string in it has a zero byte, which would end it.
    pub fn push(
        &mut self,
        of: StreamOfCore,
        ts: u64,
        event: &Event<'_>,
        out: &mut impl FnMut(u8, &[u8]),
    ) -> bool {
        let event_id = event.wire_id();
        if MAY_HAVE_STRING[usize::from(event_id)] && has_zero(event) {
            return false;
        }
        let lens = &LENS[usize::from(event_id)];
        self.push_fields(of, ts, [event_id], out, |bytes| append_fields(bytes, event, lens));
        true
    }

    /// An event of this id, whose fields are written by `fields`.
    pub fn push_fields<const N: usize>(
        &mut self,
        of: StreamOfCore,
        ts: u64,
        event_id: [u8; N],
        out: &mut impl FnMut(u8, &[u8]),
        fields: impl FnOnce(&mut Vec<u8>),
    ) {
        let head = self.head;
        let stream = self.stream(of.id);
        stream.core = of.core;
        if stream.packet.len() >= head.len() + FULL {
            stream.close(head, out);
        }
        if stream.packet.is_empty() {
            stream.packet.resize(head.len(), 0);
            stream.begin = ts;
        }
        stream.last = ts;
        stream.packet.extend_from_slice(&event_id);
        stream.packet.extend_from_slice(&ts.to_le_bytes());
        fields(&mut stream.packet);
    }

    /// Events, or packets, are missing here.
    pub fn missing(
        &mut self,
        of: StreamOfCore,
        events: u32,
        packets: u32,
        out: &mut impl FnMut(u8, &[u8]),
    ) {
        self.losses = self.losses.saturating_add(1);
        let joins = packets == 0 && self.losses > MANY_LOSSES;
        let head = self.head;
        let stream = self.stream(of.id);
        stream.core = of.core;
        if !joins || stream.packet.len() >= 2 * head.len() {
            stream.close(head, out);
        }
        stream.discarded = stream.discarded.saturating_add(events.into());
        stream.sequence = stream.sequence.saturating_add(packets.into());
    }

    /// Closes all packets. Losses after the last event are reported in a packet without events.
    pub fn flush(&mut self, out: &mut impl FnMut(u8, &[u8])) {
        for stream in &mut self.streams {
            stream.close(self.head, out);
            if stream.reported != stream.discarded {
                stream.begin = stream.last;
                stream.write(self.head, out);
            }
        }
    }

    #[inline]
    fn stream(&mut self, id: u8) -> &mut Stream {
        if self.streams.get(self.last).is_none_or(|stream| stream.id != id) {
            self.last = self.find(id);
        }
        &mut self.streams[self.last]
    }

    #[cold]
    fn find(&mut self, id: u8) -> usize {
        let known = self.streams.iter().position(|stream| stream.id == id);
        known.unwrap_or_else(|| {
            self.streams.push(Stream { id, ..Stream::default() });
            self.streams.len() - 1
        })
    }
}

impl Stream {
    fn close(&mut self, head: Head, out: &mut impl FnMut(u8, &[u8])) {
        if !self.packet.is_empty() {
            self.write(head, out);
        }
    }

    fn write(&mut self, head: Head, out: &mut impl FnMut(u8, &[u8])) {
        if self.packet.is_empty() {
            self.packet.resize(head.len(), 0);
        }
        let bits = self.packet.len() as u64 * 8;
        let mut begin = Vec::with_capacity(head.len());
        head.write(&mut begin, self.id);
        let numbers = [self.begin, self.last, bits, bits, self.sequence, self.discarded];
        begin.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        begin.extend(self.core.to_le_bytes());
        self.packet.iter_mut().zip(begin).for_each(|(to, byte)| *to = byte);
        self.sequence = self.sequence.saturating_add(1);
        self.reported = self.discarded;
        out(self.id, &self.packet);
        self.packet.clear();
    }
}

/// Most fields of an event.
const MOST_FIELDS: usize = 8;

/// By id, the bytes of an event's fields that are numbers; 0 after the last one.
static LENS: [[u8; MOST_FIELDS]; 256] = {
    let mut lens = [[0; MOST_FIELDS]; 256];
    let mut index = 0;
    while index < EVENTS.len() {
        let def = &EVENTS[index];
        let mut at = 0;
        while at < def.fields.len() {
            lens[def.id as usize][at] = len_of(def.fields[at].kind);
            at += 1;
        }
        index += 1;
    }
    lens
};

/// By id, whether an event may have a string: those that only recordings describe may.
static MAY_HAVE_STRING: [bool; 256] = {
    let mut may = [true; 256];
    let mut index = 0;
    while index < EVENTS.len() {
        let def = &EVENTS[index];
        let (mut at, mut has) = (0, false);
        while at < def.fields.len() {
            has |= matches!(def.fields[at].kind, FieldKind::Str);
            at += 1;
        }
        may[def.id as usize] = has;
        index += 1;
    }
    may
};

/// A string in it has a zero byte.
fn has_zero(event: &Event<'_>) -> bool {
    let mut has = false;
    event.for_each_field(|_, value| {
        has |= matches!(value, Value::Str(Str(text)) if text.contains(&0));
    });
    has
}

#[inline]
fn append_fields(bytes: &mut Vec<u8>, event: &Event<'_>, lens: &[u8; MOST_FIELDS]) {
    if let Event::Described(event) | Event::DescribedMetadata(event) = event {
        return described(bytes, event);
    }
    let mut lens = lens.iter();
    // Only the last ones may be missing.
    event.for_each_field(
        #[inline]
        |_, value| {
            if let Some(len) = lens.next() {
                field(bytes, Some(value), *len);
            }
        },
    );
    for len in lens.take_while(|len| **len > 0) {
        field(bytes, None, *len);
    }
}

/// Bytes of a field that is a number.
const fn len_of(kind: FieldKind) -> u8 {
    match kind {
        FieldKind::U8 | FieldKind::Enum { .. } => 1,
        FieldKind::U32 => 4,
        _ => 8,
    }
}

/// As [`append_fields`], of an event that only the recording describes.
fn described(bytes: &mut Vec<u8>, event: &DescribedEvent<'_>) {
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

/// Appends a field, which has `len` bytes if it is a number.
#[inline]
fn field(bytes: &mut Vec<u8>, value: Option<Value<'_>>, len: u8) {
    let number = match value {
        Some(Value::Unsigned(number)) => number,
        Some(Value::Signed(number)) => number.cast_unsigned(),
        Some(Value::Named(number, _)) => number.into(),
        Some(Value::Str(Str(text))) => return string(bytes, text),
        // Only optional fields are missing.
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
