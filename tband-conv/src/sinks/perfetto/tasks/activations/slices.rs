//! Writes slices of activations. They are written when an activation has ended, so they have a separate sequence with full
//! times, and separate names, which are numbers in each slice.

use foldhash::fast::RandomState;
use std::collections::HashMap;

use crate::activations::PartKind;
use crate::sinks::perfetto::events::EventType;
use crate::sinks::perfetto::packets::{ACTIVATIONS, Packets};
use crate::sinks::perfetto::proto::{EventName, InternedData, InternedString, TracePacket};
use crate::sinks::perfetto::tracks::Uuid;
use crate::sinks::perfetto::wire;

/// Texts and names that have a number; further ones are written out, so that memory is bounded.
const MAX_NAMES: usize = 4096;

/// The arguments of a slice.
#[derive(Debug, Default)]
pub struct Args(Vec<(&'static str, Value)>);

#[derive(Debug)]
enum Value {
    Number(i64),
    Text(String),
}

impl Args {
    /// Adds a number.
    pub fn number(&mut self, name: &'static str, number: i64) {
        self.0.push((name, Value::Number(number)));
    }

    /// Adds a text, if there is one.
    pub fn text(&mut self, name: &'static str, text: Option<String>) {
        self.0.extend(text.map(|text| (name, Value::Text(text))));
    }
}

/// Numbers of the names of arguments, and of texts.
#[derive(Debug, Default)]
pub struct Names {
    args: HashMap<&'static str, u64, RandomState>,
    texts: HashMap<String, u64, RandomState>,
    is_open: bool,
}

impl Names {
    /// Writes a slice from one time to another, named by a kind.
    pub fn slice(
        &mut self,
        packets: &mut Packets,
        (begin_ns, end_ns): (i64, i64),
        track: Uuid,
        (kind, args): (PartKind, &Args),
    ) {
        if !std::mem::replace(&mut self.is_open, true) {
            open(packets);
        }
        // Names come first, in separate packets.
        let mut numbered = Vec::new();
        for (name, value) in &args.0 {
            let text = match value {
                Value::Text(text) => self.text(packets, text),
                Value::Number(_) => None,
            };
            numbered.push((self.arg(packets, name), value, text));
        }
        let buf = &mut packets.buf;
        let (packet, event) = open_event(buf, begin_ns, EventType::SliceBegin, track);
        wire::int(buf, 10, number_of(kind).cast_signed());
        for (name, value, text) in numbered {
            let annotation = wire::open(buf, 4);
            wire::int(buf, 1, name.cast_signed());
            match (value, text) {
                (Value::Number(number), _) => wire::int(buf, 4, *number),
                (Value::Text(_), Some(number)) => wire::int(buf, 17, number.cast_signed()),
                (Value::Text(text), None) => wire::bytes(buf, 6, text.as_bytes()),
            }
            wire::close(buf, annotation);
        }
        wire::close(buf, event);
        wire::close(buf, packet);
        let (packet, event) = open_event(buf, end_ns, EventType::SliceEnd, track);
        wire::close(buf, event);
        wire::close(buf, packet);
    }

    /// The number of an argument's name. There are few.
    fn arg(&mut self, packets: &mut Packets, name: &'static str) -> u64 {
        let next = self.args.len() as u64 + 1;
        let number = *self.args.entry(name).or_insert(next);
        if number == next {
            let name = EventName { iid: Some(number), name: Some(name.to_owned()) };
            let debug_annotation_names = vec![name];
            intern(packets, InternedData { debug_annotation_names, ..InternedData::default() });
        }
        number
    }

    /// The number of a text, if it has one.
    fn text(&mut self, packets: &mut Packets, text: &str) -> Option<u64> {
        if let Some(number) = self.texts.get(text) {
            return Some(*number);
        }
        if self.texts.len() >= MAX_NAMES {
            return None;
        }
        let number = self.texts.len() as u64 + 1;
        self.texts.insert(text.to_owned(), number);
        let debug_annotation_string_values =
            vec![InternedString { iid: Some(number), str: Some(text.into()) }];
        intern(packets, InternedData { debug_annotation_string_values, ..InternedData::default() });
        Some(number)
    }
}

/// The number of a kind's name.
const fn number_of(kind: PartKind) -> u64 {
    kind as u64 + 1
}

/// Opens the sequence.
fn open(packets: &mut Packets) {
    let name = |kind: PartKind| EventName {
        iid: Some(number_of(kind)),
        name: Some(kind.name().to_owned()),
    };
    packets.open_in_full(
        ACTIVATIONS,
        InternedData {
            event_names: PartKind::ALL.into_iter().map(name).collect(),
            ..InternedData::default()
        },
    );
}

fn intern(packets: &mut Packets, data: InternedData) {
    let packet = TracePacket { interned_data: Some(data), ..TracePacket::default() };
    packets.message_of(ACTIVATIONS, &packet);
}

/// A packet with its time, and the track event in it.
fn open_event(
    buf: &mut Vec<u8>,
    ns: i64,
    kind: EventType,
    track: Uuid,
) -> (wire::OpenMessage, wire::OpenMessage) {
    let packet = wire::open(buf, 1);
    wire::int(buf, 8, ns);
    wire::int(buf, 10, ACTIVATIONS.into());
    let event = wire::open(buf, 11);
    wire::int(buf, 9, kind as i64);
    wire::int(buf, 11, track.cast_signed());
    (packet, event)
}
