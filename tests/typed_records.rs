//! Records of the application's own on an emulated board: `tests/qemu/records`, with formats that are in the program's file only, and
//! with those that are in the recording.

#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};
use tband_programs::{Program, output, start};
use tband_tests::library::library;
use tband_tests::packets::packets;
use tband_tests::{root, temp_dir};
use xtask::board::{Board, build_firmware, run_firmware};

const BOARD: Board = Board::BareMetal;
const RECORD: u8 = 232;

fn build(format: &str, dictionary: u8) -> PathBuf {
    let settings = [format!("TBAND_FORMAT={format}"), format!("DICTIONARY={dictionary}")];
    build_as(&format!("records-{format}-{dictionary}"), &settings)
}

fn build_as(name: &str, settings: &[String]) -> PathBuf {
    /// Several tests use a folder.
    static BUILDS: Mutex<()> = Mutex::new(());
    let _one_at_a_time = BUILDS.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = root().join("target/test-qemu").join(name);
    let mut all = vec![format!("TBAND_LIBRARY={}", library(BOARD.triple()).display())];
    all.extend_from_slice(settings);
    build_firmware(&root().join("tests/qemu/records"), &folder, &BOARD.toolchain(root()), &all)
        .unwrap_or_else(|error| panic!("{error:#}"));
    folder.join("records.elf")
}

fn cli(folder: &Path, args: &[&str]) -> (String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tband-cli"));
    let ran = output(command.args(args).current_dir(folder)).expect("tband-cli runs");
    let printed = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert_eq!(ran.status.code(), Some(0), "{args:?}: {printed}");
    (String::from_utf8_lossy(&ran.stdout).into_owned(), printed)
}

/// Text and arguments of each record.
fn records(folder: &Path, more: &[&str]) -> Vec<(String, Value)> {
    records_of("trace.bin", folder, more)
}

fn records_of(recording: &str, folder: &Path, more: &[&str]) -> Vec<(String, Value)> {
    let (dumped, _) = cli(folder, &[&["dump", "--json", recording], more].concat());
    let lines = dumped.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let records = lines.filter(|it| it["event"] == "record" || it["event"] == "typed");
    records
        .map(|it| (it["text"].as_str().expect("a text").to_owned(), it["arguments"].clone()))
        .collect()
}

/// The pointer's name, and an address beside it.
#[track_caller]
fn is_named(pointer: &Value, name: &str) {
    assert_eq!(pointer["name"], json!(name), "{pointer}");
    assert!(
        pointer["address"].as_str().is_some_and(|at| at.starts_with("0x") && at != "0x0"),
        "{pointer}"
    );
}

/// The records of the program. For a function, its address is recorded.
fn assert_whole(records: &[(String, Value)]) {
    let texts: Vec<&str> = records.iter().map(|(text, _)| text.as_str()).collect();
    let expected = [
        "pos -7 of 100",
        "job 1",
        "motor: 3.25 V, 1",
        "received 10 00 ff 00 00",
        texts[4],
        "speed=-1500, load=73%",
        "-9223372036854775808 18446744073709551615 -1 -128 x",
        "a long text: which has no room in a record of 40 byt…, …",
        "inlined 1",
        "done",
        "C++ 5 text",
        "inline 6",
        "template, 4",
        "template, 8",
        "01 02 03, 0",
        "PHILO_STAT philosopher 200 thinking TIMEOUT_SIG BUSY_STATE 0",
        "record 6 -128 65535 -32768 4294967295 -2147483648",
        "record 7 18446744073709551615 -9223372036854775808 true",
        "record 8 1.5 -0.25 10 00 ff 00 00 dictionaries",
        "record 9 a text that has more characters than  …",
        texts[20],
        texts[21],
    ];
    assert_eq!(texts, expected);
    assert!(texts[4].starts_with("by 0x") || texts[4] == "by record", "{}", texts[4]);
    let arguments: Vec<&Value> = records.iter().map(|(_, arguments)| arguments).collect();
    assert_eq!(arguments[0], &json!([-7, 100]));
    assert_eq!(arguments[2], &json!(["motor", 3.25, 1]));
    assert_eq!(arguments[3], &json!(["1000ff0000"]));
    assert_eq!(arguments[6], &json!([i64::MIN, u64::MAX, -1, -128, 120]));
    assert_eq!(arguments[9], &json!([]));
    assert_eq!(arguments[14], &json!(["010203", false]));
    let expected = json!([200, "thinking", "TIMEOUT_SIG", "BUSY_STATE", 0]);
    assert_eq!(
        arguments[15].as_array().expect("arguments")[1..],
        expected.as_array().expect("it")[..]
    );
    is_named(&arguments[15][0], "philosopher");
    assert_eq!(arguments[17], &json!([u64::MAX, i64::MIN, true]));
    assert_eq!(arguments[18][2], json!("1000ff0000"));
    is_named(&arguments[18][3], "dictionaries");
}

