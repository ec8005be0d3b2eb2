//! The fuzzer's cases, some hundred of them: pieces of real recordings, the same with changes, and
//! random bytes. `cargo xtask fuzz` runs millions.

use std::fmt;
use std::path::Path;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use tband_fuzz::{HEADER, PeakAlloc, run, seeds, show};
use tband_programs::cases;
use tband_recordings::random::config;

/// Counts what each case allocates.
#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

struct Case(Vec<u8>);

/// Shows the case in its meaning, for a failure.
impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&show(&self.0))
    }
}

/// A case with some bytes changed, put in or taken out.
fn changed(mut case: Vec<u8>, changes: &[(prop::sample::Index, u8, u8)]) -> Vec<u8> {
    for &(index, value, what) in changes {
        let at = index.index(case.len());
        match what {
            0 => case[at] = value,
            1 => case[at] ^= 1 << (value % 8),
            2 => case.insert(at, value),
            _ if case.len() > 1 => drop(case.remove(at)),
            _ => {}
        }
    }
    case
}

// One test, since bytes are counted for the whole process.
#[test]
fn hold() {
    let seeds = seeds(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."), 4000).unwrap();
    assert!(seeds.len() > 40, "{} seeds", seeds.len());
    let some = cases(seeds.len() as u32) as usize;
    for seed in seeds.iter().step_by(seeds.len() / some) {
        assert!(run(seed) > 10_000, "nothing is counted");
    }
    // A damaged packet costs up to a thousand attempts to restore it, for each change that may have been made. `cargo xtask fuzz`
    // runs as many cases as it is given.
    let mut runner = TestRunner::new(config(64));
    let header = any::<[u8; HEADER]>;
    let change = (any::<prop::sample::Index>(), any::<u8>(), 0..4_u8);
    let real = (header(), prop::sample::select(seeds), prop::collection::vec(change, 1..40));
    let real = real.prop_map(|([_, converting, dumping], seed, changes)| {
        let mut case = changed(seed, &changes);
        case.splice(1..case.len().min(HEADER), [converting, dumping]);
        case
    });
    let random = (header(), prop::collection::vec(any::<u8>(), 0..2000))
        .prop_map(|(header, bytes)| [&header[..], &bytes].concat());
    // Payloads that begin with an event's id, and have small numbers.
    let number = || prop_oneof![0..4_u8, any::<u8>()];
    let payload = (0..206_u8, prop::collection::vec(number(), 0..12)).prop_map(|(id, numbers)| {
        let frame = numbers.iter().chain([&id]).rev().flat_map(|byte| match byte {
            0 | 0xFF => vec![0xFF, !byte],
            _ => vec![*byte],
        });
        frame.chain([0]).collect::<Vec<u8>>()
    });
    let framed = (header(), prop::collection::vec(payload, 0..200)).prop_map(|(header, frames)| {
        [vec![header[0] | 1, header[1], header[2]], frames.concat()].concat()
    });
    for case in [real.boxed(), random.boxed(), framed.boxed()] {
        runner
            .run(&case.prop_map(Case), |case| {
                run(&case.0);
                Ok(())
            })
            .unwrap();
    }
}
