//! Damaged recordings: importers continue, lose only the damaged bytes, and report their place.

mod files;
mod percepio;
mod rest;
#[path = "../support/mod.rs"]
mod support;
mod systemview;
mod text;

use tband_conv::events::EventReader;
use tband_conv::item::Mode;
use tband_conv::sinks::Stats;
use tband_conv::{ConvError, Input, InputFormat, Options, Summary, convert};
use tband_import::output::Output;

fn converted(bytes: &[u8]) -> Result<Summary, ConvError> {
    let mut stats = Stats::default();
    convert(&[Input::from_bytes("r", bytes)], &Options::default(), &mut stats)
}

/// Converts what may not be recognised any more.
fn converted_as(bytes: &[u8], format: InputFormat) -> Result<Summary, ConvError> {
    let mut stats = Stats::default();
    let input = Input::from_bytes("r", bytes).of_format(format);
    convert(&[input], &Options::default(), &mut stats)
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

/// The last time of the events of a format that may not be recognised any more, in ticks.
fn end_as(bytes: &[u8], format: InputFormat) -> u64 {
    let mut importer = tband_import::open::open(format, 0).unwrap();
    let (mut out, mut from, mut end) = (Output::default(), 0, 0);
    while from < bytes.len() {
        out.clear();
        out.begin_call();
        from += importer.read(&bytes[from..], true, &mut out);
        for decoded in out.iter().filter_map(|record| record.decode(&out)) {
            end = end.max(decoded.ts.unwrap_or(0));
        }
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
