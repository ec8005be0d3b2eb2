//! flux: a recording against an independent log, the library's examples, blocks of each compression, sections, damage.

mod support;

use std::collections::HashMap;
use std::path::Path;

use serde_json::Value;
use support::recording;
use tband_conv::events::EventReader;
use tband_conv::item::{Item, Mode};
use tband_format::Event;
use tband_format::decode::Decoded;
use tband_format::registry::NOT_RECORDED;
use tband_import::format::InputFormat;
use tband_import::gaps::Break;
use tband_import::open::open;
use tband_import::output::{Content, Entry, Output, Record};

/// What a recording has of tasks, with times in ns.
fn of_tasks(bytes: &[u8]) -> Vec<(u64, &'static str, String)> {
    let mut events = EventReader::new(bytes, 0, Mode::FreeRtos);
    let (mut names, mut found, mut running) = (HashMap::new(), Vec::new(), None);
    while let Some(Item { event, .. }) = events.next_item().unwrap() {
        let Decoded { ts, event } = event.unwrap();
        let name = |id: u32| names.get(&id).cloned().unwrap_or_default();
        let mut add = |what, id| found.push((ts.unwrap(), what, name(id)));
        match event {
            Event::TaskName { task_id, name } => {
                names.insert(task_id, String::from_utf8(name.0.to_vec()).unwrap());
            }
            Event::TaskSwitchedIn { task_id } => {
                add("in", task_id);
                running = Some(task_id);
            }
            Event::TaskToRdyState { task_id } => add("ready", task_id),
            // The running task leaves, to a state that is not recorded.
            Event::CurtaskBlockOnQueueReceive { queue_id: NOT_RECORDED, .. } => {
                add("out", running.take().unwrap());
            }
            _ => {}
        }
    }
    found
}

/// The file was written from the log, so each switch and each ready event is there at its time, in the same order.
#[test]
fn each_switch_and_ready_event_of_the_log_is_there() {
    let mut logged = Vec::new();
    let log = String::from_utf8(recording("flux/replay.truth.jsonl")).unwrap();
    for line in log.lines() {
        let event: Value = serde_json::from_str(line).unwrap();
        let text = |name: &str| event[name].as_str().unwrap().to_owned();
        let what = match text("ev").as_str() {
            "in" => "in",
            "out" => "out",
            _ => "ready",
        };
        logged.push((event["t"].as_u64().unwrap() * 40, what, text("task")));
    }
    // A row ends where the next one begins.
    let mut next = u64::MAX;
    for (time, what, _) in logged.iter_mut().rev() {
        match *what {
            "in" => next = *time,
            "out" => *time = next,
            _ => {}
        }
    }
    let found = of_tasks(&recording("flux/replay.recTr"));
    let missing: Vec<&(u64, &str, String)> =
        logged.iter().filter(|it| !found.contains(it)).collect();
    let extra: Vec<&(u64, &str, String)> = found.iter().filter(|it| !logged.contains(it)).collect();
    let shown = |all: &[_]| format!("{:?}", &all[..all.len().min(9)]);
    // The timer task gives way to itself: its row continues.
    let give_way = (8_675_000, "out", "Tmr Svc".to_owned());
    assert_eq!(missing, [&give_way], "{}", shown(&missing));
    assert_eq!((extra.len(), found.len()), (0, 1557), "{}", shown(&extra));
}

/// Events and breaks of a file that is given in pieces of this many bytes.
fn imported(bytes: &[u8], piece: usize) -> (Vec<String>, Vec<Break>) {
    let mut importer = open(InputFormat::Flux, 0).unwrap();
    let (mut out, mut events, mut breaks) = (Output::default(), Vec::new(), Vec::new());
    let (mut from, mut to) = (0, piece.min(bytes.len()));
    while from < bytes.len() {
        let at_end = to == bytes.len();
        out.clear();
        out.begin_call();
        let len = importer.read(&bytes[from..to], at_end, &mut out);
        assert!(len > 0 || !at_end, "stuck at {from}");
        from += len;
        if len == 0 {
            to = (to + piece).min(bytes.len());
        }
        for record in out.iter() {
            match record {
                Record::Other(Entry { content: Content::Break(what), .. }) => breaks.push(*what),
                record => {
                    let Decoded { ts, event } =
                        record.decode(&out).expect("flux reports no losses");
                    events.push(format!("{ts:?} {event:?}"));
                }
            }
        }
    }
    (events, breaks)
}

