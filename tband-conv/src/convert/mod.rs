//! The conversion: first pass, merge, timeline, sinks.

mod clocks;
mod conversion;
mod driver;
mod events;
mod fed_inputs;
pub mod find_marker;
mod follow;
mod halt;
mod look_ahead;
mod open;
mod pass_sink;
mod run;
mod short;
mod stepwise;
pub mod take_census;
pub mod timing;

use std::fmt;
use std::io::{self, Write};

use tband_import::ForeignRecording;

pub use self::conversion::Conversion;
use self::driver::Driver;
pub(crate) use self::events::walk;
pub use self::events::{EventSummary, convert_events};
pub use self::look_ahead::LookAhead;
use self::open::InputTotals;
use self::pass_sink::PassSink;
pub use self::stepwise::{Progress, Step};
use crate::census::Census;
use crate::clock::frequency::Frequency;
use crate::diagnostics::{Diagnostics, Place};
use crate::error::ConvError;
use crate::excerpt::{Bounds, ExcerptPart, Watch};
use crate::input::Input;
use crate::merge::{Merge, Source, WINDOW};
use crate::model::{
    Change, Clocks, Crash, EventSink, EventTime, Events, OmissionTime, ShedClass, Sink, TraceInfo,
    Trigger, World,
};
use crate::options::Options;
use crate::packets::Link;
use crate::scan::Scan;
use crate::sinks::{Perfetto, Stats};

/// Results of a conversion.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Summary {
    /// Events that were read, metadata included.
    pub events: u64,
    /// Counts of all events read, also outside of a window, if the options ask for them.
    pub census: Option<Census>,
    /// The findings.
    pub diagnostics: Diagnostics,
    /// Names of the files that were read, in their order.
    pub inputs: Vec<String>,
    /// The recording's information about itself.
    pub trace_info: Option<TraceInfo>,
    /// Build id in the recording.
    pub build_id: Option<String>,
    /// Identity of the program that made it, as [`ProgramId::identity`](crate::ProgramId::identity).
    pub identity: Option<String>,
    /// The timestamps' frequency at the start; 1 GHz if the recording does not contain it.
    pub frequency: Frequency,
    /// Statistics of the link, if any of the recordings consists of packets: over everything read, also outside of a window.
    pub link: Option<Link>,
    /// Facts about inputs of other recorders, by the numbers of the inputs.
    pub sources: Vec<(usize, ForeignRecording)>,
    /// Crashes of the firmware, the first ones, in the order of time: also outside of a window.
    pub crashes: Vec<Crash>,
    /// Triggers of the firmware, the first ones, in the order of time: also outside of a window.
    pub triggers: Vec<Trigger>,
    /// The first events and objects that filters on the target have left out, with times: also outside of a window.
    pub left_out: Vec<OmissionTime>,
    /// Events that the target has shed when packets ran out, by class: also outside of a window.
    pub shed: Vec<ShedClass>,
    /// Known facts about different clocks, if they were aligned.
    pub clocks: Clocks,
    /// The window that the options named, if they did.
    pub part: Option<ExcerptPart>,
    /// For each input its files with their names, and the offsets of the recording at which they begin.
    files: Vec<Vec<(String, u64)>>,
}

impl Summary {
    /// Returns the number of events in the window, or of all if there is none.
    #[must_use]
    pub fn events_of_window(&self) -> u64 {
        self.part.as_ref().map_or(self.events, |part| part.census.events())
    }

    /// Adds the facts found about a window, if there is one.
    fn with_part(self, part: Option<(ExcerptPart, Diagnostics)>) -> Self {
        match part {
            Some((part, diagnostics)) => Self { part: Some(part), diagnostics, ..self },
            None => self,
        }
    }

    /// A place, as messages name it.
    #[must_use]
    pub fn place(&self, place: Place) -> PlaceDisplay<'_> {
        let files = self.files.get(place.input).map_or(&[][..], Vec::as_slice);
        let before = files.iter().rfind(|(_, start)| *start <= place.offset);
        let (input, start) = before.map_or(("?", 0), |(name, start)| (name.as_str(), *start));
        PlaceDisplay { input, offset: place.offset.saturating_sub(start) }
    }
}

/// A place for messages.
#[derive(Clone, Copy, Debug)]
pub struct PlaceDisplay<'a> {
    input: &'a str,
    offset: u64,
}

impl<'a> PlaceDisplay<'a> {
    /// Name of the file.
    #[must_use]
    pub const fn file(&self) -> &'a str {
        self.input
    }

    /// Offset in the bytes that are written down in the file, text and compression taken off.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }
}

impl fmt::Display for PlaceDisplay<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: byte {}", self.input, self.offset)
    }
}

