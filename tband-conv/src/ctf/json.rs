//! The description of a trace of CTF 2: JSON texts, each after a record separator.

use std::collections::BTreeMap;

use tband_format::field::FieldKind;
use tband_format::registry::{EVENTS, EventDef, FieldDef};
use tband_format::schema::{Schema, SchemaKind};

use super::counts::Counts;
use super::declared::DeclaredSchemas;
use super::records::{Class, Classes, Field, FieldType};

/// Before each text.
const SEPARATOR: char = '\u{1E}';
/// Classes of streams where there is more than one: that of the target's packets, equal to the version in their headers, and
/// that of records.
const OF_EVENTS: u8 = 1;
const OF_RECORDS: u8 = 2;

/// The text of `metadata`.
pub(super) fn metadata(
    counts: Counts,
    declared: &DeclaredSchemas<'_>,
    classes: &Classes,
) -> String {
    let Counts { hz, first_ticks, precision, .. } = counts;
    let about = counts.about();
    let precision = precision.map_or_else(String::new, |it| format!(r#","precision":{it}"#));
    let first = match first_ticks {
        0 => String::new(),
        first => format!(r#","first_tick":"{first}""#),
    };
    // With a single class of streams, no member selects it.
    let (mut class, mut of_class, mut version) = (String::new(), String::new(), fixed(8, &[]));
    if !classes.is_empty() {
        class = format!(r#","id":{OF_EVENTS}"#);
        of_class = format!(r#","data-stream-class-id":{OF_EVENTS}"#);
        version = fixed(8, &["data-stream-class-id"]);
    }
    let mut texts = vec![
        r#"{"type":"preamble","version":2}"#.to_owned(),
        format!(
            r#"{{"type":"trace-class","environment":{{"tracer_name":"tband"{first}}},"packet-header-field-class":{}}}"#,
            structure(&[
                ("magic", fixed(32, &["packet-magic-number"])),
                ("stream", fixed(8, &["data-stream-id"])),
                ("version", version),
            ])
        ),
        format!(
            r#"{{"type":"clock-class","id":"timer","name":"timer","description":"{about}","frequency":{hz}{precision}}}"#
        ),
        format!(
            r#"{{"type":"data-stream-class"{class},"default-clock-class-id":"timer","packet-context-field-class":{},"event-record-header-field-class":{}}}"#,
            structure(&[
                ("sequence", fixed(16, &["packet-sequence-number"])),
                ("content_size", fixed(16, &["packet-content-length"])),
                ("packet_size", fixed(16, &["packet-total-length"])),
                ("cpu_id", fixed(32, &[])),
                ("begin", fixed(64, &["default-clock-timestamp"])),
                ("end", fixed(64, &["packet-end-default-clock-timestamp"])),
                ("discarded", fixed(32, &["discarded-event-record-counter-snapshot"])),
            ]),
            event_header()
        ),
    ];
    texts.extend(EVENTS.iter().map(|def| event(&of_class, def)));
    texts.extend(declared.iter().map(|(id, schema)| described(&of_class, id, &schema)));
    if !classes.is_empty() {
        texts.push(records());
        texts.extend(classes.iter().enumerate().map(|(id, class)| record(id, class)));
    }
    texts.iter().map(|text| format!("{SEPARATOR}{text}\n")).collect()
}

/// The id, and the lowest 6, 14, 30 or 62 bits of the time after two bits that select the length. Members of a byte have no
/// alignment, or they would begin at the next byte.
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

/// The streams of records.
fn records() -> String {
    format!(
        r#"{{"type":"data-stream-class","id":{OF_RECORDS},"default-clock-class-id":"timer","packet-context-field-class":{},"event-record-header-field-class":{}}}"#,
        structure(&[
            ("begin", fixed(64, &["default-clock-timestamp"])),
            ("end", fixed(64, &["packet-end-default-clock-timestamp"])),
            ("content_size", fixed(64, &["packet-content-length"])),
            ("packet_size", fixed(64, &["packet-total-length"])),
            ("sequence", fixed(64, &["packet-sequence-number"])),
            ("discarded", fixed(64, &["discarded-event-record-counter-snapshot"])),
            ("cpu_id", fixed(32, &[])),
        ]),
        structure(&[
            ("id", fixed(16, &["event-record-class-id"])),
            ("time", fixed(64, &["default-clock-timestamp"])),
        ])
    )
}

fn record(id: usize, Class { name, fields }: &Class) -> String {
    let mut members = Vec::new();
    for field in fields {
        if field.of == FieldType::Memory {
            members.push((field.length(), fixed(32, &[])));
        }
        members.push((field.name.clone(), field_of_record(field)));
    }
    let members: Vec<_> =
        members.iter().map(|(name, class)| (name.as_str(), class.clone())).collect();
    format!(
        r#"{{"type":"event-record-class","data-stream-class-id":{OF_RECORDS},"id":{id},"name":"{}","payload-field-class":{}}}"#,
        escaped(name),
        structure(&members)
    )
}

fn field_of_record(field: &Field) -> String {
    match field.of {
        FieldType::Bool => {
            r#"{"type":"fixed-length-boolean","length":8,"byte-order":"little-endian","alignment":8}"#.to_owned()
        }
        FieldType::Signed(bits) => integer("signed-integer", bits, ""),
        FieldType::Unsigned(bits) => integer("unsigned-integer", bits, ""),
        FieldType::Float => integer("floating-point-number", 32, ""),
        FieldType::Double => integer("floating-point-number", 64, ""),
        FieldType::Pointer => {
            let base = r#","preferred-display-base":16"#;
            integer("unsigned-integer", 64, &format!("{base}{}", mappings(field)))
        }
        FieldType::Constant(_) => integer("unsigned-integer", 32, &mappings(field)),
        FieldType::Text => STRING.to_owned(),
        FieldType::Memory => format!(
            r#"{{"type":"dynamic-length-array","length-field-location":{{"origin":"event-record-payload","path":["{}"]}},"element-field-class":{}}}"#,
            field.length(),
            fixed(8, &[])
        ),
    }
}

/// Returns an integer of this many bits at a whole byte, with more members.
fn integer(what: &str, bits: u32, more: &str) -> String {
    format!(
        r#"{{"type":"fixed-length-{what}","length":{bits},"byte-order":"little-endian","alignment":8{more}}}"#
    )
}

/// Returns the names of values; several may have the same name.
fn mappings(field: &Field) -> String {
    let mut by_name: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (value, name) in &field.values {
        by_name.entry(name).or_default().push(format!("[{value},{value}]"));
    }
    if by_name.is_empty() {
        return String::new();
    }
    let named: Vec<_> = by_name
        .iter()
        .map(|(name, values)| format!(r#""{}":[{}]"#, escaped(name), values.join(",")))
        .collect();
    format!(r#","mappings":{{{}}}"#, named.join(","))
}

fn event(of_class: &str, def: &EventDef) -> String {
    let fields: Vec<_> = def.fields.iter().map(|field| (field.name, field_class(field))).collect();
    format!(
        r#"{{"type":"event-record-class"{of_class},"id":{},"name":"{}","attributes":{{"tband":{{"about":"{}"}}}},"payload-field-class":{}}}"#,
        def.id,
        def.name,
        escaped(def.doc),
        structure(&fields)
    )
}

/// Names contain no characters that need escapes.
fn described(of_class: &str, id: u8, schema: &Schema<'_>) -> String {
    let class = |kind| match kind {
        SchemaKind::U8 => fixed(8, &[]),
        SchemaKind::U32 | SchemaKind::U64 => variable("unsigned"),
        SchemaKind::Str => STRING.to_owned(),
        // A missing value, or "for ever", is -1.
        _ => variable("signed"),
    };
    let fields: Vec<_> = schema.fields().map(|(name, kind)| (name, class(kind))).collect();
    format!(
        r#"{{"type":"event-record-class"{of_class},"id":{id},"name":"{}","attributes":{{"tband":{{"about":"As the recording describes it."}}}},"payload-field-class":{}}}"#,
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
        // A missing value is -1.
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
