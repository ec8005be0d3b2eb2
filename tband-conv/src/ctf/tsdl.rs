//! What describes a trace of CTF 1.8, in its own language.

use std::fmt::Write;

use tband_format::{EVENTS, EventDef, FieldKind, Schema, SchemaKind};

use super::counts::Counts;
use super::declared::Declared;

/// The text of `metadata`.
pub(super) fn metadata(counts: Counts, declared: &Declared<'_>) -> String {
    let Counts { hz, first_ticks, precision } = counts;
    let mut about = String::from("\ttracer_name = \"tband\";\n");
    if first_ticks > 0 {
        line(&mut about, &format!("\tfirst_tick = \"{first_ticks}\";"));
    }
    let mut text = head("timer", "Timer of the target", (hz, precision), &about);
    EVENTS.iter().for_each(|def| event(&mut text, def));
    declared.iter().for_each(|(id, schema)| described(&mut text, id, &schema));
    text
}

/// The text of `metadata` of a trace of a kernel: events by their ids, each with the types and names of its fields.
pub(super) fn of_kernel(precision: Option<u64>, events: &[(&str, &[(&str, &str)])]) -> String {
    let about = "\tdomain = \"kernel\";\n\ttracer_name = \"lttng-modules\";\n\ttracer_major = 2;\n\
                 \ttracer_minor = 13;\n\tsysname = \"FreeRTOS\";\n";
    let mut text = head("monotonic", "Time of the target", (1_000_000_000, precision), about);
    for (id, (name, fields)) in events.iter().enumerate() {
        open_event(&mut text, name, id);
        for (class, field) in *fields {
            line(&mut text, &format!("\t\t{class} _{field};"));
        }
        text.push_str("\t};\n};\n");
    }
    text
}

/// What is before the events, with what the environment says.
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
         stream {{\n\tid = 0;\n\tpacket.context := struct {{\n\t\ttime_t timestamp_begin;\n\t\ttime_t timestamp_end;\n\
         \t\tuint64_t content_size;\n\t\tuint64_t packet_size;\n\t\tuint64_t packet_seq_num;\n\
         \t\tuint64_t events_discarded;\n\t\tuint32_t cpu_id;\n\t}};\n\
         \tevent.header := struct {{\n\t\tuint8_t id;\n\t\ttime_t timestamp;\n\t}};\n}};"
        ),
    );
    text
}

fn line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

fn event(text: &mut String, def: &EventDef) {
    open_event(text, def.name, def.id.into());
    for field in def.fields {
        // Readers take one line off, which keeps names apart from words of the language.
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
    open_event(text, schema.name(), id.into());
    for (name, kind) in schema.fields() {
        let class = match kind {
            SchemaKind::U8 => "uint8_t",
            SchemaKind::U32 | SchemaKind::Ticks => "uint32_t",
            SchemaKind::U64 => "uint64_t",
            SchemaKind::Str => "string { encoding = UTF8; }",
            // What is missing is -1.
            _ => "int64_t",
        };
        line(text, &format!("\t\t{class} _{name};"));
    }
    text.push_str("\t};\n};\n");
}

fn open_event(text: &mut String, name: &str, id: usize) {
    // Writing to a string cannot fail.
    let _ = write!(
        text,
        "\nevent {{\n\tname = \"{name}\";\n\tid = {id};\n\tstream_id = 0;\n\tfields := struct {{\n"
    );
}
