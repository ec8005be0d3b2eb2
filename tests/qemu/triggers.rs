//! Triggers on the real kernel, `tests/qemu/triggers`: each condition one under its limit, at it and over it, armed by the firmware
//! and by a command of the host. Each fires right after its event, and the ring is frozen after as many events more.

use std::fs;
use std::path::PathBuf;

use serde::Deserialize;
use tband_format::packet::command::{Command, MAX_COMMAND_FRAME};
use tband_format::registry::EVENTS;
use tband_format::trigger::{
    AT_LEAST, AT_MOST, CRASH, EQUAL, EVENT, FAILURE, QUEUE_FULL, READY_WAIT, STACK, TriggerState,
};
use tband_tests::events::lines;
use tband_tests::{temp_dir, write};
use xtask::board::{Board, run_firmware};
use xtask::kernel;

use crate::{archive, build_firmware, build_folder, root};

const ANY: u32 = u32::MAX;
/// Kinds of commands.
const TRIGGER: u8 = 18;
const REARM: u8 = 19;
const DISARM: u8 = 20;

/// Last of what each case does: so many values of a marker, from 1 on.
const LAST: i64 = 40;

/// Who arms triggers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ArmingSide {
    Firmware,
    Host,
}

/// Condition, object, value, how often, events after it.
type Spec = (u8, u32, i64, u32, u32);

/// What happens, and where triggers fire.
#[derive(Clone, Default)]
struct Case {
    name: String,
    armed: Vec<Spec>,
    /// Calls of functions of the firmware.
    work: String,
    /// The trigger, the line that it fires at, and how often that is recorded before it fires.
    fires: Vec<(u8, String, usize)>,
    /// So many events after the last one that fires.
    after: usize,
    /// Triggers are not set, but armed again.
    again: bool,
}

/// Numbers that the kernel gives, and the stack that the digger has left, each time it has dug deeper.
struct KernelNumbers {
    full: u32,
    spare: u32,
    late: u32,
    other: u32,
    digger: u32,
    margins: Vec<i64>,
}

/// Runs a script; the folder has the recordings.
fn run_script(name: &str, script: &str) -> tempfile::TempDir {
    let board = Board::Mps2An386;
    let kernel = kernel::path(root()).unwrap_or_else(|error| panic!("{error:#}"));
    let folder: PathBuf = build_folder(name);
    fs::create_dir_all(&folder).expect("a folder");
    write(folder.join("script.h"), script);
    let settings = [
        format!("FREERTOS_KERNEL_PATH={}", kernel.display()),
        format!("TBAND_LIBRARY={}", archive(board).display()),
        format!("SCRIPT={}", folder.display()),
    ];
    let program = root().join("tests/qemu/triggers");
    build_firmware(&program, &folder, &board.toolchain(root()), &settings)
        .unwrap_or_else(|error| panic!("{error:#}"));
    let out = temp_dir();
    run_firmware(board.emulator(), &folder.join("triggers.elf"), out.path(), None)
        .unwrap_or_else(|error| panic!("{error:#}"));
    out
}

/// What a script has recorded.
fn recorded(folder: &tempfile::TempDir, name: &str) -> Vec<String> {
    lines(&fs::read(folder.path().join(name)).expect("a recording"))
}

fn known() -> KernelNumbers {
    let folder = run_script(
        "triggers",
        "starts();\nwakes(digger, 0);\ndeeper();\ndeeper();\nends(false, 0, \"known.bin\");\n",
    );
    let lines = recorded(&folder, "known.bin");
    let number = |event: &str, name: &str| {
        let end = format!(" name={name:?}");
        let line = lines.iter().find(|line| line.contains(event) && line.ends_with(&end));
        let line = line.unwrap_or_else(|| panic!("{event} {name}: {lines:#?}"));
        let field = line.trim_end_matches(&end).rsplit('=').next().expect("fields");
        field.parse().expect("a number")
    };
    let digger = number(" task_name ", "digger");
    let sampled = format!(" task_stack_high_water_mark task_id={digger} bytes=");
    let sampled = lines.iter().filter_map(|line| line.split_once(&sampled));
    let margins = sampled.map(|(_, bytes)| bytes.parse().expect("a number")).collect();
    KernelNumbers {
        full: number(" queue_name ", "full"),
        spare: number(" queue_name ", "spare"),
        late: number(" task_name ", "late"),
        other: number(" task_name ", "other"),
        digger,
        margins,
    }
}

