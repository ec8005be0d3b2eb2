//! Output to a terminal: text and no binary data.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read};
use std::process::{Command, Stdio};

use crate::support::*;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

/// A terminal: the viewer's end, and the path of the other.
struct Terminal {
    seen: File,
    path: String,
}

impl Terminal {
    fn new() -> Self {
        let seen = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&seen).unwrap();
        unlockpt(&seen).unwrap();
        let path = ptsname(&seen, Vec::new()).unwrap().into_string().unwrap();
        Self { seen: seen.into(), path }
    }

    /// Runs a command with its stdout here, and returns the visible output.
    fn run_command(mut self, command: &mut Command) -> (RunOutput, Vec<u8>) {
        let end = OpenOptions::new().read(true).write(true).open(&self.path).unwrap();
        let program = start(command.stdout(Stdio::from(end)).stderr(Stdio::piped())).unwrap();
        // Only the program has the end open.
        *command = Command::new("true");
        let reader = std::thread::spawn(move || {
            let (mut all, mut part) = (Vec::new(), [0; 4096]);
            loop {
                match self.seen.read(&mut part) {
                    Ok(0) => return all,
                    Ok(len) => all.extend_from_slice(&part[..len]),
                    // The other end is closed.
                    Err(error) if error.kind() != ErrorKind::Interrupted => return all,
                    Err(_) => {}
                }
            }
        });
        let ran = ran(program.output().unwrap());
        (ran, reader.join().unwrap())
    }
}

#[test]
fn a_trace_is_not_written_to_a_terminal() {
    let folder = Folder::new("terminal");
    let recording = folder.file("recording.bin", &small());
    for args in [
        &["conv", "-o", "-", &recording][..],
        &["conv", "--gzip", "-o", "-", &recording],
        &["conv", "-o", "/dev/stdout", &recording],
        &["conv", "--strict", "-o", "-", &recording],
    ] {
        let (ran, seen) = Terminal::new().run_command(&mut cli(args));
        assert_fails(
            &ran,
            2,
            &[
                "refusing to write binary output to a terminal",
                "name a file with -o",
                "Usage: tband-cli conv",
            ],
        );
        assert!(seen.is_empty(), "{args:?}: {}", String::from_utf8_lossy(&seen));
    }
    // By its name, independent of the caller.
    let terminal = Terminal::new();
    let ran = run(&["conv", "-o", &terminal.path, &recording]);
    assert_fails(&ran, 2, &["refusing to write"]);
}

#[test]
fn text_is_shown_on_a_terminal() {
    let folder = Folder::new("terminal-text");
    let recording = folder.file("recording.bin", &small());
    for command in ["dump", "stats", "check"] {
        let args = [command, &recording];
        let (ran, seen) = Terminal::new().run_command(&mut cli(&args));
        assert_eq!(ran.code, Some(0), "{command}: {}", ran.stderr);
        let seen = String::from_utf8(seen).unwrap().replace("\r\n", "\n");
        let piped = run(&args).text();
        assert_eq!(seen, piped, "{command}");
    }
    // A device that is not a terminal accepts a trace.
    run(&["conv", "-o", "/dev/null", &recording]).assert_code(0);
}

/// Names of files and of the target have external origins: none controls the terminal, on any path.
#[test]
fn output_contains_no_terminal_control_sequences() {
    use tband_format::{Event, Str};
    let folder = Folder::new("steers");
    let name = |text: &str| text.replace('?', "\x1b]0;x\x07\x1b[2J\u{9b}31m\u{202e}\r");
    let bad = name("n?");
    let events = [
        Event::TaskName { task_id: 1, name: Str(bad.as_bytes()) },
        Event::EvtmarkerName { evtmarker_id: 1, name: Str(bad.as_bytes()) },
        Event::BuildId { id: Str(bad.as_bytes()) },
        Event::TaskSwitchedIn { task_id: 1 },
        Event::Evtmarker { evtmarker_id: 1, msg: Str(bad.as_bytes()) },
        Event::DroppedEvtCnt { cnt: 3 },
        Event::TaskSwitchedIn { task_id: 2 },
    ];
    let mut bytes: Vec<u8> = (1..).zip(events).flat_map(|(ts, event)| frame(ts, event)).collect();
    bytes.extend([3, 50, 1, 0]);
    let file = folder.file(&name("r?.bin"), &bytes);
    let text = folder.file(&name("t?.txt"), b"no recording at all, but some text");
    let header = folder.file(&name("c?.h"), b"#define tband_configENABLED 1\x1b[2J\n");
    let project = folder.path(&name("d?"));
    std::fs::create_dir(&project).unwrap();
    let lines = name("#define tband_configENABEL 1?\n#define tband_configENABLE 0?\n");
    folder.file(&name("d?/tband_config.h"), lines.as_bytes());
    let missing = folder.path(&name("none?.bin"));
    let out = folder.path(&name("out?.pftrace"));
    let page = folder.path(&name("out?.html"));
    let ctf = folder.path(&name("ctf?"));
    let flag = name("--no?");
    for args in [
        vec!["-v", "check", &file],
        vec!["check", "--json", &file],
        vec!["-v", "stats", &file],
        vec!["stats", "--json", &file],
        vec!["stats", "--csv", "--all", &file],
        vec!["-v", "dump", &file],
        vec!["dump", "--json", &file],
        vec!["-v", "conv", &file],
        vec!["-v", "conv", "-o", &out, &file],
        vec!["-v", "conv", "--to", "ctf2", "-o", &ctf, &file],
        vec!["-v", "report", "-o", &page, &file],
        vec!["check", &missing],
        vec!["dump", &text],
        vec!["serve", &text],
        vec!["check", &file, &file],
        vec!["config", &header],
        vec!["doctor", &project],
        vec!["doctor", &header],
        vec!["conv", "--from", &bad, &file],
        vec!["dump", "--event", &bad, &file],
        vec!["dump", "--task", &bad, &file],
        vec!["conv", "--around", &bad, "-o", &out, &file],
        vec![&flag],
        vec![&bad],
    ] {
        let ran = run(&args);
        let printed = ran.text() + &ran.stderr;
        let steers = |letter: char| tband_conv::model::is_control(letter) && letter != '\n';
        // CSV ends its lines as the standard has it.
        let found = printed.replace("\r\n", "\n").matches(steers).count();
        assert_eq!(found, 0, "{args:?}: {printed:?}");
        assert!(!printed.is_empty(), "{args:?}");
    }
}
