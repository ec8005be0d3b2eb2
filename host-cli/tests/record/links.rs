//! Connections of `record` and `command` that end, stall, or are replaced, and lines in use by another program.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Stdio;

use crate::support::recording::*;
use crate::support::*;
use tband_programs::until;

/// A device that was reset does not close its connection: it connects again. Visitors replace no device.
#[test]
fn a_device_that_was_reset_connects_again() {
    let folder = Folder::new("links-reset");
    let bytes = packed(100);
    let mut recording = Recording::start(&folder, &["--reconnect", "tcp-listen:127.0.0.1:0"]);
    let port = recording.port();
    let mut first = TcpStream::connect(to(port)).unwrap();
    first.write_all(&bytes).unwrap();
    recording.has(bytes.len());
    // One that disconnects, and one that is silent.
    drop(TcpStream::connect(to(port)).unwrap());
    let silent = TcpStream::connect(to(port)).unwrap();
    let mut second = TcpStream::connect(to(port)).unwrap();
    second.write_all(&bytes).unwrap();
    drop(silent);
    recording.has(2 * bytes.len());
    // Its end is that of the recording's source, as usual.
    drop(first);
    second.write_all(&bytes).unwrap();
    recording.has(3 * bytes.len());
    let ran = recording.interrupt();
    assert_fails(&ran, 0, &["it is silent, and another one has connected", "is back after"]);
    assert_eq!(Recording::bytes(&folder), bytes.repeat(3));
}

/// The system uses keep-alive to check the other end.
#[cfg(target_os = "linux")]
#[test]
fn keep_alive_detects_a_lost_peer() {
    let folder = Folder::new("links-alive");
    let bytes = packed(50);
    // The kind of timer that runs for a connection of this machine, by the ports at its ends.
    let timer = |from: u16, to: u16| {
        let table = fs::read_to_string("/proc/net/tcp").unwrap();
        let end = |port| format!("0100007F:{port:04X}");
        let mut lines = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
        let line = lines.find(|it| it[1] == end(from) && it[2] == end(to)).unwrap();
        line[5].split(':').next().unwrap().to_owned()
    };
    let mut recording = Recording::start(&folder, &["tcp-listen:127.0.0.1:0"]);
    let port = recording.port();
    let mut device = TcpStream::connect(to(port)).unwrap();
    device.write_all(&bytes).unwrap();
    recording.has(bytes.len());
    assert_eq!(timer(port, device.local_addr().unwrap().port()), "02", "keepalive");
    recording.interrupt();
    let (server, source) = listener();
    let mut recording = Recording::start_in(&folder, &[&source], "s.bin");
    let (mut client, from) = server.accept().unwrap();
    client.write_all(&bytes).unwrap();
    recording.has(bytes.len());
    assert_eq!(timer(from.port(), server.local_addr().unwrap().port()), "02", "keepalive");
    recording.interrupt();
}

/// Each of two would get a part of the bytes.
#[test]
fn a_serial_port_is_for_one() {
    let folder = Folder::new("links-serial");
    let (mut device, path) = line();
    let port = format!("serial:{path}@115200");
    let mut recording = Recording::start(&folder, &[&port]);
    recording.read_address();
    until(|| is_raw(&device).then_some(()));
    let bytes = packed(20);
    device.write_all(&bytes).unwrap();
    recording.has(bytes.len());
    let other = folder.path("other.bin");
    for args in [&["record", "-o", &other, &port][..], &["command", &port, "info"]] {
        assert_fails(&run(args), 2, &["cannot open", &path, "another program has it open"]);
    }
    assert_eq!(recording.interrupt().code, Some(0));
}

/// The message contains why there is no answer.
#[test]
fn reports_a_command_without_an_answer() {
    let folder = Folder::new("links-command");
    let kept = folder.file("kept.bin", b"from before");
    let (server, source) = listener();
    // Closed right after the command.
    let program = start(piped(&mut cli(&["command", "-o", &kept, &source, "info"]))).unwrap();
    let mut client = server.accept().unwrap().0;
    let _ = client.read(&mut [0; 200]).unwrap();
    drop(client);
    let ran_closed = ran(program.output().unwrap());
    assert_fails(&ran_closed, 2, &["no answer to info: the connection was closed, after 0 bytes"]);
    // Interrupted.
    let program = start(piped(&mut cli(&["command", "-o", &kept, &source, "info"]))).unwrap();
    let mut client = server.accept().unwrap().0;
    let _ = client.read(&mut [0; 200]).unwrap();
    signal(&program, "-INT");
    assert_fails(&ran(program.output().unwrap()), 2, &["no answer to info: interrupted"]);
    // No device is there. The file keeps its content as long as no bytes come.
    drop((client, server));
    let ran = run(&["command", "-o", &kept, &source, "info"]);
    assert_fails(&ran, 2, &["no server accepts a connection"]);
    assert_eq!(fs::read(&kept).unwrap(), b"from before");
    let ran = run(&["command", "-o", &folder.path("new.bin"), &source, "info"]);
    assert_fails(&ran, 2, &["no server accepts a connection"]);
    assert_eq!(folder.names(), ["kept.bin"]);
}

/// It is the result of --web, also if the recording is written to stdout.
#[test]
fn the_link_is_printed_without_a_reader_of_stdout() {
    let folder = Folder::new("links-quiet");
    fs::create_dir(folder.path("page")).unwrap();
    for name in ["index.html", "manifest.webmanifest", "sw.js", "icon.svg"] {
        folder.file(&format!("page/{name}"), name.as_bytes());
    }
    let page = folder.path("page");
    // stdout has no reader.
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let out = folder.path("r.bin");
    let args = ["record", "--web", "--dir", &page, "--port", "0", "-o", &out, "-"];
    let mut command = cli(&args);
    command.stdin(Stdio::piped()).stdout(Stdio::from(writer)).stderr(Stdio::piped());
    let mut program = start(&mut command).unwrap();
    program.stdin().unwrap().write_all(&packed(9)).unwrap();
    assert_fails(&ran(program.output().unwrap()), 0, &["http://localhost:", "r.bin: "]);
    assert_eq!(fs::read(&out).unwrap(), packed(9));
    // For other machines, with a warning.
    let args = [
        &["record", "--web", "--address", "0.0.0.0", "--dir", &page, "--port", "0"][..],
        &["-o", &folder.path("public.bin"), "-"],
    ];
    let mut program = start(piped(cli(&args.concat()).stdin(Stdio::piped()))).unwrap();
    program.stdin().unwrap().write_all(&packed(9)).unwrap();
    let warning = "warning: serving on 0.0.0.0:";
    assert_fails(&ran(program.output().unwrap()), 0, &[warning, "can read the recording\n"]);
    let unused = ["record", "--address", "0.0.0.0", "-o", "x", "-"];
    assert_fails(&finish(&mut cli(&unused)), 2, &["--web"]);
    // It is written to stdout.
    let args = ["-q", "record", "--web", "--dir", &page, "--port", "0", "-o", "-", "-"];
    let mut program = start(piped(cli(&args).stdin(Stdio::piped()))).unwrap();
    let stdin = program.stdin();
    let link = program.stderr_line();
    assert!(link.starts_with("http://localhost:"), "{link}");
    signal(&program, "-INT");
    assert_fails(&ran(program.output().unwrap()), 2, &["nothing came"]);
    drop(stdin);
}
