//! Metadata: when it is kept and sent, and what happens when there is no room for it.

use tband_tests::c::Firmware;
use tband_tests::events::assert_events;

use crate::{NO_METADATA_BUF, NO_PERIODIC_DROP_CNT, NO_TRACE_INFO, PLAIN_STREAM, SNAPSHOT};

#[test]
fn metadata_is_kept_always_and_sent_while_recording() {
    let output = Firmware::new("metadata", PLAIN_STREAM).run(&[]);
    let mark = output.windows(2).position(|bytes| bytes == [0xFF, 0]).expect("the mark");
    let (kept, stream) = (&output[..mark], &output[mark + 2..]);
    let names = [
        "- isr_name isr_id=1 name=\"before\"",
        "- evtmarker_name evtmarker_id=2 name=\"while\"",
        "- valmarker_name valmarker_id=3 name=\"after\"",
    ];
    assert_events(kept, &names);
    assert_events(
        stream,
        &[
            "0 core_id core_id=0",
            names[0],
            "0 core_id core_id=0",
            names[1],
            "0 core_id core_id=0",
            names[0],
            names[1],
            names[2],
            "0 core_id core_id=0",
        ],
    );
}

#[test]
fn without_a_buffer_metadata_is_only_sent() {
    let mut config = PLAIN_STREAM.to_vec();
    config.push(NO_METADATA_BUF);
    let output = Firmware::new("metadata", &config).run(&[]);
    assert_events(
        output.strip_prefix(&[0xFF, 0]).expect("nothing was kept"),
        &["- evtmarker_name evtmarker_id=2 name=\"while\""],
    );
}

const STORED: [&str; 3] = [
    "- isr_name isr_id=1 name=\"abc\"",
    "- isr_name isr_id=2 name=\"abc\"",
    "- isr_name isr_id=4 name=\"ab\"",
];

const REPORTED: [&str; 3] = [
    "- metadata_dropped core_id=0 cnt=2",
    "- isr_name isr_id=6 name=\"x\"",
    "- metadata_dropped core_id=0 cnt=3",
];

#[test]
fn overflow_is_counted_and_reported_in_a_stream() {
    let mut config = PLAIN_STREAM.to_vec();
    config.push(("tband_configMETADATA_BUF_SIZE", "20"));
    let stream = Firmware::new("metadata_overflow", &config).run(&[]);
    let [one, two, four] = STORED;
    let [dropped, x, dropped_more] = REPORTED;
    let core = "0 core_id core_id=0";
    assert_events(&stream, &[core, one, two, four, core, dropped, x, dropped_more]);
}

#[test]
fn overflow_is_counted_and_reported_in_a_snapshot() {
    let config =
        [SNAPSHOT, NO_TRACE_INFO, NO_PERIODIC_DROP_CNT, ("tband_configMETADATA_BUF_SIZE", "20")];
    let snapshot = Firmware::new("metadata_overflow", &config).run(&[]);
    assert_events(&snapshot, &[&STORED[..], &REPORTED[..]].concat());
}

#[test]
fn the_overflow_count_saturates() {
    let mut config = PLAIN_STREAM.to_vec();
    config.push(("tband_configMETADATA_BUF_SIZE", "1"));
    let stream = Firmware::new("metadata_overflow", &config).run(&[]);
    assert_events(&stream, &["0 core_id core_id=0", "- metadata_dropped core_id=0 cnt=65535"]);
}
