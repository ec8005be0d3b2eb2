//! Percepio TraceRecorder: streams, ring buffers, snapshots.

use tband_conv::Summary;
use tband_conv::diagnostics::Problem;

use crate::support::recording;
use crate::{converted, end, random};

/// Streams, and where their events begin.
const STREAMS: [(&str, usize); 2] =
    [("percepio/4.6-stream.psf", 176), ("percepio/4.11-counter-wrap.psf", 168)];
/// Structures as they are in memory.
const DUMPS: [&str; 3] = [
    "percepio/4.11-ring-overwrite.bin",
    "percepio/4.11-ring-stop.bin",
    "percepio/4.10-snapshot.bin",
];

/// Events that a recording is known to lack.
fn lost(summary: &Summary) -> u64 {
    summary.diagnostics.get(Problem::EventsLost).map_or(0, |found| found.amount)
}

#[test]
fn a_recording_may_end_anywhere() {
    for (name, begin) in STREAMS {
        let bytes = recording(name);
        let all = converted(&bytes).unwrap().events;
        let mut before = 0;
        for len in (begin + 100..bytes.len()).step_by(7499).chain(bytes.len() - 5..bytes.len()) {
            let summary = converted(&bytes[..len]).unwrap();
            assert!(summary.events <= all && summary.events >= before, "{name}: {len}");
            before = summary.events;
            assert_eq!(summary.diagnostics.count(Problem::ForeignDamage), 0, "{name}: {len}");
            assert!(summary.diagnostics.count(Problem::CutOff) <= 1, "{name}: {len}");
        }
    }
    for name in DUMPS {
        let bytes = recording(name);
        for len in (0..bytes.len()).step_by(2999) {
            // The importer only has to report the events that are there, or that there are none.
            let _ = converted(&bytes[..len]);
        }
    }
}

#[test]
fn a_stream_joined_to_another_one_starts_again() {
    let bytes = recording("percepio/4.6-stream.psf");
    let joined = [&bytes[..], &bytes].concat();
    let (one, two) = (converted(&bytes).unwrap(), converted(&joined).unwrap());
    assert_eq!(one.diagnostics.count(Problem::StreamStart), 0);
    assert_eq!(two.diagnostics.count(Problem::StreamStart), 1);
    assert!(two.events > one.events * 19 / 10, "{} {}", two.events, one.events);
    // The bytes before a header are the end of an earlier recording.
    let rest = [&bytes[30_001..], &bytes].concat();
    let summary = converted(&rest).unwrap();
    assert_eq!(summary.events, one.events);
    assert_eq!(summary.diagnostics.count(Problem::OverwrittenStart), 1);
}

/// A bit costs the event that it is in: the numbers of the events show where the next one is, and how many are missing.
/// The second dump may be of the same run, and contain the end of the first one.
#[test]
fn dumps_of_memory_that_are_joined_follow_each_other() {
    for name in ["4.11-ring-overwrite", "4.11-ring-stop", "4.10-snapshot"] {
        let bytes = recording(&format!("percepio/{name}.bin"));
        let one = converted(&bytes).unwrap();
        let two = converted(&bytes.repeat(2)).unwrap();
        assert_eq!(two.diagnostics.count(Problem::TimeStepBack), 0, "{name}");
        assert!(two.events > one.events * 19 / 10, "{name}: {} {}", two.events, one.events);
    }
}

#[test]
fn a_flipped_bit_costs_an_event() {
    let mut state = 11;
    for (name, begin) in STREAMS {
        let bytes = recording(name);
        let all = converted(&bytes).unwrap();
        for _ in 0..12 {
            let mut damaged = bytes.clone();
            let at = begin + 12 + random(&mut state) % (bytes.len() - begin - 400);
            let bit = random(&mut state) % 8;
            damaged[at] ^= 1 << bit;
            let summary = converted(&damaged).unwrap();
            let missing = all.events.saturating_sub(summary.events);
            assert!(missing <= 8, "{name}: {at} bit {bit}: {missing}");
            assert!(summary.events <= all.events + 8, "{name}: {at} bit {bit}");
            // No bit makes the recording much longer.
            assert!(end(&damaged) <= end(&bytes) + 25_000_000, "{name}: {at} bit {bit}");
            if let Some(found) = summary.diagnostics.get(Problem::ForeignDamage) {
                let place = found.place.offset as usize;
                assert!(
                    (at.saturating_sub(300)..at + 300).contains(&place),
                    "{name}: {at} {place}"
                );
            }
        }
    }
}

#[test]
fn bytes_that_are_missing_are_found_with_the_number_of_events() {
    let bytes = recording("percepio/4.11-stream.psf");
    let all = converted(&bytes).unwrap();
    for at in [5000, 20_001, 40_003] {
        for len in [4, 17, 400] {
            let cut = [&bytes[..at], &bytes[at + len..]].concat();
            let summary = converted(&cut).unwrap();
            let found = summary.diagnostics.get(Problem::ForeignDamage);
            let missing = lost(&summary);
            let few = len as u64 / 10 + 3;
            assert!(missing > 0 && missing <= few, "{at} {len}: {missing}");
            if let Some(found) = found {
                assert!(
                    (at as u64 - 130..at as u64 + 130).contains(&found.place.offset),
                    "{at} {len}"
                );
            }
            assert!(summary.events + few * 2 >= all.events, "{at} {len}");
        }
    }
}

