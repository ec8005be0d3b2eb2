//! `top`: its figures are those of `stats`, its screen fits any terminal, and the terminal is as it was in the end.

#![cfg(unix)]

mod support;

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcgetattr, tcsetwinsize};
use support::recording::line;
use support::*;
use tband_format::classes::CLASSES;
use tband_format::packet::command::Command;
use tband_format::{Event, Str};
use tband_programs::until;

/// Returns a recording of two alternating tasks, 1 and 3 ms of each 4, this many times.
fn turns(count: u64, name: &[u8]) -> Vec<u8> {
    let mut bytes = [
        frame(0, Event::TsResolutionNs { ns_per_ts: 1000 }),
        frame(0, Event::TaskName { task_id: 1, name: Str(name) }),
        frame(0, Event::TaskName { task_id: 2, name: Str(b"two") }),
    ]
    .concat();
    for turn in 0..count {
        bytes.extend(frame(turn * 4000 + 1, Event::TaskSwitchedIn { task_id: 1 }));
        bytes.extend(frame(turn * 4000 + 1001, Event::TaskSwitchedIn { task_id: 2 }));
    }
    bytes
}

fn text(args: &[&str]) -> String {
    run(args).assert_code(0).text()
}

/// Returns the share of each task of a recording, as in `stats` from a time on.
fn shares(recording: &str, from: &str) -> Vec<(String, String)> {
    let json = text(&["stats", "--json", "--from", from, recording]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let rows = json["tasks"].as_array().unwrap().iter().map(|task| {
        let share =
            task["cpu_share"].as_f64().map_or("-".to_owned(), |it| format!("{:.1}%", it * 100.0));
        (task["name"].as_str().unwrap().to_owned(), share)
    });
    let mut rows: Vec<_> = rows.collect();
    rows.sort();
    rows
}

#[test]
fn figures_are_those_of_stats() {
    let folder = Folder::new("top-figures");
    let packed = tband_recordings::packed::packed(&turns(100, b"one"), 256);
    let packed = folder.file("packed.bin", &packed);
    for (recording, tasks) in [(vector("freertos_sim.bin"), 10), (packed, 2)] {
        for window in ["1ms", "10ms", "100ms", "60s"] {
            let shown = text(&["top", "--once", "--sort", "name", "--window", window, &recording]);
            let words: Vec<&str> = shown.split_ascii_whitespace().collect();
            let at = words.iter().position(|word| *word == "to").unwrap();
            let expected = shares(&recording, &format!("{}s", words[at - 2]));
            let rows = shown.lines().skip_while(|line| !line.starts_with("TASK")).skip(1);
            let mut rows: Vec<_> = rows
                .take_while(|line| !line.is_empty())
                .map(|line| {
                    let (name, rest) = line.split_at(16);
                    (
                        name.trim_end().to_owned(),
                        rest.split_ascii_whitespace().next().unwrap().to_owned(),
                    )
                })
                .collect();
            rows.sort();
            assert_eq!(rows.len(), tasks, "{shown}");
            assert_eq!(rows, expected, "{window}: {shown}");
        }
    }
}

/// A stream is shown as soon as it has a complete window; bytes that are not a recording are reported.
#[test]
fn one_screen_of_each_kind_of_source() {
    let folder = Folder::new("top-once");
    let bytes = turns(2000, b"one");
    let path = folder.file("r.bin", &bytes);
    for source in [&path, &format!("file:{path}")] {
        let shown = text(&["top", "--once", source]);
        assert!(
            shown.contains("one               25.") || shown.contains("one               24."),
            "{shown}"
        );
    }
    assert!(text(&["top", "--once", "--follow", &path]).contains("two               7"));
    let ran = run_with_stdin(&["top", "--once", "--filter", "TW", "-"], &bytes);
    let shown = ran.text();
    assert!(ran.code == Some(0) && shown.contains("two") && !shown.contains("one"), "{shown}");
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x} ")).collect();
    assert!(
        text(&["top", "--once", &folder.file("r.txt", hex.as_bytes())])
            .contains("two               7")
    );
    // With a gap the exit code shows it.
    let lossy = [
        &bytes[..],
        &frame(8_000_001, Event::DroppedEvtCnt { cnt: 3 }),
        &frame(8_000_009, Event::TaskSwitchedIn { task_id: 1 }),
    ]
    .concat();
    let ran = run(&["top", "--once", &folder.file("l.bin", &lossy)]);
    let shown = ran.text();
    assert!(ran.code == Some(1) && shown.contains("3 lost"), "{shown}");
    assert_fails(
        &run(&[
            "top",
            "--once",
            &folder.file("t.bin", b"no recording, but some text that is long enough"),
        ]),
        2,
        &[],
    );
    assert_fails(&run(&["top", "--once", "tcp:127.0.0.1:1"]), 2, &["127.0.0.1:1"]);
    assert_fails(&run(&["top", "--once", "--follow", "-"]), 2, &["--follow is for a file"]);
    assert_fails(&run(&["top", &path]), 2, &["needs a terminal", "--once"]);
}

