//! What describes the events of filters, shedding and triggers to readers that do not know them: it is there before the first of them, and
//! whole or not at all.

use std::collections::BTreeSet;

use tband_format::registry::EVENTS;
use tband_format::trigger::EVENT;
use tband_tests::c::Firmware;
use tband_tests::lacking::{bad_descriptions, shown};

use super::super::packets::{PACKETS, TAKEN};
use super::super::rtt::RTT;
use super::super::{NO_METADATA_BUF, NO_PERIODIC_DROP_CNT, STREAMING, number};
use super::{FILTERS, LARGE, OBJECT, run};

const TRIGGERS: (&str, &str) = ("tband_configUSE_TRIGGERS", "1");
const SHEDDING: (&str, &str) = ("tband_configUSE_SHEDDING", "1");
/// Of any tick.
const ANY: u32 = u32::MAX;

/// What the recording describes, by name.
fn described(lines: &[String]) -> BTreeSet<&'static str> {
    let output = lines.iter().filter(|line| line.contains(" event_schema "));
    let ids = output.map(|line| number(line, "event_id"));
    let def = |id| EVENTS.iter().find(|def| u64::from(def.id) == id).expect("an event");
    ids.map(|id| def(id).name).collect()
}

/// Strings may be shorter than a description is.
#[test]
fn a_description_is_whole_or_not_there() {
    let frames = [STREAMING, NO_PERIODIC_DROP_CNT, LARGE, FILTERS, TRIGGERS];
    let packets = [STREAMING, PACKETS, TAKEN, LARGE, FILTERS, TRIGGERS, SHEDDING];
    for (config, all) in [
        (&frames[..], &["filter", "trigger", "frozen"][..]),
        (&packets, &["filter", "trigger", "frozen", "shed"]),
    ] {
        for len in ["1", "6", "11", "12", "13", "19", "20"] {
            let config = [config, &[("tband_configMAX_STR_LEN", len)]].concat();
            let script = format!(
                "filter {} 2 0\nstart\narm {EVENT} {ANY} 201 1 1\nnow 10\nu32 201 1\nnow 20\nu32 201 2\nstop\n",
                OBJECT + 1
            );
            let (recording, lines) = run(&Firmware::new("replay", &config), &script);
            assert_eq!(bad_descriptions(&recording), [""; 0], "{len}");
            // `frozen n:u32`; the others have 20 bytes.
            let expected = match len {
                "20" => all,
                "12" | "13" | "19" => &["frozen"],
                _ => &[],
            };
            assert_eq!(described(&lines), expected.iter().copied().collect(), "{len}");
        }
    }
}

/// Strings may be as long as numbers in the recorder's own structures can say.
#[test]
fn metadata_is_described_however_long_strings_may_be() {
    for len in ["1", "254", "255", "65015", "65040", "65535"] {
        let config = [STREAMING, NO_PERIODIC_DROP_CNT, LARGE, ("tband_configMAX_STR_LEN", len)];
        let script = "constant 5 61\nstart\nstop\n";
        let (recording, lines) = run(&Firmware::new("replay", &config), script);
        assert_eq!(bad_descriptions(&recording), [""; 0], "{len}");
        assert_eq!(described(&lines), BTreeSet::from(["constant"]), "{len}");
    }
}

/// A choice that is made once a recording is announced, and before it has a reader.
#[test]
fn a_filter_set_before_a_reader_connects_is_described() {
    let config = [STREAMING, PACKETS, RTT, LARGE, FILTERS, TRIGGERS];
    let waits = ("tband_configSTART_ON_READER", "1");
    let firmware = Firmware::new("replay", &[&config[..], &[waits]].concat());
    let script = format!(
        "start\nfilter {} 2 0\narm {EVENT} {ANY} 201 1 0\ntake 100\ntick\nnow 20\nu32 201 1\nstop\n",
        OBJECT + 1
    );
    let (recording, _) = run(&firmware, &script);
    assert_eq!(shown(&recording), BTreeSet::from(["filter", "trigger", "frozen"]));
}

/// Without a metadata buffer.
#[test]
fn unstored_filters_are_described_in_the_recording() {
    for config in [&[FILTERS][..], &[FILTERS, SHEDDING]] {
        let config = [&[STREAMING, PACKETS, TAKEN, NO_METADATA_BUF], config].concat();
        let script = format!("filter {} 2 0\nstart\nnow 20\nu32 201 1\nstop\n", OBJECT + 1);
        let (recording, _) = run(&Firmware::new("replay", &config), &script);
        assert_eq!(shown(&recording), BTreeSet::from(["filter"]));
    }
}

/// Changes that are refused leave no byte, and a description comes once in a recording, however often a filter or a trigger is set.
#[test]
fn descriptions_come_once_and_not_for_what_is_refused() {
    let refused = format!(
        "refused filter 0 228 0\nrefused filter 1 1 0\nrefused arm {EVENT} 1 228 1 0\nrefused arm 99 1 1 1 0\n"
    );
    let chosen = format!(
        "filter {0} 2 0\nfilter {0} 3 0\nfilter 0 86 0\narm {EVENT} {ANY} 200 1 0\narm {EVENT} {ANY} 199 1 0\n",
        OBJECT + 1
    );
    for config in [
        &[STREAMING, NO_PERIODIC_DROP_CNT, LARGE, FILTERS, TRIGGERS][..],
        &[STREAMING, NO_PERIODIC_DROP_CNT, NO_METADATA_BUF, FILTERS, TRIGGERS],
        &[STREAMING, PACKETS, TAKEN, LARGE, FILTERS, TRIGGERS],
        &[STREAMING, PACKETS, TAKEN, NO_METADATA_BUF, FILTERS, TRIGGERS],
    ] {
        let firmware = Firmware::new("replay", config);
        let plain = run(&firmware, "start\nnow 10\nu32 201 1\nstop\n").0;
        let tried = run(&firmware, &format!("start\n{refused}now 10\nu32 201 1\nstop\n")).0;
        assert_eq!(plain, tried, "{config:?}");

        let script = format!("start\n{chosen}{refused}now 10\nu32 201 1\nstop\n");
        let (_, lines) = run(&firmware, &script);
        let output = |name: &str| {
            let schema = format!("schema=\"{name} ");
            lines.iter().filter(|line| line.contains(&schema)).count()
        };
        // The metadata stream of packets has what the table has, each time that it is repeated.
        let most = if config.contains(&LARGE) && config.contains(&PACKETS) { 2 } else { 1 };
        for name in ["filter", "trigger", "frozen"] {
            assert!((1..=most).contains(&output(name)), "{config:?}: {name} in {lines:#?}");
        }
    }
}
