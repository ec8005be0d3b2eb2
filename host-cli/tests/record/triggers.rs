//! `record --trigger`: a scripted target arms the requested triggers, fires, and is refused, lost or late; and the resulting
//! files.

use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::process::Command;

use crate::support::target::{METADATA, Target};
use crate::support::*;
use tband_format::Event;
use tband_format::trigger::{AT_LEAST, CRASH, TriggerState};

/// Names of the events in a file, in order; nothing in it is damaged or missing.
fn events(folder: &Folder, name: &str) -> Vec<String> {
    let checked = run(&["check", &folder.path(name)]);
    assert_eq!(checked.code, Some(0), "{name}: {}", String::from_utf8_lossy(&checked.stdout));
    events_with_losses(folder, name)
}

/// The same where some may be missing.
fn events_with_losses(folder: &Folder, name: &str) -> Vec<String> {
    let text = run(&["dump", "--json", &folder.path(name)]).text();
    text.lines()
        .filter_map(|line| {
            let (_, rest) = line.split_once("\"event\":\"")?;
            Some(rest.split('"').next().unwrap().to_owned())
        })
        .collect()
}

fn place(events: &[String], name: &str) -> usize {
    events.iter().position(|it| it == name).unwrap_or_else(|| panic!("no {name}: {events:?}"))
}

const LEVEL: [&str; 2] = ["--trigger", "value 1 at-least 5"];
/// Kind and first argument of the command that arms it, and kind of the one that disarms it.
const TRIGGER: (u8, u32) = (18, AT_LEAST as u32);
const DISARM: u8 = 20;

/// `record` with these arguments, and a connection to it.
fn recorded(folder: &Folder, args: &[&str], has_packets: bool) -> (Program, Target) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let source = format!("tcp:{}", listener.local_addr().unwrap());
    let all = [&["record", "-o", "r.bin"], args, &[&source]].concat();
    let program = start(piped(cli(&all).current_dir(&folder.0))).unwrap();
    (program, Target::new(listener, has_packets))
}

/// Does the same in a separate folder, waiting for a level, with additional arguments.
fn for_level(args: &[&str], has_packets: bool) -> (Folder, Program, Target) {
    let folder = Folder::new("triggers");
    let (program, target) = recorded(&folder, &[&LEVEL, args].concat(), has_packets);
    (folder, program, target)
}

/// Does the same with frames, then with packets.
fn for_level_in_each_format(args: &[&str]) -> impl Iterator<Item = (Folder, Program, Target)> {
    [false, true].into_iter().map(move |has_packets| for_level(args, has_packets))
}

/// The number of events from the trigger of a file to the end of its recording.
#[track_caller]
fn count_after_trigger(events: &[String]) -> usize {
    place(events, "frozen") - place(events, "trigger")
}

#[test]
fn keeps_the_events_around_the_trigger() {
    for has_packets in [false, true] {
        let folder = Folder::new("triggers-one");
        folder.file("r.bin", b"of before");
        let args = [&LEVEL[..], &["--before", "events:100", "--after", "20"]].concat();
        let (program, mut target) = recorded(&folder, &args, has_packets);
        target.runs(3000);
        let command = target.asked().unwrap();
        assert_eq!((command.kind, command.count), (18, 6));
        assert_eq!(command.arguments, [AT_LEAST.into(), 1, 5, 0, 1, 20]);
        assert_eq!(fs::read(folder.path("r.bin")).unwrap(), b"of before");
        target.answers(command.number, 2);
        target.runs(1000);
        // It is not the requested one.
        target.fires(1, 3);
        target.runs(1000);
        target.fires(2, 20);
        // Until it is gone.
        let messages = ["waits for value 1 at-least 5: trigger 2", "value high, valmarker 1"];
        target.ends(program, 0, &messages);
        let events = events(&folder, "r.bin");
        let at = place(&events, "trigger");
        assert!((100..1000).contains(&at), "{at}");
        let after = place(&events, "frozen") - at;
        assert_eq!(after, 21);
        // Packets end with the packet.
        assert!(has_packets || events.ends_with(&["frozen".to_owned()]));
        for name in ["ts_resolution_ns", "task_name", "valmarker_name"] {
            assert!(place(&events, name) < 4, "{name}");
        }
    }
}

