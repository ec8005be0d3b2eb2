//! A program on a halted emulated board, with a debugger that looks at it: `tests/qemu/debugger`.

use std::net::{Ipv4Addr, TcpListener};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tband_programs::{Program, start, until};
use xtask::board::{Board, emulator_command};

use crate::library::library;
use crate::{finish, root, run};

/// The library for the board, which the programs' many builds share.
#[must_use]
pub fn archive() -> PathBuf {
    library(Board::BareMetal.triple())
}

/// Compiles the program for the board with some of the compiler's options.
#[must_use]
pub fn build(folder: &Path, options: &str, archive: &Path) -> PathBuf {
    build_program(folder, options, archive, &["tests/qemu/debugger/main.c"])
}

/// Compiles another program, whose configuration is beside its first source.
#[must_use]
pub fn build_program(folder: &Path, options: &str, archive: &Path, sources: &[&str]) -> PathBuf {
    let board = root().join("examples/mps2-board");
    let sources: Vec<PathBuf> = sources.iter().map(|name| root().join(name)).collect();
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
    let folders = sources.iter().filter_map(|source| source.parent());
    let all = [&board, &root().join("port"), &root().join("include")];
    for include in folders.chain(all.map(PathBuf::as_path)) {
        compile.arg("-I").arg(include);
    }
    compile.args(["startup.c", "board.c", "failed.c", "semihost.c"].map(|name| board.join(name)));
    compile.args(sources).arg(root().join("port/tband_shim.c"));
    run(compile.arg(archive).arg("-o").arg(&elf));
    elf
}

/// Runs the program in QEMU until `place`, and passes GDB some commands there; returns the output.
#[must_use]
pub fn at(elf: &Path, folder: &Path, place: &str, commands: &[&str]) -> String {
    at_on(Board::BareMetal, elf, folder, place, commands)
}

/// As [`at`], on another board.
#[must_use]
pub fn at_on(board: Board, elf: &Path, folder: &Path, place: &str, commands: &[&str]) -> String {
    let socket = folder.join("gdb.socket");
    let mut qemu = emulator_command(board.emulator());
    qemu.args(["-display", "none", "-monitor", "none", "-serial", "none", "-S"])
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
    until(|| socket.exists().then_some(()));

    let mut gdb = Command::new("gdb-multiarch");
    gdb.args(["-batch", "-nx", "-ex", "set confirm off", "-ex", "set architecture arm"]);
    gdb.arg("-ex").arg(format!("file {}", elf.display()));
    gdb.arg("-ex").arg(format!("target remote {}", socket.display()));
    gdb.arg("-ex").arg(format!("break {place}")).args(["-ex", "continue"]);
    gdb.arg("-ex").arg(format!("source {}", root().join("port/tband.gdb").display()));
    for command in commands {
        gdb.args(["-ex", command]);
    }
    // Its output, and not its status, which depends on how fast QEMU ends.
    finish(gdb.args(["-ex", "disconnect"]).current_dir(folder)).text()
}

/// Lets a program run in QEMU, with its UART at the port that is given back.
#[must_use]
pub fn with_uart(board: Board, elf: &Path, folder: &Path) -> (Program, u16) {
    emulate(board, elf, folder, &["-serial", "chardev:line"])
}

/// Lets a program run in QEMU, with a GDB server at the port that is given back. `more`: further options.
#[must_use]
pub fn running(board: Board, elf: &Path, folder: &Path, more: &[&str]) -> (Program, u16) {
    emulate(board, elf, folder, &[&["-serial", "none", "-gdb", "chardev:line"], more].concat())
}

/// Who connects to the port that is given back reaches the `chardev` that is called `line`.
fn emulate(board: Board, elf: &Path, folder: &Path, more: &[&str]) -> (Program, u16) {
    // A port that is only chosen here could be taken by another program before QEMU starts.
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let port = listener.local_addr().expect("its number").port();
    let mut qemu = emulator_command(board.emulator());
    qemu.args(["-display", "none", "-monitor", "none"]).args(more);
    qemu.args(["-semihosting-config", "enable=on,target=native", "-icount", "shift=6,sleep=off"]);
    qemu.args(["-chardev", "socket,id=line,fd=0,server=on,wait=off,nodelay=on", "-kernel"])
        .arg(elf);
    qemu.stdin(OwnedFd::from(listener)).stdout(Stdio::null()).stderr(Stdio::null());
    (start(qemu.current_dir(folder)).expect("QEMU starts"), port)
}
