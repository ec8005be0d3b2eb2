//! Triggers by commands: what is armed fires, once, and says so in the recording.

use crate::board::{Running, shown, shown_of};

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

/// `record --trigger` arms it, keeps what is around it, arms it again, and takes back what did not fire: over the UART, by a debugger,
/// and in the memory of QEMU.
#[test]
fn record_keeps_what_is_around_a_trigger() {
    let with = "-Dtband_configUSE_TRIGGERS=1";
    for board in [Running::new(with), Running::debugged(with), Running::in_file(with)] {
        let (code, _, said) = board.record(&[
            "-o",
            "r.bin",
            "--trigger",
            "value 2 at-least 1 nth 3",
            "--trigger",
            "crash",
            "--before",
            "events:30",
            "--after",
            "4",
            "--count",
            "2",
        ]);
        assert_eq!(code, Some(0), "{said}");
        for name in ["r.0001.bin", "r.0002.bin"] {
            assert!(said.contains(&format!("{name}: ")), "{said}");
            let text = shown_of(&board, &["dump", "--json"], name);
            // Metadata comes when it likes, and is no event after a trigger.
            let timed: Vec<&str> = text.lines().filter(|line| line.contains("\"ts\"")).collect();
            let place = |name: &str| {
                let name = format!("\"event\":\"{name}\"");
                timed.iter().position(|line| line.contains(&name)).expect("the event")
            };
            let (at, frozen) = (place("trigger"), place("frozen"));
            assert!(at >= 30 && frozen == at + 5, "{text}");
            let last = timed[at - 1];
            assert!(last.contains("\"valmarker_id\":2"), "{last}");
        }
        // Nothing is armed any more.
        assert!(!events(&board).contains(&"trigger"));
        for number in 0..7 {
            board.says(&["trigger", "crash"], &format!("trigger {number}\n"));
        }
        let (code, _, said) = board.record(&["-o", "s.bin", "--trigger", "crash"]);
        assert!(code == Some(2) && said.contains("seven triggers are armed"), "{said}");
    }
    let board = Running::new("");
    let (code, _, said) = board.record(&["-o", "r.bin", "--trigger", "crash"]);
    assert!(code == Some(2) && said.contains("tband_configUSE_TRIGGERS"), "{said}");
}
