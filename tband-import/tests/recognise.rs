//! Formats are named by the beginnings of files, and nothing else is taken for one of them.

use std::path::Path;

use tband_format::{Event, Str, encode_frame};
use tband_import::ctf::recognise_folder;
use tband_import::format::InputFormat;
use tband_import::open::open;
use tband_import::recognise::recognise;
use tband_import::recognised_format::Recognition;

fn head(name: &str) -> Vec<u8> {
    std::fs::read(Path::new("tests/heads").join(name)).unwrap()
}

/// Beginnings of real recordings, with their formats.
const FILES: [(&str, InputFormat, &str); 15] = [
    (
        "stream-le.psf",
        InputFormat::TraceRecorder,
        "a Percepio TraceRecorder stream (PSF, little endian, format 0x0E)",
    ),
    (
        "stream-be.psf",
        InputFormat::TraceRecorder,
        "a Percepio TraceRecorder stream (PSF, big endian, format 0x0E)",
    ),
    (
        "stream-4.6.psf",
        InputFormat::TraceRecorder,
        "a Percepio TraceRecorder stream (PSF, little endian, format 0x0A)",
    ),
    (
        "ring.bin",
        InputFormat::TraceRecorder,
        "a dump of Percepio TraceRecorder's ring buffer (little endian, format 0x0E)",
    ),
    ("snapshot.bin", InputFormat::TraceRecorder, "a snapshot of Percepio's classic trace recorder"),
    ("qs.bin", InputFormat::Qs, "a QS trace of QP"),
    ("rkh.bin", InputFormat::Rkh, "an RKH trace"),
    ("flux.recTr", InputFormat::Flux, "a flux recording"),
    ("metadata", InputFormat::Ctf, "the metadata file of a CTF 1.8 trace"),
    ("ctf-stream", InputFormat::Ctf, "a stream file of a CTF trace (big endian)"),
    ("ftrace.txt", InputFormat::Ftrace, "text of Linux's ftrace"),
    ("perf.txt", InputFormat::Ftrace, "text of perf script"),
    ("systemview.bin", InputFormat::SystemView, "a stream of SEGGER SystemView"),
    ("systemview.SVDat", InputFormat::SystemView, "a file of SEGGER SystemView"),
    ("systemview-ring.bin", InputFormat::SystemView, "a post-mortem buffer of SEGGER SystemView"),
];

#[test]
fn each_format_is_named_by_its_first_bytes() {
    for (file, format, text) in FILES {
        let Recognition::Is(found) = recognise(&head(file), true) else {
            panic!("{file} is not recognised");
        };
        assert_eq!((found.format, found.text.as_str()), (format, text), "{file}");
    }
}

#[test]
fn a_folder_is_named_by_its_metadata() {
    let found = recognise_folder(&head("metadata")).unwrap();
    assert_eq!(found.text, "the folder of a CTF 1.8 trace");
    let json = b"\x1E{\"type\": \"preamble\", \"version\": 2}";
    assert_eq!(recognise_folder(json).unwrap().text, "the folder of a CTF 2 trace");
    assert_eq!(recognise_folder(b""), None);
}

/// Nothing that begins as a SystemView stream does is decided before its packets show it.
#[test]
fn a_stream_that_comes_byte_by_byte_is_recognised_in_the_end() {
    let bytes = head("systemview.bin");
    let mut decided = None;
    for len in 1..bytes.len() {
        match recognise(&bytes[..len], false) {
            Recognition::NeedsMore => assert_eq!(decided, None),
            Recognition::Is(found) => decided = decided.or(Some((len, found.format))),
            Recognition::No => panic!("{len}"),
        }
    }
    let (len, format) = decided.unwrap();
    assert!(len < 64 && format == InputFormat::SystemView, "{len}");
}

#[test]
fn frames_of_tband_are_not_a_foreign_format() {
    let mut bytes = vec![0; 16];
    for number in 0..200 {
        let name = format!("task {number}");
        let events = [
            (Event::TaskSwitchedIn { task_id: number % 7 }, u64::from(number) * 1000),
            (Event::TaskName { task_id: number, name: Str(name.as_bytes()) }, 0),
        ];
        for (event, ts) in events {
            let mut frame = [0; 64];
            let len = encode_frame(&event, ts, &mut frame).unwrap();
            bytes.extend_from_slice(&frame[..len]);
        }
        assert_eq!(recognise(&bytes, true), Recognition::No);
        assert_eq!(recognise(&bytes, false), Recognition::No);
    }
}

