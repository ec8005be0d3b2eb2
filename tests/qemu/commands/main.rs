//! Commands of `tband-cli command` to a program on an emulated board, which executes and answers them while it records: over a
//! UART, by a debugger, and over RTT: `tests/qemu/commands`.

#![cfg(unix)]

mod board;
mod debugger;
mod filters;
mod kernel;
mod lossy;
mod servers;
mod triggers;

use std::fs;

use board::{RunningBoard, address, run_on_file};
use tband_format::packet::command::{Command, MAX_ARGUMENTS, MAX_COMMAND_FRAME};

#[test]
fn each_command_is_executed_and_answered() {
    let board = RunningBoard::new("-DALLOW");
    let memory = address(&board.folder.path().join("debugged.elf"), "memory");
    let at = |word: u64| format!("{:#x}", memory + 4 * word);
    let version = tband_format::FORMAT_VERSION;
    board.expect(&["info"], &format!("version {version} of the events, 0 damaged commands\n"));
    board.expect(&["names"], "done\n");
    board.expect(&["flush"], "done\n");
    board.expect(&["user", "1", "40", "-1", "3"], "42\n");
    board.expect(&["user", "2"], "-1000\n");
    // No reason of the recorder's.
    board.expect(&["user", "1", "0", "0", "-4"], "-4\n");
    board.assert_refused(&["start"], "start: refused (-1)");
    // Memory, and only its permitted parts.
    board.expect(&["read", "4", &at(1)], "0x2 (2)\n");
    board.expect(&["write", "4", &at(1), "0xFFFFFFFF"], "done\n");
    board.expect(&["read", "2", &at(1)], "0xffff (65535)\n");
    board.expect(&["write", "1", &at(1), "0x123"], "done\n");
    board.expect(&["read", "4", &at(1)], "0xffffff23 (4294967075)\n");
    board.expect(&["fill", "4", &at(1), "9", "4"], "done\n");
    board.expect(&["read", "4", &at(4)], "0x9 (9)\n");
    // A repeated command, with the same number, is answered again and not executed again.
    let counts = Command { number: 0x1234, kind: 6, arguments: [4, 0, 0, 0, 0, 0], count: 4 };
    let mut frame = [0; MAX_COMMAND_FRAME];
    let len = counts.frame(&mut frame);
    board.send(&frame[..len].repeat(3));
    board.send(&frame[..len]);
    board.expect(&["user", "4"], "3\n");
    for (words, count) in
        [(["read", "4", &at(0)], 3), (["read", "4", &at(5)], 3), (["read", "3", &at(1)], 3)]
    {
        board.assert_refused(&words[..count], "wrong arguments (-4)");
    }
    let odd = format!("{:#x}", memory + 5);
    board.assert_refused(&["read", "2", &odd], "wrong arguments");
    for count in ["0", "5", "17", "0x40000001", "0xFFFFFFFF"] {
        board.assert_refused(&["fill", "4", &at(1), "0", count], "wrong arguments");
    }
    // The current object: of the four words that are allowed the middle ones.
    board.assert_refused(&["peek", "4", "0"], "wrong arguments");
    for (address, size) in [(at(0), "4"), (at(1), "0"), (at(1), "17"), (at(4), "0xFFFFFFFF")] {
        board.assert_refused(&["object", &address, size], "wrong arguments");
    }
    board.expect(&["object", &at(2), "8"], "done\n");
    board.expect(&["poke", "4", "0", "0x11111111", "2"], "done\n");
    board.expect(&["poke", "1", "7", "0x22"], "done\n");
    board.expect(&["peek", "4", "4"], "0x22111111 (571543825)\n");
    board.expect(&["peek", "1", "7"], "0x22 (34)\n");
    board.expect(&["read", "4", &at(1)], "0x9 (9)\n");
    board.expect(&["read", "4", &at(4)], "0x9 (9)\n");
    for (size, offset) in [("4", "8"), ("4", "5"), ("2", "7"), ("2", "1"), ("3", "0"), ("4", "-4")]
    {
        board.assert_refused(&["peek", size, offset], "wrong arguments");
        board.assert_refused(&["poke", size, offset, "0"], "wrong arguments");
    }
    for count in ["0", "3", "0x40000001", "-1"] {
        board.assert_refused(&["poke", "4", "0", "0", count], "wrong arguments");
    }
    // By the names of the program.
    for name in ["memory+4", "app::MEMORY+4", "Board::memory+4"] {
        board.expect(&["--elf", "debugged.elf", "read", "4", name], "0x9 (9)\n");
    }
    board.assert_refused(&["--elf", "debugged.elf", "object", "memory"], "wrong arguments");
    board.expect(&["--elf", "debugged.elf", "object", "memory+8", "4"], "done\n");
    board.assert_refused(&["peek", "4", "4"], "wrong arguments");
    for (name, hint) in [("none", "no variable 'none'"), ("memory+32", "has 32 bytes")] {
        let (code, _, output) = board.command(&["--elf", "debugged.elf", "read", "4", name]);
        assert!(code == Some(2) && output.contains(hint), "{output}");
    }
    board.expect(&["user", "3"], "22\n");
    board.expect(&["reset"], "done\n");
    // The answer is an event of the recording, which continues. On a slow host the tool repeats a command, and the reset may cut
    // the repetition.
    let cut = damaged_commands(&board);
    assert!(cut <= 1, "{cut}");
    assert!(run_on_file(&board, &["dump"]).contains("answer"));
    // Damaged commands are counted, and later ones executed.
    board.send(b"\x05\x01\x01\x01\x01\0\0\0garbage without an end that is much longer than any command\0half of");
    let info = format!("version {version} of the events, {} damaged commands\n", cut + 3);
    board.expect(&["info"], &info);
    // After a stop the board does not answer until recording is started again.
    board.expect(&["stop"], "done\n");
    board.expect(&["start"], "done\n");
    board.expect(&["info"], &info);
    board.expect(&["stop"], "done\n");
}

