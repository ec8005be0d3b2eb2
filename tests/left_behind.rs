//! What `tband-cli` takes out of the memory of an emulated board, saved in each container or through a GDB server, is what
//! the firmware recorded. The program is the one of `tests/qemu/debugger`.

#![cfg(unix)]

use std::fs;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use tband_format::Event;
use tband_programs::{Program, output, start};
use tband_tests::debugged::{self, at};
use tband_tests::events::lines;
use tband_tests::packets::{as_frames, packets};
use tband_tests::{root, temp_dir};
use xtask::board::{Board, build_firmware};

/// The library for the board. Made once.
fn archive() -> &'static Path {
    static ARCHIVE: OnceLock<PathBuf> = OnceLock::new();
    ARCHIVE.get_or_init(|| {
        let folder = root().join("target/test-qemu/libraries/left-behind");
        let toolchain = Board::BareMetal.toolchain(root());
        build_firmware(root(), &folder, &toolchain, &[])
            .unwrap_or_else(|error| panic!("{error:#}"));
        folder.join("lib/libtband.a")
    })
}

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

struct Extracted {
    code: Option<i32>,
    said: String,
    bytes: Vec<u8>,
}

fn extract(folder: &Path, args: &[&str]) -> Extracted {
    let _ = fs::remove_file(folder.join("left.bin"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_tband-cli"));
    let ran = output(command.args(["extract", "-o", "left.bin"]).args(args).current_dir(folder));
    let ran = ran.expect("tband-cli runs");
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(!said.contains("panicked"), "{said}");
    let bytes = fs::read(folder.join("left.bin")).unwrap_or_default();
    Extracted { code: ran.status.code(), said, bytes }
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
    let elf = debugged::build(folder.path(), options, archive());
    let dumps = dumps();
    let commands: Vec<&str> =
        dumps.iter().map(String::as_str).chain(more.iter().copied()).collect();
    let said = at(&elf, folder.path(), place, &commands);
    let whole = fs::metadata(folder.path().join("ram.core")).is_ok_and(|meta| meta.len() > 1000);
    assert!(whole, "{said}");
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
            assert_eq!(left.code, Some(0), "{args:?}: {}", left.said);
            assert!(!own.is_empty() && own == left.bytes, "{options}, {args:?}: {}", left.said);
        }
        // Without the program nothing says where they are.
        let left = extract(folder.path(), IMAGES[0]);
        assert_eq!(left.code, Some(2));
        assert!(left.said.contains("add --elf"), "{}", left.said);
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
                assert_eq!(left.code, Some(0), "{options} {args:?}: {}", left.said);
                let found = lines(&as_frames(&left.bytes));
                let blind = extract(folder.path(), image);
                assert_eq!(blind.code, Some(0), "{options} {image:?}: {}", blind.said);
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

/// A reset, and the memory as the start-up code leaves it: what was recorded before, with its names, although nothing of
/// the firmware has looked there yet.
#[test]
fn after_a_reset() {
    let options = "-Os -DPACKETS=6 -DRECORDS=1 -Dtband_configUSE_BACKEND_POST_MORTEM=1 \
                   -Dtband_configPACKET_BUF_ATTRIBUTE=__attribute__((section(\".psram\")))";
    let before = saved(options, "recorded", &[]);
    let after = temp_dir();
    let elf = debugged::build(after.path(), options, archive());
    let commands =
        ["monitor system_reset", "break main", "continue", "monitor dump-guest-memory ram.core"];
    let said = at(&elf, after.path(), "recorded", &commands);
    let args = ["--elf", "debugged.elf", "ram.core"];
    let (before, after) = (extract(before.path(), &args), extract(after.path(), &args));
    assert_eq!(
        (before.code, after.code),
        (Some(0), Some(0)),
        "{}, {}, {said}",
        before.said,
        after.said
    );
    let (before, after) = (lines(&as_frames(&before.bytes)), lines(&as_frames(&after.bytes)));
    assert!(values(&after, 0).len() > 20 && before == after, "{before:#?}, {after:#?}");
    assert!(after.iter().any(|line| line.contains("name=\"first\"")), "{after:#?}");
}

/// Lets the program run in QEMU, whose GDB server is at a port.
fn running(elf: &Path, folder: &Path) -> (Program, u16) {
    let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
    let [emulator, machine @ ..] = Board::BareMetal.emulator() else { unreachable!("an emulator") };
    let mut qemu = Command::new(emulator);
    qemu.args(machine).args(["-display", "none", "-monitor", "none", "-serial", "none"]);
    qemu.args(["-semihosting-config", "enable=on,target=native", "-icount", "shift=6,sleep=off"]);
    qemu.args(["-gdb", &format!("tcp:127.0.0.1:{port}"), "-kernel"]).arg(elf).current_dir(folder);
    qemu.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    (start(&mut qemu).expect("QEMU starts"), port)
}

fn record(folder: &Path, port: u16, args: &[&str]) -> Extracted {
    let _ = fs::remove_file(folder.join("r.bin"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_tband-cli"));
    command.args([
        "record",
        "-o",
        "r.bin",
        "--elf",
        "debugged.elf",
        &format!("gdb:127.0.0.1:{port}"),
    ]);
    command.args(args).current_dir(folder);
    // Not `--reconnect`, which would hide that the first connection fails: only until the server listens.
    for _ in 0..600 {
        let ran = output(&mut command).expect("tband-cli runs");
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(!said.contains("panicked"), "{said}");
        if said.contains("nobody accepts a connection") {
            thread::sleep(Duration::from_millis(50));
            continue;
        }
        let bytes = fs::read(folder.join("r.bin")).unwrap_or_default();
        return Extracted { code: ran.status.code(), said, bytes };
    }
    panic!("no server at port {port}");
}

/// Values of the markers in each packet of a core, in order, with its sequence number and what was discarded by then.
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

/// A program that records as fast as it can, and a GDB server that stops it to read: every packet is whole, and what is
/// missing between two is what the target says it has discarded. Afterwards the program runs on.
#[test]
fn a_stream_through_a_gdb_server() {
    let folder = temp_dir();
    let options = format!("-Os -DPACKETS=8 -DLIVE {STREAMING}");
    let elf = debugged::build(folder.path(), &options, archive());
    let (_qemu, port) = running(&elf, folder.path());
    let mut last = 0;
    for _ in 0..2 {
        let args = ["--until", "events:1500", "--tick-rate", "1M"];
        let recorded = record(folder.path(), port, &args);
        assert_eq!(recorded.code, Some(0), "{}", recorded.said);
        let names = lines(&as_frames(&recorded.bytes));
        for text in ["name=\"first\"", "ts_frequency numerator=1000000"] {
            assert!(names.iter().any(|line| line.contains(text)), "{text}");
        }
        let all = by_packet(&recorded.bytes);
        let mut missing = 0;
        for pair in all.windows(2) {
            let [(sequence, discarded, values), (next, discarded_next, values_next)] = pair else {
                continue;
            };
            assert_eq!(sequence.wrapping_add(1), *next);
            let (end, begin) =
                (values.last().copied().unwrap(), values_next.first().copied().unwrap());
            let lost = begin - end - 1;
            assert_eq!(lost, i64::from(discarded_next.wrapping_sub(*discarded)), "{end}, {begin}");
            missing += lost;
        }
        for (_, _, values) in &all {
            assert!(values.windows(2).all(|pair| pair[0] + 1 == pair[1]), "{values:?}");
        }
        assert!(missing > 0 && all.len() > 20, "{} packets, {missing} missing", all.len());
        let first = all[0].2[0];
        assert!(first > last || last == 0, "{first} after {last}");
        last = first;
    }
}

/// As above, with a ring that is overwritten.
#[test]
fn a_ring_that_is_overwritten_through_a_gdb_server() {
    let folder = temp_dir();
    let options = format!("-Os -DPACKETS=8 -DLIVE {POST_MORTEM}");
    let elf = debugged::build(folder.path(), &options, archive());
    let (_qemu, port) = running(&elf, folder.path());
    let recorded = record(folder.path(), port, &["--until", "events:1200"]);
    assert_eq!(recorded.code, Some(0), "{}", recorded.said);
    let all = by_packet(&recorded.bytes);
    assert!(all.len() > 10, "{}", all.len());
    for pair in all.windows(2) {
        let [(sequence, _, values), (next, _, values_next)] = pair else { continue };
        let is_next = sequence.wrapping_add(1) == *next;
        let follows = values.last().map(|last| last + 1) == values_next.first().copied();
        assert_eq!(is_next, follows, "{sequence}, {next}");
    }
}

/// As above, with the control block of RTT, which is found by its symbol and read in place of the rings.
#[test]
fn rtt_through_a_gdb_server() {
    let folder = temp_dir();
    let options = format!("-Os -DPACKETS=8 -DLIVE {STREAMING} -Dtband_configUSE_RTT=1");
    let elf = debugged::build(folder.path(), &options, archive());
    let (_qemu, port) = running(&elf, folder.path());
    let recorded = record(folder.path(), port, &["--until", "events:1200"]);
    assert_eq!(recorded.code, Some(0), "{}", recorded.said);
    let all = by_packet(&recorded.bytes);
    assert!(all.len() > 10, "{}", all.len());
    for pair in all.windows(2) {
        let [(sequence, discarded, values), (next, discarded_next, values_next)] = pair else {
            continue;
        };
        assert_eq!(sequence.wrapping_add(1), *next);
        let (end, begin) = (values.last().copied().unwrap(), values_next[0]);
        let lost = begin - end - 1;
        assert_eq!(lost, i64::from(discarded_next.wrapping_sub(*discarded)), "{end}, {begin}");
    }
}

/// What a server says that is asked this; it closes the connection for `None`.
type Answers = fn(&str, &[u8]) -> Option<Vec<u8>>;

fn framed(body: &str) -> Vec<u8> {
    let sum = body.bytes().fold(0_u8, u8::wrapping_add);
    format!("+${body}#{sum:02x}").into_bytes()
}

/// A server for one connection, with the memory of a board that stands still.
fn server(memory: Vec<u8>, answers: Answers) -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        let (stream, _) = listener.accept().unwrap();
        serve(stream, &memory, answers);
    });
    port
}

fn serve(mut stream: TcpStream, memory: &[u8], answers: Answers) {
    let mut pending = Vec::new();
    let mut buf = [0; 4096];
    while let Ok(len) = stream.read(&mut buf) {
        if len == 0 {
            return;
        }
        pending.extend_from_slice(&buf[..len]);
        while let Some(end) =
            pending.iter().position(|byte| *byte == b'#').filter(|end| pending.len() > end + 2)
        {
            let packet: Vec<u8> = pending.drain(..end + 3).collect();
            let begin = packet.iter().position(|byte| *byte == b'$').unwrap();
            let asked = String::from_utf8_lossy(&packet[begin + 1..end]).into_owned();
            let Some(answer) = answers(&asked, memory) else { return };
            if stream.write_all(&answer).is_err() {
                return;
            }
        }
    }
}

/// As a server answers that reads memory while the target runs.
fn honest(asked: &str, memory: &[u8]) -> Option<Vec<u8>> {
    if asked == "c" {
        return Some(b"+".to_vec());
    }
    if asked == "?" {
        return Some(framed("T05"));
    }
    if asked.starts_with("qSupported") {
        return Some(framed("PacketSize=200;QStartNoAckMode+"));
    }
    let Some((at, len)) = asked.strip_prefix('m').and_then(|it| it.split_once(',')) else {
        return Some(framed("OK"));
    };
    let [at, len] = [at, len].map(|it| usize::from_str_radix(it, 16).unwrap());
    let from = at.wrapping_sub(RAM.0 as usize);
    let Some(bytes) = memory.get(from..from.saturating_add(len)) else {
        return Some(framed("E01"));
    };
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    Some(framed(&digits))
}

/// Without a halt, and whatever a server says: no panic, no wait without an end.
#[test]
fn servers_that_read_while_the_target_runs_and_hostile_ones() {
    let folder = saved(&format!("-Os -DPACKETS=6 {POST_MORTEM}"), "recorded", &[]);
    let memory = read(folder.path(), "ram.bin");
    let port = server(memory.clone(), honest);
    let recorded = record(folder.path(), port, &["--no-halt", "--until", "events:20"]);
    assert_eq!(recorded.code, Some(0), "{}", recorded.said);
    let found = values(&lines(&as_frames(&recorded.bytes)), 0);
    assert!(found.len() > 20, "{found:?}");

    // A target that a connection stops, as QEMU's, or that stops by itself, and text for the console: the server says so
    // without being asked.
    let port = server(memory.clone(), |asked, memory| {
        let unasked = if asked == "c" {
            Vec::new()
        } else {
            [framed("T02thread:01;"), framed("O6869")].concat()
        };
        Some([unasked, honest(asked, memory)?].concat())
    });
    let recorded = record(folder.path(), port, &["--no-halt", "--until", "events:20"]);
    assert_eq!(recorded.code, Some(0), "{}", recorded.said);
    assert_eq!(values(&lines(&as_frames(&recorded.bytes)), 0), found);

    let hostile: &[(Answers, &str)] = &[
        (|_, _| None, "closed the connection"),
        (|_, _| Some(b"SSH-2.0-OpenSSH_9.2\r\n$#00".to_vec()), "no target that is stopped"),
        (|_, _| Some(b"+$abc#00+$abc#00$abc#00".to_vec()), "checksums are wrong"),
        (|_, _| Some([b"+$".to_vec(), vec![b'a'; 100_000]].concat()), "has no end"),
        (|_, _| Some(b"+$*~#a8".to_vec()), "damaged"),
        (|_, _| Some(b"+$}".repeat(30_000)), ""),
        (
            |asked, memory| {
                if asked.starts_with('m') { Some(framed("E01")) } else { honest(asked, memory) }
            },
            "does not read",
        ),
        (
            |asked, memory| {
                if asked.starts_with('m') { Some(framed("12")) } else { honest(asked, memory) }
            },
            "does not read",
        ),
        (
            |asked, memory| {
                if asked.starts_with('m') { Some(framed("xyzt")) } else { honest(asked, memory) }
            },
            "does not read",
        ),
        (
            |asked, memory| {
                if asked.starts_with("qS") {
                    Some(framed("PacketSize=0"))
                } else {
                    honest(asked, memory)
                }
            },
            "no room",
        ),
        (
            |asked, memory| if asked == "?" { Some(framed("W00")) } else { honest(asked, memory) },
            "no target",
        ),
        (|_, _| Some(framed("T05").repeat(1000)), "nothing else"),
    ];
    for (number, (answers, text)) in hostile.iter().enumerate() {
        let port = server(memory.clone(), *answers);
        let recorded = record(
            folder.path(),
            port,
            &["--no-halt", "--until", "events:20", "--until", "time:1ms"],
        );
        assert!(matches!(recorded.code, Some(1 | 2)), "{number}: {}", recorded.said);
        assert!(recorded.said.contains(text), "{number}: {}", recorded.said);
    }
    // What does not fit.
    let port = server(memory, honest);
    fs::write(folder.path().join("debugged.elf"), "no program").unwrap();
    let wrong = record(folder.path(), port, &[]);
    assert!(wrong.code == Some(2) && wrong.said.contains("is no ELF file"), "{}", wrong.said);
}
