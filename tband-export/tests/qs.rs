//! Frames of QS, read by a strict reader that only knows the protocol's description: frames are complete and in order, records
//! match the dictionaries, and events and times are those of the dump.

use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;

use proptest::prelude::*;
use tband_conv::clock::moment::Moment;
use tband_conv::dump::{DumpFormat, DumpOptions, dump};
use tband_conv::model::{EventSink, Events, TimedEvent};
use tband_conv::{Input, Options, convert};
use tband_export::convert_to_qs;
use tband_format::Event;
use tband_format::field::FieldKind;
use tband_format::registry::{EVENTS, FieldDef};
use tband_recordings::inputs::{random, vectors};
use tband_recordings::random::config;
use tband_recordings::{Recording, str, two_tasks};

/// An element of a record of the application.
#[derive(Clone, Debug, PartialEq)]
enum Element {
    Word(String),
    Number(i128),
    Text(String),
    Object { key: u64, name: String },
}

/// An event as it was read: its ticks, core, name and fields.
type Row = (u64, u8, String, Vec<Element>);

#[derive(Default)]
struct Reader {
    users: BTreeMap<u8, String>,
    words: BTreeMap<(u8, u8), String>,
    objects: BTreeMap<u64, String>,
    functions: BTreeMap<u64, String>,
    has_info: bool,
    /// The upper half of ticks.
    turn: u64,
    clocks: Vec<(u64, i64)>,
    rows: Vec<Row>,
    lost: Vec<(String, i128)>,
    /// Ticks, and from which priority to which; to the idle task 0.
    switches: Vec<(u64, u8, u8)>,
    /// After which of `lost` a sequence number was left out.
    gaps: Vec<usize>,
}

/// Data of a record.
struct Data<'a>(&'a [u8]);

impl<'a> Data<'a> {
    fn take(&mut self, len: usize) -> &'a [u8] {
        let (head, rest) = self.0.split_at(len);
        self.0 = rest;
        head
    }

    fn byte(&mut self) -> u8 {
        self.take(1)[0]
    }

    fn unsigned(&mut self, len: usize) -> u64 {
        let mut bytes = [0; 8];
        bytes[..len].copy_from_slice(self.take(len));
        u64::from_le_bytes(bytes)
    }

    fn text(&mut self) -> String {
        let end = self.0.iter().position(|byte| *byte == 0).expect("a text ends with a zero byte");
        let text = self.take(end).to_vec();
        self.byte();
        String::from_utf8(text).expect("UTF-8")
    }

    fn end(&self) {
        assert!(self.0.is_empty(), "{} bytes too many", self.0.len());
    }
}

impl Reader {
    fn read(file: &[u8]) -> Self {
        let mut reader = Self::default();
        let mut expected = 0_u8;
        let frames = file.strip_suffix(&[0x7E]).expect("the last frame ends");
        for frame in frames.split(|byte| *byte == 0x7E) {
            let mut bytes = Vec::new();
            let mut all = frame.iter();
            while let Some(byte) = all.next() {
                bytes.push(if *byte == 0x7D {
                    let escaped = all.next().expect("an escape is before a byte") ^ 0x20;
                    assert!([0x7E, 0x7D].contains(&escaped), "{escaped:#x} needs no escape");
                    escaped
                } else {
                    *byte
                });
            }
            assert!((3..=512).contains(&bytes.len()), "a record of {} bytes", bytes.len());
            let sum = bytes.iter().fold(0_u8, |sum, byte| sum.wrapping_add(*byte));
            assert_eq!(sum, 0xFF, "the checksum");
            if bytes[0] != expected {
                assert_eq!(bytes[0], expected.wrapping_add(1), "one number is left out");
                reader.gaps.push(reader.lost.len());
            }
            expected = bytes[0].wrapping_add(1);
            reader.record(bytes[1], Data(&bytes[2..bytes.len() - 1]));
        }
        reader
    }

    fn time(&self, data: &mut Data<'_>) -> u64 {
        self.turn << 32 | data.unsigned(4)
    }