/// A command as C has its bytes.
fn command_bytes(number: u16, kind: u8, words: &[u32]) -> String {
    let mut arguments = [0; 6];
    arguments[..words.len()].copy_from_slice(words);
    let mut frame = [0; MAX_COMMAND_FRAME];
    let command = Command { number, kind, arguments, count: words.len() as u8 };
    let len = command.frame(&mut frame);
    let bytes: Vec<_> = frame[..len].iter().map(u8::to_string).collect();
    format!("{{ static const uint8_t frame[] = {{{}}}; obeys(frame, {len}); }}\n", bytes.join(", "))
}

/// The script of the cases, in this order, with a file for each.
fn script(cases: &[(ArmingSide, Case)]) -> String {
    let (mut script, mut number, mut fired) = (String::new(), 0, 0);
    let mut next = || {
        number += 1;
        number
    };
    for (by, case) in cases {
        let arm = |at: usize, (condition, of, value, nth, after): Spec, number| match by {
            ArmingSide::Firmware if case.again => format!("rearms({at});\n"),
            ArmingSide::Host if case.again => command_bytes(number, REARM, &[at as u32]),
            ArmingSide::Firmware => {
                format!("arms({at}, {condition}, {of}U, {value}LL, {nth}U, {after}U);\n")
            }
            ArmingSide::Host => {
                let (low, high) = (value as u32, (value >> 32) as u32);
                command_bytes(number, TRIGGER, &[condition.into(), of, low, high, nth, after])
            }
        };
        // In the firmware before the recording starts; the host while it is on.
        let armed: String =
            case.armed.iter().enumerate().map(|(at, spec)| arm(at, *spec, next())).collect();
        script += &match by {
            ArmingSide::Firmware => format!("{armed}starts();\n"),
            ArmingSide::Host => format!("starts();\n{armed}"),
        };
        script += &case.work;
        script += &format!("values(9, 1, {LAST});\n");
        fired += case.fires.len();
        let is_frozen = !case.fires.is_empty();
        script += &format!("ends({is_frozen}, {fired}, \"{}\");\n", file(*by, case));
        for at in 0..case.armed.len() {
            let has_fired = case.fires.iter().any(|(number, ..)| usize::from(*number) == at);
            script += &format!("is_armed({at}, {});\n", !has_fired);
            script += &match by {
                ArmingSide::Firmware => format!("disarms({at});\n"),
                ArmingSide::Host => command_bytes(next(), DISARM, &[at as u32]),
            };
            script += &format!("is_armed({at}, false);\n");
        }
    }
    script
}

fn file(by: ArmingSide, case: &Case) -> String {
    format!("{}-{by:?}.bin", case.name.replace(' ', "-"))
}