/// A crash is the last event, so no events after it are requested, whatever the others have.
#[test]
fn does_not_wait_after_a_crash() {
    let crashes = ["--trigger", "crash", "--trigger", "event crash any", "--trigger"];
    for (name, others, wanted) in [
        ("with", &["crash after 3", "--trigger", "value 1 at-least 5", "--after", "20"][..], 20),
        ("without", &["crash after 3", "--trigger", "value 1 at-least 5"], 100),
    ] {
        let folder = Folder::new(&format!("triggers-crash-{name}"));
        let (program, mut target) = recorded(&folder, &[&crashes, others].concat(), true);
        for (number, after) in [0, 0, 3, wanted].into_iter().enumerate() {
            let command = target.asked().unwrap();
            assert_eq!((command.kind, command.arguments[5]), (18, after), "trigger {number}");
            target.answers(command.number, number as i64);
        }
        target.runs(300);
        target.records(Event::Trigger {
            n: 1,
            is: TriggerState { trigger: 0, condition: CRASH, event: 225, of: 0 }.write(),
        });
        target.records(Event::Frozen { n: 1 });
        for number in 1..4 {
            target.execute((DISARM, number), 0);
        }
        target.ends(program, 0, &["r.bin: ", "trigger 1: crash"]);
        assert!(events(&folder, "r.bin").contains(&"frozen".to_owned()));
    }
}

/// Triggers that have not fired are disarmed, even if the received bytes cannot be written either.
#[test]
fn a_full_disk_disarms_pending_triggers() {
    let folder = Folder::new("triggers-full");
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let command = format!(
        "ulimit -f 2; trap '' XFSZ; exec '{}' record -o r.bin --before events:10 --after 5000 --trigger crash \
         --trigger 'value 1 at-least 5' --trigger 'value 1 at-most 0' tcp:{}",
        env!("CARGO_BIN_EXE_tband-cli"),
        listener.local_addr().unwrap()
    );
    let mut shell = Command::new("sh");
    let program = start(piped(shell.args(["-c", &command]).current_dir(&folder.0))).unwrap();
    let mut target = Target::new(listener, false);
    for number in 0..3 {
        let command = target.asked().unwrap();
        target.answers(command.number, number);
    }
    target.fire_and_record(1, 600);
    for number in [0, 2] {
        let Some(command) = target.asked() else {
            panic!("{number}: {}", ran(program.output().unwrap()).stderr);
        };
        assert_eq!((command.kind, command.arguments[0]), (DISARM, number));
        target.answers(command.number, 0);
    }
    target.ends(program, 2, &["cannot write r.bin any more; the "]);
    assert!(fs::metadata(folder.path("r.bin")).unwrap().len() > 500);
}

/// Each has a separate file with all events before it; events in between belong to none of them.
#[test]
fn several_are_numbered() {
    for (folder, program, mut target) in
        for_level_in_each_format(&["--count", "3", "--before", "events:60", "--after", "5"])
    {
        target.execute(TRIGGER, 0);
        for number in 1..=3 {
            target.runs(400);
            target.fires(0, 5);
            target.flushes();
            if number < 3 {
                let command = target.asked().unwrap();
                assert_eq!((command.kind, command.arguments[5]), (18, 5), "armed again");
                target.answers(command.number, 0);
            }
        }
        target.ends(program, 0, &["r.0001.bin: ", "r.0002.bin: ", "trigger 3: value high"]);
        assert_eq!(folder.names(), ["r.0001.bin", "r.0002.bin", "r.0003.bin"]);
        for name in folder.names() {
            let events = events(&folder, &name);
            let at = place(&events, "trigger");
            assert!((60..400).contains(&at), "{name}: {at}");
            assert_eq!(place(&events, "frozen") - at, 6);
            assert!(place(&events, "task_name") < 4);
        }
        // Existing files are not overwritten.
        let ran = run(&[
            "record",
            "-o",
            &folder.path("r.bin"),
            "--count",
            "2",
            "--trigger",
            "firmware",
            "tcp:127.0.0.1:1",
        ]);
        assert_fails(&ran, 2, &["r.0001.bin is there already"]);
    }
}

