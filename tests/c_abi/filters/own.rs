//! The count of lost events covers only the program's events: the recorder's own (descriptions, filters, fired triggers, names)
//! do not count where they find no room.

use std::fmt::Write as _;

use tband_format::packet::METADATA_STREAM;
use tband_format::trigger::EVENT;
use tband_tests::c::Firmware;
use tband_tests::packets::packets;

use super::super::packets::{PACKETS, TAKEN};
use super::super::rtt::RTT;
use super::super::{NO_METADATA_BUF, NO_PERIODIC_DROP_CNT, STREAMING, TWO_CORES, number};
use super::{FILTERS, LARGE, OBJECT, run};

const TRIGGERS: (&str, &str) = ("tband_configUSE_TRIGGERS", "1");
const TWO: (&str, &str) = ("tband_configPACKET_COUNT", "2");
const ANY: u32 = u32::MAX;
const NAME: &str = " isr_enter ";

/// Events of the program: `count` of them, from a time on.
fn events(script: &mut String, now: &mut u32, count: u32) {
    for _ in 0..count {
        *now += 10;
        let _ = writeln!(script, "now {now}\nu32 {} 1", isr_enter());
    }
}

fn isr_enter() -> u8 {
    id(NAME.trim())
}

fn id(name: &str) -> u8 {
    let def = tband_format::registry::EVENTS.iter().find(|def| def.name == name);
    def.expect("an event").id
}

/// While nothing has room: everything that the recorder writes automatically, and events of the program between.
fn own(script: &mut String, now: &mut u32) {
    for n in 2..8 {
        let _ = writeln!(script, "filter {} {n} 0", OBJECT + 1);
        events(script, now, 1);
        let _ = writeln!(script, "arm {EVENT} {ANY} {} 1 200", isr_enter());
        events(script, now, 2);
    }
}

/// The same in packets: also metadata, which is repeated.
#[test]
fn in_packets_only_events_of_the_program_count_as_lost() {
    for more in
        [&[LARGE][..], &[NO_METADATA_BUF], &[LARGE, TWO_CORES], &[NO_METADATA_BUF, TWO_CORES]]
    {
        let base = [STREAMING, PACKETS, TAKEN, TWO, FILTERS, TRIGGERS];
        let (mut script, mut now) = ("start\n".to_owned(), 0);
        events(&mut script, &mut now, 600);
        own(&mut script, &mut now);
        // Without the metadata buffer these are missing for good.
        for n in (0..5).filter(|_| more.contains(&LARGE)) {
            let _ = writeln!(script, "meta {} 2 {n} 1 -", id("queue_kind"));
            events(&mut script, &mut now, 1);
        }
        script += "take 100\n";
        events(&mut script, &mut now, 3);
        script += "stop\n";
        let config = [&base[..], more].concat();
        let (recording, lines) = run(&Firmware::new("replay", &config), &script);

        let all = script.matches("u32 ").count();
        let received = lines.iter().filter(|line| line.contains(NAME)).count();
        let of_core = packets(&recording);
        let of_core = of_core.iter().filter(|it| it.header().stream != METADATA_STREAM);
        let lost = of_core.map(|it| it.header().discarded).max().expect("packets") as usize;
        assert!(lost > 50, "{more:?}");
        assert_eq!(received + lost, all, "{more:?}: {lines:#?}");
    }
}

/// A probe that is away.
#[test]
fn by_rtt_only_events_of_the_program_count_as_lost() {
    let config =
        [STREAMING, PACKETS, RTT, ("tband_configPACKET_COUNT", "4"), LARGE, FILTERS, TRIGGERS];
    let (mut script, mut now) = ("start\n".to_owned(), 0);
    events(&mut script, &mut now, 600);
    own(&mut script, &mut now);
    script += "take 100\ntick\n";
    events(&mut script, &mut now, 3);
    script += "stop\n";
    let (recording, lines) = run(&Firmware::new("replay", &config), &script);
    let received = lines.iter().filter(|line| line.contains(NAME)).count();
    let of_core = packets(&recording);
    let of_core = of_core.iter().filter(|it| it.header().stream != METADATA_STREAM);
    let lost = of_core.map(|it| it.header().discarded).max().expect("packets") as usize;
    assert!(lost > 50);
    assert_eq!(received + lost, script.matches("u32 ").count(), "{lines:#?}");
}

#[test]
fn in_frames_only_events_of_the_program_count_as_lost() {
    for more in [&[LARGE][..], &[NO_METADATA_BUF], &[LARGE, TWO_CORES]] {
        let base = [STREAMING, NO_PERIODIC_DROP_CNT, FILTERS, TRIGGERS];
        let (mut script, mut now) = ("start\n".to_owned(), 0);
        events(&mut script, &mut now, 5);
        script += "refuse 60\n";
        events(&mut script, &mut now, 5);
        own(&mut script, &mut now);
        script += "refuse 0\n";
        events(&mut script, &mut now, 3);
        script += "stop\n";
        let config = [&base[..], more].concat();
        let (_, lines) = run(&Firmware::new("replay", &config), &script);
        let received = lines.iter().filter(|line| line.contains(NAME)).count();
        let counts = lines.iter().filter(|line| line.contains(" dropped_evt_cnt "));
        let lost = counts.map(|line| number(line, "cnt")).max().expect("a count") as usize;
        assert!(lost > 10, "{more:?}");
        assert_eq!(received + lost, script.matches("u32 ").count(), "{more:?}: {lines:#?}");
    }
}
