//! `record --trigger`: a target that is scripted arms what it is asked for, fires, and is refused, lost or late; and what is in the
//! files.

use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::process::Command;

use crate::support::target::{METADATA, Target};
use crate::support::*;
use tband_format::Event;
use tband_format::trigger::{AT_LEAST, CRASH, Fired};

/// Names of the events in a file, in order; nothing in it is damaged or missing.
fn events(folder: &Folder, name: &str) -> Vec<String> {
    let checked = run(&["check", &folder.path(name)]);
    assert_eq!(checked.code, Some(0), "{name}: {}", String::from_utf8_lossy(&checked.stdout));
    events_with_losses(folder, name)
}

/// The same where some may be missing.
fn events_with_losses(folder: &Folder, name: &str) -> Vec<String> {
    let dumped = run(&["dump", "--json", &folder.path(name)]);
    let text = String::from_utf8(dumped.stdout).unwrap();
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
/// Kind and first argument of the command that asks for it, and kind of the one that takes it back.
const TRIGGER: (u8, u32) = (18, AT_LEAST as u32);
const DISARM: u8 = 20;
const KINDS: [(&str, bool); 2] = [("frames", false), ("packets", true)];

/// `record` with these arguments, and a connection to it.
fn recorded(folder: &Folder, args: &[&str], has_packets: bool) -> (Program, Target) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let source = format!("tcp:{}", listener.local_addr().unwrap());
    let all = [&["record", "-o", "r.bin"], args, &[&source]].concat();
    let program = start(piped(cli(&all).current_dir(&folder.0))).unwrap();
    (program, Target::new(listener, has_packets))
}

/// The same in a folder of its own, which waits for a level and has these arguments too.
fn for_level(name: &str, args: &[&str], has_packets: bool) -> (Folder, Program, Target) {
    let folder = Folder::new(name);
    let (program, target) = recorded(&folder, &[&LEVEL, args].concat(), has_packets);
    (folder, program, target)
}

#[test]
fn what_is_around_it_is_kept() {
    for (kind, has_packets) in KINDS {
        let folder = Folder::new(&format!("triggers-one-{kind}"));
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
        // Not the one that it was asked for.
        target.fires(1, 3);
        target.runs(1000);
        target.fires(2, 20);
        // Until it is gone.
        let says = ["waits for value 1 at-least 5: trigger 2", "value high, valmarker 1"];
        target.ends(program, 0, &says);
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

/// A crash is the last event, so what is asked for is none after it, whatever others have after them.
#[test]
fn nothing_is_waited_for_after_a_crash() {
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
            is: Fired { trigger: 0, condition: CRASH, event: 225, of: 0 }.write(),
        });
        target.records(Event::Frozen { n: 1 });
        for number in 1..4 {
            target.obeys((DISARM, number), 0);
        }
        target.ends(program, 0, &["r.bin: ", "trigger 1: crash"]);
        assert!(events(&folder, "r.bin").contains(&"frozen".to_owned()));
    }
}

