//! Items and notifications that the host sends to objects of FreeRTOS, each of the three ways that commands come by: `kernel/main.c`.

use crate::board::Running;

/// The number that a command of the program's own answers with.
#[track_caller]
fn number(board: &Running, words: &[&str]) -> String {
    let (code, output, error) = board.command(words);
    assert_eq!(code, Some(0), "{words:?}: {error}");
    output.trim_end().to_owned()
}

fn objects_are_sent_to(over: &str) {
    let board = Running::with_kernel(over);
    let [allowed, other, task] = ["0", "1", "2"].map(|which| number(&board, &["user", "4", which]));
    board.expect(&["send", &allowed, "0x11", "0x22"], "done\n");
    board.expect(&["send", &allowed, "0x33", "0x44", "0x55"], "done\n");
    board.refuses(&["send", &allowed, "6"], "refused (-1)");
    board.refuses(&["send", &other, "7"], "wrong arguments (-4)");
    board.expect(&["user", "2"], "2\n");
    board.expect(&["user", "1", "1"], "34\n");
    board.expect(&["user", "1", "0"], "51\n");
    board.expect(&["user", "1"], "-1\n");
    board.expect(&["notify", &task, "0xAB", "3"], "done\n");
    board.expect(&["user", "3"], "171\n");
    board.refuses(&["notify", "99", "1", "3"], "wrong arguments (-4)");
    board.refuses(&["notify", &task, "1", "9"], "wrong arguments (-4)");
    // The program has no memory and no reset for the host.
    board.refuses(&["read", "4", "0x20000000"], "not allowed (-2)");
    board.refuses(&["reset"], "not allowed (-2)");
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
