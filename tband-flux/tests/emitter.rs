//! A strict reader reads everything that the emitter writes, whatever the handler takes, and refused entries leave no
//! bytes.

use std::collections::BTreeMap;

use proptest::prelude::*;
use tband_flux::encoding::entry::{self, NamedItem};
use tband_flux::encoding::member::{self, Member, Value};
use tband_flux::encoding::{Version, sample};
use tband_flux::{Buffer, Error, Handler, Item, Sequence, Setup, Trace};
use tband_flux_reader::{File, Trace as Read};

const ITEMS: u16 = 12;
const MAX_ENTRY: u16 = 48;

const fn named(parent: u32, name: &str) -> NamedItem<'_> {
    NamedItem { parent, name: name.as_bytes(), about: b"" }
}

const fn setup(trace: u32, version: Version) -> Setup {
    Setup { trace, version, max_item: ITEMS, max_entry: MAX_ENTRY }
}

/// A handler that takes the bytes it is given, up to a limit in each call.
#[derive(Default)]
struct LimitedHandler {
    all: Vec<u8>,
    /// Limits for the next calls; after that the handler takes everything.
    limits: Vec<usize>,
}

impl Handler for LimitedHandler {
    fn take(&mut self, bytes: &[u8]) -> usize {
        assert!(!bytes.is_empty());
        let taken = self.limits.pop().unwrap_or(bytes.len()).min(bytes.len());
        self.all.extend_from_slice(&bytes[..taken]);
        taken
    }
}

/// Defines two scopes with a signal of each kind, and opens the requested ones.
fn define<H: Handler>(trace: &mut Trace<'_>, buffer: &mut Buffer<'_, H>) {
    trace.head(buffer, b"test", b"").unwrap();
    trace.scope(buffer, 1, &named(0, "a")).unwrap();
    trace.scope(buffer, 2, &named(1, "b")).unwrap();
    let kinds = [
        (3, 1, sample::EVENT),
        (4, 1, sample::INTEGER),
        (5, 2, sample::FLOAT),
        (6, 2, sample::TEXT),
        (7, 2, sample::BINARY),
        (8, 1, sample::STRUCT),
    ];
    for (item, parent, kind) in kinds {
        let name = format!("s{item}");
        trace.signal(buffer, item, &named(parent, &name), kind, b"").unwrap();
    }
}

/// Words and members, which belong after the start of a sequence.
fn words<H: Handler>(trace: &mut Trace<'_>, buffer: &mut Buffer<'_, H>) {
    for number in 1..=3 {
        let label = format!("w{number}");
        trace.enumeration(buffer, 3, entry::VALUES, label.as_bytes(), number).unwrap();
    }
    trace.enumeration(buffer, 8, entry::VALUES, b"on", 200).unwrap();
    trace.enumeration(buffer, 4, entry::TARGETS, b"\\a\\s3", 3).unwrap();
    trace.enumeration(buffer, 4, entry::STYLES, b"Why/444444/line/no", 1).unwrap();
    trace.enumeration(buffer, 4, entry::LABELS, b"Here/444444/star", 1).unwrap();
    let members = [
        ("t", member::TEXT),
        ("e", member::ENUMERATION),
        ("i", member::INTEGER),
        ("f", member::FLOAT),
        ("b", member::BINARY),
    ];
    for (id, (label, kind)) in (1..).zip(members) {
        trace.member(buffer, 8, id, label.as_bytes(), kind, b"").unwrap();
    }
}

/// A value that is written, by the item that has its type.
#[derive(Clone, Debug)]
enum WrittenValue {
    Event(u32),
    Integer(i64),
    Unsigned(u64),
    Float(f32),
    Double(f64),
    Text(String),
    Binary(Vec<u8>),
    Struct(i64, String),
    None(u32),
}

