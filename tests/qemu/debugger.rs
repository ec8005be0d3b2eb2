//! `port/tband.gdb`: what GDB saves from a halted device is what the library's functions give.

use std::fs;
use std::path::{Path, PathBuf};

use tband_tests::debugged::{self, at};
use tband_tests::events::lines;
use tband_tests::packets::{as_frames, packets};
use tband_tests::temp_dir;
use xtask::board::Board;

use crate::archive;

/// The program, with some of the compiler's options.
fn build(folder: &Path, options: &str) -> PathBuf {
    debugged::build(folder, options, &archive(Board::BareMetal))
}

/// The program's own file and the one that GDB saved, which are equal.
fn saved(options: &str, ring: &str) -> Vec<u8> {
    let folder = temp_dir();
    let elf = build(folder.path(), options);
    let output = at(&elf, folder.path(), "hold", &[&format!("tband-save saved.bin {ring}")]);
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap_or_default();
    let (own, saved) = (read("trace.bin"), read("saved.bin"));
    assert!(!own.is_empty(), "{options}: the program has recorded nothing: {output}");
    assert!(own == saved, "{options}: {} bytes and {}: {output}", own.len(), saved.len());
    assert!(output.contains("bytes of events of"), "{options}: {output}");
    saved
}

const SNAPSHOT: &str = "-DRECORDS=1 -Dtband_configUSE_BACKEND_SNAPSHOT=1";
const STREAMING: &str = "-DRECORDS=1 -Dtband_configUSE_BACKEND_STREAMING=1";
const EXTERNAL: &str = "-DRECORDS=1 -Dtband_configUSE_BACKEND_EXTERNAL=1";

#[test]
fn every_backend_with_and_without_debug_info() {
    for build in ["-O0", "-O0 -g", "-Os", "-Os -g", "-O2 -flto -g"] {
        let snapshot = lines(&saved(&format!("{build} {SNAPSHOT}"), ""));
        assert!(snapshot.iter().any(|line| line.contains("name=\"first\"")), "{snapshot:#?}");
        let last = snapshot.last().expect("events");
        assert!(last.ends_with("valmarker valmarker_id=0 val=89000"), "{last}");
        for options in [STREAMING, EXTERNAL] {
            let ring = lines(&saved(&format!("{build} {options}"), "ring"));
            assert!(ring.iter().any(|line| line.contains("name=\"first\"")), "{ring:#?}");
            let last = ring.last().expect("events");
            assert!(last.ends_with("valmarker valmarker_id=0 val=89000"), "{last}");
        }
    }
}

#[test]
fn several_cores() {
    for (options, ring) in [(SNAPSHOT, ""), (STREAMING, "ring")] {
        let lines = lines(&saved(&format!("-Os -DCORES=2 {options}"), ring));
        for text in ["name=\"first\"", "name=\"second\"", "valmarker_id=1 val=89000"] {
            assert!(lines.iter().any(|line| line.contains(text)), "no {text} in {lines:#?}");
        }
    }
}

const PACKETS: &str = "-DPACKETS=6";
const POST_MORTEM: &str = "-DRECORDS=1 -Dtband_configUSE_BACKEND_POST_MORTEM=1 \
                           -Dtband_configPACKET_BUF_ATTRIBUTE=";

/// What the program took out of its rings, and what GDB saved while it still recorded, from the first event on.
fn both(options: &str, argument: &str) -> (Vec<u8>, Vec<u8>) {
    let folder = temp_dir();
    let elf = build(folder.path(), options);
    let save = format!("tband-save saved.bin {argument}");
    let output = at(&elf, folder.path(), "recorded", &[&save, "break hold", "continue"]);
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap_or_default();
    assert!(output.contains(" packets of "), "{options}: {output}");
    (read("trace.bin"), read("saved.bin"))
}

/// Value markers of one core, in order.
fn values(lines: &[String], core: usize) -> Vec<String> {
    let of_core = format!("valmarker_id={core} val=");
    lines.iter().filter_map(|line| line.split_once(&of_core)).map(|it| it.1.to_owned()).collect()
}

/// A snapshot's memory is a recording, and GDB saves it as it is.
#[test]
fn a_snapshot_of_packets() {
    for options in ["-O0", "-Os -g", "-Os -DCORES=2"] {
        let options = format!("{options} -DPACKETS=20 {SNAPSHOT}");
        let recording = saved_packets(&options);
        let lines = lines(&as_frames(&recording));
        assert!(lines.iter().any(|line| line.contains("name=\"first\"")), "{lines:#?}");
        assert_eq!(values(&lines, 0).last().map(String::as_str), Some("89000"));
    }
}

/// As `saved`, for packets.
fn saved_packets(options: &str) -> Vec<u8> {
    let folder = temp_dir();
    let elf = build(folder.path(), options);
    let output = at(&elf, folder.path(), "hold", &["tband-save saved.bin"]);
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap_or_default();
    let (own, saved) = (read("trace.bin"), read("saved.bin"));
    assert!(!own.is_empty() && own == saved, "{} and {}: {output}", own.len(), saved.len());
    saved
}

