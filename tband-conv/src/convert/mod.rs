//! The conversion: first pass, merge, timeline, sinks.

mod clocks;
pub mod conversion;
mod driver;
pub mod events;
mod fed_inputs;
pub mod find_marker;
mod follow;
mod halt;
mod look_ahead;
mod open;
mod pass_sink;
mod run;
mod scanned_inputs;
pub(crate) mod second_pass;
mod short;
pub mod step;
mod stepwise;
pub mod take_census;
pub(crate) mod timing;

use self::second_pass::SecondPass;
use std::fmt;

use tband_import::importer::ForeignRecording;

use crate::census::Census;
use crate::clock::frequency::Frequency;
use crate::diagnostics::{Diagnostics, Place};
use crate::error::ConvError;
use crate::excerpt::ExcerptPart;
use crate::input::Input;
use crate::model::{Clocks, Crash, OmissionTime, ShedClass, Sink, TraceInfo, Trigger};
use crate::options::Options;
use crate::packets::Link;
use crate::scan::Scan;

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
    /// Identity of the program that made it, as [`ProgramId::identity`](crate::records::ProgramId::identity).
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
/// or want to advance in small steps, feed a [`Conversion`](conversion::Conversion). All sinks share one state machine, except
/// those that have [their own](Sink::own_machine): [`Stats`](crate::sinks::Stats), [`Perfetto`](crate::sinks::Perfetto),
/// [`Events`](crate::model::Events) and [`FinalState`](crate::sinks::FinalState).
///
/// # Errors
/// [`ConvError`] if an input cannot be read or is not a recording, or the sink fails.
pub fn convert(
    inputs: &[Input<'_>],
    options: &Options,
    sink: &mut dyn Sink,
) -> Result<Summary, ConvError> {
    SecondPass::new(inputs, options, Scan::run(inputs, options)?).run(sink)
}
