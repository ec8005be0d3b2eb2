//! The timeline, from a sink that shares no code with the exports: the values of each object, with begin and end.
#![allow(dead_code, reason = "each test uses a part")]

use std::collections::BTreeMap;

use tband_conv::{Input, Options, convert};
use tband_recordings::facts::Facts;
pub use tband_recordings::inputs::{random, vectors};

/// Begin, end, and value.
pub type Slice = (i64, i64, String);

/// The slices of each signal of a kind, sorted: names are left out, since objects may share one.
pub type SlicesByKind = BTreeMap<&'static str, Vec<Vec<Slice>>>;

/// Adds the values of a signal, without unknown ones; repeated values are joined.
pub fn add(
    kinds: &mut SlicesByKind,
    kind: &'static str,
    of_signal: impl IntoIterator<Item = Slice>,
) {
    let mut all: Vec<Slice> = Vec::new();
    for (from, to, value) in of_signal {
        if from >= to {
            continue;
        }
        match all.last_mut() {
            Some(last) if last.1 == from && last.2 == value => last.1 = to,
            _ => all.push((from, to, value)),
        }
    }
    if !all.is_empty() {
        kinds.entry(kind).or_default().push(all);
    }
}

/// In an order that does not depend on names.
pub fn sorted(mut kinds: SlicesByKind) -> SlicesByKind {
    kinds.values_mut().for_each(|all| all.sort());
    kinds
}

/// Adds a signal by the last part of its name, or as an interrupt.
pub fn add_signal(
    kinds: &mut SlicesByKind,
    name: &str,
    is_isr: bool,
    slices: impl IntoIterator<Item = Slice>,
) {
    let kind = match name {
        "state" => "state",
        "level" => "level",
        "bytes" => "bytes",
        "bits" => "bits",
        "value" => "value",
        "priority" => "priority",
        _ if is_isr => "isr",
        _ => return,
    };
    let all = slices
        .into_iter()
        .map(|(from, to, value)| (from, to, if kind == "state" { state(&value) } else { value }));
    // Closed is nothing.
    add(kinds, kind, all.filter(|(.., value)| kind != "isr" || value != "0"));
}

/// Both have the same kinds of signals, and of each kind the same.
#[track_caller]
pub fn compare(found: &SlicesByKind, expected: &SlicesByKind, format: &str) {
    for (kind, all) in expected {
        assert_eq!(found.get(kind), Some(all), "{format}: {kind}");
    }
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "{format}");
}

/// Returns a state as a word: the reasons of waits are compared elsewhere.
pub fn state(text: &str) -> String {
    let end = text.find(|c: char| !c.is_alphabetic()).unwrap_or(text.len());
    text[..end].to_lowercase()
}

/// Returns the facts of a recording.
pub fn expected(inputs: &[Input<'_>], options: &Options) -> SlicesByKind {
    let mut facts = Facts::default();
    convert(inputs, options, &mut facts).unwrap();
    let mut kinds = SlicesByKind::new();
    for (of, all) in facts.slices {
        let kind = match of.as_str() {
            of if of.starts_with("state of") => "state",
            of if of.starts_with("level of buffer") => "bytes",
            of if of.starts_with("level of") => "level",
            of if of.starts_with("bits of") => "bits",
            of if of.starts_with("value of") => "value",
            of if of.ends_with(": priority") => "priority",
            of if of.starts_with("isrs of") => {
                for isr in open_isrs(&all) {
                    add(&mut kinds, "isr", isr);
                }
                continue;
            }
            _ => continue,
        };
        let all = all.into_iter().map(|(from, to, value)| {
            let value = if kind == "state" { state(&value) } else { value };
            (from, to, value)
        });
        add(&mut kinds, kind, all);
    }
    sorted(kinds)
}

/// When each interrupt of a core was open, of slices such as `#0 > #3`.
fn open_isrs(all: &[Slice]) -> Vec<Vec<Slice>> {
    let mut isrs: BTreeMap<&str, Vec<Slice>> = BTreeMap::new();
    for (from, to, open) in all {
        let mut open: Vec<_> = open.split(" > ").collect();
        open.sort_unstable();
        open.dedup();
        for isr in open {
            isrs.entry(isr).or_default().push((*from, *to, "1".to_owned()));
        }
    }
    isrs.into_values().collect()
}
