//! `record`: each source, each end, and the resulting content of the file.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;

use crate::support::recording::*;
use crate::support::*;
use tband_conv::packets::{PacketPiece, PacketReader};
use tband_conv::wire::gap::SOURCE_GAP;
use tband_format::Event;
use tband_programs::until;

#[test]
fn stdin_to_its_end() {
    let folder = Folder::new("record-stdin");
    for bytes in [switches(500), packed(500)] {
        let out = folder.path("r.bin");
        let ran = run_with_stdin(&["record", "-o", &out, "-"], &bytes).assert_code(0);
        assert!(ran.stderr.contains(&format!("{} bytes, 5", bytes.len())), "{}", ran.stderr);
        assert_eq!(Recording::bytes(&folder), bytes);
        // On to the next program.
        let ran = run_with_stdin(&["record", "-o", "-", "-"], &bytes);
        assert_eq!((ran.code, ran.stdout), (Some(0), bytes), "{}", ran.stderr);
    }
}

/// An existing one is not overwritten. The times are of the received bytes, in order; and alignment by them gives all inputs
/// the time of this computer.
#[test]
fn times_of_receiving_are_kept_beside_it() {
    let folder = Folder::new("record-times");
    let bytes = switches(300);
    let ns = |time: std::time::SystemTime| {
        let since = time.duration_since(std::time::UNIX_EPOCH).unwrap();
        u64::try_from(since.as_nanos()).unwrap()
    };
    let before = ns(std::time::SystemTime::now());
    // No copies of each other.
    let name = Event::TaskName { task_id: 3, name: tband_recordings::str("three") };
    let other = [frame(0, name), bytes.clone()].concat();
    for (name, bytes) in [("one.bin", bytes.clone()), ("two.bin", other)] {
        let (server, source) = listener();
        let recording = Recording::start_in(&folder, &["--times", &source], name);
        let mut client = server.accept().unwrap().0;
        for piece in bytes.chunks(bytes.len() / 8 + 1) {
            client.write_all(piece).unwrap();
        }
        drop(client);
        assert_eq!(recording.end().code, Some(1));
        let text = fs::read_to_string(folder.path(&format!("{name}.times"))).unwrap();
        let times: Vec<(u64, u64)> = text
            .lines()
            .map(|line| line.split_once(' ').unwrap())
            .map(|(end, at)| (end.parse().unwrap(), at.parse().unwrap()))
            .collect();
        assert!(times.windows(2).all(|pair| pair[0].0 < pair[1].0), "{times:?}");
        assert_eq!(times.last().unwrap().0, bytes.len() as u64);
        assert!(
            times.iter().all(|(_, at)| (before..=ns(std::time::SystemTime::now())).contains(at))
        );
    }
    let (one, two) = (folder.path("one.bin"), folder.path("two.bin"));
    // By hand: the last events are of 3 ms.
    let ends = [(bytes.len() / 2, 1_001_500_000_u64), (bytes.len() * 2, 1_003_000_000)];
    let lines: String = ends.iter().map(|(end, at)| format!("{end} {at}\n")).collect();
    for file in [&one, &two] {
        fs::write(format!("{file}.times"), &lines).unwrap();
    }
    let args = ["check", "--align", "received", "--align-within", "100us"];
    let ran = run(&[&args[..], &[&format!("{one}@0"), &format!("{two}@1")]].concat());
    assert!(ran.stderr.contains("against this computer's"), "{}", ran.stderr);
    fs::write(format!("{two}.times"), "7 x\n").unwrap();
    let ran = run(&[&args[..], &[&format!("{one}@0"), &format!("{two}@1")]].concat());
    assert_fails(
        &ran,
        2,
        &["two.bin.times: line 1 is '7 x', not a number of bytes and a time in ns"],
    );
    let ran = run(&["record", "--times", "-o", "-", "-"]);
    assert_fails(&ran, 2, &["--times"]);
}

