//! Chrome's trace events, as JSON: what Perfetto's page, `chrome://tracing` and many profilers read.
//!
//! Each core is a thread with the tasks that ran there, and interrupts within them. Times are in microseconds, with three
//! decimals.

use std::collections::BTreeSet;
use std::io::{self, BufWriter, Write};

use tband_conv::timeline::{At, World};
use tband_conv::{ConvError, Input, Options, Summary, convert};

use crate::line::Line;
use crate::stacks::{Frame, PerFrame, Slices, Stacks, json_name};
use crate::without_flows;

/// Converts recordings to Chrome's trace events: which task ran on each core and which interrupts were open. Reads each
/// input twice.
///
/// # Errors
/// As [`convert`]; if `out` cannot be written.
pub fn convert_to_chrome(
    inputs: &[Input<'_>],
    options: &Options,
    out: impl Write,
) -> Result<Summary, ConvError> {
    let options = without_flows(options);
    let mut out = BufWriter::new(out);
    let head = br#"{"displayTimeUnit":"ns","traceEvents":["#;
    out.write_all(head).map_err(ConvError::Write)?;
    let chrome =
        Chrome { out, names: PerFrame::default(), cores: BTreeSet::new(), line: Line::default() };
    convert(inputs, &options, &mut Stacks::new(chrome))
}

struct Chrome<W: Write> {
    out: BufWriter<W>,
    /// As JSON.
    names: PerFrame<String>,
    cores: BTreeSet<u32>,
    line: Line,
}

impl<W: Write> Chrome<W> {
    /// Begins an event.
    fn event(&mut self, phase: &str, at: At) -> &mut Line {
        let line = self.line.begin().text("\n{\"ph\":\"").text(phase).text("\",\"pid\":1,\"tid\":");
        line.number(at.core).text(",\"ts\":").thousandths(at.ns)
    }

    fn write(&mut self) -> io::Result<()> {
        self.out.write_all(self.line.bytes())
    }
}

impl<W: Write> Slices for Chrome<W> {
    fn open(&mut self, world: &World, at: At, frame: Frame) -> io::Result<()> {
        self.cores.insert(at.core);
        self.event("B", at);
        let category = match frame {
            Frame::Task(_) => "task",
            Frame::Isr(..) => "interrupt",
        };
        let name = self.names.of(frame, || json_name(world, frame)).map_or("", String::as_str);
        self.line.text(",\"cat\":\"").text(category).text("\",\"name\":").text(name).text("},");
        self.write()
    }

    fn close(&mut self, _: &World, at: At, _: Frame) -> io::Result<()> {
        self.event("E", at).text("},");
        self.write()
    }

    fn finish(&mut self, _: &World, _: (i64, i64)) -> io::Result<()> {
        for core in &self.cores {
            write!(
                self.out,
                "\n{{\"ph\":\"M\",\"pid\":1,\"tid\":{core},\"name\":\"thread_name\",\
                 \"args\":{{\"name\":\"core {core}\"}}}},"
            )?;
        }
        self.out.write_all(
            b"\n{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"target\"}}\n]}\n",
        )?;
        self.out.flush()
    }
}
