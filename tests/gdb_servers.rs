//! GDB servers as they are: what each of them does otherwise than the others, by a server that is scripted, with the memory of a
//! board that has recorded; and hostile ones.

#![cfg(unix)]

use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use tband_programs::{output, start, until};
use tband_tests::debugged::{self, at};
use tband_tests::events::lines;
use tband_tests::packets::as_frames;
use tband_tests::{run, temp_dir};
use tempfile::TempDir;

/// The board's memory that changes; some of it.
const RAM: (u64, u64) = (0x2000_0000, 0x2001_0000);

/// A board that has recorded, and is halted: the folder has its program and memory.
fn board(options: &str) -> TempDir {
    let folder = temp_dir();
    let elf = debugged::build(folder.path(), options, &debugged::archive());
    let dump = format!("dump binary memory ram.bin {:#x} {:#x}", RAM.0, RAM.1);
    let printed = at(&elf, folder.path(), "recorded", &[&dump]);
    assert!(
        fs::metadata(folder.path().join("ram.bin")).is_ok_and(|meta| meta.len() > 0),
        "{printed}"
    );
    folder
}

const POST_MORTEM: &str = "-Os -DPACKETS=6 -DRECORDS=1 -Dtband_configUSE_BACKEND_POST_MORTEM=1 \
                           -Dtband_configPACKET_BUF_ATTRIBUTE=";

struct RecordOutput {
    code: Option<i32>,
    printed: String,
    bytes: Vec<u8>,
}