/// A number of seven bits a byte.
fn number(mut of: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while of > 0x7F {
        bytes.push(of as u8 | 0x80);
        of >>= 7;
    }
    bytes.push(of as u8);
    bytes
}

fn block(mode: u8, original: usize, compressed: &[u8]) -> Vec<u8> {
    [&[0, 5, mode], &*number(original), &number(compressed.len()), compressed].concat()
}

/// FastLZ without a match.
fn literals(bytes: &[u8]) -> Vec<u8> {
    bytes.chunks(32).flat_map(|chunk| [&[chunk.len() as u8 - 1], chunk].concat()).collect()
}

/// LZ4 without a match.
fn lz4_literals(bytes: &[u8]) -> Vec<u8> {
    let mut all = vec![0xF0];
    let mut left = bytes.len() - 15;
    while left >= 255 {
        all.push(255);
        left -= 255;
    }
    all.push(left as u8);
    all.extend_from_slice(bytes);
    all
}

#[test]
fn packed_files_and_sections_have_the_same_events() {
    use std::io::Write as _;
    let plain = recording("flux/replay.recTr");
    let expected = imported(&plain, 1 << 20);
    assert!(expected.0.len() > 2490 && expected.1.is_empty());
    assert_eq!(imported(&plain, 7), expected);
    let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    zlib.write_all(&plain).unwrap();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(&plain).unwrap();
    let contents =
        [lz4_literals(&plain), literals(&plain), zlib.finish().unwrap(), gzip.finish().unwrap()];
    for (mode, content) in (0..).zip(contents) {
        let packed = block(mode, plain.len(), &content);
        for piece in [1000, 1 << 20] {
            assert_eq!(imported(&packed, piece), expected, "mode {mode}");
        }
    }
    // Sections end anywhere in parts, some are empty, and each has more bytes than it uses.
    let mut sections = vec![0, 6, 0, 3, 0, 0, 0, 1, 2, 3];
    for (counter, used) in (0..).zip(plain.chunks(500)) {
        let (size, len) = (used.len() as u16 + 2, used.len() as u16);
        sections.extend_from_slice(&[0, 6, counter % 15 + 1]);
        sections.extend_from_slice(&size.to_le_bytes());
        sections.extend_from_slice(&len.to_le_bytes());
        sections.extend_from_slice(used);
        sections.extend_from_slice(&[9, 9]);
    }
    assert_eq!(imported(&sections, 1 << 20), expected);
    // One is missing.
    sections.drain(10 + 20 * 509..10 + 21 * 509);
    let (events, breaks) = imported(&sections, 1 << 20);
    assert!(events.len() > 2300 && matches!(breaks[..], [Break::Loss(_), ..]), "{breaks:?}");
}

/// Definitions of one trace, as bytes: a scope with a task, a number, a text and a structure.
fn small(version: u8) -> Vec<u8> {
    let mut file = b"\0\x01flux".to_vec();
    file.extend_from_slice(&[version, 0, 1, b't', 0, 0, 20, 20]);
    file.extend_from_slice(b"\0\x10\x01\x00\x06Core 1\x00");
    file.extend_from_slice(b"\0\x11\x02\x01\x04Task\x00\x01\x07gantt<>");
    file.extend_from_slice(b"\0\x11\x03\x01\x01n\x00\x02\x00");
    file.extend_from_slice(b"\0\x11\x04\x01\x01s\x00\x07\x00");
    file.extend_from_slice(b"\0\x12\x05\x06\x01\x01m\x00\x05\x00");
    file.extend_from_slice(b"\0\x20\x01\x02us\x01\x05\x00");
    file.extend_from_slice(b"\0\x30\x02\x00\x07Running\x01\0\x30\x02\x00\x07Blocked\x02");
    let parent: &[u8] = if version >= 6 { b"\0" } else { b"" };
    file.extend_from_slice(&[b"\0\x31\x04\x00", parent, b"\x02m0\x03\x00"].concat());
    // Control entries, relations and labels change nothing.
    file.extend_from_slice(b"\0\x80\x01\x02\x01\x00\x01\x02ab\0\x81\x01\x02\x00");
    file
}