/// A terminal of a given size, and the output to it so far.
struct Terminal {
    keys: File,
    path: String,
    seen: Arc<Mutex<(Vec<u8>, vt100::Parser)>>,
}

impl Terminal {
    fn new(columns: u16, lines: u16) -> Self {
        let master =
            openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let path = ptsname(&master, Vec::new()).unwrap().into_string().unwrap();
        let keys = File::from(master);
        let seen = Arc::new(Mutex::new((
            Vec::new(),
            vt100::Parser::new(lines.try_into().unwrap(), columns.try_into().unwrap(), 0),
        )));
        let terminal = Self { keys, path, seen };
        terminal.resize(columns, lines);
        let (mut reader, seen) = (terminal.keys.try_clone().unwrap(), Arc::clone(&terminal.seen));
        thread::spawn(move || {
            let mut part = [0; 4096];
            while let Ok(len @ 1..) = reader.read(&mut part) {
                let (bytes, screen) = &mut *seen.lock().unwrap();
                bytes.extend_from_slice(&part[..len]);
                screen.process(&part[..len]);
            }
        });
        terminal
    }

    fn resize(&self, columns: u16, lines: u16) {
        let size = Winsize { ws_row: lines, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        self.seen
            .lock()
            .unwrap()
            .1
            .screen_mut()
            .set_size(lines.try_into().unwrap(), columns.try_into().unwrap());
        tcsetwinsize(&self.keys, size).unwrap();
    }

    fn end(&self) -> File {
        OpenOptions::new().read(true).write(true).open(&self.path).unwrap()
    }

    fn start(&self, args: &[&str]) -> Program {
        let mut command = cli(args);
        command.env("TERM", "xterm-256color");
        command.stdin(Stdio::from(self.end())).stdout(Stdio::from(self.end()));
        start(command.stderr(Stdio::piped())).unwrap()
    }

    /// All that was printed.
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.seen.lock().unwrap().0).into_owned()
    }

    /// Waits until the screen has a text, or has it no more.
    fn wait_for(&self, text: &str, is_there: bool) {
        until(|| {
            let screen = self.seen.lock().unwrap().1.screen().contents();
            (screen.contains(text) == is_there).then_some(())
        });
    }

    fn assert_shows(&self, text: &str) {
        self.wait_for(text, true);
    }

    fn press(&self, keys: &str) {
        (&self.keys).write_all(keys.as_bytes()).unwrap();
    }
}

const ENTERS: &str = "\x1b[?1049h";
const LEAVES: &str = "\x1b[?1049l";

/// Whatever ends it, the terminal is as it was.
#[test]
fn the_terminal_is_given_back() {
    let folder = Folder::new("top-terminal");
    let path = folder.file("r.bin", &turns(500, b"one"));
    for how in ["q", "\x03", "-INT", "-TERM", "error"] {
        let terminal = Terminal::new(100, 30);
        let open = terminal.end();
        let before = format!("{:?}", tcgetattr(&open).unwrap());
        let source = if how == "error" { folder.path("none.bin") } else { path.clone() };
        let other =
            folder.file("text.bin", b"some text that is not a recording, long enough to be sure");
        let program = terminal.start(&["top", if how == "error" { &other } else { &source }]);
        if how != "error" {
            terminal.assert_shows("two");
            assert_ne!(format!("{:?}", tcgetattr(&open).unwrap()), before, "{how}");
        }
        match how {
            "error" => {}
            _ if how.starts_with('-') => signal(&program, how),
            _ => terminal.press(how),
        }
        let ran = ran(program.output().unwrap());
        assert_eq!(ran.code, Some(if how == "error" { 2 } else { 0 }), "{how}: {}", ran.stderr);
        until(|| terminal.text().contains(LEAVES).then_some(()));
        assert_eq!(format!("{:?}", tcgetattr(&open).unwrap()), before, "{how}");
    }
}

