//! Recordings out of the memory of an emulated board while its program records as fast as it can: through QEMU's GDB server,
//! and out of the file that QEMU shares its memory in. Every packet is complete, and missing ones were counted as discarded.
//! The program is the one of `tests/qemu/debugger`.

#![cfg(unix)]

use std::fs::{self, File};
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use tband_format::Event;
use tband_programs::{output, start, until};
use tband_tests::debugged::{self, running};
use tband_tests::events::lines;
use tband_tests::packets::{as_frames, packets};
use tband_tests::temp_dir;
use xtask::board::Board;

const STREAMING: &str = "-Os -DPACKETS=8 -DLIVE -DRECORDS=1 -Dtband_configUSE_BACKEND_STREAMING=1";
const POST_MORTEM: &str = "-Os -DPACKETS=8 -DLIVE -DRECORDS=1 -Dtband_configUSE_BACKEND_POST_MORTEM=1 \
                           -Dtband_configPACKET_BUF_ATTRIBUTE=";
/// All of the program's memory is where QEMU has what its option names.
const IN_FILE: &str = "-Wl,--defsym=board_ram=0x21000000 -Wl,--defsym=board_psram=0x21800000";

struct RecordOutput {
    code: Option<i32>,
    printed: String,
    bytes: Vec<u8>,
}

