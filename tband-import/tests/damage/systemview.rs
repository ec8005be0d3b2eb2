//! SystemView and text of Linux.

use tband_conv::InputFormat;
use tband_conv::diagnostics::Problem;

use crate::support::recording;
use crate::{converted, converted_as, end, random};

/// Recordings of each importer that damage is tried on.
const RECORDINGS: [&str; 3] =
    ["systemview/trimmed.bin", "systemview/postmortem.bin", "systemview/overflow.bin"];
/// Texts.
const TEXTS: [&str; 2] = ["linux/ftrace.txt", "linux/perf.txt"];

#[test]
fn a_recording_may_end_anywhere() {
    for name in RECORDINGS {
        let bytes = recording(name);
        let all = converted(&bytes).unwrap().events;
        let mut before = 0;
        for len in (200..bytes.len()).step_by(1499).chain(2000..2020) {
            let Ok(summary) = converted(&bytes[..len]) else {
                assert!(len < 2600, "{name}: {len} bytes have no event");
                continue;
            };
            assert!(summary.events <= all);
            if len > 2600 {
                assert!(summary.events >= before, "{name}: {len}");
                before = summary.events;
            }
            // What a cut takes away is one packet.
            assert_eq!(summary.diagnostics.count(Problem::ForeignDamage), 0, "{name}: {len}");
            assert!(summary.diagnostics.count(Problem::CutOff) <= 1, "{name}: {len}");
        }
    }
}

#[test]
fn joined_recordings_are_two_starts() {
    let bytes = recording("systemview/restart.bin");
    let joined = [&bytes[..], &bytes].concat();
    let (one, two) = (converted(&bytes).unwrap(), converted(&joined).unwrap());
    assert_eq!(one.diagnostics.count(Problem::StreamStart), 1);
    assert_eq!(two.diagnostics.count(Problem::StreamStart), 3);
    // What the second recording repeats of names and frequency is left out.
    assert!(two.events > one.events * 19 / 10, "{} {}", two.events, one.events);
}

#[test]
fn flipped_bits_cost_what_is_near_them() {
    let mut state = 7;
    for name in RECORDINGS {
        let bytes = recording(name);
        for _ in 0..25 {
            let mut damaged = bytes.clone();
            let at = 600 + random(&mut state) % (bytes.len() - 600);
            damaged[at] ^= 1 << (random(&mut state) % 8);
            // A text that is not changed itself is found again.
            let summary = converted(&damaged).unwrap();
            assert!(summary.events > 0, "{name}: {at}");
        }
    }
    // Synchronisations are not far apart here.
    let mut bytes = recording("systemview/postmortem.bin");
    let all = converted(&bytes).unwrap().events;
    for at in (4000..bytes.len()).step_by(4000) {
        // No packet has this id, and no number these bytes.
        bytes[at..at + 12].fill(0xFF);
    }
    let summary = converted(&bytes).unwrap();
    let found = summary.diagnostics.get(Problem::ForeignDamage);
    assert!(found.is_some_and(|found| found.count >= 4), "{found:?}");
    assert!(summary.events * 10 > all * 4, "{} of {all}", summary.events);
    let found = summary.diagnostics.get(Problem::ForeignDamage).unwrap();
    assert!((3900..=4012).contains(&found.place.offset), "{found:?}");
}

