//! flux, read by a reader of its own that knows the format's description only: its rules hold, and counts and times are
//! the timeline's.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;

use proptest::prelude::*;
use support::{Kinds, Slice, add_signal, compare, expected, random, sorted, vectors};
use tband_conv::timeline::{At, Change, World};
use tband_conv::{Flows, Input, Options, Sink, convert};
use tband_export::{Compression, FluxOptions, FluxVersion, convert_to_flux};
use tband_format::Event;
use tband_recordings::random::config;
use tband_recordings::{Recording, str, two_tasks};

const VERSIONS: [FluxVersion; 2] = [FluxVersion::Six, FluxVersion::Four];

/// Bytes from the front on.
#[derive(Clone, Copy)]
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, len: usize) -> &'a [u8] {
        let (head, rest) = self.0.split_at(len);
        self.0 = rest;
        head
    }

    fn byte(&mut self) -> u8 {
        self.take(1)[0]
    }

    fn pint(&mut self) -> u64 {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.byte();
            number |= u64::from(byte & 0x7F) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                return number;
            }
        }
    }

    fn value(&mut self) -> &'a [u8] {
        let len = self.pint() as usize;
        self.take(len)
    }

    fn text(&mut self) -> String {
        String::from_utf8(self.value().to_vec()).unwrap()
    }

    fn sint(&mut self) -> i64 {
        number(self.value())
    }
}

/// Little-endian, in two's complement.
fn number(bytes: &[u8]) -> i64 {
    assert!(bytes.len() <= 8);
    let sign = bytes.last().is_some_and(|byte| byte & 0x80 != 0);
    let mut whole = [if sign { 0xFF } else { 0 }; 8];
    whole[..bytes.len()].copy_from_slice(bytes);
    i64::from_le_bytes(whole)
}

#[derive(Debug)]
struct Item {
    parent: u64,
    name: String,
    /// None of a scope.
    kind: Option<u8>,
    now: Option<(i64, String)>,
    slices: Vec<Slice>,
    samples: Vec<(i64, String)>,
}

/// An arrow: from which signal and when, to which and when.
#[derive(Debug, PartialEq, Eq)]
struct Arrow {
    from: (String, i64),
    to: (String, i64),
}

#[derive(Default)]
struct Reader {
    version: u8,
    max_item: u64,
    max_entry: usize,
    items: BTreeMap<u64, Item>,
    /// Time of the last sample of what is open.
    open: BTreeMap<u64, i64>,
    sequences: BTreeMap<u64, usize>,
    words: BTreeMap<(u64, u64, u64), String>,
    arrows: Vec<Arrow>,
    blocks: BTreeSet<u8>,
}

impl Reader {
    fn read(file: &[u8]) -> Self {
        let mut reader = Self::default();
        reader.all(Bytes(file), true);
        assert!(reader.open.is_empty(), "left open: {:?}", reader.open);
        reader
    }

    fn all(&mut self, mut bytes: Bytes<'_>, is_outermost: bool) {
        while !bytes.0.is_empty() {
            let before = bytes.0.len();
            if bytes.0[0] == 0 {
                bytes.byte();
                self.entry(&mut bytes, is_outermost);
            } else {
                self.sample(&mut bytes);
            }
            let len = before - bytes.0.len();
            assert!(len <= self.max_entry, "an entry of {len} bytes");
        }
    }

    /// The name with its scopes, as in relations.
    fn path(&self, item: u64) -> String {
        let of = &self.items[&item];
        let parent = if of.parent == 0 { String::new() } else { self.path(of.parent) };
        format!("{parent}\\{}", of.name)
    }

    /// What is open of the scopes of an item.
    fn opened(&self, mut item: u64) -> u64 {
        loop {
            if self.open.contains_key(&item) {
                return item;
            }
            item = self.items.get(&item).expect("an item that is open").parent;
        }
    }

