//! Damaged recordings: importers continue, lose only the damaged bytes, and report their place.

mod files;
mod percepio;
#[path = "../support/mod.rs"]
mod support;
mod systemview;
mod text;

use tband_conv::sinks::Stats;
use tband_conv::{ConvError, EventReader, Input, Mode, Options, Summary, convert};

fn converted(bytes: &[u8]) -> Result<Summary, ConvError> {
    let mut stats = Stats::default();
    convert(&[Input::from_bytes("r", bytes)], &Options::default(), &mut stats)
}

/// The last time of a recording, in ticks.
fn end(bytes: &[u8]) -> u64 {
    let mut events = EventReader::new(bytes, 0, Mode::FreeRtos);
    let mut end = 0;
    while let Some(item) = events.next_item().unwrap() {
        end = end.max(item.event.ok().and_then(|event| event.ts).unwrap_or(0));
    }
    end
}

/// Numbers that look random.
fn random(state: &mut u64) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    usize::try_from(*state >> 33).unwrap()
}
