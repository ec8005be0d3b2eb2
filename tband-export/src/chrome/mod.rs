//! Chrome's trace events, as JSON: the format that Perfetto's page, `chrome://tracing` and many profilers read.
//!
//! Each core is a thread with the tasks that ran there, and interrupts within them. Times are in microseconds, with three
//! decimals. Readers store them in 53 bits. Where they would lose nanoseconds, times count from the recording's first slice,
//! and `otherData` contains the time of that slice.

use std::io::{self, Write};

use tband_conv::model::{EventTime, PerCore, World};
use tband_conv::{ConvError, Input, Options, Summary, convert};

use crate::stacks::{Frame, PerFrame, Slices, Stacks, json_name};
use crate::text::TextWriter;
use crate::{TICKS, without_flows};

/// A recording whose first slice is this far from 0, in ns, counts its times from there. A double of microseconds is exact to
/// the nanosecond up to twice this value, 26 days, with room for a reader's rounding.
const FAR_NS: u64 = 1 << 50;

/// Converts recordings to Chrome's trace events: which task ran on each core and which interrupts were open. Reads each
/// input twice.
///
/// # Errors
/// As [`convert()`]; if `out` cannot be written.
pub fn convert_to_chrome(
    inputs: &[Input<'_>],
    options: &Options,
    out: impl Write,
) -> Result<Summary, ConvError> {
    let options = without_flows(options);
    let mut out = TextWriter::new(out);
    out.line().text(r#"{"displayTimeUnit":"ns","traceEvents":["#);
    let chrome =
        Chrome { out, ends: PerFrame::default(), cores: PerCore::default(), start_ns: None };
    convert(inputs, &options, &mut Stacks::new(chrome))
}

struct Chrome<W: Write> {
    out: TextWriter<W>,
    /// The text after the time, where a slice of a frame begins.
    ends: PerFrame<String>,
    /// The cores that have slices.
    cores: PerCore<Option<Core>>,
    /// The time that times are relative to, once there is a slice.
    start_ns: Option<i64>,
}

/// The text before the time in an event of a core.
struct Core {
    open: String,
    close: String,
}

impl Core {
    fn new(core: u32) -> Self {
        let event = |phase| format!("\n{{\"ph\":\"{phase}\",\"pid\":1,\"tid\":{core},\"ts\":");
        Self { open: event("B"), close: event("E") }
    }
}

impl<W: Write> Chrome<W> {
    /// The time of an event in the file.
    fn time(&mut self, ns: i64) -> i64 {
        let start = || if ns.unsigned_abs() < FAR_NS { 0 } else { ns };
        ns.saturating_sub(*self.start_ns.get_or_insert_with(start))
    }

    fn end_of(world: &World, frame: Frame) -> String {
        let category = match frame {
            Frame::Task(_) => "task",
            Frame::Isr(..) => "interrupt",
        };
        format!(",\"cat\":\"{category}\",\"name\":{}}},", json_name(world, frame))
    }
}

impl<W: Write> Slices for Chrome<W> {
    fn open(&mut self, world: &World, at: EventTime, frame: Frame) -> io::Result<()> {
        let ns = self.time(at.ns);
        let core = self.cores.entry(at.core).get_or_insert_with(|| Core::new(at.core));
        let end = self.ends.of(frame, || Self::end_of(world, frame));
        self.out.line().text(&core.open).thousandths(ns).text(end);
        self.out.end()
    }

    fn close(&mut self, _: &World, at: EventTime, _: Frame) -> io::Result<()> {
        let ns = self.time(at.ns);
        let Some(Some(core)) = self.cores.get(at.core) else { return Ok(()) };
        self.out.line().text(&core.close).thousandths(ns).text("},");
        self.out.end()
    }

    fn finish(&mut self, world: &World, _: (i64, i64)) -> io::Result<()> {
        let out = self.out.line();
        for (number, _) in (0_u32..).zip(self.cores.iter()).filter(|(_, core)| core.is_some()) {
            out.text(&format!(
                "\n{{\"ph\":\"M\",\"pid\":1,\"tid\":{number},\"name\":\"thread_name\",\
                 \"args\":{{\"name\":\"core {number}\"}}}},"
            ));
        }
        let unit = if world.are_times_ticks { " (times are ticks, shown as ns)" } else { "" };
        out.text(&format!(
            "\n{{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{{\"name\":\"target{unit}\"}}}}\n]"
        ));
        let mut other = Vec::new();
        if world.are_times_ticks {
            other.push(format!("\"time_unit\":\"{TICKS}\""));
        }
        if let Some(start) = self.start_ns.filter(|start| *start != 0) {
            // It is a text, because a number with that many digits would be rounded too.
            other.push(format!("\"start_ns\":\"{start}\""));
        }
        if !other.is_empty() {
            out.text(&format!(",\"otherData\":{{{}}}", other.join(",")));
        }
        out.text("}\n");
        self.out.finish().map(drop)
    }
}