/// A trigger that did not fire is disarmed, and one that fires before the answer counts.
#[test]
fn disarms_a_trigger_that_has_not_fired() {
    let (folder, program, mut target) = for_level(&["--trigger", "crash", "--after", "5"], true);
    target.execute(TRIGGER, 3);
    let crash = target.asked().unwrap();
    assert_eq!(crash.arguments[0], 8);
    target.fires(3, 5);
    target.answers(crash.number, 4);
    target.execute((DISARM, 4), 0);
    target.ends(program, 0, &["trigger 1"]);
    place(&events(&folder, "r.bin"), "frozen");
}

/// The second one gets the place of the first, which has fired in that time: the first is armed again, and not assumed to be
/// armed.
#[test]
fn a_place_may_be_used_again() {
    let (_folder, program, mut target) =
        for_level(&["--trigger", "crash", "--after", "5", "--count", "2"], true);
    let level = target.asked().unwrap();
    target.answers(level.number, 0);
    let crash = target.asked().unwrap();
    target.fires(0, 5);
    target.answers(crash.number, 0);
    let again = target.asked().unwrap();
    assert_eq!((again.kind, again.arguments), (level.kind, level.arguments));
    target.answers(again.number, 1);
    target.fires(1, 5);
    target.flushes();
    target.execute((DISARM, 0), 0);
    target.ends(program, 0, &["r.0001.bin, r.0002.bin"]);
}

#[test]
fn a_trigger_may_fire_before_its_answer_is_recorded() {
    let (folder, program, mut target) = for_level(&["--after", "5"], false);
    let command = target.asked().unwrap();
    target.fire_and_record(6, 3);
    target.answers(command.number, 6);
    target.records(Event::Frozen { n: 1 });
    target.ends(program, 0, &["trigger 1"]);
    assert_eq!(count_after_trigger(&events(&folder, "r.bin")), 5);
}

/// The packets of another core up to that time come later.
#[test]
fn packets_of_other_cores_are_waited_for() {
    let (folder, program, mut target) = for_level(&["--after", "5"], true);
    target.records_on(1, Event::TaskSwitchedIn { task_id: 2 });
    target.flushes();
    target.execute(TRIGGER, 0);
    // Not full yet.
    target.records_on(1, Event::TaskResumed { task_id: 2 });
    target.fires(0, 5);
    // Until it is full, and much longer.
    target.runs(60);
    target.flushes();
    target.runs(60);
    target.records_on(1, Event::TaskSwitchedIn { task_id: 3 });
    target.flushes();
    target.ends(program, 0, &["trigger 1"]);
    let path = folder.path("r.bin");
    let dumped = run(&["dump", &path]).text();
    assert!(dumped.contains("task_resumed") && dumped.contains("frozen"), "{dumped}");
}

/// The report of the frozen recording is from another core, whose packet is full before the one in which it fires.
#[test]
fn an_end_may_come_before_it_fires() {
    let (folder, program, mut target) = for_level(&["--after", "0"], true);
    target.execute(TRIGGER, 0);
    target.fire_and_record(0, 0);
    // Until its packet is full.
    target.records_on(1, Event::Frozen { n: 1 });
    for _ in 0..200 {
        target.records_on(1, Event::TaskSwitchedIn { task_id: 2 });
    }
    target.flushes();
    target.ends(program, 0, &["trigger 1: value high"]);
    let events = events(&folder, "r.bin");
    assert!(place(&events, "trigger") < 1000 && place(&events, "frozen") < 1000);
    // Nothing was waited for.
    assert!(fs::metadata(folder.path("r.bin")).unwrap().len() < 20_000);
}

#[test]
fn an_end_that_is_lost_is_not_waited_for() {
    let (folder, program, mut target) = for_level(&["--after", "50"], true);
    target.execute(TRIGGER, 0);
    target.fire_and_record(0, 3000);
    target.ends(program, 0, &["trigger 1"]);
    let events = events(&folder, "r.bin");
    let after = events.len() - place(&events, "trigger");
    assert!((1100..1300).contains(&after), "{after}");
}

