//! Firmware that sends its recording itself, with the files in `port/senders`, and `tband-cli record` at the other end: its
//! file equals the recorded events, and missing ones were counted. `c_abi` has the other senders.

#![cfg(unix)]

use std::fs::{self, File};
use std::io::Read;
use std::net::{Ipv4Addr, TcpListener};
use std::process::{Command, Stdio};
use std::thread;

use tband_format::packet::METADATA_STREAM;
use tband_programs::{Program, output, start, until};
use tband_tests::c::Firmware;
use tband_tests::senders::{CONFIG, ReceivedData, run, without_damage};
use tband_tests::{packets::packets, temp_dir};
use tempfile::TempDir;

fn firmware(program: &str) -> Firmware {
    Firmware::new(program, &CONFIG)
}

/// Starts `record`, which prints its port. Returns the port.
fn record(source: &str) -> (Program, u16, TempDir) {
    let folder = temp_dir();
    let mut command = Command::new(env!("CARGO_BIN_EXE_tband-cli"));
    command.args(["record", "-o", "r.bin", source]).current_dir(folder.path());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut program = start(&mut command).expect("tband-cli runs");
    let line = program.stderr_line();
    let port = line.split(' ').nth(1).and_then(|name| name.rsplit(':').next()?.parse().ok());
    (program, port.unwrap_or_else(|| panic!("{line}")), folder)
}

#[test]
fn tcp_to_record() {
    let (recording, port, folder) = record("tcp-listen:127.0.0.1:0");
    let (_, count) = run(&firmware("sender_socket"), &["tcp", &port.to_string(), "0"]);
    assert_eq!(recording.output().expect("its end").status.code(), Some(1)); // the other side has ended
    let came = ReceivedData::of(&fs::read(folder.path().join("r.bin")).expect("a recording"));
    println!("{} of {count} values, {} discarded", came.values.len(), came.discarded);
    assert!(came.is_all(count) && came.gaps == 0 && came.values.len() > 1000);
}

#[test]
fn udp_to_record() {
    let (recording, port, folder) = record("udp-listen:127.0.0.1:0");
    let (_, count) = run(&firmware("sender_socket"), &["udp", &port.to_string(), "0"]);
    let came = until(|| {
        let bytes = fs::read(folder.path().join("r.bin")).expect("a recording");
        let came = ReceivedData::of(&without_damage(&bytes).0); // the last one may be cut still
        came.is_all(count).then_some(came)
    });
    println!("{} of {count} values, {} discarded", came.values.len(), came.discarded);
    assert_eq!(came.gaps, 0);
    assert!(came.values.len() > 1000);
    let mut interrupt = Command::new("kill");
    interrupt.args(["-INT", &recording.id().to_string()]);
    assert!(output(&mut interrupt).expect("kill").status.success());
    assert_eq!(recording.output().expect("its end").status.code(), Some(0));
}

/// Each connection begins with a whole packet, the one that was cut in the last, and the names.
#[test]
fn tcp_connections_that_break() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let computer = thread::spawn(move || {
        let mut connections = Vec::new();
        for most in [30_000, 20_001, u64::MAX] {
            let (stream, _) = listener.accept().expect("a connection");
            let mut bytes = Vec::new();
            stream.take(most).read_to_end(&mut bytes).expect("bytes");
            connections.push(bytes);
        }
        connections
    });
    let (_, count) = run(&firmware("sender_socket"), &["tcp", &port.to_string(), "2"]);
    let mut all = Vec::new();
    for connection in computer.join().expect("bytes") {
        let (whole, damaged) = without_damage(&connection);
        assert!(damaged <= 1 && connection.starts_with(&whole), "cut at the end only");
        let begin = &packets(&whole)[..2];
        assert!(begin.iter().any(|packet| packet.header().stream == METADATA_STREAM));
        all.extend(whole);
    }
    let came = ReceivedData::of(&all);
    let unknown = came.unknown(count);
    println!("{} of {count} values, {} packets", came.values.len(), came.gaps);
    assert!(unknown <= came.gaps * came.most && came.values.len() > 1000, "{unknown}");
}

#[test]
fn a_file() {
    let folder = temp_dir();
    let path = folder.path().join("trace.bin");
    let (_, count) = run(&firmware("sender_file"), &[path.to_str().expect("a name")]);
    let came = ReceivedData::of(&fs::read(path).expect("a recording"));
    assert!(came.is_all(count) && came.gaps == 0 && came.values.len() > 1000, "{came:?}");
}

/// Returns the output of `record` for a source that is the file `swo.bin`, in a folder that has it.
fn record_swo(source: &str, output_file: &str, swo: &[u8]) -> (Option<i32>, String, Vec<u8>) {
    let folder = temp_dir();
    let path = folder.path().join("swo.bin");
    fs::write(&path, swo).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tband-cli"));
    command.args(["record", "-o", output_file, source]).current_dir(folder.path());
    command.stdin(File::open(&path).expect("a file"));
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let ran = start(&mut command).expect("tband-cli runs").output().expect("its end");
    assert_eq!(fs::read(path).expect("the input"), swo, "{source}");
    let printed = String::from_utf8_lossy(&ran.stderr).into_owned();
    (ran.status.code(), printed, fs::read(folder.path().join(output_file)).unwrap_or_default())
}

/// Among packets of other ports, of the hardware and of timestamps.
#[test]
fn swo() {
    let (pin, count) = run(&firmware("sender_itm"), &[]);
    let (code, printed, recording) = record_swo("itm:3:-", "r.bin", &pin);
    assert_eq!(code, Some(0), "{printed}");
    let came = ReceivedData::of(&recording);
    println!("{} bytes: {} of {count} values, {printed}", pin.len(), came.values.len());
    assert!(came.is_all(count) && came.gaps == 0);
    assert!(came.values.len() > 1000 && came.discarded > 0);

    // Some bytes are lost on the way: the recording reports it, and all complete packets are right.
    let mut cut = pin.clone();
    for at in (1000..pin.len() - 100).rev().step_by(9973) {
        cut.drain(at..at + 3);
    }
    let (code, printed, recording) = record_swo("itm:3:-", "r.bin", &cut);
    assert_eq!(code, Some(0), "{printed}");
    assert!(printed.contains("damaged"), "{printed}");
    let (whole, damaged) = without_damage(&recording);
    let some = ReceivedData::of(&whole);
    println!("{damaged} damaged, {} values", some.values.len());
    assert!(damaged > 0 && some.gaps > 0 && some.values.len() > came.values.len() / 3);

    for (source, expected) in [
        ("itm:32:-", "write itm:N:SOURCE, with the number of a stimulus port, 0 to 31"),
        ("itm:-", "write itm:N:SOURCE"),
        ("itm:1:itm:1:-", "SWO comes over tcp"),
        ("itm:1:gdb:localhost:1", "SWO comes over tcp"),
        ("itm:1:nothing", "is not a source"),
    ] {
        let (code, printed, _) = record_swo(source, "r.bin", &pin);
        assert!(code == Some(2) && printed.contains(expected), "{source}: {code:?}, {printed}");
    }
    let (code, printed, _) = record_swo("itm:3:file:swo.bin", "swo.bin", &pin);
    assert_eq!(code, Some(2), "{printed}");
}
