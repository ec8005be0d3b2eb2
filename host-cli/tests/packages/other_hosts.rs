//! `tband-cli` for Windows, run under wine: its output equals this machine's, to the byte. For macOS it is compiled, as far as
//! possible without Apple's linker.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::*;
use xtask::rust_target::add_target;
use xtask::setup::{self, Purpose};

const WINDOWS: &str = "x86_64-pc-windows-gnu";
const MACOS: &str = "aarch64-apple-darwin";

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// Runs cargo for another host; both share the artefacts for this one.
fn cargo(what: &str, triple: &str, features: &[&str]) {
    add_target(Path::new("rustup"), root(), triple).unwrap_or_else(|error| panic!("{error:#}"));
    let mut cargo = Command::new("cargo");
    cargo.args([what, "--quiet", "--locked", "--package", "tband-cli", "--target", triple]);
    cargo
        .args(features)
        .arg("--target-dir")
        .arg(root().join("target/other-hosts"))
        .current_dir(root());
    let linker = "CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER";
    finish(cargo.env(linker, "x86_64-w64-mingw32-gcc").env_remove("CARGO_BUILD_TARGET"))
        .assert_code(0);
}

/// Without SQLite, for which a compiler of C for macOS is needed.
#[test]
fn it_compiles_for_macos() {
    cargo("check", MACOS, &["--no-default-features"]);
}

/// A machine with Windows, as far as wine is one.
struct Windows {
    program: PathBuf,
    /// Wine's state of a machine.
    machine: Folder,
}

impl Windows {
    /// Builds the program; nothing where the tools cannot be had.
    fn new() -> Option<Self> {
        if let Err(error) = setup::run(Purpose::Windows) {
            eprintln!("SKIPPED: tband-cli for Windows is NOT tried: {error:#}");
            return None;
        }
        cargo("build", WINDOWS, &[]);
        let folder = root().join("target/other-hosts").join(WINDOWS).join("debug");
        random_numbers(&folder);
        Some(Self { program: folder.join("tband-cli.exe"), machine: Folder::new("wine") })
    }

    fn run(&self, folder: &Folder, args: &[&str], stdin: &[u8]) -> RunOutput {
        let mut wine = Command::new("wine");
        wine.arg(&self.program).args(args).current_dir(&folder.0);
        wine.env("WINEPREFIX", &self.machine.0).env("WINEDEBUG", "-all").env_remove("DISPLAY");
        feed(&mut wine, stdin)
    }
}

/// Rust's library takes random numbers from a library of Windows that wine has not had before version 9: this one has
/// them from where wine has them.
fn random_numbers(folder: &Path) {
    const SOURCE: &str = "\
#include <stddef.h>
unsigned char __stdcall SystemFunction036(void *buffer, unsigned long size);
__declspec(dllexport) int __stdcall ProcessPrng(unsigned char *data, size_t size)
{
  return SystemFunction036(data, (unsigned long)size);
}
";
    let source = folder.join("random_numbers.c");
    fs::write(&source, SOURCE).unwrap();
    let mut compile = Command::new("x86_64-w64-mingw32-gcc");
    compile.arg("-shared").arg("-o").arg(folder.join("bcryptprimitives.dll")).arg(source);
    finish(compile.arg("-ladvapi32")).assert_code(0);
}

/// Returns the files below a folder, with their content.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push((
                path.file_name().unwrap().to_str().unwrap().to_owned(),
                fs::read(path).unwrap(),
            ));
        }
    }
    found.sort();
    found
}

#[test]
fn on_windows_it_writes_what_it_writes_here() {
    let Some(windows) = Windows::new() else { return };
    // A name that is not ASCII, in a folder with a space.
    let [here, there] = ["other here", "other there"].map(with_examples);
    for folder in [&here, &there] {
        fs::create_dir(folder.path("with space")).unwrap();
        fs::copy(folder.path("recording.bin"), folder.path("with space/größe.bin")).unwrap();
    }
    let name = "with space/größe.bin";
    let commands: &[&[&str]] = &[
        &["--version"],
        &["conv", "--help"],
        &["conv", "-o", "t.pftrace", "recording.bin"],
        &["conv", "-o", "t.pftrace.gz", name],
        &["conv", "-o", "-", "core0.bin@0", "core1.bin@1"],
        &["conv", "--output-format", "ctf1", "-o", "ctf", "recording.bin"],
        &["conv", "--output-format", "vcd", "-o", "t.vcd", "recording.bin"],
        &["conv", "--output-format", "fst", "-o", "t.fst", "recording.bin"],
        &["conv", "--output-format", "flux", "-o", "t.flux", "recording.bin"],
        &["dump", name],
        &["dump", "--json", "recording.bin"],
        &["stats", "recording.bin"],
        &["stats", "--json", "damaged.bin"],
        &["check", "damaged.bin"],
        &["report", "-o", "report.html", "recording.bin"],
        &["extract", "-o", "out.bin", "ram.bin"],
        &["config", "config/tband_config.h"],
        &["top", "--once", "recording.bin"],
        &["record", "-o", "copy.bin", "--until", "events:100", "file:recording.bin"],
        &["completion", "powershell"],
        &["man", "--out", "man1"],
        &["licenses"],
        // Wrong usage ends as it does here.
        &["conv", "--no-such-flag"],
        &["stats", "-o"],
    ];
    for args in commands {
        let ours = finish(cli(args).current_dir(&here.0));
        let ran = windows.run(&there, args, b"");
        assert_eq!(ran.code, ours.code, "{args:?}: {}", ran.stderr);
        let text =
            |bytes: &[u8]| String::from_utf8_lossy(bytes).replace("tband-cli.exe", "tband-cli");
        assert_eq!(text(&ran.stdout), text(&ours.stdout), "{args:?}");
    }
    let [ours, found] = [&here, &there].map(|folder| files(&folder.0));
    let names =
        |files: &[(String, Vec<u8>)]| files.iter().map(|it| it.0.clone()).collect::<Vec<_>>();
    assert_eq!(names(&found), names(&ours));
    for (found, ours) in found.iter().zip(&ours) {
        assert!(found == ours, "{} differs", ours.0);
    }
    // Bytes of a pipe are not taken for text: 0x1A and line ends stay.
    let recording = [by_hand(), vec![0x1A, 0x0D, 0x0A, 0]].concat();
    let ran = windows.run(&there, &["dump", "-"], &recording);
    let ours = run_with_stdin(&["dump", "-"], &recording);
    assert_eq!(ran.code, ours.code, "{}", ran.stderr);
    assert!(ran.stdout == ours.stdout, "{}", String::from_utf8_lossy(&ran.stdout));
    let ran = windows.run(&there, &["stats", "none.bin"], b"");
    assert_fails(&ran, 2, &["cannot read none.bin"]);
}
