//! A recording that ends as planned is complete, wherever it ends.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use crate::support::recording::*;
use crate::support::*;
use tband_format::Event;
use tband_recordings::packed::packed as in_packets;

/// The lines of `check` that name a loss or damage.
fn loss_lines(file: &str) -> Vec<String> {
    let ran = run(&["check", file]);
    let text = ran.text();
    let is_found = |line: &&str| line.starts_with("loss: ") || line.starts_with("damage: ");
    let found: Vec<String> = text.lines().filter(is_found).map(str::to_owned).collect();
    assert_eq!(ran.code, Some(i32::from(!found.is_empty())), "{text}{}", ran.stderr);
    found
}

/// Frames of two cores on one line.
fn two_cores() -> Vec<u8> {
    let mut frames = frame(0, Event::CoreId { core_id: 0 });
    frames.extend(frame(0, Event::TsResolutionNs { ns_per_ts: 1000 }));
    for number in 1..200_u64 {
        let core_id = (number % 2) as u32;
        frames.extend(frame(number * 100, Event::CoreId { core_id }));
        frames
            .extend(frame(number * 100, Event::Valmarker { valmarker_id: 1, val: number as i64 }));
    }
    frames
}

/// Each of these ends inside of a packet or frame, nearly always.
#[test]
fn a_recording_that_ends_as_planned_is_complete() {
    let folder = Folder::new("record-ends");
    let frames = two_cores();
    let packets = in_packets(&frames, 256);
    for (name, bytes) in [("frames", &frames), ("packets", &packets)] {
        let source = format!("file:{}", folder.file(name, bytes));
        let out = folder.path("r.bin");
        for end in (3..12).map(|part| bytes.len() * part / 12 + part) {
            let size = format!("size:{end}");
            let ran = run(&["record", "-o", &out, "--until", &size, &source]).assert_code(0);
            assert!(!ran.stderr.contains("damaged"), "{}", ran.stderr);
            let kept = fs::read(&out).unwrap();
            assert_eq!(loss_lines(&out), [""; 0], "{name} {end}");
            // Nothing is lost.
            let rest = fs::read(folder.path("r.bin.rest")).unwrap_or_default();
            assert_eq!([&*kept, &rest].concat(), &bytes[..end], "{name} {end}");
            let printed = ran.stderr.contains("of the next one are in");
            let printed = printed || ran.stderr.contains("1 byte of the next one");
            assert_eq!(printed, !rest.is_empty(), "{}", ran.stderr);
            assert!(ran.stderr.contains(&format!("{} bytes", kept.len())), "{}", ran.stderr);
            // To a pipe, which cannot be cut.
            let ran = run(&["record", "-o", "-", "--until", &size, &source]);
            assert_eq!((ran.code, ran.stdout), (Some(0), kept), "{name} {end}");
        }
        // One that is complete has nothing beside it, also after one that was not.
        run(&["record", "-o", &out, "--until", "time:1ms", &source]).assert_code(0);
        if fs::read(&out).unwrap() == *bytes {
            assert!(!folder.names().contains(&"r.bin.rest".to_owned()), "{:?}", folder.names());
        }
    }
}

#[test]
fn an_interruption_ends_with_the_last_complete_packet() {
    for bytes in [two_cores(), in_packets(&two_cores(), 256)] {
        let folder = Folder::new("record-interrupted");
        let end = bytes.len() * 2 / 3 + 3;
        let mut recording = Recording::start(&folder, &["-"]);
        let mut stdin = recording.program.stdin().unwrap();
        stdin.write_all(&bytes[..end]).unwrap();
        recording.has(end);
        assert_eq!(recording.interrupt().code, Some(0));
        drop(stdin);
        assert_eq!(loss_lines(&folder.path("r.bin")), [""; 0]);
    }
}

/// Damage is reported, also at the end.
#[test]
fn damage_at_the_end_is_reported() {
    let folder = Folder::new("record-damaged");
    let bytes = in_packets(&two_cores(), 256);
    let mut changed = bytes.clone();
    let magic = tband_format::packet::MAGIC.to_le_bytes();
    let last = (0..bytes.len()).rfind(|at| bytes[*at..].starts_with(&magic)).unwrap();
    changed[last + 40] ^= 1;
    for damaged in [changed, [&bytes[..], &[0xA5; 99]].concat()] {
        let mut command = cli(&["record", "-o", "r.bin", "-"]);
        let mut program =
            start(piped(command.current_dir(&folder.0)).stdin(Stdio::piped())).unwrap();
        program.stdin().unwrap().write_all(&damaged).unwrap();
        assert_eq!(ran(program.output().unwrap()).code, Some(0));
        assert_eq!(fs::read(folder.path("r.bin")).unwrap(), damaged);
        let found = loss_lines(&folder.path("r.bin"));
        assert!(found.iter().any(|line| line.starts_with("damage: ")), "{found:?}");
    }
}

/// Removed files are not damage.
#[test]
fn files_that_were_not_to_be_kept_are_noted() {
    let folder = Folder::new("record-keep-note");
    for (name, bytes) in [("f", two_cores()), ("p", in_packets(&two_cores(), 256))] {
        let source = format!("file:{}", folder.file(name, &bytes));
        let out = folder.path(&format!("{name}.bin"));
        let size = format!("size:{}", bytes.len() - 7);
        run(&["record", "--keep", "3x512", "-o", &out, "--until", &size, &source]).assert_code(0);
        let names = folder.names();
        let files = names.iter().filter(|it| it.starts_with(name) && it.ends_with(".bin"));
        let files: Vec<String> = files.map(|it| folder.path(it)).collect();
        assert!(files.len() > 2, "{names:?}");
        let all: Vec<&str> =
            ["check"].into_iter().chain(files.iter().map(String::as_str)).collect();
        let ran = run(&all);
        let text = ran.text();
        assert!(!text.contains("damage: "), "{text}");
        if name == "f" {
            assert_eq!(ran.code, Some(0), "{text}");
            assert!(text.contains("note: part of the recording that was not kept\n"), "{text}");
        }
    }
}
