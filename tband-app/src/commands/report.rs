//! `report`: a page that shows a recording and needs nothing else.

use std::io::{BufWriter, Write};

use tband_conv::load::Owners;
use tband_conv::model::Flows;
use tband_conv::{ConvError, Input, Options};
use tband_report::load::Areas;
use tband_report::messages;
use tband_report::page::{PageComparison, PageRecording, report};
use tband_report::stats::{self, Measurement};
use tband_report::time_unit::TimeUnit;
use tband_report::timeline::ReportTimeline;
use tband_report::why::Overview;

use super::{Command, Output};
use crate::command_result::{CommandResult, Failure};
use crate::options::CommandSettings;

/// Bytes of the page that are written at once.
const BLOCK: usize = 1 << 16;

/// Its entry in the list.
pub const COMMAND: Command = Command {
    name: "report",
    about: "Write a page that shows a recording, timeline and numbers, offline",
    outputs: &[PAGE],
    passes: |_, _| 2,
    // Beside its slices, each of which takes some 60 bytes.
    memory: 4 << 20,
};

/// The page.
pub const PAGE: Output = Output { name: "html", ending: ".html", media_type: "text/html", run };

fn run(
    inputs: &[Input<'_>],
    options: &Options,
    wanted: &CommandSettings,
    out: &mut dyn Write,
) -> Result<CommandResult, Failure> {
    page_of(&[(inputs, options)], None, wanted, out)
}

/// Writes the page of one recording, or of two beside each other, below how their figures compare.
///
/// # Errors
/// As for [`convert()`](tband_conv::convert()).
pub fn page_of(
    recordings: &[(&[Input<'_>], &Options)],
    compared: Option<&PageComparison>,
    wanted: &CommandSettings,
    out: &mut dyn Write,
) -> Result<CommandResult, Failure> {
    let known =
        |(inputs, options): &(&[Input<'_>], &Options)| pictured(inputs, options, wanted.max_slices);
    let known = recordings.iter().map(known).collect::<Result<Vec<_>, ConvError>>()?;
    let shown: Vec<_> = known
        .iter()
        .zip(recordings)
        .map(|(known, (_, options))| known.page_recording(options))
        .collect();
    report(&shown, compared, BufWriter::with_capacity(BLOCK, out)).map_err(ConvError::Write)?;
    let done = known.into_iter().map(|PageContent { measured, picture, .. }| {
        let left_out = messages::report_omissions(&picture, &measured.summary);
        CommandResult::of(measured.summary).with(left_out)
    });
    done.reduce(CommandResult::and)
        .ok_or_else(|| Failure::NoSuch("there is no recording".to_owned()))
}

/// What a page shows of a recording.
#[derive(Debug)]
pub struct PageContent {
    /// Its numbers.
    pub measured: Measurement,
    /// Its timeline.
    pub picture: ReportTimeline,
    /// Its activations.
    pub activations: Overview,
    /// Its load over time.
    pub load: Areas,
}

impl PageContent {
    /// What the page shows, if the recording was converted with these options.
    #[must_use]
    pub const fn page_recording(&self, options: &Options) -> PageRecording<'_> {
        let Self { measured, picture, activations, load } = self;
        PageRecording { measured, picture, activations, load, cores: options.core_count }
    }
}

/// Converts a recording to what a page shows, with so many slices at most. Each input is read twice.
///
/// # Errors
/// As for [`convert()`](tband_conv::convert()).
pub fn pictured(
    inputs: &[Input<'_>],
    options: &Options,
    max_slices: usize,
) -> Result<PageContent, ConvError> {
    let mut options = options.clone();
    // The release of an item is in its flow.
    options.flows = Flows::All;
    let pictured = (ReportTimeline::with_at_most(max_slices), Overview::default());
    let mut sinks = (pictured, Owners::new(Areas::default()));
    let mut measured = stats::measure_with(inputs, &options, &mut sinks)?;
    let ((picture, activations), load) = sinks;
    if measured.stats.cores().count() <= 1 {
        let unit = TimeUnit::of(&measured.summary.diagnostics);
        let place = measured.tables.iter().position(|it| it.key == "tasks");
        measured.tables.insert(place.unwrap_or(0), activations.response_times().in_unit(unit));
    }
    Ok(PageContent { measured, picture, activations, load: load.into_inner() })
}
