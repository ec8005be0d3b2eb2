//! Files of other tools, which have definitions.

use tband_conv::InputFormat;
use tband_conv::diagnostics::Problem;

use crate::support::recording;
use crate::{converted, converted_as, end_as, random};

/// Recordings of other formats.
const FILES: [(&str, InputFormat); 3] = [
    ("flux/replay.recTr", InputFormat::Flux),
    ("qp/qs.bin", InputFormat::Qs),
    ("qp/rkh.bin", InputFormat::Rkh),
];

/// Cut, joined, without their beginnings, with flipped bits and with zeroes they are read as far as they are whole.
#[test]
fn damaged_files_are_read_on() {
    let mut state = 11;
    for (name, format) in FILES {
        let bytes = recording(name);
        let all = converted(&bytes).unwrap();
        assert_eq!(all.diagnostics.count(Problem::ForeignDamage), 0, "{name}");
        let all = all.events;
        for len in (bytes.len() / 8..bytes.len()).step_by(bytes.len() / 9) {
            let summary = converted_as(&bytes[..len], format).unwrap();
            let least = all * (len as u64) / bytes.len() as u64 / 2;
            assert!((least..=all).contains(&summary.events), "{name}: {len}: {}", summary.events);
            assert_eq!(summary.diagnostics.count(Problem::ForeignDamage), 0, "{name}: {len}");
            // flux defines its items at the beginning; the sizes that QS and RKH define there are inferred.
            let late = converted_as(&bytes[len..], format);
            if format != InputFormat::Flux {
                let rest = (bytes.len() - len) as u64;
                let least = all * rest / bytes.len() as u64 / 2;
                let events = late.unwrap().events;
                assert!(events >= least, "{name}: from {len} on: {events} of {all}");
            }
        }
        let joined = converted_as(&[&bytes[..], &bytes].concat(), format).unwrap();
        assert!(joined.events >= all * 19 / 10, "{name}: {} of {all}", joined.events);
        // A clock that a restart of the target sets back is not damaged.
        assert_eq!(joined.diagnostics.count(Problem::TimeStepBack), 0, "{name}");
        assert!(joined.diagnostics.count(Problem::StreamStart) > 0, "{name}");
        for _ in 0..30 {
            let mut damaged = bytes.clone();
            let at = bytes.len() / 20 + random(&mut state) % (bytes.len() * 19 / 20);
            damaged[at] ^= 1 << (random(&mut state) % 8);
            let summary = converted_as(&damaged, format).unwrap();
            assert!(summary.events * 10 > all * 9, "{name}: {at}: {} of {all}", summary.events);
        }
        let mut zeroed = bytes.clone();
        let middle = bytes.len() / 2;
        zeroed[middle..middle + 100].fill(0);
        let summary = converted_as(&zeroed, format).unwrap();
        assert!(summary.events * 10 > all * 8, "{name}: {} of {all}", summary.events);
        let found = summary.diagnostics.get(Problem::ForeignDamage).unwrap();
        let near = middle as u64 - 100..=middle as u64 + 100;
        assert!(near.contains(&found.place.offset), "{name}: {found:?}");
    }
}

/// An early loss does not matter for the sizes of the fields: all records together show these.
#[test]
fn a_recording_with_losses_is_read_from_its_middle() {
    let bytes = recording("qp/qs-losses.bin");
    let whole = converted(&bytes).unwrap();
    let damages = whole.diagnostics.count(Problem::ForeignDamage);
    for begin in (bytes.len() / 2..bytes.len() * 4 / 5).step_by(397) {
        let summary = converted_as(&bytes[begin..], InputFormat::Qs).unwrap();
        let part = (bytes.len() - begin) as u64;
        let least = whole.events * part / bytes.len() as u64 / 2;
        assert!(summary.events >= least, "{begin}: {} of {}", summary.events, whole.events);
        let found = summary.diagnostics.count(Problem::ForeignDamage);
        assert!(found <= damages, "{begin}: {found} of {damages}");
    }
}

/// Zeros do not change the sum of a frame's bytes, by which the frames of these formats are checked.
#[test]
fn zeros_inside_of_frames_are_damage() {
    for (name, format) in [("qp/qs.bin", InputFormat::Qs), ("qp/rkh.bin", InputFormat::Rkh)] {
        let bytes = recording(name);
        let (whole, all) = (end_as(&bytes, format), converted(&bytes).unwrap().events);
        let frames = bytes.iter().enumerate().filter(|(_, byte)| **byte == 0x7E);
        // Earlier ones may be kept until the sizes of their fields are known.
        for (at, _) in frames.skip(250).step_by(37) {
            for inside in [1, 3] {
                let (front, rest) = bytes.split_at(at + inside);
                let damaged = [front, &[0; 100], rest].concat();
                let summary = converted_as(&damaged, format).unwrap();
                let what = format!("{name}: {at} {inside}: {:?}", summary.diagnostics);
                // It may have been the name of something that has a row.
                assert!(summary.events >= all * 98 / 100, "{what}: {} of {all}", summary.events);
                let found = summary.diagnostics.get(Problem::ForeignDamage).expect(&what);
                assert!((at as u64..at as u64 + 2).contains(&found.place.offset), "{what}");
                assert!(end_as(&damaged, format) <= whole, "{what}");
            }
        }
    }
}
