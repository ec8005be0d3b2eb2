//! Triggers: the recording is compared with a model that reads the list of calls, so that each fires at its event, is reported
//! right after it, and the recording ends where it should.

use std::collections::BTreeSet;

use tband_format::registry::EVENTS;
use tband_tests::c::Firmware;
use tband_tests::events::lines;
use tband_tests::lacking::shown;
use tband_tests::{temp_dir, write};

use crate::packets::{PACKETS, POST_MORTEM, TAKEN};
use crate::{Config, NO_PERIODIC_DROP_CNT, SNAPSHOT, STREAMING, TWO_CORES};

const TRIGGERS: (&str, &str) = ("tband_configUSE_TRIGGERS", "1");
const LARGE: (&str, &str) = ("tband_configMETADATA_BUF_SIZE", "4096");
const ANY: u32 = u32::MAX;
/// A filter's choice.
const ONE_EVENT: u32 = 0;

/// A trigger: condition, object, value, how often, events after it.
type Spec = (u32, u32, i64, u32, u32);

/// A step of a program.
#[derive(Clone, Debug)]
enum Step {
    Event { ts: u64, id: u8, first: u32, second: i64 },
    Arm(Spec),
    Rearm(usize),
    Disarm(usize),
    Start,
}

/// The script line of an event.
fn call(id: u8, first: u32, second: i64) -> String {
    match id {
        4 => format!("enter {first}"),
        5 => format!("exit {first}"),
        11 => format!("value 11 {first} {second}"),
        84 | 85 | 87 | 88 | 98 | 178..=183 => format!("u32 {id} {first}"),
        110 => format!("numbers 110 2 {first} {second} 0 0 0"),
        225 => format!("text 225 {first} -"),
        _ => format!("pair {id} {first} {second}"),
    }
}

/// The line that the recording has of it.
fn line(ts: u64, id: u8, first: u32, second: i64) -> String {
    let def = EVENTS.iter().find(|def| def.id == id).expect("an event");
    let mut line = format!("{ts} {} {}={first}", def.name, def.fields[0].name);
    if let Some(field) = def.fields.get(1) {
        match id {
            225 => line += " of=\"\"",
            _ => line += &format!(" {}={second}", field.name),
        }
    }
    line
}

/// Known state of a task that a trigger waits for.
#[derive(Clone, Copy, Default)]
struct WatchedTask {
    since: Option<u64>,
    /// One report has made it ready.
    once: bool,
}

#[derive(Clone)]
struct ArmedTrigger {
    spec: Spec,
    seen: u32,
    is_on: bool,
    task: WatchedTask,
}

impl ArmedTrigger {
    fn apply(&mut self, ts: u64, id: u8, first: u32, second: i64) -> bool {
        let (condition, of, value, ..) = self.spec;
        let is_of = of == ANY || of == first;
        match condition {
            0 => i64::from(id) == value && is_of,
            1 => (102..=105).contains(&id) && is_of && second >= value,
            2 => {
                let task = &mut self.task;
                match id {
                    _ if first != of => {}
                    84 => {
                        let waited = task.since.take().map(|since| ts - since);
                        return waited.is_some_and(|waited| waited as i64 > value);
                    }
                    85 | 87 => {
                        task.once = id == 85 && task.since.is_none();
                        task.since.get_or_insert(ts);
                    }
                    88 | 98 => task.since = None,
                    92 if task.once => task.since = None,
                    _ => {}
                }
                false
            }
            3 => id == 194 && is_of && second < value,
            4 => id == 11 && is_of && second >= value,
            5 => id == 11 && is_of && second <= value,
            6 => id == 11 && is_of && second == value,
            7 => (178..=183).contains(&id) && is_of,
            8 => id == 225 && is_of,
            _ => unreachable!("a condition"),
        }
    }
}

