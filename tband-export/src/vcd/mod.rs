//! Value Change Dump, as text: for GTKWave, Surfer and other readers of waveforms.
//!
//! States and texts are strings (`s`), which GTKWave has added to the standard; they are one word each, with `_` for white
//! space. An unknown value is `x`, and NaN for numbers of double precision. All signals are declared in front, so changes wait
//! in a temporary file until all are known.

mod integers;

use std::collections::BTreeSet;
use std::io::{self, BufWriter, Write};

use tband_conv::{ConvError, Input, Options, Summary, convert};
use vcd::{IdCode, SimulationCommand, TimescaleUnit, VarType, Writer};

use self::integers::append_as_reals;
use crate::delimited_number::DelimitedNumber;
use crate::line::Line;
use crate::names;
use crate::signals::{
    Catalog, Clock, Labels, Log, Shape, SignalFollower, SignalStore, Source, Step, Value,
};
use crate::without_flows;

/// Converts recordings to a VCD file of 1 ns resolution. Reads each input twice.
///
/// # Errors
/// As [`convert()`]; if `out` cannot be written, or a temporary file for all changes.
pub fn convert_to_vcd(
    inputs: &[Input<'_>],
    options: &Options,
    out: impl Write,
) -> Result<Summary, ConvError> {
    let options = without_flows(options);
    let vcd = Vcd {
        out,
        changes: Log::new(Times::default()),
        signals: Vec::new(),
        words: Vec::new(),
        turned: BTreeSet::new(),
    };
    convert(inputs, &options, &mut SignalFollower::new(names::word, vcd))
}

struct Vcd<W: Write> {
    out: W,
    /// Changes, as the file has them.
    changes: Log<Times>,
    /// By their numbers.
    signals: Vec<Signal>,
    /// Of labels, by their numbers.
    words: Vec<LabelValue>,
    /// Identifiers of signals that have been integers and have turned out to be of double precision.
    turned: BTreeSet<String>,
}

/// Times, as the file has them.
struct Times(DelimitedNumber);

impl Default for Times {
    fn default() -> Self {
        Self(DelimitedNumber::new([b'#', b'\n']))
    }
}

impl Clock for Times {
    #[inline]
    fn time(&mut self, line: &mut Line, ns: i64) {
        self.0.write(line, ns.unsigned_abs());
    }
}

/// Bytes of a short text, which is written without a call.
const SHORT: usize = 8;

/// A signal.
struct Signal {
    shape: Shape,
    /// The end of its changes, with its length.
    end: ([u8; SHORT], usize),
    /// A change of a bit, whose value is the first byte.
    bit: [u8; SHORT],
}

impl Signal {
    fn new(signal: u32, shape: Shape) -> Self {
        let end = format!("{}\n", IdCode::from(signal));
        Self { shape, end: short(end.as_bytes()), bit: short(format!("x{end}").as_bytes()).0 }
    }

    /// Its change to a value of one character.
    #[inline]
    fn change_of_bit(&self, value: u8) -> ([u8; SHORT], usize) {
        let mut bit = self.bit;
        bit[0] = value;
        (bit, self.end.1.wrapping_add(1))
    }
}

/// A text in front of zeros. Identifiers have five bytes at most.
fn short<const ROOM: usize>(text: &[u8]) -> ([u8; ROOM], usize) {
    let mut room = [0; ROOM];
    room.iter_mut().zip(text).for_each(|(place, byte)| *place = *byte);
    (room, text.len().min(ROOM))
}

/// A label as a value, with the surrounding text.
enum LabelValue {
    Short(([u8; 32], usize)),
    Long(String),
}

impl LabelValue {
    fn of(text: &str) -> Self {
        let mut line = Line::new();
        let text = line.text("s").word(text).text(" ").bytes();
        if text.len() < 32 {
            Self::Short(short(text))
        } else {
            Self::Long(String::from_utf8_lossy(text).into_owned())
        }
    }
}

impl<W: Write> Vcd<W> {
    /// Names all signals.
    fn head(&mut self, catalog: &Catalog, ns: i64) -> io::Result<()> {
        let mut out = Writer::new(BufWriter::new(&mut self.out));
        out.version(concat!("tband ", env!("CARGO_PKG_VERSION")))?;
        if catalog.are_times_ticks {
            out.comment(crate::TICKS)?;
        }
        out.timescale(1, TimescaleUnit::NS)?;
        for step in catalog.tree() {
            match step {
                Step::Scope(name) => out.add_module(name)?,
                Step::Up => out.upscope()?,
                Step::Signal(signal, source, name) => {
                    let (kind, width) = match source.shape() {
                        Shape::State | Shape::Text => (VarType::String, 1),
                        Shape::Bit => (VarType::Wire, 1),
                        Shape::Unsigned(bits) => (VarType::Reg, bits),
                        // Viewers show an `integer` as a signed number.
                        Shape::Signed => (VarType::Integer, 64),
                        Shape::Real => (VarType::Real, 64),
                        Shape::Moment => (VarType::Event, 1),
                    };
                    out.var_def(kind, width, IdCode::from(signal), name, None)?;
                }
            }
        }
        out.enddefinitions()?;
        out.timestamp(ns.unsigned_abs())?;
        out.begin(SimulationCommand::Dumpvars)?;
        for (number, signal) in (0_u32..).zip(&self.signals) {
            let id = IdCode::from(number);
            match signal.shape {
                Shape::State | Shape::Text => out.change_string(id, "x")?,
                Shape::Bit => out.change_scalar(id, vcd::Value::X)?,
                Shape::Unsigned(_) | Shape::Signed => writeln!(out.writer(), "bx {id}")?,
                Shape::Real => out.change_real(id, f64::NAN)?,
                Shape::Moment => {}
            }
        }
        out.end()?;
        for signal in catalog.closed() {
            let id = IdCode::from(signal);
            match catalog.source(signal).map(Source::shape) {
                Some(Shape::Bit) => out.change_scalar(id, vcd::Value::V0)?,
                _ => writeln!(out.writer(), "b0 {id}")?,
            }
        }
        out.flush()
    }
}

impl<W: Write> SignalStore for Vcd<W> {
    fn define_signal(&mut self, signal: u32, source: Source) {
        let found = Signal::new(signal, source.shape());
        match self.signals.get_mut(signal as usize) {
            Some(known) => {
                self.turned.insert(IdCode::from(signal).to_string());
                *known = found;
            }
            None => self.signals.push(found),
        }
    }

    #[inline]
    fn number(&mut self, labels: &Labels, ns: i64, signal: u32, number: i64) -> io::Result<()> {
        let Some(known) = self.signals.get(signal as usize) else { return Ok(()) };
        match known.shape {
            Shape::Bit => {
                let (text, len) = known.change_of_bit(if number == 0 { b'0' } else { b'1' });
                self.changes.begin(ns).short(text, len);
            }
            Shape::Unsigned(_) | Shape::Signed => {
                self.changes.begin(ns).vector(number, known.end);
            }
            _ => return self.change(labels, ns, signal, &Value::Number(number)),
        }
        self.changes.end()
    }

    #[inline]
    fn label(&mut self, labels: &Labels, ns: i64, signal: u32, label: u32) -> io::Result<()> {
        match (self.signals.get(signal as usize), self.words.get(label as usize)) {
            (Some(known), Some(LabelValue::Short(text))) if known.shape == Shape::State => {
                self.changes.begin(ns).pair(text, known.end);
                self.changes.end()
            }
            _ => self.change(labels, ns, signal, &Value::Label(label)),
        }
    }

    fn change(&mut self, labels: &Labels, ns: i64, signal: u32, value: &Value) -> io::Result<()> {
        let Some(known) = self.signals.get(signal as usize) else { return Ok(()) };
        let (end, len) = match (known.shape, value) {
            (Shape::Moment, _) => known.change_of_bit(b'1'),
            (Shape::Bit, Value::Number(0)) => known.change_of_bit(b'0'),
            (Shape::Bit, Value::Number(_)) => known.change_of_bit(b'1'),
            (Shape::Bit, _) => known.change_of_bit(b'x'),
            _ => known.end,
        };
        let line = self.changes.begin(ns);
        let line = match (known.shape, value) {
            (Shape::Moment | Shape::Bit, _) => line,
            (Shape::State | Shape::Text, Value::Label(label)) => {
                let words = &mut self.words;
                let new = (0..=*label).skip(words.len());
                words.extend(new.map(|label| LabelValue::of(labels.text(label))));
                match words.get(*label as usize) {
                    Some(LabelValue::Short((text, len))) => line.short(*text, *len),
                    Some(LabelValue::Long(text)) => line.text(text),
                    None => line,
                }
            }
            (Shape::State | Shape::Text, value) => {
                line.text("s").word(value.text(labels).unwrap_or("x")).text(" ")
            }
            (Shape::Real, value) => line.text("r").real(value.real()).text(" "),
            (_, Value::Number(number)) => line.text("b").bits(*number).text(" "),
            (_, _) => line.text("bx "),
        };
        line.short(end, len);
        self.changes.end()
    }

    fn finish(&mut self, catalog: &Catalog, _: &Labels, end_ns: i64) -> io::Result<()> {
        let changes = std::mem::replace(&mut self.changes, Log::new(Times::default()));
        let last_ns = changes.last_ns();
        let ((from_ns, to_ns), mut changes) = changes.finish(end_ns)?;
        self.head(catalog, from_ns)?;
        if self.turned.is_empty() {
            changes.append_to(&mut self.out)?;
        } else {
            append_as_reals(changes, &self.turned, &mut self.out)?;
        }
        if last_ns.unwrap_or(from_ns) != to_ns {
            let mut line = Line::new();
            line.text("#").number(to_ns.unsigned_abs()).text("\n");
            self.out.write_all(line.bytes())?;
        }
        self.out.flush()
    }
}
