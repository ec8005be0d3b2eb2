//! The conversion: first pass, merge, timeline, sinks.

mod run;
mod single;

use std::collections::BTreeSet;
use std::fmt;

use tband_format::registry::trace_info_flags;

use crate::clock::{Known, MAX_NS};
use crate::diagnostics::{Diagnostics, Place, Problem};

use crate::error::ConvError;
use crate::events::Mode;
use crate::excerpt::{Bounds, Everything, Excerpt, Part, Watch, Within};
use crate::frequency::Frequency;
use crate::input::Input;
use crate::machine::Timeline;
use crate::merge::{Merge, WINDOW};
use crate::model::{At, Sink, TraceInfo, World};
use crate::options::Options;
use crate::scan::Scan;

use self::run::Run;

/// What a conversion found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Summary {
    /// Events that were read, metadata included.
    pub events: u64,
    /// What was wrong.
    pub diagnostics: Diagnostics,
    /// Names of the files that were read, in their order.
    pub inputs: Vec<String>,
    /// What the recording says of itself.
    pub trace_info: Option<TraceInfo>,
    /// Build that made the recording.
    pub build_id: Option<String>,
    /// How often the timer of the timestamps counts at the start; 1 GHz if the recording does not say.
    pub frequency: Frequency,
    /// The window that the options named, if they did.
    pub part: Option<Part>,
    /// For each input its files with their names, and the offsets of the recording at which they begin.
    files: Vec<Vec<(String, u64)>>,
}

impl Summary {
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
/// Each input is opened and read twice. Damage is not an error: it is in the summary.
///
/// # Errors
/// [`ConvError`] if an input cannot be read or is no recording, or the sink fails.
pub fn convert<S: Sink + ?Sized>(
    inputs: &[Input<'_>],
    options: &Options,
    sink: &mut S,
) -> Result<Summary, ConvError> {
    let scan = Scan::run(inputs, options.mode)?;
    if options.from.is_none() && options.to.is_none() {
        return converted::<S, Everything>(inputs, options, scan, sink);
    }
    let bounds = Bounds::find(inputs, options, &scan)?;
    let mut sink = sink;
    let mut excerpt = Excerpt::new(&mut sink, bounds, scan.cores());
    let summary = converted::<_, Within>(inputs, options, scan, &mut excerpt)?;
    let (part, diagnostics) = excerpt.into_parts();
    Ok(Summary { part: Some(part), diagnostics, ..summary })
}

/// The second pass.
fn converted<S: Sink + ?Sized, W: Watch<S>>(
    inputs: &[Input<'_>],
    options: &Options,
    mut scan: Scan,
    sink: &mut S,
) -> Result<Summary, ConvError> {
    let info = scan.world.trace_info;
    // Unless it has FreeRTOS events all the same: a flag is damaged more easily.
    let tells_bare_metal =
        info.is_some_and(|info| info.flags & trace_info_flags::FREERTOS == 0) && !scan.has_freertos;
    let mode = match options.mode {
        Mode::Auto if tells_bare_metal => Mode::BareMetal,
        mode => mode,
    };
    // Of nothing there is no main program either.
    let is_bare_metal = (tells_bare_metal || mode == Mode::BareMetal) && scan.first_ticks.is_some();
    let cores: BTreeSet<u32> = scan.cores().collect();
    let known = scan.known();
    let mut clock = scan.clock(options.tick_rate);
    let frequency = clock.frequency();
    // The first one may be beyond the range; that is told when it comes.
    scan.world.start_ns = scan.first_ticks.map(|ticks| clock.ns(ticks).unwrap_or(MAX_NS));
    let first_ns = scan.world.start_ns.unwrap_or(0);
    let empty = scan.empty_inputs(inputs);
    let timeline = Timeline::new(scan.world).with_foretold(scan.foretold).with_flows(options.flows);
    let mut run = Run::<S, W>::new(timeline, sink, clock, first_ns);
    run.timeline.start(run.sink).map_err(ConvError::Write)?;
    let silent = run.sink.wants_events();
    run.look_at_cores(&scan.extents, options.core_count, info)?;
    if is_bare_metal {
        run.timeline.main_program(first_ns, &cores, run.sink).map_err(ConvError::Write)?;
    }
    for (input, text) in empty {
        run.note(Problem::EmptyInput, Place { input, offset: 0 }, &text)?;
    }
    if known == Known::Nothing && options.tick_rate.is_none() {
        run.note(Problem::NoResolution, Place::default(), Problem::NoResolution.title())?;
    }
    match (inputs, scan.extents.as_slice(), scan.starts.as_slice()) {
        ([input], [extents], [starts]) if extents.len() <= 1 && !input.is_joined() => {
            run = run.single(input, mode, starts, silent)?;
        }
        (_, extents, starts) => {
            let window = options.window.unwrap_or(WINDOW);
            let merge = Merge::new(inputs, (extents, starts), mode, window)?;
            run.all(if silent { merge.with_silent() } else { merge }, inputs)?;
        }
    }
    run.settle_doubt(At { ns: run.last_ns, core: 0 })?;
    if !run.has_enough {
        let known = if options.tick_rate.is_some() { run.clock.known() } else { known };
        run.judge((scan.about, scan.core_ids), known)?;
    }
    run.timeline.finish(run.sink).map_err(ConvError::Write)?;
    let World { trace_info, ref build_id, .. } = *run.timeline.world();
    Ok(Summary {
        events: run.events,
        trace_info,
        build_id: build_id.clone(),
        diagnostics: run.timeline.into_diagnostics(),
        inputs: inputs.iter().flat_map(Input::names).map(str::to_owned).collect(),
        frequency,
        part: None,
        files: inputs.iter().map(Input::files).collect(),
    })
}
