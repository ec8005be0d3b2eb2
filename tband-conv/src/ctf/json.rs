//! What describes a trace of CTF 2: JSON texts, each after a record separator.

use tband_format::{EVENTS, EventDef, FieldDef, FieldKind, Schema, SchemaKind};

use super::counts::Counts;
use super::declared::Declared;

/// Before each text.
const SEPARATOR: char = '\u{1E}';

/// The text of `metadata`.
pub(super) fn metadata(counts: Counts, declared: &Declared<'_>) -> String {
    let Counts { hz, first_ticks, precision } = counts;
    let precision = precision.map_or_else(String::new, |it| format!(r#","precision":{it}"#));
    let first = match first_ticks {
        0 => String::new(),
        first => format!(r#","first_tick":"{first}""#),
    };
    let mut texts = vec![
        r#"{"type":"preamble","version":2}"#.to_owned(),
        format!(
            r#"{{"type":"trace-class","environment":{{"tracer_name":"tband"{first}}},"packet-header-field-class":{}}}"#,
            structure(&[
                ("magic", fixed(32, &["packet-magic-number"])),
                ("stream", fixed(8, &["data-stream-id"])),
                ("version", fixed(8, &[])),
            ])
        ),
        format!(
            r#"{{"type":"clock-class","id":"timer","name":"timer","description":"Timer of the target","frequency":{hz}{precision}}}"#
        ),
        format!(
            r#"{{"type":"data-stream-class","default-clock-class-id":"timer","packet-context-field-class":{},"event-record-header-field-class":{}}}"#,
            structure(&[
                ("sequence", fixed(16, &["packet-sequence-number"])),
                ("content_size", fixed(16, &["packet-content-length"])),
                ("packet_size", fixed(16, &["packet-total-length"])),
                ("check", fixed(32, &[])),
                ("begin", fixed(64, &["default-clock-timestamp"])),
                ("end", fixed(64, &["packet-end-default-clock-timestamp"])),
                ("discarded", fixed(32, &["discarded-event-record-counter-snapshot"])),
            ]),
            event_header()
        ),
    ];
    texts.extend(EVENTS.iter().map(event));
    texts.extend(declared.iter().map(|(id, schema)| described(id, &schema)));
    texts.iter().map(|text| format!("{SEPARATOR}{text}\n")).collect()
}

/// The id, and the lowest 6, 14, 30 or 62 bits of the time after two bits that say which. Members of a byte have no
/// alignment of their own, or they would begin at the next byte.
fn event_header() -> String {
    let lengths = [("t6", 6), ("t14", 14), ("t30", 30), ("t62", 62)];
    let mappings: Vec<_> = lengths
        .iter()
        .enumerate()
        .map(|(which, (name, _))| format!(r#""{name}":[[{which},{which}]]"#))
        .collect();
    let n = format!(
        r#"{{"type":"fixed-length-unsigned-integer","length":2,"byte-order":"little-endian","alignment":1,"mappings":{{{}}}}}"#,
        mappings.join(",")
    );
    let options: Vec<_> = lengths
        .iter()
        .enumerate()
        .map(|(which, (name, bits))| {
            let t = format!(
                r#"{{"type":"fixed-length-unsigned-integer","length":{bits},"byte-order":"little-endian","alignment":1,"roles":["default-clock-timestamp"]}}"#
            );
            let field = structure(&[("t", t)]);
            format!(r#"{{"name":"{name}","selector-field-ranges":[[{which},{which}]],"field-class":{field}}}"#)
        })
        .collect();
    let time = format!(
        r#"{{"type":"variant","selector-field-location":{{"origin":"event-record-header","path":["n"]}},"options":[{}]}}"#,
        options.join(",")
    );
    structure(&[("id", fixed(8, &["event-record-class-id"])), ("n", n), ("time", time)])
}

fn event(def: &EventDef) -> String {
    let fields: Vec<_> = def.fields.iter().map(|field| (field.name, field_class(field))).collect();
    format!(
        r#"{{"type":"event-record-class","id":{},"name":"{}","attributes":{{"tband":{{"about":"{}"}}}},"payload-field-class":{}}}"#,
        def.id,
        def.name,
        escaped(def.doc),
        structure(&fields)
    )
}

/// Names have nothing that would have to be escaped.
fn described(id: u8, schema: &Schema<'_>) -> String {
    let class = |kind| match kind {
        SchemaKind::U8 => fixed(8, &[]),
        SchemaKind::U32 | SchemaKind::U64 => variable("unsigned"),
        SchemaKind::Str => STRING.to_owned(),
        // What is missing, or for ever, is -1.
        _ => variable("signed"),
    };
    let fields: Vec<_> = schema.fields().map(|(name, kind)| (name, class(kind))).collect();
    format!(
        r#"{{"type":"event-record-class","id":{id},"name":"{}","attributes":{{"tband":{{"about":"As the recording describes it."}}}},"payload-field-class":{}}}"#,
        schema.name(),
        structure(&fields)
    )
}

const STRING: &str = r#"{"type":"null-terminated-string"}"#;

fn field_class(field: &FieldDef) -> String {
    match field.kind {
        // For ever is -1.
        _ if field.name == "ticks_to_wait" => variable("signed"),
        FieldKind::U8 => fixed(8, &[]),
        FieldKind::Enum { values, .. } => {
            let mappings: Vec<_> = values
                .iter()
                .map(|(value, name)| format!(r#""{}":[[{value},{value}]]"#, escaped(name)))
                .collect();
            format!(
                r#"{{"type":"fixed-length-unsigned-integer","length":8,"byte-order":"little-endian","alignment":8,"mappings":{{{}}}}}"#,
                mappings.join(",")
            )
        }
        FieldKind::U32 | FieldKind::U64 => variable("unsigned"),
        // What is missing is -1.
        FieldKind::S64 | FieldKind::Optional(_) => variable("signed"),
        FieldKind::Str => STRING.to_owned(),
    }
}

fn variable(sign: &str) -> String {
    format!(r#"{{"type":"variable-length-{sign}-integer"}}"#)
}

fn fixed(bits: u32, roles: &[&str]) -> String {
    let roles: Vec<_> = roles.iter().map(|role| format!(r#""{role}""#)).collect();
    let roles = match roles.is_empty() {
        true => String::new(),
        false => format!(r#","roles":[{}]"#, roles.join(",")),
    };
    format!(
        r#"{{"type":"fixed-length-unsigned-integer","length":{bits},"byte-order":"little-endian","alignment":8{roles}}}"#
    )
}

fn structure(members: &[(&str, String)]) -> String {
    let members: Vec<_> = members
        .iter()
        .map(|(name, class)| format!(r#"{{"name":"{name}","field-class":{class}}}"#))
        .collect();
    format!(r#"{{"type":"structure","member-classes":[{}]}}"#, members.join(","))
}

/// Inside of quotes.
fn escaped(text: &str) -> String {
    let escape = |c: char| match c {
        '"' | '\\' => vec!['\\', c],
        '\n' => vec![' '],
        c => vec![c],
    };
    text.chars().flat_map(escape).collect()
}
