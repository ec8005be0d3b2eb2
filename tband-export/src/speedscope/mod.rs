//! Profiles for <https://www.speedscope.app>: one for each core, of when which task and interrupt ran.
//!
//! The events of a profile are together, so inputs are converted once for each core.

use std::collections::BTreeSet;
use std::io::{self, BufWriter, Write};

use tband_conv::timeline::{At, World};
use tband_conv::{ConvError, Input, Options, Summary, convert};

use crate::line::Line;
use crate::stacks::{Frame, PerFrame, Slices, Stacks, json_name};
use crate::without_flows;

/// Converts recordings to speedscope's JSON: an evented profile for each core, in nanoseconds. Reads each input twice,
/// and twice more for each core.
///
/// # Errors
/// As [`convert`]; if `out` cannot be written.
pub fn convert_to_speedscope(
    inputs: &[Input<'_>],
    options: &Options,
    out: impl Write,
) -> Result<Summary, ConvError> {
    let options = without_flows(options);
    let mut cores = Cores::default();
    let mut summary = convert(inputs, &options, &mut Stacks::new(&mut cores))?;
    // There is no file without a profile.
    cores.0.insert(cores.0.first().copied().unwrap_or(0));
    let mut file = File {
        out: BufWriter::new(out),
        frames: PerFrame::default(),
        names: Vec::new(),
        line: Line::default(),
    };
    file.begin().map_err(ConvError::Write)?;
    for (number, core) in cores.0.iter().enumerate() {
        let comma = if number == 0 { "" } else { "," };
        file.begin_profile(comma, *core).map_err(ConvError::Write)?;
        let profile = Profile { file: &mut file, core: *core, has_events: false };
        summary = convert(inputs, &options, &mut Stacks::new(profile))?;
    }
    file.end().map_err(ConvError::Write)?;
    Ok(summary)
}

/// Finds out of which cores something is reported.
#[derive(Default)]
struct Cores(BTreeSet<u32>);

impl Slices for &mut Cores {
    fn open(&mut self, _: &World, at: At, _: Frame) -> io::Result<()> {
        self.0.insert(at.core);
        Ok(())
    }

    fn close(&mut self, _: &World, _: At, _: Frame) -> io::Result<()> {
        Ok(())
    }

    fn finish(&mut self, _: &World, _: (i64, i64)) -> io::Result<()> {
        Ok(())
    }
}

struct File<W: Write> {
    out: BufWriter<W>,
    frames: PerFrame<usize>,
    /// Of the frames, as JSON.
    names: Vec<String>,
    line: Line,
}

impl<W: Write> File<W> {
    fn begin(&mut self) -> io::Result<()> {
        self.out.write_all(
            concat!(
                "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\
                 \"exporter\":\"tband ",
                env!("CARGO_PKG_VERSION"),
                "\",\"profiles\":["
            )
            .as_bytes(),
        )
    }

    fn begin_profile(&mut self, comma: &str, core: u32) -> io::Result<()> {
        write!(
            self.out,
            "{comma}\n{{\"type\":\"evented\",\"name\":\"core {core}\",\"unit\":\"nanoseconds\",\
             \"events\":["
        )
    }

    fn end(&mut self) -> io::Result<()> {
        self.out.write_all(b"],\n\"shared\":{\"frames\":[")?;
        for (number, name) in self.names.iter().enumerate() {
            let comma = if number == 0 { "" } else { "," };
            write!(self.out, "{comma}\n{{\"name\":{name}}}")?;
        }
        self.out.write_all(b"]}}\n")?;
        self.out.flush()
    }
}

/// One core's part.
struct Profile<'a, W: Write> {
    file: &'a mut File<W>,
    core: u32,
    has_events: bool,
}

impl<W: Write> Profile<'_, W> {
    fn event(&mut self, world: &World, kind: &str, at: At, frame: Frame) -> io::Result<()> {
        if at.core != self.core {
            return Ok(());
        }
        let file = &mut *self.file;
        let number = file.frames.of(frame, || {
            file.names.push(json_name(world, frame));
            file.names.len().saturating_sub(1)
        });
        let number = number.copied().unwrap_or_default();
        let comma = if std::mem::replace(&mut self.has_events, true) { "," } else { "" };
        let line = file.line.begin().text(comma).text("\n{\"type\":\"").text(kind);
        line.text("\",\"at\":").number(at.ns).text(",\"frame\":").number(number).text("}");
        file.out.write_all(line.bytes())
    }
}

impl<W: Write> Slices for Profile<'_, W> {
    fn open(&mut self, world: &World, at: At, frame: Frame) -> io::Result<()> {
        self.event(world, "O", at, frame)
    }

    fn close(&mut self, world: &World, at: At, frame: Frame) -> io::Result<()> {
        self.event(world, "C", at, frame)
    }

    fn finish(&mut self, _: &World, (from_ns, to_ns): (i64, i64)) -> io::Result<()> {
        write!(self.file.out, "],\"startValue\":{from_ns},\"endValue\":{to_ns}}}")
    }
}