    fn entry(&mut self, bytes: &mut Bytes<'_>, is_outermost: bool) {
        match bytes.byte() {
            0x01 => {
                assert_eq!(bytes.take(4), b"flux");
                self.version = bytes.byte();
                assert_eq!((bytes.pint(), bytes.text()), (0, "tband".to_owned()));
                bytes.text();
                assert_eq!(bytes.byte(), 0, "the mode");
                self.max_item = bytes.pint();
                self.max_entry = bytes.pint() as usize;
            }
            0x05 => {
                assert!(is_outermost, "a block within a block");
                let mode = bytes.byte();
                let (original, compressed) = (bytes.pint() as usize, bytes.pint() as usize);
                assert!(original <= self.max_entry && self.version >= 6 || mode == 0);
                let compressed = bytes.take(compressed);
                let content = match mode {
                    0 => lz4_flex::block::decompress(compressed, original).unwrap(),
                    2 => {
                        let mut content = Vec::new();
                        flate2::read::ZlibDecoder::new(compressed)
                            .read_to_end(&mut content)
                            .unwrap();
                        content
                    }
                    other => panic!("blocks of mode {other}"),
                };
                assert_eq!(content.len(), original);
                self.blocks.insert(mode);
                self.all(Bytes(&content), false);
            }
            tag @ (0x10 | 0x11) => {
                let (id, parent, name) = (bytes.pint(), bytes.pint(), bytes.text());
                assert_eq!(bytes.text(), "");
                let kind = (tag == 0x11).then(|| {
                    let kind = bytes.byte();
                    let descriptor = bytes.text();
                    assert!(["", "gantt<>", "default<df=Hex>"].contains(&descriptor.as_str()));
                    kind
                });
                assert!((1..=self.max_item).contains(&id));
                assert!(parent == 0 || self.items[&parent].kind.is_none(), "its parent is a scope");
                let item =
                    Item { parent, name, kind, now: None, slices: Vec::new(), samples: Vec::new() };
                assert!(self.items.insert(id, item).is_none(), "a number of its own");
            }
            0x20 => {
                let (item, domain) = (bytes.pint(), bytes.text());
                let (start, rate) = (bytes.sint(), bytes.pint());
                assert_eq!((domain.as_str(), rate), ("ns", 0));
                assert!(item < self.max_item && self.items[&item].kind.is_none());
                assert!(self.open.insert(item, start).is_none(), "opened twice");
                *self.sequences.entry(item).or_default() += 1;
                self.words.retain(|word, _| {
                    !self.items.contains_key(&word.0) || {
                        let mut of = word.0;
                        while of != 0 && of != item {
                            of = self.items[&of].parent;
                        }
                        of != item
                    }
                });
            }
            0x21 => {
                let (closed, end) = (bytes.pint(), bytes.sint());
                let last = self.open.remove(&closed).expect("closed, and was open");
                assert!(last <= end, "it ends at {end}, before {last}");
                let of: Vec<u64> = self.items.keys().copied().collect();
                for id in of {
                    let mut of = id;
                    while of != 0 && of != closed {
                        of = self.items[&of].parent;
                    }
                    if of == closed {
                        self.becomes(id, end, None);
                    }
                }
            }
            0x30 => {
                let (item, of) = (bytes.pint(), bytes.pint());
                let (label, value) = (bytes.text(), bytes.pint());
                self.opened(item);
                self.words.insert((item, of, value), label);
            }
            0x40 => {
                let item = bytes.pint();
                if self.version >= 6 {
                    assert_eq!(bytes.byte(), 1);
                }
                let (target, style, delta) = (bytes.pint(), bytes.pint(), bytes.sint());
                if self.version >= 6 {
                    assert_eq!(bytes.pint(), 0);
                }
                let from = self.words[&(item, 1, target)].clone();
                assert_eq!(self.words[&(item, 2, style)], "Wake/444444/line/no");
                assert!(self.items.keys().any(|it| self.path(*it) == from), "{from}");
                let ns = self.items[&item].samples.last().unwrap().0;
                self.arrows.push(Arrow { from: (from, ns + delta), to: (self.path(item), ns) });
            }
            other => panic!("an entry {other:#x}"),
        }
    }

