//! Files of other tools, which have definitions.

use tband_conv::sinks::Stats;
use tband_conv::{ConvError, Input, InputFormat, Options, Problem, Summary, convert};

use crate::support::recording;
use crate::{converted, random};

/// Recordings of other formats.
const FILES: [(&str, InputFormat); 3] = [
    ("flux/replay.recTr", InputFormat::Flux),
    ("qp/qs.bin", InputFormat::Qs),
    ("qp/rkh.bin", InputFormat::Rkh),
];

/// Converts what may not be recognised any more.
fn converted_as(bytes: &[u8], format: InputFormat) -> Result<Summary, ConvError> {
    let mut stats = Stats::default();
    let input = Input::from_bytes("r", bytes).of_format(format);
    convert(&[input], &Options::default(), &mut stats)
}

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
        let steps = joined.diagnostics.count(Problem::TimeStepBack);
        assert_eq!(steps, u64::from(format == InputFormat::Flux), "{name}");
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
