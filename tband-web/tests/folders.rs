//! Files of folders and archives in requests: CTF traces, recordings.

use std::io;

use serde_json::{Value, json};
use tband_recordings::vector;
use tband_recordings::zip::zip;
use tband_web::{Host, run};

const TRACE: &[u8] = b"/* CTF 1.8 */ typealias integer { size = 8; } := u8;
trace { major = 1; minor = 8; byte_order = le; };
stream { event.header := struct { u8 id; }; };
event { id = 7; name = beep; fields := struct { u8 n; }; };";

/// Files in memory.
struct Files(Vec<Vec<u8>>);

impl Host for Files {
    fn read(&self, file: usize, offset: u64, bytes: &mut [u8]) -> io::Result<usize> {
        let rest = self.0[file].get(usize::try_from(offset).unwrap()..).unwrap_or_default();
        let len = rest.len().min(bytes.len());
        bytes[..len].copy_from_slice(&rest[..len]);
        Ok(len)
    }

    fn write(&self, _: usize, _: &[u8]) -> io::Result<()> {
        Ok(())
    }

    fn append(&self, _: usize, _: usize) {}
}

#[test]
fn metadata_and_streams_are_a_trace() {
    let asked = |files: &[(&str, &'static [u8])]| {
        let names: Vec<_> = files.iter().map(|(name, _)| json!({"name": name})).collect();
        let host = Files(files.iter().map(|(_, bytes)| bytes.to_vec()).collect());
        run(&json!({"command": "check", "inputs": names}), &host)
    };
    let stream: (&str, &[u8]) = ("stream", &[7, 1, 7, 2, 7, 3]);
    for files in [[("metadata", TRACE), stream], [stream, ("metadata", TRACE)]] {
        let answer = asked(&files);
        assert_eq!(answer["failed"], false, "{answer}");
        assert!(answer["check"].to_string().contains("CTF 1.8"), "{answer}");
        assert!(answer["events"].as_u64().unwrap() >= 3, "{answer}");
    }
    for (files, error) in [
        (vec![("metadata", TRACE)], "drop all files of the trace together"),
        (vec![("metadata", b"/* CTF 1.8 */ trace { major = ; };"), stream], "line 1"),
    ] {
        let answer = asked(&files);
        assert_eq!(answer["failed"], true, "{answer}");
        assert!(answer["messages"].to_string().contains(error), "{answer}");
    }
}

const MAP: (&str, &[u8]) = (
    "beeps.toml",
    b"[[rule]]\nevent = \"beep\"\nmeans = \"value\"\nname = { text = \"tone\" }\nvalue = \"n\"\n",
);

/// Runs a command on files of folders.
fn answer_of(command: &str, files: &[(&str, &str, &'static [u8])]) -> Value {
    let inputs: Vec<_> =
        files.iter().map(|(folder, name, _)| json!({"name": name, "folder": folder})).collect();
    let host = Files(files.iter().map(|(_, _, bytes)| bytes.to_vec()).collect());
    run(&json!({"command": command, "inputs": inputs}), &host)
}

#[test]
fn a_mapping_file_gives_events_their_meaning() {
    let stream: &[u8] = &[7, 1, 7, 2, 7, 3];
    let values = |answer: &Value| {
        assert_eq!(answer["failed"], false, "{answer}");
        let lacks = &answer["check"]["sources"][0]["not_recorded"];
        !lacks.to_string().contains("shown as markers")
    };
    let of = |name, bytes| [("", "metadata", TRACE), ("", "stream", stream), ("", name, bytes)];
    assert!(!values(&answer_of("check", &of("stream2", stream))));
    assert!(values(&answer_of("check", &of(MAP.0, MAP.1))));
    // That of another folder is of another trace; one that was chosen alone is for all.
    let folders = |of_map| {
        [
            ("a", "metadata", TRACE),
            ("a", "stream", stream),
            ("b", "metadata", TRACE),
            ("b", "stream", stream),
            (of_map, MAP.0, MAP.1),
        ]
    };
    let marked = |answer: &Value| {
        let sources = answer["check"]["sources"].as_array().unwrap();
        let is_marked = |source: &&Value| source.to_string().contains("shown as markers");
        sources.iter().filter(is_marked).count()
    };
    let both = answer_of("check", &folders("b"));
    assert_eq!((both["failed"].as_bool(), marked(&both)), (Some(false), 1), "{both}");
    assert_eq!(marked(&answer_of("check", &folders(""))), 0);
}

#[test]
fn files_that_do_not_fit_a_trace_are_named() {
    let stream: &[u8] = &[7, 1, 7, 2, 7, 3];
    let (metadata, stream) = (("t", "metadata", TRACE), ("t", "stream", stream));
    let map = |name, bytes| ("t", name, bytes);
    for (files, error) in [
        (
            vec![metadata, stream, map("a.toml", MAP.1), map("b.toml", MAP.1)],
            "t/a.toml and t/b.toml",
        ),
        (vec![metadata, stream, map("a.toml", b"idle = 1")], "t/a.toml: line 1: a list is needed"),
        (vec![metadata, stream, map("a.toml", b"\xFF")], "t/a.toml is not a text of UTF-8"),
        (
            vec![
                metadata,
                stream,
                map("a.toml", b"[[rule]]\nevent = \"beep\"\nmeans = \"value\"\nvalue = \"x\"\n"),
            ],
            "line 2: the event 'beep' has no field 'x'",
        ),
        (vec![stream, map("a.toml", MAP.1)], "t/a.toml has the ending of a mapping file"),
        (vec![metadata, map("a.toml", MAP.1)], "t/metadata describes a CTF trace"),
        (vec![metadata, stream, metadata], "have no folders that distinguish them"),
    ] {
        let answer = answer_of("check", &files);
        assert_eq!(answer["failed"], true, "{answer}");
        assert!(answer["messages"].to_string().contains(error), "{error}: {answer}");
    }
}

/// Checks a zip archive that was chosen.
fn check_archive(bytes: Vec<u8>) -> Value {
    let request = json!({"command": "check", "inputs": [{"name": "r.zip", "size": bytes.len()}]});
    run(&request, &Files(vec![bytes]))
}

#[test]
fn files_of_an_archive_are_read() {
    let stream: &[u8] = &[7, 1, 7, 2, 7, 3];
    for is_deflated in [false, true] {
        let files = [
            ("notes.txt", &b"Two tasks."[..]),
            ("trace/metadata", TRACE),
            ("trace/stream", stream),
            ("__MACOSX/trace/._stream", b"x"),
        ];
        let answer = check_archive(zip(&files, is_deflated).unwrap());
        assert_eq!(answer["failed"], false, "{answer}");
        assert_eq!(answer["check"]["inputs"], json!(["r.zip/trace/stream"]));
        assert!(answer["check"].to_string().contains("CTF 1.8"), "{answer}");

        let recording = vector("freertos_sim.bin");
        let answer = check_archive(zip(&[("a.bin", &recording)], is_deflated).unwrap());
        assert_eq!(answer["failed"], false, "{answer}");
        assert_eq!(answer["check"]["inputs"], json!(["r.zip/a.bin"]));
        let plain = json!({"command": "check", "inputs": [{"name": "a.bin"}]});
        let plain = run(&plain, &Files(vec![recording]));
        assert_eq!(answer["events"], plain["events"]);
    }
}

#[test]
fn archives_that_cannot_be_read_are_explained() {
    let zeros = vec![0; 65 << 20];
    let damaged = {
        let mut bytes = zip(&[("a.bin", &vector("freertos_sim.bin"))], false).unwrap();
        bytes[60] ^= 1;
        bytes
    };
    let cut = {
        let mut bytes = zip(&[("a.bin", &vector("freertos_sim.bin"))], true).unwrap();
        bytes.truncate(bytes.len() - 30);
        bytes
    };
    for (bytes, error) in [
        (zip(&[("a.bin", &zeros)], true).unwrap(), "r.zip: a.bin is compressed to less than"),
        (zip(&[("a.bin", b"")], false).unwrap(), "r.zip has no file with bytes"),
        (damaged, "r.zip/a.bin: it is damaged in its zip archive"),
        (cut, "r.zip: it is compressed with zip, and cut off"),
    ] {
        let answer = check_archive(bytes);
        assert_eq!(answer["failed"], true, "{answer}");
        assert!(answer["messages"].to_string().contains(error), "{error}: {answer}");
    }
}
