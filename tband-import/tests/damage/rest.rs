//! Memory that nothing was written to, after recordings and between them.

use tband_conv::diagnostics::Problem;

use crate::converted;
use crate::support::recording;

const RECORDINGS: [&str; 7] = [
    "percepio/4.6-stream.psf",
    "percepio/4.11-stream-big-endian-made.psf",
    "systemview/trimmed.bin",
    "systemview/default.bin",
    "flux/replay.recTr",
    "qp/qs.bin",
    "qp/rkh.bin",
];

/// It is the end of the recording, whatever its length, and no damage.
#[test]
fn an_empty_rest_is_no_damage() {
    for name in RECORDINGS {
        let bytes = recording(name);
        let all = converted(&bytes).unwrap().events;
        for erased in [0x00, 0xFF] {
            for len in [16, 1000, 5000, 200_001] {
                let padded = [&bytes[..], &vec![erased; len]].concat();
                let summary = converted(&padded).unwrap();
                let what = format!("{name}: {len} times {erased:02X}: {:?}", summary.diagnostics);
                assert_eq!(summary.events, all, "{what}");
                for problem in [Problem::ForeignDamage, Problem::CutOff] {
                    assert_eq!(summary.diagnostics.count(problem), 0, "{what}");
                }
                if len == 16 {
                    continue;
                }
                let found = summary.diagnostics.get(Problem::NeverWritten).expect(&what);
                // Frames of one zero byte are nothing between frames.
                let expected = (1, bytes.len() as u64);
                assert_eq!((found.count, found.place.offset), expected, "{what}");
            }
        }
    }
}

/// Pages of flash that are not full, each with its recording.
#[test]
fn recordings_with_erased_memory_between_them_are_whole() {
    for name in RECORDINGS {
        let bytes = recording(name);
        let all = converted(&bytes).unwrap().events;
        let pages = [&bytes[..], &vec![0xFF; 4096], &bytes].concat();
        let summary = converted(&pages).unwrap();
        assert!(summary.events > all * 19 / 10, "{name}: {} of {all}", summary.events);
        // Frames have no start that is different from their middle.
        let is_framed = name.starts_with("qp");
        let damages = summary.diagnostics.count(Problem::ForeignDamage);
        assert_eq!(damages, u64::from(is_framed), "{name}: {:?}", summary.diagnostics);
    }
}

/// Events that continue after it show that something was there.
#[test]
fn erased_memory_inside_of_a_recording_is_damage() {
    for name in RECORDINGS {
        let mut bytes = recording(name);
        let middle = bytes.len() / 2;
        bytes[middle..middle + 2000].fill(0xFF);
        let summary = converted(&bytes).unwrap();
        let found = summary.diagnostics.get(Problem::ForeignDamage).expect(name);
        let near = middle as u64 - 1100..=middle as u64 + 100;
        assert!(near.contains(&found.place.offset), "{name}: {found:?}");
        assert_eq!(summary.diagnostics.count(Problem::NeverWritten), 0, "{name}");
    }
}