fn record(folder: &Path, source: &str, args: &[&str]) -> RecordOutput {
    let _ = fs::remove_file(folder.join("r.bin"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_tband-cli"));
    command.args(["record", "-o", "r.bin", "--elf", "debugged.elf", source]).args(args);
    let ran = output(command.current_dir(folder)).expect("tband-cli runs");
    let printed = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(!printed.contains("panicked"), "{printed}");
    let bytes = fs::read(folder.join("r.bin")).unwrap_or_default();
    RecordOutput { code: ran.status.code(), printed, bytes }
}

fn values(recording: &[u8]) -> Vec<String> {
    let lines = lines(&as_frames(recording));
    let of_core = "valmarker_id=0 val=";
    lines.iter().filter_map(|line| line.split_once(of_core)).map(|it| it.1.to_owned()).collect()
}

/// What a server does otherwise.
#[derive(Clone, Copy)]
struct Quirks {
    /// Its features; with `QStartNoAckMode+` it neither sends nor expects `+` any more.
    offers: &'static str,
    /// What a stop looks like.
    stop: &'static str,
    /// It reports a stop when a client connects, without a request.
    says_stop_first: bool,
    /// It has no target until it receives a command to scan and to attach.
    scans: bool,
    /// Text for the console comes before each answer.
    talks: bool,
    /// Each so many packets it has not understood, or its answer is damaged on the way.
    nacks_every: usize,
    damages_every: usize,
    /// Bytes of memory in an answer, at most, whatever is asked for.
    most: usize,
    /// Bytes that are sent at once.
    piece: usize,
    /// Its answer to a read of memory while the target runs; none if it is empty.
    while_running: Option<&'static str>,
    /// So many questions are answered, then the connection ends.
    closes_after: usize,
    /// It takes so long to read memory.
    takes: Duration,
}

const PLAIN: Quirks = Quirks {
    offers: "PacketSize=1000",
    stop: "S05",
    says_stop_first: false,
    scans: false,
    talks: false,
    nacks_every: 0,
    damages_every: 0,
    most: usize::MAX,
    piece: usize::MAX,
    while_running: Some("m"),
    closes_after: usize::MAX,
    takes: Duration::ZERO,
};

/// What a server has seen.
#[derive(Debug, Default)]
struct ServerLog {
    asked: Vec<String>,
    /// The target runs.
    runs: bool,
    /// Acknowledgements after none were to come.
    late_acks: usize,
    /// The target was stopped so often, and memory was written.
    halts: usize,
    writes: usize,
    /// Longest answer, and most bytes that were asked for.
    longest: usize,
}

/// One connection of a server.
struct Connection<S> {
    stream: S,
    quirks: Quirks,
    memory: Vec<u8>,
    seen: ServerLog,
    without_acks: bool,
    /// Acknowledgements that are to come.
    due: usize,
    is_attached: bool,
    /// Answers so far, and the last one.
    answers: usize,
    last: Vec<u8>,
}

fn framed(body: &str) -> Vec<u8> {
    let sum = body.bytes().fold(0_u8, u8::wrapping_add);
    format!("${body}#{sum:02x}").into_bytes()
}

impl<S: Read + Write> Connection<S> {
    fn new(stream: S, quirks: Quirks, memory: Vec<u8>) -> Self {
        let (seen, last) = (ServerLog::default(), Vec::new());
        let is_attached = !quirks.scans;
        Self {
            stream,
            quirks,
            memory,
            seen,
            without_acks: false,
            due: 0,
            is_attached,
            answers: 0,
            last,
        }
    }

    fn put(&mut self, bytes: &[u8]) {
        self.due += usize::from(!self.without_acks && bytes.starts_with(b"$"));
        for piece in bytes.chunks(self.quirks.piece) {
            // A closed connection is noticed when the next read fails.
            let _ = self.stream.write_all(piece).and_then(|()| self.stream.flush());
        }
    }

    fn send_reply(&mut self, body: &str) {
        self.answers += 1;
        self.seen.longest = self.seen.longest.max(body.len());
        let whole = framed(body);
        self.last.clone_from(&whole);
        let every = self.quirks.damages_every;
        if every > 0 && self.answers.is_multiple_of(every) && body.len() > 4 && !self.without_acks {
            let mut damaged = whole;
            damaged[2] ^= 1;
            self.put(&damaged);
        } else {
            self.put(&whole);
        }
    }

    fn serve(mut self) -> ServerLog {
        if self.quirks.says_stop_first {
            self.put(&framed(self.quirks.stop));
        }
        let mut packets = 0;
        while let Some(byte) = self.byte() {
            match byte {
                // That it hears no more of them is acknowledged still.
                b'+' if self.due > 0 => self.due -= 1,
                b'+' => self.seen.late_acks += usize::from(self.without_acks),
                b'-' => {
                    let last = self.last.clone();
                    self.put(&last);
                }
                3 => {
                    self.seen.halts += 1;
                    self.seen.runs = false;
                    self.send_reply(self.quirks.stop);
                }
                b'$' => {
                    let mut body = Vec::new();
                    while let Some(byte) = self.byte().filter(|byte| *byte != b'#') {
                        body.push(byte);
                    }
                    let sum = [self.byte(), self.byte()].map(Option::unwrap_or_default);
                    let body = String::from_utf8(body).expect("text");
                    assert_eq!(framed(&body)[body.len() + 2..], sum, "{body}");
                    packets += 1;
                    let every = self.quirks.nacks_every;
                    if every > 0 && packets % every == 0 {
                        self.put(b"-");
                        continue;
                    }
                    if self.answers >= self.quirks.closes_after {
                        return self.seen;
                    }
                    if !self.without_acks {
                        self.put(b"+");
                    }
                    self.answer(&body);
                    self.seen.asked.push(body);
                }
                _ => panic!("{byte} is not a packet"),
            }
        }
        self.seen
    }

    fn byte(&mut self) -> Option<u8> {
        let mut byte = [0];
        matches!(self.stream.read(&mut byte), Ok(1)).then_some(byte[0])
    }

    fn answer(&mut self, asked: &str) {
        let Quirks { offers, stop, .. } = self.quirks;
        if self.quirks.talks && !self.seen.runs {
            self.put(&framed("O"));
            self.put(&framed("O68690a"));
        }
        match asked {
            "?" if !self.is_attached => self.send_reply("W00"),
            "?" => self.send_reply(stop),
            "qRcmd,737764705f7363616e" => {
                self.put(&framed("O54617267657420766f6c746167653a20332e33560a"));
                self.send_reply("OK");
            }
            "vAttach;1" if self.quirks.scans => {
                self.is_attached = true;
                self.send_reply(stop);
            }
            "QStartNoAckMode" => {
                self.send_reply("OK");
                self.without_acks = true;
            }
            "c" => self.seen.runs = true,
            "D" => {
                self.seen.runs = true;
                self.send_reply("OK");
            }
            _ if asked.starts_with("qSupported") => self.send_reply(offers),
            _ if asked.starts_with(['m', 'M']) => self.memory(asked),
            // As the protocol has it for what a server does not know.
            _ => self.send_reply(""),
        }
    }

    fn memory(&mut self, asked: &str) {
        if self.seen.runs {
            match self.quirks.while_running {
                Some("m") => {}
                Some(printed) => return self.send_reply(printed),
                None => return,
            }
        }
        thread::sleep(self.quirks.takes);
        let (place, digits) = asked[1..].split_once(':').unwrap_or((&asked[1..], ""));
        let (at, len) = place.split_once(',').expect("address and length");
        let [at, len] = [at, len].map(|it| usize::from_str_radix(it, 16).expect("digits"));
        let from = at.wrapping_sub(RAM.0 as usize);
        let len = if asked.starts_with('m') { len.min(self.quirks.most) } else { len };
        let Some(bytes) = self.memory.get_mut(from..from.saturating_add(len)) else {
            return self.send_reply("E01");
        };
        if asked.starts_with('M') {
            self.seen.writes += 1;
            for (to, digits) in bytes.iter_mut().zip(digits.as_bytes().chunks(2)) {
                let digits = std::str::from_utf8(digits).expect("digits");
                *to = u8::from_str_radix(digits, 16).expect("digits");
            }
            return self.send_reply("OK");
        }
        let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        self.send_reply(&digits);
    }
}

/// A server for so many connections, one after the other.
fn server(memory: &[u8], quirks: &[Quirks]) -> (String, JoinHandle<Vec<ServerLog>>) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let (memory, quirks) = (memory.to_vec(), quirks.to_vec());
    let server = thread::spawn(move || {
        let connections = quirks.iter().map(|quirks| {
            let stream = listener.accept().expect("a connection").0;
            stream.set_nodelay(true).expect("an option");
            Connection::new(stream, *quirks, memory.clone()).serve()
        });
        connections.collect()
    });
    (format!("gdb:127.0.0.1:{port}"), server)
}

#[test]
fn each_server_has_its_own_ways() {
    let folder = board(POST_MORTEM);
    let memory = fs::read(folder.path().join("ram.bin")).expect("the memory");
    let all: [(&str, Quirks); 9] = [
        ("plain", PLAIN),
        (
            "OpenOCD",
            Quirks {
                offers: "PacketSize=4000;qXfer:memory-map:read+;QStartNoAckMode+;vContSupported+",
                stop: "T05",
                talks: true,
                ..PLAIN
            },
        ),
        (
            "J-Link",
            Quirks {
                offers: "PacketSize=4000;qXfer:memory-map:read-;QStartNoAckMode+;hwbreak+",
                stop: "T05thread:0000DEAD;",
                most: 60,
                ..PLAIN
            },
        ),
        (
            "pyOCD",
            Quirks {
                offers: "qXfer:features:read+;QStartNoAckMode+;qXfer:threads:read+;PacketSize=800",
                stop: "T0507:50fe0320;0d:00100020;thread:1;",
                while_running: None,
                ..PLAIN
            },
        ),
        (
            "Black Magic Probe",
            Quirks {
                offers: "PacketSize=400;qXfer:memory-map:read+;qXfer:features:read+",
                stop: "T05",
                scans: true,
                while_running: Some("EFF"),
                ..PLAIN
            },
        ),
        (
            "QEMU",
            Quirks {
                offers: "PacketSize=1000;qXfer:features:read+;vContSupported+;multiprocess+",
                stop: "T02thread:p01.01;",
                says_stop_first: true,
                ..PLAIN
            },
        ),
        ("one with little room", Quirks { offers: "PacketSize=3c", piece: 1, ..PLAIN }),
        ("one that offers nothing", Quirks { offers: "", ..PLAIN }),
        ("a bad line", Quirks { nacks_every: 5, damages_every: 7, piece: 3, ..PLAIN }),
    ];
    let mut expected = Vec::new();
    for (name, quirks) in all {
        let (source, server) = server(&memory, &[quirks]);
        let recorded = record(folder.path(), &source, &["--until", "events:20"]);
        assert_eq!(recorded.code, Some(0), "{name}: {}", recorded.printed);
        let found = values(&recorded.bytes);
        if expected.is_empty() {
            expected.clone_from(&found);
        }
        assert!(found.len() > 20 && found == expected, "{name}: {found:?}");
        let [seen] = &server.join().expect("a server")[..] else { panic!("one connection") };
        assert!(
            seen.runs && seen.asked.last().is_some_and(|last| last == "D"),
            "{name}: {:?}",
            seen.asked
        );
        assert_eq!(seen.late_acks, 0, "{name}");
        // Its maximum packet.
        let size = quirks.offers.split(';').find_map(|word| word.strip_prefix("PacketSize="));
        let size = size.map_or(400, |it| usize::from_str_radix(it, 16).expect("digits"));
        assert!(
            seen.longest + 4 <= size || seen.longest == quirks.offers.len(),
            "{name}: {}",
            seen.longest
        );
    }
}

/// With --no-halt: a server that reads while the target runs never stops it; for one that does not, the message contains the
/// remedy.
#[test]
fn reading_while_the_target_runs() {
    let folder = board(POST_MORTEM);
    let memory = fs::read(folder.path().join("ram.bin")).expect("the memory");
    for (while_running, code) in
        [(Some("m"), 0), (Some("EFF"), 1), (Some("E.target is running"), 1), (None, 1)]
    {
        let (source, server) = server(&memory, &[Quirks { while_running, ..PLAIN }]);
        let args = ["--no-halt", "--until", "events:20"];
        let recorded = record(folder.path(), &source, &args);
        assert!(
            recorded.code == Some(code) || recorded.code == Some(2 * code),
            "{while_running:?}: {}",
            recorded.printed
        );
        assert_eq!(
            recorded.printed.contains("leave out --no-halt"),
            code != 0,
            "{}",
            recorded.printed
        );
        let [seen] = &server.join().expect("a server")[..] else { panic!("one connection") };
        assert!(seen.runs, "{while_running:?}: {:?}", seen.asked);
    }
}

/// Each look takes longer than the pause between two.
#[test]
fn a_server_that_stops_the_target_for_most_of_the_time() {
    let folder = board(POST_MORTEM);
    let memory = fs::read(folder.path().join("ram.bin")).expect("the memory");
    let slow = Quirks { takes: Duration::from_millis(150), ..PLAIN };
    let args = ["--until", "time:4s"];
    for (quirks, no_halt, is_reported) in
        [(slow, false, true), (slow, true, false), (PLAIN, false, false)]
    {
        let (source, server) = server(&memory, &[quirks]);
        let args = [&args[..], if no_halt { &["--no-halt"] } else { &[] }].concat();
        let recorded = record(folder.path(), &source, &args);
        assert_eq!(recorded.code, Some(0), "{}", recorded.printed);
        let printed = &recorded.printed;
        assert_eq!(
            printed.matches("the target was stopped for ").count(),
            usize::from(is_reported),
            "{printed}"
        );
        let share = printed.split_once("the target was stopped for ").map_or("0", |it| it.1);
        let share = share.split(' ').next().expect("a number").parse::<u32>().expect("a number");
        assert!(!is_reported || (60..=100).contains(&share), "{share}");
        assert_eq!(printed.contains("add --no-halt"), is_reported, "{printed}");
        let [seen] = &server.join().expect("a server")[..] else { panic!("one connection") };
        assert!(seen.runs, "{:?}", seen.asked);
    }
}

/// The server does not read flash, so the ELF file of another build is not noticed by that: what the memory has at its places is.
#[test]
fn another_build_where_flash_is_not_read() {
    let folder = board(POST_MORTEM);
    let memory = fs::read(folder.path().join("ram.bin")).expect("the memory");
    let streaming = "-Os -DPACKETS=6 -DRECORDS=1 -Dtband_configUSE_BACKEND_STREAMING=1";
    let stream = board(streaming);
    for (folder, name) in [(&folder, "post-mortem"), (&stream, "streaming")] {
        // Variables of something else.
        for filled in [0x11, 0xA5, 0xFF] {
            let other = vec![filled; memory.len()];
            let (source, server) = server(&other, &[PLAIN]);
            let recorded = record(folder.path(), &source, &["--until", "events:20"]);
            assert_eq!(recorded.code, Some(2), "{name}: {}", recorded.printed);
            assert!(
                recorded.printed.contains("another build runs there"),
                "{name}: {}",
                recorded.printed
            );
            let [seen] = &server.join().expect("a server")[..] else { panic!("one connection") };
            assert!(seen.runs && seen.writes == 0, "{name}: {:?}", seen.asked);
        }
        // Nothing is there, for as long as one looks. The target is left alone for most of the time.
        let (source, server) = server(&vec![0; memory.len()], &[PLAIN]);
        let mut command = Command::new(env!("CARGO_BIN_EXE_tband-cli"));
        command.args(["record", "-o", "r.bin", "--elf", "debugged.elf", &source]);
        command
            .current_dir(folder.path())
            .stderr(File::create(folder.path().join("output")).expect("a file"));
        let mut program = start(&mut command).expect("tband-cli runs");
        let printed = || fs::read_to_string(folder.path().join("output")).expect("text");
        until(|| printed().contains("there is no recording yet").then_some(()));
        thread::sleep(Duration::from_secs(4));
        run(Command::new("kill").arg("-INT").arg(program.id().to_string()));
        let ran = program.wait().expect("its end");
        assert!(!ran.success(), "{}", printed());
        assert_eq!(printed().matches("there is no recording yet").count(), 1, "{}", printed());
        for text in ["another build runs there", "not compared", "once a second"] {
            assert!(printed().contains(text), "{text}: {}", printed());
        }
        let [seen] = &server.join().expect("a server")[..] else { panic!("one connection") };
        // 20 times a second for the first two seconds.
        assert!(seen.runs && (3..60).contains(&seen.halts), "{}", seen.halts);
    }
}

/// A server that accepts a connection and sends nothing has another client. One that sends other bytes is not a GDB server.
#[test]
fn a_server_that_has_a_client() {
    let folder = board(POST_MORTEM);
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let source = format!("gdb:{}", listener.local_addr().expect("an address"));
    // The program does not accept; the system does.
    let waits = record(folder.path(), &source, &[]);
    let closed = record(folder.path(), &read_hostile_server(|_| None), &[]);
    for recorded in [waits, closed] {
        assert_eq!(recorded.code, Some(2), "{}", recorded.printed);
        assert!(recorded.printed.contains("another client is connected"), "{}", recorded.printed);
        assert!(!recorded.printed.contains("no GDB server"), "{}", recorded.printed);
    }
    let none = record(
        folder.path(),
        &read_hostile_server(|_| Some(b"SSH-2.0-OpenSSH_9.2\r\n".to_vec())),
        &[],
    );
    assert!(none.printed.contains("this is not a GDB server"), "{}", none.printed);
    assert!(!none.printed.contains("another client"), "{}", none.printed);
}

/// It closes while the rings are looked for, and while they are read, and is there again.
#[test]
fn a_server_that_closes_and_returns() {
    let folder = board(POST_MORTEM);
    let memory = fs::read(folder.path().join("ram.bin")).expect("the memory");
    // While it is looked for, and while it is read.
    let [early, late] = [6, 11].map(|closes_after| Quirks { closes_after, ..PLAIN });
    let (source, server) = server(&memory, &[early, late, PLAIN]);
    let args = ["--reconnect", "--until", "events:20"];
    let recorded = record(folder.path(), &source, &args);
    assert_eq!(recorded.code, Some(0), "{}", recorded.printed);
    let closed = recorded.printed.matches("the server has closed the connection").count();
    // Otherwise the server would wait for a third connection forever.
    assert_eq!(closed, 2, "{}", recorded.printed);
    assert!(values(&recorded.bytes).len() > 20, "{:?}", values(&recorded.bytes));
    let seen = server.join().expect("a server");
    assert!(seen.len() == 3 && seen[2].runs, "{seen:?}");
}

/// Black Magic Probe is a serial port.
#[test]
fn a_server_at_a_serial_port() {
    let folder = board(POST_MORTEM);
    let memory = fs::read(folder.path().join("ram.bin")).expect("the memory");
    let device =
        openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).expect("a line");
    grantpt(&device).and_then(|()| unlockpt(&device)).expect("a line");
    let path = ptsname(&device, Vec::new()).expect("a name").into_string().expect("text");
    // Held open, so that it does not end with the program, and raw from the beginning.
    let end = File::options().read(true).write(true).open(&path).expect("a line");
    let mut mode = rustix::termios::tcgetattr(&end).expect("a mode");
    mode.make_raw();
    rustix::termios::tcsetattr(&end, rustix::termios::OptionalActions::Now, &mode).expect("a mode");
    let quirks = Quirks { stop: "T05", scans: true, ..PLAIN };
    let server = thread::spawn(move || Connection::new(File::from(device), quirks, memory).serve());
    let recorded = record(folder.path(), &format!("gdb:{path}"), &["--until", "events:20"]);
    assert_eq!(recorded.code, Some(0), "{}", recorded.printed);
    assert!(values(&recorded.bytes).len() > 20);
    drop(end);
    let seen = server.join().expect("a server");
    assert!(seen.runs && seen.asked.contains(&"vAttach;1".to_owned()), "{:?}", seen.asked);
    let gone = record(folder.path(), "gdb:/dev/none", &[]);
    assert!(gone.code == Some(2) && gone.printed.contains("record --list"), "{}", gone.printed);
}