#[test]
fn ignores_zeros_at_the_end() {
    for (name, _) in STREAMS {
        let bytes = recording(name);
        let padded = [&bytes[..], &vec![0; 3 << 20]].concat();
        let (plain, padded) = (converted(&bytes).unwrap(), converted(&padded).unwrap());
        assert_eq!(plain.events, padded.events, "{name}");
        assert_eq!(padded.diagnostics.count(Problem::ForeignDamage), 0, "{name}");
        // In between they are damage.
        let mut zeroed = bytes.clone();
        zeroed[20_000..20_100].fill(0);
        let summary = converted(&zeroed).unwrap();
        assert!(summary.diagnostics.count(Problem::ForeignDamage) >= 1, "{name}");
        assert!(lost(&summary) > 0 && summary.events + 30 > plain.events, "{name}");
    }
}

#[test]
fn damaged_dumps_and_headers_are_read_or_refused() {
    let mut state = 5;
    for name in DUMPS.into_iter().chain(STREAMS.map(|(name, _)| name)) {
        let bytes = recording(name);
        for _ in 0..20 {
            let mut damaged = bytes.clone();
            let at = random(&mut state) % damaged.len().min(2000);
            damaged[at] ^= 1 << (random(&mut state) % 8);
            // No panic, no endless work.
            let _ = converted(&damaged);
        }
        for _ in 0..4 {
            let mut damaged = bytes.clone();
            for _ in 0..50 {
                let at = random(&mut state) % damaged.len();
                damaged[at] = (random(&mut state) & 0xFF) as u8;
            }
            let _ = converted(&damaged);
        }
    }
    // A header in one byte order, events in the other.
    let little = recording("percepio/4.11-stream.psf");
    let mut wrong = recording("percepio/4.11-stream-big-endian-made.psf");
    wrong[..168].copy_from_slice(&little[..168]);
    let (summary, all) = (converted(&wrong).unwrap(), converted(&little).unwrap().events);
    let found = summary.diagnostics.get(Problem::ForeignDamage).unwrap();
    // Some bytes look like events also then.
    assert_eq!((found.place.offset, summary.events * 10 < all), (168, true), "{found:?}");
}

/// Where bytes are missing, what begins in the middle of an event is not taken for a counter that has wrapped.
#[test]
fn missing_bytes_cost_no_time() {
    let wrap = 1 << 32;
    for name in ["percepio/4.11-stream-losses.psf", "percepio/4.11-stream.psf", DUMPS[0], DUMPS[1]]
    {
        let bytes = recording(name);
        let whole = end(&bytes);
        for at in (bytes.len() / 4..bytes.len() * 3 / 4).step_by(bytes.len() / 97) {
            for missing in [9, 40, 44] {
                let damaged = [&bytes[..at], &bytes[at + missing..]].concat();
                let end = end(&damaged);
                assert!(end < whole + wrap / 2, "{name}: {missing} at {at}: {end}, was {whole}");
            }
        }
    }
}

/// The numbers of the events show that a block is earlier: its times are no wraparound of the counter.
#[test]
fn blocks_in_the_wrong_order_cost_no_time() {
    for name in ["percepio/4.6-stream.psf", "percepio/4.11-stream.psf"] {
        let bytes = recording(name);
        let (whole, all) = (end(&bytes), converted(&bytes).unwrap().events);
        for at in (8000..bytes.len() - 8000).step_by(bytes.len() / 11) {
            let (first, second) = (&bytes[at..at + 3000], &bytes[at + 3000..at + 6001]);
            let swapped = [&bytes[..at], second, first, &bytes[at + 6001..]].concat();
            assert!(end(&swapped) <= whole, "{name}: {at}: {}, was {whole}", end(&swapped));
            let summary = converted(&swapped).unwrap();
            assert!(summary.events + 20 > all, "{name}: {at}: {} of {all}", summary.events);
            assert!(lost(&summary) > 0, "{name}: {at}");
        }
    }
}

/// Erased memory in the events of a snapshot is located, and costs only these.
#[test]
fn erased_events_of_a_snapshot_are_damage() {
    let whole = recording("percepio/4.10-snapshot.bin");
    let plain = converted(&whole).unwrap();
    assert_eq!(plain.diagnostics.count(Problem::ForeignDamage), 0);
    let mut erased = whole;
    erased[3216..3236].fill(0xFF);
    let summary = converted(&erased).unwrap();
    assert_eq!(summary.diagnostics.count(Problem::ForeignDamage), 5);
    assert!(summary.events + 6 > plain.events, "{} of {}", summary.events, plain.events);
}
