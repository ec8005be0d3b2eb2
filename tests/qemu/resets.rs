//! Resets at random instructions: the ring of the post-mortem backend has the last events, all of them, and their names.
//! `tests/qemu/resets` is the firmware; `TBAND_RESETS=100000` makes it that many.

use std::fs;

use tband_format::Event;
use tband_format::packet::{METADATA_STREAM, Packet};
use tband_tests::events::lines;
use tband_tests::packets::packets;
use xtask::board::{Board, run_firmware};

use crate::{archive, build_firmware, build_folder, root};
use tband_tests::temp_dir;

/// The firmware's report of a run that ended with a reset, and the remains that it found.
struct ResetReport<'a> {
    begun: u32,
    over: u32,
    /// Another recording was about to take its place.
    starts: bool,
    recording: &'a [u8],
}

fn runs_of(mut bytes: &[u8]) -> Vec<ResetReport<'_>> {
    let mut runs = Vec::new();
    while !bytes.is_empty() {
        let word = |at: usize| {
            u32::from_le_bytes(bytes[4 * at..4 * at + 4].try_into().expect("four bytes"))
        };
        let (begun, over, starts, len) = (word(0), word(1), word(2) != 0, word(3) as usize);
        let (recording, rest) = bytes[16..].split_at(len);
        runs.push(ResetReport { begun, over, starts, recording });
        bytes = rest;
    }
    runs
}

/// Values of marker 1 in a packet, in order.
fn values(packet: &Packet<'_>) -> Vec<u32> {
    let header = packet.header();
    let mut last = header.begin;
    let mut values = Vec::new();
    for decoded in packet.events() {
        let decoded = decoded.unwrap_or_else(|error| panic!("{header:?}: {error}"));
        let ts = decoded.ts.expect("a time");
        assert!(last <= ts && ts <= header.end, "{header:?}: {ts} after {last}");
        last = ts;
        if let Event::Valmarker { valmarker_id: 1, val } = decoded.event {
            values.push(u32::try_from(val).expect("a step"));
        }
    }
    values
}

/// Checks the remains of one run; `in_ring` is the number of packets in the ring. Returns how many of them had events.
fn check(index: usize, left: &ResetReport<'_>, in_ring: usize) -> usize {
    let all = packets(left.recording);
    let of_core: Vec<_> = all.iter().filter(|it| it.header().stream == 0).collect();
    let values: Vec<u32> = of_core.iter().flat_map(|packet| values(packet)).collect();
    let ResetReport { begun, over, .. } = *left;
    // None is missing between two, and the last one is the last.
    assert!(values.windows(2).all(|pair| pair[0] + 1 == pair[1]), "{values:?}");
    for pair in of_core.windows(2) {
        let [first, second] = [pair[0].header(), pair[1].header()];
        assert_eq!(first.sequence.wrapping_add(1), second.sequence);
        assert!(first.end <= second.begin, "{first:?}, {second:?}");
        assert_eq!(first.discarded, second.discarded);
    }
    if left.starts && values.is_empty() {
        return 0;
    }
    let last = values.last().copied().unwrap_or_default();
    assert!((over..=begun).contains(&last), "{last} is last, {over} was over, {begun} begun");
    // All that was recorded, or a ring full of it, but for the packet that another one was about to take the place of.
    let first = values.first().copied().unwrap_or(1);
    let is_full = of_core.len() + 1 >= in_ring;
    assert!(left.starts || first == 1 || is_full, "{} packets", of_core.len());
    assert_names(index, left, &all);
    of_core.len()
}

