//! Changes of signals in a temporary file, for formats that declare all signals in front and write values in another form than
//! the received one.

use std::io::{self, BufRead, BufReader};

use super::catalog::Catalog;
use super::follower::SignalStore;
use super::labels::Labels;
use super::log::{Clock, Log};
use super::source::{Shape, Source};
use super::value::{Relation, Value};
use crate::line::Line;
use crate::spool::Spool;

/// Is reported changes in the order of time, those of one signal in the order in which they happened.
pub trait SignalWriter {
    /// Once, before all others: all signals, and the time of the first change.
    fn start(&mut self, catalog: &Catalog, ns: i64) -> io::Result<()>;

    /// A signal has this value from now on.
    fn change(&mut self, labels: &Labels, ns: i64, signal: u32, value: &Value) -> io::Result<()>;

    /// Events of this core, or of all, are missing from here on.
    fn gap(&mut self, labels: &Labels, ns: i64, core: Option<u32>) -> io::Result<()> {
        let _ = (labels, ns, core);
        Ok(())
    }

    /// Once, after all others.
    fn finish(&mut self, ns: i64) -> io::Result<()>;
}

// First byte of a change.
const UNKNOWN: u8 = 0;
const NUMBER: u8 = 1;
const REAL: u8 = 2;
const LABEL: u8 = 3;
const TEXT: u8 = 4;
const MOMENT: u8 = 5;
const RELATED: u8 = 6;
const GAP: u8 = 7;
/// The time of the changes after it.
const TIME: u8 = 8;

/// Bytes of a number at most.
const MAX_NUMBER: usize = 10;
/// Bytes that are read at once.
const BLOCK: usize = 1 << 15;

/// Times in the stored form.
#[derive(Debug)]
struct Times;

impl Clock for Times {
    #[inline]
    fn time(&mut self, line: &mut Line, ns: i64) {
        put(line.short([TIME], 1), ns.cast_unsigned());
    }
}

/// Stores all changes until the signals are known.
#[derive(Debug)]
pub struct Replay<T> {
    log: Log<Times>,
    take: T,
}

impl<T: SignalWriter> Replay<T> {
    /// For this one.
    pub fn new(take: T) -> Self {
        Self { log: Log::new(Times), take }
    }

    /// Replays the stored changes.
    fn replay(
        &mut self,
        catalog: &Catalog,
        labels: &Labels,
        file: Spool,
        ns: i64,
    ) -> io::Result<()> {
        let mut kept = StoredChanges { file: BufReader::with_capacity(BLOCK, file) };
        let mut ns = ns;
        while let Some(kind) = kept.first()? {
            let number = kept.number()?;
            if kind == TIME {
                ns = number.cast_signed();
                continue;
            }
            let signal = number as u32;
            let value = match kind {
                NUMBER => match (kept.number()?.cast_signed(), catalog.source(signal)) {
                    // It was an integer before there was another number.
                    (number, Some(source)) if source.shape() == Shape::Real => {
                        Value::Real(number as f64)
                    }
                    (number, _) => Value::Number(number),
                },
                REAL => Value::Real(f64::from_bits(kept.number()?)),
                LABEL => Value::Label(kept.number()? as u32),
                TEXT => Value::Text(kept.text()?.into()),
                MOMENT => Value::Moment,
                RELATED => {
                    let (from, from_ns) = (kept.number()? as u32, kept.number()?.cast_signed());
                    Value::Related(Box::new(Relation { text: kept.text()?, from, from_ns }))
                }
                GAP => {
                    self.take.gap(labels, ns, signal.checked_sub(1))?;
                    continue;
                }
                _ => Value::Unknown,
            };
            self.take.change(labels, ns, signal, &value)?;
        }
        Ok(())
    }
}

impl<T: SignalWriter> SignalStore for Replay<T> {
    fn define_signal(&mut self, _: u32, _: Source) {}