/// Records from a source, once it is there.
fn record(folder: &Path, source: &str, args: &[&str]) -> RecordOutput {
    let _ = fs::remove_file(folder.join("r.bin"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_tband-cli"));
    command.args(["record", "-o", "r.bin", source]).args(args).current_dir(folder);
    // Not `--reconnect`, which would hide that the first connection fails: only until the server listens.
    for _ in 0..600 {
        let ran = output(&mut command).expect("tband-cli runs");
        let printed = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(!printed.contains("panicked"), "{printed}");
        if printed.contains("no server accepts a connection") {
            thread::sleep(Duration::from_millis(50));
            continue;
        }
        let bytes = fs::read(folder.join("r.bin")).unwrap_or_default();
        return RecordOutput { code: ran.status.code(), printed, bytes };
    }
    panic!("no program is at {source}");
}

/// Returns the values of the markers in each packet of the core, in order, with its sequence number and the count of discarded
/// events by then.
fn by_packet(recording: &[u8]) -> Vec<(u16, u32, Vec<i64>)> {
    let of_cores = packets(recording).into_iter().filter(|packet| packet.header().stream == 0);
    of_cores
        .map(|packet| {
            let values = packet.events().filter_map(|event| match event.expect("an event").event {
                Event::Valmarker { val, .. } => Some(val),
                _ => None,
            });
            (packet.header().sequence, packet.header().discarded, values.collect())
        })
        .collect()
}

/// Checks that all packets are there, and that events missing between two equal the target's count of discarded ones: received
/// and discarded events are the recorded ones. Returns the first value, the last one, and the number of discarded ones.
fn assert_complete(recording: &[u8], least: usize) -> (i64, i64, i64) {
    let all = by_packet(recording);
    assert!(all.len() > least, "{} packets", all.len());
    let (mut missing, mut received) = (0, 0);
    for (_, _, values) in &all {
        assert!(values.windows(2).all(|pair| pair[0] + 1 == pair[1]), "{values:?}");
        received += values.len() as i64;
    }
    for pair in all.windows(2) {
        let [(sequence, discarded, values), (next, discarded_next, values_next)] = pair else {
            continue;
        };
        assert_eq!(sequence.wrapping_add(1), *next);
        let lost = values_next[0] - values[values.len() - 1] - 1;
        assert_eq!(lost, i64::from(discarded_next.wrapping_sub(*discarded)), "{sequence}");
        missing += lost;
    }
    let (first, last) = (all[0].2[0], *all[all.len() - 1].2.last().expect("values"));
    assert_eq!(received + missing, last - first + 1);
    println!("{} packets, {received} received, {missing} discarded", all.len());
    (first, last, missing)
}

/// For a ring that is overwritten: the next packet is the following one, otherwise packets are missing too.
fn assert_in_order(recording: &[u8], least: usize) {
    let all = by_packet(recording);
    assert!(all.len() > least, "{} packets", all.len());
    for pair in all.windows(2) {
        let [(sequence, _, values), (next, _, values_next)] = pair else { continue };
        let is_next = sequence.wrapping_add(1) == *next;
        let follows = values.last().map(|last| last + 1) == values_next.first().copied();
        assert_eq!(is_next, follows, "{sequence}, {next}");
    }
}

const OF_ELF: [&str; 2] = ["--elf", "debugged.elf"];

/// The target stops for each look. Afterwards it runs on, also if the recording failed.
#[test]
fn a_stream_through_a_gdb_server() {
    for (options, rates) in
        [(STREAMING, &["", "", "2M"][..]), (&format!("{STREAMING} -DRUN_TIME_HZ"), &["", ""])]
    {
        let folder = temp_dir();
        let elf = debugged::build(folder.path(), options, &debugged::archive());
        let (_qemu, port) = running(Board::BareMetal, &elf, folder.path(), &[]);
        let source = format!("gdb:127.0.0.1:{port}");
        let mut before = -1;
        for rate in rates {
            let mut args = [&OF_ELF[..], &["--until", "events:1500"]].concat();
            args.extend((!rate.is_empty()).then_some(["--tick-rate", rate]).iter().flatten());
            let recorded = record(folder.path(), &source, &args);
            assert_eq!(recorded.code, Some(0), "{}", recorded.printed);
            // The event that reports the rate came with the first recording.
            let hz = if rate.is_empty() { 1_000_000 } else { 2_000_000 };
            let names = lines(&as_frames(&recorded.bytes));
            for text in ["name=\"first\"", &format!("ts_frequency numerator={hz}")] {
                assert!(names.iter().any(|line| line.contains(text)), "{text}");
            }
            let (first, last, missing) = assert_complete(&recorded.bytes, 20);
            assert!(missing > 0 && first > before, "{first} after {before}, {missing}");
            before = last;
        }
    }
}

/// The ELF file of something else, and of another build: refused, and the target, which the connection has stopped, runs on.
#[test]
fn another_program_than_the_one_that_runs() {
    let (folder, others) = (temp_dir(), temp_dir());
    let elf = debugged::build(folder.path(), STREAMING, &debugged::archive());
    let (_qemu, port) = running(Board::BareMetal, &elf, folder.path(), &[]);
    let source = format!("gdb:127.0.0.1:{port}");
    let args = [&OF_ELF[..], &["--until", "events:300"]].concat();
    let mut before = -1;
    let same_code = STREAMING.replace("PACKETS=8", "PACKETS=9");
    for options in ["", &format!("{STREAMING} -DTYPED"), &same_code] {
        let other = if options.is_empty() {
            env!("CARGO_BIN_EXE_tband-cli").into()
        } else {
            debugged::build(others.path(), options, &debugged::archive())
        };
        let failed = record(folder.path(), &source, &["--elf", other.to_str().expect("a path")]);
        assert!(
            failed.code == Some(2) && failed.printed.contains("another program is in the target"),
            "{options}: {}",
            failed.printed
        );
        let recorded = record(folder.path(), &source, &args);
        assert_eq!(recorded.code, Some(0), "{options}: {}", recorded.printed);
        let (_, last, _) = assert_complete(&recorded.bytes, 2);
        assert!(last > before, "{options}: {last} after {before}");
        before = last;
    }
}

/// A server that has a client: the second one reports that, and the first one continues.
#[test]
fn a_second_client_of_a_server() {
    let folder = temp_dir();
    let elf = debugged::build(folder.path(), STREAMING, &debugged::archive());
    let (_qemu, port) = running(Board::BareMetal, &elf, folder.path(), &[]);
    let source = format!("gdb:127.0.0.1:{port}");
    // QEMU listens when it can answer.
    let args = [&OF_ELF[..], &["--until", "events:300"]].concat();
    assert_eq!(record(folder.path(), &source, &args).code, Some(0));
    let mut command = Command::new(env!("CARGO_BIN_EXE_tband-cli"));
    command.args(["record", "-o", "first.bin", &source]).args(OF_ELF);
    let mut first = start(command.current_dir(folder.path())).expect("tband-cli runs");
    let kept = || fs::metadata(folder.path().join("first.bin")).map_or(0, |it| it.len());
    until(|| (kept() > 0).then_some(()));
    let second = record(folder.path(), &source, &args);
    assert_eq!(second.code, Some(2), "{}", second.printed);
    assert!(second.printed.contains("another client is connected"), "{}", second.printed);
    assert!(!second.printed.contains("no GDB server"), "{}", second.printed);
    let before = kept();
    until(|| (kept() > before).then_some(()));
    assert!(first.try_wait().expect("tband-cli").is_none());
}

#[test]
fn a_ring_that_is_overwritten_through_a_gdb_server() {
    let folder = temp_dir();
    let elf = debugged::build(folder.path(), POST_MORTEM, &debugged::archive());
    let (_qemu, port) = running(Board::BareMetal, &elf, folder.path(), &[]);
    let args = [&OF_ELF[..], &["--until", "events:1200"]].concat();
    let recorded = record(folder.path(), &format!("gdb:127.0.0.1:{port}"), &args);
    assert_eq!(recorded.code, Some(0), "{}", recorded.printed);
    assert_in_order(&recorded.bytes, 10);
}

/// The control block of RTT is found by its symbol, and read in place of the rings.
#[test]
fn rtt_through_a_gdb_server() {
    let folder = temp_dir();
    let options = format!("{STREAMING} -Dtband_configUSE_RTT=1");
    let elf = debugged::build(folder.path(), &options, &debugged::archive());
    let (_qemu, port) = running(Board::BareMetal, &elf, folder.path(), &[]);
    let args = [&OF_ELF[..], &["--until", "events:1200"]].concat();
    let recorded = record(folder.path(), &format!("gdb:127.0.0.1:{port}"), &args);
    assert_eq!(recorded.code, Some(0), "{}", recorded.printed);
    assert_complete(&recorded.bytes, 10);
}

/// Nothing stops the target, whose memory is a file.
#[test]
fn out_of_the_file_that_qemu_has_its_memory_in() {
    let rtt = format!("{STREAMING} -Dtband_configUSE_RTT=1");
    for (options, is_stream) in [(STREAMING, true), (POST_MORTEM, false), (&rtt, true)] {
        let folder = temp_dir();
        let elf =
            debugged::build(folder.path(), &format!("{options} {IN_FILE}"), &debugged::archive());
        let ram = folder.path().join("ram");
        File::create(&ram).and_then(|file| file.set_len(16 << 20)).expect("a file");
        let backend =
            format!("memory-backend-file,id=ram,size=16M,share=on,mem-path={}", ram.display());
        let more = ["-machine", "memory-backend=ram", "-object", &backend];
        let (mut qemu, _) = running(Board::BareMetal, &elf, folder.path(), &more);
        // It has started to record.
        until(|| {
            assert!(qemu.try_wait().expect("QEMU").is_none());
            let begin = fs::read(&ram).expect("the memory");
            begin.windows(5).take(1 << 20).any(|bytes| bytes == b"first").then_some(())
        });
        let args = [&OF_ELF[..], &["--until", "events:30k"]].concat();
        let recorded = record(folder.path(), "ram:ram@0x21000000", &args);
        assert_eq!(recorded.code, Some(0), "{options}: {}", recorded.printed);
        let names = lines(&as_frames(&recorded.bytes));
        assert!(names.iter().any(|line| line.contains("name=\"first\"")), "{options}");
        if is_stream {
            assert_complete(&recorded.bytes, 100);
        } else {
            assert_in_order(&recorded.bytes, 50);
        }
        // The recording was started once.
        let mut check = Command::new(env!("CARGO_BIN_EXE_tband-cli"));
        let ran = output(check.args(["check", "r.bin"]).current_dir(folder.path())).expect("runs");
        let printed = String::from_utf8_lossy(&ran.stdout).into_owned();
        assert!(printed.contains("discarded") || printed.contains("lost"), "{printed}");
        for wrong in ["restarted", "later start"] {
            // If nothing was read while a ring was overwritten by half the range of the sequence numbers, the loss cannot be
            // noticed.
            assert!(!is_stream || !printed.contains(wrong), "{options}: {printed}");
        }
        // It still runs, and its last packets are taken out of the memory once more.
        assert!(qemu.try_wait().expect("QEMU").is_none());
        if !is_stream {
            let mut command = Command::new(env!("CARGO_BIN_EXE_tband-cli"));
            command.args([
                "extract",
                "-o",
                "left.bin",
                "--elf",
                "debugged.elf",
                "ram:ram@0x21000000",
            ]);
            let ran = output(command.current_dir(folder.path())).expect("tband-cli runs");
            let printed = String::from_utf8_lossy(&ran.stderr).into_owned();
            assert!(matches!(ran.status.code(), Some(0 | 1)), "{printed}");
            assert!(
                !by_packet(&fs::read(folder.path().join("left.bin")).expect("a recording"))
                    .is_empty()
            );
        }
    }
}

/// The formats of records are in the recording, though they are in the program's file only.
#[test]
fn formats_of_records_go_into_the_recording() {
    let folder = temp_dir();
    let options = format!("{STREAMING} -DTYPED");
    let elf = debugged::build(folder.path(), &options, &debugged::archive());
    let (_qemu, port) = running(Board::BareMetal, &elf, folder.path(), &[]);
    let args = [&OF_ELF[..], &["--until", "events:500"]].concat();
    let recorded = record(folder.path(), &format!("gdb:127.0.0.1:{port}"), &args);
    assert_eq!(recorded.code, Some(0), "{}", recorded.printed);
    let mut command = Command::new(env!("CARGO_BIN_EXE_tband-cli"));
    command.args(["dump", "--event", "record", "r.bin"]).current_dir(folder.path());
    let ran = output(&mut command).expect("tband-cli runs");
    let printed = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(printed.lines().count() > 100, "{printed}");
    assert!(printed.lines().all(|line| line.contains(" \"round ")), "{printed}");
}
