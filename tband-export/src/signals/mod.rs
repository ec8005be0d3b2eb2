//! A target as signals: each holds one value at a time, from the first change on.
//!
//! Waveforms and flux declare all signals in front of the values, and the signals are known only at the end.
//! [`SignalFollower`] passes each change to a [`SignalStore`], and finally all signals. The `SignalStore` stores the
//! changes in a [`Log`], in the order of time, either in the format's form, or in the form for a [`SignalWriter`] that
//! gets them after the signals.

mod catalog;
mod follower;
mod labels;
mod log;
mod replay;
mod source;
mod tree;
mod value;

use tband_conv::{ConvError, Input, Options, Summary, convert};

pub use self::catalog::Catalog;
pub use self::follower::{SignalFollower, SignalStore};
pub use self::labels::Labels;
pub use self::log::{Clock, Log};
pub use self::replay::SignalWriter;
pub use self::source::{Shape, Source};
pub use self::tree::Step;
pub use self::value::{Relation, Value};

use self::replay::Replay;

/// Converts inputs to a format that declares its signals in front: `take` gets all signals, and then their changes.
pub fn convert_signals(
    inputs: &[Input<'_>],
    options: &Options,
    clean: fn(&str) -> String,
    take: impl SignalWriter,
) -> Result<Summary, ConvError> {
    convert(inputs, options, &mut SignalFollower::new(clean, Replay::new(take)))
}
