//! Interruptions: nothing temporary stays behind, and an earlier output is as it was.

use std::fs;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus, Stdio};

use crate::support::*;
use tband_programs::{output, until};

/// Waits until there is one more entry than those; the program must not end before.
fn wait_for_more_than(folder: &Folder, known: usize, child: &mut Program) {
    until(|| {
        assert_eq!(child.try_wait().unwrap(), None);
        (folder.names().len() > known).then_some(())
    });
}

/// As the shell has it: ended by this signal, so a loop in a script ends too.
fn died_of(status: ExitStatus, signal: i32) {
    assert_eq!(status.signal(), Some(signal), "{status}");
}

#[test]
fn an_interrupted_conversion_removes_its_files() {
    let folder = Folder::new("interrupted");
    // Long enough that it is not over at once; compression takes time, too.
    let recording = fs::read(vector("freertos_sim.bin")).unwrap().repeat(500);
    folder.file("r.bin", &recording);
    folder.file("t.pftrace", b"old");
    for (name, number) in [("-INT", 2), ("-TERM", 15), ("-HUP", 1)] {
        let args = ["-q", "conv", "--gzip", "-o", "t.pftrace", "r.bin"];
        let mut child = start(cli(&args).current_dir(&folder.0)).unwrap();
        wait_for_more_than(&folder, 2, &mut child);
        signal(&child, name);
        died_of(child.wait().unwrap(), number);
        assert_eq!(folder.names(), ["r.bin", "t.pftrace"]);
        assert_eq!(fs::read(folder.path("t.pftrace")).unwrap(), b"old");
    }
}

#[test]
fn removes_the_stored_copy_of_a_stream() {
    let folder = Folder::new("interrupted-stream");
    for args in [["stats", "-"], ["serve", "-"]] {
        let mut command = cli(&args);
        command.env("TMPDIR", &folder.0).stdin(Stdio::piped()).stdout(Stdio::null());
        let mut child = start(&mut command).unwrap();
        // Open to the end.
        let mut stdin = child.stdin().unwrap();
        stdin.write_all(&small()).unwrap();
        wait_for_more_than(&folder, 0, &mut child);
        signal(&child, "-INT");
        died_of(child.wait().unwrap(), 2);
        assert_eq!(folder.names(), [""; 0]);
    }
}

#[test]
fn a_signal_that_is_ignored_from_the_start_stays_ignored() {
    let folder = Folder::new("nohup");
    let mut command = Command::new("sh");
    let line = format!("trap '' HUP; exec '{}' stats --json -", env!("CARGO_BIN_EXE_tband-cli"));
    command.args(["-c", &line]).env("TMPDIR", &folder.0);
    let mut child = start(command.stdin(Stdio::piped()).stdout(Stdio::null())).unwrap();
    let mut stdin = child.stdin().unwrap();
    stdin.write_all(&small()).unwrap();
    wait_for_more_than(&folder, 0, &mut child);
    signal(&child, "-HUP");
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(folder.names(), [""; 0]);
}

/// The reader of the recording has stopped reading, but has not ended: then the planned end does not happen.
#[test]
fn a_second_interrupt_ends_a_blocked_recording() {
    let (_reader, writer) = std::io::pipe().unwrap();
    fill(&writer);
    let mut command = cli(&["record", "-o", "-", "-"]);
    command.stdin(Stdio::piped()).stdout(Stdio::from(writer)).stderr(Stdio::piped());
    let mut child = start(&mut command).unwrap();
    let mut stdin = child.stdin().unwrap();
    // More than a pipe holds: some of it was received, and is to be written.
    stdin.write_all(&small().repeat(20_000)).unwrap();
    let status = until(|| {
        let _ = output(Command::new("kill").args(["-TERM", &child.id().to_string()])).unwrap();
        child.try_wait().unwrap()
    });
    died_of(status, 15);
}

/// Fills a pipe.
fn fill(mut pipe: &std::io::PipeWriter) {
    use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
    let flags = fcntl_getfl(pipe).unwrap();
    fcntl_setfl(pipe, flags | OFlags::NONBLOCK).unwrap();
    while pipe.write(&[0; 512]).is_ok() {}
    fcntl_setfl(pipe, flags).unwrap();
}