/// `TBAND_COMMANDS` is how many. Whatever comes, in frames that are whole or not, nothing happens to memory that is not allowed.
#[test]
fn hostile_commands_change_no_other_state() {
    let count = std::env::var("TBAND_COMMANDS").ok().and_then(|it| it.parse().ok());
    let count: u32 = count.unwrap_or(3000);
    // No count alone is too large.
    let board = RunningBoard::new("-DALLOW -Dtband_configCOMMAND_MAX_FILL=0xFFFFFFFFU");
    let memory = address(&board.folder.path().join("debugged.elf"), "memory") as u32;
    let mut state = 1_u64;
    let mut random = |below: u32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        ((state >> 33) as u32) % below
    };
    let mut bytes = Vec::new();
    for number in 0..count {
        let mut arguments = [0; MAX_ARGUMENTS];
        for argument in &mut arguments {
            *argument = match random(5) {
                0 => random(20),
                // Four times as much is a small number again.
                3 => 0x4000_0000 * random(4) + random(6),
                1 => memory.wrapping_add(random(40)).wrapping_sub(4),
                2 => u32::MAX - random(20),
                _ => random(u32::MAX),
            };
        }
        // All kinds, except those that end the recording; and invalid ones.
        let kind = [1, 2, 4, 5, 6, 7, 8, 9, 9, 10, 11, 12, 13, 14, 15, 15, 16, 18, 19, 20, 0, 255]
            [random(22) as usize];
        let count = random(MAX_ARGUMENTS as u32 + 1) as u8;
        let command = Command { number: number as u16, kind, arguments, count };
        let mut frame = [0; MAX_COMMAND_FRAME];
        let len = command.frame(&mut frame);
        if random(4) == 0 {
            frame[random(len as u32) as usize] ^= 1 << random(8);
        }
        bytes.extend_from_slice(&frame[..len]);
    }
    board.send(&bytes);
    // The words around what may be written.
    board.expect(&["user", "3"], "22\n");
    let damaged = damaged_commands(&board);
    assert!(damaged > count.min(60_000) / 10, "{damaged}");
}

/// How many commands were damaged, by the board's count.
fn damaged_commands(board: &RunningBoard) -> u32 {
    let (_, output, _) = board.command(&["info"]);
    output.rsplit(' ').nth(2).and_then(|it| it.parse().ok()).expect("a count")
}

#[test]
fn refuses_commands_that_are_not_allowed() {
    let board = RunningBoard::new("-Dtband_configALLOW_CONTROL=0");
    for words in [
        &["start"][..],
        &["stop"],
        &["names"],
        &["read", "4", "0x20000000"],
        &["write", "4", "0x20000000", "1"],
        &["fill", "4", "0x20000000", "1", "1"],
        &["object", "0x20000000", "4"],
        &["peek", "4", "0"],
        &["poke", "4", "0", "1"],
        &["send", "1", "2"],
        &["notify", "1", "0", "0"],
        &["reset"],
        &["filter", "off", "class", "marker"],
        &["filter", "off", "valmarker", "turn"],
    ] {
        board.assert_refused(words, "not allowed (-2): the firmware does not allow it");
    }
    board.expect(&["user", "1", "1", "1", "1"], "3\n");
    fs::metadata(board.folder.path().join("came.bin")).expect("the received file");
}
