//! A board that runs in QEMU, with the program of this folder, and `tband-cli command` at the other end.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpStream};
use std::path::Path;
use std::process;
use std::thread;

use tband_format::packet::command::{Command, MAX_COMMAND_FRAME};
use tband_programs::{Program, output, until};
use tband_tests::debugged::{archive, build_program, running, with_uart};
use tband_tests::library::library;
use tband_tests::{root, temp_dir};
use tempfile::TempDir;
use xtask::board::{Board, build_firmware};
use xtask::kernel;

/// The program, and the source for commands. Over the UART, that is a part of the program too.
const SOURCES: [&str; 3] =
    ["tests/qemu/commands/main.c", "port/tband_commands.c", "examples/uart/src/uart.c"];

/// All of the program's memory is where QEMU has what its option names.
const IN_FILE: &str = "-Wl,--defsym=board_ram=0x21000000 -Wl,--defsym=board_psram=0x21800000";

/// A board that runs.
pub struct RunningBoard {
    pub folder: TempDir,
    _qemu: Program,
    port: u16,
    /// Words before the command.
    source: Vec<String>,
}

/// Result of `tband-cli command`: exit code, stdout, stderr.
pub type CommandOutput = (Option<i32>, String, String);

impl RunningBoard {
    /// Asked over its UART.
    pub fn new(options: &str) -> Self {
        let folder = temp_dir();
        let options = format!("-Os -DSLOW_LINE=0 {options}");
        let elf = build_program(folder.path(), options.trim(), &archive(), &SOURCES);
        let (qemu, port) = with_uart(Board::BareMetal, &elf, folder.path());
        Self::over_uart(folder, qemu, port)
    }

    fn over_uart(folder: TempDir, qemu: Program, port: u16) -> Self {
        Self { folder, _qemu: qemu, port, source: vec![format!("tcp:127.0.0.1:{port}")] }
    }

    /// Asked by a debugger.
    pub fn debugged(options: &str) -> Self {
        let folder = temp_dir();
        let options = format!("-Os -DDEBUGGED {options}");
        let sources = &SOURCES[..2];
        let elf = build_program(folder.path(), options.trim(), &archive(), sources);
        let (qemu, port) = running(Board::BareMetal, &elf, folder.path(), &[]);
        Self::by_debugger(folder, qemu, port, "debugged.elf")
    }

    fn by_debugger(folder: TempDir, qemu: Program, port: u16, elf: &str) -> Self {
        let source = vec!["--elf".to_owned(), elf.to_owned(), format!("gdb:127.0.0.1:{port}")];
        let board = Self { folder, _qemu: qemu, port, source };
        // Only until the program has set it up.
        until(|| (!board.command(&["info"]).2.contains("is not set up")).then_some(()));
        board
    }

    /// Asked out of the file that QEMU has the memory in.
    pub fn in_file(options: &str) -> Self {
        let folder = temp_dir();
        let options = format!("-Os -DDEBUGGED {IN_FILE} {options}");
        let sources = &SOURCES[..2];
        let elf = build_program(folder.path(), options.trim(), &archive(), sources);
        let ram = folder.path().join("ram");
        fs::File::create(&ram).and_then(|file| file.set_len(16 << 20)).expect("a file");
        let backend =
            format!("memory-backend-file,id=ram,size=16M,share=on,mem-path={}", ram.display());
        let more = ["-machine", "memory-backend=ram", "-object", &backend];
        let (qemu, port) = running(Board::BareMetal, &elf, folder.path(), &more);
        let name = b"a name of 24 bytes......";
        until(|| {
            let begin = fs::read(&ram).expect("the memory");
            begin.windows(name.len()).take(1 << 20).any(|bytes| bytes == name).then_some(())
        });
        let source = ["--elf", "debugged.elf", "ram:ram@0x21000000"].map(str::to_owned).to_vec();
        Self { folder, _qemu: qemu, port, source }
    }

    /// FreeRTOS, asked over its UART, or by a debugger in its RTT or MAILBOX.
    pub fn with_kernel(over: &str) -> Self {
        let board = Board::Mps2An386;
        let kernel = kernel::path(root()).unwrap_or_else(|error| panic!("{error:#}"));
        let settings = [
            format!("FREERTOS_KERNEL_PATH={}", kernel.display()),
            format!("TBAND_LIBRARY={}", library(board.triple()).display()),
            format!("OVER={over}"),
        ];
        let build = root().join("target/test-qemu").join(format!("asked-{over}"));
        let source = root().join("tests/qemu/commands/kernel");
        build_firmware(&source, &build, &board.toolchain(root()), &settings)
            .unwrap_or_else(|error| panic!("{error:#}"));
        let folder = temp_dir();
        let elf = folder.path().join("asked.elf");
        fs::copy(build.join("asked.elf"), &elf).expect("a copy");
        if over == "UART" {
            let (qemu, port) = with_uart(board, &elf, folder.path());
            return Self::over_uart(folder, qemu, port);
        }
        let (qemu, port) = running(board, &elf, folder.path(), &[]);
        Self::by_debugger(folder, qemu, port, "asked.elf")
    }