/// A server's answer to this request; it closes the connection for `None`.
type Answers = fn(&str) -> Option<Vec<u8>>;

fn read_hostile_server(answers: Answers) -> String {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let port = listener.local_addr().expect("an address").port();
    thread::spawn(move || answer(listener.accept().expect("a connection").0, answers));
    format!("gdb:127.0.0.1:{port}")
}

fn answer(mut stream: TcpStream, answers: Answers) {
    let (mut pending, mut buf) = (Vec::new(), [0; 4096]);
    while let Ok(len @ 1..) = stream.read(&mut buf) {
        pending.extend_from_slice(&buf[..len]);
        while let Some(end) =
            pending.iter().position(|byte| *byte == b'#').filter(|end| pending.len() > end + 2)
        {
            let packet: Vec<u8> = pending.drain(..end + 3).collect();
            let begin = packet.iter().position(|byte| *byte == b'$').expect("a packet");
            let asked = String::from_utf8_lossy(&packet[begin + 1..end]).into_owned();
            let Some(answer) = answers(&asked) else { return };
            if stream.write_all(&answer).is_err() {
                return;
            }
        }
    }
}

/// With an acknowledgement.
fn reply(body: &str) -> Option<Vec<u8>> {
    Some([b"+".to_vec(), framed(body)].concat())
}