#[test]
fn without_a_name_it_is_the_next_that_is_free() {
    let folder = Folder::new("record-names");
    for name in ["recording.bin", "recording-2.bin"] {
        folder.file("input.bin", &switches(5));
        let mut command = cli(&["record", "--until", "events:3", "file:input.bin"]);
        let ran = finish(command.current_dir(&folder.0)).assert_code(0);
        assert!(ran.stderr.contains(name), "{}", ran.stderr);
    }
    assert_eq!(folder.names(), ["input.bin", "recording-2.bin", "recording.bin"]);
}

#[test]
fn a_file_that_grows() {
    let folder = Folder::new("record-file");
    let bytes = switches(300);
    let (head, rest) = bytes.split_at(1001);
    let path = folder.file("ram", head);
    let mut recording = Recording::start(&folder, &[&format!("file:{path}")]);
    recording.has(head.len());
    OpenOptions::new().append(true).open(&path).unwrap().write_all(rest).unwrap();
    recording.has(bytes.len());
    recording.interrupt().assert_code(0);
    assert_eq!(Recording::bytes(&folder), bytes);
}

/// Its writer starts again: with --reconnect the recording continues.
#[test]
fn reconnect_continues_with_a_replaced_file() {
    let folder = Folder::new("record-again");
    let (first, second) = (packed(50), packed(20));
    let path = folder.file("ram", &first);
    let mut recording = Recording::start(&folder, &["--reconnect", &format!("file:{path}")]);
    recording.has(first.len());
    fs::write(folder.path("next"), &second).unwrap();
    fs::rename(folder.path("next"), &path).unwrap();
    recording.has(first.len() + second.len());
    let ran = recording.interrupt();
    assert_fails(&ran, 0, &["it has ended", "the source is back after"]);
    assert_eq!(Recording::bytes(&folder), [first, second].concat());
}

/// A server that stalls, closes, disappears, and returns.
#[test]
fn a_server_that_goes_and_returns() {
    let folder = Folder::new("record-tcp");
    let (server, source) = listener();
    let bytes = switches(400);
    let mut recording = Recording::start(&folder, &["--reconnect", &source]);
    let (mut client, _) = server.accept().unwrap();
    // In the middle of a frame, and nothing for a while.
    client.write_all(&bytes[..1002]).unwrap();
    recording.has(1002);
    client.write_all(&bytes[1002..1500]).unwrap();
    recording.has(1500);
    let address = server.local_addr().unwrap();
    drop((client, server));
    let server = until(|| TcpListener::bind(address).ok());
    let (mut client, _) = server.accept().unwrap();
    client.write_all(&bytes[1500..]).unwrap();
    drop(client);
    // The frame that the connection broke off in is beside the recording.
    let cut = bytes[..1500].iter().rposition(|byte| *byte == 0).unwrap() + 1;
    recording.has(bytes.len() - 1500 + cut + SOURCE_GAP.len());
    let ran = recording.interrupt();
    assert_fails(
        &ran,
        0,
        &["the source is gone after 1500 bytes", "waiting for it", "is back after"],
    );
    let kept = Recording::bytes(&folder);
    assert_eq!(kept, [&bytes[..cut], SOURCE_GAP, &bytes[1500..]].concat());
    assert_eq!(fs::read(folder.0.join("r.bin.rest")).unwrap(), &bytes[cut..1500]);
    // The gap is reported.
    let checked = run(&["check", &folder.path("r.bin")]);
    assert_fails(&checked, 1, &[]);
    let text = checked.text();
    assert!(text.contains("loss: gap while the source was away\n"), "{text}");
}

