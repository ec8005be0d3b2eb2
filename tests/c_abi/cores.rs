//! Several cores: one shared stream, a snapshot buffer each, and how a port returns its core.

use tband_tests::c::Firmware;
use tband_tests::events::{
    SNAPSHOT_OF_32_KIB, STREAMED, assert_events, declarations, lines, trace_info,
};
use tband_tests::root;

use crate::external::submitted;
use crate::metadata::split_at_marks;
use crate::{
    Config, EXTERNAL, NO_PERIODIC_DROP_CNT, NO_TRACE_INFO, SNAPSHOT, STREAMING, TWO_CORES,
};

#[test]
fn a_shared_stream_names_the_core_whenever_it_changes() {
    let config = [STREAMING, NO_PERIODIC_DROP_CNT, TWO_CORES];
    let stream = Firmware::new("cores_stream", &config).run(&[]);
    let info = ["- ts_resolution_ns ns_per_ts=10", &trace_info(2, STREAMED)];
    let (of_0, of_1) = ("- isr_name isr_id=10 name=\"of 0\"", "- isr_name isr_id=11 name=\"of 1\"");
    let live = "- evtmarker_name evtmarker_id=4 name=\"live\"";
    assert_events(
        &stream,
        &[
            // Each core's metadata, then the core that starts.
            "0 core_id core_id=0",
            of_0,
            "0 core_id core_id=1",
            of_1,
            "0 core_id core_id=1",
            info[0],
            info[1],
            "100 isr_enter isr_id=1",
            "101 isr_enter isr_id=2",
            "102 core_id core_id=0",
            "102 isr_enter isr_id=3",
            "103 core_id core_id=1",
            live,
            // Core ids out of range.
            "104 core_id core_id=0",
            "104 isr_enter isr_id=5",
            "104 isr_enter isr_id=5",
            "105 isr_enter isr_id=6",
            // Event 7 was refused together with its core_id.
            "107 core_id core_id=1",
            "107 dropped_evt_cnt cnt=1",
            "107 isr_enter isr_id=8",
            // A restart begins with what exists then.
            "201 core_id core_id=0",
            of_0,
            "201 core_id core_id=1",
            of_1,
            live,
            "201 core_id core_id=0",
            "202 core_id core_id=1",
            // Reported again, for readers that begin here.
            "202 dropped_evt_cnt cnt=1",
            "202 isr_enter isr_id=9",
            "300 core_id core_id=0",
            of_0,
            "300 core_id core_id=1",
            of_1,
            live,
            "300 core_id core_id=0",
            info[0],
            info[1],
        ],
    );
}

/// Core 1 stops, empties and starts the recording between the look of an event of core 0 and its critical
/// section: that event begins no frame while nothing is recorded.
#[test]
fn an_event_looks_again_once_its_core_is_marked() {
    for backend in [SNAPSHOT, STREAMING] {
        let _ = Firmware::new("second_look", &[backend, TWO_CORES]).run(&[]);
    }
}

#[test]
fn snapshot_buffers_name_their_core_and_stop_together() {
    let config = [SNAPSHOT, NO_PERIODIC_DROP_CNT, TWO_CORES];
    let described = declarations().len().to_string();
    let buffers = Firmware::new("cores_snapshot", &config).run(&[&described]);
    assert_events(
        &buffers,
        &[
            "0 core_id core_id=0",
            "20 isr_enter isr_id=2",
            "0 core_id core_id=1",
            "- ts_resolution_ns ns_per_ts=10",
            &trace_info(2, SNAPSHOT_OF_32_KIB),
            "20 isr_enter isr_id=1",
        ],
    );
}

#[test]
fn the_external_backend_gets_core_ids_as_events() {
    let config = [EXTERNAL, NO_TRACE_INFO, NO_PERIODIC_DROP_CNT, TWO_CORES];
    let found = submitted(&Firmware::new("cores_external", &config).run(&[]));
    assert_eq!(
        found,
        [
            // Before metadata, too, the core_id itself is none.
            "E 1 core_id core_id=1",
            "M - isr_name isr_id=1 name=\"one\"",
            "E 2 core_id core_id=0",
            "E 2 isr_enter isr_id=2",
            "E 3 isr_enter isr_id=3",
            "E 4 core_id core_id=1",
            "E 4 isr_exit isr_id=4",
        ]
    );
}

/// Ways to write it.
pub const FORMS: [(&str, &str); 9] = [
    ("tband_portGET_CORE_ID()", "fake_core_id()"),
    ("tband_portGET_CORE_ID", "(fake_core_id())"),
    ("tband_portGET_CORE_ID", "fake_core & 1U"),
    ("tband_portGET_CORE_ID()", "(uint32_t)fake_core"),
    ("tband_portGET_CORE_ID", "fake_core_id()"),
    ("tband_portGET_CORE_ID", "fake_core"),
    ("tband_portGET_CORE_ID", "(fake_core)"),
    ("tband_portGET_CORE_ID", "(uint32_t)fake_core"),
    ("tband_portGET_CORE_ID", "(fake_core) & 1U"),
];