/// Each format that users can name is one of these, and those with an importer have it.
#[test]
fn formats_with_an_importer_open_it() {
    let with = [
        InputFormat::SystemView,
        InputFormat::SystemViewEsp,
        InputFormat::SystemViewV10,
        InputFormat::SystemViewV11,
        InputFormat::Ftrace,
        InputFormat::Flux,
        InputFormat::Qs,
        InputFormat::Rkh,
        InputFormat::TraceRecorder,
    ];
    assert!(with.into_iter().all(|format| open(format, 0).is_some()));
    assert!(open(InputFormat::Tband, 0).is_none());
}

/// A stream whose start is missing is named, with what to do, whatever its layout. A part of it that begins with a header is read.
#[test]
fn a_stream_without_its_header_is_explained() {
    let stream = head("stream-le.psf");
    for from in [2000, 2501, 2999] {
        let Recognition::Is(found) = recognise(&stream[from..], true) else {
            panic!("from {from} it is not recognised");
        };
        assert_eq!(found.text, "a Percepio TraceRecorder stream whose start is missing");
        assert!(found.advice.contains("stop and start the recording"), "{}", found.advice);
    }
    let joined = [&stream[777..], &stream].concat();
    let Recognition::Is(found) = recognise(&joined, true) else { panic!() };
    assert_eq!((found.format, found.advice), (InputFormat::TraceRecorder, ""));
}

/// Memory to which nothing was written may be in front of each recording.
#[test]
fn an_empty_start_hides_no_format() {
    for (file, format, _) in FILES {
        for fill in [0, 0xFF] {
            let bytes = [vec![fill; 300], head(file)].concat();
            let found = recognise(&bytes, true);
            let Recognition::Is(found) = found else { panic!("{file} after {fill}: {found:?}") };
            assert_eq!(found.format, format, "{file} after {fill}");
            assert_eq!(recognise(&bytes[..300], false), Recognition::NeedsMore);
            assert_eq!(recognise(&bytes[..300], true), Recognition::No);
        }
    }
}

#[test]
fn a_systemview_stream_without_its_start_is_explained() {
    let stream = head("systemview.bin");
    for from in [1200, 1201, 1777] {
        let Recognition::Is(found) = recognise(&stream[from..], true) else {
            panic!("from {from} it is not recognised");
        };
        assert_eq!(found.text, "a SEGGER SystemView stream whose start is missing");
        assert!(found.advice.contains("stop and start the recording"), "{}", found.advice);
    }
}

/// A recording that was cut off after a few frames.
#[test]
fn a_few_frames_show_their_recorder() {
    for (file, format) in [("qs.bin", InputFormat::Qs), ("rkh.bin", InputFormat::Rkh)] {
        let bytes = head(file);
        let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == 0x7E);
        let ends: Vec<usize> = ends.map(|(at, _)| at + 1).collect();
        let Recognition::Is(found) = recognise(&bytes[..ends[5]], true) else {
            panic!("{file} is not recognised");
        };
        assert_eq!(found.format, format);
        // Frames may follow that show something else.
        assert_eq!(recognise(&bytes[..ends[5]], false), Recognition::No);
    }
}

/// A copy in text mode puts a CR before each LF.
#[test]
fn a_copy_as_text_is_named() {
    for (file, from) in [("rkh.bin", 0), ("systemview.bin", 0), ("systemview.bin", 1200)] {
        let bytes = &head(file)[from..];
        let text: Vec<u8> =
            bytes.split_inclusive(|byte| *byte == b'\n').fold(Vec::new(), |all, line| {
                match line.strip_suffix(b"\n") {
                    Some(line) => [&all[..], line, b"\r\n"].concat(),
                    None => [&all[..], line].concat(),
                }
            });
        let Recognition::Is(found) = recognise(&text, true) else { panic!("{file} from {from}") };
        assert!(found.advice.contains("in binary mode"), "{file}: {}", found.advice);
    }
}

#[test]
fn swapped_words_are_named() {
    let swapped: Vec<u8> = head("stream-le.psf")
        .chunks_exact(4)
        .flat_map(|word| word.iter().rev().copied().collect::<Vec<_>>())
        .collect();
    let Recognition::Is(found) = recognise(&swapped, true) else { panic!("not recognised") };
    assert!(found.advice.contains("words of 4 bytes were swapped"), "{}", found.advice);
}
