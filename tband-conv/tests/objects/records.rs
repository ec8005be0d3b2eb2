//! Log records of the application: in the timeline and in dumps, with formats from the program or the recording, and with none.

use tband_conv::diagnostics::Problem;
use tband_conv::dump::{DumpFormat, DumpOptions, dump};
use tband_conv::records::{ProgramId, ProgramSymbol, formats_of_section};
use tband_conv::sinks::TimelineText;
use tband_conv::{Input, Options, convert};
use tband_format::{Event, Str};
use tband_recordings::frames;
use tband_recordings::set_up::is_sound;

const fn record(at: u32, is: &[u8]) -> Event<'_> {
    Event::Record { at, is: Str(is) }
}

const fn typed(no: u32, is: &[u8]) -> Event<'_> {
    Event::Typed { no, is: Str(is) }
}

/// As a program's section has them.
const SECTION: &[u8] = b"\0iI:pos x=%d of %u\x03\0s[job %s\x03\0:no arguments\x03\0i]%d done\x03\0";
const POS: u32 = 1;
const JOB: u32 = 20;
const NONE: u32 = 30;
const DONE: u32 = 45;

fn events() -> Vec<(u64, Event<'static>)> {
    vec![
        (0, Event::TaskName { task_id: 3, name: Str(b"sensor") }),
        (5, Event::TaskSwitchedIn { task_id: 3 }),
        (6, record(POS, &[14, 101])),
        (7, record(JOB, b"a\x01")),
        (8, record(NONE, b"")),
        (9, record(DONE, &[3])),
        (10, record(POS + 1, &[14, 101])),
        (11, record(POS, &[14])),
        // More values than the format has, and bytes that are not a number of its type.
        (12, record(POS, &[14, 101, 3])),
        (13, record(DONE, &[0x80])),
        (14, record(NONE, &[3])),
    ]
}

/// Returns the lines of the timeline about records.
fn lines(recording: &[u8], record_formats: Vec<(u32, Vec<u8>)>) -> Vec<String> {
    let mut options = Options::default();
    options.record_formats = record_formats;
    let mut text = TimelineText::new(Vec::new());
    let inputs = [Input::from_bytes("records", recording)];
    let summary = convert(&inputs, &options, &mut text).expect("a recording");
    assert!(is_sound(&summary.diagnostics), "{:?}", summary.diagnostics);
    let text = String::from_utf8(text.into_inner()).expect("text");
    let lines = text.lines().filter(|line| line.contains("record") || line.contains(" x "));
    lines.map(|line| line.trim().to_owned()).collect()
}

#[test]
fn the_timeline_contains_the_texts_of_records() {
    let found = lines(&frames(&events()), formats_of_section(0, SECTION));
    let expected = [
        "6 0 sensor's records: \"pos x=-7 of 100\"",
        "6 0 x = -7",
        "7 0 sensor's records: begin \"job a\"",
        "8 0 sensor's records: \"no arguments\"",
        "9 0 sensor's records: end",
        "10 0 sensor's records: \"record with a format that is not known, at 0x2: 2 bytes\"",
        "11 0 sensor's records: \"pos x=-7 of \\xe2\\x80\\xa6\"",
        "11 0 x = -7",
        "12 0 sensor's records: \"record with a format that does not fit it, at 0x1: 3 bytes\"",
        "13 0 sensor's records: \"record with a format that does not fit it, at 0x2d: 1 byte\"",
        "14 0 sensor's records: \"record with a format that does not fit it, at 0x1e: 1 byte\"",
    ];
    assert_eq!(found, expected);
}

#[test]
fn formats_in_the_recording_count_the_same() {
    let mut all = Vec::new();
    for (at, format) in formats_of_section(0, SECTION) {
        for (piece, text) in format.chunks(5).enumerate() {
            all.push((at + 5 * piece as u32, text.to_vec()));
        }
    }
    let formats =
        all.iter().map(|(at, text)| (0, Event::Format { format_id: *at, text: Str(text) }));
    let declared: Vec<_> = formats.chain(events()).collect();
    let by_program = lines(&frames(&events()), formats_of_section(0, SECTION));
    assert_eq!(lines(&frames(&declared), Vec::new()), by_program);
    // In the other order, and after the records: the first pass finds them.
    let late: Vec<_> = declared.iter().rev().filter(|it| it.1.is_metadata()).copied().collect();
    let late: Vec<_> = events().into_iter().chain(late).collect();
    assert_eq!(lines(&frames(&late), Vec::new()), by_program);
}