impl WrittenValue {
    const fn item(&self) -> u32 {
        match self {
            Self::Event(_) => 3,
            Self::Integer(_) | Self::Unsigned(_) => 4,
            Self::Float(_) | Self::Double(_) => 5,
            Self::Text(_) => 6,
            Self::Binary(_) => 7,
            Self::Struct(..) => 8,
            Self::None(item) => *item,
        }
    }

    /// As the reader shows it.
    fn as_shown(&self) -> Option<String> {
        Some(match self {
            Self::Event(value) => format!("w{value}"),
            Self::Integer(value) => value.to_string(),
            Self::Unsigned(value) => value.to_string(),
            Self::Float(value) => value.to_string(),
            Self::Double(value) => value.to_string(),
            Self::Text(text) => text.clone(),
            Self::Binary(bytes) => bytes.iter().map(|it| format!("{it:02x}")).collect(),
            Self::Struct(number, text) => {
                format!("t={text} e=on i={number} f={} b=0001", *number as f32)
            }
            Self::None(_) => return None,
        })
    }

    fn write<H: Handler>(
        &self,
        trace: &mut Trace<'_>,
        buffer: &mut Buffer<'_, H>,
        time: i64,
    ) -> Result<(), Error> {
        let at = (self.item(), time);
        match self {
            Self::Event(value) => trace.event(buffer, at, *value),
            Self::Integer(value) => trace.integer(buffer, at, *value),
            Self::Unsigned(value) => trace.unsigned(buffer, at, *value),
            Self::Float(value) => trace.float(buffer, at, *value),
            Self::Double(value) => trace.double(buffer, at, *value),
            Self::Text(text) => trace.text(buffer, at, text.as_bytes()),
            Self::Binary(bytes) => trace.binary(buffer, at, bytes),
            Self::Struct(number, text) => {
                let members = [
                    Value::Text(text.as_bytes()),
                    Value::Enumeration(200),
                    Value::Integer(*number),
                    Value::Float(*number as f32),
                    Value::Binary(&[0, 1]),
                ];
                let nth = |at: usize| {
                    members.get(at).map(|value| Member { id: at as u32 + 1, value: *value })
                };
                trace.structure(buffer, at, &nth)
            }
            Self::None(_) => trace.none(buffer, at),
        }
    }
}

fn written() -> impl Strategy<Value = WrittenValue> {
    let number = prop_oneof![
        any::<i64>(),
        -300_i64..300,
        Just(i64::MIN),
        Just(i64::MAX),
        Just(0),
        Just(128),
        Just(-129)
    ];
    prop_oneof![
        (1..=3_u32).prop_map(WrittenValue::Event),
        number.clone().prop_map(WrittenValue::Integer),
        any::<u64>().prop_map(WrittenValue::Unsigned),
        (-1e6_f32..1e6).prop_map(WrittenValue::Float),
        (-1e6_f64..1e6).prop_map(WrittenValue::Double),
        // Longer than an entry may be, too.
        "[a-zäß]{0,45}".prop_map(WrittenValue::Text),
        proptest::collection::vec(any::<u8>(), 0..45).prop_map(WrittenValue::Binary),
        (number, "[a-z]{0,9}").prop_map(|(number, text)| WrittenValue::Struct(number, text)),
        (3..=8_u32).prop_map(WrittenValue::None),
    ]
}

fn step() -> impl Strategy<Value = (u32, WrittenValue)> {
    (prop_oneof![0..3_u32, 0..1_000_000_u32], written())
}

/// The samples of each signal.
type Samples = BTreeMap<String, Vec<(i64, Option<String>)>>;

fn samples(read: &Read) -> Samples {
    let signals = read.items.values().filter(|it| it.kind.is_some() && !it.samples.is_empty());
    signals
        .map(|it| {
            (it.name.clone(), it.samples.iter().map(|it| (it.at, it.value.clone())).collect())
        })
        .collect()
}

fn add(samples: &mut Samples, time: i64, value: &WrittenValue) {
    samples.entry(format!("s{}", value.item())).or_default().push((time, value.as_shown()));
}

