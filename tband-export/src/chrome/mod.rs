//! Chrome's trace events, as JSON: what Perfetto's page, `chrome://tracing` and many profilers read.
//!
//! Each core is a thread with the tasks that ran there, and interrupts within them. Times are in microseconds, with three
//! decimals.

use std::collections::{BTreeSet, HashMap};
use std::io::{self, BufWriter, Write};

use tband_conv::timeline::{At, World};
use tband_conv::{ConvError, Input, Options, Summary, convert};

use crate::stacks::{Frame, Slices, Stacks, json_name};
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
    let chrome = Chrome { out, names: HashMap::new(), cores: BTreeSet::new() };
    convert(inputs, &options, &mut Stacks::new(chrome))
}

struct Chrome<W: Write> {
    out: BufWriter<W>,
    /// As JSON.
    names: HashMap<Frame, String>,
    cores: BTreeSet<u32>,
}

impl<W: Write> Chrome<W> {
    fn event(&mut self, phase: char, at: At) -> io::Result<()> {
        let (us, ns) = (at.ns / 1000, at.ns % 1000);
        let tid = at.core;
        write!(self.out, "\n{{\"ph\":\"{phase}\",\"pid\":1,\"tid\":{tid},\"ts\":{us}.{ns:03}")
    }
}

impl<W: Write> Slices for Chrome<W> {
    fn open(&mut self, world: &World, at: At, frame: Frame) -> io::Result<()> {
        self.cores.insert(at.core);
        self.event('B', at)?;
        let category = match frame {
            Frame::Task(_) => "task",
            Frame::Isr(..) => "interrupt",
        };
        let name = self.names.entry(frame).or_insert_with(|| json_name(world, frame));
        write!(self.out, ",\"cat\":\"{category}\",\"name\":{name}}},")
    }

    fn close(&mut self, _: &World, at: At, _: Frame) -> io::Result<()> {
        self.event('E', at)?;
        self.out.write_all(b"},")
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