/// The report of the frozen recording proves that a trigger has fired, if its own report may have been lost.
#[test]
fn a_trigger_that_is_lost_counts_by_its_end() {
    for (folder, program, mut target) in for_level_in_each_format(&["--after", "5"]) {
        target.execute(TRIGGER, 0);
        // One of before, which is seen, and is not the one.
        target.fires(3, 5);
        target.runs(100);
        target.loses(3);
        target.fired += 1;
        target.runs(5);
        target.records(Event::Frozen { n: target.fired });
        target.flushes();
        // It is unknown whether it was that one; the request may come before the end.
        let mut command = target.asked().unwrap();
        if command.kind == TRIGGER.0 {
            target.answers(command.number, 0);
            command = target.asked().unwrap();
        }
        assert_eq!((command.kind, command.arguments[0]), (DISARM, 0));
        target.answers(command.number, 0);
        target.ends(program, 0, &["trigger 2: what it fired at is lost"]);
        let events = events_with_losses(&folder, "r.bin");
        assert_eq!(events.iter().filter(|it| *it == "frozen").count(), 2, "{events:?}");
    }
}

/// Without a loss it is of a trigger that fired before the connection.
#[test]
fn ignores_the_end_of_an_earlier_trigger() {
    let (folder, program, mut target) = for_level(&["--after", "5"], true);
    target.execute(TRIGGER, 0);
    target.fired = 8;
    target.records(Event::Frozen { n: 8 });
    target.runs(100);
    target.fires(0, 5);
    target.ends(program, 0, &["trigger 9: value high"]);
    assert_eq!(events(&folder, "r.bin").iter().filter(|it| *it == "frozen").count(), 2);
}

/// After a loss it is unknown whether a trigger is still armed: it is requested once more, and the firmware's number shows it.
#[test]
fn rearms_a_trigger_that_fired_during_a_loss() {
    for (folder, program, mut target) in for_level_in_each_format(&["--after", "5"]) {
        target.execute(TRIGGER, 2);
        target.fired += 1;
        target.loses(9);
        // Its place is free.
        target.execute(TRIGGER, 2);
        target.runs(100);
        target.fires(2, 5);
        target.flushes();
        target.ends(program, 0, &["trigger 2 has fired unseen", "trigger 2: value high"]);
        place(&events_with_losses(&folder, "r.bin"), "frozen");
    }
}

/// Its place is taken: it is armed still, as it was, and the second one is taken back.
#[test]
fn a_trigger_armed_after_a_loss_stays_armed() {
    let (folder, program, mut target) = for_level(&["--after", "5", "--before", "events:50"], true);
    target.execute(TRIGGER, 2);
    target.loses(9);
    target.execute(TRIGGER, 3);
    target.execute((DISARM, 3), 0);
    target.loses(9);
    // There is no place for a second one, so the first is armed.
    target.execute(TRIGGER, -1);
    target.runs(1000);
    target.fires(2, 5);
    target.flushes();
    target.ends(program, 0, &["trigger 1: value high"]);
    place(&events(&folder, "r.bin"), "frozen");
}

/// It has fired, and another one has a place before its own: the one that is surely armed counts.
#[test]
fn a_place_before_it_is_as_good() {
    let (_folder, program, mut target) = for_level(&["--after", "5"], true);
    target.execute(TRIGGER, 2);
    target.loses(9);
    target.execute(TRIGGER, 0);
    target.execute((DISARM, 2), 0);
    target.runs(100);
    target.fires(0, 5);
    target.flushes();
    target.ends(program, 0, &["trigger 1: value high"]);
}

/// One of two fires unseen, and the other gets its place: the first is armed once more.
#[test]
fn a_place_that_was_lost_is_armed_again() {
    let (_folder, program, mut target) = for_level(&["--trigger", "crash", "--after", "5"], true);
    target.execute(TRIGGER, 0);
    target.execute((18, 8), 0);
    target.execute(TRIGGER, 1);
    target.fires(1, 5);
    target.flushes();
    target.execute((DISARM, 0), 0);
    target.ends(program, 0, &["trigger 1: value high"]);
}

