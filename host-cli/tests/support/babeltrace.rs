//! babeltrace2, which reads traces of the Common Trace Format: Debian's for 1.8, for 2 one from 2.1 on, of this machine or of
//! the root that `cargo xtask test --ctf2` creates.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// The version of the Common Trace Format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    One,
    Two,
}

/// A babeltrace2 that reads this version, as the words in front of its arguments; and where it sees files.
fn babeltrace(version: Version) -> Option<(Vec<String>, PathBuf)> {
    if version == Version::Two
        && let Some(root) = std::env::var_os("TBAND_CTF2_ROOT")
    {
        let root = PathBuf::from(root);
        let words = ["chroot", root.to_str().unwrap(), "babeltrace2"].map(str::to_owned);
        return Some((words.into(), root));
    }
    let reported = tband_programs::output(Command::new("babeltrace2").arg("--version"));
    let reported = reported.map(|reported| String::from_utf8_lossy(&reported.stdout).into_owned());
    let is_new =
        |reported: &str| !reported.contains("Babeltrace 2.0") && reported.contains("Babeltrace 2");
    match (version, reported) {
        (Version::Two, reported) if !reported.as_deref().is_ok_and(is_new) => {
            eprintln!(
                "SKIPPED: no babeltrace2 from 2.1 on, CTF 2 is NOT checked: cargo xtask test --ctf2"
            );
            None
        }
        (_, Ok(_)) => Some((vec!["babeltrace2".to_owned()], PathBuf::from("/"))),
        (_, Err(_)) => panic!("no babeltrace2: cargo xtask setup, or apt-get install babeltrace2"),
    }
}

/// Returns babeltrace2's output for a trace: its lines without their packets' context, and its complaints.
pub fn read(version: Version, folder: &str) -> Option<(Vec<String>, String)> {
    let (lines, complaints) = read_whole(version, folder)?;
    Some((lines.iter().map(|line| without_context(line)).collect(), complaints))
}

/// As [`read`], with the packets' context.
pub fn read_whole(version: Version, folder: &str) -> Option<(Vec<String>, String)> {
    let (words, root) = babeltrace(version)?;
    let mut path = PathBuf::from(folder);
    if root != Path::new("/") {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("tband-ctf-{}-{count}", std::process::id());
        let copy = root.join("tmp").join(&name);
        let _ = fs::remove_dir_all(&copy);
        fs::create_dir_all(&copy).unwrap();
        for file in fs::read_dir(folder).unwrap() {
            let file = file.unwrap();
            fs::copy(file.path(), copy.join(file.file_name())).unwrap();
        }
        path = Path::new("/tmp").join(name);
    }
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).args(["--clock-cycles", "--no-delta"]).arg(&path);
    let output = tband_programs::output_inheriting(&mut command).unwrap();
    if root != Path::new("/") {
        fs::remove_dir_all(root.join(path.strip_prefix("/").unwrap())).unwrap();
    }
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    // Texts of targets may be any bytes.
    let text = String::from_utf8_lossy(&output.stdout);
    let lines = text.lines().map(str::to_owned).collect();
    Some((lines, String::from_utf8_lossy(&output.stderr).into_owned()))
}

/// Returns `[0000000042] name: { packet context }, { fields }` without the context.
fn without_context(line: &str) -> String {
    let (head, rest) = line.split_once(": { ").unwrap();
    let fields = rest.split_once(" }").unwrap().1;
    let (ticks, name) = head.trim_start_matches('[').split_once("] ").unwrap();
    format!("{} {name}{fields}", ticks.trim_start_matches('0'))
}