/// Converts recordings of one target for `sink`, in bounded memory.
///
/// Each input is opened and read twice. Damage is not an error: the summary reports it. Callers that have the bytes in pieces,
/// or want to advance in small steps, feed a [`Conversion`]. All sinks share one state machine; for numbers, Perfetto traces
/// and events alone, [`convert_to_stats`], [`convert_to_perfetto`] and [`survey_events`] do the same in less time.
///
/// # Errors
/// [`ConvError`] if an input cannot be read or is not a recording, or the sink fails.
pub fn convert(
    inputs: &[Input<'_>],
    options: &Options,
    sink: &mut dyn Sink,
) -> Result<Summary, ConvError> {
    let scan = Scan::run(inputs, options)?;
    shared(inputs, options, scan, sink)
}

/// Does the same as [`convert`], but faster. On WebAssembly it is not faster, because a web page has to be small.
///
/// # Errors
/// As [`convert`].
pub fn convert_to_stats(
    inputs: &[Input<'_>],
    options: &Options,
    sink: &mut Stats,
) -> Result<Summary, ConvError> {
    convert_to(inputs, options, sink)
}

/// Does the same as [`convert`], but faster. On WebAssembly it is not faster, because a web page has to be small.
///
/// # Errors
/// As [`convert`].
pub fn convert_to_perfetto(
    inputs: &[Input<'_>],
    options: &Options,
    sink: &mut Perfetto<&mut dyn Write>,
) -> Result<Summary, ConvError> {
    convert_to(inputs, options, sink)
}

/// Returns the findings of recordings, and passes the final known state of the target to `at_end`: as [`convert`] without a
/// sink, but faster. On WebAssembly it is not faster, because a web page has to be small.
///
/// # Errors
/// As [`convert`].
pub fn survey(
    inputs: &[Input<'_>],
    options: &Options,
    at_end: &mut dyn FnMut(&World),
) -> Result<Summary, ConvError> {
    let mut sink = FinalStateSink(at_end);
    convert_to(inputs, options, &mut sink)
}

/// Passes every event to `sink`, as [`convert`] does through [`Events`], with all findings, but faster: state changes are
/// followed but not reported. On WebAssembly it is not faster, because a web page has to be small.
///
/// # Errors
/// As [`convert`].
pub fn survey_events(
    inputs: &[Input<'_>],
    options: &Options,
    sink: &mut dyn EventSink,
) -> Result<Summary, ConvError> {
    convert_to(inputs, options, &mut Events::new(sink))
}

/// Uses only the final known state.
struct FinalStateSink<'f>(&'f mut dyn FnMut(&World));

impl Sink for FinalStateSink<'_> {
    fn change(&mut self, _: &World, _: EventTime, _: &Change<'_>) -> io::Result<()> {
        Ok(())
    }

    fn finish(&mut self, world: &World, _: i64) -> io::Result<()> {
        (self.0)(world);
        Ok(())
    }
}

/// Runs the second pass: with a sink as [`survey_events`], without one as [`survey`], always over the complete recording.
pub(crate) fn survey_scanned(
    inputs: &[Input<'_>],
    options: &Options,
    scan: Scan,
    sink: Option<&mut dyn EventSink>,
) -> Result<Summary, ConvError> {
    match sink {
        Some(sink) => converted_to(inputs, options, scan, &mut Events::new(sink)),
        None => converted_to(inputs, options, scan, &mut FinalStateSink(&mut |_| {})),
    }
}

/// The timeline is compiled again for each type of sink, and takes as much code as the rest of the converter. So this function
/// is called in this file only, and not from another crate, which would compile its own copy.
fn convert_to<S: Sink>(
    inputs: &[Input<'_>],
    options: &Options,
    sink: &mut S,
) -> Result<Summary, ConvError> {
    let scan = Scan::run(inputs, options)?;
    converted_to(inputs, options, scan, sink)
}

/// The second pass of it.
fn converted_to<S: Sink>(
    inputs: &[Input<'_>],
    options: &Options,
    scan: Scan,
    sink: &mut S,
) -> Result<Summary, ConvError> {
    if cfg!(target_family = "wasm") || options.has_window() {
        return shared(inputs, options, scan, sink);
    }
    converted(inputs, options, scan, sink).map(|(summary, _)| summary)
}

/// Runs the second pass, with the timeline that sinks share, complete or within a window.
fn shared(
    inputs: &[Input<'_>],
    options: &Options,
    scan: Scan,
    sink: &mut dyn Sink,
) -> Result<Summary, ConvError> {
    let mut held = PassSink::borrowed(sink);
    if options.has_window() {
        let bounds = Bounds::find(options, scan.full_clock(options.tick_rate))?;
        held = held.within(bounds, scan.outset.cores());
    }
    let (summary, held) = converted(inputs, options, scan, held)?;
    Ok(summary.with_part(held.into_parts().1))
}

/// The second pass.
fn converted<H: Watch>(
    inputs: &[Input<'_>],
    options: &Options,
    scan: Scan,
    sink: H,
) -> Result<(Summary, H), ConvError> {
    let empty = scan.empty_inputs(|input| inputs.get(input).map_or(0, Input::core));
    let mut totals = InputTotals::of(&scan, inputs.iter().any(Input::is_aligned));
    let Scan { mut outset, layouts, .. } = scan;
    outset.world.clocks = clocks::of(inputs, &outset.clock(options.tick_rate));
    let sources = Source::open_all(inputs, &layouts, outset.mode(options.mode))?;
    let merge = Merge::new(sources, options.window.unwrap_or(WINDOW)).counting(options.census);
    let names = inputs.iter().map(Input::name).collect();
    let found = Some((layouts.as_slice(), empty));
    let is_stream = |input: usize| inputs.get(input).is_some_and(|it| it.trace().is_some());
    let without_timer = match totals.has_boards {
        true => Vec::new(),
        false => totals.without_timer(&outset, is_stream),
    };
    let (mut driver, opened) = Driver::open((merge, names), outset, found, options, sink)?;
    driver.check_clock((opened, &without_timer), options)?;
    while driver.step().map_err(|halt| halt.of(inputs))? {}
    driver.close(opened, &mut totals, options)?;
    let names = inputs.iter().flat_map(Input::names).map(str::to_owned).collect();
    let files = inputs.iter().map(Input::files).collect();
    let (summary, sink) = driver.into_summary(opened, names, files);
    let (link, sources) = (totals.link, totals.sources);
    Ok((Summary { link, sources, ..summary }, sink))
}