/// The script, and the lines that are recorded, if the recording stops where it is frozen (`stops`). A later start begins
/// another one. Also how often one has fired.
fn model(steps: &[Step], stops: bool) -> (String, Vec<String>, u32) {
    let (mut script, mut lines) = (String::new(), Vec::new());
    let mut triggers: Vec<ArmedTrigger> = Vec::new();
    let (mut fired, mut is_on) = (0, false);
    let mut after: Option<u32> = None;
    for step in steps {
        match *step {
            Step::Start => {
                script += "start\n";
                (is_on, after) = (true, None);
                lines.clear();
                triggers.iter_mut().for_each(|it| it.task = WatchedTask::default());
            }
            Step::Arm(spec) => {
                let (condition, of, value, nth, events) = spec;
                script += &format!("arm {condition} {of} {value} {nth} {events}\n");
                let armed =
                    ArmedTrigger { spec, seen: 0, is_on: true, task: WatchedTask::default() };
                match triggers.iter_mut().find(|it| !it.is_on) {
                    Some(free) => *free = armed,
                    None => triggers.push(armed),
                }
            }
            Step::Rearm(at) => {
                script += &format!("rearm {at}\n");
                let it = &mut triggers[at];
                (it.is_on, it.seen, it.task) = (true, 0, WatchedTask::default());
            }
            Step::Disarm(at) => {
                script += &format!("disarm {at}\n");
                triggers[at].is_on = false;
            }
            Step::Event { ts, id, first, second } => {
                script += &format!("now {ts}\n{}\n", call(id, first, second));
                if !is_on {
                    continue;
                }
                lines.push(line(ts, id, first, second));
                after = after.map(|left| left - 1);
                for (slot, it) in triggers.iter_mut().enumerate().filter(|(_, it)| it.is_on) {
                    if it.apply(ts, id, first, second) {
                        it.seen += 1;
                        if it.seen == it.spec.3 {
                            it.is_on = false;
                            fired += 1;
                            let is = i64::from(first)
                                | i64::from(id) << 32
                                | i64::from(it.spec.0) << 40
                                | (slot as i64) << 48;
                            lines.push(format!("{ts} trigger n={fired} is={is}"));
                            after = Some(after.unwrap_or(0).max(it.spec.4));
                        }
                    }
                }
                if after == Some(0) {
                    lines.push(format!("{ts} frozen n={fired}"));
                    after = None;
                    is_on = !stops;
                }
            }
        }
    }
    (script + &format!("fired {fired}\n"), lines, fired)
}

/// Runs a script; the lines with a time that were recorded.
fn run(firmware: &Firmware, script: &str, config: &Config) -> Vec<String> {
    lines_of(&recorded(firmware, script, config))
}

fn recorded(firmware: &Firmware, script: &str, config: &Config) -> Vec<u8> {
    let folder = temp_dir();
    let path = folder.path().join("script");
    write(&path, script);
    let mut recording = firmware.run(&[path.to_str().expect("a path in UTF-8")]);
    if config.contains(&SNAPSHOT) {
        for _ in 0..2 {
            // The metadata; then the snapshot, of one core.
            let end = recording.iter().position(|byte| *byte == b'\n').expect("a length");
            let len: usize = String::from_utf8_lossy(&recording[..end]).parse().expect("a length");
            let rest = recording.split_off(end + 1);
            let after = rest[len..].to_vec();
            recording = if after.is_empty() { rest[..len].to_vec() } else { after };
        }
    }
    recording
}

fn lines_of(recording: &[u8]) -> Vec<String> {
    let all = lines(recording);
    let skipped = [" ts_frequency ", " core_id ", " open_isr ", " running_task "];
    let is_event =
        |line: &String| !line.starts_with('-') && skipped.iter().all(|it| !line.contains(it));
    all.into_iter().filter(is_event).collect()
}

/// Calls of a random program: `more` of them from a time on.
fn program(seed: u32, from: u64, more: usize) -> Vec<Step> {
    let mut state = seed.wrapping_mul(2_654_435_761) | 1;
    let mut next = |below: u32| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state % below
    };
    let (mut ts, mut open) = (from, Vec::new());
    let mut steps = Vec::new();
    for _ in 0..more {
        ts += u64::from(next(50)) + 1;
        let (mut id, mut first) = (
            [
                102, 103, 104, 106, 11, 11, 84, 84, 84, 85, 85, 85, 87, 88, 92, 98, 178, 181, 194,
                110, 4, 4, 5, 5, 225, 11,
            ][next(26) as usize],
            next(3) + 1,
        );
        // Interrupts end in the order that they can.
        match id {
            4 if open.len() < 3 => {
                first = 10 + open.len() as u32;
                open.push(first);
            }
            4 | 5 => match open.pop() {
                Some(isr) => (id, first) = (5, isr),
                None => id = 84,
            },
            _ => {}
        }
        let second = match id {
            11 => i64::from(next(40)) - 20,
            _ => i64::from(next(8)),
        };
        steps.push(Step::Event { ts, id, first, second });
    }
    steps
}