/// The number 0 takes no bytes, as everywhere in the format.
#[test]
fn the_number_zero_has_no_byte() {
    for version in [Version::Four, Version::Six] {
        let mut memory = [0; 600];
        let mut buffer = Buffer::linear(&mut memory, LimitedHandler::default());
        let (mut items, mut sequences) = ([Item::default(); 13], [Sequence::default(); 2]);
        let mut trace = Trace::new(setup(0, version), &buffer, &mut items, &mut sequences).unwrap();
        define(&mut trace, &mut buffer);
        trace.open(&mut buffer, 0, b"us", 0, 0).unwrap();
        trace.integer(&mut buffer, (4, 0), 0).unwrap();
        trace.unsigned(&mut buffer, (4, 0), 0).unwrap();
        trace.integer(&mut buffer, (4, 0), 1).unwrap();
        trace.flush(&mut buffer).unwrap();
        let all = &buffer.handler().all;
        // Item 4, the length and that it is a value.
        assert!(all.ends_with(&[4 << 3, 1, 4 << 3, 1, 4 << 3, 1 << 4 | 1, 1]), "{all:?}");
    }
}

/// The format's own library writes the greatest item unchanged, and enumerations as numbers of 32 bits, for which only
/// version 6 adds a byte for the sign.
#[test]
fn heads_and_large_words_have_the_bytes_of_the_formats_own_library() {
    for (version, large) in [
        (Version::Four, &[3 << 3, 4 << 4 | 2, 0, 0, 0, 0x80][..]),
        (Version::Six, &[3 << 3, 5 << 4 | 2, 0, 0, 0, 0x80, 0]),
    ] {
        let mut memory = [0; 600];
        let mut buffer = Buffer::linear(&mut memory, LimitedHandler::default());
        let (mut items, mut sequences) = ([Item::default(); 13], [Sequence::default(); 2]);
        let mut trace = Trace::new(setup(0, version), &buffer, &mut items, &mut sequences).unwrap();
        define(&mut trace, &mut buffer);
        trace.open(&mut buffer, 0, b"us", 0, 0).unwrap();
        words(&mut trace, &mut buffer);
        for (number, label) in [(1 << 31, "large"), (u32::MAX, "all")] {
            for item in [3, 8] {
                let label = label.as_bytes();
                trace.enumeration(&mut buffer, item, entry::VALUES, label, number).unwrap();
            }
        }
        let of = |number| {
            move |at: usize| {
                (at == 0).then_some(Member { id: 2, value: Value::Enumeration(number) })
            }
        };
        trace.structure(&mut buffer, (8, 0), &of(1 << 31)).unwrap();
        trace.event(&mut buffer, (3, 0), u32::MAX).unwrap();
        trace.event(&mut buffer, (3, 1), 1 << 31).unwrap();
        trace.flush(&mut buffer).unwrap();
        let all = &buffer.handler().all;
        let head =
            [0, 1, b'f', b'l', b'u', b'x', version.number(), 0, 4, b't', b'e', b's', b't', 0, 0];
        assert_eq!(all[..head.len()], head);
        assert_eq!(all[head.len()..head.len() + 2], [ITEMS as u8, MAX_ENTRY as u8]);
        let sample = [&[3 << 3 | 2, 1], &large[1..]].concat();
        assert!(all.ends_with(&sample), "{all:?}");
        let read = samples(&File::read_part(all).only());
        let words = vec![(0, Some("all".to_owned())), (1, Some("large".to_owned()))];
        assert_eq!(read["s3"], words);
        assert_eq!(read["s8"], [(0, Some("e=large".to_owned()))]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// A linear buffer, with a handler that takes parts and sometimes nothing: all accepted entries are read, in order and
    /// complete.
    #[test]
    fn linear_has_all_that_was_accepted(
        steps in proptest::collection::vec(step(), 0..60),
        limits in proptest::collection::vec(0..40_usize, 0..80),
        size in 48..200_usize,
        is_old: bool,
    ) {
        let version = if is_old { Version::Four } else { Version::Six };
        let mut memory = vec![0; size];
        let mut buffer = Buffer::linear(&mut memory, LimitedHandler::default());
        let (mut items, mut sequences) = ([Item::default(); 13], [Sequence::default(); 1]);
        let mut trace = Trace::new(setup(0, version), &buffer, &mut items, &mut sequences).unwrap();
        define(&mut trace, &mut buffer);
        trace.open(&mut buffer, 0, b"us", -5, 0).unwrap();
        words(&mut trace, &mut buffer);
        buffer.handler().limits = limits;
        let (mut expected, mut time, mut full) = (Samples::new(), -5_i64, 0);
        let mut tainted = 0;
        let mut was_full = false;
        for (delta, value) in &steps {
            time += i64::from(*delta);
            match value.write(&mut trace, &mut buffer, time) {
                Ok(()) => {
                    add(&mut expected, time, value);
                    tainted += usize::from(was_full);
                    was_full = false;
                }
                Err(Error::Full) => {
                    full += 1;
                    was_full = true;
                }
                Err(Error::TooLong) => {}
                Err(Error::Argument) => prop_assert!(is_old && matches!(value, WrittenValue::Unsigned(_))),
                Err(other) => prop_assert!(false, "{other:?}: {value:?}"),
            }
        }
        prop_assert_eq!(buffer.lost(), full);
        buffer.handler().limits.clear();
        trace.close(&mut buffer, 0, time).unwrap();
        trace.flush(&mut buffer).unwrap();
        let read = File::read(&buffer.handler().all).only();
        prop_assert_eq!(read.version, version.number());
        prop_assert_eq!(samples(&read), expected);
        let marked = read.items.values().flat_map(|it| &it.samples).filter(|it| it.is_tainted);
        prop_assert_eq!(marked.count(), tainted);
    }

    /// A ring: each file that it writes begins at a slot and contains everything newer; missing entries are counted. A
    /// file that was not completely taken is written again.
    #[test]
    fn a_ring_has_the_newest(
        flushes in proptest::collection::vec(proptest::collection::vec(step(), 0..50), 1..4),
        slots in 2..6_usize,
        slot in (8 + 2 * 28 + 48)..300_usize,
        limits in proptest::collection::vec(0..60_usize, 0..30),
        is_apart: bool,
    ) {
        let mut memory = vec![0; 600 + slots * slot];
        let mut buffer = Buffer::ring(&mut memory, 600, slot, LimitedHandler::default()).unwrap();
        let (mut items, mut sequences) = ([Item::default(); 13], [Sequence::default(); 2]);
        let mut trace =
            Trace::new(setup(7, Version::Six), &buffer, &mut items, &mut sequences).unwrap();
        define(&mut trace, &mut buffer);
        let mut time = 1_000_000_000_000;
        // All together; or the inner scope separately, and one signal with different times.
        if is_apart {
            trace.open(&mut buffer, 6, b"ns", time, 0).unwrap();
            assert_eq!(trace.open(&mut buffer, 2, b"ns", time, 0), Err(Error::State));
            trace.close(&mut buffer, 6, time).unwrap();
            trace.open(&mut buffer, 2, b"us", time, 0).unwrap();
            trace.open(&mut buffer, 3, b"ns", 0, 0).unwrap();
            for number in 1..=3 {
                let label = format!("w{number}");
                trace.enumeration(&mut buffer, 3, entry::VALUES, label.as_bytes(), number).unwrap();
            }
        } else {
            trace.open(&mut buffer, 0, b"ns", time, 0).unwrap();
            words(&mut trace, &mut buffer);
            words(&mut trace, &mut buffer);
        }
        let mut lost = 0;
        // The end of the first sequence is an entry too.
        let mut accepted = if is_apart { vec![None] } else { Vec::new() };
        for steps in flushes {
            for (delta, value) in steps {
                time += i64::from(delta);
                // Samples of items that are not open are refused.
                if is_apart && ![3, 5, 6, 7].contains(&value.item()) {
                    let refused = value.write(&mut trace, &mut buffer, time);
                    prop_assert_eq!(refused, Err(Error::State));
                    continue;
                }
                match value.write(&mut trace, &mut buffer, time) {
                    Ok(()) => accepted.push(Some((time, value))),
                    Err(Error::TooLong) => {}
                    Err(other) => prop_assert!(false, "{other:?}: {value:?}"),
                }
            }
            buffer.handler().all.clear();
            buffer.handler().limits.clone_from(&limits);
            while trace.flush(&mut buffer) != Ok(()) {
                buffer.handler().all.clear();
            }
            if buffer.handler().all.is_empty() {
                prop_assert!(accepted.is_empty());
                continue;
            }
            let read = File::read(&buffer.handler().all).only();
            let overwritten = (buffer.lost() - lost) as usize;
            lost = buffer.lost();
            let mut expected = Samples::new();
            for (time, value) in accepted.drain(..).skip(overwritten).flatten() {
                add(&mut expected, time, &value);
            }
            prop_assert_eq!(samples(&read), expected);
        }
    }
}

/// Two traces in one buffer, and two sequences of one trace in different units.
#[test]
fn traces_share_a_linear_buffer_and_items_are_opened_apart() {
    let mut memory = [0; 64];
    let mut buffer = Buffer::linear(&mut memory, LimitedHandler::default());
    let (mut items, mut sequences) = ([Item::default(); 13], [Sequence::default(); 2]);
    let mut first =
        Trace::new(setup(1, Version::Six), &buffer, &mut items, &mut sequences).unwrap();
    // Without memory it has no information about items.
    let mut only = [Sequence::default(); 1];
    let mut second = Trace::new(setup(2, Version::Four), &buffer, &mut [], &mut only).unwrap();
    define(&mut first, &mut buffer);
    define(&mut second, &mut buffer);
    assert_eq!(second.open(&mut buffer, 1, b"ns", 0, 0), Err(Error::Argument));
    second.open(&mut buffer, 0, b"ns", 10, 0).unwrap();
    first.open(&mut buffer, 2, b"us", 5, 0).unwrap();
    // The items in an open scope are open, and the scopes around it cannot be opened.
    for item in [0, 1, 2, 5] {
        assert_eq!(first.open(&mut buffer, item, b"ns", 0, 0), Err(Error::State), "{item}");
    }
    first.open(&mut buffer, 4, b"ms", 7, 0).unwrap();
    // All sequences are in use.
    assert_eq!(first.open(&mut buffer, 3, b"ns", 0, 0), Err(Error::Argument));
    for n in 0..10 {
        first.integer(&mut buffer, (4, 7 + n), n).unwrap();
        second.integer(&mut buffer, (4, 10 + 1000 * n), -n).unwrap();
        first.text(&mut buffer, (6, 5 + 2 * n), b"text").unwrap();
    }
    assert_eq!(first.close(&mut buffer, 1, 100), Err(Error::State));
    first.close(&mut buffer, 2, 100).unwrap();
    assert_eq!(first.text(&mut buffer, (6, 200), b"text"), Err(Error::State));
    first.close(&mut buffer, 4, 100).unwrap();
    second.close(&mut buffer, 0, 20_000).unwrap();
    first.flush(&mut buffer).unwrap();
    let file = File::read(&buffer.handler().all);
    let [one, two] = [1, 2].map(|number| &file.traces[&number]);
    assert_eq!((one.version, two.version), (6, 4));
    let numbers = |n: i64| n.to_string();
    assert_eq!(
        one.find("\\a\\s4").values(),
        (0..10).map(|n| (7 + n, numbers(n))).collect::<Vec<_>>()
    );
    assert_eq!(
        two.find("\\a\\s4").values(),
        (0..10).map(|n| (10 + 1000 * n, numbers(-n))).collect::<Vec<_>>()
    );
    assert_eq!(one.find("\\a\\b\\s6").values().last(), Some(&(23, "text".to_owned())));
    assert_eq!(one.domains, BTreeMap::from([(2, "us".to_owned()), (4, "ms".to_owned())]));
}

/// Each mistake has its result, and leaves the trace as it was.
#[test]
fn mistakes_leave_nothing() {
    let mut memory = [0; 4096];
    let mut buffer = Buffer::linear(&mut memory, LimitedHandler::default());
    let (mut items, mut sequences) = ([Item::default(); 13], [Sequence::default(); 1]);
    let mut trace =
        Trace::new(setup(1, Version::Six), &buffer, &mut items, &mut sequences).unwrap();
    let b = &mut buffer;
    // Before the head.
    assert_eq!(trace.scope(b, 1, &named(0, "a")), Err(Error::State));
    assert_eq!(trace.open(b, 0, b"ns", 0, 0), Err(Error::State));
    assert_eq!(trace.head(b, &[b'x'; 60], b""), Err(Error::TooLong));
    define(&mut trace, b);
    assert_eq!(trace.head(b, b"again", b""), Err(Error::State));
    // Numbers that are in use, invalid numbers, and parents that are not scopes.
    assert_eq!(trace.scope(b, 1, &named(0, "a")), Err(Error::State));
    assert_eq!(trace.scope(b, 0, &named(0, "a")), Err(Error::Argument));
    assert_eq!(trace.scope(b, 13, &named(0, "a")), Err(Error::Argument));
    assert_eq!(trace.scope(b, 9, &named(3, "a")), Err(Error::State));
    assert_eq!(trace.scope(b, 9, &named(10, "a")), Err(Error::State));
    assert_eq!(trace.signal(b, 9, &named(1, "a"), 3, b""), Err(Error::Argument));
    let name = "n".repeat(60);
    assert_eq!(trace.scope(b, 9, &named(1, &name)), Err(Error::TooLong));
    assert_eq!(trace.reference(b, 1, &named(2, "r")), Err(Error::State));
    trace.reference(b, 4, &named(2, "r")).unwrap();
    // Not open.
    assert_eq!(trace.integer(b, (4, 0), 1), Err(Error::State));
    assert_eq!(trace.enumeration(b, 3, entry::VALUES, b"w", 1), Err(Error::State));
    assert_eq!(trace.close(b, 0, 0), Err(Error::State));
    for unit in [&b""[..], b"fortnight"] {
        assert_eq!(trace.open(b, 0, unit, 0, 0), Err(Error::Argument));
    }
    trace.open(b, 0, b"ns", 100, 0).unwrap();
    words(&mut trace, b);
    assert_eq!(trace.open(b, 0, b"ns", 100, 0), Err(Error::State));
    assert_eq!(trace.enumeration(b, 3, entry::VALUES, b"w", 0), Err(Error::Argument));
    assert_eq!(trace.enumeration(b, 3, 4, b"w", 1), Err(Error::Argument));
    assert_eq!(trace.member(b, 4, 1, b"m", member::TEXT, b""), Err(Error::Kind));
    // Samples.
    assert_eq!(trace.integer(b, (4, 99), 1), Err(Error::Time));
    trace.integer(b, (4, 150), 1).unwrap();
    trace.relation(b, 4, 3, 1, -50).unwrap();
    trace.label(b, 4, 1).unwrap();
    assert_eq!(trace.text(b, (6, 149), b"t"), Err(Error::Time));
    assert_eq!(trace.integer(b, (3, 150), 1), Err(Error::Kind));
    assert_eq!(trace.integer(b, (1, 150), 1), Err(Error::Kind));
    assert_eq!(trace.integer(b, (11, 150), 1), Err(Error::State));
    assert_eq!(trace.none(b, (1, 150)), Err(Error::State));
    assert_eq!(trace.event(b, (3, 150), 0), Err(Error::Argument));
    assert_eq!(trace.text(b, (6, 150), &[b'x'; 48]), Err(Error::TooLong));
    trace.text(b, (6, 150), b"last").unwrap();
    assert_eq!(trace.close(b, 0, 149), Err(Error::Time));
    trace.close(b, 0, 150).unwrap();
    assert_eq!(trace.close(b, 0, 150), Err(Error::State));
    // And again.
    trace.open(b, 0, b"ns", 500, 0).unwrap();
    trace.integer(b, (4, 501), 2).unwrap();
    trace.close(b, 0, 502).unwrap();
    trace.flush(b).unwrap();
    assert_eq!(b.lost(), 0);
    let read = File::read(&b.handler().all).only();
    let text = |text: &str| text.to_owned();
    assert_eq!(read.find("\\a\\s4").values(), [(150, text("1")), (501, text("2"))]);
    assert_eq!(read.find("\\a\\b\\s6").values(), [(150, text("last"))]);
    assert_eq!(read.items.len(), 8);
    assert_eq!(read.references, [(text("\\a\\b\\r"), 4)]);
    assert_eq!(read.labels, [(text("\\a\\s4"), 150, text("Here/444444/star"))]);
    assert_eq!(read.arrows.len(), 1);
    assert_eq!(read.arrows[0].from, (text("\\a\\s3"), 100));
}

/// Sizes that do not fit are refused where a trace is set up.
#[test]
fn sizes_are_checked() {
    let mut memory = [0; 400];
    let buffer = Buffer::linear(&mut memory[..40], LimitedHandler::default());
    let mut sequences = [Sequence::default(); 2];
    let new = |setup,
               buffer: &Buffer<'_, LimitedHandler>,
               items: &mut [Item],
               sequences: &mut [Sequence]| {
        Trace::new(setup, buffer, items, sequences).map(|_| ())
    };
    // The longest entry does not fit into the buffer.
    let six = setup(0, Version::Six);
    assert_eq!(new(six, &buffer, &mut [], &mut sequences), Err(Error::Argument));
    let short = Setup { max_entry: 40, ..six };
    assert_eq!(new(short, &buffer, &mut [], &mut sequences), Ok(()));
    assert_eq!(new(short, &buffer, &mut [], &mut []), Err(Error::Argument));
    assert_eq!(
        new(short, &buffer, &mut [Item::default(); 12], &mut sequences),
        Err(Error::Argument)
    );
    for max_item in [0, u16::MAX] {
        let other = Setup { max_item, ..short };
        assert_eq!(new(other, &buffer, &mut [], &mut sequences), Err(Error::Argument));
    }
    for (kept, slot) in [(401, 10), (100, 151), (0, 8), (0, 0), (0, 65535)] {
        assert!(
            Buffer::ring(&mut memory, kept, slot, LimitedHandler::default()).is_none(),
            "{kept}, {slot}"
        );
    }
    let mut ring = Buffer::ring(&mut memory, 100, 150, LimitedHandler::default()).unwrap();
    // 150 without the front and two sequences is 86.
    let long = Setup { max_entry: 87, ..six };
    assert_eq!(new(long, &ring, &mut [], &mut sequences), Err(Error::Argument));
    let mut trace =
        Trace::new(Setup { max_entry: 86, ..six }, &ring, &mut [], &mut sequences).unwrap();
    trace.head(&mut ring, b"x", b"").unwrap();
    let mut other = [Sequence::default(); 1];
    assert_eq!(new(short, &ring, &mut [], &mut other), Err(Error::State));
    // Definitions are never overwritten: if their part of the memory is full, they are refused.
    let results: Vec<_> =
        (1..=10).map(|item| trace.scope(&mut ring, item, &named(0, "a scope"))).collect();
    assert_eq!(results.first(), Some(&Ok(())));
    assert_eq!(results.last(), Some(&Err(Error::Full)));
    assert!(ring.lost() > 0);
}
