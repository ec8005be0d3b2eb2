//! Damaged recordings: importers go on, lose no more than the damaged bytes, and report their place.

mod support;

use support::recording;
use tband_conv::sinks::Stats;
use tband_conv::{ConvError, Input, Options, Problem, Summary, convert_to_stats};

/// Recordings of each importer that damage is tried on.
const RECORDINGS: [&str; 3] =
    ["systemview/trimmed.bin", "systemview/postmortem.bin", "systemview/overflow.bin"];
/// Texts.
const TEXTS: [&str; 2] = ["linux/ftrace.txt", "linux/perf.txt"];

fn converted(bytes: &[u8]) -> Result<Summary, ConvError> {
    let mut stats = Stats::default();
    convert_to_stats(&[Input::from_bytes("r", bytes)], &Options::default(), &mut stats)
}

/// Numbers that look random.
fn random(state: &mut u64) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    usize::try_from(*state >> 33).unwrap()
}

#[test]
fn a_recording_may_end_anywhere() {
    for name in RECORDINGS {
        let bytes = recording(name);
        let all = converted(&bytes).unwrap().events;
        let mut before = 0;
        for len in (200..bytes.len()).step_by(1499).chain(2000..2020) {
            let Ok(summary) = converted(&bytes[..len]) else {
                assert!(len < 2600, "{name}: {len} bytes have no event");
                continue;
            };
            assert!(summary.events <= all);
            if len > 2600 {
                assert!(summary.events >= before, "{name}: {len}");
                before = summary.events;
            }
            // What a cut takes away is one packet.
            assert_eq!(summary.diagnostics.count(Problem::ForeignDamage), 0, "{name}: {len}");
            assert!(summary.diagnostics.count(Problem::CutOff) <= 1, "{name}: {len}");
        }
    }
}

#[test]
fn joined_recordings_are_two_starts() {
    let bytes = recording("systemview/restart.bin");
    let joined = [&bytes[..], &bytes].concat();
    let (one, two) = (converted(&bytes).unwrap(), converted(&joined).unwrap());
    assert_eq!(one.diagnostics.count(Problem::StreamStart), 1);
    assert_eq!(two.diagnostics.count(Problem::StreamStart), 3);
    // What the second recording repeats of names and frequency is left out.
    assert!(two.events > one.events * 19 / 10, "{} {}", two.events, one.events);
}

#[test]
fn flipped_bits_cost_what_follows_them_up_to_the_next_synchronisation() {
    let mut state = 7;
    for name in RECORDINGS {
        let bytes = recording(name);
        for _ in 0..25 {
            let mut damaged = bytes.clone();
            let at = 600 + random(&mut state) % (bytes.len() - 600);
            damaged[at] ^= 1 << (random(&mut state) % 8);
            // A text that is not changed itself is found again.
            let summary = converted(&damaged).unwrap();
            assert!(summary.events > 0, "{name}: {at}");
        }
    }
    // Synchronisations are not far apart here.
    let mut bytes = recording("systemview/postmortem.bin");
    let all = converted(&bytes).unwrap().events;
    for at in (4000..bytes.len()).step_by(4000) {
        // No packet has this id, and no number these bytes.
        bytes[at..at + 12].fill(0xFF);
    }
    let summary = converted(&bytes).unwrap();
    let found = summary.diagnostics.get(Problem::ForeignDamage);
    assert!(found.is_some_and(|found| found.count >= 4), "{found:?}");
    assert!(summary.events * 10 > all * 4, "{} of {all}", summary.events);
    let found = summary.diagnostics.get(Problem::ForeignDamage).unwrap();
    assert!((3900..=4012).contains(&found.place.offset), "{found:?}");
}

#[test]
fn zeroes_at_the_end_are_no_events() {
    for name in RECORDINGS {
        let bytes = recording(name);
        let padded = [&bytes[..], &vec![0; 3 << 20]].concat();
        let (plain, padded) = (converted(&bytes).unwrap(), converted(&padded).unwrap());
        assert_eq!(plain.events, padded.events, "{name}");
    }
}

#[test]
fn a_text_goes_on_after_lines_that_are_damaged() {
    let mut state = 3;
    for name in TEXTS {
        let text = recording(name);
        let all = converted(&text).unwrap().events;
        let lines = text.iter().filter(|byte| **byte == b'\n').count();
        assert!(all > lines as u64 / 2, "{name}: {all} of {lines}");
        for len in (2000..text.len()).step_by(4999) {
            assert!(converted(&text[..len]).unwrap().events <= all, "{name}: {len}");
        }
        let mut damaged = text.clone();
        for _ in 0..50 {
            let at = 1000 + random(&mut state) % (text.len() - 1000);
            damaged[at] ^= 1 << (random(&mut state) % 7);
        }
        let summary = converted(&damaged).unwrap();
        assert!(summary.events * 10 > all * 8, "{name}: {} of {all}", summary.events);
        // A line without an end.
        let long = [&text[..], &vec![b'x'; 200_000]].concat();
        let summary = converted(&long).unwrap();
        assert_eq!(summary.events, all, "{name}");
        assert_eq!(summary.diagnostics.count(Problem::ForeignDamage), 1, "{name}");
    }
}