    /// The port of its UART.
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// It is asked by another way from now on.
    pub fn set_port(&mut self, port: u16) {
        self.source = vec![format!("tcp:127.0.0.1:{port}")];
    }

    pub fn command(&self, words: &[&str]) -> CommandOutput {
        // The clock of a busy machine is not a limit here.
        self.command_within("600s", words)
    }

    pub fn command_within(&self, wait: &str, words: &[&str]) -> CommandOutput {
        let mut command = process::Command::new(env!("CARGO_BIN_EXE_tband-cli"));
        command.args(["command", "--wait", wait, "-o", "came.bin"]);
        command.args(&self.source).args(words);
        let ran = output(command.current_dir(self.folder.path())).expect("tband-cli runs");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        (ran.status.code(), text(ran.stdout), text(ran.stderr))
    }

    /// Returns the result of `tband-cli record`.
    pub fn record(&self, words: &[&str]) -> CommandOutput {
        let mut command = process::Command::new(env!("CARGO_BIN_EXE_tband-cli"));
        command.arg("record").args(words).args(&self.source);
        let ran = output(command.current_dir(self.folder.path())).expect("tband-cli runs");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        (ran.status.code(), text(ran.stdout), text(ran.stderr))
    }

    #[track_caller]
    pub fn expect(&self, words: &[&str], text: &str) {
        let (code, printed, error) = self.command(words);
        assert_eq!((code, printed.as_str()), (Some(0), text), "{words:?}: {error}");
    }

    #[track_caller]
    pub fn assert_refused(&self, words: &[&str], text: &str) {
        let (code, printed, error) = self.command(words);
        assert!(
            code == Some(1) && printed.is_empty() && error.contains(text),
            "{words:?}: {error}"
        );
    }

    /// Sends these bytes as they are, and waits until the program has taken them: until it answers the command after them.
    pub fn send(&self, bytes: &[u8]) {
        // This number in an answer, and in nothing else that is recorded.
        const SUM: (u32, [u8; 5]) = (0x1234_5678, [0xF8, 0xAC, 0xD1, 0x91, 0x01]);
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).expect("the UART");
        let mut sending = stream.try_clone().expect("a socket");
        let add = Command { number: 1, kind: 6, arguments: [1, SUM.0, 0, 0, 0, 0], count: 4 };
        let mut frame = [0; MAX_COMMAND_FRAME];
        let frame_len = add.frame(&mut frame);
        let all = [bytes, &[0], &frame[..frame_len]].concat();
        let sender = thread::spawn(move || sending.write_all(&all).expect("sent"));
        let (mut came, mut some) = (Vec::new(), [0; 4096]);
        let (mut sent, mut since) = (false, 0);
        while !came.windows(SUM.1.len()).any(|bytes| bytes == SUM.1) {
            let len = stream.read(&mut some).expect("the recording");
            assert!(len > 0, "the connection is closed");
            // Keeps the last bytes: the number may have begun in them.
            came.drain(..came.len().saturating_sub(SUM.1.len()));
            came.extend_from_slice(&some[..len]);
            // So much is recorded in that time that the answer may be discarded: the command is repeated.
            sent |= sender.is_finished();
            since += len;
            if sent && since > 1 << 16 {
                stream.write_all(&frame[..frame_len]).expect("sent");
                since = 0;
            }
        }
        sender.join().expect("a thread");
    }
}

/// Where a symbol is.
pub fn address(elf: &Path, name: &str) -> u64 {
    let listed = tband_tests::finish(process::Command::new("arm-none-eabi-nm").arg(elf)).text();
    let line = listed.lines().find(|line| line.split(' ').nth(2) == Some(name));
    let hex = line.and_then(|line| line.split(' ').next()).expect("a symbol");
    u64::from_str_radix(hex, 16).expect("an address")
}

/// Returns the output of a command of `tband-cli` about the received bytes, in a board's folder.
pub fn run_on_file(board: &RunningBoard, words: &[&str]) -> String {
    run_on_other_file(board, words, "came.bin")
}

/// Does the same for another file.
pub fn run_on_other_file(board: &RunningBoard, words: &[&str], file: &str) -> String {
    let mut command = process::Command::new(env!("CARGO_BIN_EXE_tband-cli"));
    command.args(words).arg(file).current_dir(board.folder.path());
    String::from_utf8(output(&mut command).expect("tband-cli runs").stdout).expect("text")
}
