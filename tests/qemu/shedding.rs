//! Shedding on the real kernel, `tests/qemu/shedding`: a program that records more than its line can take, in bursts, while an
//! interrupt comes at any instruction. Its own counts equal the recorded plus the shed events, class by class, and the classes
//! that are never shed are complete.

use std::collections::BTreeMap;
use std::fs;

use tband_conv::{Input, Options};
use tband_format::classes::CLASSES;
use tband_format::registry::EVENTS;
use tband_recordings::timeline_of;
use tband_tests::events::lines;
use tband_tests::packets::{as_frames, packets};
use tband_tests::{read, temp_dir};
use xtask::board::{Board, run_firmware};
use xtask::kernel;

use crate::{archive, build_firmware, build_folder, root};

/// In the order in which they are shed.
const SHED: [&str; 3] = ["HEAP", "NOTIFICATION", "QUEUE"];
const NEVER_SHED: [&str; 3] = ["MARKER", "ISR", "QUEUE_EXTRA"];

/// Runs it. Returns the received bytes, and the program's counts.
fn run(over_rtt: bool) -> (Vec<u8>, BTreeMap<String, u64>) {
    let board = Board::Mps2An386;
    let kernel = kernel::path(root()).unwrap_or_else(|error| panic!("{error:#}"));
    let settings = [
        format!("FREERTOS_KERNEL_PATH={}", kernel.display()),
        format!("TBAND_LIBRARY={}", archive(board).display()),
        format!("OVER_RTT={}", u8::from(over_rtt)),
    ];
    let folder = build_folder(if over_rtt { "shedding-rtt" } else { "shedding" });
    let program = root().join("tests/qemu/shedding");
    build_firmware(&program, &folder, &board.toolchain(root()), &settings)
        .unwrap_or_else(|error| panic!("{error:#}"));
    let out = temp_dir();
    run_firmware(board.emulator(), &folder.join("shedding.elf"), out.path(), None)
        .unwrap_or_else(|error| panic!("{error:#}"));
    let produced = read(out.path().join("produced.txt"));
    let produced = produced.lines().map(|line| {
        let (name, count) = line.split_once(' ').expect("a count");
        (name.to_owned(), count.parse().expect("a number"))
    });
    (fs::read(out.path().join("trace.bin")).expect("a recording"), produced.collect())
}

/// As the target counts interrupts: of ids of several classes the last one.
fn class_of(name: &str) -> Option<&'static str> {
    let id = EVENTS.iter().find(|def| def.name == name)?.id;
    CLASSES.iter().rfind(|class| class.events.contains(&id)).map(|class| class.name)
}

/// The values of a marker.
fn values(events: &[String], marker: u32) -> Vec<u64> {
    let end = format!(" valmarker valmarker_id={marker} val=");
    let of = events.iter().filter_map(|line| line.split_once(&end));
    of.map(|(_, value)| value.parse().expect("a number")).collect()
}

fn what_was_recorded_and_shed_is_what_was_produced(over_rtt: bool) {
    let (recording, produced) = run(over_rtt);
    let discarded = packets(&recording).iter().map(|it| it.header().discarded).max();
    assert_eq!(discarded, Some(0), "{} bytes", recording.len());

    let events = lines(&as_frames(&recording));
    let (mut recorded, mut by_name) = (BTreeMap::new(), BTreeMap::new());
    for line in &events {
        let name = line.split(' ').nth(1).expect("a name");
        *by_name.entry(name).or_insert(0_u64) += 1;
        if let Some(class) = class_of(name) {
            *recorded.entry(class).or_insert(0_u64) += 1;
        }
    }
    let input = [Input::from_bytes("r", &recording)];
    let (_, summary) = timeline_of(&input, &Options::default());
    let shed: BTreeMap<_, _> =
        summary.shed.iter().map(|it| (it.name().into_owned(), (it.events, it.times))).collect();
    println!("produced {produced:?}, recorded {recorded:?}, shed {shed:?}");
    for class in SHED {
        let (events, times) = shed[class];
        assert_eq!(recorded[class] + events, produced[class], "{class}");
        assert!(recorded[class] > 0 && events > 0 && times > 2, "{class}");
    }
    // Of what goes first the least part is there.
    let part = |class: &str| recorded[class] as f64 / produced[class] as f64;
    assert!(part(SHED[0]) < part(SHED[1]) && part(SHED[1]) < part(SHED[2]));

    for class in NEVER_SHED {
        assert_eq!((recorded[class], shed.get(class)), (produced[class], None), "{class}");
    }
    for marker in [1, 2] {
        let values = values(&events, marker);
        assert!(values.iter().copied().eq(0..values.len() as u64), "marker {marker}: {values:?}");
    }
    // Of the kernel's switches, those to the uninterrupted task are known.
    let helper = events.iter().find_map(|line| {
        let (_, rest) = line.split_once(" task_name task_id=")?;
        rest.strip_suffix(" name=\"helper\"")
    });
    let to_helper = format!(" task_switched_in task_id={}", helper.expect("a name"));
    let turns = events.iter().filter(|line| line.ends_with(&to_helper)).count() as u64;
    assert_eq!((turns, by_name["curtask_delay"]), (produced["turns"], produced["delays"]));
    assert_eq!(summary.diagnostics.iter().count(), 0, "{:?}", summary.diagnostics);
}

#[test]
fn a_slow_reader_gets_what_is_not_counted_as_shed() {
    what_was_recorded_and_shed_is_what_was_produced(false);
}

#[test]
fn a_slow_probe_gets_what_is_not_counted_as_shed() {
    what_was_recorded_and_shed_is_what_was_produced(true);
}
