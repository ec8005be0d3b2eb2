//! The numbers of a recording with its event counts.

use tband_conv::census::Census;
use tband_conv::model::Sink;
use tband_conv::sinks::Stats;
use tband_conv::{ConvError, Input, Options, Summary, convert};

use super::{Table, all};

/// Results of measuring a recording.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// Its tables.
    pub tables: Vec<Table>,
    /// The findings.
    pub summary: Summary,
    /// Its numbers.
    pub stats: Stats,
}

/// Takes the numbers of a recording. Each input is read twice.
///
/// # Errors
/// As for [`convert()`].
pub fn measure(inputs: &[Input<'_>], options: &Options) -> Result<Measurement, ConvError> {
    let mut stats = Stats::default();
    let summary = convert(inputs, &counting(options), &mut stats)?;
    Ok(whole(summary, stats))
}

/// Does the same as [`measure`], and passes the changes to another sink. It is slower, and takes less code.
///
/// # Errors
/// As for [`convert()`].
pub fn measure_with(
    inputs: &[Input<'_>],
    options: &Options,
    sink: &mut dyn Sink,
) -> Result<Measurement, ConvError> {
    let mut stats = Stats::default();
    let mut both = (&mut stats, sink);
    let both: &mut dyn Sink = &mut both;
    let summary = convert(inputs, &counting(options), both)?;
    Ok(whole(summary, stats))
}

fn counting(options: &Options) -> Options {
    let mut options = options.clone();
    options.census = true;
    options
}

fn whole(summary: Summary, stats: Stats) -> Measurement {
    let none = Census::default();
    let whole = summary.census.as_ref().unwrap_or(&none);
    let census = summary.part.as_ref().map_or(whole, |part| &part.census);
    Measurement { tables: all(&stats, &summary, census), summary, stats }
}
