//! Names of objects, functions, signals, records and enumerations.

use std::borrow::Cow;
use std::collections::HashMap;

use foldhash::fast::FixedState;

/// Names that are kept of each kind.
const MAX_KEPT: usize = 16 * 1024;

/// The names.
#[derive(Clone, Debug, Default)]
pub struct Dictionary {
    objects: HashMap<u64, Box<str>, FixedState>,
    functions: HashMap<u64, Box<str>, FixedState>,
    signals: HashMap<(u64, u64), Box<str>, FixedState>,
    records: HashMap<u8, Box<str>, FixedState>,
    enumerations: HashMap<(u8, u8), Box<str>, FixedState>,
}

fn insert<K: Eq + std::hash::Hash, S: std::hash::BuildHasher>(
    map: &mut HashMap<K, Box<str>, S>,
    key: K,
    name: &[u8],
) {
    if map.len() < MAX_KEPT || map.contains_key(&key) {
        map.insert(key, String::from_utf8_lossy(name).into());
    }
}

impl Dictionary {
    /// It has no name.
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty() && self.functions.is_empty() && self.signals.is_empty()
    }

    pub fn add_object(&mut self, object: u64, name: &[u8]) {
        insert(&mut self.objects, object, name);
    }

    pub fn add_function(&mut self, function: u64, name: &[u8]) {
        insert(&mut self.functions, function, name);
    }

    /// A signal of an object, or with 0 of all.
    pub fn add_signal(&mut self, signal: u64, object: u64, name: &[u8]) {
        insert(&mut self.signals, (signal, object), name);
    }

    pub fn add_record(&mut self, record: u8, name: &[u8]) {
        insert(&mut self.records, record, name);
    }

    pub fn add_enumeration(&mut self, group: u8, value: u8, name: &[u8]) {
        insert(&mut self.enumerations, (group, value), name);
    }

    pub fn object(&self, object: u64) -> Cow<'_, str> {
        name_or(self.objects.get(&object).map(|name| &**name), || address(object))
    }

    pub fn function(&self, function: u64) -> Cow<'_, str> {
        name_or(self.functions.get(&function).map(|name| &**name), || address(function))
    }

    pub fn signal(&self, signal: u64, object: u64) -> Cow<'_, str> {
        let known = self.signals.get(&(signal, object)).or_else(|| self.signals.get(&(signal, 0)));
        name_or(known.map(|name| &**name), || format!("signal {signal}"))
    }

    pub fn record(&self, record: u8) -> Cow<'_, str> {
        name_or(self.records.get(&record).map(|name| &**name), || format!("user record {record}"))
    }

    pub fn enumeration(&self, group: u8, value: u8) -> Option<&str> {
        self.enumerations.get(&(group, value)).map(|name| &**name)
    }
}

fn name_or(known: Option<&str>, other: impl FnOnce() -> String) -> Cow<'_, str> {
    known.map_or_else(|| Cow::Owned(other()), Cow::Borrowed)
}

fn address(of: u64) -> String {
    format!("{of:#010x}")
}
