//! One conversion for each sink where there is room for the code, else one for all sinks.

use tband_conv::{ConvError, Input, Options, Sink, Summary, convert};

/// Converts to a sink whose changes are to be fast: the way to it is compiled for it. In the web page, whose code is
/// loaded first, all sinks share one.
pub(crate) fn converted<S: Sink>(
    inputs: &[Input<'_>],
    options: &Options,
    sink: &mut S,
) -> Result<Summary, ConvError> {
    if cfg!(target_family = "wasm") {
        convert::<dyn Sink>(inputs, options, sink)
    } else {
        convert(inputs, options, sink)
    }
}