#[test]
fn formats_are_in_the_program_only() {
    for format in ["PACKETS", "FRAMES"] {
        let elf = build(format, 0);
        let folder = temp_dir();
        run_firmware(BOARD.emulator(), &elf, folder.path(), None)
            .unwrap_or_else(|error| panic!("{error:#}"));
        let elf = elf.to_str().expect("text");
        let found = records(folder.path(), &["--elf", elf]);
        assert_whole(&found);
        // The offset is shown. Address 0 has no name.
        let (text, pointers) = &found[20];
        assert_eq!(text, "NULL buffer buffer+1");
        assert_eq!(pointers[0], json!({"address": "0x0"}));
        is_named(&pointers[1], "buffer");
        is_named(&pointers[2], "buffer+1");
        let address = |pointer: &Value| {
            let text = pointer["address"].as_str().expect("an address").trim_start_matches("0x");
            u32::from_str_radix(text, 16).expect("an address")
        };
        assert_eq!(address(&pointers[2]) - address(&pointers[1]), 1, "{pointers}");
        let (text, pointers) = &found[21];
        assert_eq!(text, "record 10 buffer+2 NULL pointers");
        assert_eq!(address(&pointers[2]) & 1, 1, "the address is as it was recorded: {pointers}");

        if format == "PACKETS" {
            assert_short(&folder.path().join("trace.bin"));
        }

        // Without the program nothing is misread, and all is there.
        let unknown = records(folder.path(), &[]);
        assert_eq!(unknown.len(), 22);
        for (text, arguments) in &unknown[..15] {
            assert!(text.starts_with("record with a format that is not known, at 0x"), "{text}");
            assert_eq!(arguments, &Value::Null);
        }

        // Nothing of the formats is loaded.
        let program = std::fs::read(elf).expect("a program");
        assert!(contains(&program, b"pos %d of %u"));
        assert!(!contains(&program, b"this is not in the program"));
        let loaded = folder.path().join("loaded.bin");
        let mut copy = Command::new("arm-none-eabi-objcopy");
        let copied = output(copy.args(["-O", "binary", elf]).arg(&loaded)).expect("objcopy");
        assert!(copied.status.success());
        assert!(!contains(&std::fs::read(loaded).expect("a file"), b"pos %d of %u"));
    }
}

/// The first record, `pos -7 of 100`, has two numbers: with its id and time it takes ten bytes at most.
fn assert_short(trace: &Path) {
    let recording = std::fs::read(trace).expect("a recording");
    let mut lens = Vec::new();
    for packet in packets(&recording).iter().filter(|it| it.header().stream == 0) {
        // One more than 2 * 7 - 1 and than 100, then the end.
        let content = packet.content();
        let ends = content.windows(3).position(|it| it == [14, 101, 0]).map(|at| at + 3);
        lens.extend(ends.and_then(|end| {
            let begin = content[..end].iter().rposition(|byte| *byte == RECORD)?;
            Some(end - begin)
        }));
    }
    println!("{lens:?} bytes");
    assert!(matches!(lens[..], [5..=10]), "{lens:?}");
}