#[test]
fn a_server_that_closes_ends_the_recording() {
    let folder = Folder::new("record-closed");
    let (server, source) = listener();
    let recording = Recording::start(&folder, &[&source]);
    server.accept().unwrap().0.write_all(&packed(40)).unwrap();
    assert_fails(&recording.end(), 1, &["it has ended", "add --reconnect"]);
    assert_eq!(Recording::bytes(&folder), packed(40));
    // No server is there.
    drop(server);
    let ran = run(&["record", "-o", &folder.path("none.bin"), &source]);
    assert_fails(&ran, 2, &[&source[4..], "no server accepts a connection"]);
    assert_eq!(folder.names(), ["r.bin"]);
}

#[test]
fn devices_that_connect() {
    let folder = Folder::new("record-listen");
    let bytes = packed(100);
    let mut recording = Recording::start(&folder, &["--reconnect", "tcp-listen:127.0.0.1:0"]);
    let port = recording.port();
    for count in 1..=2 {
        TcpStream::connect(to(port)).unwrap().write_all(&bytes).unwrap();
        recording.has(count * bytes.len());
    }
    assert_eq!(recording.interrupt().code, Some(0));
    assert_eq!(Recording::bytes(&folder), bytes.repeat(2));
}

/// One packet per datagram; empty ones are not an end.
#[test]
fn datagrams() {
    let folder = Folder::new("record-udp");
    let bytes = packed(300);
    let mut recording = Recording::start(&folder, &["udp-listen:127.0.0.1:0"]);
    let port = recording.port();
    let socket = UdpSocket::bind(to(0)).unwrap();
    let mut sent = 0;
    let mut reader = PacketReader::new(&bytes[..]);
    let mut ends = Vec::new();
    while let Some(piece) = reader.next_piece().unwrap() {
        let PacketPiece::Packet { offset, packet } = piece else { panic!("damage") };
        ends.push(bytes.len().min(offset as usize + packet.header().packet_len));
    }
    for end in ends {
        socket.send_to(&[], to(port)).unwrap();
        socket.send_to(&bytes[sent..end], to(port)).unwrap();
        // One that is not fetched yet might be dropped by the system.
        recording.has(end);
        sent = end;
    }
    assert_eq!(recording.interrupt().code, Some(0));
    assert_eq!(Recording::bytes(&folder), bytes);
}

/// All bytes come as they are, and the cable is pulled.
#[test]
fn a_serial_port() {
    let folder = Folder::new("record-serial");
    let (mut device, path) = line();
    let bytes: Vec<u8> = switches(100).into_iter().chain(0..=255).collect();
    let mut recording = Recording::start(&folder, &[&format!("serial:{path}@921600")]);
    // Bytes sent before it is open are echoed.
    recording.read_address();
    until(|| is_raw(&device).then_some(()));
    device.write_all(&bytes).unwrap();
    recording.has(bytes.len());
    drop(device);
    let ran = recording.end();
    assert_fails(
        &ran,
        1,
        &["the source is gone after", "255 bytes of the next one are in r.bin.rest"],
    );
    // The recording ends with its last frame.
    let (whole, rest) = bytes.split_at(bytes.len() - 255);
    assert_eq!(Recording::bytes(&folder), whole);
    assert_eq!(fs::read(folder.0.join("r.bin.rest")).unwrap(), rest);
}

#[test]
fn other_bytes_are_recorded_and_reported() {
    let folder = Folder::new("record-none");
    let out = folder.path("r.bin");
    let ran = run_with_stdin(&["record", "-o", &out, "-"], b"no recording, but some text\n");
    assert_fails(&ran, 1, &["the received bytes are not a recording", "check its rate"]);
    assert_eq!(run(&["record", "--list"]).code, Some(0));
}