#[test]
fn a_target_that_refuses() {
    for (is, text) in
        [(-1, "seven triggers are armed"), (-2, "tband_configUSE_TRIGGERS 1"), (-3, "unknown")]
    {
        let folder = Folder::new("triggers-refused");
        let args = [&["--trigger", "failure any nth 3"], &LEVEL[..]].concat();
        let (program, mut target) = recorded(&folder, &args, false);
        let first = target.asked().unwrap();
        assert_eq!(first.arguments, [7, u32::MAX, 0, 0, 3, 100]);
        target.answers(first.number, 5);
        let second = target.asked().unwrap();
        target.answers(second.number, is);
        target.execute((DISARM, 5), 0);
        target.ends(program, 2, &["--trigger value 1 at-least 5: ", text]);
        assert!(folder.names().is_empty());
    }
}

#[test]
fn none_has_fired() {
    let folder = Folder::new("triggers-none");
    let kept = folder.file("r.bin", b"of before");
    let (program, mut target) = recorded(&folder, &LEVEL, false);
    target.execute(TRIGGER, 0);
    target.runs(100);
    signal(&program, "-INT");
    target.execute((DISARM, 0), 0);
    target.ends(program, 1, &["no trigger has fired, so there is no file"]);
    assert_eq!(fs::read(kept).unwrap(), b"of before");
}

/// The firmware's own triggers need no commands to the target. The end of the file may be the end of the recording.
#[test]
fn triggers_of_the_firmware_in_a_file() {
    let folder = Folder::new("triggers-firmware");
    let fired = TriggerState { trigger: 5, condition: 8, event: 225, of: 0 };
    let mut bytes: Vec<u8> = METADATA.into_iter().flat_map(|it| frame(0, it)).collect();
    let mut at = 0;
    let mut add = |event| {
        at += 1;
        bytes.extend(frame(at, event));
    };
    for n in 1..=3 {
        (0..500).for_each(|_| add(Event::TaskSwitchedIn { task_id: 1 }));
        add(Event::Trigger { n, is: fired.write() });
        (0..9).for_each(|_| add(Event::TaskSwitchedIn { task_id: 1 }));
        if n < 3 {
            add(Event::Frozen { n });
        }
    }
    let input = folder.file("input", &bytes);
    let out = folder.path("r.bin");
    let args =
        ["record", "-o", &out, "--trigger", "firmware", "--count", "3", "--before", "size:500"];
    let ran = run_with_stdin(&[&args[..], &["-"]].concat(), &bytes);
    assert_fails(&ran, 0, &["trigger 3: crash, trigger 5 of the firmware, cut off"]);
    for number in 1..=3 {
        let events = events(&folder, &format!("r.{number:04}.bin"));
        assert_eq!(events.len() - place(&events, "trigger"), if number < 3 { 11 } else { 10 });
        assert!((50..400).contains(&place(&events, "trigger")));
    }
    // An end that is lost is the end some time after the loss.
    let dropped = frame(2000, Event::DroppedEvtCnt { cnt: 1 });
    let one = frame(2001, Event::TaskSwitchedIn { task_id: 1 });
    let much = one.repeat(110_000);
    let lost = folder.file("lost", &[bytes.clone(), dropped, much].concat());
    let out_of_lost = folder.path("l.bin");
    let args = ["--trigger", "firmware", "--count", "3", "-o", &out_of_lost];
    let ran = run(&[&["record"], &args[..], &[&format!("file:{lost}")]].concat());
    assert_fails(&ran, 0, &["trigger 3: crash, trigger 5 of the firmware; its end is lost"]);
    let len = fs::metadata(folder.path("l.0003.bin")).unwrap().len();
    assert!(len < 105_000 * one.len() as u64, "{len}");
    // One, and converted.
    let trace = folder.path("t.pftrace");
    let source = format!("file:{input}");
    run(&["record", "-o", &out, "--trigger", "firmware", "--convert", &trace, &source])
        .assert_code(0);
    assert!(fs::metadata(trace).unwrap().len() > 100);
}