/// Returns a program with its own triggers.
fn case(seed: u32) -> Vec<Step> {
    let mut state = seed ^ 0x5DEE_CE66;
    let mut next = |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) % below
    };
    // Also across the turn of the lower half of the time.
    let from = [1000, 0xFFFF_FE00][next(2) as usize];
    let mut steps = vec![Step::Start];
    let count = next(7) + 1;
    for _ in 0..count {
        let condition = next(9);
        let of = if condition != 2 && next(3) == 0 { ANY } else { next(3) + 1 };
        let value = match condition {
            0 => [84, 102, 110, 178, 11, 4, 5][next(7) as usize],
            2 => i64::from(next(60)),
            4..=6 => i64::from(next(20)) - 10,
            _ => i64::from(next(6)),
        };
        // Interrupts have separate numbers.
        let of = if condition == 0 && value < 6 { ANY } else { of };
        steps.push(Step::Arm((condition, of, value, next(4) + 1, next(12))));
    }
    // Two that fire at one event.
    if let (true, Some(last)) = (count < 7, steps.last().cloned()) {
        steps.push(last);
    }
    let program = program(seed, from, 150);
    for (at, step) in program.into_iter().enumerate() {
        steps.push(step);
        if at % 23 == 22 {
            let at = next(count) as usize;
            steps.push(if next(3) == 0 { Step::Disarm(at) } else { Step::Rearm(at) });
        }
    }
    steps
}

fn compare(config: &Config, stops: bool) {
    let config = [config, &[TRIGGERS, LARGE]].concat();
    let firmware = Firmware::new("replay", &config);
    let mut conditions = [0; 9];
    let mut both = 0;
    for seed in 1..120 {
        let steps = case(seed);
        let (script, expected, fired) = model(&steps, stops);
        let end = if stops { "" } else { "stop\n" };
        let found = run(&firmware, &format!("{script}{end}"), &config);
        if config.contains(&POST_MORTEM) && fired > 0 {
            assert!(
                found.len() > 20 || found.len() == expected.len(),
                "the ring keeps the events before the trigger"
            );
            assert!(
                expected.ends_with(&found),
                "seed {seed}: {expected:#?} does not end with {found:#?}"
            );
        } else {
            let at =
                (0..expected.len().max(found.len())).find(|at| expected.get(*at) != found.get(*at));
            assert_eq!(
                at,
                None,
                "seed {seed}: {:#?}, not {:#?}",
                at.map(|at| &found[at.min(found.len())..]),
                at.map(|at| &expected[at.min(expected.len())..])
            );
        }
        for line in &expected {
            if let Some((_, is)) =
                line.split_once(" trigger n=").and_then(|it| it.1.split_once("is="))
            {
                conditions[(is.parse::<i64>().expect("a number") >> 40 & 0xFF) as usize] += 1;
            }
        }
        both +=
            expected.windows(2).filter(|two| two.iter().all(|it| it.contains(" trigger "))).count();
    }
    assert!(conditions.iter().all(|count| *count > 1), "each has fired: {conditions:?}");
    assert!(both > 1, "two at one event");
}

#[test]
fn in_a_stream_of_frames() {
    compare(&[STREAMING, NO_PERIODIC_DROP_CNT], false);
}

#[test]
fn in_a_stream_of_packets() {
    compare(&[STREAMING, PACKETS], false);
}

#[test]
fn a_snapshot_ends_there() {
    compare(&[SNAPSHOT, NO_PERIODIC_DROP_CNT], true);
}

#[test]
fn a_snapshot_of_packets_ends_there() {
    compare(&[SNAPSHOT, PACKETS, ("tband_configPACKET_COUNT", "20")], true);
}

