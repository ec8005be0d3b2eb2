//! `dump` judges a recording as all other commands do, and reports if the requested items do not exist.

use std::fs;

use crate::support::*;
use tband_format::Event;
use tband_recordings::packed::pieces;
use tband_recordings::{Recording, str, two_tasks};

/// Recordings that are complete, damaged or have losses, each in a different way.
fn recordings() -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(tband_recordings::vectors()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|it| it == "bin") {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            all.push((name, fs::read(&path).unwrap()));
        }
    }
    assert!(all.len() > 5);
    let isr = |isr_id| (Event::IsrEnter { isr_id }, Event::IsrExit { isr_id });
    let ((enter_1, _), (enter_2, exit_2)) = (isr(1), isr(2));
    let switch = |task_id| Event::TaskSwitchedIn { task_id };
    let start = || two_tasks().at(5, switch(1));
    let clean = start().at(50, switch(2)).at(60, switch(1)).0;
    let packets = pieces(&clean, 64);
    let by_hand = [
        ("exit", start().at(6, exit_2).at(7, exit_2).at(8, switch(2))),
        ("no exit", start().at(6, enter_1).at(7, enter_2).at(8, Event::IsrExit { isr_id: 1 })),
        ("step back", start().at(9, switch(2)).at(3, switch(1))),
        ("lost", start().at(10, Event::DroppedEvtCnt { cnt: 4 })),
        (
            "lost names",
            start().meta(Event::MetadataDropped { core_id: 0, cnt: 2, size_needed: None }),
        ),
        (
            "deleted",
            start().at(6, Event::TaskDeleted { task_id: 2 }).at(7, switch(2)).at(8, switch(1)),
        ),
        (
            "span",
            start()
                .at(6, Event::EvtmarkerEnd { evtmarker_id: 1 })
                .at(7, Event::EvtmarkerEnd { evtmarker_id: 1 }),
        ),
        ("damaged", start().raw(&[3, 50, 1, 0]).at(9, switch(2))),
        ("cut off", start().raw(&[9, 50, 1])),
        ("two clocks", start().meta(Event::TsResolutionNs { ns_per_ts: 77 })),
        ("far", start().at(u64::MAX / 2, switch(2))),
        ("nothing", two_tasks()),
        ("still", (0..200).fold(two_tasks(), |it, at| it.at(7, switch(at % 2 + 1)))),
        ("packet lost", Recording(packets.iter().skip(1).flatten().copied().collect())),
        ("packets", Recording(packets.concat())),
    ];
    all.extend(by_hand.map(|(name, recording)| (name.to_owned(), recording.0)));
    all
}

#[test]
fn its_exit_code_is_that_of_all_commands() {
    let folder = Folder::new("dump-codes");
    let mut codes = Vec::new();
    for (name, bytes) in recordings() {
        let file = folder.file("r.bin", &bytes);
        let check = run(&["check", &file]);
        for command in ["stats", "dump"] {
            let ran = run(&[command, &file]);
            assert_eq!(ran.code, check.code, "{command} {name}: {}\n{}", ran.stderr, check.stderr);
        }
        // Read once, as a stream.
        let ran = run_with_stdin(&["dump", "-"], &bytes);
        assert_eq!(ran.code, check.code, "{name} from a pipe: {}", ran.stderr);
        // Whatever is shown of it.
        let ran = run(&["dump", "--event", "heap_malloc", &file]);
        assert_eq!(ran.code, check.code, "{name}, filtered: {}", ran.stderr);
        codes.push(check.code);
    }
    for code in [0, 1] {
        assert!(codes.iter().filter(|it| **it == Some(code)).count() > 2, "{codes:?}");
    }
}

/// The part up to its end is judged, as by all commands.
#[test]
fn a_part_is_judged_up_to_its_end() {
    let folder = Folder::new("dump-part");
    let exit = || Event::IsrExit { isr_id: 1 };
    let recording = two_tasks().at(5, Event::TaskSwitchedIn { task_id: 1 });
    let recording =
        recording.at(50, exit()).at(60, exit()).at(70, Event::TaskSwitchedIn { task_id: 2 });
    let file = folder.file("r.bin", &recording.0);
    for (part, code) in [(["--to", "55"], 0), (["--to", "65"], 1), (["--from", "65"], 1)] {
        for command in ["stats", "dump"] {
            assert_eq!(
                run(&[&[command][..], &part, &[&file]].concat()).code,
                Some(code),
                "{part:?}"
            );
        }
    }
}

/// `dump` aligns clocks as the other commands do.
#[test]
fn clocks_are_aligned() {
    let folder = Folder::new("dump-align");
    let board = |first: u64, step: u64| {
        let start = Recording::default().meta(Event::TsResolutionNs { ns_per_ts: 100 });
        let start = start.meta(Event::ValmarkerName { valmarker_id: 1, name: str("moment") });
        (0..20).fold(start, |it, number| {
            let event = Event::Valmarker { valmarker_id: 1, val: number as i64 };
            it.at(first + number * step, event)
        })
    };
    let one = folder.file("one.bin", &board(1000, 50_000).0);
    let other = folder.file("other.bin", &board(9_000_000, 50_001).0);
    let other = format!("{other}@1");
    let dumped = run(&["dump", "--json", "--align", "marker:moment", &one, &other]).assert_code(0);
    assert!(dumped.stderr.contains("ppm"), "{}", dumped.stderr);
    let times = |core: u64| -> Vec<u64> {
        let lines = dumped.stdout.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let lines = lines.map(|line| serde_json::from_slice::<serde_json::Value>(line).unwrap());
        let lines = lines.filter(|line| line["event"] == "valmarker" && line["core"] == core);
        lines.map(|line| line["ts"].as_u64().unwrap()).collect()
    };
    let (first, second) = (times(0), times(1));
    assert_eq!((first.len(), second.len()), (20, 20));
    let near = first.iter().zip(&second).all(|(first, second)| first.abs_diff(*second) < 1000);
    assert!(near, "{first:?} {second:?}");
}