    fn change(&mut self, _: &Labels, ns: i64, signal: u32, value: &Value) -> io::Result<()> {
        let kind = match value {
            Value::Unknown => UNKNOWN,
            Value::Number(_) => NUMBER,
            Value::Real(_) => REAL,
            Value::Label(_) => LABEL,
            Value::Text(_) => TEXT,
            Value::Moment => MOMENT,
            Value::Related(_) => RELATED,
        };
        let line = put(self.log.begin(ns).short([kind], 1), signal.into());
        match value {
            Value::Unknown | Value::Moment => {}
            Value::Number(number) => {
                put(line, number.cast_unsigned());
            }
            Value::Real(number) => {
                put(line, number.to_bits());
            }
            Value::Label(label) => {
                put(line, (*label).into());
            }
            Value::Text(text) => put_text(line, text),
            Value::Related(it) => {
                put_text(put(put(line, it.from.into()), it.from_ns.cast_unsigned()), &it.text);
            }
        }
        self.log.end()
    }

    fn gap(&mut self, ns: i64, core: Option<u32>) -> io::Result<()> {
        let core = core.map_or(0, |core| u64::from(core).saturating_add(1));
        put(self.log.begin(ns).short([GAP], 1), core);
        self.log.end()
    }

    fn finish(&mut self, catalog: &Catalog, labels: &Labels, end_ns: i64) -> io::Result<()> {
        let log = std::mem::replace(&mut self.log, Log::new(Times));
        let ((from_ns, to_ns), file) = log.finish(end_ns)?;
        self.take.start(catalog, from_ns)?;
        for signal in catalog.closed() {
            self.take.change(labels, from_ns, signal, &Value::Number(0))?;
        }
        self.replay(catalog, labels, file, from_ns)?;
        self.take.finish(to_ns)
    }
}

/// A number, seven bits a byte, the lowest first.
#[inline]
fn put(line: &mut Line, mut number: u64) -> &mut Line {
    while number > 0x7F {
        line.short([number as u8 | 0x80], 1);
        number >>= 7;
    }
    line.short([number as u8], 1)
}

fn put_text(line: &mut Line, text: &str) {
    put(line, text.len() as u64).text(text);
}

/// The stored changes, as they are read again.
struct StoredChanges {
    file: BufReader<Spool>,
}

impl StoredChanges {
    /// Returns the first byte of the next change, if there is one.
    #[inline]
    fn first(&mut self) -> io::Result<Option<u8>> {
        let byte = self.file.fill_buf()?.first().copied();
        if byte.is_some() {
            self.file.consume(1);
        }
        Ok(byte)
    }

    /// A number; one that was cut off ends there.
    #[inline]
    fn number(&mut self) -> io::Result<u64> {
        // Nearly always the complete number is in the buffer.
        let Some(there) = self.file.buffer().first_chunk::<MAX_NUMBER>() else {
            return self.number_at_the_end();
        };
        let (mut number, mut read) = (0, 0);
        for (byte, place) in there.iter().zip((0..64).step_by(7)) {
            number |= u64::from(byte & 0x7F) << place;
            read += 1;
            if *byte < 0x80 {
                break;
            }
        }
        self.file.consume(read);
        Ok(number)
    }

    #[cold]
    fn number_at_the_end(&mut self) -> io::Result<u64> {
        let mut number = 0;
        for place in (0..64).step_by(7) {
            let Some(byte) = self.first()? else { break };
            number |= u64::from(byte & 0x7F) << place;
            if byte < 0x80 {
                break;
            }
        }
        Ok(number)
    }

    fn text(&mut self) -> io::Result<String> {
        let len = self.number()? as usize;
        let mut text = Vec::new();
        while let Some(missing) = len.checked_sub(text.len()).filter(|missing| *missing > 0) {
            let there = self.file.fill_buf()?;
            let there = there.get(..missing).unwrap_or(there);
            if there.is_empty() {
                break;
            }
            text.extend_from_slice(there);
            let read = there.len();
            self.file.consume(read);
        }
        Ok(String::from_utf8_lossy(&text).into_owned())
    }
}
