//! The streaming backend: control functions, transports that refuse data, drop counters, times.

use std::io;
use std::ops::ControlFlow;

use tband_conv::convert::events::convert_events;
use tband_conv::model::{EventSink, TimedEvent};
use tband_conv::{Input, Options};
use tband_format::Event;
use tband_format::declaration::DECLARATIONS;
use tband_tests::c::Firmware;
use tband_tests::events::{STREAMED, assert_events, lines, trace_info};

use crate::{
    EXTERNAL, NO_METADATA_BUF, NO_PERIODIC_DROP_CNT, NO_TRACE_INFO, PLAIN_STREAM, STREAMING, number,
};

/// Returns the events without the recording's information about itself.
fn without_info(stream: &[u8]) -> Vec<String> {
    let mut list = lines(stream);
    list.retain(|line| !line.contains("ts_resolution_ns") && !line.contains("trace_info"));
    list
}

#[test]
fn control_functions_return_what_they_promise() {
    let stream = Firmware::new("control_streaming", PLAIN_STREAM).run(&[]);
    assert_events(
        &stream,
        &[
            "0 core_id core_id=0",
            "0 isr_enter isr_id=2",
            // A restart reports nothing.
            "0 isr_enter isr_id=4",
            "0 core_id core_id=0",
            "0 isr_enter isr_id=5",
        ],
    );
}

#[test]
fn every_function_records_its_event() {
    let stream = Firmware::new("every_call", &[STREAMING, NO_PERIODIC_DROP_CNT]).run(&[]);
    assert_events(
        &stream,
        &[
            "0 core_id core_id=0",
            "- ts_resolution_ns ns_per_ts=10",
            &trace_info(1, STREAMED),
            // From tband_gather_system_metadata.
            "- ts_resolution_ns ns_per_ts=10",
            "- isr_name isr_id=0 name=\"isr\"",
            "2 isr_enter isr_id=0",
            "3 isr_exit isr_id=4294967295",
            "- evtmarker_name evtmarker_id=127 name=\"marker\"",
            "5 evtmarker evtmarker_id=128 msg=\"at\"",
            "6 evtmarker_begin evtmarker_id=16383 msg=\"from\"",
            "7 evtmarker_end evtmarker_id=16384",
            "- valmarker_name valmarker_id=1 name=\"value\"",
            "9 valmarker valmarker_id=1 val=-9223372036854775808",
            "10 valmarker valmarker_id=1 val=9223372036854775807",
            "11 valmarker valmarker_id=1 val=0",
            "12 valmarker valmarker_id=1 val=-1",
            "18446744073709551615 isr_enter isr_id=1",
        ],
    );
}

#[test]
fn disabled_classes_record_no_events() {
    let off = ["tband_configMARKER_TRACE_ENABLE", "tband_configISR_TRACE_ENABLE"];
    for (class, others) in off.into_iter().zip(["isr", "marker"]) {
        let stream = Firmware::new(
            "every_call",
            &[STREAMING, NO_PERIODIC_DROP_CNT, NO_TRACE_INFO, (class, "0")],
        )
        .run(&[]);
        let names: Vec<_> = lines(&stream)
            .into_iter()
            .filter_map(|line| line.split(' ').nth(1).map(str::to_owned))
            .filter(|name| name != "core_id" && name != "ts_resolution_ns")
            .collect();
        assert!(!names.is_empty() && names.iter().all(|name| name.contains(others)), "{names:?}");
    }
}