    fn sample(&mut self, bytes: &mut Bytes<'_>) {
        let head = bytes.pint();
        let id = head >> 3;
        assert_eq!(head & 5, 0, "neither conflicts nor what is not described");
        let delta = if head & 2 != 0 { bytes.pint() } else { 0 };
        assert!(head & 2 == 0 || delta > 0);
        let opened = self.opened(id);
        let last = self.open.get_mut(&opened).unwrap();
        *last += i64::try_from(delta).unwrap();
        let ns = *last;
        let what = bytes.pint();
        let data = bytes.take((what >> 4) as usize);
        let kind = self.items[&id].kind.expect("a signal");
        let value = match (what & 15, kind) {
            (0, _) => {
                assert!(data.is_empty());
                None
            }
            (2, 1) => Some(self.words[&(id, 0, number(data).cast_unsigned())].clone()),
            (1, 2) => Some(number(data).to_string()),
            (1, 5) => Some(String::from_utf8(data.to_vec()).unwrap()),
            other => panic!("data, and signal: {other:?}"),
        };
        if let Some(value) = &value {
            self.items.get_mut(&id).unwrap().samples.push((ns, value.clone()));
        }
        self.becomes(id, ns, value);
    }

    fn becomes(&mut self, id: u64, ns: i64, value: Option<String>) {
        let item = self.items.get_mut(&id).unwrap();
        if let Some((from, value)) = item.now.take() {
            item.slices.push((from, ns, value));
        }
        item.now = value.map(|value| (ns, value));
    }

    fn find(&self, path: &str) -> &Item {
        let id = self.items.keys().find(|id| self.path(**id) == path);
        let all = || self.items.keys().map(|id| self.path(*id)).collect::<Vec<_>>();
        &self.items[id.unwrap_or_else(|| panic!("{path}: {:?}", all()))]
    }

    fn kinds(&self) -> Kinds {
        let mut kinds = Kinds::new();
        for (id, item) in self.items.iter().filter(|(_, item)| item.kind.is_some()) {
            let name = item.name.as_str();
            let is_isr = self.path(*id).contains("\\interrupts\\") && !name.ends_with("_acts");
            add_signal(&mut kinds, name, is_isr, item.slices.iter().cloned());
        }
        sorted(kinds)
    }
}

/// When what followed from what, as the timeline reports.
#[derive(Default)]
struct Wakes(Vec<(i64, i64)>);

impl Sink for Wakes {
    fn change(&mut self, _: &World, _: At, change: &Change<'_>) -> std::io::Result<()> {
        if let Change::Flow(flow) = change
            && [flow.from.actor, flow.to.actor]
                .iter()
                .all(|it| !matches!(it, tband_conv::timeline::Actor::UnknownIsr))
        {
            self.0.push((flow.from.ns, flow.to.ns));
        }
        Ok(())
    }
}

