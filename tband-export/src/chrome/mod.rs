//! Chrome's trace events, as JSON: what Perfetto's page, `chrome://tracing` and many profilers read.
//!
//! Each core is a thread with the tasks that ran there, and interrupts within them. Times are in microseconds, with three
//! decimals.

use std::io::{self, Write};

use tband_conv::timeline::{At, PerCore, World};
use tband_conv::{ConvError, Input, Options, Summary, convert};

use crate::stacks::{Frame, PerFrame, Slices, Stacks, json_name};
use crate::text::Text;
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
    let mut out = Text::new(out);
    out.line().text(r#"{"displayTimeUnit":"ns","traceEvents":["#);
    let chrome = Chrome { out, ends: PerFrame::default(), cores: PerCore::default() };
    convert(inputs, &options, &mut Stacks::new(chrome))
}

struct Chrome<W: Write> {
    out: Text<W>,
    /// What comes after the time, where a slice of a frame begins.
    ends: PerFrame<String>,
    /// Of each core that has slices.
    cores: PerCore<Option<Core>>,
}

/// What comes before the time in an event of a core.
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
    fn end_of(world: &World, frame: Frame) -> String {
        let category = match frame {
            Frame::Task(_) => "task",
            Frame::Isr(..) => "interrupt",
        };
        format!(",\"cat\":\"{category}\",\"name\":{}}},", json_name(world, frame))
    }
}

impl<W: Write> Slices for Chrome<W> {
    fn open(&mut self, world: &World, at: At, frame: Frame) -> io::Result<()> {
        let core = self.cores.entry(at.core).get_or_insert_with(|| Core::new(at.core));
        let end = self.ends.of(frame, || Self::end_of(world, frame));
        self.out.line().text(&core.open).thousandths(at.ns).text(end);
        self.out.end()
    }

    fn close(&mut self, _: &World, at: At, _: Frame) -> io::Result<()> {
        let Some(Some(core)) = self.cores.get(at.core) else { return Ok(()) };
        self.out.line().text(&core.close).thousandths(at.ns).text("},");
        self.out.end()
    }

    fn finish(&mut self, _: &World, _: (i64, i64)) -> io::Result<()> {
        let out = self.out.line();
        for (number, _) in (0_u32..).zip(self.cores.iter()).filter(|(_, core)| core.is_some()) {
            out.text(&format!(
                "\n{{\"ph\":\"M\",\"pid\":1,\"tid\":{number},\"name\":\"thread_name\",\
                 \"args\":{{\"name\":\"core {number}\"}}}},"
            ));
        }
        out.text(
            "\n{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"target\"}}\n]}\n",
        );
        self.out.finish().map(drop)
    }
}
