//! Recordings of other recorders: commands read them from a file and from a pipe, and name what they cannot read.

use std::fs;

use crate::support::*;

/// The beginning of a recording of another recorder.
fn head(name: &str) -> String {
    format!("{}/../tband-import/tests/heads/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// A whole recording.
fn recording(name: &str) -> String {
    format!("{}/../tband-import/tests/recordings/{name}.gz", env!("CARGO_MANIFEST_DIR"))
}

fn stdout(args: &[&str]) -> String {
    let ran = run(args);
    assert_eq!(ran.code, Some(0), "{args:?}: {}", ran.stderr);
    String::from_utf8(ran.stdout).unwrap()
}

#[test]
fn commands_read_recordings_of_other_recorders() {
    let file = recording("systemview/trimmed.bin");
    let text = stdout(&["check", &file]);
    let mut lines = text.lines();
    let first = lines.next().unwrap();
    assert!(
        first.ends_with(
            ": SEGGER SystemView (GivenApp, Cortex-M4, FreeRTOS; API ids of FreeRTOS V11)"
        ),
        "{first}"
    );
    assert!(text.contains("\n  inferred: what a task waits for: the call that it is in\n"));
    assert!(text.contains(": whole\n"), "{text}");
    let json: serde_json::Value =
        serde_json::from_str(&stdout(&["check", "--json", &file])).unwrap();
    assert_eq!(json["sources"][0]["format"], "SEGGER SystemView");
    assert!(stdout(&["stats", &file]).contains("Consumer"));
    // The same from a pipe, which is read once.
    let events = stdout(&["dump", &file]);
    assert!(events.contains("task_switched_in"), "{events}");
    let piped = run_with_stdin(&["dump", "-"], &fs::read(&file).unwrap());
    assert_eq!(piped.code, Some(0), "{}", piped.stderr);
    assert_eq!(String::from_utf8(piped.stdout).unwrap(), events);
    // A place in messages is one of the file.
    let damaged = run(&["check", "--json", &recording("systemview/overflow.bin")]);
    let json: serde_json::Value = serde_json::from_slice(&damaged.stdout).unwrap();
    let findings = json["findings"].as_array().unwrap();
    let lost = findings.iter().find(|it| it["finding"] == "gap of lost events").unwrap();
    assert_eq!((&lost["offset"], &lost["amount"]), (&1022.into(), &227.into()));
    assert!(stdout(&["stats", &recording("linux/ftrace.txt")]).contains("HighLock"));
}

#[test]
fn what_cannot_be_read_is_named() {
    let error = |args: &[&str]| {
        let ran = run(args);
        assert_eq!(ran.code, Some(2), "{args:?}: {}", ran.stderr);
        ran.stderr
    };
    for (name, text) in [
        ("stream-be.psf", "it is a Percepio TraceRecorder stream (PSF, big endian, format 0x0E)"),
        ("qs.bin", "it is a QS trace of QP"),
        ("metadata", "it is the metadata file of a CTF 1.8 trace: name the folder"),
    ] {
        for command in ["check", "stats", "dump", "conv"] {
            let error = error(&[command, &head(name)]);
            assert!(error.contains(text), "{command} {name}: {error}");
        }
    }
    let folder = Folder::new("foreign");
    fs::copy(head("metadata"), folder.path("metadata")).unwrap();
    let name = folder.path("");
    let error_of_folder = error(&["check", &name]);
    assert!(error_of_folder.contains("it is the folder of a CTF 1.8 trace"), "{error_of_folder}");
    // The user knows better.
    let systemview = recording("systemview/trimmed.bin");
    let as_ours = error(&["check", "--input-format", "tband", &systemview]);
    assert!(as_ours.contains("not a tband recording"), "{as_ours}");
    let as_other = error(&["check", "--input-format", "qs", &systemview]);
    assert!(as_other.contains("tband cannot read it yet"), "{as_other}");
}