/// Ctrl-C between the trigger and its last event: the file is complete, and the trigger is not armed again.
#[test]
fn the_end_comes_while_one_fires() {
    let (folder, program, mut target) =
        for_level(&["--trigger", "crash", "--after", "5", "--count", "2"], true);
    target.execute(TRIGGER, 0);
    target.execute((18, 8), 1);
    target.fire_and_record(0, 2);
    target.flushes();
    // Until it has received that.
    let file = folder.path("r.0001.bin");
    tband_programs::until(|| fs::metadata(&file).ok().filter(|it| it.len() > 0));
    signal(&program, "-INT");
    let back = target.asked().unwrap();
    assert_eq!((back.kind, back.arguments[0]), (DISARM, 1));
    target.runs(3);
    target.records(Event::Frozen { n: 1 });
    target.answers(back.number, 0);
    target.ends(program, 0, &["r.0001.bin"]);
    place(&events(&folder, "r.0001.bin"), "frozen");
}

/// One of the firmware's own, with the same condition: it is not one of the requested ones, whenever it fires.
#[test]
fn another_one_may_fire_before_it_is_asked_for() {
    let folder = Folder::new("triggers-other");
    let args = [&["--trigger", "crash"], &LEVEL[..], &["--after", "5"]].concat();
    let (program, mut target) = recorded(&folder, &args, true);
    let crash = target.asked().unwrap();
    target.fires(4, 5);
    target.flushes();
    target.runs(100);
    target.answers(crash.number, 0);
    target.execute(TRIGGER, 1);
    target.runs(100);
    target.fires(1, 5);
    target.flushes();
    target.execute((DISARM, 0), 0);
    target.ends(program, 0, &["trigger 2: value high"]);
}

/// It fires before the answer, and is not the one: which is armed still, and taken back.
#[test]
fn another_one_may_fire_before_the_answer() {
    let (_folder, program, mut target) = for_level(&["--after", "50"], true);
    let command = target.asked().unwrap();
    target.fire_and_record(4, 2);
    target.answers(command.number, 1);
    target.runs(48);
    target.records(Event::Frozen { n: 1 });
    target.flushes();
    target.execute((DISARM, 1), 0);
    target.ends(program, 0, &["trigger 1: value high"]);
}

/// It is unknown whether it was armed: the same command is sent again, and a target does not execute it twice.
#[test]
fn a_connection_may_break_before_the_answer() {
    let (_folder, program, mut target) = for_level(&["--after", "5", "--reconnect"], true);
    let command = target.asked().unwrap();
    target.reconnect();
    let numbers = std::mem::take(&mut target.executed);
    let again = target.asked().unwrap();
    assert_eq!((numbers, again), (vec![command.number], command));
    target.answers(again.number, 3);
    target.runs(100);
    target.fires(3, 5);
    target.flushes();
    target.ends(program, 0, &["trigger 1: value high"]);
}

/// The place of one that has fired may be another's by now.
#[test]
fn does_not_disarm_a_fired_trigger() {
    let (_folder, program, mut target) = for_level(&["--after", "5", "--reconnect"], true);
    target.execute(TRIGGER, 0);
    target.fire_and_record(0, 2);
    target.flushes();
    target.reconnect();
    target.execute(TRIGGER, 1);
    target.runs(3);
    target.records(Event::Frozen { n: 1 });
    target.flushes();
    target.execute((DISARM, 1), 0);
    target.ends(program, 0, &["trigger 1: value high"]);
}

/// Two wait for the same event, and the report of the frozen recording, which has the number of the second one, comes first.
#[test]
fn two_may_fire_at_once() {
    let (folder, program, mut target) =
        for_level(&[&LEVEL[..], &["--after", "0", "--count", "2"]].concat(), true);
    target.execute(TRIGGER, 0);
    target.execute(TRIGGER, 1);
    target.fire_and_record(0, 0);
    target.fire_and_record(1, 0);
    target.records_on(1, Event::Frozen { n: 2 });
    for _ in 0..200 {
        target.records_on(1, Event::TaskSwitchedIn { task_id: 2 });
    }
    target.flushes();
    // Both are armed again.
    target.execute(TRIGGER, 0);
    target.execute(TRIGGER, 1);
    target.fires(1, 0);
    target.flushes();
    target.execute((DISARM, 0), 0);
    target.ends(program, 0, &["trigger 1: value high", "trigger 3: value high"]);
    let first = events(&folder, "r.0001.bin");
    assert_eq!(first.iter().filter(|it| *it == "trigger").count(), 2);
    assert!(fs::metadata(folder.path("r.0001.bin")).unwrap().len() < 20_000);
}

