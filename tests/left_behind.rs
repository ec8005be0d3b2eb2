//! What `tband-cli` takes out of the memory of an emulated board, saved in each container, is what the firmware recorded. The
//! program is the one of `tests/qemu/debugger`.

#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::Command;

use tband_programs::output;
use tband_tests::debugged::{self, at};
use tband_tests::events::lines;
use tband_tests::packets::as_frames;
use tband_tests::temp_dir;

/// The board's memory that changes; some of it.
const RAM: (u64, u64) = (0x2000_0000, 0x2001_0000);

/// The commands for GDB that save it.
fn dumps() -> Vec<String> {
    let (from, to) = RAM;
    [("binary", "ram.bin"), ("ihex", "ram.hex"), ("srec", "ram.srec")]
        .iter()
        .map(|(kind, name)| format!("dump {kind} memory {name} {from:#x} {to:#x}"))
        .chain(["monitor dump-guest-memory ram.core".to_owned()])
        .collect()
}

struct ExtractOutput {
    code: Option<i32>,
    printed: String,
    bytes: Vec<u8>,
}

fn extract(folder: &Path, args: &[&str]) -> ExtractOutput {
    let _ = fs::remove_file(folder.join("left.bin"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_tband-cli"));
    let ran = output(command.args(["extract", "-o", "left.bin"]).args(args).current_dir(folder));
    let ran = ran.expect("tband-cli runs");
    let printed = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(!printed.contains("panicked"), "{printed}");
    let bytes = fs::read(folder.join("left.bin")).unwrap_or_default();
    ExtractOutput { code: ran.status.code(), printed, bytes }
}

/// Each container with the program, and the raw one with its address.
const IMAGES: [&[&str]; 4] =
    [&["--base", "0x20000000", "ram.bin"], &["ram.hex"], &["ram.srec"], &["ram.core"]];

fn with_program(image: &[&str]) -> Vec<String> {
    ["--elf", "debugged.elf"].iter().chain(image).map(|arg| (*arg).to_owned()).collect()
}

/// Runs to `place`, and saves the memory there.
fn saved(options: &str, place: &str, more: &[&str]) -> tempfile::TempDir {
    let folder = temp_dir();
    let elf = debugged::build(folder.path(), options, &debugged::archive());
    let dumps = dumps();
    let commands: Vec<&str> =
        dumps.iter().map(String::as_str).chain(more.iter().copied()).collect();
    let printed = at(&elf, folder.path(), place, &commands);
    let whole = fs::metadata(folder.path().join("ram.core")).is_ok_and(|meta| meta.len() > 1000);
    assert!(whole, "{printed}");
    folder
}

fn read(folder: &Path, name: &str) -> Vec<u8> {
    fs::read(folder.join(name)).unwrap_or_default()
}

const SNAPSHOT: &str = "-DRECORDS=1 -Dtband_configUSE_BACKEND_SNAPSHOT=1";
const STREAMING: &str = "-DRECORDS=1 -Dtband_configUSE_BACKEND_STREAMING=1";
const POST_MORTEM: &str = "-DRECORDS=1 -Dtband_configUSE_BACKEND_POST_MORTEM=1 \
                           -Dtband_configPACKET_BUF_ATTRIBUTE=";

/// Frames: the bytes are those that the program writes itself.
#[test]
fn frames_are_those_that_the_program_writes() {
    for (options, ring) in [
        (format!("-Os {SNAPSHOT}"), false),
        (format!("-O2 -flto -g -DCORES=2 {SNAPSHOT}"), false),
        (format!("-Os {STREAMING}"), true),
    ] {
        let folder = saved(&options, "hold", &[]);
        let own = read(folder.path(), "trace.bin");
        for image in IMAGES {
            let mut args = with_program(image);
            if ring {
                args.extend(["--ring".to_owned(), "ring".to_owned()]);
            }
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let left = extract(folder.path(), &args);
            assert_eq!(left.code, Some(0), "{args:?}: {}", left.printed);
            assert!(!own.is_empty() && own == left.bytes, "{options}, {args:?}: {}", left.printed);
        }
        // Without the program their place is unknown.
        let left = extract(folder.path(), IMAGES[0]);
        assert_eq!(left.code, Some(2));
        assert!(left.printed.contains("add --elf"), "{}", left.printed);
    }
}

fn values(lines: &[String], core: usize) -> Vec<String> {
    let of_core = format!("valmarker_id={core} val=");
    lines.iter().filter_map(|line| line.split_once(&of_core)).map(|it| it.1.to_owned()).collect()
}

/// While the program records, with open packets: the last events are those that it takes out itself afterwards.
#[test]
fn packets_with_the_open_one() {
    for build in ["-Os", "-O0 -g -DCORES=2"] {
        for (backend, packets) in [(POST_MORTEM, 6), (STREAMING, 6), (SNAPSHOT, 20)] {
            let options = format!("{build} -DPACKETS={packets} {backend}");
            let folder = saved(&options, "recorded", &["break hold", "continue"]);
            let own = lines(&as_frames(&read(folder.path(), "trace.bin")));
            for image in IMAGES {
                let cores = 1 + usize::from(build.contains("CORES"));
                let args = with_program(image);
                let args: Vec<&str> = args.iter().map(String::as_str).collect();
                let left = extract(folder.path(), &args);
                assert_eq!(left.code, Some(0), "{options} {args:?}: {}", left.printed);
                let found = lines(&as_frames(&left.bytes));
                let blind = extract(folder.path(), image);
                assert_eq!(blind.code, Some(0), "{options} {image:?}: {}", blind.printed);
                let blind = lines(&as_frames(&blind.bytes));
                for core in 0..cores {
                    let (own, found) = (values(&own, core), values(&found, core));
                    let len = own.len().min(found.len());
                    let ends = |all: &[String]| all[all.len() - len..].to_vec();
                    assert!(len > 20 && ends(&own) == ends(&found), "{own:?}\n{found:?}");
                    assert_eq!(found, values(&blind, core), "{options}");
                }
                let has = |text: &str| found.iter().any(|line| line.contains(text));
                assert!(
                    has("name=\"first\"") && (cores == 1 || has("name=\"second\"")),
                    "{found:#?}"
                );
            }
            // How fast the timer is.
            if backend == POST_MORTEM {
                let args = ["--elf", "debugged.elf", "--tick-rate", "1M", "ram.hex"];
                let found = lines(&as_frames(&extract(folder.path(), &args).bytes));
                let is_reported = |line: &String| line.contains("ts_frequency numerator=1000000");
                assert!(found.iter().any(is_reported), "{found:#?}");
            }
        }
    }
}

/// A reset, and the memory after the start-up code: the earlier recording, with its names, although the firmware has not
/// accessed it yet.
#[test]
fn after_a_reset() {
    let options = "-Os -DPACKETS=6 -DRECORDS=1 -Dtband_configUSE_BACKEND_POST_MORTEM=1 \
                   -Dtband_configPACKET_BUF_ATTRIBUTE=__attribute__((section(\".psram\")))";
    let before = saved(options, "recorded", &[]);
    let after = temp_dir();
    let elf = debugged::build(after.path(), options, &debugged::archive());
    let commands =
        ["monitor system_reset", "break main", "continue", "monitor dump-guest-memory ram.core"];
    let printed = at(&elf, after.path(), "recorded", &commands);
    let args = ["--elf", "debugged.elf", "ram.core"];
    let (before, after) = (extract(before.path(), &args), extract(after.path(), &args));
    assert_eq!(
        (before.code, after.code),
        (Some(0), Some(0)),
        "{}, {}, {printed}",
        before.printed,
        after.printed
    );
    let (before, after) = (lines(&as_frames(&before.bytes)), lines(&as_frames(&after.bytes)));
    assert!(values(&after, 0).len() > 20 && before == after, "{before:#?}, {after:#?}");
    assert!(after.iter().any(|line| line.contains("name=\"first\"")), "{after:#?}");
}