fn contains(bytes: &[u8], text: &[u8]) -> bool {
    bytes.windows(text.len()).any(|it| it == text)
}

#[test]
fn formats_are_in_the_recording() {
    for format in ["PACKETS", "FRAMES"] {
        let elf = build(format, 1);
        let folder = temp_dir();
        run_firmware(BOARD.emulator(), &elf, folder.path(), None)
            .unwrap_or_else(|error| panic!("{error:#}"));
        assert_whole(&records(folder.path(), &[]));
    }
}

/// A program whose only difference is the text of a format, as long as before: all that is loaded is the same but for identity and build id.
#[test]
fn formats_of_another_program_are_not_used() {
    let format = "TBAND_FORMAT=PACKETS".to_owned();
    let elf = build("PACKETS", 0);
    let other = build_as("records-other", &[format, "TEXT=abc %d of %u".to_owned()]);
    let folder = temp_dir();
    run_firmware(BOARD.emulator(), &elf, folder.path(), None)
        .unwrap_or_else(|error| panic!("{error:#}"));
    let path = other.to_str().expect("text");
    let found = records(folder.path(), &["--elf", path]);
    for (text, arguments) in &found[..15] {
        assert!(text.starts_with("record with a format that is not known, at 0x"), "{text}");
        assert_eq!(arguments, &Value::Null);
    }
    for command in [
        &["dump", "trace.bin"][..],
        &["conv", "trace.bin", "-o", "t.pftrace"],
        &["check", "trace.bin"],
    ] {
        let (out, printed) = cli(folder.path(), &[command, &["--elf", path]].concat());
        let printed = out + &printed;
        assert!(printed.contains("are of another program (program @"), "{command:?}: {printed}");
        let (out, printed) =
            cli(folder.path(), &[command, &["--elf", elf.to_str().expect("text")]].concat());
        assert!(!(out + &printed).contains("another program"), "{command:?}");
    }
}

/// `record --elf` from a source other than memory, such as a serial port: readers of the recording need no program.
#[cfg(target_os = "linux")]
#[test]
fn record_puts_formats_of_the_program_into_the_recording() {
    for format in ["PACKETS", "FRAMES"] {
        let elf = build(format, 0);
        let folder = temp_dir();
        run_firmware(BOARD.emulator(), &elf, folder.path(), None)
            .unwrap_or_else(|error| panic!("{error:#}"));
        let record = |elf: &Path, to: &str| {
            let trace = std::fs::File::open(folder.path().join("trace.bin")).expect("a recording");
            let mut command = Command::new(env!("CARGO_BIN_EXE_tband-cli"));
            let args = ["record", "-", "-o", to, "--elf"];
            command.args(args).arg(elf).current_dir(folder.path()).stdin(trace);
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
            let ran = start(&mut command).and_then(Program::output).expect("tband-cli runs");
            assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        };
        record(&elf, "whole.bin");
        let mut found = records_of("whole.bin", folder.path(), &[]);
        let by_elf = records(folder.path(), &["--elf", elf.to_str().expect("text")]);
        assert_whole(&by_elf);
        // Names of functions and objects are the program's, unless the recording has them.
        for (at, begin) in [(4, "by 0x"), (20, "NULL 0x2"), (21, "record 10 0x2")] {
            assert!(found[at].0.starts_with(begin), "{:?}", found[at]);
            found[at] = by_elf[at].clone();
        }
        assert_eq!(found, by_elf);
        if format == "PACKETS" {
            let other = build_as(
                "records-other",
                &["TBAND_FORMAT=PACKETS".to_owned(), "TEXT=abc %d of %u".to_owned()],
            );
            record(&other, "other.bin");
            let found = records_of("other.bin", folder.path(), &[]);
            assert!(found[0].0.contains("a format that is not known"), "{:?}", found[0]);
            // Who then gives the right one knows better.
            assert_eq!(
                records_of("other.bin", folder.path(), &["--elf", elf.to_str().expect("text")]),
                by_elf
            );
        }
    }
}
