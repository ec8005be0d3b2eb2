//! Commands whose output is no longer read, as after `| head`, finish their work and end without a message.

use std::io;
use std::process::{Command, Stdio};

use tband_programs::start;

#[test]
fn a_recording_is_made_although_stdout_is_closed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("r.bin");
    let (reader, writer) = io::pipe().unwrap();
    drop(reader);
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.args(["generate", "--size", "10k", "--output"]).arg(&file);
    command.stdin(Stdio::null()).stdout(writer).stderr(Stdio::piped());
    let output = start(&mut command).unwrap().output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
    assert!(std::fs::metadata(&file).unwrap().len() >= 10_000);
}
