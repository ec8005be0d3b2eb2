//! The same programs recorded in packets: event for event what frames have.

use std::sync::OnceLock;

use tband_tests::class_check::{CLASSES, Run, compare};
use tband_tests::packets::{as_frames, assert_begin_with_state};

use crate::run_with;

/// In small packets, so that each event is the first of a packet now and then.
fn in_packets() -> &'static (Vec<u8>, Run) {
    static RUN: OnceLock<(Vec<u8>, Run)> = OnceLock::new();
    RUN.get_or_init(|| {
        let (recording, log) = run_with("packets", &["CLASSES_PACKET_SIZE=256".to_owned()]);
        let run = Run::new(as_frames(&recording), &log);
        (recording, run)
    })
}

#[test]
fn every_class_is_recorded_as_in_frames() {
    let (_, run) = in_packets();
    for (class, _) in CLASSES {
        compare(run, class);
    }
}

#[test]
fn packets_begin_with_what_holds() {
    let (recording, _) = in_packets();
    assert_begin_with_state(recording);
}
