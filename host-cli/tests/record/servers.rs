//! `record` from servers of debug probes: RTT over TCP, and the remote protocol of GDB.

use std::fs;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::thread;

use crate::support::recording::Recording;
use crate::support::*;
use tband_format::Event;
use tband_format::packet::MAGIC;
use tband_programs::until;

/// The first bytes of J-Link's server.
const BANNER: &[u8] = b"SEGGER J-Link V7.88i - Real time terminal output\r\n\
                        J-Link OB-STM32F103 compiled Mar  8 2023, SN=77\r\nProcess: JLinkExe\r\n";

/// Returns a recording of this many switches between two tasks, in packets of 256 bytes.
fn packed(count: u64) -> Vec<u8> {
    let name = tband_recordings::str;
    let mut bytes = frame(0, Event::TaskName { task_id: 1, name: name("one") });
    for number in 1..=count {
        let task_id = 1 + (number % 2) as u32;
        bytes.extend(frame(number * 10, Event::TaskSwitchedIn { task_id }));
    }
    tband_recordings::packed::packed(&bytes, 256)
}

fn listener() -> (TcpListener, String) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = listener.local_addr().unwrap().to_string();
    (listener, address)
}

fn read_recording(folder: &Folder) -> Vec<u8> {
    fs::read(folder.path("r.bin")).unwrap_or_default()
}

/// It sends a banner, stalls in the middle of it and of a packet, closes, and returns with another banner.
#[test]
fn an_rtt_server_that_stalls_closes_and_returns() {
    let folder = Folder::new("record-rtt");
    let (listener, address) = listener();
    let bytes = packed(3000);
    let until_size = format!("size:{}", bytes.len() - 77);
    let source = format!("tcp:{address}");
    let args = ["record", "-o", "r.bin", "--reconnect", "--until", &until_size, &source];
    let mut command = cli(&args);
    let program = start(piped(command.current_dir(&folder.0))).unwrap();
    // The second connection begins with a packet.
    let packet = MAGIC.to_le_bytes();
    let begins = (bytes.len() / 2..).find(|at| bytes[*at..].starts_with(&packet)).unwrap();
    let half = begins - 77;
    let (mut first, _) = listener.accept().unwrap();
    first.write_all(&BANNER[..30]).unwrap();
    first.write_all(&BANNER[30..]).unwrap();
    first.write_all(&bytes[..100]).unwrap();
    until(|| (read_recording(&folder).len() == 100).then_some(()));
    first.write_all(&bytes[100..half]).unwrap();
    until(|| (read_recording(&folder).len() == half).then_some(()));
    drop(first);
    let (mut second, _) = listener.accept().unwrap();
    second.write_all(&[BANNER, &bytes[half..]].concat()).unwrap();
    let ran = ran(program.output().unwrap()).assert_code(0);
    assert!(ran.stderr.contains("the source is back"), "{}", ran.stderr);
    // The recording after the second banner begins with the next packet: the rest of the one before is useless. So is the
    // beginning of that packet.
    let first = (0..half).rfind(|at| bytes[*at..].starts_with(&packet)).unwrap();
    assert_eq!(fs::read(folder.0.join("r.bin.rest")).unwrap(), &bytes[first..half]);
    assert_eq!(read_recording(&folder), [&bytes[..first], &bytes[begins..]].concat());
}

/// It continues inside a packet that began while it was away. Only the packets between are missing.
#[test]
fn a_source_that_returns_inside_a_packet() {
    let (listener, address) = listener();
    let bytes = packed(3000);
    let magic = MAGIC.to_le_bytes();
    let begins = |from: usize| (from..).find(|at| bytes[*at..].starts_with(&magic)).unwrap();
    for inside in [1, 3, 20, 90] {
        let folder = Folder::new("record-returns");
        let (left, returned) = (begins(500), begins(1500));
        let mut recording = Recording::start(&folder, &["--reconnect", &format!("tcp:{address}")]);
        let (mut first, _) = listener.accept().unwrap();
        first.write_all(&bytes[..left + inside]).unwrap();
        recording.has(left + inside);
        drop(first);
        let (mut second, _) = listener.accept().unwrap();
        second.write_all(&bytes[returned + inside..]).unwrap();
        let next = begins(returned + 1);
        recording.has(left + bytes.len() - next);
        recording.interrupt().assert_code(0);
        assert_eq!(Recording::bytes(&folder), [&bytes[..left], &bytes[next..]].concat());
        let rest = fs::read(folder.path("r.bin.rest")).unwrap();
        let parts = [&bytes[left..left + inside], &bytes[returned + inside..next]];
        assert_eq!(rest, parts.concat(), "{inside}");
    }
}