/// A target that is reset has forgotten its triggers, which the recording shows, and counts triggers from 1 again.
#[test]
fn a_target_that_was_reset_is_asked_again() {
    for (folder, program, mut target) in
        for_level_in_each_format(&["--after", "5", "--count", "2", "--before", "events:50"])
    {
        target.execute(TRIGGER, 0);
        target.fires(0, 5);
        target.flushes();
        target.execute(TRIGGER, 0);
        target.runs(1000);
        target.resets();
        target.runs(100);
        target.flushes();
        // Its first place has a trigger of the firmware by now.
        target.execute(TRIGGER, 1);
        target.runs(1000);
        target.fires(1, 5);
        target.flushes();
        target.ends(program, 0, &["was reset", "r.0001.bin, r.0002.bin"]);
        for name in ["r.0001.bin", "r.0002.bin"] {
            assert_eq!(count_after_trigger(&events(&folder, name)), 6, "{name}");
        }
    }
}

/// Triggers armed in the old connection are disarmed, unless the target was reset: this is not known before bytes come.
#[test]
fn a_target_that_was_reset_in_between_is_asked_once() {
    for (folder, program, mut target) in
        for_level_in_each_format(&["--after", "5", "--reconnect", "--count", "2"])
    {
        target.execute(TRIGGER, 0);
        target.fires(0, 5);
        target.flushes();
        target.execute(TRIGGER, 0);
        target.runs(1000);
        target.reconnect();
        target.resets();
        target.execute((DISARM, 0), -4);
        target.execute(TRIGGER, 0);
        target.runs(200);
        target.flushes();
        // Something was lost: whether it was that one.
        target.execute(TRIGGER, 1);
        target.execute((DISARM, 1), 0);
        target.runs(200);
        target.fires(0, 5);
        target.flushes();
        target.ends(program, 0, &["r.0001.bin, r.0002.bin"]);
        assert_eq!(count_after_trigger(&events_with_losses(&folder, "r.0002.bin")), 6);
    }
}

/// The events after it do not come any more.
#[test]
fn a_target_may_be_reset_after_it_has_fired() {
    for has_packets in [false, true] {
        let folder = Folder::new("triggers-crashed");
        let args = ["--trigger", "firmware", "--count", "2", "--before", "events:50"];
        let (program, mut target) = recorded(&folder, &args, has_packets);
        target.runs(200);
        target.fire_and_record(0, 3);
        target.resets();
        target.runs(1000);
        target.fires(0, 5);
        target.flushes();
        target.ends(program, 0, &["of the firmware; the target was reset before its end\n"]);
        assert!(events_with_losses(&folder, "r.0001.bin").len() < 1000);
        assert_eq!(count_after_trigger(&events(&folder, "r.0002.bin")), 6);
    }
}

/// The same with a trigger that the host has armed: it is armed again if another file is wanted, and otherwise no command is
/// sent.
#[test]
fn a_target_that_is_reset_before_the_end_is_asked_again() {
    for has_packets in [false, true] {
        for count in ["1", "2"] {
            let (folder, program, mut target) = for_level(
                &["--after", "50", "--count", count, "--before", "events:50"],
                has_packets,
            );
            target.execute(TRIGGER, 0);
            target.runs(200);
            target.fire_and_record(0, 3);
            target.resets();
            target.runs(1000);
            target.flushes();
            let end = "trigger 0 of the firmware; the target was reset before its end";
            if count == "1" {
                target.ends(program, 0, &["r.bin: ", end]);
                continue;
            }
            // By now the firmware has armed another trigger.
            target.execute(TRIGGER, 1);
            target.runs(200);
            target.fires(1, 50);
            target.flushes();
            target.ends(program, 0, &[end, "it is asked for its triggers again", "r.0002.bin"]);
            let first = events_with_losses(&folder, "r.0001.bin");
            assert!(!first.contains(&"frozen".to_owned()));
            assert_eq!(count_after_trigger(&events(&folder, "r.0002.bin")), 51);
        }
    }
}