#[test]
fn inserted_bytes_are_reported_and_what_follows_them_is_read() {
    let mut state = 11;
    for name in ["systemview/counter-wrap.bin", "systemview/trimmed.bin"] {
        let bytes = recording(name);
        let all = converted(&bytes).unwrap().events;
        for _ in 0..8 {
            let at = bytes.len() / 4 + random(&mut state) % (bytes.len() / 2);
            let noise: Vec<u8> = (0..200).map(|_| random(&mut state) as u8).collect();
            let summary = converted(&[&bytes[..at], &noise, &bytes[at..]].concat()).unwrap();
            let found = summary.diagnostics.count(Problem::ForeignDamage);
            assert!(found > 0, "{name}: {at}");
            assert!(summary.events + 60 > all, "{name}: {at}: {} of {all}", summary.events);
        }
        // A call whose length reaches over 3000 bytes, in the middle and at the end.
        for at in [bytes.len() / 2, bytes.len() - 2000] {
            let call = [0xDD, 0x00, 0xB8, 0x17];
            let summary = converted(&[&bytes[..at], &call, &bytes[at..]].concat()).unwrap();
            let found = summary.diagnostics.count(Problem::ForeignDamage);
            assert!(found > 0, "{name}: {at}");
            assert!(summary.events + 60 > all, "{name}: {at}: {} of {all}", summary.events);
        }
    }
}

#[test]
fn ignores_zeros_at_the_end() {
    for name in RECORDINGS {
        let bytes = recording(name);
        let padded = [&bytes[..], &vec![0; 3 << 20]].concat();
        let (plain, padded) = (converted(&bytes).unwrap(), converted(&padded).unwrap());
        assert_eq!(plain.events, padded.events, "{name}");
    }
}

#[test]
fn a_text_continues_after_damaged_lines() {
    let mut state = 3;
    for name in TEXTS {
        let text = recording(name);
        let all = converted(&text).unwrap().events;
        let lines = text.iter().filter(|byte| **byte == b'\n').count();
        assert!(all > lines as u64 / 2, "{name}: {all} of {lines}");
        for len in (2000..text.len()).step_by(4999) {
            assert!(converted(&text[..len]).unwrap().events <= all, "{name}: {len}");
        }
        let mut damaged = text.clone();
        for _ in 0..50 {
            let at = 1000 + random(&mut state) % (text.len() - 1000);
            damaged[at] ^= 1 << (random(&mut state) % 7);
        }
        let summary = converted(&damaged).unwrap();
        assert!(summary.events * 10 > all * 8, "{name}: {} of {all}", summary.events);
        // A line without an end.
        let long = [&text[..], &vec![b'x'; 200_000]].concat();
        let summary = converted(&long).unwrap();
        assert_eq!(summary.events, all, "{name}");
        assert_eq!(summary.diagnostics.count(Problem::ForeignDamage), 1, "{name}");
    }
}

/// A text may begin inside of a line, and be joined to another one.
#[test]
fn a_text_may_begin_anywhere_and_be_joined() {
    for name in TEXTS {
        let text = recording(name);
        let all = converted(&text).unwrap().events;
        for at in (1000..text.len() - 4000).step_by(7001) {
            let late = converted(&text[at..]).unwrap().events;
            let least = all * (text.len() - at) as u64 / text.len() as u64 / 2;
            assert!((least..=all + 30).contains(&late), "{name}: from {at} on: {late} of {all}");
        }
        let joined = converted(&[&text[..], &text].concat()).unwrap();
        assert!(joined.events >= all * 19 / 10, "{name}: {} of {all}", joined.events);
        assert_eq!(joined.diagnostics.count(Problem::ForeignDamage), 0, "{name}");
        // With the line ends of Windows.
        let lines = String::from_utf8(text).unwrap().replace('\n', "\r\n");
        assert_eq!(converted(lines.as_bytes()).unwrap().events, all, "{name}");
    }
}

#[test]
fn zero_bytes_in_a_text_cost_the_line_that_they_are_in() {
    for name in TEXTS {
        let text = recording(name);
        let all = converted(&text).unwrap().events;
        for at in [3000, text.len() / 2, text.len()] {
            for count in [9, 200, 20_000] {
                let damaged = [&text[..at], &vec![0; count], &text[at..]].concat();
                let summary = converted(&damaged).unwrap();
                // A task of this line may get its name and priority from a later one.
                let least = if at == text.len() { all } else { all - 6 };
                assert!(summary.events >= least, "{name}: {} of {all}", summary.events);
                let found = summary.diagnostics.count(Problem::ForeignDamage);
                // At the end it is the unused part of the file.
                assert_eq!(found, u64::from(at < text.len()), "{name}: {count} at {at}");
            }
        }
    }
}

