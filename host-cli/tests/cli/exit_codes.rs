//! The real binary: exit codes, messages, output, for good and for every kind of bad input.

use std::fs;

use crate::support::*;

#[test]
fn a_clean_recording_is_converted() {
    let folder = Folder::new("clean");
    let out = folder.path("t.pftrace");
    let ran = run(&["conv", "-o", &out, &vector("freertos_sim.bin")]);
    assert_fails(&ran, 0, &["t.pftrace: 7057 events"]);
    assert!(ran.stdout.is_empty());
    assert!(fs::read(&out).unwrap().starts_with(&[0x0A]));
    assert_eq!(folder.names(), ["t.pftrace"]);
    let ran = run(&["-q", "conv", "-o", "-", &vector("freertos_sim.bin")]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert_eq!(ran.stdout, fs::read(&out).unwrap());
}

#[test]
fn stdin_and_hex_give_the_same_as_the_file() {
    let folder = Folder::new("same");
    let bytes = fs::read(vector("freertos_late_start.bin")).unwrap();
    let expected = run(&["conv", "-o", "-", &vector("freertos_late_start.bin")]).stdout;
    assert!(!expected.is_empty());
    assert_eq!(run_with_stdin(&["conv", "-o", "-", "-"], &bytes).stdout, expected);
    let hex: String = bytes.iter().map(|byte| format!("{byte:02X}\n")).collect();
    let file = folder.file("r.hex", hex.as_bytes());
    for format in ["hex", "auto"] {
        assert_eq!(run(&["conv", "-f", format, "-o", "-", &file]).stdout, expected);
    }
    let json = run(&["dump", "--json", &vector("freertos_late_start.bin")]).stdout;
    assert_eq!(run_with_stdin(&["dump", "--json", "-m", "free-rtos", "-"], &bytes).stdout, json);
    assert_eq!(run_with_stdin(&["dump", "--json", "-f", "hex", "-"], hex.as_bytes()).stdout, json);
}

#[test]
fn an_output_that_is_read_no_further_is_a_quiet_end() {
    let mut program = start(piped(&mut cli(&["dump", &vector("freertos_sim.bin")]))).unwrap();
    program.close_stdout();
    let ran = ran(program.output().unwrap());
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
}

#[test]
fn reports_a_failed_write_to_stdout() {
    if !fs::exists("/dev/full").unwrap() {
        return;
    }
    let file = vector("freertos_sim.bin");
    let conv = ["conv", "-o", "-", &file];
    for args in [&["stats", &file][..], &["completion", "bash"], &conv] {
        let full = fs::File::create("/dev/full").unwrap();
        let ran = ran(start(piped(&mut cli(args)).stdout(full)).unwrap().output().unwrap());
        assert_fails(&ran, 2, &["error: cannot write", "No space left"]);
    }
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_a_secret_file_secret() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new("link");
    let (file, link) = (folder.file("t.pftrace", b"old"), folder.path("link"));
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    symlink("t.pftrace", &link).unwrap();
    assert_eq!(run(&["conv", "-o", &link, &vector("freertos_sim.bin")]).code, Some(0));
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::read(&file).unwrap().starts_with(&[0x0A]));
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(folder.names(), ["link", "t.pftrace"]);
}
