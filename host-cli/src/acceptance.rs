//! Whether a recording that was converted will do.

use anyhow::bail;
use tband_app::command_result::finding_messages;
use tband_app::exports::ExportSummary;
use tband_conv::ConvError;

use crate::args::ConvArgs;
use crate::failed::named;
use crate::progress::Progress;
use crate::report::Report;

/// Reports the findings of a recording, and whether it passes.
pub fn judge(
    args: &ConvArgs,
    made: Result<ExportSummary, ConvError>,
    progress: &Progress,
    report: &Report,
) -> anyhow::Result<ExportSummary> {
    progress.clear();
    let made = made.map_err(named)?;
    let summary = &made.summary;
    report.messages(finding_messages(summary));
    if args.strict && !summary.diagnostics.is_clean() {
        bail!("the recording is not clean and --strict was given: nothing is written");
    }
    Ok(made)
}