/// Triggers are where they should be, and nowhere else. `fired`: how many have before.
fn check(by: ArmingSide, case: &Case, lines: &[String], mut fired: usize) {
    let name = format!("{by:?}: {}", case.name);
    // The state at the beginning of a packet is not an event.
    let skipped = [" ts_frequency ", " core_id ", " open_isr ", " running_task "];
    let is_event =
        |line: &&String| !line.starts_with('-') && skipped.iter().all(|it| !line.contains(it));
    let events: Vec<(&str, &str)> =
        lines.iter().filter(is_event).filter_map(|line| line.split_once(' ')).collect();
    let places: Vec<_> = (0..events.len())
        .filter(|at| events[*at].1.starts_with("trigger ") || events[*at].1.starts_with("frozen "))
        .collect();
    let (_, last) = *events.last().unwrap_or_else(|| panic!("{name}: {lines:#?}"));
    if case.fires.is_empty() {
        assert!(places.is_empty(), "{name}: {events:#?}");
        assert_eq!(last, format!("valmarker valmarker_id=9 val={LAST}"), "{name}");
        return;
    }
    assert_eq!(places.len(), case.fires.len() + 1, "{name}: {events:#?}");
    for (place, (number, line, count)) in places.iter().zip(&case.fires) {
        fired += 1;
        let at = events[..*place].iter().rposition(|(_, line)| !line.starts_with("trigger "));
        let at = at.unwrap_or_else(|| panic!("{name}: {events:#?}"));
        let (ts, event) = events[at];
        assert!(event.starts_with(line), "{name}: at {event}, not at {line}");
        let before = events[..=at].iter().filter(|(_, it)| it.starts_with(line)).count();
        assert_eq!(before, *count, "{name}: {events:#?}");
        let mut fields = event.split(['=', ' ']);
        let event = fields.next().and_then(|it| EVENTS.iter().find(|def| def.name == it));
        let of = fields.nth(1).and_then(|it| it.parse().ok()).expect("a number");
        let is = TriggerState {
            trigger: *number,
            condition: case.armed[usize::from(*number)].0,
            event: event.expect("an event").id,
            of,
        };
        let expected = (ts, format!("trigger n={fired} is={}", is.write()));
        assert_eq!((events[*place].0, events[*place].1.to_owned()), expected, "{name}");
    }
    let [.., trigger, frozen] = places[..] else { unreachable!("one at least") };
    assert_eq!(last, format!("frozen n={fired}"), "{name}");
    assert_eq!((frozen, frozen - trigger - 1), (events.len() - 1, case.after), "{name}");
}

/// One trigger, which fires at this line, or does not fire.
fn trigger_case(name: &str, spec: Spec, work: &str, at: Option<(&str, usize)>) -> Case {
    Case {
        name: name.to_owned(),
        armed: vec![spec],
        work: work.to_owned(),
        fires: at.iter().map(|(line, count)| (0, (*line).to_owned(), *count)).collect(),
        after: spec.4 as usize,
        again: false,
    }
}

