//! The view of a recording in the page.

use std::io::Write;

use tband_app::command_result::{CommandResult, finding_messages};
use tband_app::commands::report::pictured;
use tband_conv::{ConvError, Input, Options};
use tband_report::messages;
use tband_report::page::view as head_of;

/// Default maximum number of slices of a view: each takes about 60 bytes, here and in the page.
const MAX_SLICES: usize = 1 << 21;

/// Writes the slices; returns everything else as a JSON text.
pub(crate) fn view(
    (inputs, options): (&[Input<'_>], &Options),
    max_slices: Option<usize>,
    out: &mut dyn Write,
) -> Result<(CommandResult, String), ConvError> {
    let known = pictured(inputs, options, max_slices.unwrap_or(MAX_SLICES))?;
    let summary = &known.measured.summary;
    out.write_all(known.picture.bytes()).map_err(ConvError::Write)?;
    let left_out = messages::view_omissions(&known.picture, summary);
    let head = head_of(known.page_recording(options), &finding_messages(summary), left_out);
    Ok((CommandResult::of(known.measured.summary), head))
}
