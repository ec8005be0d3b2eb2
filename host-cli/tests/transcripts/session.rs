//! Runs the commands of a transcript, and compares what they print.
//!
//! A transcript is indented where the terminal is shown: a line that begins with `$ ` is a command for the shell, `> ` continues it, and the
//! lines after it are its standard output, its standard error (`! `) and its exit code (`? `) unless that is 0. All other lines explain.
//!
//! Inputs that a command names are written into the folder of the session before it runs. After an intended change run the tests with
//! `TBAND_OVERWRITE=1` in the environment and inspect the difference.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::inputs;
use crate::support::{Folder, approved, finish};

/// The folder of the transcripts.
pub const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/transcripts");

/// Compares a transcript with what its commands print now.
#[track_caller]
pub fn check(name: &str) {
    let path = Path::new(FOLDER).join(name).with_extension("txt");
    let folder = Folder::new(name);
    let actual = run(&folder, &fs::read_to_string(&path).unwrap());
    approved(&path, &actual);
}

/// Returns the transcript with the results of its commands as they are now.
fn run(folder: &Folder, transcript: &str) -> String {
    let (mut text, mut is_after_blank) = (String::new(), false);
    let mut lines = transcript.lines().peekable();
    while let Some(line) = lines.next() {
        let command = line.strip_prefix("    $ ");
        // Expected results, which the current ones replace.
        if command.is_none() && (line.is_empty() || line.starts_with("    ")) {
            is_after_blank = line.is_empty();
            continue;
        }
        // Results may end with an empty line.
        if std::mem::take(&mut is_after_blank) && !text.ends_with("\n\n") {
            text.push('\n');
        }
        writeln!(text, "{line}").unwrap();
        if let Some(command) = command {
            let mut command = command.to_owned();
            while let Some(line) = lines.next_if(|line| line.starts_with("    > ")) {
                writeln!(text, "{line}").unwrap();
                command = command + "\n" + &line[6..];
            }
            inputs::create(folder, &command);
            text += &results(folder, &command);
        }
    }
    text
}

/// Runs a command in the folder of the session; returns the lines that it prints.
fn results(folder: &Folder, command: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_tband-cli"));
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let folders = [program.parent().unwrap().to_owned()];
    let paths = folders.into_iter().chain(std::env::split_paths(&paths));
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(&folder.0).stdin(std::process::Stdio::null());
    shell.env("PATH", std::env::join_paths(paths).unwrap());
    shell.env_remove("NO_COLOR").env("COLUMNS", "100");
    let ran = finish(&mut shell);
    let mut text = String::new();
    let stdout = String::from_utf8_lossy(&ran.stdout).into_owned();
    let stderr = ran.stderr.lines().map(|line| format!("! {line}"));
    let code = ran.code.filter(|code| *code != 0).map(|code| format!("? {code}"));
    for line in stdout.lines().map(str::to_owned).chain(stderr).chain(code) {
        writeln!(text, "{}", format!("    {line}").trim_end()).unwrap();
    }
    text
}