/// Cases of one condition, `tests/qemu/triggers/cases.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseGroup {
    condition: String,
    /// Any object, if none is named.
    of: Option<String>,
    #[serde(default)]
    value: i64,
    nth: Option<u32>,
    after: u32,
    cases: Vec<CaseRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseRow {
    name: String,
    work: String,
    of: Option<String>,
    value: Option<i64>,
    nth: Option<u32>,
    after: Option<u32>,
    /// The line that it fires at, and how often that is recorded before it fires.
    fires: Option<String>,
    count: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseTable {
    groups: Vec<CaseGroup>,
}

/// The cases of the table. Those of crashes are the last.
fn in_table(known: &KernelNumbers) -> Vec<Case> {
    let KernelNumbers { full, spare, late, other, .. } = *known;
    let objects = [("full", full), ("spare", spare), ("late", late), ("other", other)];
    let object = |name: Option<&str>| match name {
        None | Some("any") => ANY,
        Some(name) => match objects.iter().find(|(known, _)| *known == name) {
            Some((_, number)) => *number,
            None => name.parse().expect("an object's name or number"),
        },
    };
    let with_numbers = |line: &str| {
        let in_place = |line: String, (name, number): &(&str, u32)| {
            line.replace(&format!("{{{name}}}"), &number.to_string())
        };
        objects.iter().fold(line.to_owned(), in_place)
    };
    let table = include_str!("triggers/cases.toml");
    let table: CaseTable = toml::from_str(table).unwrap_or_else(|error| panic!("{error}"));
    let case = |group: &CaseGroup, row: &CaseRow| {
        let spec = (
            condition(&group.condition),
            object(row.of.as_deref().or(group.of.as_deref())),
            row.value.unwrap_or(group.value),
            row.nth.or(group.nth).unwrap_or(1),
            row.after.unwrap_or(group.after),
        );
        let fires = row.fires.as_deref().map(|line| (with_numbers(line), row.count.unwrap_or(1)));
        let at = fires.as_ref().map(|(line, count)| (line.as_str(), *count));
        trigger_case(&row.name, spec, &row.work, at)
    };
    table.groups.iter().flat_map(|group| group.cases.iter().map(|row| case(group, row))).collect()
}

fn condition(name: &str) -> u8 {
    match name {
        "event" => EVENT,
        "queue full" => QUEUE_FULL,
        "ready wait" => READY_WAIT,
        "at least" => AT_LEAST,
        "at most" => AT_MOST,
        "equal" => EQUAL,
        "failure" => FAILURE,
        "crash" => CRASH,
        _ => panic!("no condition {name}"),
    }
}

fn stacks(known: &KernelNumbers, by: ArmingSide) -> Vec<Case> {
    let digger = known.digger;
    let spec = |bytes| (STACK, digger, bytes, 1, 2);
    let sampled = |bytes| format!("task_stack_high_water_mark task_id={digger} bytes={bytes}");
    // The digger never has more than before.
    let [margin, deeper, deepest] = known.margins[..] else { panic!("{:?}", known.margins) };
    assert!(margin > deeper && deeper > deepest && deepest > 0, "{:?}", known.margins);
    let (had, has) = if by == ArmingSide::Firmware { (margin, deeper) } else { (deeper, deepest) };
    let wakes = "wakes(digger, 0);wakes(late, 0);";
    vec![
        trigger_case("stack over the limit", spec(had - 1), wakes, None),
        trigger_case("stack at the limit", spec(had), wakes, None),
        trigger_case("stack under the limit", spec(had + 1), wakes, Some((&sampled(had), 1))),
        trigger_case(
            "stack that comes under it",
            spec(had),
            "wakes(digger, 0);deeper();wakes(digger, 0);",
            Some((&sampled(has), 1)),
        ),
    ]
}

/// Several that are armed at once, and one that is armed again.
fn several(known: &KernelNumbers) -> Vec<Case> {
    let full = known.full;
    let value = |value| format!("valmarker valmarker_id=5 val={value}");
    let sent = format!("queue_send queue_id={full} len_after=4");
    let armed = vec![(EQUAL, 5, 2, 1, 6), (QUEUE_FULL, full, 4, 1, 5), (AT_LEAST, 5, 8, 1, 3)];
    let in_a_row = Case {
        name: "several in a row".into(),
        armed: armed.clone(),
        work: "values(5, 1, 3);sends(full, 4);values(5, 8, 9);".into(),
        fires: vec![(0, value(2), 1), (1, sent.clone(), 1), (2, value(8), 1)],
        // Six of the first, one of which came before the second: those of the last one are over sooner.
        after: 4,
        again: false,
    };
    let again = Case { again: true, name: "several again".into(), ..in_a_row.clone() };
    let at_once = Case {
        name: "two at one event".into(),
        armed: vec![(AT_LEAST, 5, 8, 1, 1), (EQUAL, 5, 9, 1, 4)],
        work: "value(5, 7);value(5, 9);".into(),
        fires: vec![(0, value(9), 1), (1, value(9), 1)],
        after: 4,
        again: false,
    };
    let too_late = Case {
        name: "one too late".into(),
        fires: vec![(0, value(2), 1)],
        work: "values(5, 1, 3);values(6, 1, 10);sends(full, 4);".into(),
        after: 6,
        again: false,
        armed,
    };
    vec![in_a_row, again, at_once, too_late]
}

#[test]
fn each_condition_fires_at_its_event_and_the_ring_is_frozen_after_it() {
    let known = known();
    let of = |by| {
        let all = [stacks(&known, by), several(&known), in_table(&known)];
        all.concat().into_iter().map(move |case| (by, case))
    };
    let cases: Vec<_> = of(ArmingSide::Firmware).chain(of(ArmingSide::Host)).collect();
    let folder = run_script("triggers", &script(&cases));
    let mut fired = 0;
    for (by, case) in &cases {
        check(*by, case, &recorded(&folder, &file(*by, case)), fired);
        fired += case.fires.len();
    }
    // The earlier events are in the ring, as far as it has room.
    let of_full_ring = recorded(&folder, "value-in-a-full-ring-Firmware.bin");
    let first = of_full_ring.iter().find_map(|line| line.split_once(" valmarker_id=5 val="));
    let (_, first) = first.expect("values");
    assert!((1000..4900).contains(&first.parse::<u32>().expect("a number")), "{first}");
}
