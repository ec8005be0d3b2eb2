//! The files of `record`: several programs at once, names in use, files that users move or remove during the recording.

use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;

use crate::support::recording::*;
use crate::support::*;
use tband_programs::until;

/// Two programs would overwrite each other's bytes.
#[test]
fn a_file_is_recorded_into_by_one() {
    let folder = Folder::new("files-two");
    let bytes = packed(200);
    let mut first = Recording::start(&folder, &["-"]);
    first.read_address();
    let second = run(&["record", "-o", &folder.path("r.bin"), "-"]);
    assert_fails(&second, 2, &["another tband-cli records into", "r.bin", "-o"]);
    // By another name too; and a device may be shared.
    symlink(folder.path("r.bin"), folder.path("link.bin")).unwrap();
    let second = run(&["record", "-o", &folder.path("link.bin"), "-"]);
    assert_fails(&second, 2, &["another tband-cli records into", "link.bin"]);
    let mut stdin = first.program.stdin().unwrap();
    stdin.write_all(&bytes).unwrap();
    drop(stdin);
    assert_eq!(first.end().code, Some(0));
    assert_eq!(Recording::bytes(&folder), bytes);
    run_with_stdin(&["record", "-o", &folder.path("r.bin"), "-"], &packed(10)).assert_code(0);
    assert_eq!(Recording::bytes(&folder), packed(10));
}

/// Only an empty file that was created in vain is removed: not one that another program has put there, and not a link.
#[test]
fn keeps_files_of_other_programs() {
    let folder = Folder::new("files-others");
    let mut recording = Recording::start(&folder, &["-"]);
    recording.read_address();
    fs::write(&recording.output, b"of another program").unwrap();
    assert_fails(&recording.interrupt(), 2, &["nothing came"]);
    assert_eq!(Recording::bytes(&folder), b"of another program");
    symlink("there.bin", folder.path("link.bin")).unwrap();
    let ran = run(&["record", "-o", &folder.path("link.bin"), "-"]);
    assert_fails(&ran, 2, &["nothing came"]);
    assert_eq!(fs::read_link(folder.path("link.bin")).unwrap().to_str(), Some("there.bin"));
    assert_eq!(folder.names(), ["link.bin", "r.bin"]);
}

/// Later bytes would be lost: it ends at once, and reports that.
#[test]
fn a_file_that_is_removed_ends_the_recording() {
    let folder = Folder::new("files-removed");
    let (head, rest) = (packed(200), packed(10));
    let trace = folder.path("t.pftrace");
    for replaced in [false, true] {
        let mut recording = Recording::start(&folder, &["--convert", &trace, "-"]);
        let mut stdin = recording.program.stdin().unwrap();
        stdin.write_all(&head).unwrap();
        recording.has(head.len());
        if replaced {
            fs::rename(folder.file("other.bin", b"other"), &recording.output).unwrap();
        } else {
            fs::remove_file(&recording.output).unwrap();
        }
        stdin.write_all(&rest).unwrap();
        let ran = recording.end();
        drop(stdin);
        assert_fails(&ran, 2, &["r.bin was removed while it was recorded"]);
        assert!(!ran.stderr.contains("r.bin: "), "{}", ran.stderr);
    }
    assert_eq!(Recording::bytes(&folder), b"other");
    assert_eq!(folder.names(), ["r.bin"]);
    // No more bytes come: it is noticed at the end.
    let mut recording = Recording::start_in(&folder, &["-"], "other.bin");
    let mut stdin = recording.program.stdin().unwrap();
    stdin.write_all(&head).unwrap();
    recording.has(head.len());
    fs::remove_file(&recording.output).unwrap();
    assert_fails(&recording.interrupt(), 2, &["other.bin was removed while it was recorded"]);
}

