//! flux, the format of toem's impulse: scopes and signals as items, sequences of samples, and relations between them.
//!
//! Each core is a scope that is opened and closed by itself: where its events are missing its sequence ends. States are
//! events of a gantt chart, levels integers, and what the target reports texts; a wake is a relation from what the woken
//! task did to who woke it.

mod block;
mod bytes;
mod items;

use std::collections::HashMap;
use std::io::{self, BufWriter, Write};

use tband_conv::{ConvError, Input, Options, Summary};

pub use self::block::Compression;
use self::block::{Blocks, MAX_ENTRY};
use self::bytes::{pint, signed, sint, text};
use self::items::{Item, Items};
use crate::names;
use crate::signals::{Catalog, Labels, Relation, Shape, Take, Value, convert_signals};

const HEAD: u8 = 0x01;
const OPEN: u8 = 0x20;
const CLOS: u8 = 0x21;
const ENMD: u8 = 0x30;
const ATRE: u8 = 0x40;

/// Enumeration of values of an item.
const VALUES: u8 = 0;
/// Enumeration of signals that relations lead to.
const TARGETS: u8 = 1;
/// Enumeration of how relations look.
const STYLES: u8 = 2;

/// Words that are known to be reported within a sequence; beyond it they are reported again.
const MAX_WORDS: usize = 1 << 16;

/// A version of the format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FluxVersion {
    /// For older readers.
    Four,
    /// The present one.
    #[default]
    Six,
}

/// How flux is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FluxOptions {
    /// The version; [`Compression::Zlib`] is of 6 only, and becomes LZ4 in 4.
    pub version: FluxVersion,
    /// Of blocks.
    pub compression: Compression,
}