#[test]
fn both_versions_have_tasks_numbers_texts_and_structures() {
    for version in [4, 6] {
        let mut file = small(version);
        file.extend_from_slice(&[2 << 3, 0x12, 1]);
        let relation: &[u8] = if version >= 6 {
            b"\0\x40\x02\x01\x01\x01\x01\xFF\x00"
        } else {
            b"\0\x40\x02\x01\x01\x01\xFF"
        };
        file.extend_from_slice(relation);
        file.extend_from_slice(b"\0\x41\x02\x01\x00\x00");
        file.extend_from_slice(&[3 << 3 | 2, 7, 0x21, 0xF1, 0xFF]);
        file.extend_from_slice(&[4 << 3 | 2, 1, 0x41, 0, 3, 1, 9]);
        file.extend_from_slice(&[6 << 3 | 3, 1, 0x21, b'h', b'i']);
        file.extend_from_slice(&[2 << 3 | 2, 1, 0x12, 2]);
        file.extend_from_slice(b"\0\x21\x01\x01\x20");
        let (events, breaks) = imported(&file, 1 << 20);
        assert_eq!(breaks, []);
        let all = events.join("\n");
        for text in [
            "Some(5000) TaskSwitchedIn { task_id: 1 }",
            "Some(12000) Valmarker { valmarker_id: 3, val: -15 }",
            "Some(13000) Evtmarker { evtmarker_id: 4, msg: \"m0=9\" }",
            "Some(14000) Evtmarker { evtmarker_id: 6, msg: \"hi\" }",
            "Some(15000) CurtaskBlockOnQueueReceive { queue_id: 4294967295, ticks_to_wait: 4294967295 }",
            "Some(15000) RunningTask { task_id: 4294967295 }",
        ] {
            assert!(all.contains(text), "version {version}: {text} is not in\n{all}");
        }
    }
}

/// An emitter of each part that the format has.
struct Emitter {
    version: u8,
    file: Vec<u8>,
}

impl Emitter {
    fn new(version: u8) -> Self {
        let mut file = b"\0\x01flux".to_vec();
        file.extend_from_slice(&[version, 7, 1, b't', 0, 0, 30, 0x80, 0x20]);
        Self { version, file }
    }

    fn entry(&mut self, tag: u8, body: &[&[u8]]) {
        self.file.extend_from_slice(&[0, tag]);
        self.file.extend(body.concat());
    }

    fn signal(&mut self, item: u8, name: &str, kind: u8, descriptor: &str) {
        let (name, descriptor) = (text(name), text(descriptor));
        self.entry(0x11, &[&[item, 1], &name, &[0, kind], &descriptor]);
    }

    fn sample(&mut self, item: u8, delta: u8, form: u8, data: &[u8]) {
        let size = number(data.len() << 4 | usize::from(form));
        let front = number(usize::from(item) << 3 | 2);
        self.file.extend([&front[..], &[delta], &size, data].concat());
    }

    fn relation(&mut self, item: u8) {
        let six = self.version >= 6;
        let (side, base): (&[u8], &[u8]) = if six { (&[0], &[0]) } else { (&[], &[]) };
        self.entry(0x40, &[&[item], side, &[1, 1, 1, 2], base]);
    }
}

fn text(text: &str) -> Vec<u8> {
    [&[text.len() as u8], text.as_bytes()].concat()
}

