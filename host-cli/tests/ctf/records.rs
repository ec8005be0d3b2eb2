//! Log records of the application in traces of the Common Trace Format, read by babeltrace2: as many as in a dump, each with
//! its time, and with fields whose types and values are those of the dump's arguments.

use std::fs;

use crate::support::babeltrace::{Version, read};
use crate::support::*;
use serde_json::Value;
use tband_format::{Event, Str};
use tband_recordings::packed::pieces;
use tband_recordings::records::{of_every_type, signed, text};
use tband_recordings::{Recording, str, two_tasks};

/// An event of a trace: time, name, fields with their values as JSON has them.
type CtfEvent = (u64, String, Vec<(String, Value)>);

/// Converts, and reads the trace's events that are records.
fn converted(version: Version, folder: &Folder, input: &str) -> Option<Vec<CtfEvent>> {
    let format = if version == Version::One { "ctf1" } else { "ctf2" };
    let out = folder.path(format);
    let _ = fs::remove_dir_all(&out);
    let ran = run(&["conv", "--output-format", format, "-o", &out, input]);
    // 1: it is started twice, or on two cores at once.
    assert!(matches!(ran.code, Some(0 | 1)), "{}", ran.stderr);
    let (lines, complaints) = read(version, &out)?;
    assert_eq!(complaints, "");
    let is_record = |line: &&String| [" record", " typed"].iter().any(|it| line.contains(it));
    // Bytes that are not characters are written in a form that JSON does not have.
    Some(lines.iter().filter(is_record).map(|line| parsed(&line.replace("\\x", "\\u00"))).collect())
}

/// The line of an event: `time name, { field = value, … }`.
fn parsed(line: &str) -> CtfEvent {
    let (time, rest) = line.split_once(' ').unwrap();
    let (name, fields) = rest.rsplit_once(", { ").unwrap_or((rest.trim_end_matches(", { }"), ""));
    let mut fields = fields.trim_end_matches('}').trim_end();
    let mut found = Vec::new();
    while !fields.is_empty() {
        let (name, rest) = fields.split_once(" = ").unwrap();
        let (value, rest) = value(rest);
        found.push((name.to_owned(), value));
        fields = rest.trim_start_matches(", ");
    }
    (time.parse().unwrap_or(0), name.to_owned(), found)
}

/// Parses a value, and returns the rest.
fn value(text: &str) -> (Value, &str) {
    let quoted = |text: &str| {
        let mut strings = serde_json::Deserializer::from_str(text).into_iter::<String>();
        let string = strings.next().unwrap().unwrap();
        (Value::from(string), strings.byte_offset())
    };
    if let Some(rest) = text.strip_prefix("( ") {
        // An enumeration: `( "name" : container = 1 )`.
        if rest.starts_with('"') {
            let (name, len) = quoted(rest);
            return (name, rest[len..].split_once(')').unwrap().1);
        }
        let (number, rest) = rest.split_once("container = ").unwrap().1.split_once(" )").unwrap();
        return (value(number).0, rest);
    }
    if text.starts_with('"') {
        let (string, len) = quoted(text);
        return (string, &text[len..]);
    }
    if let Some(rest) = text.strip_prefix('[') {
        // `[ [0] = 16, [1] = 0 ]`
        let (inside, rest) = match rest.strip_prefix(" ]") {
            Some(rest) => ("", rest),
            None => rest.split_once(" ]").unwrap(),
        };
        let bytes = inside.split(", ").filter_map(|it| it.split_once(" = "));
        let digits: String =
            bytes.map(|(_, byte)| format!("{:02x}", byte.parse::<u8>().unwrap())).collect();
        return (Value::from(digits), rest);
    }
    let len = text.find([',', ' ']).unwrap_or(text.len());
    let (number, rest) = text.split_at(len);
    let value = match serde_json::from_str(number) {
        Ok(value) => value,
        // Hexadecimal, infinities, NaN.
        Err(_) => Value::from(number),
    };
    (value, rest)
}

/// Returns the form for comparisons: differences between the notations of babeltrace2 and of a dump are removed.
fn plain(value: &Value) -> String {
    match value {
        Value::Number(number) if number.is_f64() => format!("{:?}", number.as_f64().unwrap()),
        Value::Object(pointer) => plain(pointer.get("name").unwrap_or(&pointer["address"])),
        Value::String(text) => text.trim_start_matches(['+', '-']).to_lowercase(),
        value => value.to_string(),
    }
}

