//! Commands that `tband-cli command` sends over a UART to a program on an emulated board, which obeys and answers while it
//! records: `tests/qemu/commands`.

#![cfg(unix)]

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpStream};
use std::path::Path;
use std::process;
use std::thread;

use tband_format::{Command, MAX_COMMAND_FRAME};

use tband_programs::{Program, output, until};
use tband_tests::debugged::{archive, build_program, with_uart};
use tband_tests::temp_dir;
use tempfile::TempDir;
use xtask::board::Board;

const SOURCES: [&str; 3] =
    ["tests/qemu/commands/main.c", "examples/uart/src/uart.c", "port/tband_commands.c"];

/// A board that runs.
struct Running {
    folder: TempDir,
    _qemu: Program,
    port: u16,
}

/// What `tband-cli command` came to: exit code, stdout, stderr.
type Said = (Option<i32>, String, String);

impl Running {
    fn new(options: &str) -> Self {
        let folder = temp_dir();
        let options = format!("-Os -DSLOW_LINE=0 {options}");
        let elf = build_program(folder.path(), options.trim(), archive("commands"), &SOURCES);
        let (qemu, port) = with_uart(Board::BareMetal, &elf, folder.path());
        until(|| TcpStream::connect((Ipv4Addr::LOCALHOST, port)).ok());
        Self { folder, _qemu: qemu, port }
    }

    fn command(&self, words: &[&str]) -> Said {
        let mut command = process::Command::new(env!("CARGO_BIN_EXE_tband-cli"));
        // The clock of a loaded machine is no limit here.
        command.args(["command", "--wait", "600s", "-o", "came.bin"]);
        command.arg(format!("tcp:127.0.0.1:{}", self.port)).args(words);
        let ran = output(command.current_dir(self.folder.path())).expect("tband-cli runs");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        (ran.status.code(), text(ran.stdout), text(ran.stderr))
    }

    #[track_caller]
    fn says(&self, words: &[&str], text: &str) {
        let (code, said, error) = self.command(words);
        assert_eq!((code, said.as_str()), (Some(0), text), "{words:?}: {error}");
    }

    #[track_caller]
    fn refuses(&self, words: &[&str], text: &str) {
        let (code, said, error) = self.command(words);
        assert!(code == Some(1) && said.is_empty() && error.contains(text), "{words:?}: {error}");
    }

