//! What the page's viewer shows of a recording.

use std::io::Write;

use tband_app::commands::report::pictured;
use tband_app::{Done, found};
use tband_conv::{ConvError, Input, Options};
use tband_report::{messages, view as head_of};

/// Slices that a view has unless another number is asked for: each takes some 60 bytes, here and in the page.
const MAX_SLICES: usize = 1 << 21;

/// Writes the slices; gives everything else as a text of JSON.
pub(crate) fn view(
    (inputs, options): (&[Input<'_>], &Options),
    max_slices: Option<usize>,
    out: &mut dyn Write,
) -> Result<(Done, String), ConvError> {
    let known = pictured(inputs, options, max_slices.unwrap_or(MAX_SLICES))?;
    let summary = &known.measured.summary;
    out.write_all(known.picture.bytes()).map_err(ConvError::Write)?;
    let left_out = messages::left_out_of_view(&known.picture, summary);
    let head = head_of(known.shown(options), &found(summary), left_out);
    Ok((Done::of(known.measured.summary), head))
}