/// Whatever the port refuses of a start, the loop that waits for 0 ends, and the recording is whole.
#[test]
fn a_start_that_the_port_refuses_returns_minus_2_until_it_is_whole() {
    let firmware = Firmware::new("start_refused", &[STREAMING, NO_PERIODIC_DROP_CNT]);
    let names = ["- isr_name isr_id=1 name=\"one\"", "- isr_name isr_id=2 name=\"two\""];
    let info = ["- ts_resolution_ns ns_per_ts=10", &trace_info(1, STREAMED)];
    let core = "0 core_id core_id=0";
    for refused in ["0", "1", "2", "3", "5", "17"] {
        let expected = [core, names[0], names[1], core, info[0], info[1], "9 isr_enter isr_id=1"];
        assert_events(&firmware.run(&["start", refused]), &expected);
    }
    let goes_on = [core, names[0], names[1], core, "9 isr_enter isr_id=1"];
    assert_events(&firmware.run(&["restart", "0"]), &goes_on);
    assert_events(
        &firmware.run(&["restart", "1"]),
        &["9 dropped_evt_cnt cnt=1", "9 isr_enter isr_id=1"],
    );
    let plain = Firmware::new("start_refused", PLAIN_STREAM);
    for refused in ["0", "1", "2", "3", "5", "17"] {
        let expected = [core, names[0], names[1], core, "9 isr_enter isr_id=1"];
        assert_events(&plain.run(&["start", refused]), &expected);
    }
    assert_eq!(plain.run(&["restart", "0"]), [0x04, 0x04, 0x09, 0x01, 0x00]);
}

/// How often `one_refused.c` started its stream, and whether the port refused something.
fn refusing_one(firmware: &Firmware, number: u32) -> (u32, bool) {
    let mut command = std::process::Command::new(firmware.path());
    let output = tband_programs::output(command.arg(number.to_string())).expect("it runs");
    let printed = String::from_utf8(output.stderr).expect("text");
    assert!(output.status.success(), "{number}: {printed}");
    let mut printed = printed.split_whitespace().map(|word| word.parse::<u32>().expect("a number"));
    let (starts, refused) = (printed.next().expect("starts"), printed.next().expect("refused"));

    let mut times = Times(Vec::new());
    let inputs = [Input::from_bytes("stream", &output.stdout)];
    convert_events(&inputs, &Options::default(), &mut times).expect("it can be read");
    let times = times.0;
    assert!(times.len() >= 150, "{number}: {} events", times.len());
    for pair in times.windows(2) {
        let ns = 1000 * i64::from(pair[1].0 - pair[0].0);
        assert_eq!(pair[1].1 - pair[0].1, ns, "piece {number} is refused: {pair:?}");
    }
    (starts, refused != 0)
}

/// The interrupts of a stream, with their times in ns.
struct Times(Vec<(u32, i64)>);