/// The same where there is but one.
pub const CONSTANTS: [(&str, &str); 5] = [
    ("tband_portGET_CORE_ID()", "0"),
    ("tband_portGET_CORE_ID", "(0)"),
    ("tband_portGET_CORE_ID()", "(0)"),
    ("tband_portGET_CORE_ID", "0"),
    ("tband_portGET_CORE_ID", "0U"),
];

/// As a call, in parentheses, and as an expression; module `release` has more ways.
#[test]
fn the_core_id_may_be_written_in_any_way() {
    the_core_id_is_known(&FORMS[..3], &CONSTANTS[..2]);
}

pub fn the_core_id_is_known(forms: &'static Config, constants: &'static Config) {
    let on_core_0 = ["0 core_id core_id=0", "0 isr_enter isr_id=0"];
    for &form in forms {
        let config = [STREAMING, NO_TRACE_INFO, NO_PERIODIC_DROP_CNT, TWO_CORES, form];
        let stream = Firmware::new("core_id_form", &config).run(&[]);
        let on_core_1 = ["0 core_id core_id=1", "0 isr_enter isr_id=1"];
        assert_events(&stream, &[&on_core_0[..], &on_core_1[..]].concat());
    }
    // Constants: all events are of core 0. With two cores, each may have a separate program.
    for cores in ["1", "2"] {
        for &form in constants {
            let cores = ("tband_portNUMBER_OF_CORES", cores);
            let config = [STREAMING, NO_TRACE_INFO, NO_PERIODIC_DROP_CNT, cores, form];
            let stream = Firmware::new("core_id_form", &config).run(&[]);
            assert_events(&stream, &[&on_core_0[..], &["0 isr_enter isr_id=1"]].concat());
        }
    }
}

/// Whatever another core does between the steps of one that names something: it names the same, and there is one name; it
/// deletes it; it names something else each time; or it starts a recording, which has the name in any case.
#[test]
fn other_cores_may_act_while_one_core_stores_a_name() {
    for backend in [SNAPSHOT, STREAMING] {
        let config = [
            backend,
            NO_PERIODIC_DROP_CNT,
            TWO_CORES,
            ("FAKE_LOCK", "1"),
            ("tband_configMETADATA_BUF_SIZE", "1000"),
            ("tband_configBACKEND_SNAPSHOT_BUF_SIZE", "4000"),
        ];
        let output = Firmware::new("names_of_cores", &config).run(&[]);
        let recordings: Vec<_> = split_at_marks(&output).filter(|part| !part.is_empty()).collect();
        assert!(recordings.len() > 8, "{}", recordings.len());
        for recording in recordings {
            let events = lines(recording);
            let name = "- queue_name queue_id=7 name=\"of core 1\"";
            assert!(events.iter().any(|event| event == name), "{events:#?}");
        }
    }
}

/// Names of interrupts belong to the core of the task that reports them; a known name is replaced in its place.
#[test]
fn names_follow_a_task_that_is_moved() {
    let size = ("tband_configMETADATA_BUF_SIZE", "1000");
    let config = [STREAMING, NO_PERIODIC_DROP_CNT, TWO_CORES, size];
    let _ = Firmware::new("moving_names", &config).run(&[]);
}

fn threads(config: &[(&str, &str)]) -> Firmware {
    let c = root().join("tests/c/cores");
    Firmware::with_port(&[&c.join("threads.c")], &c.join("threads_port"), config)
}

/// Two threads as cores: one starts, stops and empties snapshots while the other records.
#[test]
fn snapshots_of_cores_that_run_at_once_stay_whole() {
    let small = ("tband_configBACKEND_SNAPSHOT_BUF_SIZE", "1500");
    // The program checks its buffers itself.
    let _ = threads(&[SNAPSHOT, small]).run(&[]);
}

/// Two threads as cores in one stream: frames whole, each after its own core's `core_id`, in order.
#[test]
fn a_stream_of_cores_that_run_at_once_stays_whole() {
    let stream = threads(&[STREAMING, ("tband_configTRACE_DROP_CNT_EVERY", "50")]).run(&[]);
    let mut core = None;
    let mut last = [None; 2];
    let mut events = [0; 2];
    for line in lines(&stream) {
        let (ts, rest) = line.split_once(' ').expect("timestamp and event");
        if let Some(id) = rest.strip_prefix("core_id core_id=") {
            core = id.parse::<usize>().ok();
        } else if let Some(id) = rest.strip_prefix("isr_enter isr_id=") {
            let (ts, id): (u64, usize) = (ts.parse().expect("ticks"), id.parse().expect("an id"));
            let core = core.expect("a core_id before every event");
            assert_eq!(id % 2, core, "{line} comes after core_id {core}");
            assert!(last[core] < Some((ts, id)), "{line} after {:?}", last[core]);
            last[core] = Some((ts, id));
            events[core] += 1;
        }
    }
    assert!(events[0] > 0 && events[1] > 0, "{events:?}");
}
