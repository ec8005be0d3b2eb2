//! Firmware that sends its recording itself, with the files in `port/senders`, and `tband-cli record` at the other end: what
//! is in its file is what was recorded, and what is missing was counted. `c_abi` has the other senders.

#![cfg(unix)]

use std::fs;
use std::io::Read;
use std::net::{Ipv4Addr, TcpListener};
use std::process::{Command, Stdio};
use std::thread;

use tband_format::packet::METADATA_STREAM;
use tband_programs::{Program, output, start, until};
use tband_tests::c::Firmware;
use tband_tests::senders::{CONFIG, Came, run, without_damage};
use tband_tests::{packets::packets, temp_dir};
use tempfile::TempDir;

fn firmware(program: &str) -> Firmware {
    Firmware::new(program, &CONFIG)
}

/// Starts `record`, which says where it listens: its port.
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
    let came = Came::of(&fs::read(folder.path().join("r.bin")).expect("a recording"));
    println!("{} of {count} values, {} discarded", came.values.len(), came.discarded);
    assert!(came.is_all(count) && came.gaps == 0 && came.values.len() > 1000);
}

#[test]
fn udp_to_record() {
    let (recording, port, folder) = record("udp-listen:127.0.0.1:0");
    let (_, count) = run(&firmware("sender_socket"), &["udp", &port.to_string(), "0"]);
    let came = until(|| {
        let bytes = fs::read(folder.path().join("r.bin")).expect("a recording");
        let came = Came::of(&bytes);
        // The system drops datagrams for which a socket has no room.
        (came.is_all(count) || came.gaps > 0).then_some(came)
    });
    println!("{} of {count} values, {} packets", came.values.len(), came.gaps);
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
    let came = Came::of(&all);
    let unknown = came.unknown(count);
    println!("{} of {count} values, {} packets", came.values.len(), came.gaps);
    assert!(unknown <= came.gaps * came.most && came.values.len() > 1000, "{unknown}");
}

#[test]
fn a_file() {
    let folder = temp_dir();
    let path = folder.path().join("trace.bin");
    let (_, count) = run(&firmware("sender_file"), &[path.to_str().expect("a name")]);
    let came = Came::of(&fs::read(path).expect("a recording"));
    assert!(came.is_all(count) && came.gaps == 0 && came.values.len() > 1000, "{came:?}");
}