/// Records of a dump: time, event, arguments; none if it does not know them.
fn dumped(input: &str) -> Vec<(u64, String, u64, Option<Vec<Value>>)> {
    let text = run(&["dump", "--json", input]).text();
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines
        .filter(|it| it["event"] == "record" || it["event"] == "typed")
        .map(|it| {
            let event = it["event"].as_str().unwrap().to_owned();
            let number = it["at"].as_u64().or_else(|| it["no"].as_u64()).unwrap();
            (it["ts"].as_u64().unwrap(), event, number, it["arguments"].as_array().cloned())
        })
        .collect()
}

/// The names of the events and their fields, in their order; those that stay as they are have `is`.
const EXPECTED: [(&str, &[&str]); 17] = [
    ("record i8=%hhd %u motor.i16=%hd %hu i32=%d %u %lld u64=%llu", &INTEGERS),
    ("record i8=%hhd %u motor.i16=%hd %hu i32=%d %u %lld u64=%llu", &INTEGERS),
    ("record on=%d letter=%c %f volts=%.2f name=%s data=%p", &OTHERS),
    ("record on=%d letter=%c %f volts=%.2f name=%s data=%p", &OTHERS),
    ("record x=%p x=%p %% \"quoted\" back\\slash at=%p %d", &["at", "x", "x_2", "at_2", "arg4"]),
    ("record i8=%hhd %u motor.i16=%hd %hu i32=%d %u %lld u64=%llu (cut)", &["at", "i8", "arg2"]),
    ("record begin job %d", &["at", "arg1"]),
    ("record end done", &["at"]),
    ("record same %d", &["at", "arg1"]),
    ("record same %d #7", &["at", "arg1"]),
    ("record", &["at", "is"]),
    ("record", &["at", "is"]),
    ("record", &["at", "is"]),
    (
        "record PHILO_STAT",
        &["no", "object", "arg2", "arg3", "arg4", "arg5", "arg6", "arg7", "arg8_length", "arg8"],
    ),
    ("record 4", &["no", "arg1", "arg2"]),
    ("record PHILO_STAT (cut)", &["no", "object", "arg2"]),
    ("typed", &["no", "is"]),
];
const INTEGERS: [&str; 9] = ["at", "i8", "arg2", "motor_i16", "arg4", "i32", "arg6", "arg7", "u64"];
const OTHERS: [&str; 8] = ["at", "on", "letter", "arg3", "volts", "name", "data_length", "data"];

#[track_caller]
fn records_are_read_as(version: Version, folder: &Folder) {
    let frames = of_every_type().0;
    for bytes in [frames.clone(), pieces(&frames, 512).concat(), pieces(&frames, 128).concat()] {
        let input = folder.file("r.bin", &bytes);
        let Some(shown) = converted(version, folder, &input) else { return };
        let dumped = dumped(&input);
        let names: Vec<(&str, Vec<&str>)> = shown
            .iter()
            .map(|(_, name, fields)| {
                (name.as_str(), fields.iter().map(|it| it.0.as_str()).collect())
            })
            .collect();
        assert_eq!(names, EXPECTED.map(|(name, fields)| (name, fields.to_vec())));
        assert_eq!(shown.len(), dumped.len());
        for ((time, name, fields), (ts, event, number, arguments)) in shown.iter().zip(&dumped) {
            assert_eq!(time, ts, "{name}");
            let is_raw = fields.iter().any(|(name, _)| name == "is");
            if is_raw {
                assert_eq!(name, event);
                continue;
            }
            let first = match &fields[0].1 {
                Value::String(hex) => {
                    u64::from_str_radix(hex.trim_start_matches("0x"), 16).unwrap()
                }
                number => number.as_u64().unwrap(),
            };
            assert_eq!(first, *number, "{name}");
            let values = fields[1..].iter().filter(|(name, _)| !name.ends_with("_length"));
            let values: Vec<_> = values.map(|(_, value)| plain(value)).collect();
            let arguments: Vec<_> = arguments.as_ref().expect("known").iter().map(plain).collect();
            assert_eq!(values, arguments, "{name}");
        }
    }
}

#[test]
fn records_as_ctf_1() {
    records_are_read_as(Version::One, &Folder::new("ctf-records1"));
}

#[test]
fn records_as_ctf_2() {
    records_are_read_as(Version::Two, &Folder::new("ctf-records2"));
}