/// Converts recordings to flux, times in nanoseconds. Reads each input four times.
///
/// # Errors
/// As [`convert`](tband_conv::convert); if `out` cannot be written.
pub fn convert_to_flux(
    inputs: &[Input<'_>],
    options: &Options,
    how: FluxOptions,
    out: impl Write,
) -> Result<Summary, ConvError> {
    let compression = match how {
        FluxOptions { version: FluxVersion::Four, compression: Compression::Zlib } => {
            Compression::Lz4
        }
        _ => how.compression,
    };
    let flux = Flux {
        out: Blocks::new(BufWriter::new(out), compression),
        version: how.version,
        items: Items::default(),
        groups: Vec::new(),
        last: Vec::new(),
        words: HashMap::new(),
        entry: Vec::new(),
        data: Vec::new(),
    };
    convert_signals(inputs, options, names::word, flux)
}

/// What is opened and closed together.
#[derive(Clone, Copy, Debug, Default)]
struct Group {
    is_open: bool,
    /// How often it was opened.
    sequence: u64,
    /// Of its last sample, or of its start.
    last_ns: i64,
}

struct Flux<W: Write> {
    out: Blocks<BufWriter<W>>,
    version: FluxVersion,
    items: Items,
    groups: Vec<Group>,
    /// What each signal is: reported again where a sequence begins.
    last: Vec<Option<Value>>,
    /// In which sequence a word was reported last, by item, enumeration and value.
    words: HashMap<(u32, u8, u32), u64>,
    entry: Vec<u8>,
    /// Of a sample.
    data: Vec<u8>,
}

impl<W: Write> Flux<W> {
    fn head(&mut self) -> io::Result<()> {
        let version = match self.version {
            FluxVersion::Four => 4,
            FluxVersion::Six => 6,
        };
        let mut entry = vec![0, HEAD];
        entry.extend_from_slice(b"flux");
        entry.push(version);
        // The one trace.
        pint(&mut entry, 0);
        text(&mut entry, "tband");
        text(&mut entry, concat!("tband ", env!("CARGO_PKG_VERSION")));
        // The normal mode.
        entry.push(0);
        // What is opened has to be less than the greatest number.
        pint(&mut entry, u64::from(self.items.count) + 1);
        pint(&mut entry, MAX_ENTRY as u64);
        self.out.plain(&entry)
    }

    /// Opens a group, if it is not, with what its signals are.
    fn open(&mut self, labels: &Labels, group: usize, ns: i64) -> io::Result<()> {
        let (Some(state), Some(item)) =
            (self.groups.get_mut(group), self.items.groups.get(group).copied())
        else {
            return Ok(());
        };
        if state.is_open {
            return Ok(());
        }
        *state = Group { is_open: true, sequence: state.sequence + 1, last_ns: ns };
        self.begin(OPEN, item);
        text(&mut self.entry, "ns");
        sint(&mut self.entry, ns);
        // At any time.
        pint(&mut self.entry, 0);
        self.end()?;
        if state_is_first(&self.groups, group) {
            return Ok(());
        }
        for signal in 0..self.last.len() {
            let Some(Some(item)) = self.items.signals.get(signal).copied() else { continue };
            let Some(Some(value)) = self.last.get(signal).cloned() else { continue };
            if item.group == group {
                self.sample(labels, ns, &item, &value)?;
            }
        }
        Ok(())
    }

    fn close(&mut self, group: usize, ns: i64) -> io::Result<()> {
        let (Some(state), Some(item)) =
            (self.groups.get_mut(group), self.items.groups.get(group).copied())
        else {
            return Ok(());
        };
        if !state.is_open {
            return Ok(());
        }
        state.is_open = false;
        let ns = ns.max(state.last_ns);
        self.begin(CLOS, item);
        sint(&mut self.entry, ns);
        self.end()
    }

    fn begin(&mut self, tag: u8, item: u32) {
        self.entry.clear();
        self.entry.extend([0, tag]);
        pint(&mut self.entry, item.into());
    }

    fn end(&mut self) -> io::Result<()> {
        self.out.add(&self.entry)
    }

    /// Says what a number means for an item, once in each sequence.
    fn word(&mut self, item: &Item, of: u8, number: u32, word: &str) -> io::Result<()> {
        let sequence = self.groups.get(item.group).map_or(0, |group| group.sequence);
        if self.words.len() >= MAX_WORDS {
            self.words.clear();
        }
        if self.words.insert((item.id, of, number), sequence) == Some(sequence) {
            return Ok(());
        }
        self.begin(ENMD, item.id);
        pint(&mut self.entry, of.into());
        text(&mut self.entry, word);
        pint(&mut self.entry, number.into());
        self.end()
    }

    fn sample(&mut self, labels: &Labels, ns: i64, item: &Item, value: &Value) -> io::Result<()> {
        self.data.clear();
        // What kind of data follows: 0 for none, 1 for numbers and texts, 2 for events.
        let kind = match (item.shape, value) {
            (Shape::State, Value::Label(label)) => {
                let number = label.saturating_add(1);
                self.word(item, VALUES, number, labels.text(*label))?;
                signed(&mut self.data, number.into());
                2
            }
            (Shape::Moment, _) => {
                self.word(item, VALUES, 1, "fired")?;
                self.data.push(1);
                2
            }
            (_, Value::Number(number)) => {
                // A number has a byte at least.
                if signed(&mut self.data, *number) == 0 {
                    self.data.push(0);
                }
                1
            }
            (_, value) => match value.text(labels) {
                Some(text) => {
                    self.data.extend_from_slice(text.as_bytes());
                    1
                }
                None => 0,
            },
        };
        let Some(group) = self.groups.get_mut(item.group) else { return Ok(()) };
        let delta = ns.abs_diff(group.last_ns.min(ns));
        group.last_ns = group.last_ns.max(ns);
        self.entry.clear();
        pint(&mut self.entry, u64::from(item.id) << 3 | if delta > 0 { 2 } else { 0 });
        if delta > 0 {
            pint(&mut self.entry, delta);
        }
        pint(&mut self.entry, (self.data.len() as u64) << 4 | kind);
        self.entry.extend_from_slice(&self.data);
        self.end()?;
        match value {
            Value::Related(relation) => self.relation(ns, item, relation),
            _ => Ok(()),
        }
    }

    /// An arrow from who caused it to the sample that was just written.
    fn relation(&mut self, ns: i64, item: &Item, relation: &Relation) -> io::Result<()> {
        let Some(Some(from)) = self.items.signals.get(relation.from as usize).copied() else {
            return Ok(());
        };
        let path = self.items.paths.get(relation.from as usize).cloned().unwrap_or_default();
        self.word(item, TARGETS, from.id, &path)?;
        self.word(item, STYLES, 1, "Wake/444444/line/no")?;
        self.begin(ATRE, item.id);
        if self.version == FluxVersion::Six {
            // A difference of time, and the arrow comes from there.
            self.entry.push(1);
        }
        pint(&mut self.entry, from.id.into());
        pint(&mut self.entry, 1);
        sint(&mut self.entry, relation.from_ns.saturating_sub(ns));
        if self.version == FluxVersion::Six {
            // In the same domain.
            pint(&mut self.entry, 0);
        }
        self.end()
    }
}

/// Nothing is known of what the signals of a group are before its first sequence.
fn state_is_first(groups: &[Group], group: usize) -> bool {
    groups.get(group).is_none_or(|group| group.sequence <= 1)
}

impl<W: Write> Take for Flux<W> {
    fn start(&mut self, catalog: &Catalog, _: i64) -> io::Result<()> {
        self.items = Items::of(catalog);
        self.groups = vec![Group::default(); self.items.groups.len()];
        self.last = vec![None; catalog.len()];
        self.head()?;
        for entry in std::mem::take(&mut self.items.entries) {
            self.out.add(&entry)?;
        }
        Ok(())
    }

    fn change(&mut self, labels: &Labels, ns: i64, signal: u32, value: &Value) -> io::Result<()> {
        let Some(Some(item)) = self.items.signals.get(signal as usize).copied() else {
            return Ok(());
        };
        self.open(labels, item.group, ns)?;
        self.sample(labels, ns, &item, value)?;
        if let Some(last) = self.last.get_mut(signal as usize) {
            *last = match value {
                Value::Number(_) | Value::Label(_) => Some(value.clone()),
                _ => None,
            };
        }
        Ok(())
    }

    fn gap(&mut self, labels: &Labels, ns: i64, core: Option<u32>) -> io::Result<()> {
        match core {
            Some(core) => match self.items.cores.get(&core).copied() {
                Some(group) => self.close(group, ns),
                None => Ok(()),
            },
            None => {
                (0..self.groups.len()).try_for_each(|group| self.close(group, ns))?;
                // What has no core has values all the same: those that are still known.
                (0..self.groups.len())
                    .filter(|group| !self.items.cores.values().any(|core| core == group))
                    .collect::<Vec<_>>()
                    .into_iter()
                    .try_for_each(|group| self.open(labels, group, ns))
            }
        }
    }

    fn finish(&mut self, ns: i64) -> io::Result<()> {
        (0..self.groups.len()).try_for_each(|group| self.close(group, ns))?;
        self.out.finish()
    }
}
