//! `record` from targets with other recorders, which send nothing before they get a start command.

use std::fs::{self, OpenOptions};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;

use tband_programs::until;

use crate::support::recording::*;
use crate::support::*;

/// The start command of TraceRecorder, and the command to stop.
const TZ: [[u8; 8]; 2] = [[1, 1, 0, 0, 0, 0, 0xFD, 0xFF], [1, 0, 0, 0, 0, 0, 0xFE, 0xFF]];

/// The target's end of a connection: waits for the start, and sends its recording after it.
fn target<T: Read + Write>(mut link: T, start: &[u8], sent: &[u8]) -> T {
    assert_eq!(read(&mut link, start.len()), start);
    link.write_all(sent).unwrap();
    link
}

fn read(link: &mut impl Read, len: usize) -> Vec<u8> {
    let mut bytes = vec![0; len];
    link.read_exact(&mut bytes).unwrap();
    bytes
}

/// Other commands read the recording, which has the bytes that the target sent.
fn assert_recorded(folder: &Folder, bytes: &[u8], recorder: &str) {
    assert!(Recording::bytes(folder) == bytes);
    assert!(!folder.names().contains(&"r.bin.rest".to_owned()), "{:?}", folder.names());
    let checked = run(&["check", &folder.path("r.bin")]);
    let text = checked.text();
    assert_eq!(checked.code, Some(0), "{text}{}", checked.stderr);
    assert!(text.contains(recorder), "{text}");
}

#[test]
fn a_target_behind_a_server_is_started_and_stopped() {
    let psf = imported("percepio/4.11-stream.psf");
    let systemview = imported("systemview/trimmed.bin");
    for (format, bytes, [start, stop], recorder) in [
        ("systemview", systemview, [&[1][..], &[2]], "SEGGER SystemView"),
        ("tracerecorder", psf, [&TZ[0][..], &TZ[1]], "TraceRecorder"),
    ] {
        let folder = Folder::new("foreign-server");
        let (server, source) = listener();
        let mut recording = Recording::start(&folder, &["--input-format", format, &source]);
        let mut target = target(server.accept().unwrap().0, start, &bytes);
        recording.has(bytes.len());
        let ran = recording.interrupt().assert_code(0);
        assert!(
            ran.stderr.contains(" events") && !ran.stderr.contains("damaged"),
            "{}",
            ran.stderr
        );
        assert_eq!(read(&mut target, stop.len()), stop);
        assert_recorded(&folder, &bytes, recorder);
    }
}

/// The greetings of a serial line are no part of the recording.
#[test]
fn a_target_on_a_serial_line_is_greeted() {
    let folder = Folder::new("foreign-serial");
    let bytes = imported("systemview/trimmed.bin");
    let (device, path) = line();
    let port = format!("serial:{path}@115200");
    let mut recording = Recording::start(&folder, &["--input-format", "systemview", &port]);
    until(|| is_raw(&device).then_some(()));
    let mut target = target(device, b"SV\x03\x03\x01", &[b"SV\x03\x02", &bytes[..]].concat());
    recording.has(bytes.len());
    assert_eq!(recording.interrupt().code, Some(0));
    assert_eq!(read(&mut target, 1), [2]);
    assert_recorded(&folder, &bytes, "SEGGER SystemView");
}

/// Where a connection is lost, the next one starts the target again, and nothing of tband gets between its bytes.
#[test]
fn a_target_that_returns_is_started_again() {
    let folder = Folder::new("foreign-returns");
    let bytes = imported("systemview/trimmed.bin");
    let args = ["--reconnect", "--input-format", "systemview-v11", "tcp-listen:127.0.0.1:0"];
    let mut recording = Recording::start(&folder, &args);
    let port = recording.port();
    for round in 1..=2 {
        let stream = TcpStream::connect(to(port)).unwrap();
        drop(target(stream, &[1], &bytes));
        recording.has(round * bytes.len());
    }
    assert_eq!(recording.interrupt().code, Some(0));
    assert!(Recording::bytes(&folder) == bytes.repeat(2));
}

/// J-Link's server has a banner in front of a recording that begins with no packet of tband.
#[test]
fn a_banner_in_front_of_another_recording_is_left_out() {
    let folder = Folder::new("foreign-banner");
    let bytes = imported("systemview/trimmed.bin");
    let (server, source) = listener();
    let source = format!("{}@1", source.replace("tcp:", "jlink:"));
    let mut recording = Recording::start(&folder, &["--input-format", "systemview", &source]);
    let (stream, _) = server.accept().unwrap();
    let banner = b"SEGGER J-Link V7.88i - Real time terminal output\r\nProcess: JLinkExe\r\n";
    let start = [b"$$SEGGER_TELNET_ConfigStr=RTTCh;1$$", &[1][..]].concat();
    let _target = target(stream, &start, &[&banner[..], &bytes].concat());
    recording.has(bytes.len());
    assert_eq!(recording.interrupt().code, Some(0));
    assert_recorded(&folder, &bytes, "SEGGER SystemView");
}

/// Recordings of each importer, with every last byte, whether or not the user names the recorder; into a file and a pipe.
#[test]
fn a_recording_of_another_recorder_ends_with_its_last_byte() {
    for (name, format) in [
        ("percepio/4.11-stream.psf", "tracerecorder"),
        ("systemview/default.bin", "systemview"),
        ("flux/replay.recTr", "auto"),
        ("linux/ftrace.txt", "ftrace"),
        ("qp/qs.bin", "qs"),
        ("qp/rkh.bin", "rkh"),
    ] {
        let bytes = imported(name);
        // A byte that no frame ends with.
        assert_ne!(bytes.last(), Some(&0), "{name}");
        for format in ["auto", format] {
            let folder = Folder::new("foreign-last");
            let out = folder.path("r.bin");
            for to in [&*out, "-"] {
                let args = ["record", "--input-format", format, "-o", to, "-"];
                let ran = run_with_stdin(&args, &bytes);
                assert_eq!(ran.code, Some(0), "{name}: {}", ran.stderr);
                let kept = if to == "-" { ran.stdout } else { fs::read(&out).unwrap() };
                assert!(kept == bytes, "{name} {format} {to}: {} of {}", kept.len(), bytes.len());
            }
            assert_eq!(folder.names(), ["r.bin"], "{name}");
        }
    }
}

/// A file that grows shows the tasks of the recorder that writes it.
#[test]
fn top_follows_a_file_of_another_recorder() {
    let folder = Folder::new("foreign-top");
    let bytes = imported("systemview/trimmed.bin");
    let (begin, rest) = bytes.split_at(bytes.len() / 3);
    let path = folder.file("grows.SVDat", begin);
    let args = ["top", "--once", "--window", "20ms", "--follow", &path];
    let program = start(piped(&mut cli(&args))).unwrap();
    let grows = {
        let (path, rest) = (path.clone(), rest.to_vec());
        thread::spawn(move || {
            let mut file = OpenOptions::new().append(true).open(path).unwrap();
            rest.chunks(1000).for_each(|piece| file.write_all(piece).unwrap());
        })
    };
    let ran = ran(program.output().unwrap());
    grows.join().unwrap();
    let text = ran.text();
    assert!(text.contains("Producer") && text.contains("Consumer"), "{text}{}", ran.stderr);
}
