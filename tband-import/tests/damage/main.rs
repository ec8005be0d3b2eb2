//! Damaged recordings: importers continue, lose only the damaged bytes, and report their place.

mod files;
mod percepio;
#[path = "../support/mod.rs"]
mod support;
mod systemview;

use tband_conv::sinks::Stats;
use tband_conv::{ConvError, Input, Options, Summary, convert};

fn converted(bytes: &[u8]) -> Result<Summary, ConvError> {
    let mut stats = Stats::default();
    convert(&[Input::from_bytes("r", bytes)], &Options::default(), &mut stats)
}

/// Numbers that look random.
fn random(state: &mut u64) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    usize::try_from(*state >> 33).unwrap()
}
