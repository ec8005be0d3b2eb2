//! Commands that a debugger writes into the target's memory: into a mailbox, and into the down-buffer of RTT.

use crate::board::{Running, address, shown};

fn is_asked(board: &Running) {
    let version = tband_format::FORMAT_VERSION;
    let memory = address(&board.folder.path().join("debugged.elf"), "memory");
    for _ in 0..3 {
        board.says(&["info"], &format!("version {version} of the events, 0 damaged commands\n"));
    }
    // What is overwritten has to be asked again; after this nothing is.
    board.says(&["filter", "off", "valmarker", "turn"], "done\n");
    board.says(&["filter", "off", "valmarker", "a name of 24 bytes......"], "done\n");
    board.says(&["user", "1", "40", "-1", "3"], "42\n");
    board.says(&["fill", "4", &format!("{:#x}", memory + 4), "9", "4"], "done\n");
    board.says(&["read", "4", &format!("{:#x}", memory + 16)], "0x9 (9)\n");
    board.refuses(&["read", "4", &format!("{memory:#x}")], "wrong arguments (-4)");
    assert!(shown(board, &["dump"]).contains("answer"));
    board.says(&["stop"], "done\n");
}

const OPTIONS: &str = "-DALLOW -Dtband_configUSE_FILTERS=1";

#[test]
fn the_mailbox_through_a_gdb_server() {
    is_asked(&Running::debugged(OPTIONS));
}

#[test]
fn rtt_through_a_gdb_server() {
    is_asked(&Running::debugged(&format!("{OPTIONS} -Dtband_configUSE_RTT=1")));
}

/// Nothing stops the target.
#[test]
fn both_out_of_the_file_that_qemu_has_its_memory_in() {
    is_asked(&Running::in_file(OPTIONS));
    is_asked(&Running::in_file(&format!("{OPTIONS} -Dtband_configUSE_RTT=1")));
}

/// A recording that nobody takes, of which a debugger copies what is about to be overwritten.
#[test]
fn a_ring_that_is_overwritten() {
    let post_mortem = "-Dtband_configUSE_BACKEND_POST_MORTEM=1 -Dtband_configPACKET_BUF_ATTRIBUTE=";
    is_asked(&Running::debugged(&format!("{OPTIONS} {post_mortem}")));
}

#[test]
fn a_program_without_a_mailbox_is_named() {
    let board = Running::debugged("-Dtband_configUSE_MAILBOX=0");
    let (code, _, said) = board.command(&["info"]);
    assert!(code == Some(2) && said.contains("tband_configUSE_MAILBOX 1"), "{said}");
}