/// The terminal is closed: the program ends, and does not continue at full load. The system may also report that by a signal.
#[test]
fn a_terminal_that_is_closed_ends_it() {
    let folder = Folder::new("top-closed");
    let path = folder.file("r.bin", &turns(500, b"one"));
    for (args, is_heard) in
        [(&["top", &path][..], true), (&["top", "--follow", &path], true), (&["top", &path], false)]
    {
        let master = line();
        let mut command = cli(args);
        let end = || OpenOptions::new().read(true).write(true).open(&master.1).unwrap();
        command.env("TERM", "xterm-256color").stdin(Stdio::from(end())).stdout(Stdio::from(end()));
        // Its messages may go there too.
        command.stderr(if is_heard { Stdio::piped() } else { Stdio::from(end()) });
        let program = start(&mut command).unwrap();
        drop(command);
        let (mut terminal, mut seen, mut part) = (master.0, Vec::new(), [0; 4096]);
        while !String::from_utf8_lossy(&seen).contains("two") {
            let len = terminal.read(&mut part).unwrap();
            seen.extend_from_slice(&part[..len]);
        }
        drop(terminal);
        let message = if is_heard { &["the terminal is gone"][..] } else { &[] };
        assert_fails(&ran(program.output().unwrap()), 2, message);
    }
}

/// Keys, sizes down to 0, and a source that continues.
#[test]
fn keys_and_sizes() {
    let folder = Folder::new("top-keys");
    let path = folder.file("r.bin", &turns(500, b"one"));
    let terminal = Terminal::new(100, 30);
    let program = terminal.start(&["top", "--follow", &path]);
    until(|| terminal.text().contains(ENTERS).then_some(()));
    terminal.assert_shows("75.0%");
    terminal.press("s");
    terminal.assert_shows("sorted by prio");
    terminal.press("?");
    terminal.assert_shows("scroll the tasks");
    terminal.press("?");
    terminal.wait_for("scroll the tasks", false);
    terminal.press("p");
    terminal.assert_shows("PAUSED");
    let end = " s to 1.800000 s";
    terminal.assert_shows(end);
    // The display does not change while it is paused.
    let more = turns(900, b"one").split_off(turns(500, b"one").len());
    let mut file = OpenOptions::new().append(true).open(&path).unwrap();
    file.write_all(&more).unwrap();
    terminal.press("/tw\r");
    terminal.assert_shows("filter: tw");
    terminal.wait_for("one ", false);
    terminal.assert_shows(end);
    for (columns, lines) in [(10, 3), (1, 1), (300, 5), (40, 100), (100, 30)] {
        terminal.resize(columns, lines);
        signal(&program, "-WINCH");
        terminal.assert_shows(&"tband top"[..usize::from(columns.min(9))]);
        // A key during a change of the size would wait for the next one.
        terminal.wait_for("WAITS FOR", columns >= 100);
    }
    terminal.press("\x1b");
    terminal.assert_shows("one ");
    terminal.press("p");
    terminal.assert_shows(" s to 3.");
    terminal.press("q");
    assert_eq!(ran(program.output().unwrap()).code, Some(0));
}

/// Returns the recording while these classes are left out.
fn filtered(now: u64, classes: u32) -> Vec<u8> {
    let mut words = [0_u32; 8];
    for id in CLASSES.iter().filter(|it| classes & it.flag != 0).flat_map(|it| it.events) {
        words[usize::from(*id) / 32] |= 1 << (id % 32);
    }
    let facts: Vec<_> = (0..8).filter(|of| words[*of as usize] != 0).collect();
    let mut bytes = frame(now, Event::Filter { of: 8, is: (facts.len() as u32) << 8 });
    for of in facts {
        bytes.extend(frame(now, Event::Filter { of, is: words[of as usize] }));
    }
    bytes
}