/// Each part of the format is imported or counted as not shown.
#[test]
fn each_row_of_an_emitter_is_imported_or_named() {
    for version in [4, 6] {
        let mut it = Emitter::new(version);
        it.entry(0x10, &[&[1, 0], &text("all"), &[0]]);
        it.signal(2, "task", 1, "gantt<>");
        it.signal(3, "mode", 1, "gantt<>");
        it.signal(4, "event", 1, "default<>");
        it.signal(5, "integer", 2, "default<df=Hex>");
        it.signal(6, "logic", 3, "default<bits=16>");
        it.signal(7, "float", 4, "");
        it.signal(8, "text", 5, "");
        it.signal(9, "binary", 6, "");
        it.signal(10, "struct", 7, "");
        it.signal(11, "events", 8, "");
        it.signal(12, "integers", 9, "");
        it.signal(13, "floats", 10, "");
        it.signal(14, "texts", 11, "");
        // Bits 0 to 3 of a signal, a reference to one, and one to its bits.
        it.entry(0x14, &[&[15, 1], &text("bits"), &[0, 3, 0, 0, 3]]);
        it.entry(0x13, &[&[5, 1], &text("again"), &[0]]);
        it.entry(0x15, &[&[6, 1], &text("part"), &[0, 0, 3]]);
        it.entry(0x22, &[&text("us")]);
        it.entry(0x20, &[&[0, 0, 1, 10, 0]]);
        for (item, label, value) in
            [(2, "active", 1), (2, "pending", 2), (3, "fast", 1), (4, "edge", 1)]
        {
            it.entry(0x30, &[&[item, 0], &text(label), &[value]]);
        }
        it.sample(2, 1, 2, &[1]);
        it.sample(3, 1, 2, &[1]);
        it.sample(4, 1, 2, &[1]);
        it.sample(5, 1, 1, &[0x85]);
        it.sample(6, 1, 9, &[1, 2]);
        it.sample(7, 1, 5, &1.5_f32.to_le_bytes());
        it.sample(7, 1, 9, &f64::NAN.to_le_bytes());
        it.sample(8, 1, 1, b"hello");
        it.sample(9, 1, 1, &[0xAB, 0xCD]);
        it.sample(10, 1, 1, &[0, 3, 1, 9]);
        it.sample(11, 1, 2, &[1, 1, 1, 2]);
        it.sample(12, 1, 5, &[1, 1, 1, 0xFF]);
        it.sample(13, 1, 5, &2.5_f32.to_le_bytes());
        it.sample(14, 1, 1, &[1, b'a', 1, b'b']);
        it.sample(15, 1, 5, &[]);
        it.relation(5);
        it.relation(6);
        it.entry(0x41, &[&[5, 1, 0, 0]]);
        // Samples without a value, in a row of numbers and one of texts.
        it.sample(5, 1, 0, &[]);
        it.sample(8, 1, 0, &[]);
        it.entry(0x80, &[&[1, 2, 0]]);
        // Samples are missing, and the position tells how far the time has come.
        it.entry(0x23, &[&[0, 2, 0xE8, 0x03]]);
        it.sample(5, 1, 1, &[7]);
        it.entry(0x21, &[&[0, 2, 0xEA, 0x03]]);
        let (events, breaks) = imported(&it.file, 1 << 20);
        assert_eq!(breaks, [], "version {version}");
        let all = events.join("\n");
        for text in [
            "Some(11000) TaskSwitchedIn { task_id: 1 }",
            "Some(12000) EvtmarkerBegin { evtmarker_id: 3, msg: \"fast\" }",
            "Some(13000) Evtmarker { evtmarker_id: 4, msg: \"edge\" }",
            "Some(14000) Valmarker { valmarker_id: 5, val: -123 }",
            "Some(15000) Valmarker { valmarker_id: 6, val: 258 }",
            "Some(16000) Valmarker { valmarker_id: 7, val: 1500 }",
            "Some(17000) Evtmarker { evtmarker_id: 7, msg: \"NaN\" }",
            "Some(18000) Evtmarker { evtmarker_id: 8, msg: \"hello\" }",
            "Some(19000) Evtmarker { evtmarker_id: 9, msg: \"0xabcd\" }",
            "Some(20000) Evtmarker { evtmarker_id: 10, msg: \"[0]=9\" }",
            "Some(21000) Evtmarker { evtmarker_id: 11, msg: \"[0]=1 [1]=2\" }",
            "Some(22000) Evtmarker { evtmarker_id: 12, msg: \"[0]=1 [1]=-1\" }",
            "Some(23000) Evtmarker { evtmarker_id: 13, msg: \"[0]=2.5\" }",
            "Some(24000) Evtmarker { evtmarker_id: 14, msg: \"[0]=a [1]=b\" }",
            "Some(25000) Valmarker { valmarker_id: 15, val: 1 }",
            "Some(1001000) Valmarker { valmarker_id: 5, val: 7 }",
        ] {
            assert!(all.contains(text), "version {version}: {text} is not in\n{all}");
        }
        let mut importer = open(InputFormat::Flux, 0).unwrap();
        let (mut out, mut from) = (Output::default(), 0);
        while from < it.file.len() {
            out.clear();
            out.begin_call();
            from += importer.read(&it.file[from..], true, &mut out);
        }
        let not_shown = importer.about().not_recorded;
        for text in [
            "2 relations between samples are not shown: tband derives what woke a task from the events",
            "1 label at samples is not shown",
            "2 references to signals are not shown: each signal has one row",
            "2 samples without a value are not shown: the row keeps the last one",
            "1 control message is not shown",
        ] {
            assert!(not_shown.iter().any(|it| it == text), "{text}: {not_shown:?}");
        }
    }
}

