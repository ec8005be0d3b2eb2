//! Items and notifications that the host sends to objects of FreeRTOS, each of the three ways that commands come by: `kernel/main.c`.

use crate::board::RunningBoard;

/// The number that a command of the program's own answers with.
#[track_caller]
fn number(board: &RunningBoard, words: &[&str]) -> String {
    let (code, output, error) = board.command(words);
    assert_eq!(code, Some(0), "{words:?}: {error}");
    output.trim_end().to_owned()
}

fn objects_are_sent_to(over: &str) {
    let board = RunningBoard::with_kernel(over);
    let [allowed, other, task] = ["0", "1", "2"].map(|which| number(&board, &["user", "4", which]));
    board.expect(&["send", &allowed, "0x11", "0x22"], "done\n");
    board.expect(&["send", &allowed, "0x33", "0x44", "0x55"], "done\n");
    board.assert_refused(&["send", &allowed, "6"], "refused (-1)");
    board.assert_refused(&["send", &other, "7"], "wrong arguments (-4)");
    board.expect(&["user", "2"], "2\n");
    board.expect(&["user", "1", "1"], "34\n");
    board.expect(&["user", "1", "0"], "51\n");
    board.expect(&["user", "1"], "-1\n");
    board.expect(&["notify", &task, "0xAB", "3"], "done\n");
    board.expect(&["user", "3"], "171\n");
    board.assert_refused(&["notify", "99", "1", "3"], "wrong arguments (-4)");
    board.assert_refused(&["notify", &task, "1", "9"], "wrong arguments (-4)");
    // The program has no memory and no reset for the host.
    board.assert_refused(&["read", "4", "0x20000000"], "not allowed (-2)");
    board.assert_refused(&["reset"], "not allowed (-2)");
}

#[test]
fn over_the_uart() {
    objects_are_sent_to("UART");
}

#[test]
fn over_rtt() {
    objects_are_sent_to("RTT");
}

#[test]
fn by_the_mailbox() {
    objects_are_sent_to("MAILBOX");
}
