//! A trace: its items, sequences and arrows.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::bytes::{Bytes, number};
use crate::item::{Item, Sample};

/// An arrow: its source signal and time, and its destination signal and time.
#[derive(Debug, PartialEq, Eq)]
pub struct Arrow {
    /// Where it comes from.
    pub from: (String, i64),
    /// Where it leads to.
    pub to: (String, i64),
    /// How it looks.
    pub style: String,
}

/// A trace.
#[derive(Debug)]
pub struct Trace {
    /// The version of the format.
    pub version: u8,
    /// Its name.
    pub name: String,
    /// The text on it.
    pub about: String,
    /// Its items by their numbers.
    pub items: BTreeMap<u64, Item>,
    /// How often each item was opened.
    pub sequences: BTreeMap<u64, usize>,
    /// The units of the sequences.
    pub domains: BTreeMap<u64, String>,
    /// The arrows.
    pub arrows: Vec<Arrow>,
    /// Labels: item, time, style.
    pub labels: Vec<(String, i64, String)>,
    /// Other places of signals: path of the scope with the name there, and the item.
    pub references: Vec<(String, u64)>,
    pub(crate) max_entry: usize,
    /// Time of the last sample of each open item.
    pub(crate) open: BTreeMap<u64, i64>,
    max_item: u64,
    /// By item, enumeration and number.
    words: BTreeMap<(u64, u64, u64), String>,
    /// Names and types of members, by item and number.
    members: BTreeMap<(u64, u64), (String, u8)>,
}

impl Trace {
    pub(crate) fn head(bytes: &mut Bytes<'_>) -> (u64, Self) {
        assert_eq!(bytes.take(4), b"flux");
        let version = bytes.byte();
        let (number, name, about) = (bytes.pint(), bytes.text(), bytes.text());
        assert_eq!(bytes.byte(), 0, "the mode");
        let (max_item, max_entry) = (bytes.pint(), bytes.pint() as usize);
        let trace = Self {
            version,
            name,
            about,
            items: BTreeMap::new(),
            sequences: BTreeMap::new(),
            domains: BTreeMap::new(),
            arrows: Vec::new(),
            labels: Vec::new(),
            references: Vec::new(),
            max_entry,
            open: BTreeMap::new(),
            max_item,
            words: BTreeMap::new(),
            members: BTreeMap::new(),
        };
        (number, trace)
    }

    /// The name of an item with its scopes, as in relations.
    ///
    /// # Panics
    /// There is no such item.
    #[must_use]
    pub fn path(&self, item: u64) -> String {
        let of = &self.items[&item];
        let parent = if of.parent == 0 { String::new() } else { self.path(of.parent) };
        format!("{parent}\\{}", of.name)
    }

    /// The item of a path.
    ///
    /// # Panics
    /// There is none.
    #[must_use]
    pub fn find(&self, path: &str) -> &Item {
        let id = self.items.keys().find(|id| self.path(**id) == path);
        let all = || self.items.keys().map(|id| self.path(*id)).collect::<Vec<_>>();
        &self.items[id.unwrap_or_else(|| panic!("{path}: {:?}", all()))]
    }

    fn parent(&self, item: u64) -> u64 {
        self.items.get(&item).unwrap_or_else(|| panic!("item {item} is defined")).parent
    }

    /// Returns the open item among the scopes of an item.
    fn opened(&self, mut item: u64) -> u64 {
        loop {
            if self.open.contains_key(&item) {
                return item;
            }
            assert_ne!(item, 0, "an item that is open");
            item = self.parent(item);
        }
    }

    fn is_below(&self, mut item: u64, scope: u64) -> bool {
        while item != 0 && item != scope {
            item = self.parent(item);
        }
        item == scope
    }

