//! tband's own events, as its export to CTF writes them.

use std::collections::HashMap;

use tband_format::decode::decode_payload;
use tband_format::decode_described::{DESCRIBED_ROOM, decode_described};
use tband_format::field::FieldKind;
use tband_format::registry::EventDef;
use tband_format::schema::{Schema, SchemaKind};
use tband_format::{Event, registry};

use super::event_place::EventPlace;
use crate::ctf::decode::{Decoder, bytes_of};
use crate::ctf::model::field::{Field, Int, Struct};
use crate::output::Output;

/// Reads tband's events.
#[derive(Debug, Default)]
pub struct TbandEvents {
    /// One event as it is in frames.
    payload: Vec<u8>,
    /// By id, the recording's descriptions of events that the registry does not have, and whether they have a time.
    schemas: HashMap<u8, (Box<str>, bool)>,
    /// Room for one of those.
    described: Vec<u8>,
}

impl TbandEvents {
    /// The class has the fields that the registry knows.
    pub fn is_known(def: &EventDef, payload: Option<&Field>) -> bool {
        let members = members(payload);
        let names = def.fields.iter().map(|field| field.name);
        members.iter().map(|(name, _)| &**name).eq(names)
    }

    /// Reads an event. False: the registry has no such event.
    pub fn event(
        &mut self,
        id: u8,
        payload: Option<&Field>,
        (decoder, bytes): (&Decoder, &[u8]),
        EventPlace { core, ts }: EventPlace,
        out: &mut Output,
    ) -> bool {
        let Some(def) = registry::by_id(id) else { return false };
        self.begin(id, (!def.metadata).then_some(ts));
        let members = members(payload);
        for (field, (_, member)) in def.fields.iter().zip(members) {
            self.field(field.kind, member, decoder, bytes);
        }
        let Ok(decoded) = decode_payload(&self.payload) else { return false };
        match decoded.event {
            // The packet has the number of the core.
            Event::CoreId { .. } => return true,
            Event::EventSchema { event_id, timed, schema } => {
                if let Ok(text) = std::str::from_utf8(schema.0)
                    && Schema::parse(schema.0).is_ok()
                {
                    self.schemas.insert(event_id, (text.into(), timed == 1));
                }
            }
            _ => {}
        }
        match decoded.ts {
            Some(ts) => out.timed(core, ts, &decoded.event),
            None => out.metadata(core, &decoded.event),
        }
        true
    }

    /// Reads an event that the recording describes. False: nothing before it does.
    pub fn described(
        &mut self,
        id: u8,
        payload: Option<&Field>,
        (decoder, bytes): (&Decoder, &[u8]),
        EventPlace { core, ts }: EventPlace,
        out: &mut Output,
    ) -> bool {
        let Some((text, is_timed)) = self.schemas.get(&id).cloned() else { return false };
        let Ok(schema) = Schema::parse(text.as_bytes()) else { return false };
        self.begin(id, is_timed.then_some(ts));
        for ((_, kind), (_, member)) in schema.fields().zip(members(payload)) {
            let kind = match kind {
                SchemaKind::U8 => FieldKind::U8,
                SchemaKind::U64 => FieldKind::U64,
                SchemaKind::S64 => FieldKind::S64,
                SchemaKind::Str => FieldKind::Str,
                SchemaKind::OptionalU32 => FieldKind::Optional(&FieldKind::U32),
                _ => FieldKind::U32,
            };
            self.field(kind, member, decoder, bytes);
        }
        self.described.resize(self.payload.len() + text.len() + DESCRIBED_ROOM, 0);
        let read = decode_described(&self.payload, (&text, is_timed), &mut self.described);
        let Ok(decoded) = read else { return false };
        match decoded.ts {
            Some(ts) => out.timed(core, ts, &decoded.event),
            None => out.metadata(core, &decoded.event),
        }
        true
    }

    /// An event begins.
    fn begin(&mut self, id: u8, ts: Option<u64>) {
        self.payload.clear();
        self.payload.push(id);
        if let Some(ts) = ts {
            self.varint(ts);
        }
    }

    fn field(&mut self, kind: FieldKind, member: &Field, decoder: &Decoder, bytes: &[u8]) {
        let raw = match member {
            Field::Int(Int { slot, .. }) => decoder.get(*slot),
            Field::Text { slot, .. } | Field::Bytes { slot, .. } => {
                self.payload.extend_from_slice(bytes_of(bytes, decoder.get(*slot)));
                return;
            }
            _ => 0,
        };
        match kind {
            FieldKind::U8 | FieldKind::Enum { .. } => self.payload.push(raw as u8),
            FieldKind::U32 => self.varint(u64::from(raw as u32)),
            FieldKind::U64 => self.varint(raw),
            FieldKind::S64 => self.varint(tband_format::writer::sign_magnitude(raw.cast_signed())),
            // -1 is a field that is missing.
            FieldKind::Optional(_) if raw == u64::MAX => {}
            FieldKind::Optional(inner) => self.field(*inner, member, decoder, bytes),
            FieldKind::Str => {}
        }
    }

    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.payload.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.payload.push(value as u8);
    }
}

/// The fields of an event.
fn members(payload: Option<&Field>) -> &[(std::rc::Rc<str>, Field)] {
    match payload {
        Some(Field::Struct(Struct { members, .. })) => members,
        _ => &[],
    }
}