/// A target that records, and answers commands: returns them, once the other side is gone.
fn serve_commands(listener: TcpListener) -> JoinHandle<Vec<(u8, Vec<u32>)>> {
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        // The pace of the recording.
        stream.set_read_timeout(Some(Duration::from_millis(10))).unwrap();
        let (mut came, mut executed, mut now) = (Vec::new(), Vec::new(), 0);
        let mut bytes = turns(1, b"one");
        while stream.write_all(&bytes).is_ok() {
            bytes.clear();
            let mut part = [0; 256];
            match stream.read(&mut part) {
                Ok(0) => break,
                Ok(len) => came.extend_from_slice(&part[..len]),
                Err(error)
                    if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                Err(_) => break,
            }
            for task_id in [1, 2, 1, 2] {
                now += 2000;
                bytes.extend(frame(now, Event::TaskSwitchedIn { task_id }));
            }
            while let Some(end) = came.iter().position(|byte| *byte == 0) {
                let read: Vec<u8> = came.drain(..=end).collect();
                let Some(command) = Command::read(&read[..end]) else { continue };
                let is = match command.kind {
                    2 => -1,
                    6 => 42,
                    _ => 0,
                };
                executed.push((command.kind, command.arguments[..command.count.into()].to_vec()));
                if let (11, [_, classes, on, ..]) = (command.kind, command.arguments) {
                    bytes.extend(filtered(now, if on == 0 { classes } else { 0 }));
                }
                bytes.extend(frame(now, Event::Answer { n: command.number.into(), is }));
            }
        }
        executed
    })
}

/// Keys send commands to the target, and its answer is on the screen.
#[test]
fn keys_that_ask_the_target() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let source = format!("tcp:{}", listener.local_addr().unwrap());
    let target = serve_commands(listener);
    let terminal = Terminal::new(140, 30);
    let program = terminal.start(&["top", "--window", "20ms", &source]);
    terminal.assert_shows("two");
    terminal.press(":user 7 1");
    terminal.assert_shows(":user 7 1_");
    terminal.press("\r");
    terminal.assert_shows("[user 7 1: 42]");
    terminal.press(":user x\r");
    terminal.assert_shows("'x' is not a number");
    terminal.press("R");
    terminal.assert_shows("[start: refused (-1)");
    terminal.press("S");
    terminal.assert_shows("[stop: done]");
    terminal.press("N");
    terminal.assert_shows("[names: done]");
    terminal.press("2");
    terminal.assert_shows("[filter off group communication: done]");
    terminal.press("2");
    terminal.assert_shows("[filter on group communication: done]");
    terminal.press("9");
    terminal.press("q");
    assert_eq!(ran(program.output().unwrap()).code, Some(0));
    let mut executed = target.join().unwrap();
    // A loaded machine may have sent one again.
    executed.dedup();
    let expected: [(u8, &[u32]); 6] = [
        (6, &[7, 1, 0, 0]),
        (2, &[]),
        (3, &[]),
        (4, &[]),
        (11, &[1, 0xF40, 0]),
        (11, &[1, 0xF40, 1]),
    ];
    assert_eq!(executed, expected.map(|(kind, numbers)| (kind, numbers.to_vec())));
}

/// No commands can be sent for a file.
#[test]
fn a_file_is_not_asked() {
    let folder = Folder::new("top-file");
    let path = folder.file("r.bin", &turns(500, b"one"));
    let terminal = Terminal::new(140, 30);
    let program = terminal.start(&["top", &path]);
    terminal.assert_shows("two");
    terminal.press("S");
    terminal.assert_shows("[stop: this source has no connection to the target]");
    terminal.press("q");
    assert_eq!(ran(program.output().unwrap()).code, Some(0));
}

#[test]
fn names_do_not_steer_the_terminal() {
    let folder = Folder::new("top-names");
    let evil = "\x1b]0;x\x07\x1b[2J\u{9b}31m\u{202e}漢字\u{200b}";
    let path = folder.file("r.bin", &turns(500, evil.as_bytes()));
    let terminal = Terminal::new(100, 30);
    let program = terminal.start(&["top", &path]);
    until(|| terminal.text().contains("two").then_some(()));
    terminal.press("q");
    assert_eq!(ran(program.output().unwrap()).code, Some(0));
    let seen = terminal.text();
    assert!(!seen.contains("\x1b]0") && !seen.contains('\u{9b}') && !seen.contains('\u{202e}'));
    let shown = text(&["top", "--once", &path]);
    assert!(
        !shown.contains(|letter| tband_conv::model::is_control(letter) && letter != '\n'),
        "{shown:?}"
    );
}