impl EventSink for Times {
    fn event(&mut self, event: &TimedEvent<'_>) -> io::Result<ControlFlow<()>> {
        if let Event::IsrEnter { isr_id } = event.decoded.event {
            self.0.push((isr_id, event.at.ns));
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// The port refuses any single piece of a stream, in both formats: a start reports it, or the times are right. One of the
/// pieces is the frequency, without which a port that only knows whole nanoseconds would be wrong by a fifth.
#[test]
fn no_single_piece_that_the_port_refuses_makes_times_wrong() {
    let hz = ("tband_portTIMESTAMP_FREQUENCY_HZ", "fake_hz");
    let build = ("tband_configBUILD_ID", "\"build\"");
    let often = ("tband_configTRACE_DROP_CNT_EVERY", "3");
    let cores = ("tband_portNUMBER_OF_CORES", "2");
    // What goes before the events: names and each core_id, resolution, information, build and frequency.
    for (config, preceding) in [
        (&[STREAMING, hz, NO_PERIODIC_DROP_CNT][..], 6),
        (&[STREAMING, hz, build, often], 7),
        (&[STREAMING, hz, build, often, cores], 7),
        (&[STREAMING, hz, NO_METADATA_BUF], 4),
    ] {
        let preceding = preceding + DECLARATIONS.len() as u32;
        let firmware = Firmware::new("one_refused", config);
        assert_eq!(refusing_one(&firmware, 0), (1, false));
        for number in 1..=preceding {
            assert_eq!(refusing_one(&firmware, number), (2, true), "{config:?}, {number}");
        }
        for number in preceding + 1..preceding + 12 {
            assert_eq!(refusing_one(&firmware, number), (1, true), "{config:?}, {number}");
        }
    }
    let packets = ("tband_configFORMAT", "TBAND_FORMAT_PACKETS");
    let small = ("tband_configPACKET_SIZE", "128");
    for every in ["0", "3", "256"] {
        let every = ("tband_configPACKET_METADATA_EVERY", every);
        let firmware = Firmware::new("one_refused", &[STREAMING, hz, packets, small, every]);
        assert_eq!(refusing_one(&firmware, 0), (1, false));
        for number in 1..=8 {
            assert_eq!(refusing_one(&firmware, number), (1, true), "{every:?}, {number}");
        }
    }
}

/// Checks the bytes after each event and drop counter of a stream from `refusing.c`.
fn check_refusing(stream: &[u8], every: usize) {
    let mut received = 0;
    let mut reported = 0;
    let mut events_since_drop_cnt = None;
    for line in lines(stream) {
        match line.split(' ').nth(1) {
            Some("core_id" | "ts_resolution_ns" | "trace_info") => {}
            Some("dropped_evt_cnt") => {
                let count = number(&line, "cnt");
                assert!(count >= reported, "{line} after {reported}");
                // Off, it is sent only for news.
                assert!(every != 0 || count > reported, "{line} is no news");
                reported = count;
                events_since_drop_cnt = Some(0);
            }
            name => {
                let name = name.unwrap_or_default();
                let id = if name.starts_with("isr") { "isr_id" } else { "evtmarker_id" };
                let lost = number(&line, id) - received;
                // Names may come before the drop counter, which goes before the next event in time.
                let is_name = name.ends_with("_name");
                assert!(
                    reported == lost || is_name && reported < lost,
                    "events lost before {line}"
                );
                received += 1;
                if every != 0 && !is_name {
                    let events = events_since_drop_cnt.as_mut().expect("a first drop counter");
                    *events += 1;
                    assert!(*events <= every, "{events} events without a drop counter at {line}");
                }
            }
        }
    }
    assert_eq!(received + reported, 1000, "each event is either received or counted as dropped");
    assert!(received > 200 && reported > 200, "{received} received, {reported} dropped");
}

#[test]
fn received_and_dropped_are_what_was_produced() {
    for (text, every) in [("0", 0), ("1", 1), ("50", 50)] {
        let stream = Firmware::new(
            "refusing",
            &[STREAMING, NO_METADATA_BUF, ("tband_configTRACE_DROP_CNT_EVERY", text)],
        )
        .run(&[]);
        check_refusing(&stream, every);
    }
}

#[test]
fn drop_counters_come_before_the_first_and_after_every_so_many_events() {
    for (every, before) in
        [("0", &[][..]), ("3", &[0, 3, 6, 9, 10]), ("10", &[0, 10]), ("50", &[0, 10])]
    {
        let stream =
            Firmware::new("periodic", &[STREAMING, ("tband_configTRACE_DROP_CNT_EVERY", every)])
                .run(&[]);
        let mut expected = vec!["0 core_id core_id=0".to_owned()];
        for event in 0..13 {
            if event == 10 {
                expected.push("1 core_id core_id=0".to_owned());
            }
            if before.contains(&event) {
                expected.push("1 dropped_evt_cnt cnt=0".to_owned());
            }
            expected.push(format!("1 isr_enter isr_id={event}"));
        }
        assert_eq!(without_info(&stream), expected, "every {every}");
    }
}

#[test]
fn a_build_id_is_cut_like_any_string_and_sent_once_per_start() {
    for (id, sent) in
        [("\"v1.2.3\"", "v1.2.3"), ("\"v1.2.3-with-all-its-details\"", "v1.2.3-with-all-its-")]
    {
        let config = [STREAMING, NO_PERIODIC_DROP_CNT, ("tband_configBUILD_ID", id)];
        let found = lines(&Firmware::new("periodic", &config).run(&[]));
        assert_eq!(found[2..4], [trace_info(1, STREAMED), format!("- build_id id=\"{sent}\""),]);
        let count = found.iter().filter(|line| line.contains("build_id")).count();
        assert_eq!(count, 1, "the restart needs none: {found:?}");
    }
}

#[test]
fn timestamps_never_step_back_over_restarts() {
    let stream = Firmware::new("restart_time", &[STREAMING, NO_PERIODIC_DROP_CNT]).run(&[]);
    let mut expected = Vec::new();
    let mut now = 5000;
    for round in 0..3 {
        // The first start has timestamp 0, all others the time that the start read.
        let started = if round == 0 { 0 } else { now };
        expected.extend([
            format!("{started} core_id core_id=0"),
            "- isr_name isr_id=1 name=\"one\"".to_owned(),
            format!("{started} core_id core_id=0"),
            format!("{} isr_enter isr_id=1", now + 1),
            format!("{} core_id core_id=0", now + 2),
            "- isr_name isr_id=1 name=\"one\"".to_owned(),
            format!("{} core_id core_id=0", now + 2),
            format!("{} isr_exit isr_id=1", now + 3),
        ]);
        now += 4;
    }
    assert_eq!(without_info(&stream), expected);
}

#[test]
fn functions_name_their_markers_once() {
    let stream = Firmware::new("fn_markers", PLAIN_STREAM).run(&[]);
    let instant = "0 evtmarker evtmarker_id=1 msg=\"\"";
    assert_events(
        &stream,
        &[
            "0 core_id core_id=0",
            "- evtmarker_name evtmarker_id=1 name=\"instant\"",
            instant,
            instant,
            instant,
            "- evtmarker_name evtmarker_id=2 name=\"span\"",
            "0 evtmarker_begin evtmarker_id=2 msg=\"\"",
            "0 evtmarker_end evtmarker_id=2",
            "0 evtmarker_begin evtmarker_id=3 msg=\"\"",
            "0 evtmarker_end evtmarker_id=3",
            "- evtmarker_name evtmarker_id=9 name=\"instant_and_end\"",
            "0 evtmarker evtmarker_id=9 msg=\"\"",
            "0 evtmarker_end evtmarker_id=9",
        ],
    );
}

/// The program checks the result.
#[test]
fn a_ring_takes_whole_pieces_or_none_and_keeps_their_order() {
    assert!(Firmware::new("ring", PLAIN_STREAM).run(&[]).is_empty());
}

/// The function that takes the frames calls traced functions, on one core and on several: no recursion, no lock taken twice,
/// and only these events are lost or changed.
#[test]
fn events_during_a_frame_hand_over_are_counted() {
    let added =
        ["core_id core_id", "dropped_evt_cnt", "metadata_dropped", "queue_name", "queue_kind"];
    let own = |line: &&String| !added.iter().any(|name| line.contains(name));
    for backend in [STREAMING, EXTERNAL] {
        for cores in ["1", "2"] {
            let cores = ("tband_portNUMBER_OF_CORES", cores);
            let size = ("tband_configMETADATA_BUF_SIZE", "600");
            let config = [backend, NO_TRACE_INFO, NO_PERIODIC_DROP_CNT, cores, size];
            let found = lines(&Firmware::new("traced_send", &config).run(&[]));
            let recorded: Vec<_> = found.iter().filter(own).map(String::as_str).collect();
            let expected = [
                "1 isr_enter isr_id=0",
                "2 isr_enter isr_id=1",
                "3 isr_enter isr_id=2",
                "- isr_name isr_id=3 name=\"three\"",
                "5 isr_enter isr_id=4",
                "6 isr_enter isr_id=5",
            ];
            assert_eq!(recorded, expected, "{backend:?} {cores:?}");
            // Refused events are reported before the next event of the core.
            let reported = found.iter().filter(|line| line.contains("dropped_evt_cnt")).count();
            assert!(reported >= 3, "{found:?}");
        }
    }
}
