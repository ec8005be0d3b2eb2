//! flux, the format of toem's impulse: scopes and signals as items, sequences of samples, and relations between them.
//!
//! Each core is a scope that is opened and closed separately: where its events are missing, its sequence ends. States are
//! events of a gantt chart, levels integers, and reports of the target texts; a wake-up is a relation from the woken task's
//! next act to its waker.

mod block;
mod items;

use std::collections::HashMap;
use std::io::{self, BufWriter, Write};

use foldhash::fast::RandomState;
use tband_conv::{ConvError, Input, Options, Summary};
pub use tband_flux::encoding::Version as FluxVersion;
use tband_flux::encoding::entry::{self, Head, STYLES, TARGETS, VALUES};
use tband_flux::encoding::number::{event_len, lowest, signed_len};
use tband_flux::encoding::sample::{self, Front, IS_DOUBLE, IS_EVENT, IS_NONE, IS_VALUE};

pub use self::block::Compression;
use self::block::{Blocks, MAX_ENTRY};
use self::items::{Item, Items};
use crate::names;
use crate::signals::{Catalog, Labels, Relation, Shape, SignalWriter, Value, convert_signals};

/// Words that are known to be reported within a sequence; beyond it they are reported again.
const MAX_WORDS: usize = 1 << 16;

/// How flux is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FluxOptions {
    /// The version; [`Compression::Zlib`] is of 6 only, and becomes LZ4 in 4.
    pub version: FluxVersion,
    /// Of blocks.
    pub compression: Compression,
}

/// Converts recordings to flux, times in nanoseconds. Reads each input twice.
///
/// # Errors
/// As [`convert()`](tband_conv::convert()); if `out` cannot be written, or a temporary file for all changes.
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
        words: HashMap::default(),
        entry: Vec::new(),
        data: Vec::new(),
    };
    convert_signals(inputs, options, names::word, flux)
}

/// Items that are opened and closed together.
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
    /// The last value of each signal: reported again where a sequence begins.
    last: Vec<Option<Value>>,
    /// The sequence in which a word was reported last, by item, enumeration and value. It is looked up with each change of a
    /// state, hence the hasher.
    words: HashMap<(u32, u8, u32), u64, RandomState>,
    entry: Vec<u8>,
    /// Data of a sample.
    data: Vec<u8>,
}

impl<W: Write> Flux<W> {
    fn head(&mut self, catalog: &Catalog) -> io::Result<()> {
        let mut head = Vec::new();
        entry::head(
            &mut head,
            &Head {
                version: self.version,
                // The one trace.
                trace: 0,
                name: b"tband",
                about: crate::exporter(catalog.are_times_ticks).as_bytes(),
                max_item: self.items.count,
                max_entry: MAX_ENTRY as u32,
            },
        );
        self.out.plain(&head)
    }

    /// Opens a group, if it is closed, with the values of its signals.
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
        self.entry.clear();
        // At any time.
        entry::open(&mut self.entry, item, b"ns", ns, 0);
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
        self.entry.clear();
        entry::close(&mut self.entry, item, ns);
        self.end()
    }

    fn end(&mut self) -> io::Result<()> {
        self.out.add(&self.entry)
    }

    /// Writes the meaning of a number for an item, once in each sequence.
    fn word(&mut self, item: &Item, of: u8, number: u32, word: &str) -> io::Result<()> {
        let sequence = self.groups.get(item.group).map_or(0, |group| group.sequence);
        if self.words.len() >= MAX_WORDS {
            self.words.clear();
        }
        if self.words.insert((item.id, of, number), sequence) == Some(sequence) {
            return Ok(());
        }
        self.entry.clear();
        entry::enumeration(&mut self.entry, item.id, of, word.as_bytes(), number);
        self.end()
    }

    fn sample(&mut self, labels: &Labels, ns: i64, item: &Item, value: &Value) -> io::Result<()> {
        self.data.clear();
        let data = match (item.shape, value) {
            (Shape::State, Value::Label(label)) => {
                let number = label.saturating_add(1);
                self.word(item, VALUES, number, labels.text(*label))?;
                lowest(&mut self.data, number.into(), event_len(self.version, number));
                IS_EVENT
            }
            (Shape::Moment, _) => {
                self.word(item, VALUES, 1, "fired")?;
                self.data.push(1);
                IS_EVENT
            }
            (Shape::Real, Value::Real(number)) => {
                self.data.extend_from_slice(&number.to_le_bytes());
                IS_DOUBLE
            }
            (_, Value::Number(number)) => {
                lowest(&mut self.data, number.cast_unsigned(), signed_len(*number));
                IS_VALUE
            }
            (_, value) => match value.text(labels) {
                Some(text) => {
                    self.data.extend_from_slice(text.as_bytes());
                    IS_VALUE
                }
                None => IS_NONE,
            },
        };
        let Some(group) = self.groups.get_mut(item.group) else { return Ok(()) };
        let delta = ns.abs_diff(group.last_ns.min(ns));
        group.last_ns = group.last_ns.max(ns);
        self.entry.clear();
        let len = self.data.len();
        let front = Front { item: item.id, is_tainted: false, delta, len, data };
        sample::front(&mut self.entry, &front);
        self.entry.extend_from_slice(&self.data);
        self.end()?;
        match value {
            Value::Related(relation) => self.relation(ns, item, relation),
            _ => Ok(()),
        }
    }

    /// Writes an arrow from the cause to the sample that was just written.
    fn relation(&mut self, ns: i64, item: &Item, relation: &Relation) -> io::Result<()> {
        let Some(Some(from)) = self.items.signals.get(relation.from as usize).copied() else {
            return Ok(());
        };
        let path = self.items.paths.get(relation.from as usize).cloned().unwrap_or_default();
        self.word(item, TARGETS, from.id, &path)?;
        self.word(item, STYLES, 1, "Wake/444444/line/no")?;
        let delta = relation.from_ns.saturating_sub(ns);
        self.entry.clear();
        entry::relation(&mut self.entry, self.version, item.id, from.id, 1, delta);
        self.end()
    }
}

/// Whether the values of a group before its first sequence are unknown.
fn state_is_first(groups: &[Group], group: usize) -> bool {
    groups.get(group).is_none_or(|group| group.sequence <= 1)
}

impl<W: Write> SignalWriter for Flux<W> {
    fn start(&mut self, catalog: &Catalog, _: i64) -> io::Result<()> {
        self.items = Items::of(catalog);
        self.groups = vec![Group::default(); self.items.groups.len()];
        self.last = vec![None; catalog.len()];
        self.head(catalog)?;
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
            *last = match *value {
                Value::Number(number) => Some(Value::Number(number)),
                Value::Real(number) => Some(Value::Real(number)),
                Value::Label(label) => Some(Value::Label(label)),
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
                // Items without a core still have values: those that remain known.
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