/// The markers' names are those of the last steps that gave them, and none is of the run that reads them.
fn assert_names(index: usize, left: &ResetReport<'_>, all: &[Packet<'_>]) {
    let of_names = all.iter().filter(|packet| packet.header().stream == METADATA_STREAM);
    let frames: Vec<u8> = of_names.flat_map(|packet| packet.content().to_vec()).collect();
    let named = lines(&frames);
    // It is from an earlier run if this one did not reach its own start.
    let run = named.iter().find_map(|line| line.split_once(" name=\"v"));
    let run = run.map_or(index, |(_, run)| run.trim_end_matches('"').parse().expect("a run"));
    assert!(run <= index, "{named:?}");
    // Where it came while a name was stored, the core has none. Another reset while that is noted counts it again.
    let dropped = "metadata_dropped core_id=0 cnt=";
    if named.iter().any(|line| line.contains(dropped)) {
        assert!(named.len() < 6, "{named:?}");
    } else if left.begun > 5 && !left.starts {
        assert!(named.iter().any(|line| line.contains("name=\"n")), "{named:?}");
    }
    for line in named {
        let Some((_, named)) = line.split_once(" evtmarker_name evtmarker_id=") else {
            assert!(!line.contains("evtmarker_name"), "{line}");
            continue;
        };
        let (id, name) = named.split_once(" name=\"").expect("a name");
        let (id, name) = (id.parse::<u32>().expect("a number"), name.trim_end_matches('"'));
        if id == 20 {
            // Named by the start-up that this run began with.
            assert_eq!(name.strip_prefix('x'), Some(&*format!("{}", run - 1)), "{line}");
            continue;
        }
        let given = name.strip_prefix('n').unwrap_or_else(|| panic!("{line}: not of this run"));
        let given: u32 = given.parse().expect("a step");
        assert_eq!(id, 10 + given / 5 % 6, "{line}");
        assert!(given <= left.begun && given + 30 > left.over, "{line}: {}", left.over);
    }
}

/// Runs the firmware with as many resets, and checks each.
fn run_resets(name: &str, count: u32, seed: u32, size: usize, in_ring: usize) {
    let board = Board::Mps2An386;
    let settings = [
        format!("TBAND_LIBRARY={}", archive(board).display()),
        format!("RESETS={count}"),
        format!("SEED={seed}"),
        format!("PACKET_SIZE={size}"),
        format!("PACKET_COUNT={in_ring}"),
    ];
    let folder = build_folder(name);
    build_firmware(&root().join("tests/qemu/resets"), &folder, &board.toolchain(root()), &settings)
        .unwrap_or_else(|error| panic!("{error:#}"));
    let out = temp_dir();
    // Each reset makes the emulator translate again; without a limit it keeps a gigabyte of translations.
    let emulator = format!("{} -accel tcg,tb-size=32", board.emulator());
    run_firmware(&emulator, &folder.join("resets.elf"), out.path(), None)
        .unwrap_or_else(|error| panic!("{error:#}"));
    let bytes = fs::read(out.path().join("recordings.bin")).expect("recordings");
    let runs = runs_of(&bytes);
    assert_eq!(runs.len(), count as usize);
    let (mut empty, mut full, mut steps) = (0, 0, 0);
    for (index, left) in runs.iter().enumerate() {
        let found = std::panic::catch_unwind(|| check(index, left, in_ring))
            .unwrap_or_else(|_| panic!("run {index}"));
        empty += u32::from(found == 0);
        full += u32::from(found >= in_ring);
        steps += left.over;
    }
    println!("{count} resets, {steps} steps; {empty} rings were empty, {full} full");
    // There was something to be wrong about.
    assert!(empty < count / 2 && (in_ring > 8 || full > count / 10), "{empty}, {full}, of {count}");
}

/// How many resets a test makes.
fn count() -> u32 {
    std::env::var("TBAND_RESETS").map_or(1000, |count| count.parse().expect("a number of resets"))
}

#[test]
fn the_last_events_are_there_after_a_reset_at_any_instruction() {
    run_resets("resets", count(), 1, 128, 4);
}

#[test]
fn rings_of_other_sizes_survive_too() {
    run_resets("resets-two", count() / 4, 2, 256, 2);
    run_resets("resets-many", count() / 4, 3, 128, 16);
}
