//! Events that the registry does not have: their schemas, how readers keep them, and the version of the registry.

mod support;

use proptest::prelude::*;
use support::varint;
use tband_format::decode::{DecodeError, decode_payload};
use tband_format::decode_described::{
    DESCRIBED_ROOM, DescribedPacked, decode_described, decode_described_packed,
};
use tband_format::encode::encode_payload;
use tband_format::field::Value;
use tband_format::packet::{HEADER_LEN, PacketWriter};
use tband_format::registry::{DECLARED, EVENTS, EventDef, LAST_BASE_ID, RARE};
use tband_format::schema::{Schema, SchemaError, SchemaKind};
use tband_format::{Event, FORMAT_VERSION};

/// The hash of the registry at each version. The last one is that of the current registry. Version 11 changes only the meaning of
/// `timed` for metadata.
const VERSIONS: [(u32, u64); 12] = [
    (1, 0x65F4_F133_4D2B_F518),
    (2, 0x8CBA_8765_AFA0_0EC8),
    (3, 0x4CF8_ABF4_9849_13FE),
    (4, 0x371A_BA88_580A_9EED),
    (5, 0x6678_3934_120C_1E34),
    (6, 0xDD82_02DD_D0C9_A595),
    (7, 0xD88F_C3E7_CDCF_3E88),
    (8, 0x3C67_439F_0863_9DB0),
    (9, 0xEBF8_21AB_EB9B_0C34),
    (10, 0x8E63_7376_D041_62D4),
    (11, 0x8E63_7376_D041_62D4),
    (12, 0x92EC_854A_A86C_36F3),
];

/// FNV-1a over what readers rely on: ids, names, fields and their kinds.
fn hash(events: &[EventDef]) -> u64 {
    let mut text = String::new();
    for EventDef { id, name, metadata, fields, .. } in events {
        text += &format!("{id} {name} {metadata}");
        for field in *fields {
            text += &format!(" {}:{}", field.name, kind(field.name, field.kind).name());
        }
        text.push('\n');
    }
    text.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}

fn kind(name: &str, kind: tband_format::field::FieldKind) -> SchemaKind {
    SchemaKind::from_field(name, kind)
        .unwrap_or_else(|| panic!("field {name}: no schema can say its kind"))
}

#[test]
fn the_version_rises_with_the_registry() {
    let (version, last) = VERSIONS[VERSIONS.len() - 1];
    let now = hash(EVENTS);
    assert!(
        (version, last) == (FORMAT_VERSION, now),
        "the registry has changed: raise FORMAT_VERSION in tband-format/src/lib.rs to {}, and add \
         ({}, 0x{now:016X}) to VERSIONS in tband-format/tests/schemas.rs. Entries that are there stay as they are",
        version + 1,
        version + 1,
    );
    assert!(VERSIONS.iter().map(|(version, _)| *version).eq(1..=FORMAT_VERSION));
}

#[test]
fn base_events_are_unchanged() {
    let base = EVENTS.partition_point(|def| def.id <= LAST_BASE_ID);
    let (_, first) = VERSIONS[0];
    assert_eq!(
        format!("0x{:016X}", hash(&EVENTS[..base])),
        format!("0x{first:016X}"),
        "readers that are in use know events up to {LAST_BASE_ID} as they were: add a new one instead, above all others"
    );
    let ids = |events: &[EventDef]| events.iter().map(|def| def.id).collect::<Vec<_>>();
    assert_eq!([ids(DECLARED), ids(RARE)].concat(), ids(&EVENTS[base..]));
}

/// The text of an event's schema.
fn text_of(def: &EventDef) -> String {
    let field = |it: &tband_format::registry::FieldDef| {
        format!("{}:{}", it.name, kind(it.name, it.kind).name())
    };
    let fields: Vec<_> = def.fields.iter().map(field).collect();
    if fields.is_empty() {
        def.name.to_owned()
    } else {
        format!("{} {}", def.name, fields.join(","))
    }
}

#[test]
fn the_registry_can_be_described() {
    for def in EVENTS {
        let text = text_of(def);
        let schema = Schema::parse(text.as_bytes()).unwrap_or_else(|it| panic!("{text}: {it}"));
        assert!(def.is_described_by(&schema), "{text}");
        assert_eq!(schema.to_string(), text);
        for other in EVENTS.iter().filter(|it| it.id != def.id) {
            assert!(!other.is_described_by(&schema), "{text}: {}", other.name);
        }
    }
}

