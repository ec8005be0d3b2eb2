//! The target's reports about its timer, and that it starts the timer.

use tband_tests::c::Firmware;
use tband_tests::events::{
    GIVEN_OUT, SNAPSHOT_OF_32_KIB, STREAMED, assert_events, lines, trace_info,
};

use crate::{Config, EXTERNAL, NO_PERIODIC_DROP_CNT, NO_TRACE_INFO, SNAPSHOT, STREAMING};

const RUN_TIME: (&str, &str) = ("tband_portTIMESTAMP_FREQUENCY_HZ", "fake_hz");

fn recorded(config: &Config) -> Vec<u8> {
    let all = [&[NO_PERIODIC_DROP_CNT][..], config].concat();
    Firmware::new("frequency", &all).run(&[])
}

/// Each start reports it, and each change; the old event has it rounded.
#[test]
fn a_changed_run_time_clock_is_recorded() {
    assert_events(
        &recorded(&[STREAMING, RUN_TIME]),
        &[
            "0 core_id core_id=0",
            "- ts_resolution_ns ns_per_ts=16",
            &trace_info(1, STREAMED),
            "1000 ts_frequency numerator=64000000 denominator=1",
            "1000 isr_enter isr_id=1",
            "2000 ts_frequency numerator=180000000 denominator=1",
            "2000 isr_exit isr_id=1",
            "3000 core_id core_id=0",
            "3000 ts_frequency numerator=2400000000 denominator=1",
            "3000 isr_enter isr_id=2",
        ],
    );
    assert_events(
        &recorded(&[SNAPSHOT, RUN_TIME]),
        &[
            "- ts_resolution_ns ns_per_ts=16",
            &trace_info(1, SNAPSHOT_OF_32_KIB),
            "1000 ts_frequency numerator=64000000 denominator=1",
            "1000 isr_enter isr_id=1",
            "2000 ts_frequency numerator=180000000 denominator=1",
            "2000 isr_exit isr_id=1",
            "3000 ts_frequency numerator=2400000000 denominator=1",
            "3000 isr_enter isr_id=2",
        ],
    );
    assert_events(
        &recorded(&[EXTERNAL, RUN_TIME]),
        &[
            "- ts_resolution_ns ns_per_ts=16",
            &trace_info(1, GIVEN_OUT),
            "1000 ts_frequency numerator=64000000 denominator=1",
            "1000 isr_enter isr_id=1",
            "2000 ts_frequency numerator=180000000 denominator=1",
            "2000 isr_exit isr_id=1",
            "- ts_resolution_ns ns_per_ts=1",
            &trace_info(1, GIVEN_OUT),
            "3000 ts_frequency numerator=2400000000 denominator=1",
            "3000 isr_enter isr_id=2",
        ],
    );
}

#[test]
fn constant_frequencies_are_exact() {
    for (hz, divisor, rounded) in [
        ("64000000", "1", 16),
        ("400000000UL", "1", 3),
        ("600000000", "1", 2),
        ("(800U * 1000U * 1000U)", "1", 1),
        ("4294967295", "1", 1),
        ("32768", "1", 30518),
        ("1", "1", 1_000_000_000),
        ("1", "3", 3_000_000_000_u32),
        ("3579545", "3", 838),
    ] {
        let mut config = vec![SNAPSHOT, ("tband_portTIMESTAMP_FREQUENCY_HZ", hz)];
        if divisor != "1" {
            config.push(("tband_portTIMESTAMP_FREQUENCY_DIVISOR", divisor));
        }
        let lines = lines(&recorded(&config));
        let number = if hz.starts_with('(') { "800000000" } else { hz.trim_end_matches("UL") };
        assert_eq!(lines[0], format!("- ts_resolution_ns ns_per_ts={rounded}"));
        let reported = format!("1000 ts_frequency numerator={number} denominator={divisor}");
        assert_eq!(lines[2], reported, "{hz}");
    }
}

/// A port of Tonbandgeraet only knows whole nanoseconds, and its recordings contain no more; one that defines both gets the
/// values that it defines.
#[test]
fn a_resolution_alone_is_recorded() {
    let lines_of = |config: &Config| lines(&recorded(config));
    let old = lines_of(&[SNAPSHOT]);
    assert_eq!(
        old[..3],
        [
            "- ts_resolution_ns ns_per_ts=10",
            &trace_info(1, SNAPSHOT_OF_32_KIB),
            "1000 isr_enter isr_id=1"
        ]
    );
    // A caller of the new function gets the known value.
    assert_eq!(old[3], "2000 ts_frequency numerator=1000000000 denominator=10");
    let both = lines_of(&[SNAPSHOT, RUN_TIME, ("tband_portTIMESTAMP_RESOLUTION_NS", "15")]);
    assert_eq!(both[0], "- ts_resolution_ns ns_per_ts=15");
    assert_eq!(both[2], "1000 ts_frequency numerator=64000000 denominator=1");
}

#[test]
fn without_trace_info_a_recording_starts_as_that_of_tonbandgeraet() {
    let plain = lines(&recorded(&[STREAMING, RUN_TIME, NO_TRACE_INFO]));
    assert_eq!(plain[..2], ["0 core_id core_id=0", "1000 isr_enter isr_id=1"]);
    assert_eq!(plain.iter().filter(|line| line.contains("ts_frequency")).count(), 1);
}

/// The timer runs before the first timestamp, whatever the backend.
#[test]
fn the_recorder_starts_the_timer() {
    for backend in [STREAMING, SNAPSHOT, EXTERNAL] {
        let timer = [
            ("tband_portTIMESTAMP()", "fake_started_timestamp()"),
            ("tband_portTIMESTAMP_START()", "fake_start_timer()"),
        ];
        let with = recorded(&[&[backend, RUN_TIME][..], &timer].concat());
        let without = recorded(&[backend, RUN_TIME]);
        assert_eq!(lines(&with), lines(&without));
        // Otherwise it would report 0.
        let never = recorded(&[backend, RUN_TIME, timer[0]]);
        assert!(lines(&never).iter().all(|line| line.starts_with(['0', '-'])));
    }
}