/// What has not fired is taken back, although what comes meanwhile cannot be written either.
#[test]
fn a_full_disk_leaves_nothing_armed() {
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
    target.fires_and_records(1, 600);
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

/// Each has a file of its own, which has all that came before it; whatever comes in between belongs to none of them.
#[test]
fn several_are_numbered() {
    for (kind, has_packets) in KINDS {
        let (folder, program, mut target) = for_level(
            &format!("triggers-numbered-{kind}"),
            &["--count", "3", "--before", "events:60", "--after", "5"],
            has_packets,
        );
        target.obeys(TRIGGER, 0);
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
        // Nothing is written over.
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

/// What did not fire is taken back, and what fires before its answer counts.
#[test]
fn what_has_not_fired_is_taken_back() {
    let (folder, program, mut target) =
        for_level("triggers-back", &["--trigger", "crash", "--after", "5"], true);
    target.obeys(TRIGGER, 3);
    let crash = target.asked().unwrap();
    assert_eq!(crash.arguments[0], 8);
    target.fires(3, 5);
    target.answers(crash.number, 4);
    target.obeys((DISARM, 4), 0);
    target.ends(program, 0, &["trigger 1"]);
    place(&events(&folder, "r.bin"), "frozen");
}

/// The second one gets the place of the first, which has fired meanwhile: that is set again, and not armed as it was.
#[test]
fn a_place_may_be_used_again() {
    let (_folder, program, mut target) =
        for_level("triggers-place", &["--trigger", "crash", "--after", "5", "--count", "2"], true);
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
    target.obeys((DISARM, 0), 0);
    target.ends(program, 0, &["r.0001.bin, r.0002.bin"]);
}

#[test]
fn it_may_fire_before_its_answer_is_recorded() {
    let (folder, program, mut target) = for_level("triggers-early", &["--after", "5"], false);
    let command = target.asked().unwrap();
    target.fires_and_records(6, 3);
    target.answers(command.number, 6);
    target.records(Event::Frozen { n: 1 });
    target.ends(program, 0, &["trigger 1"]);
    let events = events(&folder, "r.bin");
    assert_eq!(place(&events, "frozen") - place(&events, "trigger"), 5);
}

/// Of another core what was recorded up to then comes later.
#[test]
fn packets_of_other_cores_are_waited_for() {
    let (folder, program, mut target) = for_level("triggers-cores", &["--after", "5"], true);
    target.records_on(1, Event::TaskSwitchedIn { task_id: 2 });
    target.flushes();
    target.obeys(TRIGGER, 0);
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
    let dumped = String::from_utf8(run(&["dump", &path]).stdout).unwrap();
    assert!(dumped.contains("task_resumed") && dumped.contains("frozen"), "{dumped}");
}

/// What says that it is frozen is of another core, whose packet is full before the one in which it fires.
#[test]
fn an_end_may_come_before_it_fires() {
    let (folder, program, mut target) = for_level("triggers-order", &["--after", "0"], true);
    target.obeys(TRIGGER, 0);
    target.fires_and_records(0, 0);
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
    let (folder, program, mut target) = for_level("triggers-lost", &["--after", "50"], true);
    target.obeys(TRIGGER, 0);
    target.fires_and_records(0, 3000);
    target.ends(program, 0, &["trigger 1"]);
    let events = events(&folder, "r.bin");
    let after = events.len() - place(&events, "trigger");
    assert!((1100..1300).contains(&after), "{after}");
}

/// What says that it is frozen says that a trigger has fired, if that may be among what was lost.
#[test]
fn a_trigger_that_is_lost_counts_by_its_end() {
    for (kind, has_packets) in KINDS {
        let (folder, program, mut target) =
            for_level(&format!("triggers-unseen-{kind}"), &["--after", "5"], has_packets);
        target.obeys(TRIGGER, 0);
        // One of before, which is seen, and is not the one.
        target.fires(3, 5);
        target.runs(100);
        target.loses(3);
        target.fired += 1;
        target.runs(5);
        target.records(Event::Frozen { n: target.fired });
        target.flushes();
        // Whether it was that one nobody knows; it may be asked before the end has come.
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

/// Without a loss it is of a trigger that fired before somebody listened.
#[test]
fn an_end_of_before_is_none() {
    let (folder, program, mut target) = for_level("triggers-of-before", &["--after", "5"], true);
    target.obeys(TRIGGER, 0);
    target.fired = 8;
    target.records(Event::Frozen { n: 8 });
    target.runs(100);
    target.fires(0, 5);
    target.ends(program, 0, &["trigger 9: value high"]);
    assert_eq!(events(&folder, "r.bin").iter().filter(|it| *it == "frozen").count(), 2);
}

/// Of what was armed nobody knows after a loss whether it is: it is asked for once more, and the firmware's number tells.
#[test]
fn what_has_fired_in_a_loss_is_armed_again() {
    for (kind, has_packets) in KINDS {
        let (folder, program, mut target) =
            for_level(&format!("triggers-again-{kind}"), &["--after", "5"], has_packets);
        target.obeys(TRIGGER, 2);
        target.fired += 1;
        target.loses(9);
        // Its place is free.
        target.obeys(TRIGGER, 2);
        target.runs(100);
        target.fires(2, 5);
        target.flushes();
        target.ends(program, 0, &["trigger 2 has fired unseen", "trigger 2: value high"]);
        place(&events_with_losses(&folder, "r.bin"), "frozen");
    }
}

/// Its place is taken: it is armed still, as it was, and the second one is taken back.
#[test]
fn what_is_armed_after_a_loss_stays_so() {
    let (folder, program, mut target) =
        for_level("triggers-stay", &["--after", "5", "--before", "events:50"], true);
    target.obeys(TRIGGER, 2);
    target.loses(9);
    target.obeys(TRIGGER, 3);
    target.obeys((DISARM, 3), 0);
    target.loses(9);
    // There is no place for a second one, so the first is there.
    target.obeys(TRIGGER, -1);
    target.runs(1000);
    target.fires(2, 5);
    target.flushes();
    target.ends(program, 0, &["trigger 1: value high"]);
    place(&events(&folder, "r.bin"), "frozen");
}

/// It has fired, and another one has a place before its own: the one that is sure to be armed counts.
#[test]
fn a_place_before_it_is_as_good() {
    let (_folder, program, mut target) = for_level("triggers-before-it", &["--after", "5"], true);
    target.obeys(TRIGGER, 2);
    target.loses(9);
    target.obeys(TRIGGER, 0);
    target.obeys((DISARM, 2), 0);
    target.runs(100);
    target.fires(0, 5);
    target.flushes();
    target.ends(program, 0, &["trigger 1: value high"]);
}

/// One of two fires unseen, and the other gets its place: the first is armed once more.
#[test]
fn a_place_that_was_lost_is_armed_again() {
    let (_folder, program, mut target) =
        for_level("triggers-lost-place", &["--trigger", "crash", "--after", "5"], true);
    target.obeys(TRIGGER, 0);
    target.obeys((18, 8), 0);
    target.obeys(TRIGGER, 1);
    target.fires(1, 5);
    target.flushes();
    target.obeys((DISARM, 0), 0);
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
        target.obeys((DISARM, 5), 0);
        target.ends(program, 2, &["--trigger value 1 at-least 5: ", text]);
        assert!(folder.names().is_empty());
    }
}

#[test]
fn none_has_fired() {
    let folder = Folder::new("triggers-none");
    let kept = folder.file("r.bin", b"of before");
    let (program, mut target) = recorded(&folder, &LEVEL, false);
    target.obeys(TRIGGER, 0);
    target.runs(100);
    signal(&program, "-INT");
    target.obeys((DISARM, 0), 0);
    target.ends(program, 1, &["no trigger has fired, so there is no file"]);
    assert_eq!(fs::read(kept).unwrap(), b"of before");
}

/// The firmware's own triggers need no way to the target. The end of the file may be the end of what came.
#[test]
fn triggers_of_the_firmware_in_a_file() {
    let folder = Folder::new("triggers-firmware");
    let fired = Fired { trigger: 5, condition: 8, event: 225, of: 0 };
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
    let ran = run(&["record", "-o", &out, "--trigger", "firmware", "--convert", &trace, &source]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(fs::metadata(trace).unwrap().len() > 100);
}

#[test]
fn what_cannot_be_asked_for() {
    let folder = Folder::new("triggers-wrong");
    let file = format!("file:{}", folder.file("input", &small()));
    let out = folder.path("r.bin");
    for (args, text) in [
        (&["--trigger", "crash", &file][..], "arm the trigger in the firmware"),
        (&["--trigger", "crash", "-"], "arm the trigger in the firmware"),
        (&["--trigger", "crash", "udp-listen:0"], "arm the trigger in the firmware"),
        (&["--trigger", "queue-full 3", "tcp:127.0.0.1:1"], "queue-full QUEUE LENGTH"),
        (&["--trigger", "", "tcp:127.0.0.1:1"], "write trigger event"),
        (&["--trigger", "firmware", "--trigger", "crash", &file], "leave out the others"),
        (&["--trigger", "firmware", "--after", "3", &file], "leave --after out"),
        (&["--trigger", "crash", "--after", "3", "tcp:127.0.0.1:1"], "crash after N"),
        (&["--trigger", "crash", "--keep", "2x1M", &file], "cannot be used with"),
        (&["--before", "events:9", &file], "--trigger"),
        (&["--after", "9", &file], "--trigger"),
        (&["--count", "9", &file], "--trigger"),
        (&["--trigger", "firmware", "--count", "0", &file], "0 is not in"),
        (&["--trigger", "firmware", "--before", "marker:x", &file], "events:10k"),
        (&["--trigger", "firmware", "--count", "2", "--convert", "t", &file], "one by one"),
    ] {
        let ran = run(&[&["record", "-o", &out], args].concat());
        assert_fails(&ran, 2, &[text]);
    }
    let many = ["--trigger", "crash"].repeat(8);
    let ran = run(&[&["record", "-o", &out], &many[..], &["tcp:127.0.0.1:1"]].concat());
    assert_fails(&ran, 2, &["firmware waits for 7 things at a time"]);
    assert_eq!(folder.names(), ["input"]);
}

/// Ctrl-C between the trigger and its last event: the file is whole, and nothing is armed once more.
#[test]
fn the_end_comes_while_one_fires() {
    let (folder, program, mut target) =
        for_level("triggers-end", &["--trigger", "crash", "--after", "5", "--count", "2"], true);
    target.obeys(TRIGGER, 0);
    target.obeys((18, 8), 1);
    target.fires_and_records(0, 2);
    target.flushes();
    // Until it has heard of that.
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

/// One of the firmware's own, which waits for the same: it is none of those that were asked for, whenever it fires.
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
    target.obeys(TRIGGER, 1);
    target.runs(100);
    target.fires(1, 5);
    target.flushes();
    target.obeys((DISARM, 0), 0);
    target.ends(program, 0, &["trigger 2: value high"]);
}

/// It fires before the answer, and is not the one: which is armed still, and taken back.
#[test]
fn another_one_may_fire_before_the_answer() {
    let (_folder, program, mut target) = for_level("triggers-not-it", &["--after", "50"], true);
    let command = target.asked().unwrap();
    target.fires_and_records(4, 2);
    target.answers(command.number, 1);
    target.runs(48);
    target.records(Event::Frozen { n: 1 });
    target.flushes();
    target.obeys((DISARM, 1), 0);
    target.ends(program, 0, &["trigger 1: value high"]);
}

/// Whether it was armed is not known: the same command comes again, which a target does not obey twice.
#[test]
fn a_connection_may_break_before_the_answer() {
    let (_folder, program, mut target) =
        for_level("triggers-broken", &["--after", "5", "--reconnect"], true);
    let command = target.asked().unwrap();
    target.connects_again();
    let numbers = std::mem::take(&mut target.obeyed);
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
fn what_has_fired_is_not_taken_back() {
    let (_folder, program, mut target) =
        for_level("triggers-fired", &["--after", "5", "--reconnect"], true);
    target.obeys(TRIGGER, 0);
    target.fires_and_records(0, 2);
    target.flushes();
    target.connects_again();
    target.obeys(TRIGGER, 1);
    target.runs(3);
    target.records(Event::Frozen { n: 1 });
    target.flushes();
    target.obeys((DISARM, 1), 0);
    target.ends(program, 0, &["trigger 1: value high"]);
}

/// Two wait for the same, and what says that it is frozen, which has the number of the second one, comes first.
#[test]
fn two_may_fire_at_once() {
    let (folder, program, mut target) =
        for_level("triggers-two", &[&LEVEL[..], &["--after", "0", "--count", "2"]].concat(), true);
    target.obeys(TRIGGER, 0);
    target.obeys(TRIGGER, 1);
    target.fires_and_records(0, 0);
    target.fires_and_records(1, 0);
    target.records_on(1, Event::Frozen { n: 2 });
    for _ in 0..200 {
        target.records_on(1, Event::TaskSwitchedIn { task_id: 2 });
    }
    target.flushes();
    // Both are armed again.
    target.obeys(TRIGGER, 0);
    target.obeys(TRIGGER, 1);
    target.fires(1, 0);
    target.flushes();
    target.obeys((DISARM, 0), 0);
    target.ends(program, 0, &["trigger 1: value high", "trigger 3: value high"]);
    let first = events(&folder, "r.0001.bin");
    assert_eq!(first.iter().filter(|it| *it == "trigger").count(), 2);
    assert!(fs::metadata(folder.path("r.0001.bin")).unwrap().len() < 20_000);
}

/// A target that is reset has forgotten what it was asked for, which the recording shows, and counts triggers anew.
#[test]
fn a_target_that_was_reset_is_asked_again() {
    for (kind, has_packets) in KINDS {
        let (folder, program, mut target) = for_level(
            &format!("triggers-reset-{kind}"),
            &["--after", "5", "--count", "2", "--before", "events:50"],
            has_packets,
        );
        target.obeys(TRIGGER, 0);
        target.fires(0, 5);
        target.flushes();
        target.obeys(TRIGGER, 0);
        target.runs(1000);
        target.resets();
        target.runs(100);
        target.flushes();
        // Its first place has a trigger of the firmware by now.
        target.obeys(TRIGGER, 1);
        target.runs(1000);
        target.fires(1, 5);
        target.flushes();
        target.ends(program, 0, &["was reset", "r.0001.bin, r.0002.bin"]);
        for name in ["r.0001.bin", "r.0002.bin"] {
            let events = events(&folder, name);
            assert_eq!(place(&events, "frozen") - place(&events, "trigger"), 6, "{name}");
        }
    }
}

/// What was armed in the old connection is taken back, unless the target was reset: it is not known before something comes.
#[test]
fn a_target_that_was_reset_in_between_is_asked_once() {
    for (kind, has_packets) in KINDS {
        let (folder, program, mut target) = for_level(
            &format!("triggers-between-{kind}"),
            &["--after", "5", "--reconnect", "--count", "2"],
            has_packets,
        );
        target.obeys(TRIGGER, 0);
        target.fires(0, 5);
        target.flushes();
        target.obeys(TRIGGER, 0);
        target.runs(1000);
        target.connects_again();
        target.resets();
        target.obeys((DISARM, 0), -4);
        target.obeys(TRIGGER, 0);
        target.runs(200);
        target.flushes();
        // Something was lost: whether it was that one.
        target.obeys(TRIGGER, 1);
        target.obeys((DISARM, 1), 0);
        target.runs(200);
        target.fires(0, 5);
        target.flushes();
        target.ends(program, 0, &["r.0001.bin, r.0002.bin"]);
        let events = events_with_losses(&folder, "r.0002.bin");
        assert_eq!(place(&events, "frozen") - place(&events, "trigger"), 6);
    }
}

/// The events after it do not come any more.
#[test]
fn a_target_may_be_reset_after_it_has_fired() {
    for (kind, has_packets) in KINDS {
        let folder = Folder::new(&format!("triggers-crashed-{kind}"));
        let args = ["--trigger", "firmware", "--count", "2", "--before", "events:50"];
        let (program, mut target) = recorded(&folder, &args, has_packets);
        target.runs(200);
        target.fires_and_records(0, 3);
        target.resets();
        target.runs(1000);
        target.fires(0, 5);
        target.flushes();
        target.ends(program, 0, &["of the firmware; the target was reset before its end\n"]);
        assert!(events_with_losses(&folder, "r.0001.bin").len() < 1000);
        let events = events(&folder, "r.0002.bin");
        assert_eq!(place(&events, "frozen") - place(&events, "trigger"), 6);
    }
}

/// The same of a trigger that the host has armed: it is armed again if another file is wanted, and nothing is asked otherwise.
#[test]
fn a_target_that_is_reset_before_the_end_is_asked_again() {
    for (kind, has_packets) in KINDS {
        for count in ["1", "2"] {
            let (folder, program, mut target) = for_level(
                &format!("triggers-reset-{count}-{kind}"),
                &["--after", "50", "--count", count, "--before", "events:50"],
                has_packets,
            );
            target.obeys(TRIGGER, 0);
            target.runs(200);
            target.fires_and_records(0, 3);
            target.resets();
            target.runs(1000);
            target.flushes();
            let end = "trigger 0 of the firmware; the target was reset before its end";
            if count == "1" {
                target.ends(program, 0, &["r.bin: ", end]);
                continue;
            }
            // The firmware has armed one of its own by now.
            target.obeys(TRIGGER, 1);
            target.runs(200);
            target.fires(1, 50);
            target.flushes();
            target.ends(program, 0, &[end, "it is asked for its triggers again", "r.0002.bin"]);
            let first = events_with_losses(&folder, "r.0001.bin");
            assert!(!first.contains(&"frozen".to_owned()));
            let second = events(&folder, "r.0002.bin");
            assert_eq!(place(&second, "frozen") - place(&second, "trigger"), 51);
        }
    }
}

/// It has obeyed, and its answer was lost with all else.
#[test]
fn a_target_may_be_reset_before_it_answers() {
    for (kind, has_packets) in KINDS {
        let (folder, program, mut target) = for_level(
            &format!("triggers-unanswered-{kind}"),
            &["--after", "5", "--count", "2", "--before", "events:50"],
            has_packets,
        );
        target.obeys(TRIGGER, 0);
        target.runs(200);
        target.fires(0, 5);
        target.flushes();
        let asked = target.asked().unwrap();
        assert_eq!(asked.kind, TRIGGER.0);
        target.resets();
        target.runs(1000);
        target.flushes();
        target.obeys(TRIGGER, 0);
        target.runs(200);
        target.fires(0, 5);
        target.flushes();
        target.ends(program, 0, &["r.0001.bin, r.0002.bin"]);
        for name in ["r.0001.bin", "r.0002.bin"] {
            let events = events(&folder, name);
            assert_eq!(place(&events, "frozen") - place(&events, "trigger"), 6, "{name}");
        }
    }
}

/// Times go on where the timer does, but packets are counted anew: something may be lost, so it is asked whether all is armed still.
#[test]
fn a_reset_that_the_timer_does_not_show() {
    let (folder, program, mut target) =
        for_level("triggers-reset-timer", &["--after", "5", "--before", "events:50"], true);
    target.obeys(TRIGGER, 0);
    target.runs(2000);
    target.flushes();
    target.resets_but_its_timer();
    target.runs(200);
    target.flushes();
    target.obeys(TRIGGER, 0);
    target.runs(200);
    target.fires(0, 5);
    target.flushes();
    target.ends(program, 0, &["it waits again", "trigger 1: value high"]);
    let events = events(&folder, "r.bin");
    assert_eq!(place(&events, "frozen") - place(&events, "trigger"), 6);
}

/// What came before a trigger that fires soon after the reset is what came before the reset, too, and the file says where it was.
#[test]
fn what_was_before_a_reset_is_kept() {
    for (kind, has_packets) in KINDS {
        let (folder, program, mut target) = for_level(
            &format!("triggers-before-reset-{kind}"),
            &["--after", "5", "--before", "events:5000"],
            has_packets,
        );
        target.obeys(TRIGGER, 0);
        target.runs(2000);
        target.records(Event::Valmarker { valmarker_id: 1, val: 3 });
        target.resets();
        target.runs(500);
        target.flushes();
        target.obeys(TRIGGER, 0);
        target.fires(0, 5);
        target.flushes();
        target.ends(program, 0, &["was reset", "trigger 1: value high"]);
        let checked = run(&["check", &folder.path("r.bin")]);
        let said = String::from_utf8(checked.stdout).unwrap();
        assert!(said.contains("restart of the target"), "{kind}: {said}");
        let events = events_with_losses(&folder, "r.bin");
        let (first, at) = (place(&events, "valmarker"), place(&events, "trigger"));
        assert!(first > 1000 && at > first + 500, "{kind}: {first}, {at}");
        assert_eq!(place(&events, "frozen") - at, 6);
    }
}

/// So few frames that it might be something else.
#[test]
fn a_trigger_in_a_recording_of_three_frames() {
    let folder = Folder::new("triggers-few");
    let fired = Fired { trigger: 5, condition: 8, event: 225, of: 0 };
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

/// Whether it was armed nobody knows.
#[test]
fn a_target_that_does_not_answer() {
    let (folder, program, mut target) = for_level("triggers-silent", &[], true);
    target.asked().unwrap();
    signal(&program, "-INT");
    target.ends(program, 1, &["a trigger may be armed still; disarm it"]);
    assert!(folder.names().is_empty());
}

/// The second one has the place before it and fires before its answer: it counts, and the first is taken back.
#[test]
fn what_is_armed_after_a_loss_may_fire_at_once() {
    let (_folder, program, mut target) = for_level("triggers-at-once", &["--after", "50"], true);
    target.obeys(TRIGGER, 2);
    target.loses(9);
    let again = target.asked().unwrap();
    target.fires_and_records(0, 3);
    target.answers(again.number, 0);
    target.obeys((DISARM, 2), 0);
    target.runs(20);
    target.records(Event::Frozen { n: 1 });
    target.flushes();
    target.ends(program, 0, &["trigger 1: value high"]);
}
