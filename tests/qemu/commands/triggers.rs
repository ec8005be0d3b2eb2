//! Triggers by commands: an armed one fires, once, and the recording reports it.

use std::fs;

use tband_programs::until;

use crate::board::{RunningBoard, run_on_file, run_on_other_file};

/// Which of these events came with an answer that is asked for now, while a value of two markers is recorded.
fn events(board: &RunningBoard) -> Vec<&'static str> {
    board.expect(&["user", "5"], "0\n");
    let text = run_on_file(board, &["dump"]);
    let name = |line: &str| {
        ["valmarker", "trigger", "frozen"]
            .into_iter()
            .find(|name| line.contains(&format!(" {name} ")))
    };
    text.lines().filter_map(name).collect()
}

/// Whether the armed trigger has fired at the value of that round, with one event after it. Later events may have come as well.
fn has_fired(events: &[&str]) -> bool {
    events.windows(4).any(|it| it == ["valmarker", "trigger", "valmarker", "frozen"])
}

#[test]
fn an_armed_trigger_fires_once() {
    let board = RunningBoard::new("-Dtband_configUSE_TRIGGERS=1");
    assert!(!events(&board).contains(&"trigger"));
    board.expect(&["trigger", "value", "1", "is", "0", "after", "1"], "trigger 0\n");
    assert!(has_fired(&events(&board)));
    assert!(!events(&board).contains(&"trigger"));
    board.expect(&["rearm", "0"], "done\n");
    assert!(has_fired(&events(&board)));
    board.expect(&["rearm", "0"], "done\n");
    board.expect(&["disarm", "0"], "done\n");
    assert!(!events(&board).contains(&"trigger"));
    for number in ["1", "7", "255", "256", "4294967295"] {
        board.assert_refused(&["rearm", number], "wrong arguments (-4)");
        board.assert_refused(&["disarm", number], "wrong arguments (-4)");
    }
    // Seven at a time.
    board.expect(&["rearm", "0"], "done\n");
    for number in 1..7 {
        let answer = format!("trigger {number}\n");
        board.expect(&["trigger", "failure", "any"], &answer);
    }
    board.assert_refused(&["trigger", "failure", "any"], "refused (-1)");
}

#[test]
fn without_triggers_the_command_is_refused() {
    let board = RunningBoard::new("");
    board.assert_refused(&["trigger", "crash"], "or was built without what it needs");
    board.assert_refused(&["disarm", "0"], "not allowed (-2)");
}

/// The file has the trigger at its twelfth time, 20 events before it, and 4 after it.
fn is_whole(board: &RunningBoard, name: &str) -> bool {
    let text = run_on_other_file(board, &["dump", "--json"], name);
    let place = |name: &str| {
        let name = format!("\"event\":\"{name}\"");
        text.lines().position(|line| line.contains(&name))
    };
    let (Some(at), Some(frozen)) = (place("trigger"), place("frozen")) else { return false };
    // Also the names from the discarded part, which are not events of the time before.
    let timed = text.lines().take(at).filter(|line| line.contains("\"ts\"")).count();
    let last = text.lines().take(at).last().unwrap_or_default();
    last.contains("\"valmarker_id\":2") && timed >= 20 && frozen == at + 5
}

/// More is recorded than a debugger can take: the reports of the trigger, or of the freeze, may be lost, and are not awaited.
/// Answers are not lost: a command is sent when there is room again.
#[test]
fn record_ends_where_much_is_lost() {
    let board = RunningBoard::debugged("-Dtband_configUSE_TRIGGERS=1");
    let trigger = ["--trigger", "value 2 at-least 1 nth 3", "--trigger", "crash", "--after", "4"];
    let (code, _, output) =
        board.record(&[&["-o", "r.bin", "--count", "3"], &trigger[..]].concat());
    let names = ["r.0001.bin", "r.0002.bin", "r.0003.bin"];
    assert!(code == Some(0) && names.iter().all(|name| output.contains(name)), "{output}");
}

/// `record --trigger` arms it, keeps the events around it, arms it again, and disarms triggers that did not fire: over the
/// UART, by a debugger, and in the memory of QEMU.
#[test]
fn record_keeps_what_is_around_a_trigger() {
    // So seldom that a probe is in time, nearly always.
    let with = "-Dtband_configUSE_TRIGGERS=1 -DTURNS=0x20000U";
    let names = ["r.0001.bin", "r.0002.bin"];
    for start in [RunningBoard::new, RunningBoard::debugged, RunningBoard::in_file] {
        let board = start(with);
        until(|| {
            let (code, _, output) = board.record(&[
                "-o",
                "r.bin",
                "--trigger",
                "value 2 at-least 1 nth 12",
                "--trigger",
                "crash",
                "--before",
                "events:20",
                "--after",
                "4",
                "--count",
                "2",
            ]);
            assert_eq!(code, Some(0), "{output}");
            assert!(names.iter().all(|name| output.contains(&format!("{name}: "))), "{output}");
            let are_whole = names.iter().all(|name| is_whole(&board, name));
            assert!(are_whole || output.contains(" lost"), "{output}");
            let paths = names.map(|name| board.folder.path().join(name));
            paths.iter().for_each(|path| fs::remove_file(path).expect("a file"));
            are_whole.then_some(())
        });
        // Nothing is armed any more.
        for number in 0..7 {
            board.expect(&["trigger", "crash"], &format!("trigger {number}\n"));
        }
        let (code, _, output) = board.record(&["-o", "s.bin", "--trigger", "crash"]);
        assert!(code == Some(2) && output.contains("seven triggers are armed"), "{output}");
    }
    let board = RunningBoard::new("");
    let (code, _, output) = board.record(&["-o", "r.bin", "--trigger", "crash"]);
    assert!(code == Some(2) && output.contains("tband_configUSE_TRIGGERS"), "{output}");
}
