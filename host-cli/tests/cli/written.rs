//! Files that commands write: anything but a plain file with one name is written in place, and no content is lost.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::process::{Command, Stdio};

use crate::support::*;

/// Commands that write what `-o` names, without `-o` and the recording.
const COMMANDS: [&[&str]; 5] = [
    &["conv"],
    &["conv", "--strict"],
    &["conv", "--gzip"],
    &["conv", "--output-format", "fst"],
    &["report"],
];

/// Runs a script in which "$@" is `tband-cli` with a command.
fn shell(folder: &Folder, command: &[&str], script: &str) -> RunOutput {
    let mut shell = Command::new("bash");
    shell.args(["-ec", script, "bash", env!("CARGO_BIN_EXE_tband-cli")]).args(command);
    shell.current_dir(folder.path("")).stdin(Stdio::null());
    finish(&mut shell)
}

/// Returns the output of a command into a separate file.
fn expected(folder: &Folder, command: &[&str]) -> Vec<u8> {
    let ran = shell(folder, command, "\"$@\" -o plain in.bin");
    assert_eq!(ran.code, Some(0), "{command:?}: {}", ran.stderr);
    fs::read(folder.path("plain")).unwrap()
}

#[test]
fn open_descriptors_are_appended_to() {
    let folder = Folder::new("written-descriptors");
    folder.file("in.bin", &small());
    symlink("/dev/stdout", folder.path("link")).unwrap();
    for command in COMMANDS {
        let made = expected(&folder, command);
        for (path, redirect) in [
            ("/dev/stdout", ">>"),
            ("/dev/stdout", ">"),
            ("/dev/fd/1", ">>"),
            ("/proc/self/fd/1", ">>"),
            ("link", ">>"),
            ("/dev/stderr", "2>>"),
            ("/dev/fd/3", "3>>"),
        ] {
            fs::write(folder.path("log"), "before\n").unwrap();
            let script = format!("{{ echo first; \"$@\" --quiet -o {path} in.bin; }}");
            let ran = shell(&folder, command, &format!("{script} {redirect} log"));
            assert_eq!(ran.code, Some(0), "{command:?} {path}: {}", ran.stderr);
            let start = match redirect {
                ">" => "first\n",
                ">>" => "before\nfirst\n",
                _ => "before\n",
            };
            let written = fs::read(folder.path("log")).unwrap();
            assert!(written == [start.as_bytes(), &made].concat(), "{command:?} {redirect} {path}");
        }
    }
    // One that is not open.
    let ran = shell(&folder, &["conv"], "\"$@\" -o /dev/fd/77 in.bin");
    assert_fails(&ran, 2, &["cannot write /dev/fd/77"]);
}

#[test]
fn a_recording_is_appended_to_an_open_descriptor() {
    let folder = Folder::new("written-record");
    folder.file("in.bin", &small());
    for path in ["/dev/stdout", "/dev/fd/3"] {
        fs::write(folder.path("log"), "before\n").unwrap();
        let script = format!("\"$@\" --quiet -o {path} - < in.bin >> log 3>> log");
        let ran = shell(&folder, &["record"], &script);
        let written = fs::read(folder.path("log")).unwrap();
        assert!(written == [b"before\n", &small()[..]].concat(), "{path}: {}", ran.stderr);
    }
}

#[test]
fn links_and_permissions_stay() {
    let folder = Folder::new("written-links");
    folder.file("in.bin", &small());
    for command in COMMANDS {
        let made = expected(&folder, command);
        let is_made = |name: &str| {
            assert!(fs::read(folder.path(name)).unwrap() == made, "{command:?} {name}")
        };
        for name in ["one", "two", "target", "to-target", "new", "to-new", "chain"] {
            let _ = fs::remove_file(folder.path(name));
        }
        // Longer than the output.
        fs::write(folder.path("one"), vec![b'x'; made.len() + 10]).unwrap();
        fs::set_permissions(folder.path("one"), fs::Permissions::from_mode(0o640)).unwrap();
        fs::hard_link(folder.path("one"), folder.path("two")).unwrap();
        fs::write(folder.path("target"), "old").unwrap();
        fs::set_permissions(folder.path("target"), fs::Permissions::from_mode(0o604)).unwrap();
        symlink("target", folder.path("to-target")).unwrap();
        symlink("new", folder.path("to-new")).unwrap();
        symlink("to-new", folder.path("chain")).unwrap();
        for output in ["one", "to-target", "chain"] {
            let ran = shell(&folder, command, &format!("\"$@\" -o {output} in.bin"));
            assert_eq!(ran.code, Some(0), "{command:?} {output}: {}", ran.stderr);
        }
        for name in ["one", "two", "target", "to-target", "new"] {
            is_made(name);
        }
        for link in ["to-target", "to-new", "chain"] {
            assert!(fs::symlink_metadata(folder.path(link)).unwrap().is_symlink(), "{link}");
        }
        let meta = |name: &str| fs::metadata(folder.path(name)).unwrap();
        assert_eq!(meta("one").ino(), meta("two").ino());
        assert_eq!(meta("one").mode() & 0o777, 0o640);
        assert_eq!(meta("target").mode() & 0o777, 0o604);
    }
    // A command that fails leaves the file as it is.
    fs::write(folder.path("bad.bin"), "no recording").unwrap();
    let before = fs::read(folder.path("one")).unwrap();
    let ran = shell(&folder, &["conv"], "\"$@\" --strict -o one bad.bin");
    assert_ne!(ran.code, Some(0));
    assert!(fs::read(folder.path("two")).unwrap() == before);
}
