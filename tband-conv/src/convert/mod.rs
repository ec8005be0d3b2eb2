//! The conversion: first pass, merge, timeline, sinks.

mod clocks;
mod conversion;
mod driver;
mod events;
mod fed_inputs;
pub mod find_marker;
mod follow;
mod halt;
mod held;
mod look_ahead;
mod open;
mod run;
mod short;
mod stepwise;
pub mod take_census;
pub mod timing;

use std::fmt;
use std::io::{self, Write};

use tband_import::About;

pub use self::conversion::Conversion;
use self::driver::Driver;
pub(crate) use self::events::walk;
pub use self::events::{EventSummary, convert_events};
use self::held::Held;
pub use self::look_ahead::LookAhead;
use self::open::InputTotals;
pub use self::stepwise::{Progress, Step};
use crate::census::Census;
use crate::clock::frequency::Frequency;
use crate::diagnostics::{Diagnostics, Place};
use crate::error::ConvError;
use crate::excerpt::{Bounds, Part, Watch};
use crate::input::Input;
use crate::merge::{Merge, Source, WINDOW};
use crate::model::{
    At, Change, Clocks, Crash, EventSink, Events, LeftOutTime, ShedClass, Sink, TraceInfo, Trigger,
    World,
};
use crate::options::Options;
use crate::packets::Link;
use crate::scan::Scan;
use crate::sinks::{Perfetto, Stats};

/// What a conversion found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Summary {
    /// Events that were read, metadata included.
    pub events: u64,
    /// What was read consists of, also outside of a window, if the options ask for that.
    pub census: Option<Census>,
    /// What was wrong.
    pub diagnostics: Diagnostics,
    /// Names of the files that were read, in their order.
    pub inputs: Vec<String>,
    /// What the recording says of itself.
    pub trace_info: Option<TraceInfo>,
    /// Build that made the recording.
    pub build_id: Option<String>,
    /// Identity of the program that made it, as [`ProgramId::identity`](crate::ProgramId::identity).
    pub identity: Option<String>,
    /// How often the timer of the timestamps counts at the start; 1 GHz if the recording does not say.
    pub frequency: Frequency,
    /// What came over the link, if any of the recordings is packets: all of it, also outside of a window.
    pub link: Option<Link>,
    /// Facts about inputs of other recorders, by the numbers of the inputs.
    pub sources: Vec<(usize, About)>,
    /// Crashes of the firmware, the first ones, in the order of time: also outside of a window.
    pub crashes: Vec<Crash>,
    /// Triggers of the firmware, the first ones, in the order of time: also outside of a window.
    pub triggers: Vec<Trigger>,
    /// What filters on the target have left out, and when, the first ones: also outside of a window.
    pub left_out: Vec<LeftOutTime>,
    /// What the target has shed when packets ran out, by class: also outside of a window.
    pub shed: Vec<ShedClass>,
    /// What is known of clocks that are not one, if they were aligned.
    pub clocks: Clocks,
    /// The window that the options named, if they did.
    pub part: Option<Part>,
    /// For each input its files with their names, and the offsets of the recording at which they begin.
    files: Vec<Vec<(String, u64)>>,
}

impl Summary {
    /// Events of the window, where there is one, else all.
    #[must_use]
    pub fn events_of_window(&self) -> u64 {
        self.part.as_ref().map_or(self.events, |part| part.census.events())
    }

    /// With what a window was found to be, if there is one.
    fn of_part(self, part: Option<(Part, Diagnostics)>) -> Self {
        match part {
            Some((part, diagnostics)) => Self { part: Some(part), diagnostics, ..self },
            None => self,
        }
    }

    /// A place, as messages name it.
    #[must_use]
    pub fn place(&self, place: Place) -> ShownPlace<'_> {
        let files = self.files.get(place.input).map_or(&[][..], Vec::as_slice);
        let before = files.iter().rfind(|(_, start)| *start <= place.offset);
        let (input, start) = before.map_or(("?", 0), |(name, start)| (name.as_str(), *start));
        ShownPlace { input, offset: place.offset.saturating_sub(start) }
    }
}

/// A place for messages.
#[derive(Clone, Copy, Debug)]
pub struct ShownPlace<'a> {
    input: &'a str,
    offset: u64,
}

