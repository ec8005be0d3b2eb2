//! Filters by commands: the resulting omissions, and their origin in the recording.

use crate::board::{RunningBoard, run_on_file};

const FILTERS: &str = "-Dtband_configUSE_FILTERS=1";

/// Returns the number of values of each of the two markers in the bytes that came with a new answer.
fn values(board: &RunningBoard) -> [usize; 2] {
    // Records one of each, unless they are left out.
    board.expect(&["user", "5"], "0\n");
    let text = run_on_file(board, &["dump", "--json", "--event", "valmarker"]);
    [1, 2].map(|number| text.matches(&format!("\"valmarker_id\":{number},")).count())
}

#[track_caller]
fn are_recorded(board: &RunningBoard, markers: [bool; 2]) {
    let values = values(board);
    assert_eq!(values.map(|count| count > 0), markers, "{values:?}");
}

#[test]
fn a_command_filters_events() {
    const LONG: &str = "a name of 24 bytes......";
    let board = RunningBoard::new(FILTERS);
    are_recorded(&board, [true, true]);
    board.expect(&["filter", "off", "valmarker", "turn"], "done\n");
    assert!(
        run_on_file(&board, &["check"]).contains("host"),
        "{}",
        run_on_file(&board, &["check"])
    );
    are_recorded(&board, [false, true]);
    board.expect(&["filter", "on", "valmarker", "1"], "done\n");
    are_recorded(&board, [true, true]);
    // Longer than a name in a command.
    board.expect(&["filter", "off", "valmarker", LONG], "done\n");
    are_recorded(&board, [true, false]);
    for words in [
        &["filter", "off", "class", "marker"][..],
        &["filter", "off", "group", "application"],
        &["filter", "off", "event", "valmarker"],
        &["filter", "off", "valmarker", "all"],
        &["filter", "off", "everything"],
    ] {
        board.expect(words, "done\n");
        are_recorded(&board, [false, false]);
        board.expect(&["filter", "on", "everything"], "done\n");
        are_recorded(&board, [true, true]);
    }
    board.assert_refused(&["filter", "off", "valmarker", "none"], "wrong arguments (-4)");
    board.assert_refused(&["filter", "off", "task", "turn"], "wrong arguments (-4)");
    // Always recorded.
    board.assert_refused(&["filter", "off", "event", "answer"], "wrong arguments (-4)");
}

/// Without filters, and with filters but no command for them.
#[test]
fn refuses_commands_that_are_not_built_in() {
    let board = RunningBoard::new("");
    board.assert_refused(
        &["filter", "off", "class", "marker"],
        "or was built without what it needs",
    );
    board.assert_refused(&["filter", "off", "valmarker", "turn"], "not allowed (-2)");
}
