//! The external backend: every event reaches the user's function, with a flag for metadata.

use tband_tests::c::Firmware;
use tband_tests::events::lines;

use crate::{EXTERNAL, NO_PERIODIC_DROP_CNT, NO_TRACE_INFO};

/// Each call of the user's function: M or E for metadata or not, and the event.
pub fn submitted(output: &[u8]) -> Vec<String> {
    let mut calls = Vec::new();
    for call in output.split_inclusive(|&byte| byte == 0) {
        let (flag, frame) = call.split_first().expect("a flag");
        for line in lines(frame) {
            calls.push(format!("{} {line}", char::from(*flag)));
        }
    }
    calls
}

#[test]
fn every_event_is_submitted_and_refused_ones_are_counted() {
    let config = [EXTERNAL, NO_TRACE_INFO, NO_PERIODIC_DROP_CNT];
    assert_eq!(
        submitted(&Firmware::new("external", &config).run(&[])),
        [
            "M - isr_name isr_id=1 name=\"one\"",
            "E 4 isr_enter isr_id=1",
            "E 4 evtmarker evtmarker_id=2 msg=\"two\"",
            "E 4 valmarker valmarker_id=3 val=3",
            "E 4 dropped_evt_cnt cnt=2",
            "E 4 isr_enter isr_id=5",
        ]
    );
}