fn dumped(format: DumpFormat) -> String {
    let recording = frames(&events());
    let record_formats = formats_of_section(0, SECTION);
    let mut out = Vec::new();
    let input = Input::from_bytes("records", &recording);
    let wanted = DumpOptions { record_formats, ..DumpOptions::of(format) };
    dump(&[input], wanted, &mut out).expect("a recording");
    String::from_utf8(out).expect("text")
}

#[test]
fn dumps_have_texts_and_arguments() {
    let text = dumped(DumpFormat::Text);
    assert!(
        text.contains(" record                   at=1 is=\"\\u{e}e\" \"pos x=-7 of 100\"\n"),
        "{text}"
    );
    let json = dumped(DumpFormat::Json);
    let expected =
        r#""event":"record","at":1,"is":"\u000ee","text":"pos x=-7 of 100","arguments":[-7,100]}"#;
    assert!(json.contains(expected), "{json}");
    assert!(json.contains(r#""text":"job a","arguments":["a"]}"#), "{json}");
    let unknown = r#""text":"record with a format that is not known, at 0x2: 2 bytes"}"#;
    assert!(json.contains(unknown), "{json}");
}

/// A target sends its formats when it finds the time: those of the last records come after them.
#[test]
fn dumps_find_formats_that_come_later() {
    let formats = formats_of_section(0, SECTION);
    let late =
        formats.iter().map(|(at, text)| (0, Event::Format { format_id: *at, text: Str(text) }));
    let name = (0, Event::Constant { constant_id: 0x1000_0005, name: Str(b"STATE") });
    let typed = (12, typed(5, b"B\x03"));
    let recording =
        frames(&events().into_iter().chain([typed]).chain(late).chain([name]).collect::<Vec<_>>());
    let dumped = |input: Input<'_>| {
        let mut out = Vec::new();
        dump(&[input], DumpOptions::of(DumpFormat::Json), &mut out).expect("a recording");
        String::from_utf8(out).expect("text")
    };
    let again = dumped(Input::from_bytes("records", &recording));
    for text in [r#""text":"pos x=-7 of 100""#, r#""text":"job a""#, r#""text":"STATE 2""#] {
        assert!(again.contains(text), "{text}: {again}");
    }
    // An input that can be read only once has them from there on.
    let once = dumped(Input::once("records", &*recording));
    assert!(once.contains("a format that is not known") && !once.contains("job a\""), "{once}");
}

/// A program's facts apply only if the recording does not show that another one has made it.
#[test]
fn formats_of_another_program_are_not_used() {
    let program = |build: u32| (0, Event::Program { first: 1, second: build });
    let of = |build: u32| (0, Event::FormatsOf { first: 1, second: build });
    let formats = formats_of_section(0, SECTION);
    let format = (0, Event::Format { format_id: JOB, text: Str(b"s[job %s\x03") });
    let job = (7, record(JOB, b"a\x01"));
    let given = |build: Option<u64>, name: &str, events: &[(u64, Event<'_>)]| {
        let recording = frames(events);
        let mut options = Options::default();
        options.record_formats.clone_from(&formats);
        options.program = ProgramId { build, name: Some(name.to_owned()), ..ProgramId::default() };
        let mut text = TimelineText::new(Vec::new());
        let inputs = [Input::from_bytes("records", &recording)];
        let summary = convert(&inputs, &options, &mut text).expect("a recording");
        let is_other = summary.diagnostics.get(Problem::OtherProgram).is_some();
        let text = String::from_utf8(text.into_inner()).expect("text");
        let wanted = DumpOptions {
            program: options.program.clone(),
            record_formats: formats.clone(),
            ..DumpOptions::default()
        };
        let mut out = Vec::new();
        dump(&inputs, wanted, &mut out).expect("a recording");
        let dumped = String::from_utf8(out).expect("text");
        assert_eq!(dumped.contains("\"job a\""), text.contains("\"job a\""), "{dumped}");
        (text.contains("\"job a\""), is_other)
    };
    let whole = Some(1 << 32 | 2);
    assert_eq!(given(whole, "a", &[job]), (true, false));
    assert_eq!(given(whole, "a", &[program(2), job]), (true, false));
    assert_eq!(given(whole, "a", &[program(3), job]), (false, true));
    assert_eq!(given(whole, "a", &[job, program(3)]), (false, true));
    let build = (0, Event::BuildId { id: Str(b"b") });
    assert_eq!(given(whole, "a", &[build, job]), (false, true));
    assert_eq!(given(whole, "a", &[build, program(2), job]), (true, false));
    assert_eq!(given(None, "b", &[build, program(2), job]), (true, false));
    // A longer name is another one, as v1.10 after v1.1.
    assert_eq!(given(None, "b1", &[build, program(2), job]), (false, true));
    // Those of another program that a tool has put into the recording; a caller that gives the right program takes precedence.
    assert_eq!(given(whole, "a", &[of(3), format, program(2), job]), (true, false));
    for (events, expected) in [
        (&[of(2), format, program(2), job][..], "begin \"job a\""),
        (&[of(3), format, program(2), job], "not known"),
        (&[program(2), of(3), format, job], "not known"),
        (&[of(3), format, job], "begin \"job a\""),
        (&[format, program(2), job], "begin \"job a\""),
    ] {
        let recording = frames(events);
        let mut text = TimelineText::new(Vec::new());
        let inputs = [Input::from_bytes("records", &recording)];
        convert(&inputs, &Options::default(), &mut text).expect("a recording");
        let text = String::from_utf8(text.into_inner()).expect("text");
        assert!(text.contains(expected), "{events:?}: {text}");
    }
}

/// Recording continues while another program is flashed: a program's facts apply to events that it has made, and the
/// recording's own facts stay.
#[test]
fn several_programs_in_a_recording() {
    let program = |build: u32| (0, Event::Program { first: 1, second: build });
    let name = (0, Event::BuildId { id: Str(b"b") });
    let symbol = (0, Event::Symbol { symbol_id: 0x1000, name: Str(b"own") });
    let job = |ts| (ts, record(JOB, b"a\x01"));
    let own = |ts| (ts, typed(6, b"p\x81\x20"));
    let given = |ts| (ts, typed(6, b"p\x81\x40"));
    let output = |build: u32, events: &[(u64, Event<'_>)]| {
        let recording = frames(events);
        let mut options = Options::default();
        options.record_formats = formats_of_section(0, SECTION);
        let symbol = ProgramSymbol { at: 0x2000, name: "given".to_owned(), ..Default::default() };
        options.symbols = vec![symbol];
        let build = Some(1 << 32 | u64::from(build));
        options.program = ProgramId { build, name: Some("a".to_owned()), ..ProgramId::default() };
        let inputs = [Input::from_bytes("records", &recording)];
        let mut text = TimelineText::new(Vec::new());
        convert(&inputs, &options, &mut text).expect("a recording");
        let wanted = DumpOptions {
            program: options.program.clone(),
            record_formats: options.record_formats.clone(),
            symbols: options.symbols.clone(),
            ..DumpOptions::default()
        };
        let mut out = Vec::new();
        dump(&inputs, wanted, &mut out).expect("a recording");
        let found = [text.into_inner(), out].map(|text| {
            let text = String::from_utf8(text).expect("text");
            let of_record =
                |line: &&str| ["job", "record 6", "not known"].iter().any(|it| line.contains(it));
            let lines = text.lines().filter(of_record);
            let word = |line: &str| {
                let words = ["job a", "6 own", "6 given", "6 0x", "not known"];
                words.into_iter().find(|word| line.contains(word)).unwrap_or("?").to_owned()
            };
            lines.map(word).collect::<Vec<_>>()
        });
        assert_eq!(found[0], found[1]);
        found[0].join(", ")
    };
    let first = [program(2), job(1), given(2), program(3), job(3), given(4)];
    assert_eq!(output(2, &first), "job a, 6 given, not known, 6 0x");
    assert_eq!(output(3, &first), "not known, 6 0x, job a, 6 given");
    let back = [program(2), job(1), program(3), program(2), job(3), given(4)];
    assert_eq!(output(2, &back), "job a, job a, 6 given");
    // The name comes first, and is another one; then the build id shows that it is the one.
    assert_eq!(output(2, &[symbol, name, program(2), own(1), given(2)]), "6 own, 6 given");
    assert_eq!(output(2, &[symbol, name, program(3), own(1), given(2)]), "6 own, 6 0x");
    // Of late formats the first counts.
    assert_eq!(output(2, &[job(1), program(2), program(3), job(2)]), "job a, not known");
}

/// A dump reads ahead for formats only if it has a line that needs one.
#[test]
fn dumps_read_once_more_only_for_records_that_are_shown() {
    let recording = frames(&events());
    let opened = std::cell::Cell::new(0);
    let opens = |wanted: DumpOptions| {
        opened.set(0);
        let input = Input::new("records", || {
            opened.set(opened.get() + 1);
            Ok(Box::new(&*recording))
        });
        let mut out = Vec::new();
        dump(&[input], wanted, &mut out).expect("a recording");
        opened.get()
    };
    assert_eq!(opens(DumpOptions::default()), 2);
    assert_eq!(opens(DumpOptions { limit: Some(2), ..DumpOptions::default() }), 1);
    let events = vec!["task_switched_in".to_owned()];
    assert_eq!(opens(DumpOptions { events, ..DumpOptions::default() }), 1);
}