    /// Sends these bytes as they are, and waits until the program has taken them: until it answers the command after them.
    fn sends(&self, bytes: &[u8]) {
        // This number in an answer, and in nothing else that is recorded.
        const SUM: (u32, [u8; 5]) = (0x1234_5678, [0xF8, 0xAC, 0xD1, 0x91, 0x01]);
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).expect("the UART");
        let mut sending = stream.try_clone().expect("a socket");
        let add = Command { number: 1, kind: 6, arguments: [1, SUM.0, 0, 0], count: 4 };
        let mut frame = [0; MAX_COMMAND_FRAME];
        let frame_len = add.frame(&mut frame);
        let all = [bytes, &[0], &frame[..frame_len]].concat();
        let sender = thread::spawn(move || sending.write_all(&all).expect("sent"));
        let (mut came, mut some) = (Vec::new(), [0; 4096]);
        let (mut sent, mut since) = (false, 0);
        while !came.windows(SUM.1.len()).any(|bytes| bytes == SUM.1) {
            let len = stream.read(&mut some).expect("the recording");
            assert!(len > 0, "the connection is closed");
            // As much of what came before as the number may have begun in.
            came.drain(..came.len().saturating_sub(SUM.1.len()));
            came.extend_from_slice(&some[..len]);
            // So much is recorded meanwhile that the answer may be discarded: it is asked again.
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
fn address(elf: &Path, name: &str) -> u64 {
    let listed = tband_tests::finish(process::Command::new("arm-none-eabi-nm").arg(elf)).text();
    let line = listed.lines().find(|line| line.split(' ').nth(2) == Some(name));
    let hex = line.and_then(|line| line.split(' ').next()).expect("a symbol");
    u64::from_str_radix(hex, 16).expect("an address")
}

fn dumped(path: &Path) -> String {
    let mut dump = process::Command::new(env!("CARGO_BIN_EXE_tband-cli"));
    String::from_utf8(output(dump.arg("dump").arg(path)).expect("dump").stdout).expect("text")
}

#[test]
fn each_command_is_obeyed_and_answered() {
    let board = Running::new("-DALLOW");
    let memory = address(&board.folder.path().join("debugged.elf"), "memory");
    let at = |word: u64| format!("{:#x}", memory + 4 * word);
    let version = tband_format::FORMAT_VERSION;
    board.says(&["info"], &format!("version {version} of the events, 0 damaged commands\n"));
    board.says(&["names"], "done\n");
    board.says(&["flush"], "done\n");
    board.says(&["user", "1", "40", "-1", "3"], "42\n");
    board.says(&["user", "2"], "-1000\n");
    // No reason of the recorder's.
    board.says(&["user", "1", "0", "0", "-4"], "-4\n");
    board.refuses(&["start"], "start: refused (-1)");
    // Memory, and only what is allowed of it.
    board.says(&["read", "4", &at(1)], "0x2 (2)\n");
    board.says(&["write", "4", &at(1), "0xFFFFFFFF"], "done\n");
    board.says(&["read", "2", &at(1)], "0xffff (65535)\n");
    board.says(&["write", "1", &at(1), "0x123"], "done\n");
    board.says(&["read", "4", &at(1)], "0xffffff23 (4294967075)\n");
    board.says(&["fill", "4", &at(1), "9", "4"], "done\n");
    board.says(&["read", "4", &at(4)], "0x9 (9)\n");
    for (words, count) in
        [(["read", "4", &at(0)], 3), (["read", "4", &at(5)], 3), (["read", "3", &at(1)], 3)]
    {
        board.refuses(&words[..count], "wrong arguments (-4)");
    }
    let odd = format!("{:#x}", memory + 5);
    board.refuses(&["read", "2", &odd], "wrong arguments");
    for count in ["0", "5", "17", "0x40000001", "0xFFFFFFFF"] {
        board.refuses(&["fill", "4", &at(1), "0", count], "wrong arguments");
    }
    board.says(&["user", "3"], "22\n");
    board.says(&["reset"], "done\n");
    // The answer is an event of the recording, which goes on.
    board.says(&["info"], &format!("version {version} of the events, 0 damaged commands\n"));
    assert!(dumped(&board.folder.path().join("came.bin")).contains("answer"));
    // What is damaged is counted, and what comes after it obeyed.
    board.sends(b"\x05\x01\x01\x01\x01\0\0\0garbage without an end that is much longer than any command\0half of");
    board.says(&["info"], &format!("version {version} of the events, 3 damaged commands\n"));
    // After that nobody answers any more.
    board.says(&["stop"], "done\n");
}

/// `TBAND_COMMANDS` is how many. Whatever comes, in frames that are whole or not, nothing happens to memory that is not allowed.
#[test]
fn hostile_commands_change_nothing_else() {
    let count = std::env::var("TBAND_COMMANDS").ok().and_then(|it| it.parse().ok());
    let count: u32 = count.unwrap_or(3000);
    let board = Running::new("-DALLOW");
    let memory = address(&board.folder.path().join("debugged.elf"), "memory") as u32;
    let mut state = 1_u64;
    let mut random = |below: u32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        ((state >> 33) as u32) % below
    };
    let mut bytes = Vec::new();
    for number in 0..count {
        let mut arguments = [0; 4];
        for argument in &mut arguments {
            *argument = match random(4) {
                0 => random(20),
                1 => memory.wrapping_add(random(40)).wrapping_sub(4),
                2 => u32::MAX - random(20),
                _ => random(u32::MAX),
            };
        }
        // All kinds, but those that end the recording; and what is none.
        let kind = [1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 0, 255][random(12) as usize];
        let count = random(5) as u8;
        let command = Command { number: number as u16, kind, arguments, count };
        let mut frame = [0; MAX_COMMAND_FRAME];
        let len = command.frame(&mut frame);
        if random(4) == 0 {
            frame[random(len as u32) as usize] ^= 1 << random(8);
        }
        bytes.extend_from_slice(&frame[..len]);
    }
    board.sends(&bytes);
    // The words around what may be written.
    board.says(&["user", "3"], "22\n");
    let (_, said, _) = board.command(&["info"]);
    let damaged: u32 = said.rsplit(' ').nth(2).and_then(|it| it.parse().ok()).expect("a count");
    assert!(damaged > count.min(60_000) / 10, "{said}");
}

#[test]
fn what_is_not_allowed_is_refused() {
    let board = Running::new("-Dtband_configALLOW_CONTROL=0");
    for words in [
        &["start"][..],
        &["stop"],
        &["names"],
        &["read", "4", "0x20000000"],
        &["write", "4", "0x20000000", "1"],
        &["fill", "4", "0x20000000", "1", "1"],
        &["reset"],
    ] {
        board.refuses(words, "not allowed (-2): the firmware does not allow it");
    }
    board.says(&["user", "1", "1", "1", "1"], "3\n");
    fs::metadata(board.folder.path().join("came.bin")).expect("what came");
}
