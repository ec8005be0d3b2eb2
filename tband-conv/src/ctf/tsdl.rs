//! The description of a trace of CTF 1.8, in its own language.

use std::fmt::Write;

use tband_format::field::FieldKind;
use tband_format::registry::{EVENTS, EventDef};
use tband_format::schema::{Schema, SchemaKind};

use super::counts::Counts;
use super::declared::DeclaredSchemas;
use super::records::{Class, Classes, Field, FieldType};

/// The text of `metadata`.
pub(super) fn metadata(
    counts: Counts,
    declared: &DeclaredSchemas<'_>,
    classes: &Classes,
) -> String {
    let Counts { hz, first_ticks, precision, .. } = counts;
    let mut about = String::from("\ttracer_name = \"tband\";\n");
    if first_ticks > 0 {
        line(&mut about, &format!("\tfirst_tick = \"{first_ticks}\";"));
    }
    let mut text = head("timer", counts.about(), (hz, precision), &about);
    EVENTS.iter().for_each(|def| event(&mut text, def));
    declared.iter().for_each(|(id, schema)| described(&mut text, id, &schema));
    if !classes.is_empty() {
        write_records(&mut text, classes);
    }
    text
}

/// The text of `metadata` of a trace of a kernel: events by their ids, each with the types and names of its fields.
pub(super) fn kernel_metadata(counts: Counts, events: &[(&str, &[(&str, &str)])]) -> String {
    let about = "\tdomain = \"kernel\";\n\ttracer_name = \"lttng-modules\";\n\ttracer_major = 2;\n\
                 \ttracer_minor = 13;\n\tsysname = \"FreeRTOS\";\n";
    let Counts { hz, precision, .. } = counts;
    let mut text = head("monotonic", counts.about(), (hz, precision), about);
    for (id, (name, fields)) in events.iter().enumerate() {
        open_event(&mut text, name, (0, id));
        for (class, field) in *fields {
            line(&mut text, &format!("\t\t{class} _{field};"));
        }
        text.push_str("\t};\n};\n");
    }
    text
}

/// Returns the part before the events, with the values of the environment.
fn head(
    clock: &str,
    about_clock: &str,
    (hz, precision): (u64, Option<u64>),
    environment: &str,
) -> String {
    let precision = precision.map_or_else(String::new, |it| format!("\tprecision = {it};\n"));
    let mut text = String::from("/* CTF 1.8 */\n\n");
    for (name, size, signed) in [
        ("uint8_t", 8, false),
        ("uint32_t", 32, false),
        ("int32_t", 32, true),
        ("uint64_t", 64, false),
        ("int64_t", 64, true),
    ] {
        let integer = format!("size = {size}; align = 8; signed = {signed}; byte_order = le;");
        line(&mut text, &format!("typealias integer {{ {integer} }} := {name};"));
    }
    line(
        &mut text,
        &format!(
            "\ntrace {{\n\tmajor = 1;\n\tminor = 8;\n\tbyte_order = le;\n\tpacket.header := struct {{\n\
         \t\tuint32_t magic;\n\t\tuint32_t stream_id;\n\t\tuint64_t stream_instance_id;\n\t}};\n}};\n\n\
         env {{\n{environment}}};\n\n\
         clock {{\n\tname = {clock};\n\tdescription = \"{about_clock}\";\n\tfreq = {hz};\n{precision}\toffset = 0;\n}};\n\n\
         typealias integer {{ size = 64; align = 8; signed = false; byte_order = le; map = clock.{clock}.value; }} := time_t;\n\n\
         {}",
            stream(0, "uint8_t")
        ),
    );
    text
}

/// A class of streams, whose events have ids of this type.
fn stream(id: u8, id_type: &str) -> String {
    format!(
        "stream {{\n\tid = {id};\n\tpacket.context := struct {{\n\t\ttime_t timestamp_begin;\n\t\ttime_t timestamp_end;\n\
         \t\tuint64_t content_size;\n\t\tuint64_t packet_size;\n\t\tuint64_t packet_seq_num;\n\
         \t\tuint64_t events_discarded;\n\t\tuint32_t cpu_id;\n\t}};\n\
         \tevent.header := struct {{\n\t\t{id_type} id;\n\t\ttime_t timestamp;\n\t}};\n}};"
    )
}