    fn record(&mut self, number: u8, mut data: Data<'_>) {
        assert!(self.has_info || [0, 64].contains(&number), "record {number} before the sizes");
        match number {
            0 => {}
            52 => {
                let at = self.time(&mut data);
                let (now, before) = (data.byte(), data.byte());
                self.switches.push((at, before, now));
            }
            53 => {
                let at = self.time(&mut data);
                let before = data.byte();
                self.switches.push((at, before, 0));
            }
            54 => {
                let (value, group) = (data.byte(), data.byte());
                self.words.insert((group, value), data.text());
            }
            61 => {
                let key = data.unsigned(8);
                assert_ne!(key, 0, "0 is NULL");
                self.objects.insert(key, data.text());
            }
            62 => {
                let key = data.unsigned(8);
                self.functions.insert(key, data.text());
            }
            63 => {
                let user = data.byte();
                // Those that readers keep for tests are not an application's.
                assert!((100..124).contains(&user));
                self.users.insert(user, data.text());
            }
            64 => {
                let kind = data.byte();
                assert_eq!((kind & 3, kind >> 7, kind >> 6 & 1), (2, 0, 1), "the layout, a reset");
                assert_eq!(!data.unsigned(4) as u32 % 10_000, 813);
                let sizes = data.take(7);
                assert_eq!((sizes[3], sizes[4]), (0x88, 4), "addresses and times");
                data.take(6);
                self.has_info = true;
            }
            100.. => {
                let name = self.users.get(&number).expect("a record that has a name").clone();
                self.user(&name, &mut data);
            }
            other => panic!("a record {other}"),
        }
        data.end();
    }

    fn user(&mut self, name: &str, data: &mut Data<'_>) {
        let at = self.time(data);
        let mut elements = Vec::new();
        while !data.0.is_empty() {
            elements.push(self.element(data));
        }
        let mut rest = elements.into_iter();
        let mut next = || rest.next().expect("an element");
        match name {
            "CLOCK" => {
                let (Element::Number(ticks), Element::Number(ns)) = (next(), next()) else {
                    panic!("no times")
                };
                assert_eq!(ticks as u32, at as u32, "its own time");
                self.turn = ticks as u64 >> 32;
                self.clocks.push((ticks as u64, ns as i64));
            }
            "LOST" => {
                let (Element::Text(what), _, Element::Number(amount)) = (next(), next(), next())
                else {
                    panic!("no amount")
                };
                self.lost.push((what, amount));
            }
            _ => {
                let (Element::Word(event) | Element::Text(event)) = next() else {
                    panic!("an event has a name")
                };
                let Element::Number(core) = next() else { panic!("an event has a core") };
                self.rows.push((at, core as u8, event, rest.collect()));
            }
        }
    }

    fn element(&self, data: &mut Data<'_>) -> Element {
        let format = data.byte();
        match format & 15 {
            0 => {
                assert!(format & 0x80 != 0, "an enumeration");
                let value = (format >> 4 & 7, data.byte());
                Element::Word(self.words[&value].clone())
            }
            1 => Element::Number(data.byte().into()),
            5 => Element::Number(data.unsigned(4).into()),
            8 => Element::Text(data.text()),
            kind @ (11 | 12) => {
                let key = data.unsigned(8);
                let of = if kind == 11 { &self.objects } else { &self.functions };
                Element::Object { key, name: of[&key].clone() }
            }
            13 => Element::Number(data.unsigned(8).cast_signed().into()),
            14 => Element::Number(data.unsigned(8).into()),
            other => panic!("a format {other}"),
        }
    }
}

