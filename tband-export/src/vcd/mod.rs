//! Value Change Dump, as text: for GTKWave, Surfer and whatever else reads waveforms.
//!
//! States and texts are strings (`s`), which GTKWave has added to the standard; they are one word each, with `_` for
//! white space. What is not known is `x`, of numbers of double precision NaN.

use std::io::{self, BufWriter, Write};

use tband_conv::{ConvError, Input, Options, Summary};
use vcd::{IdCode, SimulationCommand, TimescaleUnit, VarType, Writer};

use crate::line::Line;
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
    let vcd = Vcd {
        out: Writer::new(BufWriter::new(out)),
        signals: Vec::new(),
        line: Line::default(),
        ns: 0,
    };
    convert_signals(inputs, &options, names::word, vcd)
}

struct Vcd<W: Write> {
    out: Writer<BufWriter<W>>,
    /// The signals by their numbers, with their identifiers.
    signals: Vec<(Shape, String)>,
    line: Line,
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
        let identifier = |signal| (Shape::Bit, IdCode::from(signal).to_string());
        self.signals = (0_u32..).take(catalog.len()).map(identifier).collect();
        for step in catalog.tree() {
            match step {
                Step::Scope(name) => self.out.add_module(name)?,
                Step::Up => self.out.upscope()?,
                Step::Signal(signal, source, name) => {
                    let shape = source.shape();
                    if let Some(place) = self.signals.get_mut(signal as usize) {
                        place.0 = shape;
                    }
                    let (kind, width) = match shape {
                        Shape::State | Shape::Text => (VarType::String, 1),
                        Shape::Bit => (VarType::Wire, 1),
                        Shape::Unsigned => (VarType::Reg, 32),
                        // Viewers show an `integer` as a signed number.
                        Shape::Signed => (VarType::Integer, 64),
                        Shape::Real => (VarType::Real, 64),
                        Shape::Moment => (VarType::Event, 1),
                    };
                    self.out.var_def(kind, width, IdCode::from(signal), name, None)?;
                }
            }
        }
        self.out.enddefinitions()?;
        self.time(ns)?;
        self.out.begin(SimulationCommand::Dumpvars)?;
        for (signal, (shape, _)) in (0_u32..).zip(&self.signals) {
            let id = IdCode::from(signal);
            match shape {
                Shape::State | Shape::Text => self.out.change_string(id, "x")?,
                Shape::Bit => self.out.change_scalar(id, vcd::Value::X)?,
                Shape::Unsigned | Shape::Signed => writeln!(self.out.writer(), "bx {id}")?,
                Shape::Real => self.out.change_real(id, f64::NAN)?,
                Shape::Moment => {}
            }
        }
        self.out.end()
    }

    fn change(&mut self, labels: &Labels, ns: i64, signal: u32, value: &Value) -> io::Result<()> {
        let Some((shape, id)) = self.signals.get(signal as usize) else { return Ok(()) };
        let line = self.line.begin();
        if ns != self.ns {
            self.ns = ns;
            line.text("#").number(ns.unsigned_abs()).text("\n");
        }
        match (shape, value) {
            (Shape::Moment, _) => line.text("1"),
            (Shape::Bit, Value::Number(0)) => line.text("0"),
            (Shape::Bit, Value::Number(_)) => line.text("1"),
            (Shape::Bit, _) => line.text("x"),
            (Shape::State | Shape::Text, value) => {
                line.text("s").word(value.text(labels).unwrap_or("x")).text(" ")
            }
            (Shape::Real, value) => line.text("r").real(value.real()).text(" "),
            (_, Value::Number(number)) => line.text("b").bits(*number).text(" "),
            (_, _) => line.text("bx "),
        };
        line.text(id).text("\n");
        self.out.writer().write_all(line.bytes())
    }

    fn finish(&mut self, ns: i64) -> io::Result<()> {
        if ns != self.ns {
            self.time(ns)?;
        }
        self.out.flush()
    }
}