impl<'a> ShownPlace<'a> {
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

impl fmt::Display for ShownPlace<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: byte {}", self.input, self.offset)
    }
}

/// Converts recordings of one target into whatever `sink` makes of them, in bounded memory.
///
/// Each input is opened and read twice. Damage is not an error: it is in the summary. Who has the bytes piece by
/// piece, or wants to go on in small steps, feeds a [`Conversion`]. All sinks share one machine; for numbers,
/// Perfetto traces and events alone [`convert_to_stats`], [`convert_to_perfetto`] and [`survey_events`] do the same in
/// less time.
///
/// # Errors
/// [`ConvError`] if an input cannot be read or is no recording, or the sink fails.
pub fn convert(
    inputs: &[Input<'_>],
    options: &Options,
    sink: &mut dyn Sink,
) -> Result<Summary, ConvError> {
    let scan = Scan::run(inputs, options)?;
    shared(inputs, options, scan, sink)
}

/// As [`convert`], faster. For WebAssembly it is no faster, since a web page has to be small.
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

/// As [`convert`], faster. For WebAssembly it is no faster, since a web page has to be small.
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

/// What is wrong with recordings, and what is known of the target in the end, which is shown to `at_end`: as [`convert`]
/// without a sink, and faster. For WebAssembly it is no faster, since a web page has to be small.
///
/// # Errors
/// As [`convert`].
pub fn survey(
    inputs: &[Input<'_>],
    options: &Options,
    at_end: &mut dyn FnMut(&World),
) -> Result<Summary, ConvError> {
    let mut sink = AtEnd(at_end);
    convert_to(inputs, options, &mut sink)
}

/// Hands every event to `sink`, as [`convert`] does through [`Events`], with all findings, and faster: what events change
/// is followed, and reported to nobody. For WebAssembly it is no faster, since a web page has to be small.
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

/// Takes only what is known in the end.
struct AtEnd<'f>(&'f mut dyn FnMut(&World));

impl Sink for AtEnd<'_> {
    fn change(&mut self, _: &World, _: At, _: &Change<'_>) -> io::Result<()> {
        Ok(())
    }

    fn finish(&mut self, world: &World, _: i64) -> io::Result<()> {
        (self.0)(world);
        Ok(())
    }
}

/// After a first pass: with a sink as [`survey_events`], without one as [`survey`], always of the whole recording.
pub(crate) fn survey_scanned(
    inputs: &[Input<'_>],
    options: &Options,
    scan: Scan,
    sink: Option<&mut dyn EventSink>,
) -> Result<Summary, ConvError> {
    match sink {
        Some(sink) => converted_to(inputs, options, scan, &mut Events::new(sink)),
        None => converted_to(inputs, options, scan, &mut AtEnd(&mut |_| {})),
    }
}

/// The timeline is compiled anew for each type of sink, and takes as much code as the rest of the converter. So this is
/// called in this file only, and not from another crate, which would compile its own.
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

/// The second pass, with the timeline that sinks share, whole or of a window.
fn shared(
    inputs: &[Input<'_>],
    options: &Options,
    scan: Scan,
    sink: &mut dyn Sink,
) -> Result<Summary, ConvError> {
    let mut held = Held::lent(sink);
    if options.has_window() {
        let bounds = Bounds::find(options, scan.clock_to_the_end(options.tick_rate))?;
        held = held.within(bounds, scan.outset.cores());
    }
    let (summary, held) = converted(inputs, options, scan, held)?;
    Ok(summary.of_part(held.into_parts().1))
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
    let (mut driver, opened) = Driver::open((merge, names), outset, found, options, sink)?;
    driver.look_at_clock(opened, options)?;
    while driver.step().map_err(|halt| halt.of(inputs))? {}
    driver.close(opened, &mut totals, options)?;
    let names = inputs.iter().flat_map(Input::names).map(str::to_owned).collect();
    let files = inputs.iter().map(Input::files).collect();
    let (summary, sink) = driver.into_summary(opened, names, files);
    let (link, sources) = (totals.link, totals.sources);
    Ok((Summary { link, sources, ..summary }, sink))
}
