//! Value Change Dump, as text: for GTKWave, Surfer and whatever else reads waveforms.
//!
//! States and texts are strings (`s`), which GTKWave has added to the standard; they are one word each, with `_` for
//! white space. What is not known is `x`.

use std::io::{self, BufWriter, Write};

use tband_conv::{ConvError, Input, Options, Summary};
use vcd::{IdCode, SimulationCommand, TimescaleUnit, VarType, Writer};

use crate::names;
use crate::signals::{Catalog, Labels, Shape, Step, Take, Value, convert_signals};
use crate::without_flows;

/// Converts recordings to a VCD file of 1 ns resolution. Reads each input four times.
///
/// # Errors
/// As [`convert`](tband_conv::convert); if `out` cannot be written.
pub fn convert_to_vcd(
    inputs: &[Input<'_>],
    options: &Options,
    out: impl Write,
) -> Result<Summary, ConvError> {
    let options = without_flows(options);
    let vcd = Vcd { out: Writer::new(BufWriter::new(out)), shapes: Vec::new(), ns: 0 };
    convert_signals(inputs, &options, names::word, vcd)
}

struct Vcd<W: Write> {
    out: Writer<BufWriter<W>>,
    /// Of each signal, by number.
    shapes: Vec<Shape>,
    /// Of what was written last.
    ns: i64,
}

impl<W: Write> Vcd<W> {
    fn time(&mut self, ns: i64) -> io::Result<()> {
        self.ns = ns;
        self.out.timestamp(ns.unsigned_abs())
    }
}

impl<W: Write> Take for Vcd<W> {
    fn start(&mut self, catalog: &Catalog, ns: i64) -> io::Result<()> {
        self.out.version(concat!("tband ", env!("CARGO_PKG_VERSION")))?;
        self.out.timescale(1, TimescaleUnit::NS)?;
        self.shapes = vec![Shape::Bit; catalog.len()];
        for step in catalog.tree() {
            match step {
                Step::Scope(name) => self.out.add_module(name)?,
                Step::Up => self.out.upscope()?,
                Step::Signal(signal, source, name) => {
                    let shape = source.shape();
                    if let Some(place) = self.shapes.get_mut(signal as usize) {
                        *place = shape;
                    }
                    let (kind, width) = match shape {
                        Shape::State | Shape::Text => (VarType::String, 1),
                        Shape::Bit => (VarType::Wire, 1),
                        Shape::Unsigned => (VarType::Reg, 32),
                        // Viewers show an `integer` as a signed number.
                        Shape::Signed => (VarType::Integer, 64),
                        Shape::Moment => (VarType::Event, 1),
                    };
                    self.out.var_def(kind, width, IdCode::from(signal), name, None)?;
                }
            }
        }
        self.out.enddefinitions()?;
        self.time(ns)?;
        self.out.begin(SimulationCommand::Dumpvars)?;
        for (signal, shape) in (0_u32..).zip(&self.shapes) {
            let id = IdCode::from(signal);
            match shape {
                Shape::State | Shape::Text => self.out.change_string(id, "x")?,
                Shape::Bit => self.out.change_scalar(id, vcd::Value::X)?,
                Shape::Unsigned | Shape::Signed => writeln!(self.out.writer(), "bx {id}")?,
                Shape::Moment => {}
            }
        }
        self.out.end()
    }

    fn change(&mut self, labels: &Labels, ns: i64, signal: u32, value: &Value) -> io::Result<()> {
        if ns != self.ns {
            self.time(ns)?;
        }
        let id = IdCode::from(signal);
        let shape = self.shapes.get(signal as usize).copied().unwrap_or(Shape::Bit);
        match (shape, value) {
            (Shape::Moment, _) => self.out.change_scalar(id, vcd::Value::V1),
            (Shape::Bit, Value::Number(bit)) => self.out.change_scalar(id, *bit != 0),
            (Shape::Bit, _) => self.out.change_scalar(id, vcd::Value::X),
            (Shape::State | Shape::Text, value) => {
                self.out.writer().write_all(b"s")?;
                write_word(self.out.writer(), value.text(labels).unwrap_or("x"))?;
                writeln!(self.out.writer(), " {id}")
            }
            (_, Value::Number(number)) => writeln!(self.out.writer(), "b{number:b} {id}"),
            (_, _) => writeln!(self.out.writer(), "bx {id}"),
        }
    }

    fn finish(&mut self, ns: i64) -> io::Result<()> {
        if ns != self.ns {
            self.time(ns)?;
        }
        self.out.flush()
    }
}

/// A text as one word.
fn write_word(out: &mut impl Write, text: &str) -> io::Result<()> {
    let mut words = text.split(char::is_whitespace);
    out.write_all(words.next().filter(|_| !text.is_empty()).unwrap_or("_").as_bytes())?;
    for word in words {
        out.write_all(b"_")?;
        out.write_all(word.as_bytes())?;
    }
    Ok(())
}