/// It would be lost with the first byte.
#[test]
fn a_file_is_not_recorded_onto_itself() {
    let folder = Folder::new("record-itself");
    let bytes = switches(20);
    let path = folder.file("r.bin", &bytes);
    let ran = run(&["record", "-o", &path, "--until", "events:3", &format!("file:{path}")]);
    assert_fails(&ran, 2, &["r.bin is the recording itself"]);
    let mut command = cli(&["record", "-o", &path, "-"]);
    let program = start(piped(command.stdin(File::open(&path).unwrap()))).unwrap();
    assert_fails(&ran_of(program), 2, &["r.bin is the recording itself"]);
    assert_eq!(Recording::bytes(&folder), bytes);
    // It is not converted onto itself either.
    let copy = folder.path("copy.bin");
    let args = ["record", "-o", &copy, "--convert", &path, "--until", "events:3"];
    let ran = run(&[&args[..], &[&format!("file:{path}")]].concat());
    assert_fails(&ran, 2, &["r.bin is the recording itself", "r.pftrace"]);
    assert_eq!(Recording::bytes(&folder), bytes);
}

#[test]
fn until_ends_the_recording() {
    let folder = Folder::new("record-until");
    let name = tband_recordings::str;
    let mut bytes = switches(200);
    bytes.extend(frame(3000, Event::EvtmarkerName { evtmarker_id: 7, name: name("here") }));
    bytes.extend(frame(3001, Event::Evtmarker { evtmarker_id: 7, msg: name("") }));
    bytes.extend(frame(3002, Event::TaskSwitchedIn { task_id: 1 }));
    let source = format!("file:{}", folder.file("input", &bytes));
    let out = folder.path("r.bin");
    for (until, least, most) in [
        ("size:777", 770, 777),
        ("events:20", 100, bytes.len()),
        ("time:1ms", 1, bytes.len()),
        ("marker:here", bytes.len(), bytes.len()),
        ("event:evtmarker", bytes.len(), bytes.len()),
        ("event:task_switched_in", 60, bytes.len()),
    ] {
        let ran = run(&["record", "-o", &out, "--until", until, &source]);
        assert_eq!(ran.code, Some(0), "{until}: {}", ran.stderr);
        assert!((least..=most).contains(&Recording::bytes(&folder).len()), "{until}");
    }
    let ran = run(&["record", "--until", "now", &source]);
    assert_fails(&ran, 2, &["size:10M, time:30s, events:1M, event:NAME or marker:NAME"]);
}

/// Whenever it is killed, the file has the first received bytes.
#[test]
fn killed_at_any_instant() {
    let folder = Folder::new("record-killed");
    let bytes = packed(20_000);
    for round in 0..100_usize {
        let mut recording = Recording::start(&folder, &["-"]);
        let mut stdin = recording.program.stdin().unwrap();
        let end = bytes.len() * (round + 1) / 101;
        for piece in bytes[..end].chunks(97 + 37 * (round % 20) * (round % 20)) {
            stdin.write_all(piece).unwrap();
        }
        if round % 2 == 0 {
            until(|| {
                fs::metadata(&recording.output).is_ok_and(|meta| meta.len() > 0).then_some(())
            });
        }
        signal(&recording.program, "-KILL");
        assert_eq!(recording.program.wait().unwrap().signal(), Some(9));
        let kept = fs::read(folder.path("r.bin")).unwrap_or_default();
        assert!(bytes.starts_with(&kept), "{round}");
        assert_whole(&kept);
        let _ = fs::remove_file(folder.path("r.bin"));
    }
}

#[test]
fn a_full_disk() {
    let ran = run_with_stdin(&["record", "-o", "/dev/full", "-"], &switches(10));
    assert_fails(&ran, 2, &["cannot write /dev/full any more; the 0 bytes that came before"]);
    // One that has room for some of it.
    let folder = Folder::new("record-full");
    let line = format!(
        "ulimit -f 8; trap '' XFSZ; exec '{}' record -o r.bin -",
        env!("CARGO_BIN_EXE_tband-cli")
    );
    let bytes = packed(20_000);
    folder.file("input", &bytes);
    let mut command = std::process::Command::new("sh");
    command.args(["-c", &line]).current_dir(&folder.0);
    command.stdin(File::open(folder.path("input")).unwrap());
    let program = start(piped(&mut command)).unwrap();
    assert_fails(&ran_of(program), 2, &["cannot write r.bin any more"]);
    let kept = Recording::bytes(&folder);
    assert!(!kept.is_empty() && kept.len() < bytes.len() && bytes.starts_with(&kept));
    assert_whole(&kept);
}