/// The last events, the open packet's too, with the names, in a file that the converter reads.
#[test]
fn packets_that_are_written_over_or_sent() {
    for build in ["-O0 -g", "-Os", "-Os -DCORES=2", "-O2 -flto -g"] {
        let cores = 1 + usize::from(build.contains("CORES"));
        for backend in [POST_MORTEM, STREAMING] {
            let options = format!("{build} {PACKETS} {backend}");
            // The program knows its frequency, at run time at the latest; the user's value takes precedence.
            let (options, argument) = match (build, backend) {
                ("-O0 -g", _) => (options, "1000000"),
                (_, STREAMING) => (options + " -DRUN_TIME_HZ", ""),
                _ => (options, ""),
            };
            let (taken, saved) = both(&options, argument);
            let (taken, saved) = (lines(&as_frames(&taken)), lines(&as_frames(&saved)));
            for core in 0..cores {
                let (taken, saved) = (values(&taken, core), values(&saved, core));
                let len = taken.len().min(saved.len());
                let ends = |all: &[String]| all[all.len() - len..].to_vec();
                assert!(len > 20 && ends(&taken) == ends(&saved), "{taken:?}\n{saved:?}");
                let is_last = saved.last().is_some_and(|last| last == "89000");
                assert!(is_last || backend == STREAMING, "{options}: {saved:?}");
            }
            let has = |text: &str| saved.iter().any(|line| line.contains(text));
            assert!(has("name=\"first\"") && has("ts_frequency numerator=1000000"), "{saved:#?}");
            assert!(cores == 1 || has("name=\"second\""), "{saved:#?}");
        }
    }
}

/// Wherever the program is, also between two packets, the saved recording equals the recorded events up to there.
#[test]
fn at_every_step_of_a_packet_change() {
    let folder = temp_dir();
    let elf = build(folder.path(), &format!("-Os -g -DPACKETS=3 {POST_MORTEM}"));
    let mut commands = vec!["ignore 1 40".to_owned(), "continue".to_owned()];
    // More events than a packet has.
    for step in 0..130 {
        commands.push(format!("tband-save step{step}.bin"));
        commands.push("stepi 11".to_owned());
    }
    let commands: Vec<_> = commands.iter().map(String::as_str).collect();
    let output = at(&elf, folder.path(), "tband_record_u32_s64", &commands);
    let mut last = 0;
    let mut changes = 0;
    for step in 0..130 {
        let saved = fs::read(folder.path().join(format!("step{step}.bin"))).expect("a recording");
        let values: Vec<u32> = values(&lines(&as_frames(&saved)), 0)
            .iter()
            .map(|value| value.parse::<u32>().expect("a number") / 1000)
            .collect();
        let newest = *values.last().unwrap_or_else(|| panic!("nothing in step {step}: {output}"));
        assert!(values.windows(2).all(|pair| pair[0] + 1 == pair[1]), "{step}: {values:?}");
        assert!((last..=last + 1).contains(&newest) || step == 0, "{step}: {last} and {newest}");
        let of_core = packets(&saved).iter().filter(|it| it.header().stream == 0).count();
        changes += usize::from(of_core < 3);
        last = newest;
    }
    assert!(last > 50 && changes > 0 && changes < 65, "{last}, {changes}");
}

/// Wherever the program is, the saved recording has complete frames, and no finished event is missing.
#[test]
fn in_the_middle_of_a_recording() {
    let folder = temp_dir();
    let elf = build(folder.path(), &format!("-Os -g {SNAPSHOT}"));
    for (name, skip) in [("tband_lib_snapshot_close_u32_s64", 40), ("tband_lib_snapshot_open", 25)]
    {
        let commands = [
            &format!("ignore 1 {skip}"),
            "continue",
            "tband-save middle.bin",
            "stepi 7",
            "tband-save later.bin",
        ];
        let output = at(&elf, folder.path(), name, &commands);
        let read = |name: &str| fs::read(folder.path().join(name)).expect("a recording");
        let (middle, later) = (read("middle.bin"), read("later.bin"));
        assert!(later.starts_with(&middle), "{output}");
        let lines = lines(&middle);
        assert!(lines.len() > skip && middle.ends_with(&[0]), "{lines:#?}");
        fs::remove_file(folder.path().join("gdb.socket")).expect("a socket");
    }
}

#[test]
fn reports_missing_recordings_and_arguments() {
    let folder = temp_dir();
    let elf = build(folder.path(), "-Os -DRECORDS=0 -Dtband_configUSE_BACKEND_SNAPSHOT=1");
    let output =
        at(&elf, folder.path(), "hold", &["tband-save a.bin", "tband-save", "tband-save a b c"]);
    assert!(output.contains("nothing was recorded, and no file is written"), "{output}");
    assert_eq!(output.matches("Usage: tband-save FILE [RING or HZ]").count(), 2, "{output}");
    assert!(!folder.path().join("a.bin").exists());

    let folder = temp_dir();
    let elf = build(folder.path(), &format!("-Os -g {STREAMING}"));
    let output = at(&elf, folder.path(), "hold", &["tband-save a.bin", "tband-save a.bin now"]);
    assert!(output.contains("If they go into a tband_ring, name it"), "{output}");
    assert!(output.contains("this is not a tband_ring"), "{output}");
}