/// It has all received bytes, under its other name.
#[test]
fn a_file_that_is_moved_has_all_of_it() {
    let folder = Folder::new("files-moved");
    let (head, rest) = (packed(200), packed(10));
    let trace = folder.path("t.pftrace");
    let mut recording = Recording::start(&folder, &["--convert", &trace, "-"]);
    let mut stdin = recording.program.stdin().unwrap();
    stdin.write_all(&head).unwrap();
    recording.has(head.len());
    fs::rename(&recording.output, folder.path("kept.bin")).unwrap();
    stdin.write_all(&rest).unwrap();
    drop(stdin);
    assert_fails(&recording.end(), 1, &["r.bin was moved while it was recorded"]);
    assert_eq!(fs::read(folder.path("kept.bin")).unwrap(), [head, rest].concat());
    assert_eq!(folder.names(), ["kept.bin"]);
}

/// A number in use is found at the beginning, not after hours of recording.
#[test]
fn numbers_that_are_taken_are_found_at_once() {
    let folder = Folder::new("files-taken");
    for (output, taken) in [("r.bin", "r.0007.bin"), ("r", "r.0007"), ("r.b.bin", "r.b.12345.bin")]
    {
        folder.file(taken, b"from before");
        let path = folder.path(output);
        let ran = run_with_stdin(&["record", "-o", &path, "--keep", "2x1k", "-"], &packed(5000));
        assert_fails(&ran, 2, &[taken, "is there already", "-o"]);
        assert_eq!(folder.names(), [taken]);
        fs::remove_file(folder.path(taken)).unwrap();
    }
    // None of its numbers.
    let others = ["r.7.bin", "r.0007.txt", "r.x.bin", "rr.0007.bin"];
    others.iter().for_each(|name| drop(folder.file(name, b"")));
    let path = folder.path("r.bin");
    run_with_stdin(&["record", "-o", &path, "--keep", "2x1k", "-"], &packed(5000)).assert_code(0);
}

/// Files that are finished may be removed while others are written, and the remaining ones are converted.
#[test]
fn removed_files_do_not_stop_recording() {
    for bytes in [packed(4000), switches(4000)] {
        let folder = Folder::new("files-away");
        let trace = folder.path("t.pftrace");
        let args = ["--keep", "3x2k", "--convert", &trace, "-"];
        let mut recording = Recording::start(&folder, &args);
        let mut stdin = recording.program.stdin().unwrap();
        let (head, rest) = bytes.split_at(5000);
        stdin.write_all(head).unwrap();
        until(|| folder.0.join("r.0003.bin").exists().then_some(()));
        for name in ["r.0001.bin", "r.0002.bin"] {
            fs::remove_file(folder.path(name)).unwrap();
        }
        stdin.write_all(rest).unwrap();
        drop(stdin);
        let ran = recording.end();
        assert!(matches!(ran.code, Some(0 | 1)), "{}", ran.stderr);
        assert!(!ran.stderr.contains("r.0001.bin"), "{}", ran.stderr);
        let names = folder.names();
        assert!(names.len() == 4 && names.contains(&"t.pftrace".to_owned()), "{names:?}");
    }
}

/// The times beside a recording belong to it: they stay as long as it does, and are removed when another one replaces it.
#[test]
fn times_belong_to_their_recording() {
    let folder = Folder::new("files-times");
    let out = folder.path("r.bin");
    folder.file("r.bin", &packed(9));
    folder.file("r.bin.times", b"5 7\n");
    assert_fails(&run(&["record", "--times", "-o", &out, "-"]), 2, &["nothing came"]);
    assert_eq!(fs::read(folder.path("r.bin.times")).unwrap(), b"5 7\n");
    assert_eq!(run_with_stdin(&["record", "-o", &out, "-"], &packed(20)).code, Some(0));
    assert_eq!(folder.names(), ["r.bin"]);
    run_with_stdin(&["record", "--times", "-o", &out, "-"], &packed(20)).assert_code(0);
    let times = fs::read_to_string(folder.path("r.bin.times")).unwrap();
    assert!(
        times.lines().last().unwrap().starts_with(&format!("{} ", packed(20).len())),
        "{times}"
    );
}