    pub(crate) fn entry(&mut self, tag: u8, bytes: &mut Bytes<'_>) {
        match tag {
            0x10 | 0x11 => self.define(tag, bytes),
            0x13 => {
                let (item, parent, name) = (bytes.pint(), bytes.pint(), bytes.text());
                bytes.text();
                assert!(self.items[&item].kind.is_some(), "a reference to a signal");
                let scope = if parent == 0 { String::new() } else { self.path(parent) };
                self.references.push((format!("{scope}\\{name}"), item));
            }
            0x20 => self.open(bytes),
            0x21 => self.close(bytes),
            0x30 => {
                let (item, of) = (bytes.pint(), bytes.pint());
                let (label, value) = (bytes.text(), bytes.pint());
                self.opened(item);
                self.words.insert((item, of, value), label);
            }
            0x31 => {
                let (item, member) = (bytes.pint(), bytes.pint());
                if self.version >= 6 {
                    assert_eq!(bytes.pint(), 0, "in no other member");
                }
                let (label, kind) = (bytes.text(), bytes.byte());
                bytes.text();
                self.opened(item);
                assert_eq!(self.items[&item].kind, Some(7), "members are of structures");
                self.members.insert((item, member), (label, kind));
            }
            0x40 => self.relation(bytes),
            0x41 => {
                let (item, style) = (bytes.pint(), bytes.pint());
                if self.version >= 6 {
                    assert_eq!((bytes.pint(), bytes.pint()), (0, 0));
                } else {
                    assert_eq!((bytes.sint(), bytes.sint()), (0, 0));
                }
                let at = self.items[&item].samples.last().expect("a sample before its label").at;
                self.labels.push((self.path(item), at, self.words[&(item, 3, style)].clone()));
            }
            other => panic!("an entry {other:#x}"),
        }
    }

    fn define(&mut self, tag: u8, bytes: &mut Bytes<'_>) {
        let (id, parent, name) = (bytes.pint(), bytes.pint(), bytes.text());
        bytes.text();
        let (kind, descriptor) = match tag {
            0x11 => (Some(bytes.byte()), bytes.text()),
            _ => (None, String::new()),
        };
        let is_known = |text: &str| {
            text.is_empty()
                || ["gantt<", "default<"].iter().any(|it| text.starts_with(it))
                    && text.ends_with('>')
        };
        assert!(is_known(&descriptor), "{descriptor}");
        assert!((1..=self.max_item).contains(&id));
        assert!(parent == 0 || self.items[&parent].kind.is_none(), "its parent is a scope");
        let item = Item {
            parent,
            name,
            kind,
            descriptor,
            now: None,
            slices: Vec::new(),
            samples: Vec::new(),
        };
        assert!(self.items.insert(id, item).is_none(), "a unique number");
    }

    fn open(&mut self, bytes: &mut Bytes<'_>) {
        let (item, domain) = (bytes.pint(), bytes.text());
        let (start, rate) = (bytes.sint(), bytes.pint());
        assert_eq!(rate, 0);
        assert!(["fs", "ps", "ns", "us", "ms", "s"].contains(&domain.as_str()), "{domain}");
        assert!(item <= self.max_item);
        let open: Vec<u64> = self.open.keys().copied().collect();
        for other in open {
            let is_apart = !self.is_below(item, other) && !self.is_below(other, item);
            assert!(is_apart, "{item} is opened, and {other} is open");
        }
        self.open.insert(item, start);
        self.domains.insert(item, domain);
        *self.sequences.entry(item).or_default() += 1;
        let below: Vec<u64> =
            self.items.keys().copied().filter(|id| self.is_below(*id, item)).collect();
        self.words.retain(|word, _| !below.contains(&word.0));
        self.members.retain(|member, _| !below.contains(&member.0));
    }

    fn close(&mut self, bytes: &mut Bytes<'_>) {
        let (closed, end) = (bytes.pint(), bytes.sint());
        let last = self.open.remove(&closed).expect("closed, and was open");
        assert!(last <= end, "it ends at {end}, before {last}");
        let all: Vec<u64> = self.items.keys().copied().collect();
        for id in all {
            if self.is_below(id, closed) {
                self.set_value(id, end, None);
            }
        }
    }