#[test]
fn a_channel_of_j_link() {
    let folder = Folder::new("record-jlink");
    let (listener, address) = listener();
    let bytes = packed(200);
    let source = format!("jlink:{address}@3");
    let mut command = cli(&["record", "-o", "r.bin", &source]);
    let program = start(piped(command.current_dir(&folder.0))).unwrap();
    let (mut stream, _) = listener.accept().unwrap();
    let asks = b"$$SEGGER_TELNET_ConfigStr=RTTCh;3$$";
    let mut asked = [0; 35];
    stream.read_exact(&mut asked).unwrap();
    assert_eq!(&asked, asks);
    stream.write_all(&[BANNER, &bytes].concat()).unwrap();
    drop(stream);
    ran(program.output().unwrap()).assert_code(1);
    assert_eq!(read_recording(&folder), bytes);
    for wrong in ["jlink:localhost:19021", "jlink:localhost@1", "jlink:a:1@x", "jlink:a:1@256"] {
        assert_fails(&run(&["record", wrong]), 2, &["jlink:localhost:19021@1"]);
    }
}

/// A GDB server whose target is halted by a connection: returns its requests, and whether the target runs afterwards.
fn gdb(mut stream: TcpStream, answer: impl Fn(&str) -> &'static str) -> (Vec<String>, bool) {
    let (mut asked, mut runs) = (Vec::new(), false);
    let mut byte = [0];
    let mut next =
        |stream: &mut TcpStream| matches!(stream.read(&mut byte), Ok(1)).then(|| byte[0]);
    while let Some(first) = next(&mut stream) {
        if first == 3 {
            runs = false;
            let _ = stream.write_all(b"$S02#b5");
        }
        if first != b'$' {
            continue;
        }
        let mut text = String::new();
        while let Some(byte) = next(&mut stream).filter(|byte| *byte != b'#') {
            text.push(byte.into());
        }
        let (_, _) = (next(&mut stream), next(&mut stream));
        runs = runs || matches!(text.as_str(), "c" | "D");
        let answer = if text == "c" { None } else { Some(answer(&text)) };
        asked.push(text);
        if let Some(answer) = answer {
            let sum = answer.bytes().fold(0_u8, u8::wrapping_add);
            let _ = stream.write_all(format!("+${answer}#{sum:02x}").as_bytes());
        }
    }
    (asked, runs)
}

/// Whatever is wrong, the target that the connection has halted runs on.
#[test]
fn a_target_runs_on_when_recording_it_fails() {
    let folder = Folder::new("record-gdb");
    // An ELF file with symbols, of a program without tband's.
    let elf = env!("CARGO_BIN_EXE_tband-cli");
    type Answer = fn(&str) -> &'static str;
    let usual: Answer = |text| match text {
        "qSupported" => "PacketSize=1000",
        "?" => "S05",
        "D" => "OK",
        _ => "E01",
    };
    let exited: Answer = |text| match text {
        "?" => "W00",
        "D" => "OK",
        _ => "",
    };
    for (answer, no_halt, printed) in [
        (usual, false, "no tband_debugger_setup"),
        (usual, true, "no tband_debugger_setup"),
        (exited, false, "no target that is stopped"),
    ] {
        let (listener, address) = listener();
        let server = thread::spawn(move || gdb(listener.accept().unwrap().0, answer));
        let source = format!("gdb:{address}");
        let mut args = vec!["record", "-o", "r.bin", "--elf", elf, &source];
        args.extend(no_halt.then_some("--no-halt"));
        let ran = ran(start(piped(cli(&args).current_dir(&folder.0))).unwrap().output().unwrap());
        assert_fails(&ran, 2, &[printed]);
        let (asked, runs) = server.join().unwrap();
        assert!(runs && asked.last().is_some_and(|last| last == "D"), "{asked:?}");
    }
}

#[cfg(not(feature = "probe"))]
#[test]
fn a_program_without_probes_names_the_servers() {
    assert_fails(&run(&["record", "probe:"]), 2, &["built without debug probes", "gdb:"]);
}