#[test]
fn a_ring_keeps_what_was_before() {
    compare(&[POST_MORTEM, PACKETS, ("tband_configPACKET_SIZE", "256")], true);
}

/// The numbers of triggers continue.
#[test]
fn armed_again_after_it_was_frozen() {
    let config = [POST_MORTEM, PACKETS, TRIGGERS, LARGE];
    let firmware = Firmware::new("replay", &config);
    let value = |ts, second| Step::Event { ts, id: 11, first: 1, second };
    let steps = [
        Step::Arm((4, 1, 5, 2, 1)),
        Step::Start,
        value(10, 5),
        value(20, 4),
        value(30, 9),
        value(40, 5),
        value(50, 5),
        Step::Start,
        value(60, 9),
        value(70, 9),
        Step::Rearm(0),
        value(80, 5),
        value(90, 5),
        value(100, 1),
        value(110, 1),
    ];
    let (script, expected, fired) = model(&steps, true);
    assert_eq!(fired, 2);
    assert!(expected.last().is_some_and(|it| it == "100 frozen n=2"), "{expected:?}");
    assert_eq!(run(&firmware, &script, &config), expected);
    // One that was not armed again.
    let (script, expected, fired) = model(&steps[..10], true);
    assert_eq!((fired, expected.len()), (1, 2));
    assert_eq!(run(&firmware, &script, &config), expected);
}

/// A wait of which a part was left out is not known.
#[test]
fn a_wait_is_forgotten_where_a_filter_left_out_its_end() {
    let filters = ("tband_configUSE_FILTERS", "1");
    for config in [
        &[STREAMING, NO_PERIODIC_DROP_CNT, TRIGGERS, filters, LARGE][..],
        &[STREAMING, PACKETS, TRIGGERS, filters, LARGE],
    ] {
        let firmware = Firmware::new("replay", config);
        let script = format!(
            "start\narm 2 1 50 1 0\nnow 10\nu32 85 1\nfilter {ONE_EVENT} 84 0\nnow 15\nu32 84 1\n\
             filter {ONE_EVENT} 84 1\nnow 100\nu32 84 1\nnow 110\nu32 84 2\nu32 85 1\nnow 161\nu32 84 1\nstop\n"
        );
        let found = run(&firmware, &script, config);
        let fired: Vec<_> = found.iter().filter(|line| line.contains(" trigger ")).collect();
        assert!(fired.len() == 1 && fired[0].starts_with("161 "), "{found:#?}");
    }
}

/// Events of both cores are counted.
#[test]
fn of_two_cores() {
    let config = [STREAMING, NO_PERIODIC_DROP_CNT, TRIGGERS, TWO_CORES, LARGE];
    let firmware = Firmware::new("replay", &config);
    let script = "start\narm 4 1 5 1 3\ncore 0\nnow 10\nvalue 11 1 4\ncore 1\nnow 20\nvalue 11 1 5\ncore 0\nnow 30\nvalue 11 1 1\n\
                  core 1\nnow 40\nvalue 11 1 2\ncore 0\nnow 50\nvalue 11 1 3\nnow 60\nvalue 11 1 4\nstop\n";
    let recording = recorded(&firmware, script, &config);
    assert_eq!(shown(&recording), BTreeSet::from(["trigger", "frozen"]));
    let found = lines_of(&recording);
    let is = 1_i64 | 11 << 32 | 4 << 40;
    let place = |line: &str| found.iter().position(|it| it == line).expect(line);
    let trigger = place(&format!("20 trigger n=1 is={is}"));
    assert_eq!(found[trigger - 1], "20 valmarker valmarker_id=1 val=5");
    let frozen = place("50 frozen n=1");
    assert_eq!(found[frozen - 1], "50 valmarker valmarker_id=1 val=3");
}

