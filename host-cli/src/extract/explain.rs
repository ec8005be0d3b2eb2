//! Crashes and records in a recording that was taken out of memory: adds the program's facts about them to the recording. The
//! stack of a crash is available only here.

use tband_conv::item::Mode;
use tband_conv::model::Crash;
use tband_conv::{Input, Options, convert};
use tband_format::{Event, Str};
use tband_program::{Code, Memory, RecordFacts, places};

use crate::target::{Recording, described, frame, of_program};

/// Schema of the event of places, for readers that do not know it.
const CRASH_PLACES: (u8, &[u8]) = (226, b"crash_places pc:u32,places:str");
/// Maximum bytes of a text in an event; the innermost calls are kept.
const MOST: usize = 1024;

/// Puts the places of the crashes, and the formats of records, in front of the recording. Returns the crashes, to be shown.
pub fn explain(
    recording: &mut Recording,
    (code, known): (&Code, &RecordFacts),
    memory: &mut dyn Memory,
) -> Vec<Crash> {
    let mut crashes = crashes(&recording.bytes);
    let mut frames = Vec::new();
    for crash in &mut crashes {
        let lines = places(code, crash, Some(&mut *memory)).lines();
        crash.set_places(&lines);
        if let Some(event) = event(crash, &lines) {
            frames.push(event);
        }
    }
    if !frames.is_empty() {
        frames.insert(0, described(CRASH_PLACES));
    }
    frames.extend(of_program(known));
    recording.prepend_events(&frames);
    crashes
}

/// Returns the recorded crashes. Other faults of the recording are reported by its later readers.
fn crashes(recording: &[u8]) -> Vec<Crash> {
    let inputs = [Input::from_bytes("memory", recording)];
    let mut options = Options::default();
    options.mode = Mode::Auto;
    convert(&inputs, &options, &mut ()).map_or_else(|_| Vec::new(), |it| it.crashes)
}

/// The places of a crash as an event, if there are any.
fn event(crash: &Crash, lines: &[String]) -> Option<Vec<u8>> {
    let unknown = lines.last().filter(|line| line.starts_with('?'));
    let room = MOST - 4 - unknown.map_or(0, |why| why.len().min(MOST / 2) + 1);
    let mut text = String::new();
    for line in lines.iter().filter(|line| !line.starts_with('?')) {
        if text.len() + line.len() >= room {
            text.push_str("...\n");
            break;
        }
        text.push_str(line);
        text.push('\n');
    }
    text.extend(unknown.into_iter().flat_map(|why| why.chars()));
    let pc = crash.pc()?;
    let places = Str(text.as_bytes());
    (!text.is_empty()).then(|| frame(&Event::CrashPlaces { pc, places }))
}

#[cfg(test)]
mod tests {
    use tband_format::registry::EVENTS;
    use tband_format::schema::Schema;

    use super::*;

    #[test]
    fn the_schema_is_that_of_the_event() {
        let (id, text) = CRASH_PLACES;
        let def = EVENTS.iter().find(|def| def.id == id).unwrap();
        assert_eq!(def.name, "crash_places");
        assert!(def.is_described_by(&Schema::parse(text).unwrap()));
    }
}