#[test]
fn rejects_invalid_schemas() {
    let long = format!("e {}:u8", "f".repeat(49));
    let many = |count: usize| {
        let fields: Vec<_> = (0..count).map(|it| format!("f{it}:u8")).collect();
        format!("e {}", fields.join(","))
    };
    for (text, expected) in [
        ("", SchemaError::EventName),
        (" a:u8", SchemaError::EventName),
        ("9e", SchemaError::EventName),
        ("e\u{1B}[2J", SchemaError::EventName),
        ("größe", SchemaError::EventName),
        (&"e".repeat(49), SchemaError::EventName),
        (&"e".repeat(100_000), SchemaError::EventName),
        ("e :u8", SchemaError::FieldName(1)),
        ("e a:u8,\":u8", SchemaError::FieldName(2)),
        ("e a\n:u8", SchemaError::FieldName(1)),
        (&long, SchemaError::FieldName(1)),
        ("e a", SchemaError::FieldKind(1)),
        ("e a:", SchemaError::FieldKind(1)),
        ("e a:f32", SchemaError::FieldKind(1)),
        ("e a:u8:u8", SchemaError::FieldKind(1)),
        ("e a:u8, b:u8", SchemaError::FieldName(2)),
        ("e a:u8,a:u32", SchemaError::RepeatedField(1)),
        ("e a:str,b:u8", SchemaError::FieldOrder(2)),
        ("e a:u32?,b:u8", SchemaError::FieldOrder(2)),
        (&many(17), SchemaError::TooManyFields),
        (&many(1000), SchemaError::TooManyFields),
    ] {
        assert_eq!(Schema::parse(text.as_bytes()), Err(expected), "{text}");
    }
    assert_eq!(Schema::parse(b"e\xFF"), Err(SchemaError::EventName));
    for good in ["e", "e ", "e a:u8", "e a:u32?,b:u32?", "E_1 a:ticks,b:str", &many(16)] {
        assert!(Schema::parse(good.as_bytes()).is_ok(), "{good}");
    }
}

/// A recorder describes such an event by the call for a number and a text. As a varint, an id from 128 on is the id itself and a 1,
/// which marks an event with a time, or a 2, which marks metadata. Metadata that is in frames only has as much room for text as
/// there is with short strings.
#[test]
fn rare_events_can_be_described_by_what_every_recorder_has() {
    let (metadata, timed): (Vec<&EventDef>, Vec<&EventDef>) =
        RARE.iter().partition(|def| def.metadata);
    assert!(!metadata.is_empty() && !timed.is_empty());
    for (defs, high, most) in [(timed, 1_u64, 20), (metadata, 2, 33)] {
        for def in defs {
            assert!(def.id < 0xFE, "{}", def.name);
            assert_eq!(varint(u64::from(def.id & 0x7F) | high << 7), [def.id, high as u8]);
            let text = text_of(def);
            assert!(text.len() <= most, "{text}: longer than {most}");
        }
    }
}

fn fields<'a>(event: &Event<'a>) -> Vec<(&'a str, Value<'a>)> {
    let mut fields = Vec::new();
    // A schema does not contain the names of values.
    event.for_each_field(|name, value| {
        fields.push((
            name,
            match value {
                Value::Named(value, _) => Value::Unsigned(value.into()),
                value => value,
            },
        ));
    });
    fields
}

/// Returns a possible value of a field of a kind, in frames.
fn value(kind: SchemaKind, draw: u64) -> Vec<u8> {
    match kind {
        SchemaKind::U8 => vec![draw as u8],
        SchemaKind::U32 | SchemaKind::Ticks => varint(draw & 0xFFFF_FFFF),
        SchemaKind::OptionalU32 if draw.is_multiple_of(3) => vec![],
        SchemaKind::OptionalU32 => varint(draw & 0xFFFF_FFFF),
        SchemaKind::U64 => varint(draw),
        // No negative zero but that of the least number.
        SchemaKind::S64 => varint(draw | 2),
        _ => b"text"[..(draw % 5) as usize].to_vec(),
    }
}

fn draw() -> impl Strategy<Value = u64> {
    prop_oneof![0..200_u64, any::<u32>().prop_map(u64::from), any::<u64>()]
}