fn converted(inputs: &[Input<'_>], options: &Options, how: FluxOptions) -> Vec<u8> {
    let mut out = Vec::new();
    convert_to_flux(inputs, options, how, &mut out).unwrap();
    out
}

fn check(inputs: &[Input<'_>], options: &Options) {
    let expected = expected(inputs, options);
    let mut wakes = Wakes::default();
    convert(inputs, options, &mut wakes).unwrap();
    let mut wakes = wakes.0;
    wakes.sort_unstable();
    let reads = VERSIONS.map(|version| {
        let compression = Compression::Lz4;
        Reader::read(&converted(inputs, options, FluxOptions { version, compression }))
    });
    for read in &reads {
        compare(&read.kinds(), &expected, "flux");
        let mut arrows: Vec<_> = read.arrows.iter().map(|it| (it.from.1, it.to.1)).collect();
        arrows.sort_unstable();
        assert_eq!(arrows, wakes, "wakes");
    }
    assert_eq!(reads.each_ref().map(|read| read.version), [6, 4]);
}

#[test]
fn recordings_of_another_implementation_are_the_timeline() {
    for flows in [Flows::Wakes, Flows::All] {
        let mut options = Options::default();
        options.flows = flows;
        vectors(|inputs| check(inputs, &options));
    }
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn random_recordings_are_the_timeline(recording in random(|_| true)) {
        recording.check(check);
    }
}

/// A wake is an arrow from who woke, where a core's events are missing its sequence ends, and the rest goes on.
#[test]
fn wakes_are_relations_and_gaps_end_sequences() {
    let recording = two_tasks()
        .meta(Event::QueueName { queue_id: 4, name: str("rx") })
        .at(10, Event::TaskSwitchedIn { task_id: 1 })
        .at(20, Event::CurtaskBlockOnQueueReceive { queue_id: 4, ticks_to_wait: 9 })
        .at(30, Event::TaskSwitchedIn { task_id: 2 })
        .at(40, Event::QueueSend { queue_id: 4, len_after: 1 })
        .at(41, Event::TaskToRdyState { task_id: 1 })
        .at(50, Event::TaskSwitchedIn { task_id: 1 })
        .at(60, Event::QueueReceive { queue_id: 4, len_after: 0 })
        .at(61, Event::Evtmarker { evtmarker_id: 3, msg: str("a message") })
        .at(62, Event::Evtmarker { evtmarker_id: 3, msg: str("a message") })
        .at(63, Event::Valmarker { valmarker_id: 3, val: -129 })
        .at(90, Event::DroppedEvtCnt { cnt: 5 })
        .at(95, Event::TaskSwitchedIn { task_id: 1 })
        .at(100, Event::TaskSwitchedIn { task_id: 2 });
    let inputs = [Input::from_bytes("r", &recording.0)];
    check(&inputs, &Options::default());
    let read = Reader::read(&converted(&inputs, &Options::default(), FluxOptions::default()));
    let arrow = Arrow {
        from: ("\\target\\tasks\\b\\state".to_owned(), 400),
        to: ("\\target\\tasks\\a\\acts".to_owned(), 600),
    };
    assert_eq!(read.arrows, [arrow]);
    assert_eq!(
        read.find("\\target\\tasks\\a\\acts").samples,
        [(600, "woken: receive rx".to_owned())]
    );
    let sequences: Vec<_> =
        read.sequences.iter().map(|(id, count)| (read.path(*id), *count)).collect();
    assert_eq!(sequences, [("\\core_0".to_owned(), 2), ("\\target".to_owned(), 1)]);
    let running: Vec<_> = read.find("\\core_0\\running").slices.clone();
    let is = |from, to, name: &str| (from, to, name.to_owned());
    let ran = [
        is(100, 300, "a"),
        is(300, 500, "b"),
        is(500, 630, "a"),
        is(950, 1000, "a"),
        is(1000, 1001, "b"),
    ];
    assert_eq!(running, ran);
    let messages = &read.find("\\target\\event_markers\\evtmarker_3\\text").samples;
    assert_eq!(*messages, [(610, "a message".to_owned()), (620, "a message".to_owned())]);
    let fired = &read.find("\\target\\event_markers\\evtmarker_3\\fired").samples;
    assert_eq!(fired.len(), 2);
}

/// Blocks of each kind have the same in them, and are smaller; zlib is of version 6.
#[test]
fn blocks_are_compressed() {
    let mut recording = two_tasks();
    for n in 1..=20_000_u64 {
        let long = format!("{n} {}", "x".repeat(300));
        recording.0.extend(tband_recordings::frame(
            10 * n,
            Event::TaskSwitchedIn { task_id: 1 + (n % 2) as u32 },
        ));
        if n % 50 == 0 {
            recording.0.extend(tband_recordings::frame(
                10 * n + 1,
                Event::Evtmarker { evtmarker_id: 1, msg: str(&long) },
            ));
        }
    }
    let inputs = [Input::from_bytes("r", &recording.0)];
    let file = |version, compression| {
        converted(&inputs, &Options::default(), FluxOptions { version, compression })
    };
    use {Compression::*, FluxVersion::*};
    let none = file(Six, None);
    let kinds = Reader::read(&none).kinds();
    for (version, compression, mode) in
        [(Six, Lz4, 0), (Six, Zlib, 2), (Four, Lz4, 0), (Four, Zlib, 0)]
    {
        let packed = file(version, compression);
        assert!(packed.len() < none.len() * 2 / 3, "{} of {}", packed.len(), none.len());
        let read = Reader::read(&packed);
        assert_eq!(read.blocks, BTreeSet::from([mode]));
        assert_eq!(read.kinds(), kinds);
    }
    assert_eq!(&none[..7], b"\0\x01flux\x06");
}

#[test]
fn what_has_no_events_is_a_file() {
    let recording = Recording::default().at(5, Event::IsrEnter { isr_id: 1 });
    let inputs = [Input::from_bytes("r", &recording.0)];
    check(&inputs, &Options::default());
}
