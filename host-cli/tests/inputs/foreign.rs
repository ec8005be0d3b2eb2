//! Recordings of other recorders: commands read them from a file and from a pipe, and name the unreadable ones.

use std::fs;

use tband_recordings::zip::zip;

use crate::support::*;

/// The beginning of a recording of another recorder.
fn head(name: &str) -> String {
    format!("{}/../tband-import/tests/heads/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// A complete recording.
fn recording(name: &str) -> String {
    format!("{}/../tband-import/tests/recordings/{name}.gz", env!("CARGO_MANIFEST_DIR"))
}

fn stdout(args: &[&str]) -> String {
    let ran = run(args);
    assert_eq!(ran.code, Some(0), "{args:?}: {}", ran.stderr);
    ran.text()
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
    assert!(run(&["stats", &file]).text().contains("Consumer"));
    // The same from a pipe, which is read once.
    let events = stdout(&["dump", &file]);
    assert!(events.contains("task_switched_in"), "{events}");
    let piped = run_with_stdin(&["dump", "-"], &fs::read(&file).unwrap()).assert_code(0);
    assert_eq!(piped.text(), events);
    // A place in messages is one of the file.
    let json = run(&["check", "--json", &recording("systemview/overflow.bin")]).json();
    let findings = json["findings"].as_array().unwrap();
    let lost = findings.iter().find(|it| it["finding"] == "gap of lost events").unwrap();
    assert_eq!((&lost["offset"], &lost["amount"]), (&1022.into(), &227.into()));
    assert!(stdout(&["stats", &recording("linux/ftrace.txt")]).contains("HighLock"));
    // Recorders that identify themselves, and the results for their recordings.
    for (file, recorder, task) in [
        ("flux/replay.recTr", "flux 4 (GivenApp, FreeRTOS replay)", "Sensor"),
        ("qp/qs.bin", "QS (QP 7.2.0, built 2026-11-28 17:13:26)", "Philo_inst[0]"),
        ("qp/rkh.bin", "RKH trace (RKH 3.4.00)", "blinky"),
    ] {
        let file = recording(file);
        // Neither QS nor RKH records the frequency of its timestamps.
        let rate = if file.contains("/qp/") { &["--tick-rate", "1M"][..] } else { &[] };
        let output = |command: &str| stdout(&[&[command, file.as_str()], rate].concat());
        let text = output("check");
        assert!(text.contains(recorder) && text.contains("\n  not recorded: "), "{text}");
        assert!(output("stats").contains(task), "{file}");
        assert!(output("dump").contains("task_switched_in"), "{file}");
    }
}

/// The `.dic` file beside a recording of QS contains the names that the recording lacks.
#[test]
fn names_beside_a_recording_are_used() {
    let folder = Folder::new("dic");
    let file = folder.path("philo.bin");
    let whole = stdout(&["dump", "--tick-rate", "10M", &recording("qp/qs.bin")]);
    let bytes = imported("qp/qs.bin");
    // Without the records in front, which have the names.
    let mut late = bytes[bytes.len() / 2..].to_vec();
    let damaged = late.len() / 2;
    late[damaged] ^= 1;
    fs::write(&file, &late).unwrap();
    assert!(!run(&["stats", &file]).text().contains("Table_inst"));
    let table = whole.split("(Table_inst)").next().unwrap().rsplit('=').next().unwrap();
    let table = format!("{:#x}", table.parse::<u32>().unwrap());
    let address = format!("0x00005584{}", &table[2..]);
    let text = format!("-v720\nObj-Dic:\n8\n{address} Table_inst\n***\n");
    fs::write(folder.path("philo.dic"), &text).unwrap();
    assert!(run(&["stats", &file]).text().contains("Table_inst"));
    // In an archive the file belongs to the recording of its name, else to those of its folder.
    for (name, is_found) in
        [("r/philo.dic", true), ("r/names.dic", true), ("philo.dic", false), ("r/philo.txt", false)]
    {
        let files = [("r/philo.bin", &late[..]), (name, text.as_bytes())];
        let archive = folder.file("r.zip", &zip(&files, true).unwrap());
        let ran = run(&["stats", &archive]);
        let has_name = ran.text().contains("Table_inst");
        assert_eq!(has_name, is_found, "{name}: {}", ran.stderr);
    }
    let json = run(&["check", "--json", &file]).json();
    let findings = json["findings"].as_array().unwrap();
    let found =
        findings.iter().find(|it| it["finding"].as_str().unwrap().contains("damaged bytes"));
    let offset = found.unwrap()["offset"].as_u64().unwrap();
    assert!(offset.abs_diff(damaged as u64) < 60, "{offset}, not {damaged}");
    let lines = json["sources"][0]["inferred"].to_string();
    assert!(lines.contains("those of the .dic file"), "{lines}");
}

#[test]
fn commands_read_streams_and_dumps_of_tracerecorder() {
    for (name, about) in [
        (
            "4.11-stream.psf",
            "Percepio TraceRecorder (version 4.8.1 to 4.11; FreeRTOS on 1 core; format 0x0E, 32 bits, little endian)",
        ),
        (
            "4.10-snapshot.bin",
            "Percepio TraceRecorder (a snapshot of format 7, 'Trace Recorder Demo')",
        ),
        ("4.11-ring-overwrite.bin", "a ring buffer of 24576 bytes that overwrites"),
    ] {
        let file = recording(&format!("percepio/{name}"));
        let text = stdout(&["check", &file]);
        assert!(text.lines().next().unwrap().contains(about), "{text}");
        let stats = stdout(&["stats", &file]);
        assert!(stats.contains("Consumer") && stats.contains("HighLock"), "{name}");
        // The same from a pipe, which is read once.
        let events = stdout(&["dump", &file]);
        let piped = run_with_stdin(&["dump", "-"], &fs::read(&file).unwrap()).assert_code(0);
        assert_eq!(piped.text(), events);
    }
    let json = run(&["check", "--json", &recording("percepio/4.11-stream-losses.psf")]).json();
    let findings = json["findings"].as_array().unwrap();
    let lost = findings.iter().find(|it| it["finding"] == "gap of lost events").unwrap();
    assert_eq!((&lost["offset"], &lost["amount"]), (&7796.into(), &223.into()));
}

#[test]
fn an_unreadable_file_is_named() {
    let error = |args: &[&str]| {
        let ran = run(args);
        assert_eq!(ran.code, Some(2), "{args:?}: {}", ran.stderr);
        ran.stderr
    };
    let folder = Folder::new("foreign");
    fs::copy(head("metadata"), folder.path("metadata")).unwrap();
    let name = folder.path("");
    let error_of_folder = error(&["check", &name]);
    assert!(error_of_folder.contains("and no stream: copy all files"), "{error_of_folder}");
    fs::write(folder.path("stream"), [0; 64]).unwrap();
    fs::write(folder.path("metadata"), "/* CTF 1.8 */\n\ntrace { major = ; };").unwrap();
    let error_of_metadata = error(&["check", &name]);
    let text = "metadata: line 3: a number is missing before ';'";
    assert!(error_of_metadata.contains(text), "{error_of_metadata}");
    // The user knows better.
    let systemview = recording("systemview/trimmed.bin");
    let as_ours = error(&["check", "--input-format", "tband", &systemview]);
    assert!(as_ours.contains("not a tband recording"), "{as_ours}");
    let as_other = error(&["check", "--input-format", "ctf", &systemview]);
    assert!(as_other.contains("is not a stream of a CTF trace: name the folder"), "{as_other}");
}

/// A CTF trace is read by its folder, its metadata, or its stream, and its mapping file is found beside it.
#[test]
fn a_folder_of_a_ctf_trace_is_an_input() {
    let folder = Folder::new("foreign-ctf");
    folder.file("metadata", &imported("ctf/barectf/metadata"));
    folder.file("stream", &imported("ctf/barectf/stream"));
    let all = folder.path("");
    let without = stdout(&["check", &all]);
    assert!(without.contains(": CTF 1.8 (barectf 3.2; application GivenApp; domain bare)\n"));
    assert!(without.contains("unless a mapping file (--ctf-map) names it"), "{without}");
    // Its packets begin as tband's do, and are encoded again.
    let made = Folder::new("foreign-ctf-made");
    let events = stdout(&["dump", &all]).lines().count();
    for version in ["ctf1", "ctf2"] {
        let ran = run(&["conv", "--to", version, "-o", &made.path(version), &all]).assert_code(0);
        assert!(ran.stderr.contains(&format!(": {events} events")), "{}", ran.stderr);
    }
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/src/guide/viewing/ctf-traces.md");
    let page = fs::read_to_string(page).unwrap();
    let (_, map) = page.split_once("```toml\n").unwrap();
    let (map, _) = map.split_once("```").unwrap();
    let others = Folder::new("foreign-ctf-map");
    others.file("map.toml", map.as_bytes());
    let named = stdout(&["stats", "--ctf-map", &others.path("map.toml"), &all]);
    assert!(named.contains("Consumer"), "{named}");
    folder.file("tband-map.toml", map.as_bytes());
    for name in ["", "metadata", "stream"] {
        assert_eq!(stdout(&["stats", &folder.path(name)]), named, "{name}");
    }
    // It is a recording, not a folder of tables.
    #[cfg(feature = "query")]
    {
        let sql = "SELECT count(*) > 10 AS enough FROM states WHERE task = 'Consumer' AND state = 'running'";
        assert_eq!(stdout(&["query", "--csv", sql, &all]), "enough\n1\n");
        assert!(stdout(&["diff", &all, "--", &all]).contains("Consumer"));
    }
    fs::write(folder.path("tband-map.toml"), "idle = 1").unwrap();
    let ran = run(&["stats", &all]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("tband-map.toml: line 1: a list is needed"), "{}", ran.stderr);
}

/// What belongs together is one recording, and what does not is reported.
#[test]
fn recordings_that_do_not_belong_together_are_reported() {
    let folder = Folder::new("foreign-two");
    let two = ["barectf", "barectf-discarded"].map(|name| {
        fs::create_dir(folder.path(name)).unwrap();
        for file in ["metadata", "stream"] {
            folder.file(&format!("{name}/{file}"), &imported(&format!("ctf/{name}/{file}")));
        }
        folder.path(name)
    });
    let text = |args: &[&str]| {
        let ran = run(&[&["check"], args].concat());
        assert_eq!(ran.code, Some(1), "{args:?}: {}", ran.stderr);
        ran.text()
    };
    let both = text(&[&two[0], &two[1]]);
    assert!(both.contains("have events of core 0 at the same time"), "{both}");
    let apart = text(&[&two[0], &format!("{}@1", two[1])]);
    assert!(apart.contains("2 cores") && !apart.contains("at the same time"), "{apart}");
    // Another recorder's file is no continuation.
    folder.file("philo.bin", &imported("qp/qs.bin"));
    folder.file("own.bin", &imported("tband/packets.bin"));
    let (philo, own) = (folder.path("philo.bin"), folder.path("own.bin"));
    for inputs in [[&philo, &own], [&own, &philo]] {
        let both = text(&inputs.map(String::as_str));
        let unknown =
            "unknown frequency of an input's timestamps, shown with that of another input";
        assert!(both.contains(unknown) && both.contains("philo.bin: byte 0: unknown"), "{both}");
        assert!(both.contains("as those of another input") && both.contains("25"), "{both}");
        assert!(!both.contains("damaged bytes in a recording"), "{both}");
        let known = run(&["check", "--tick-rate", "25M", inputs[0], inputs[1]]);
        assert!(!known.text().contains(unknown));
    }
    // The option is not ignored.
    for command in ["check", "stats"] {
        let ran = run(&[command, "--input-format", "systemview", &two[0]]);
        assert_fails(&ran, 2, &["barectf is the folder of a CTF trace, and --input-format names"]);
    }
    let stream = fs::read(folder.path("barectf/stream")).unwrap();
    let piped = run_with_stdin(&["check", "--input-format", "ctf", "-"], &stream);
    assert_fails(&piped, 2, &["stdin", "name the folder with its file metadata"]);
}

/// Each foreign recording, whole and with bytes missing, cut off, joined, or after others.
#[test]
fn findings_name_no_macro_of_this_recorder() {
    let folder = Folder::new("foreign-advice");
    for name in [
        "systemview/default.bin",
        "systemview/postmortem.bin",
        "percepio/4.11-stream.psf",
        "percepio/4.11-ring-overwrite.bin",
        "percepio/4.10-snapshot.bin",
        "flux/replay.recTr",
        "qp/qs.bin",
        "qp/rkh.bin",
        "linux/ftrace.txt",
        "linux/perf.txt",
    ] {
        let whole = imported(name);
        let half = whole.len() / 2;
        let without = [&whole[..half], &whole[half + 300..]].concat();
        let cut = whole[..half].to_vec();
        let twice = whole.repeat(2);
        let mixed = [&whole[..], &[0xFF; 1000], &whole[half..]].concat();
        for bytes in [whole, without, cut, twice, mixed] {
            let ran = run(&["check", &folder.file("r.bin", &bytes)]);
            let text = String::from_utf8_lossy(&ran.stdout).into_owned() + &ran.stderr;
            assert!(matches!(ran.code, Some(0 | 1)), "{name}: {text}");
            for own in ["tband_", "TBAND_", "tband.h"] {
                assert!(!text.contains(own), "{name}: {own}: {text}");
            }
        }
    }
}
