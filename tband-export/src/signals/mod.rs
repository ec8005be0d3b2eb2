//! What a target does as signals: each holds one value at a time, from the first change on.
//!
//! Waveforms and flux name all signals in front of the values, so inputs are converted twice: a [`Survey`] finds out
//! which signals there are, then [`Follow`] gives a [`Take`] each change in the order of time.

mod catalog;
mod follow;
mod forgotten;
mod labels;
mod order;
mod source;
mod survey;
mod tree;
mod value;

use tband_conv::{ConvError, Input, Options, Summary, convert};

pub use self::catalog::Catalog;
pub use self::follow::{Follow, Take};
pub use self::labels::Labels;
pub use self::source::{Shape, Source};
pub use self::tree::Step;
pub use self::value::{Relation, Value};

use self::survey::Survey;

/// Converts inputs to a format that names its signals in front: `take` gets all of them, and then of what
/// they do.
pub fn convert_signals<T: Take>(
    inputs: &[Input<'_>],
    options: &Options,
    clean: fn(&str) -> String,
    take: T,
) -> Result<Summary, ConvError> {
    let mut survey = Survey::new(clean);
    convert(inputs, options, &mut survey)?;
    let mut follow = Follow::new(survey.into_catalog(), take);
    convert(inputs, options, &mut follow)
}