/// It has executed the command, and its answer was lost with everything else.
#[test]
fn a_target_may_be_reset_before_it_answers() {
    for (folder, program, mut target) in
        for_level_in_each_format(&["--after", "5", "--count", "2", "--before", "events:50"])
    {
        target.execute(TRIGGER, 0);
        target.runs(200);
        target.fires(0, 5);
        target.flushes();
        let asked = target.asked().unwrap();
        assert_eq!(asked.kind, TRIGGER.0);
        target.resets();
        target.runs(1000);
        target.flushes();
        target.execute(TRIGGER, 0);
        target.runs(200);
        target.fires(0, 5);
        target.flushes();
        target.ends(program, 0, &["r.0001.bin, r.0002.bin"]);
        for name in ["r.0001.bin", "r.0002.bin"] {
            assert_eq!(count_after_trigger(&events(&folder, name)), 6, "{name}");
        }
    }
}

/// Times continue with the timer, but packets are counted from 0 again: events may be lost, so the armed triggers are checked.
#[test]
fn a_reset_that_the_timer_does_not_show() {
    let (folder, program, mut target) = for_level(&["--after", "5", "--before", "events:50"], true);
    target.execute(TRIGGER, 0);
    target.runs(2000);
    target.flushes();
    target.reset_keeping_timer();
    target.runs(200);
    target.flushes();
    target.execute(TRIGGER, 0);
    target.runs(200);
    target.fires(0, 5);
    target.flushes();
    target.ends(program, 0, &["it waits again", "trigger 1: value high"]);
    assert_eq!(count_after_trigger(&events(&folder, "r.bin")), 6);
}

/// The events before a trigger that fires soon after the reset include those before the reset, and the file contains its place.
#[test]
fn keeps_events_before_a_reset() {
    for (folder, program, mut target) in
        for_level_in_each_format(&["--after", "5", "--before", "events:5000"])
    {
        target.execute(TRIGGER, 0);
        target.runs(2000);
        target.records(Event::Valmarker { valmarker_id: 1, val: 3 });
        target.resets();
        target.runs(500);
        target.flushes();
        target.execute(TRIGGER, 0);
        target.fires(0, 5);
        target.flushes();
        target.ends(program, 0, &["was reset", "trigger 1: value high"]);
        let printed = run(&["check", &folder.path("r.bin")]).text();
        assert!(printed.contains("restart of the target"), "{printed}");
        let events = events_with_losses(&folder, "r.bin");
        let (first, at) = (place(&events, "valmarker"), place(&events, "trigger"));
        assert!(first > 1000 && at > first + 500, "{first}, {at}");
        assert_eq!(place(&events, "frozen") - at, 6);
    }
}

/// So few frames that it might be another format.
#[test]
fn a_trigger_in_a_recording_of_three_frames() {
    let folder = Folder::new("triggers-few");
    let fired = TriggerState { trigger: 5, condition: 8, event: 225, of: 0 };
    let bytes = [
        frame(0, METADATA[0]),
        frame(5, Event::Trigger { n: 1, is: fired.write() }),
        frame(6, Event::Frozen { n: 1 }),
    ];
    let out = folder.path("r.bin");
    let ran =
        run_with_stdin(&["record", "-o", &out, "--trigger", "firmware", "-"], &bytes.concat());
    assert_fails(&ran, 0, &["trigger 1: crash"]);
    assert_eq!(events(&folder, "r.bin"), ["ts_resolution_ns", "trigger", "frozen"]);
}

/// It is unknown whether it was armed.
#[test]
fn a_target_that_does_not_answer() {
    let (folder, program, mut target) = for_level(&[], true);
    target.asked().unwrap();
    signal(&program, "-INT");
    target.ends(program, 1, &["a trigger may be armed still; disarm it"]);
    assert!(folder.names().is_empty());
}

/// The second one has the place before it and fires before its answer: it counts, and the first is taken back.
#[test]
fn a_trigger_armed_after_a_loss_may_fire_immediately() {
    let (_folder, program, mut target) = for_level(&["--after", "50"], true);
    target.execute(TRIGGER, 2);
    target.loses(9);
    let again = target.asked().unwrap();
    target.fire_and_record(0, 3);
    target.answers(again.number, 0);
    target.execute((DISARM, 2), 0);
    target.runs(20);
    target.records(Event::Frozen { n: 1 });
    target.flushes();
    target.ends(program, 0, &["trigger 1: value high"]);
}
