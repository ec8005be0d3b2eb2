//! Profiles for <https://www.speedscope.app>: one for each core, with the times of each task and interrupt.
//!
//! The events of a profile are contiguous: those of the first core go into the file, those of others wait.
//!
//! Times count from the start of the recording: the viewer stores them as doubles, which cannot hold nanoseconds since 1970.

use std::io::{self, Write};

use tband_conv::model::{EventTime, PerCore, World};
use tband_conv::{ConvError, Input, Options, Summary, convert};

use crate::line::Line;
use crate::spool::{SpooledText, append, waiting};
use crate::stacks::{Frame, PerFrame, Slices, Stacks, json_name};
use crate::text::TextWriter;
use crate::without_flows;

/// Converts recordings to speedscope's JSON: an evented profile for each core, in nanoseconds. Reads each input twice.
///
/// # Errors
/// As [`convert()`]; if `out` cannot be written, or a temporary file for the events of the other cores.
pub fn convert_to_speedscope(
    inputs: &[Input<'_>],
    options: &Options,
    out: impl Write,
) -> Result<Summary, ConvError> {
    let options = without_flows(options);
    let mut out = TextWriter::new(out);
    out.line().text(concat!(
        "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\
         \"exporter\":\"tband ",
        env!("CARGO_PKG_VERSION"),
        "\",\"profiles\":["
    ));
    let profiles = Profiles {
        out,
        first: None,
        others: PerCore::default(),
        frames: PerFrame::default(),
        names: Vec::new(),
    };
    convert(inputs, &options, &mut Stacks::new(profiles))
}

struct Profiles<W: Write> {
    out: TextWriter<W>,
    /// The core whose profile is in the file already.
    first: Option<u32>,
    /// The events of other cores.
    others: PerCore<Option<SpooledText>>,
    /// The text after the time in an event of a frame.
    frames: PerFrame<String>,
    /// Names of the frames, as JSON.
    names: Vec<String>,
}

impl<W: Write> Profiles<W> {
    fn event(&mut self, world: &World, start: &str, at: EventTime, frame: Frame) -> io::Result<()> {
        let at = EventTime { ns: since_start(world, at.ns), ..at };
        let names = &mut self.names;
        let end = self.frames.of(frame, || {
            names.push(json_name(world, frame));
            format!(",\"frame\":{}}}", names.len().saturating_sub(1))
        });
        // Without the comma, if it is the first one of its core.
        let first = || start.trim_start_matches(',');
        match self.first {
            Some(core) if core == at.core => put(&mut self.out, start, at, end),
            Some(_) => match self.others.entry(at.core) {
                Some(out) => put(out, start, at, end),
                none => put(none.insert(waiting()), first(), at, end),
            },
            None => {
                begin(self.out.line(), "", at.core, world);
                self.first = Some(at.core);
                put(&mut self.out, first(), at, end)
            }
        }
    }
}

/// Returns a time as in the file: a time before the start, as in a recording without events, becomes the start.
fn since_start(world: &World, ns: i64) -> i64 {
    ns.saturating_sub(world.start_ns.unwrap_or(0)).max(0)
}

/// Writes an event, from the texts before and after its time.
fn put(out: &mut TextWriter<impl Write>, start: &str, at: EventTime, end: &str) -> io::Result<()> {
    out.line().text(start).number(at.ns).text(end);
    out.end()
}

/// Begins a profile, after this. The format has no unit for ticks, so the name of the profile has it.
fn begin(out: &mut Line, comma: &str, core: u32, world: &World) {
    let (unit, note) = match world.are_times_ticks {
        true => ("none", " (ticks)"),
        false => ("nanoseconds", ""),
    };
    out.text(&format!(
        "{comma}\n{{\"type\":\"evented\",\"name\":\"core {core}{note}\",\"unit\":\"{unit}\",\
         \"events\":["
    ));
}

impl<W: Write> Slices for Profiles<W> {
    fn open(&mut self, world: &World, at: EventTime, frame: Frame) -> io::Result<()> {
        self.event(world, ",\n{\"type\":\"O\",\"at\":", at, frame)
    }

    fn close(&mut self, world: &World, at: EventTime, frame: Frame) -> io::Result<()> {
        self.event(world, ",\n{\"type\":\"C\",\"at\":", at, frame)
    }

    fn finish(&mut self, world: &World, (from_ns, to_ns): (i64, i64)) -> io::Result<()> {
        let (from_ns, to_ns) = (since_start(world, from_ns), since_start(world, to_ns));
        if self.first.is_none() {
            // A file needs at least one profile.
            begin(self.out.line(), "", 0, world);
        }
        let end = format!("],\"startValue\":{from_ns},\"endValue\":{to_ns}}}");
        self.out.line().text(&end);
        for (core, others) in (0..).zip(self.others.iter_mut()) {
            if let Some(events) = others.take() {
                begin(self.out.line(), ",", core, world);
                append(events, self.out.finish()?)?;
                self.out.line().text(&end);
            }
        }
        let out = self.out.line();
        out.text("],\n\"shared\":{\"frames\":[");
        for (number, name) in self.names.iter().enumerate() {
            let comma = if number == 0 { "" } else { "," };
            out.text(comma).text("\n{\"name\":").text(name).text("}");
        }
        out.text("]}}\n");
        self.out.finish().map(drop)
    }
}
