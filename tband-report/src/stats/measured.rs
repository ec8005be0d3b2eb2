//! The numbers of a recording with what it consists of.

use tband_conv::sinks::Stats;
use tband_conv::{Census, ConvError, Input, Options, Sink, Summary, convert};

use super::{Table, all};

/// What a recording was found to be.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Its tables.
    pub tables: Vec<Table>,
    /// What was wrong.
    pub summary: Summary,
    /// Its numbers.
    pub stats: Stats,
}

/// Takes the numbers of a recording. Each input is read three times; twice if the options name a window.
///
/// # Errors
/// As for [`convert`].
pub fn measure(inputs: &[Input<'_>], options: &Options) -> Result<Measured, ConvError> {
    let mut stats = Stats::default();
    let summary = convert(inputs, options, &mut stats)?;
    whole(inputs, options, (summary, stats))
}

/// As [`measure`], and gives another sink the changes on the way. It is slower, and takes less code.
///
/// # Errors
/// As for [`convert`].
pub fn measure_with(
    inputs: &[Input<'_>],
    options: &Options,
    sink: &mut dyn Sink,
) -> Result<Measured, ConvError> {
    let mut stats = Stats::default();
    let mut both = (&mut stats, sink);
    let both: &mut dyn Sink = &mut both;
    let summary = convert(inputs, options, both)?;
    whole(inputs, options, (summary, stats))
}

fn whole(
    inputs: &[Input<'_>],
    options: &Options,
    (summary, stats): (Summary, Stats),
) -> Result<Measured, ConvError> {
    let census = match &summary.part {
        Some(part) => part.census.clone(),
        None => Census::run(inputs, options.mode, summary.diagnostics.is_clean())?,
    };
    Ok(Measured { tables: all(&stats, &summary, &census), summary, stats })
}