/// Writes records with their own types, and their streams.
fn write_records(text: &mut String, classes: &Classes) {
    text.push('\n');
    for (name, size, signed, base) in [
        ("int8_t", 8, true, "decimal"),
        ("int16_t", 16, true, "decimal"),
        ("uint16_t", 16, false, "decimal"),
        ("pointer_t", 64, false, "hexadecimal"),
    ] {
        let integer =
            format!("size = {size}; align = 8; signed = {signed}; byte_order = le; base = {base};");
        line(text, &format!("typealias integer {{ {integer} }} := {name};"));
    }
    for (name, exponent, mantissa) in [("float_t", 8, 24), ("double_t", 11, 53)] {
        let float =
            format!("exp_dig = {exponent}; mant_dig = {mantissa}; align = 8; byte_order = le;");
        line(text, &format!("typealias floating_point {{ {float} }} := {name};"));
    }
    line(text, &format!("\n{}", stream(1, "uint16_t")));
    for (id, Class { name, fields }) in classes.iter().enumerate() {
        open_event(text, &escaped(name), (1, id));
        fields.iter().for_each(|it| field(text, it));
        text.push_str("\t};\n};\n");
    }
}

fn field(text: &mut String, field: &Field) {
    let name = &field.name;
    let class = match field.of {
        FieldType::Bool => "enum : uint8_t { \"false\" = 0, \"true\" = 1 }".to_owned(),
        FieldType::Signed(bits) => format!("int{bits}_t"),
        FieldType::Unsigned(bits) => format!("uint{bits}_t"),
        FieldType::Float => "float_t".to_owned(),
        FieldType::Double => "double_t".to_owned(),
        FieldType::Pointer => with_names("pointer_t", field),
        FieldType::Constant(_) => with_names("uint32_t", field),
        FieldType::Text => "string { encoding = UTF8; }".to_owned(),
        FieldType::Memory => {
            let length = field.length();
            line(text, &format!("\t\tuint32_t _{length};\n\t\tuint8_t _{name}[_{length}];"));
            return;
        }
    };
    line(text, &format!("\t\t{class} _{name};"));
}

/// An integer whose values may have names.
fn with_names(integer: &str, field: &Field) -> String {
    if field.values.is_empty() {
        return integer.to_owned();
    }
    let values = field.values.iter();
    let values: Vec<_> =
        values.map(|(value, name)| format!("\"{}\" = {value}", escaped(name))).collect();
    format!("enum : {integer} {{ {} }}", values.join(", "))
}

/// Escapes a text for quotes; other characters of a text on one line need no escapes.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

fn line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

fn event(text: &mut String, def: &EventDef) {
    open_event(text, def.name, (0, def.id.into()));
    for field in def.fields {
        // Readers remove one underscore, which distinguishes names from keywords of the language.
        let _ = match field.kind {
            FieldKind::U8 => writeln!(text, "\t\tuint8_t _{};", field.name),
            FieldKind::U32 => writeln!(text, "\t\tuint32_t _{};", field.name),
            FieldKind::U64 => writeln!(text, "\t\tuint64_t _{};", field.name),
            FieldKind::S64 | FieldKind::Optional(_) => {
                writeln!(text, "\t\tint64_t _{};", field.name)
            }
            FieldKind::Str => writeln!(text, "\t\tstring {{ encoding = UTF8; }} _{};", field.name),
            FieldKind::Enum { values, .. } => {
                let values: Vec<_> =
                    values.iter().map(|(value, name)| format!("\"{name}\" = {value}")).collect();
                writeln!(text, "\t\tenum : uint8_t {{ {} }} _{};", values.join(", "), field.name)
            }
        };
    }
    text.push_str("\t};\n};\n");
}

fn described(text: &mut String, id: u8, schema: &Schema<'_>) {
    open_event(text, schema.name(), (0, id.into()));
    for (name, kind) in schema.fields() {
        let class = match kind {
            SchemaKind::U8 => "uint8_t",
            SchemaKind::U32 | SchemaKind::Ticks => "uint32_t",
            SchemaKind::U64 => "uint64_t",
            SchemaKind::Str => "string { encoding = UTF8; }",
            // A missing value is -1.
            _ => "int64_t",
        };
        line(text, &format!("\t\t{class} _{name};"));
    }
    text.push_str("\t};\n};\n");
}

/// An event of this stream and id.
fn open_event(text: &mut String, name: &str, (stream, id): (u8, usize)) {
    // Writing to a string cannot fail.
    let _ = write!(
        text,
        "\nevent {{\n\tname = \"{name}\";\n\tid = {id};\n\tstream_id = {stream};\n\tfields := struct {{\n"
    );
}