fn usual(asked: &str) -> Option<Vec<u8>> {
    match asked {
        "c" => Some(b"+".to_vec()),
        "?" => reply("T05"),
        "qSupported" => reply("PacketSize=200"),
        _ => reply("OK"),
    }
}

/// Whatever a server sends: no panic, and no infinite wait.
#[test]
fn hostile_servers() {
    let folder = board(POST_MORTEM);
    let all: &[(Answers, &str)] = &[
        (|_| None, "closed the connection"),
        (|_| Some(b"SSH-2.0-OpenSSH_9.2\r\n$#00".to_vec()), "no target that is stopped"),
        (|_| Some(b"+$abc#00+$abc#00$abc#00".to_vec()), "checksums are wrong"),
        (|_| Some([b"+$".to_vec(), vec![b'a'; 100_000]].concat()), "has no end"),
        (|_| Some(b"+$*~#a8".to_vec()), "damaged"),
        (|_| Some(b"+$}".repeat(30_000)), ""),
        (|_| Some(b"-".repeat(10_000)), "does not answer"),
        (|_| Some(b"x".repeat(100_000)), "not those of a GDB server"),
        (|asked| if asked.starts_with('m') { reply("E01") } else { usual(asked) }, "does not read"),
        (
            |asked| if asked.starts_with('m') { reply("E.no memory\x1B[2J") } else { usual(asked) },
            "no memory\\u{1b}",
        ),
        (|asked| if asked.starts_with('m') { reply("") } else { usual(asked) }, "does not read"),
        (|asked| if asked.starts_with('m') { reply("123") } else { usual(asked) }, "does not read"),
        (
            |asked| if asked.starts_with('m') { reply("xyzt") } else { usual(asked) },
            "does not read",
        ),
        (
            |asked| if asked.starts_with('m') { reply(&"00".repeat(9000)) } else { usual(asked) },
            "does not read",
        ),
        (
            |asked| if asked.starts_with("qS") { reply("PacketSize=0") } else { usual(asked) },
            "no room",
        ),
        (
            |asked| {
                if asked.starts_with("qS") {
                    reply("PacketSize=zz;QStartNoAckMode+")
                } else {
                    reply("E01")
                }
            },
            "no target",
        ),
        (|asked| if asked == "?" { reply("W00") } else { usual(asked) }, "finds none by swdp_scan"),
        (|_| Some([b"+".to_vec(), framed("T05").repeat(1000)].concat()), "nothing else"),
    ];
    for (number, (answers, text)) in all.iter().enumerate() {
        let recorded = record(
            folder.path(),
            &read_hostile_server(*answers),
            &["--no-halt", "--until", "events:20", "--until", "time:1ms"],
        );
        assert!(matches!(recorded.code, Some(1 | 2)), "{number}: {}", recorded.printed);
        assert!(recorded.printed.contains(text), "{number}: {}", recorded.printed);
    }
    // No server at all, and a file that is not a program.
    let mut command = Command::new(env!("CARGO_BIN_EXE_tband-cli"));
    command.args(["record", "gdb:127.0.0.1:1", "--elf", "ram.bin"]).current_dir(folder.path());
    let ran = start(&mut command).expect("tband-cli runs").output().expect("its end");
    assert_eq!(ran.status.code(), Some(2));
    let wrong = record(folder.path(), &read_hostile_server(usual), &["--elf", "ram.bin"]);
    assert_eq!(wrong.code, Some(2), "{}", wrong.printed);
}