/// Damaged bytes are located, and reading resumes behind them.
#[test]
fn reads_events_after_damage() {
    let plain = recording("flux/replay.recTr");
    let all = imported(&plain, 1 << 20).0.len();
    let mut damaged = plain.clone();
    // No item has this number.
    damaged[9000..9040].fill(0xFF);
    let (events, breaks) = imported(&damaged, 1 << 20);
    assert!(matches!(breaks[..], [Break::Damage(_)]), "{breaks:?}");
    assert!(events.len() + 30 > all && events.len() < all, "{}", events.len());
    // A block that does not decompress.
    let packed = [
        block(1, 8000, &literals(&plain[..8000])),
        block(1, 600, &literals(&plain[8000..8500])),
        block(1, plain.len() - 8500, &literals(&plain[8500..])),
    ]
    .concat();
    let (_, breaks) = imported(&packed, 1 << 20);
    assert!(breaks.contains(&Break::Damage("a block that does not decompress")), "{breaks:?}");
}

/// A damaged length does not swallow the parts that it reaches over.
#[test]
fn reads_the_parts_inside_of_a_damaged_length() {
    let file = |len: usize| {
        let mut file = small(4);
        let numbers = |file: &mut Vec<u8>| {
            for value in 1..120 {
                file.extend_from_slice(&[3 << 3 | 2, 1, 0x21, value, 0]);
            }
        };
        numbers(&mut file);
        file.extend_from_slice(&[6 << 3 | 2, 1]);
        file.extend_from_slice(&number(len << 4 | 1));
        file.extend_from_slice(b"hi");
        numbers(&mut file);
        file
    };
    let (all, breaks) = imported(&file(2), 1 << 20);
    assert_eq!(breaks, []);
    for piece in [100, 1 << 20] {
        let (events, breaks) = imported(&file(300), piece);
        assert!(matches!(breaks[..], [Break::Damage(_)]), "{breaks:?}");
        assert!(events.len() + 4 > all.len(), "{} of {}", events.len(), all.len());
    }
}

/// The examples of the library, where they are: no byte of them is damaged for the importer.
#[test]
fn examples_of_the_library_have_no_loss() {
    let folder = Path::new("../../shared/recorders/flux");
    if !folder.is_dir() {
        eprintln!("skipped: {} is not there", folder.display());
        return;
    }
    for (name, events) in [("04", 600), ("05", 200), ("06", 600), ("08", 3000), ("11", 2800)] {
        let bytes = std::fs::read(folder.join(format!("example{name}.recTr"))).unwrap();
        let (found, breaks) = imported(&bytes, 1 << 20);
        assert_eq!(breaks, [], "example {name}");
        assert!(found.len() >= events, "example {name}: {}", found.len());
    }
}
