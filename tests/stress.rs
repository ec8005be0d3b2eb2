//! Cores that run at once, each a thread with nested interrupts, in every format and backend. `cargo xtask stress` runs the
//! same for longer.

use std::env;

use tband_tests::stress::{Backend, Counts, LONGEST_TEXT, Setup};

/// The output of a program is in memory, so many events take several runs.
const AT_ONCE: u64 = 1_000_000;

fn number(name: &str, usual: u64) -> u64 {
    let value = env::var(name).ok();
    value.map_or(usual, |value| value.parse().unwrap_or_else(|_| panic!("{name}={value}")))
}

/// All paths, one after another: the threads of one keep a machine busy. Dropped events of a stream are counted.
#[test]
fn each_event_comes_out_once_or_is_counted() {
    let events = number("TBAND_STRESS_EVENTS", 100_000);
    let cores = number("TBAND_STRESS_CORES", 3) as u32;
    for setup in Setup::all(cores) {
        let mut counts = Counts::default();
        while counts.produced + 100 < events {
            counts.add(&setup.run((events - counts.produced).min(AT_ONCE)));
            println!("{setup:?}: {counts:?}");
        }
        // One that receives hardly anything shows hardly anything.
        let rounds = if setup.backend == Backend::Streaming { 1 } else { 3 };
        assert!(counts.rounds >= rounds && counts.received > 200, "{setup:?}: {counts:?}");
        // However short the run is, it has the longest texts.
        assert_eq!(counts.longest_text, LONGEST_TEXT, "{setup:?}: {counts:?}");
    }
}
