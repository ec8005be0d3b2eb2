//! Triggers by commands: what is armed fires, once, and says so in the recording.

use crate::board::{Running, shown};

/// Which of these events came with an answer that is asked for now, while a value of two markers is recorded.
fn events(board: &Running) -> Vec<&'static str> {
    board.says(&["user", "5"], "0\n");
    let text = shown(board, &["dump"]);
    let name = |line: &str| {
        ["valmarker", "trigger", "frozen"]
            .into_iter()
            .find(|name| line.contains(&format!(" {name} ")))
    };
    text.lines().filter_map(name).collect()
}

/// What is armed has fired at the value of that turn, with one event after it. What comes after that may have come as well.
fn have_fired(events: &[&str]) -> bool {
    events.windows(4).any(|it| it == ["valmarker", "trigger", "valmarker", "frozen"])
}

#[test]
fn what_a_command_arms_fires_once() {
    let board = Running::new("-Dtband_configUSE_TRIGGERS=1");
    assert!(!events(&board).contains(&"trigger"));
    board.says(&["trigger", "value", "1", "is", "0", "after", "1"], "trigger 0\n");
    assert!(have_fired(&events(&board)));
    assert!(!events(&board).contains(&"trigger"));
    board.says(&["rearm", "0"], "done\n");
    assert!(have_fired(&events(&board)));
    board.says(&["rearm", "0"], "done\n");
    board.says(&["disarm", "0"], "done\n");
    assert!(!events(&board).contains(&"trigger"));
    for number in ["1", "7", "255", "256", "4294967295"] {
        board.refuses(&["rearm", number], "wrong arguments (-4)");
        board.refuses(&["disarm", number], "wrong arguments (-4)");
    }
    // Seven at a time.
    board.says(&["rearm", "0"], "done\n");
    for number in 1..7 {
        let answer = format!("trigger {number}\n");
        board.says(&["trigger", "failure", "any"], &answer);
    }
    board.refuses(&["trigger", "failure", "any"], "refused (-1)");
}

#[test]
fn without_triggers_the_command_is_refused() {
    let board = Running::new("");
    board.refuses(&["trigger", "crash"], "or was built without what it needs");
    board.refuses(&["disarm", "0"], "not allowed (-2)");
}
