//! The recordings of one target, as the commands read them that make something of all of them together.

use std::ffi::OsString;
use std::io;
use std::ops::ControlFlow;

use tband_conv::align::{AlignBy, Aligned, align};
use tband_conv::convert::events::convert_events;
use tband_conv::diagnostics::Problem;
use tband_conv::model::{EventSink, TimedEvent};
use tband_conv::{Input, Options};

use crate::args::{ReadingArgs, Recordings};
use crate::failed::named;
use crate::input::InputSettings;
use crate::progress::Progress;
use crate::report::Report;
use crate::{input, times};

impl ReadingArgs {
    /// How inputs are read.
    pub fn input_settings(&self) -> InputSettings<'_> {
        InputSettings {
            format: self.format,
            recorder: self.input_format,
            ctf_map: self.ctf_map.as_deref(),
        }
    }
}

impl Recordings {
    /// The inputs, to be read this often, on one axis of time.
    pub fn open(
        &self,
        passes: usize,
        report: &Report,
    ) -> anyhow::Result<(Vec<Input<'static>>, Progress)> {
        self.open_these(&self.inputs, passes, report)
    }

    /// Opens other inputs that are read in the same way.
    pub fn open_these(
        &self,
        args: &[OsString],
        passes: usize,
        report: &Report,
    ) -> anyhow::Result<(Vec<Input<'static>>, Progress)> {
        let progress = Progress::new(passes + self.count_alignment_passes(), !report.is_quiet());
        let how = self.reading.input_settings();
        let inputs = input::open(args, how, false, &progress)?;
        for joined in inputs.iter().filter(|input| input.names().count() > 1) {
            report.detail(&format!("one recording: {}", joined.name()));
        }
        Ok((self.align(inputs, report)?, progress))
    }

    /// How often the inputs are read to align their clocks: to find the moments, and for a marker its number.
    pub const fn count_alignment_passes(&self) -> usize {
        if self.align.is_some() { 2 } else { 0 }
    }

    /// Gives the inputs the times of the first clock, if the user requests that.
    pub fn align(
        &self,
        inputs: Vec<Input<'static>>,
        report: &Report,
    ) -> anyhow::Result<Vec<Input<'static>>> {
        match &self.align {
            Some(by) => aligned(inputs, by, self.align_within, report),
            None => Ok(inputs),
        }
    }

    /// How to convert them.
    pub fn options(&self) -> Options {
        let mut options = Options::default();
        options.mode = self.reading.mode;
        options.input_format = self.reading.input_format;
        options.core_count = self.core_count.0;
        options.tick_rate = self.reading.tick_rate;
        options
    }
}

/// Of recordings that are compared, `--tick-rate` is of those that have no other frequency.
pub fn keep_own_frequency(
    inputs: &[Input<'_>],
    options: &mut Options,
    report: &Report,
) -> anyhow::Result<()> {
    let Some(rate) = options.tick_rate else { return Ok(()) };
    let found = convert_events(inputs, options, &mut NoEvents).map_err(named)?;
    if found.diagnostics.get(Problem::FrequencyConflict).is_some() {
        options.tick_rate = None;
        let names: Vec<&str> = inputs.iter().flat_map(Input::names).collect();
        report.note(&format!(
            "{}: its own frequency is used, which is not --tick-rate {rate}: of several recordings, the option is for those without one",
            names.join(" ")
        ));
    }
    Ok(())
}

/// Only what the recording has of its clock is needed.
struct NoEvents;

impl EventSink for NoEvents {
    fn event(&mut self, _: &TimedEvent<'_>) -> io::Result<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }
}

/// Gives all inputs the times of the first clock, and reports the precision.
fn aligned(
    inputs: Vec<Input<'static>>,
    by: &AlignBy,
    within: Option<i64>,
    report: &Report,
) -> anyhow::Result<Vec<Input<'static>>> {
    let inputs = match by {
        AlignBy::Received => inputs.into_iter().map(times::with).collect::<Result<_, _>>()?,
        _ => inputs,
    };
    let first = match by {
        AlignBy::Received => "this computer's",
        _ => "the first one",
    };
    let (inputs, clocks) = align(inputs, by, within.and_then(|ns| u64::try_from(ns).ok()))?;
    for clock in clocks {
        let Aligned { input, core, moments, drift_ppm, uncertainty_ns, pieces, .. } = clock;
        let of_core = core.map_or_else(String::new, |core| format!(", core {core}"));
        let pieces = if pieces > 1 { format!(", in {pieces} pieces") } else { String::new() };
        report.note(&format!(
            "{input}{of_core}: its clock runs {drift_ppm:+.3} ppm against {first}, by {moments} moments{pieces}; its \
             times are right within {:.3} us: the order of events on the two that are closer together is unknown",
            uncertainty_ns / 1e3
        ));
    }
    Ok(inputs)
}
