//! What is printed to a terminal: text and no binary.

#![cfg(unix)]

mod support;

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read};
use std::process::{Command, Stdio};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use support::*;

/// A terminal: the end of whoever looks at it, and the path of the other.
struct Terminal {
    seen: File,
    path: String,
}

impl Terminal {
    fn new() -> Self {
        let seen = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&seen).unwrap();
        unlockpt(&seen).unwrap();
        let path = ptsname(&seen, Vec::new()).unwrap().into_string().unwrap();
        Self { seen: seen.into(), path }
    }

    /// Runs a command with its stdout here, and gives what is seen of it.
    fn shows(mut self, command: &mut Command) -> (Ran, Vec<u8>) {
        let end = OpenOptions::new().read(true).write(true).open(&self.path).unwrap();
        let program = start(command.stdout(Stdio::from(end)).stderr(Stdio::piped())).unwrap();
        // What has the end open is the program alone.
        *command = Command::new("true");
        let reader = std::thread::spawn(move || {
            let (mut all, mut part) = (Vec::new(), [0; 4096]);
            loop {
                match self.seen.read(&mut part) {
                    Ok(0) => return all,
                    Ok(len) => all.extend_from_slice(&part[..len]),
                    // Nobody has the other end open any more.
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
        let (ran, seen) = Terminal::new().shows(&mut cli(args));
        assert_fails(
            &ran,
            2,
            &["nothing for a terminal", "name a file with -o", "Usage: tband-cli conv"],
        );
        assert!(seen.is_empty(), "{args:?}: {}", String::from_utf8_lossy(&seen));
    }
    // By its name, whoever runs the command.
    let terminal = Terminal::new();
    let ran = run(&["conv", "-o", &terminal.path, &recording]);
    assert_fails(&ran, 2, &["nothing for a terminal"]);
}

#[test]
fn text_is_shown_on_a_terminal() {
    let folder = Folder::new("terminal-text");
    let recording = folder.file("recording.bin", &small());
    for command in ["dump", "stats", "check"] {
        let args = [command, &recording];
        let (ran, seen) = Terminal::new().shows(&mut cli(&args));
        assert_eq!(ran.code, Some(0), "{command}: {}", ran.stderr);
        let seen = String::from_utf8(seen).unwrap().replace("\r\n", "\n");
        let piped = String::from_utf8(run(&args).stdout).unwrap();
        assert_eq!(seen, piped, "{command}");
    }
    // What is no terminal takes a trace.
    let ran = run(&["conv", "-o", "/dev/null", &recording]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}