proptest! {
    /// An event that a reader does not know has the same fields by its schema as by the registry, from frames and from
    /// packets.
    #[test]
    fn a_schema_reads_what_the_registry_reads(
        index in 0..EVENTS.len(),
        ts in draw(),
        draws in proptest::collection::vec(draw(), 6),
    ) {
        let def = &EVENTS[index];
        let text = text_of(def);
        let mut payload = vec![def.id];
        if !def.metadata {
            payload.extend(value(SchemaKind::U64, ts));
        }
        let mut is_missing = false;
        for (field, draw) in def.fields.iter().zip(&draws) {
            let kind = kind(field.name, field.kind);
            is_missing |= kind == SchemaKind::OptionalU32 && draw.is_multiple_of(3);
            if !is_missing {
                payload.extend(value(kind, *draw));
            }
        }
        let known = decode_payload(&payload).expect("an event");
        let mut kept = vec![0; payload.len() + text.len() + DESCRIBED_ROOM];
        let of = (&*text, !def.metadata);
        let described = decode_described(&payload, of, &mut kept).expect("as described");
        prop_assert_eq!(described.ts, known.ts);
        prop_assert_eq!(described.event.name(), def.name);
        prop_assert_eq!((described.event.wire_id(), described.event.is_metadata()), (def.id, def.metadata));
        prop_assert_eq!(fields(&described.event), fields(&known.event));

        // Encoded for a frame again.
        let mut again = vec![0; payload.len()];
        let of_frame = encode_payload(&described.event, ts, &mut again).expect("room");
        prop_assert_eq!(&again[..of_frame], &payload[..]);
        let (event, own) = described.event.split_text();
        let own = own.to_vec();
        prop_assert_eq!(event.with_text(&own), described.event);

        // In a packet.
        let begin = ts.saturating_sub(5);
        let mut of_both = Vec::new();
        for event in [&known.event, &described.event] {
            let mut bytes = [0; 512];
            let mut writer = PacketWriter::new(&mut bytes, begin);
            writer.push(ts, event).expect("room");
            let at = writer.at();
            of_both.push(bytes[HEADER_LEN..at].to_vec());
        }
        prop_assert_eq!(&of_both[0], &of_both[1]);
        let mut event = of_both.swap_remove(0);
        let taken = event.len();
        event.extend([1, 2, 3]);
        let mut kept_packed = vec![0; event.len() + text.len() + DESCRIBED_ROOM];
        let found = decode_described_packed(&event, begin, of, &mut kept_packed).expect("as described");
        prop_assert_eq!(found, DescribedPacked { decoded: described, taken, ts });
    }

    /// Whatever the bytes are.
    #[test]
    fn any_schema_bytes_are_accepted_without_panic(
        bytes in proptest::collection::vec(any::<u8>(), 0..40),
        text in "[a-z]{1,3} ([a-z]:(u8|u32|u64|s64|str|ticks|u32\\?),?){0,5}",
        room in 0..200_usize,
        is_timed: bool,
    ) {
        let _ = Schema::parse(&bytes);
        let Ok(_) = Schema::parse(text.as_bytes()) else { return Ok(()) };
        let mut kept = vec![0; room];
        if let Ok(decoded) = decode_described(&bytes, (&text, is_timed), &mut kept) {
            let (event, own) = decoded.event.split_text();
            prop_assert_eq!(event.with_text(own), decoded.event);
            for event in [decoded.event, event, event.with_text(&bytes)] {
                fields(&event);
                let _ = event.name().len();
            }
        }
        if let Ok(found) = decode_described_packed(&bytes, 7, (&text, is_timed), &mut kept) {
            fields(&found.decoded.event);
        }
    }
}

#[test]
fn an_event_that_is_not_as_described_is_refused() {
    let mut kept = [0; 200];
    let of = ("e a:u8,b:u32", true);
    let keep =
        |payload: &[u8], kept: &mut [u8]| decode_described(payload, of, kept).map(|it| it.ts);
    assert!(keep(&[215, 5, 1, 2], &mut kept).is_ok());
    for (payload, error) in [
        (
            &[215, 5, 1][..],
            "a field of event 215, which the recording describes: the frame ends inside it",
        ),
        (
            &[215, 5, 1, 2, 3],
            "1 bytes after the last field of event 215, as the recording describes it",
        ),
        (&[215], "a field of event 215, which the recording describes: the frame ends inside it"),
    ] {
        assert_eq!(keep(payload, &mut kept).unwrap_err().to_string(), error);
    }
    assert_eq!(keep(&[], &mut kept), Err(DecodeError::Empty));
}

#[test]
fn no_registered_event_has_an_id_that_stands_for_described_ones() {
    assert!(EVENTS.iter().all(|def| def.id < 0xFE));
    // Tests describe events with these ids.
    assert!(EVENTS.iter().all(|def| !(248..=253).contains(&def.id)));
}