/// The event that ends a snapshot for lack of room is not in the recording, so no trigger is reported as fired: it is still
/// armed for the next one.
#[test]
fn events_without_room_fire_no_trigger() {
    let frames = [
        SNAPSHOT,
        NO_PERIODIC_DROP_CNT,
        TRIGGERS,
        LARGE,
        ("tband_configBACKEND_SNAPSHOT_BUF_SIZE", "600"),
    ];
    let packets = [SNAPSHOT, TRIGGERS, LARGE, PACKETS, ("tband_configPACKET_COUNT", "2")];
    for config in [&frames[..], &packets] {
        let firmware = Firmware::new("replay", config);
        let arm = format!("arm 0 {ANY} 85 1 5\ntrigger\nstep 1\n");
        let filler = "u32 84 1\n";
        let full = arm.clone() + &filler.repeat(1000);
        let room = run(&firmware, &full, config).len();
        assert!((30..900).contains(&room), "{room}");
        for less in [0, 1] {
            let fired = less; // where there was room
            let script =
                format!("{arm}{}u32 85 1\n{filler}fired {fired}\n", filler.repeat(room - less));
            let found = run(&firmware, &script, config);
            let is_there = found.iter().any(|line| line.contains(" task_to_rdy_state "));
            assert_eq!(is_there, less == 1, "{found:?}");
        }
    }
}

/// An interrupt stops the recording, or stops it and starts another one, once a hook has looked whether there is something to record.
#[test]
fn an_interrupt_stops_between_the_look_and_the_record() {
    let filters = ("tband_configUSE_FILTERS", "1");
    let shedding = ("tband_configUSE_SHEDDING", "1");
    let configs = [
        &[STREAMING, NO_PERIODIC_DROP_CNT][..],
        &[STREAMING, PACKETS, TAKEN],
        &[STREAMING, PACKETS, TAKEN, shedding],
        &[SNAPSHOT, NO_PERIODIC_DROP_CNT],
        &[SNAPSHOT, PACKETS],
    ];
    // A queue is left out: its events check the filter; the others do not.
    for id in [85, 102] {
        let event = |number: u32| call(id, number, 0);
        let script = format!(
            "filter 17 2 0\narm 0 {ANY} {id} 1 5\nstart\nnow 10\nu32 84 1\n\
             meanwhile stop\nnow 20\n{}\nfired 0\nnow 30\n{}\nstart\nnow 40\nu32 84 3\n\
             meanwhile again\nnow 50\nu32 84 4\nnow 60\n{}\nnow 70\n{}\nfired 1\nstop\n",
            event(7),
            event(34),
            event(2),
            event(1),
        );
        for config in configs {
            let config = [config, &[TRIGGERS, LARGE, filters]].concat();
            let found = run(&Firmware::new("replay", &config), &script, &config);
            let is_event = |line: &&String| line.contains(" task_") || line.contains(" queue_");
            let found: Vec<_> = found.iter().filter(is_event).cloned().collect();
            let mut expected = [(10, 84, 1), (40, 84, 3), (50, 84, 4), (60, id, 2), (70, id, 1)]
                .map(|(ts, id, first)| line(ts, id, first, 0))
                .to_vec();
            expected.retain(|it| !it.contains(" queue_id=2"));
            assert_eq!(found, expected, "{config:?}");
        }
    }
}

/// Events that a trigger has ended get their checks from ticks, one packet each: the event that ends it has no time for them.
#[test]
fn ticks_protect_what_was_frozen() {
    let value = |now: u64, is: i64| format!("now {now}\nvalue 11 1 {is}\n");
    let config = [POST_MORTEM, PACKETS, TRIGGERS, LARGE];
    let firmware = Firmware::new("replay", &config);
    for before in [0, 300] {
        let mut script = "arm 4 1 5 1 1\nstart\nmeta 71 2 1 1 -\n".to_owned();
        script.extend((0..before).map(|n| value(n + 1, 4)));
        // While it is recorded no tick protects anything.
        script += &("tick\n".repeat(3) + &value(1000, 9) + "protected 0\n");
        script += &(value(1010, 4) + &value(1020, 4) + "protected 0\n");
        script += &"tick\n".repeat(40);
        // Of 512 bytes, the one of the metadata is not in the ring.
        script += if before == 0 { "protected 1\n" } else { "protected 3\n" };
        script += "unprotected 0\n";
        // The next one begins without.
        script += &("start\n".to_owned() + &value(2000, 4) + "tick\n");
        recorded(&firmware, &script, &config);
    }
}
