//! `port/tband.gdb`: what GDB saves from a device that stands still is what the library's functions give.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tband_programs::{start, until};
use tband_tests::events::lines;
use tband_tests::{finish, root, run, temp_dir};
use xtask::board::Board;

use crate::archive;

/// Compiles the program for the board with some of the compiler's options.
fn build(folder: &Path, options: &str) -> PathBuf {
    let board = root().join("examples/mps2-board");
    let sources = root().join("tests/qemu/debugger");
    let elf = folder.join("debugged.elf");
    let mut compile = Command::new("arm-none-eabi-gcc");
    compile.args(["-mcpu=cortex-m3", "-mthumb", "-Wall", "-Wextra", "-Werror"]);
    compile.args([
        "-ffunction-sections",
        "-Wl,--gc-sections",
        "-nostartfiles",
        "--specs=nano.specs",
    ]);
    compile.args(options.split(' ')).arg("-T").arg(board.join("mps2.ld"));
    for include in [&sources, &board, &root().join("port"), &root().join("include")] {
        compile.arg("-I").arg(include);
    }
    compile.args(["startup.c", "board.c", "failed.c", "semihost.c"].map(|name| board.join(name)));
    compile.arg(sources.join("main.c")).arg(root().join("port/tband_shim.c"));
    run(compile.arg(archive(Board::BareMetal)).arg("-o").arg(&elf));
    elf
}

/// Lets the program run in QEMU until `place`, and gives GDB some commands there; what it said.
fn at(elf: &Path, folder: &Path, place: &str, commands: &[&str]) -> String {
    let socket = folder.join("gdb.socket");
    let [emulator, machine @ ..] = Board::BareMetal.emulator() else {
        unreachable!("an emulator");
    };
    let mut qemu = Command::new(emulator);
    qemu.args(machine)
        .args(["-display", "none", "-monitor", "none", "-serial", "none", "-S"])
        .args(["-semihosting-config", "enable=on,target=native", "-icount", "shift=6,sleep=off"])
        .arg("-chardev")
        .arg(format!("socket,path={},server=on,wait=off,id=gdb", socket.display()))
        .args(["-gdb", "chardev:gdb", "-kernel"])
        .arg(elf)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let _qemu = start(&mut qemu).expect("QEMU starts");
    until("QEMU's socket for GDB", || socket.exists().then_some(()));

    let mut gdb = Command::new("gdb-multiarch");
    gdb.args(["-batch", "-nx", "-ex", "set confirm off", "-ex", "set architecture arm"]);
    gdb.arg("-ex").arg(format!("file {}", elf.display()));
    gdb.arg("-ex").arg(format!("target remote {}", socket.display()));
    gdb.arg("-ex").arg(format!("break {place}")).args(["-ex", "continue"]);
    gdb.arg("-ex").arg(format!("source {}", root().join("port/tband.gdb").display()));
    for command in commands {
        gdb.args(["-ex", command]);
    }
    // What it says, and not its status, which depends on how fast QEMU ends.
    finish(gdb.args(["-ex", "disconnect"]).current_dir(folder)).text()
}

/// The program's own file and the one that GDB saved, which are equal.
fn saved(options: &str, ring: &str) -> Vec<u8> {
    let folder = temp_dir();
    let elf = build(folder.path(), options);
    let said = at(&elf, folder.path(), "hold", &[&format!("tband-save saved.bin {ring}")]);
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap_or_default();
    let (own, saved) = (read("trace.bin"), read("saved.bin"));
    assert!(!own.is_empty(), "{options}: the program has recorded nothing: {said}");
    assert!(own == saved, "{options}: {} bytes and {}: {said}", own.len(), saved.len());
    assert!(said.contains("bytes of events of"), "{options}: {said}");
    saved
}

const SNAPSHOT: &str = "-DRECORDS=1 -Dtband_configUSE_BACKEND_SNAPSHOT=1";
const STREAMING: &str = "-DRECORDS=1 -Dtband_configUSE_BACKEND_STREAMING=1";
const EXTERNAL: &str = "-DRECORDS=1 -Dtband_configUSE_BACKEND_EXTERNAL=1";

#[test]
fn every_backend_with_and_without_debug_info() {
    for build in ["-O0", "-O0 -g", "-Os", "-Os -g", "-O2 -flto -g"] {
        let snapshot = lines(&saved(&format!("{build} {SNAPSHOT}"), ""));
        assert!(snapshot.iter().any(|line| line.contains("name=\"first\"")), "{snapshot:#?}");
        let last = snapshot.last().expect("events");
        assert!(last.ends_with("valmarker valmarker_id=0 val=89000"), "{last}");
        for options in [STREAMING, EXTERNAL] {
            let ring = lines(&saved(&format!("{build} {options}"), "ring"));
            assert!(ring.iter().any(|line| line.contains("name=\"first\"")), "{ring:#?}");
            let last = ring.last().expect("events");
            assert!(last.ends_with("valmarker valmarker_id=0 val=89000"), "{last}");
        }
    }
}

#[test]
fn several_cores() {
    for (options, ring) in [(SNAPSHOT, ""), (STREAMING, "ring")] {
        let lines = lines(&saved(&format!("-Os -DCORES=2 {options}"), ring));
        for text in ["name=\"first\"", "name=\"second\"", "valmarker_id=1 val=89000"] {
            assert!(lines.iter().any(|line| line.contains(text)), "no {text} in {lines:#?}");
        }
    }
}

/// Wherever the program stands, what is saved is whole frames, and no event that was finished is missing.
#[test]
fn in_the_middle_of_a_recording() {
    let folder = temp_dir();
    let elf = build(folder.path(), &format!("-Os -g {SNAPSHOT}"));
    for (name, skip) in [("tband_snapshot_close_u32_s64", 40), ("tband_snapshot_open", 25)] {
        let commands = [
            &format!("ignore 1 {skip}"),
            "continue",
            "tband-save middle.bin",
            "stepi 7",
            "tband-save later.bin",
        ];
        let said = at(&elf, folder.path(), name, &commands);
        let read = |name: &str| fs::read(folder.path().join(name)).expect("a recording");
        let (middle, later) = (read("middle.bin"), read("later.bin"));
        assert!(later.starts_with(&middle), "{said}");
        let lines = lines(&middle);
        assert!(lines.len() > skip && middle.ends_with(&[0]), "{lines:#?}");
        fs::remove_file(folder.path().join("gdb.socket")).expect("a socket");
    }
}

#[test]
fn what_is_missing_is_said() {
    let folder = temp_dir();
    let elf = build(folder.path(), "-Os -DRECORDS=0 -Dtband_configUSE_BACKEND_SNAPSHOT=1");
    let said =
        at(&elf, folder.path(), "hold", &["tband-save a.bin", "tband-save", "tband-save a b c"]);
    assert!(said.contains("nothing was recorded, and no file is written"), "{said}");
    assert_eq!(said.matches("Usage: tband-save FILE [RING]").count(), 2, "{said}");
    assert!(!folder.path().join("a.bin").exists());

    let folder = temp_dir();
    let elf = build(folder.path(), &format!("-Os -g {STREAMING}"));
    let said = at(&elf, folder.path(), "hold", &["tband-save a.bin", "tband-save a.bin now"]);
    assert!(said.contains("If they go into a tband_ring, name it"), "{said}");
    assert!(said.contains("this is no tband_ring"), "{said}");
}