fn ran_of(program: Program) -> RunOutput {
    ran(program.output().unwrap())
}

/// A reader that joins in the middle of a packet has everything from the next one on, and names when they are reported again.
#[test]
fn joining_late() {
    let folder = Folder::new("record-late");
    let bytes = packed(2000);
    let mut reader = PacketReader::new(&bytes[..]);
    reader.next_piece().unwrap();
    let names = bytes[..reader.offset() as usize].to_vec();
    // Metadata is sent again after the late bytes.
    let late = [&bytes[names.len() + 100..], &names].concat();
    let out = folder.path("r.bin");
    run_with_stdin(&["record", "-o", &out, "-"], &late).assert_code(0);
    assert_eq!(Recording::bytes(&folder), late);
    let text = run(&["dump", &out]).text();
    assert!(text.contains("task_switched_in") && text.contains("two"), "{text}");
}

#[test]
fn a_trace_when_it_has_ended() {
    let folder = Folder::new("record-convert");
    for (name, begin) in [("t.pftrace", &[0x0A][..]), ("t.html", b"<!")] {
        let out = folder.path("r.bin");
        let trace = folder.path(name);
        run_with_stdin(&["record", "-o", &out, "--convert", &trace, "-"], &packed(100))
            .assert_code(0);
        assert!(fs::read(&trace).unwrap().starts_with(begin), "{name}");
    }
}

/// Rotated files form one recording again.
#[test]
fn files_take_turns() {
    let folder = Folder::new("record-keep");
    let bytes = packed(5000);
    let trace = folder.path("t.pftrace");
    let args = ["record", "-o", &folder.path("r.bin"), "--keep", "3x4k", "--convert", &trace, "-"];
    let ran = run_with_stdin(&args, &bytes);
    assert!(matches!(ran.code, Some(0 | 1)), "{}", ran.stderr);
    let names: Vec<String> = folder.names().into_iter().filter(|it| it.ends_with("bin")).collect();
    assert_eq!(names.len(), 3, "{names:?}");
    let mut kept = Vec::new();
    for name in &names {
        let part = fs::read(folder.path(name)).unwrap();
        assert_whole(&part);
        assert!(part.len() >= 4000 || name == names.last().unwrap());
        kept.extend(part);
    }
    assert!(bytes.ends_with(&kept) && kept.len() < 16_000, "{}", kept.len());
}

/// On a terminal the counters are drawn, and taken away.
#[test]
fn counters_on_a_terminal() {
    use std::io::Read;
    let folder = Folder::new("record-live");
    let (mut seen, path) = line();
    let end = OpenOptions::new().read(true).write(true).open(&path).unwrap();
    let mut command = cli(&["record", "-o", "r.bin", "-"]);
    command.current_dir(&folder.0).stdin(Stdio::piped()).stderr(Stdio::from(end));
    command.env("TERM", "xterm");
    let mut program = start(command.stdout(Stdio::null())).unwrap();
    drop(command);
    let mut stdin = program.stdin().unwrap();
    let (mut text, mut part) = (Vec::new(), [0; 4096]);
    let piece = switches(2000);
    while !String::from_utf8_lossy(&text).contains(" tasks") {
        stdin.write_all(&piece).unwrap();
        let len = seen.read(&mut part).unwrap();
        text.extend_from_slice(&part[..len]);
    }
    assert!(String::from_utf8_lossy(&text).contains(" events  "));
    drop(stdin);
    assert_eq!(program.wait().unwrap().code(), Some(0));
}
