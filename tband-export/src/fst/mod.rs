//! Fast Signal Trace, the compressed format of GTKWave, which Surfer reads too.
//!
//! The writer has no strings, so states and texts are vectors of 32 bytes of ASCII, in the way that Verilog registers hold
//! texts: from the right, with zeros in front. An unknown value is `x`, and NaN for numbers of double precision.

use std::io::{self, Seek, Write};

use fst_writer::{
    FstBodyWriter, FstFileType, FstHeaderWriter, FstInfo, FstScopeType, FstSignalId, FstSignalType,
    FstVarDirection, FstVarType, FstWriteError,
};
use tband_conv::{ConvError, Input, Options, Summary};

use crate::names::{self, shortened};
use crate::signals::{Catalog, Labels, Shape, SignalWriter, Step, Value, convert_signals};
use crate::without_flows;

/// Bytes of a text.
const TEXT: usize = 32;
/// Bytes of changes that are gathered before they are compressed, at least.
const SECTION: usize = 1 << 20;
/// Minimum size of a section, as a multiple of its first frame: that frame contains all signals, and is not compressed.
const FRAMES: usize = 8;

/// Converts recordings to an FST file of 1 ns resolution, which `out` holds from its start on. Reads each input
/// twice.
///
/// # Errors
/// As [`convert()`](tband_conv::convert()); if `out` cannot be written, or a temporary file for all changes.
pub fn convert_to_fst(
    inputs: &[Input<'_>],
    options: &Options,
    out: impl Write + Seek,
) -> Result<Summary, ConvError> {
    let options = without_flows(options);
    convert_signals(inputs, &options, names::word, Fst::Head(Some(out)))
}

/// A file: named and then filled.
enum Fst<W: Write + Seek> {
    Head(Option<W>),
    Body(Box<Body<W>>),
    Done,
}

struct Body<W: Write + Seek> {
    out: FstBodyWriter<W>,
    /// Id and shape of each signal, by number.
    signals: Vec<Option<(FstSignalId, Shape)>>,
    /// Bytes of changes that are gathered.
    section: usize,
    ns: i64,
    /// The value that is written, as digits.
    digits: Vec<u8>,
}

fn failed(error: FstWriteError) -> io::Error {
    match error {
        FstWriteError::Io(error) => error,
        other => io::Error::other(other),
    }
}

/// Digits of a signal, which are bits in most.
const fn width(shape: Shape) -> usize {
    match shape {
        Shape::State | Shape::Text => 8 * TEXT,
        Shape::Bit | Shape::Moment => 1,
        Shape::Unsigned(bits) => bits as usize,
        Shape::Signed => 64,
        // Digits of eight bits each, as the writer has them.
        Shape::Real => 8,
    }
}

impl<W: Write + Seek> Body<W> {
    fn new(out: W, catalog: &Catalog, ns: i64) -> Result<Self, FstWriteError> {
        let info = FstInfo {
            start_time: 0,
            timescale_exponent: -9,
            version: crate::exporter(catalog.are_times_ticks),
            date: String::new(),
            file_type: FstFileType::Verilog,
        };
        let mut head = FstHeaderWriter::new(out, &info)?;
        let mut signals = vec![None; catalog.len()];
        let mut frame = 0_usize;
        for step in catalog.tree() {
            match step {
                Step::Scope(name) => head.scope(name, "", FstScopeType::Module)?,
                Step::Up => head.up_scope()?,
                Step::Signal(signal, source, name) => {
                    let shape = source.shape();
                    let bits = match shape {
                        Shape::Real => FstSignalType::real(),
                        _ => FstSignalType::bit_vec(u32::try_from(width(shape)).unwrap_or(1)),
                    };
                    let kind = match shape {
                        Shape::State | Shape::Text | Shape::Unsigned(_) => FstVarType::Reg,
                        Shape::Bit => FstVarType::Wire,
                        Shape::Signed => FstVarType::Integer,
                        Shape::Real => FstVarType::Real,
                        Shape::Moment => FstVarType::Event,
                    };
                    frame = frame.saturating_add(width(shape));
                    let id = head.var(name, bits, kind, FstVarDirection::Implicit, None)?;
                    if let Some(place) = signals.get_mut(signal as usize) {
                        *place = Some((id, shape));
                    }
                }
            }
        }
        let mut out = head.finish()?;
        // A moment is a change to the same value.
        out.set_deduplicate(false);
        out.time_change(ns.unsigned_abs())?;
        let section = SECTION.max(frame.saturating_mul(FRAMES));
        Ok(Self { out, signals, section, ns, digits: Vec::new() })
    }

    fn time(&mut self, ns: i64) -> Result<(), FstWriteError> {
        if ns == self.ns {
            return Ok(());
        }
        if self.out.size() > self.section {
            self.out.flush()?;
        }
        self.ns = ns;
        self.out.time_change(ns.unsigned_abs())
    }

    fn change(&mut self, labels: &Labels, signal: u32, value: &Value) -> Result<(), FstWriteError> {
        let Some(Some((id, shape))) = self.signals.get(signal as usize).copied() else {
            return Ok(());
        };
        self.digits.clear();
        match (shape, value) {
            (Shape::Moment, _) => self.digits.push(b'1'),
            (Shape::Real, value) => self.digits.extend(value.real().to_le_bytes()),
            (_, Value::Number(number)) => put_bits(&mut self.digits, *number, width(shape)),
            (_, value) => match value.text(labels) {
                Some(text) => put_text(&mut self.digits, text),
                None => self.digits.resize(width(shape), b'x'),
            },
        }
        // Lengths are those from the declaration of signals: the writer accepts no others.
        if self.digits.len() != width(shape) {
            return Ok(());
        }
        self.out.signal_change(id, &self.digits)
    }
}

/// The lowest bits of a number, from the highest on.
fn put_bits(digits: &mut Vec<u8>, number: i64, bits: usize) {
    digits.extend((0..bits).rev().map(|bit| if number >> bit & 1 == 1 { b'1' } else { b'0' }));
}

fn put_text(digits: &mut Vec<u8>, text: &str) {
    let text = shortened(text, TEXT).as_bytes();
    digits.resize(8 * TEXT.saturating_sub(text.len()), b'0');
    for byte in text {
        put_bits(digits, (*byte).into(), 8);
    }
}

impl<W: Write + Seek> SignalWriter for Fst<W> {
    fn start(&mut self, catalog: &Catalog, ns: i64) -> io::Result<()> {
        if let Self::Head(out) = self
            && let Some(out) = out.take()
        {
            *self = Self::Body(Box::new(Body::new(out, catalog, ns).map_err(failed)?));
        }
        Ok(())
    }

    fn change(&mut self, labels: &Labels, ns: i64, signal: u32, value: &Value) -> io::Result<()> {
        let Self::Body(body) = self else { return Ok(()) };
        body.time(ns).map_err(failed)?;
        body.change(labels, signal, value).map_err(failed)
    }

    fn finish(&mut self, ns: i64) -> io::Result<()> {
        let Self::Body(mut body) = std::mem::replace(self, Self::Done) else { return Ok(()) };
        // Values of the first time are written when a later one comes, and the writer begins at 0.
        body.time(ns.max(1)).map_err(failed)?;
        body.out.finish().map_err(failed)?.flush()
    }
}
