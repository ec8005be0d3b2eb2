//! Commands that a debugger writes into the target's memory: into a mailbox, and into the down-buffer of RTT.

use crate::board::{RunningBoard, address, run_on_file};

/// Each command, once.
fn check_each_command(board: &RunningBoard) {
    let version = tband_format::FORMAT_VERSION;
    let info = format!("version {version} of the events, 0 damaged commands\n");
    let memory = address(&board.folder.path().join("debugged.elf"), "memory");
    let at = |word: u64| format!("{:#x}", memory + 4 * word);
    for _ in 0..3 {
        board.expect(&["info"], &info);
    }
    // An overwritten answer has to be requested again; after this none is overwritten.
    board.expect(&["filter", "off", "valmarker", "turn"], "done\n");
    board.expect(&["filter", "off", "valmarker", "a name of 24 bytes......"], "done\n");
    board.expect(&["filter", "off", "class", "isr"], "done\n");
    board.expect(&["user", "1", "40", "-1", "3"], "42\n");
    board.expect(&["names"], "done\n");
    board.expect(&["flush"], "done\n");
    board.assert_refused(&["start"], "start: refused (-1)");
    board.expect(&["fill", "4", &at(1), "9", "4"], "done\n");
    board.expect(&["write", "2", &at(2), "0x1234"], "done\n");
    board.expect(&["read", "4", &at(2)], "0x1234 (4660)\n");
    board.expect(&["read", "4", &at(4)], "0x9 (9)\n");
    board.assert_refused(&["read", "4", &at(0)], "wrong arguments (-4)");
    board.expect(&["object", &at(2), "8"], "done\n");
    board.expect(&["poke", "1", "4", "0xAB", "3"], "done\n");
    board.expect(&["peek", "4", "4"], "0xababab (11250603)\n");
    board.assert_refused(&["peek", "4", "8"], "wrong arguments (-4)");
    board.expect(&["trigger", "value", "1", "is", "-1", "after", "0"], "trigger 0\n");
    board.expect(&["rearm", "0"], "done\n");
    board.expect(&["disarm", "0"], "done\n");
    board.assert_refused(&["send", "1", "2"], "not allowed (-2)");
    board.expect(&["reset"], "done\n");
    assert!(run_on_file(board, &["dump"]).contains("answer"));
    // The board does not answer while recording is off.
    board.expect(&["stop"], "done\n");
    board.expect(&["start"], "done\n");
    board.expect(&["info"], &info);
    board.expect(&["stop"], "done\n");
}

const OPTIONS: &str = "-DALLOW -Dtband_configUSE_FILTERS=1 -Dtband_configUSE_TRIGGERS=1";

#[test]
fn the_mailbox_through_a_gdb_server() {
    check_each_command(&RunningBoard::debugged(OPTIONS));
}

#[test]
fn rtt_through_a_gdb_server() {
    check_each_command(&RunningBoard::debugged(&format!("{OPTIONS} -Dtband_configUSE_RTT=1")));
}

/// Nothing stops the target.
#[test]
fn both_out_of_the_file_that_qemu_has_its_memory_in() {
    check_each_command(&RunningBoard::in_file(OPTIONS));
    check_each_command(&RunningBoard::in_file(&format!("{OPTIONS} -Dtband_configUSE_RTT=1")));
}

/// A recording without a consumer, where a debugger copies packets before they are overwritten.
#[test]
fn a_ring_that_is_overwritten() {
    let post_mortem = "-Dtband_configUSE_BACKEND_POST_MORTEM=1 -Dtband_configPACKET_BUF_ATTRIBUTE=";
    check_each_command(&RunningBoard::debugged(&format!("{OPTIONS} {post_mortem}")));
}

#[test]
fn a_program_without_a_mailbox_is_named() {
    let board = RunningBoard::debugged("-Dtband_configUSE_MAILBOX=0");
    let (code, _, output) = board.command(&["info"]);
    assert!(code == Some(2) && output.contains("tband_configUSE_MAILBOX 1"), "{output}");
}