/// The target sends its time when recording starts; elsewhere damaged bytes may look like it.
#[test]
fn a_time_in_the_middle_changes_nothing() {
    let bytes = recording("systemview/trimmed.bin");
    let whole = end(&bytes);
    // The rest of a packet whose id is unknown, and a time of half a year.
    let from = (6000..7000).find(|at| bytes[*at..].starts_with(&[0x03])).unwrap();
    for at in from..from + 200 {
        let damage = [0xFF; 12];
        let time = [13, 0, 0x80, 0x80, 0x80, 0x04, 1];
        let joined = [&bytes[..at], &damage, &bytes[at..at + 300], &time, &bytes[at + 300..]];
        let end = end(&joined.concat());
        assert!(end < whole + (1 << 33), "{at}: {end}, was {whole}");
    }
}

#[test]
fn zeros_between_packets_are_damage() {
    let bytes = recording("systemview/trimmed.bin");
    let middle = bytes.len() / 2;
    let joined = [&bytes[..middle], &[0; 3000], &bytes[middle..]].concat();
    let summary = converted(&joined).unwrap();
    let found = summary.diagnostics.get(Problem::ForeignDamage).unwrap();
    assert!((middle as u64 - 100..middle as u64 + 3100).contains(&found.place.offset), "{found:?}");
    // At the end they are the rest of a file, and in front of another start a pause.
    for after in [&[][..], &bytes] {
        let joined = [&bytes[..], &[0; 3000], after].concat();
        assert_eq!(converted(&joined).unwrap().diagnostics.count(Problem::ForeignDamage), 0);
    }
}

/// A host that joins late gets no synchronisation. Where the user names the format, times count from there, in ticks.
#[test]
fn a_stream_without_a_synchronisation_is_read_from_its_middle() {
    for name in ["systemview/trimmed.bin", "systemview/default.bin"] {
        let bytes = recording(name);
        let all = converted(&bytes).unwrap().events;
        for part in [3, 5, 7] {
            let rest = &bytes[bytes.len() * part / 9..];
            let summary = converted_as(rest, InputFormat::SystemView).unwrap();
            let least = all * (9 - part as u64) / 9 * 3 / 4;
            assert!(summary.events > least, "{name} {part}: {} of {all}", summary.events);
            let head = summary.diagnostics.get(Problem::OverwrittenStart);
            assert!(head.is_none_or(|it| it.place.offset < 10), "{name} {part}");
            assert_eq!(summary.diagnostics.count(Problem::NoResolution), 1, "{name} {part}");
            assert_eq!(summary.diagnostics.count(Problem::ForeignDamage), 0, "{name} {part}");
        }
    }
}

/// A file of two cores names both in its text, which may follow zeros of an image, or another file.
#[test]
fn files_are_joined_with_their_texts() {
    let stream = recording("systemview/trimmed.bin");
    for text in [
        "; Version     SEGGER SystemView V3.32\n;\n",
        ";\n; Author  \r\n; Version SystemView\r\n;\r\n\r\n",
    ] {
        let file = [text.as_bytes(), &stream].concat();
        let one = converted(&file).unwrap();
        assert!(one.diagnostics.is_clean(), "{:?}", one.diagnostics);
        let three = converted(&file.repeat(3)).unwrap();
        assert!(three.diagnostics.is_clean(), "{:?}", three.diagnostics);
        assert_eq!(three.diagnostics.count(Problem::StreamStart), 2);
        assert_eq!(three.events, one.events * 3);
        assert_eq!(three.diagnostics.count(Problem::TimeStepBack), 0);
        let image = [&[0; 40_000], &file[..], &[0xFF; 40_000]].concat();
        assert_eq!(converted(&image).unwrap().events, one.events);
    }
}