    fn relation(&mut self, bytes: &mut Bytes<'_>) {
        let item = bytes.pint();
        if self.version >= 6 {
            assert_eq!(bytes.byte(), 1);
        }
        let (target, style, delta) = (bytes.pint(), bytes.pint(), bytes.sint());
        if self.version >= 6 {
            assert_eq!(bytes.pint(), 0);
        }
        let from = self.words[&(item, 1, target)].clone();
        let style = self.words[&(item, 2, style)].clone();
        assert!(self.items.keys().any(|it| self.path(*it) == from), "{from}");
        let at = self.items[&item].samples.last().expect("a sample before its relation").at;
        self.arrows.push(Arrow { from: (from, at + delta), to: (self.path(item), at), style });
    }

    pub(crate) fn sample(&mut self, bytes: &mut Bytes<'_>) {
        let head = bytes.pint();
        let id = head >> 3;
        assert_eq!(head & 4, 0, "an undescribed event");
        let delta = if head & 2 != 0 { bytes.pint() } else { 0 };
        assert!(head & 2 == 0 || delta > 0);
        let opened = self.opened(id);
        let last = self.open.get_mut(&opened).expect("it is open");
        *last = last.checked_add_unsigned(delta).expect("a time of 64 bits");
        let at = *last;
        let what = bytes.pint();
        let data = bytes.take((what >> 4) as usize);
        let value = self.value(id, (what & 15) as u8, data);
        let sample = Sample { at, value: value.clone(), is_tainted: head & 1 != 0 };
        self.items.get_mut(&id).expect("it is defined").samples.push(sample);
        self.set_value(id, at, value);
    }

    fn word(&self, item: u64, value: &[u8]) -> String {
        // Four bytes have no sign.
        let number = number(value);
        let number = if value.len() == 4 { number & 0xFFFF_FFFF } else { number };
        let number = u32::try_from(number).expect("numbers of words have 32 bits");
        self.words[&(item, 0, number.into())].clone()
    }

    fn value(&self, id: u64, data_kind: u8, data: &[u8]) -> Option<String> {
        let kind = self.items[&id].kind.expect("a signal");
        Some(match (data_kind, kind) {
            (0, _) => {
                assert!(data.is_empty());
                return None;
            }
            (2, 1) => self.word(id, data),
            (1, 2) => number(data).to_string(),
            (5 | 9, 4) => float(data),
            (1, 5) => String::from_utf8(data.to_vec()).expect("UTF-8"),
            (1, 6) => hex(data),
            (1, 7) => self.structure(id, Bytes(data)),
            other => panic!("data, and signal: {other:?}"),
        })
    }

    fn structure(&self, id: u64, mut data: Bytes<'_>) -> String {
        let mut text = String::new();
        while !data.0.is_empty() {
            let (member, kind, value) = (data.pint(), data.byte(), data.value());
            let (name, declared) = &self.members[&(id, member)];
            assert_eq!(kind, *declared, "the type of {name}");
            let value = match kind {
                1 => String::from_utf8(value.to_vec()).expect("UTF-8"),
                2 => self.word(id, value),
                3 => number(value).to_string(),
                4 => float(value),
                6 => hex(value),
                other => panic!("a member of type {other}"),
            };
            let _ = write!(text, "{}{name}={value}", if text.is_empty() { "" } else { " " });
        }
        text
    }

    fn set_value(&mut self, id: u64, at: i64, value: Option<String>) {
        let item = self.items.get_mut(&id).expect("it is defined");
        if let Some((from, value)) = item.now.take() {
            item.slices.push((from, at, value));
        }
        item.now = value.map(|value| (at, value));
    }
}

fn float(data: &[u8]) -> String {
    match data.len() {
        4 => f32::from_le_bytes(data.try_into().expect("4 bytes")).to_string(),
        8 => f64::from_le_bytes(data.try_into().expect("8 bytes")).to_string(),
        other => panic!("a float of {other} bytes"),
    }
}

fn hex(data: &[u8]) -> String {
    data.iter().map(|byte| format!("{byte:02x}")).collect()
}