/// The width and signedness of each field are those of the format, not derived from its values.
#[test]
fn fields_have_the_types_of_arguments() {
    let folder = Folder::new("ctf-types");
    let input = folder.file("r.bin", &of_every_type().0);
    let out = folder.path("trace");
    assert_eq!(run(&["conv", "--output-format", "ctf1", "-o", &out, &input]).code, Some(0));
    let metadata = fs::read_to_string(folder.0.join("trace/metadata")).unwrap();
    let fields = |name: &str| -> Vec<String> {
        let event = metadata.split("\nevent {").find(|it| it.contains(name)).unwrap();
        let fields = event.split_once("fields := struct {\n").unwrap().1;
        let lines = fields.lines().take_while(|line| line.ends_with(';') && *line != "\t};");
        lines.map(|line| line.trim().trim_end_matches(';').to_owned()).collect()
    };
    assert_eq!(
        fields("\"record i8=%hhd %u motor.i16=%hd %hu i32=%d %u %lld u64=%llu\""),
        [
            "pointer_t _at",
            "int8_t _i8",
            "uint8_t _arg2",
            "int16_t _motor_i16",
            "uint16_t _arg4",
            "int32_t _i32",
            "uint32_t _arg6",
            "int64_t _arg7",
            "uint64_t _u64"
        ]
    );
    assert_eq!(
        fields("\"record on="),
        [
            "pointer_t _at",
            "enum : uint8_t { \"false\" = 0, \"true\" = 1 } _on",
            "int8_t _letter",
            "float_t _arg3",
            "double_t _volts",
            "string { encoding = UTF8; } _name",
            "uint32_t _data_length",
            "uint8_t _data[_data_length]"
        ]
    );
    assert_eq!(fields("\"record same %d\"")[1], "int32_t _arg1");
    assert_eq!(fields("\"record same %d #")[1], "int64_t _arg1");
}

/// Two cores, and two inputs: each has its records in separate files, and other events stay where they were.
#[test]
fn records_have_separate_streams() {
    let folder = Folder::new("ctf-cores");
    let one = of_every_type().at(2000, Event::CoreId { core_id: 1 });
    let both = [one.0, of_every_type().0].concat();
    let input = folder.file("r.bin", &both);
    let shown = converted(Version::One, &folder, &input).expect("it was there");
    assert_eq!(shown.len(), 2 * EXPECTED.len());
    let files = fs::read_dir(folder.0.join("ctf1")).unwrap();
    let mut names: Vec<_> =
        files.map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["core0", "core1", "metadata", "records0", "records1"]);
}

/// Formats by their addresses, then a record of each argument.
fn with_formats(formats: &[(u32, &[u8])], records: &[(u32, Vec<u8>)]) -> Recording {
    let format = |recording: Recording, (at, text): &(u32, &[u8])| {
        recording.meta(Event::Format { format_id: *at, text: Str(text) })
    };
    let record = |recording: Recording, (number, (at, is)): (u64, &(u32, Vec<u8>))| {
        recording.at(10 + number, Event::Record { at: *at, is: Str(is) })
    };
    (0..).zip(records).fold(formats.iter().fold(two_tasks(), format), record)
}

/// A zero byte ends strings in a trace. A record with one is counted, and reported, in both versions.
#[test]
fn omits_and_reports_text_that_a_zero_byte_would_cut() {
    let folder = Folder::new("ctf-zero");
    let formats: [(u32, &[u8]); 1] = [(0x100, b"s:name=%s\x03")];
    let recording = with_formats(&formats, &[(0x100, text(b"a\0b")), (0x100, text(b"whole"))])
        .at(20, Event::Typed { no: 3, is: Str(&[b"s".as_slice(), &text(b"c\0d")].concat()) })
        .at(30, Event::Evtmarker { evtmarker_id: 1, msg: str("e\0f") });
    let input = folder.file("r.bin", &recording.0);
    for format in ["ctf1", "ctf2"] {
        let ran = run(&["conv", "--output-format", format, "-o", &folder.path(format), &input]);
        assert!(ran.stderr.contains("5 events\n"), "{}", ran.stderr);
        assert!(ran.stderr.contains("3 events are left out"), "{format}: {}", ran.stderr);
    }
    let shown = converted(Version::One, &folder, &input).expect("it was there");
    assert_eq!(shown.len(), 1);
    assert_eq!(shown[0].2[1], ("name".to_owned(), Value::from("whole")));
}

/// A format may end with the suffix that distinguishes another one from its namesake.
#[test]
fn no_two_kinds_of_records_have_one_name() {
    let folder = Folder::new("ctf-namesakes");
    let formats: [(u32, &[u8]); 3] =
        [(0x100, b"i:x %d #2\x03"), (0x200, b"i:x %d\x03"), (0x300, b"q:x %d\x03")];
    let recording = with_formats(&formats, &formats.map(|(at, _)| (at, signed(1))));
    let input = folder.file("r.bin", &recording.0);
    let shown = converted(Version::One, &folder, &input).expect("it was there");
    let names: Vec<_> = shown.iter().map(|(_, name, _)| name.as_str()).collect();
    assert_eq!(names, ["record x %d #2", "record x %d", "record x %d #3"]);
}