fn converted(inputs: &[Input<'_>], options: &Options) -> Reader {
    let mut out = Vec::new();
    convert_to_qs(inputs, options, &mut out).unwrap();
    Reader::read(&out)
}

/// An element as the dump has it: numbers of objects without their kinds.
fn plain(element: &Element) -> String {
    match element {
        Element::Word(text) | Element::Text(text) => text.clone(),
        Element::Number(number) => number.to_string(),
        Element::Object { key, .. } => (*key as u32).to_string(),
    }
}

/// Returns the events of the dump: ticks of timed ones, core, name and fields.
fn dumped(inputs: &[Input<'_>]) -> Vec<(Option<u64>, u8, String, Vec<String>)> {
    let mut out = Vec::new();
    dump(inputs, DumpOptions::of(DumpFormat::Json), &mut out).unwrap();
    let mut rows = Vec::new();
    for line in String::from_utf8(out).unwrap().lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let Some(name) = line["event"].as_str() else { continue };
        let def = EVENTS.iter().find(|it| it.name == name).expect("an event of the registry");
        let shown = |field: &FieldDef| {
            let value = line.get(field.name)?;
            // Values that have names are numbers in the dump.
            if let (FieldKind::Enum { values, .. }, Some(number)) = (field.kind, value.as_u64())
                && let Some((_, name)) = values.iter().find(|it| u64::from(it.0) == number)
            {
                return Some((*name).to_owned());
            }
            Some(value.as_str().map_or_else(|| value.to_string(), str::to_owned))
        };
        let fields = def.fields.iter().filter_map(shown).collect();
        let core = line["core"].as_u64().unwrap() as u8;
        rows.push((line["ts"].as_u64().filter(|_| !def.metadata), core, name.to_owned(), fields));
    }
    rows.sort();
    rows
}

#[test]
fn recordings_of_another_implementation_are_the_dump() {
    vectors(|inputs| {
        let read = converted(inputs, &Options::default());
        let is_metadata = |name: &str| EVENTS.iter().any(|it| it.name == name && it.metadata);
        let mut rows: Vec<_> = read
            .rows
            .iter()
            .map(|(at, core, name, fields)| {
                let at = Some(*at).filter(|_| !is_metadata(name));
                (at, *core, name.clone(), fields.iter().map(plain).collect::<Vec<_>>())
            })
            .collect();
        rows.sort();
        let expected = dumped(inputs);
        assert_eq!(rows.len(), expected.len());
        for (row, expected) in rows.iter().zip(&expected) {
            // A long text is cut to the room in a record.
            let is_cut = |(a, b): (&String, &String)| {
                a == b || a.strip_suffix("...").is_some_and(|a| a.len() > 400 && b.starts_with(a))
            };
            let (fields, all) = (&row.3, &expected.3);
            assert!(fields.len() == all.len() && fields.iter().zip(all).all(is_cut), "{row:?}");
            assert_eq!((row.0, row.1, &row.2), (expected.0, expected.1, &expected.2));
        }
    });
}

/// Each event with its ticks, as sinks get them.
#[derive(Default)]
struct TickCollector(Vec<(u64, u8, String, usize)>);

impl EventSink for TickCollector {
    fn event(&mut self, event: &TimedEvent<'_>) -> io::Result<ControlFlow<()>> {
        let mut fields = 0;
        event.decoded.event.for_each_field(|_, _| fields += 1);
        // Their texts replace the fields.
        if matches!(event.decoded.event, Event::Record { .. } | Event::Typed { .. }) {
            fields = 1;
        }
        let name = event.decoded.event.name().to_owned();
        self.0.push((event.ticks, event.at.core as u8, name, fields));
        Ok(ControlFlow::Continue(()))
    }
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn random_recordings_are_their_events(recording in random(|_| true)) {
        recording.check(|inputs, options| {
            let read = converted(inputs, options);
            let mut events = Events::new(TickCollector::default());
            convert(inputs, options, &mut events).unwrap();
            let expected = events.into_inner().0;
            let rows: Vec<_> = read
                .rows
                .into_iter()
                .map(|(at, core, name, fields)| (at, core, name, fields.len()))
                .collect();
            assert_eq!(rows, expected);
            // Each loss is followed by a number that is left out, unless it is the last record.
            let gaps = read.gaps.len();
            assert!(gaps <= read.lost.len() && (gaps > 0 || read.lost.len() < 2));
        });
    }
}

/// Names, switches with their priorities, wraps of the time, losses.
#[test]
fn names_switches_turns_and_losses() {
    let turn = 1_u64 << 32;
    let recording = two_tasks()
        .meta(Event::TaskBasePriority { task_id: 1, priority: 3 })
        .meta(Event::TaskBasePriority { task_id: 2, priority: 5 })
        .meta(Event::TaskBasePriority { task_id: 7, priority: 0 })
        .meta(Event::TaskIsIdleTask { task_id: 7, core_id: 0 })
        .at(10, Event::TaskSwitchedIn { task_id: 1 })
        .at(20, Event::TaskSwitchedIn { task_id: 2 })
        .at(25, Event::ApiEnter { function: 1 })
        .at(30, Event::TaskSwitchedIn { task_id: 7 })
        .at(40, Event::Valmarker { valmarker_id: 3, val: i64::MIN })
        .at(turn - 1, Event::Evtmarker { evtmarker_id: 3, msg: str("a\0b") })
        .at(turn + 2, Event::TaskSwitchedIn { task_id: 1 })
        .at(turn + 3, Event::DroppedEvtCnt { cnt: 5 })
        .at(turn + 9, Event::TaskSwitchedIn { task_id: 2 })
        .meta(Event::TaskName { task_id: 2, name: str("other") })
        .at(turn + 12, Event::TaskToRdyState { task_id: 2 });
    let inputs = [Input::from_bytes("r", &recording.0)];
    let read = converted(&inputs, &Options::default());
    assert_eq!(read.switches, [(20, 3, 5), (30, 5, 0), (turn + 2, 0, 3)]);
    assert_eq!(read.clocks.iter().map(|it| it.0).collect::<Vec<_>>(), [10, turn + 2]);
    assert_eq!(read.clocks[1].1 - read.clocks[0].1, ((turn - 8) * 10) as i64);
    let lost: Vec<_> = read.lost.iter().map(|it| it.1).collect();
    assert_eq!((lost, read.gaps), (vec![5], vec![1]));
    let of = |at: u64| read.rows.iter().find(|it| it.0 == at).expect("a record").clone();
    let object = |name: &str, kind: u64, id: u64| Element::Object {
        key: kind << 48 | id,
        name: name.to_owned(),
    };
    assert_eq!(of(10).3, [object("a", 1, 1)]);
    assert_eq!(of(turn + 12).3, [object("other", 1, 2)]);
    assert!(matches!(&of(25).3[..], [Element::Object { name, .. }] if name.len() > 3));
    assert_eq!(of(40).3[0], object("value 3", 8, 3));
    assert_eq!(of(40).3[1], Element::Number(i64::MIN.into()));
    assert_eq!(of(turn - 1).3[1], Element::Text("a?b".to_owned()));
}

/// Log records of the application are texts, from formats of the program and names of the recording.
#[test]
fn records_of_the_application_are_texts() {
    let recording = two_tasks()
        .at(10, Event::Record { at: 1, is: str("\u{e}e") })
        .at(20, Event::Record { at: 9, is: str("\u{e}") })
        .at(30, Event::Typed { no: 5, is: str("B\u{3}sab\u{1}") })
        .meta(Event::Constant { constant_id: 0x1000_0005, name: str("STATE") });
    let mut options = Options::default();
    options.record_formats = vec![(1, b"iI:pos %d of %u\x03".to_vec())];
    let read = converted(&[Input::from_bytes("r", &recording.0)], &options);
    let of = |at: u64| {
        let (_, _, name, fields) = read.rows.iter().find(|it| it.0 == at).expect("a record");
        let [Element::Text(text)] = &fields[..] else { panic!("no text: {fields:?}") };
        format!("{name}: {text}")
    };
    assert_eq!(of(10), "record: pos -7 of 100");
    assert_eq!(of(20), "record: record with a format that is not known, at 0x9: 1 byte");
    assert_eq!(of(30), "typed: STATE 2 ab");
}

/// Each loss has a record up to a number of them, and after that a gap; the rest is summed up.
#[test]
fn many_losses_are_summed_up() {
    let recording = (1..=300_u32).fold(two_tasks(), |recording, n| {
        recording
            .at((10 * n).into(), Event::DroppedEvtCnt { cnt: 2 * n })
            .at((10 * n + 5).into(), Event::TaskSwitchedIn { task_id: 1 + n % 2 })
    });
    let read = converted(&[Input::from_bytes("r", &recording.0)], &Options::default());
    assert_eq!(read.lost.len(), 101);
    assert_eq!(read.gaps.len(), 300);
    let amounts: i128 = read.lost.iter().map(|it| it.1).sum();
    assert_eq!((amounts, read.lost[100].1), (600, 400));
}

/// A window has the names and priorities from before it.
#[test]
fn windows_know_what_was_before() {
    let recording = two_tasks()
        .at(10, Event::TaskSwitchedIn { task_id: 1 })
        .meta(Event::TaskName { task_id: 9, name: str("late") })
        .meta(Event::TaskBasePriority { task_id: 9, priority: 2 })
        .at(20, Event::TaskPrioritySet { task_id: 1, priority: 4 })
        .at(30, Event::TaskSwitchedIn { task_id: 9 })
        .at(40, Event::TaskSwitchedIn { task_id: 1 })
        .at(50, Event::TaskSwitchedIn { task_id: 9 });
    let inputs = [Input::from_bytes("r", &recording.0)];
    let mut options = Options::default();
    (options.from, options.to) = (Some(Moment::Ns(350)), Some(Moment::Ns(450)));
    let read = converted(&inputs, &options);
    let name = |id: u64, name: &str| vec![Element::Object { key: 1 << 48 | id, name: name.into() }];
    assert_eq!(read.rows, [(40, 0, "task_switched_in".to_owned(), name(1, "a"))]);
    assert_eq!(read.switches, [(40, 2, 4)]);
    options.to = Some(Moment::Ns(600));
    let read = converted(&inputs, &options);
    assert_eq!(read.rows[1].3, name(9, "late"));
}

/// A recording without an event is still a session, and texts that are too long for a record are cut.
#[test]
fn records_have_room_for_all() {
    let long = "ä".repeat(600);
    let recording = Recording::default()
        .at(5, Event::IsrEnter { isr_id: 1 })
        .at(6, Event::Evtmarker { evtmarker_id: 1, msg: str(&long) })
        .meta(Event::IsrName { isr_id: 1, name: str(&long) });
    let inputs = [Input::from_bytes("r", &recording.0)];
    let read = converted(&inputs, &Options::default());
    let texts: Vec<_> = read.rows.iter().flat_map(|it| &it.3).map(plain).collect();
    let cut = texts.iter().find(|it| it.starts_with('ä')).expect("the text");
    assert!(cut.ends_with("ä...") && (480..510).contains(&cut.len()), "{}", cut.len());
    assert!(read.objects.values().all(|it| it.len() <= 127));
}
