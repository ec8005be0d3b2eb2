//! Whether a recording that was converted will do.

use anyhow::bail;
use tband_app::exports::Made;
use tband_conv::ConvError;

use crate::args::{ConvArgs, named, report_if_empty};
use crate::progress::Progress;
use crate::report::Report;

/// Says what is wrong with a recording, and whether it will do.
pub fn judge(
    args: &ConvArgs,
    made: Result<Made, ConvError>,
    progress: &Progress,
    report: &Report,
) -> anyhow::Result<Made> {
    progress.clear();
    let made = made.map_err(named)?;
    let summary = &made.summary;
    report.findings(summary);
    report_if_empty(summary.part.as_ref(), report);
    if args.strict && !summary.diagnostics.is_clean() {
        bail!("the recording is not clean and --strict was given: nothing is written");
    }
    Ok(made)
}
