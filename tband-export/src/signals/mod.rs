//! What a target does as signals: each holds one value at a time, from the first change on.
//!
//! Waveforms and flux name all signals in front of the values, and which there are is known in the end. [`Follow`] tells a
//! [`Keep`] each change, and in the end all signals: it keeps the changes in a [`Log`], in the order of time, as the
//! format has them, or as what a [`Take`] gets once it has had the signals.

mod catalog;
mod follow;
mod forgotten;
mod labels;
mod log;
mod replay;
mod source;
mod tree;
mod value;

use tband_conv::{ConvError, Input, Options, Summary, convert};

pub use self::catalog::Catalog;
pub use self::follow::{Follow, Keep};
pub use self::labels::Labels;
pub use self::log::{Clock, Log};
pub use self::replay::Take;
pub use self::source::{Shape, Source};
pub use self::tree::Step;
pub use self::value::{Relation, Value};

use self::replay::Replay;

/// Converts inputs to a format that names its signals in front: `take` gets all of them, and then of what
/// they do.
pub fn convert_signals(
    inputs: &[Input<'_>],
    options: &Options,
    clean: fn(&str) -> String,
    take: impl Take,
) -> Result<Summary, ConvError> {
    convert(inputs, options, &mut Follow::new(clean, Replay::new(take)))
}
