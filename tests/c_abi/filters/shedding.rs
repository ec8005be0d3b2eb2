//! Shedding: one program is recorded into a ring that never fills up, and into a small one with a slow consumer. Each event is
//! then in the recording or counted, at the place where it is missing, and the events that are shed last are complete.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use tband_conv::diagnostics::Problem;
use tband_conv::{Input, Options};
use tband_format::classes::CLASSES;
use tband_format::registry::EVENTS;
use tband_format::trigger::EVENT;
use tband_recordings::timeline_of;
use tband_tests::c::Firmware;
use tband_tests::events::lines;
use tband_tests::lacking::shown;
use tband_tests::packets::{as_frames, frames_of, packets};

use super::super::packets::{PACKETS, TAKEN, values};
use super::super::rtt::RTT;
use super::super::{Config, STREAMING, TWO_CORES, number};
use super::{ALL, CLASSES_OF, FILTERS, LARGE, run};

const SHEDDING: (&str, &str) = ("tband_configUSE_SHEDDING", "1");
const TRIGGERS: (&str, &str) = ("tband_configUSE_TRIGGERS", "1");
const ORDER: &str = "tband_configSHEDDING_ORDER";
const ENDLESS: (&str, &str) = ("tband_configPACKET_COUNT", "4000");
const SIZE: (&str, &str) = ("tband_configPACKET_SIZE", "512");
/// Calls, then ticks, then what goes over queues. Tasks and markers are never shed.
const IMPORTANCE: (&str, &str) =
    (ORDER, "TBAND_CLASS_API, TBAND_CLASS_TICK, TBAND_CLASS_QUEUE | TBAND_CLASS_QUEUE_EXTRA");

const BASE: [(&str, &str); 4] = [STREAMING, PACKETS, LARGE, SIZE];

/// The consumer of the packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Consumer {
    Reader,
    /// A probe, over RTT.
    Probe,
}
use Consumer::{Probe, Reader};

impl Consumer {
    fn firmware(self, config: &Config) -> Firmware {
        let link = match self {
            Reader => TAKEN,
            Probe => RTT,
        };
        Firmware::new("replay", &[&BASE[..], &[link], config].concat())
    }

    /// A ring of as many packets as may wait: 8.
    fn small(self) -> (&'static str, &'static str) {
        ("tband_configPACKET_COUNT", if self == Reader { "8" } else { "9" })
    }

    fn shedding(self, order: (&'static str, &'static str)) -> Firmware {
        self.firmware(&[self.small(), FILTERS, SHEDDING, order])
    }
}

/// A program of many calls and ticks, some queues, and few switches and markers, whose reader takes a packet each `every` events, and
/// more and more in the end.
fn program(events: u32, every: u32) -> String {
    let (mut script, mut state) = (String::new(), 7_u32);
    for nth in 0..events {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let line = match (state >> 24) % 64 {
            0 => format!("u32 84 {}", nth % 5 + 1),
            1 => format!("value 11 1 {nth}"),
            2..8 => format!("pair 102 {} {}", nth % 3 + 1, nth % 4),
            8 => "enter 9".to_owned(),
            9 => "exit 9".to_owned(),
            10..30 => format!("u32 201 {nth}"),
            30..47 => format!("u32 204 {}", nth % 40),
            _ => format!("pair 205 {} {}", nth % 40, nth % 60),
        };
        writeln!(script, "now {}\n{line}", (nth + 1) * 11).unwrap();
        if nth % every == every - 1 {
            script += "take 1\n";
        }
    }
    script
}

/// An event of a recording: its line, and its class, if it has one.
fn class_of(line: &str) -> Option<&'static str> {
    let name = line.split(' ').nth(1)?;
    let id = EVENTS.iter().find(|def| def.name == name)?.id;
    // As the target counts interrupts.
    CLASSES.iter().rfind(|class| class.events.contains(&id)).map(|class| class.name)
}

fn time(line: &str) -> Option<u64> {
    line.split(' ').next()?.parse().ok()
}

/// Events of each class that were shed, and how many were lost.
type MissingEvents = (BTreeMap<&'static str, u64>, u64);

/// Of events that were recorded, in their order: all that the program has caused.
fn of_program(lines: &[String]) -> Vec<&str> {
    lines.iter().map(String::as_str).filter(|line| class_of(line).is_some()).collect()
}

/// Compares a recording with all events of the program: each is there, or counted by the next report, or the packets report it
/// as lost. Returns the shed events of each class, and the number of lost ones.
fn compare(recording: &[u8], lines: &[String], all: &[&str]) -> MissingEvents {
    compare_core(recording, 0, lines, all)
}

/// Does the same for one core: `lines` and `all` are its events.
fn compare_core(recording: &[u8], core: u8, lines: &[String], all: &[&str]) -> MissingEvents {
    let mut left = all.iter().peekable();
    // Events missing so far, and not counted.
    let mut missing: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    let mut shed = BTreeMap::new();
    for line in lines {
        if class_of(line).is_some() {
            for skipped in left.by_ref().take_while(|it| **it != line) {
                missing.entry(class_of(skipped).unwrap()).or_default().push(time(skipped).unwrap());
            }
        } else if line.contains(" shed ") {
            let bit = number(line, "class");
            let class = CLASSES.iter().find(|it| u64::from(it.flag) == 1 << bit).unwrap().name;
            let at = time(line).unwrap();
            while let Some(skipped) = left.next_if(|it| time(it).unwrap() < at) {
                missing.entry(class_of(skipped).unwrap()).or_default().push(time(skipped).unwrap());
            }
            let since = missing.entry(class).or_default();
            let before = since.iter().filter(|it| **it < at).count() as u64;
            let n = number(line, "n");
            assert!(n <= before, "{line}: {before} are missing");
            *shed.entry(class).or_default() += n;
            // If packets were lost too it is not known which ones.
            if n == before {
                since.clear();
            } else {
                since.drain(..n as usize);
            }
        }
    }
    left.for_each(|it| missing.entry(class_of(it).unwrap()).or_default().push(0));
    let lost = packets(recording)
        .iter()
        .filter(|it| it.header().stream == core)
        .map(|it| it.header().discarded)
        .max();
    let lost = u64::from(lost.unwrap_or_default());
    let uncounted: usize = missing.values().map(Vec::len).sum();
    assert_eq!(uncounted as u64, lost, "events that are neither there nor counted: {missing:?}");
    (shed, lost)
}

fn count(lines: &[&str], class: &str) -> usize {
    lines.iter().filter(|line| class_of(line) == Some(class)).count()
}

#[test]
fn each_event_is_recorded_or_counted_and_the_important_ones_are_all_there() {
    for by in [Reader, Probe] {
        let script = format!("start\n{}now 9999999\nstop\n", program(20_000, 170));
        let (_, all) = run(&by.firmware(&[ENDLESS]), &script);
        let all = of_program(&all);
        assert_eq!(all.len(), 20_000);

        // Without shedding, events without room are lost, whatever they are.
        let (recording, lines) = run(&by.firmware(&[by.small()]), &script);
        let (shed, lost) = compare(&recording, &lines, &all);
        assert!(shed.is_empty() && lost > 1000, "{lost}");
        assert!(count(&of_program(&lines), "TASK") < count(&all, "TASK"));

        let (recording, lines) = run(&by.shedding(IMPORTANCE), &script);
        assert_eq!(shown(&recording), BTreeSet::from(["filter", "shed"]));
        let (shed, lost) = compare(&recording, &lines, &all);
        assert_eq!(lost, 0);
        let found = of_program(&lines);
        for class in ["TASK", "MARKER", "ISR"] {
            assert_eq!(count(&found, class), count(&all, class), "{class}");
            assert_eq!(shed.get(class), None);
        }
        // The least important go first.
        let part = |class| {
            let of = count(&all, class);
            assert_eq!(
                count(&found, class) as u64 + shed.get(class).copied().unwrap_or(0),
                of as u64
            );
            count(&found, class) as f64 / of as f64
        };
        let parts = ["API", "TICK", "QUEUE"].map(part);
        assert!(parts[0] < 0.9 && parts[0] < parts[1] && parts[1] <= parts[2], "{parts:?}");
        assert!(parts[0] > 0.05, "calls come back now and then: {parts:?}");

        // The converter reports the same.
        let options = Options::default();
        let (text, summary) = timeline_of(&[Input::from_bytes("r", &recording)], &options);
        let output: BTreeMap<_, _> =
            summary.shed.iter().map(|it| (it.name().into_owned(), it.events)).collect();
        for (class, events) in &shed {
            assert_eq!(output.get(*class), Some(events), "{class}");
        }
        assert!(summary.shed.iter().all(|it| it.times > 0 && it.ns > 0), "{:?}", summary.shed);
        assert!(text.contains("class API, shed: recorded again"));
        assert_eq!(summary.left_out, []);
    }
}

#[test]
fn every_reader_gets_every_event_or_its_count() {
    for by in [Reader, Probe] {
        let all_classes = (ORDER, "TBAND_CLASS_API | TBAND_CLASS_TICK, TBAND_GROUP_EVERYTHING");
        for order in [IMPORTANCE, all_classes] {
            let endless = by.firmware(&[ENDLESS]);
            let firmware = by.shedding(order);
            for every in [3, 40, 90, 140, 170, 300, 1000, 100_000] {
                let script = format!("start\n{}now 9999999\nstop\n", program(4000, every));
                let (_, all) = run(&endless, &script);
                let (recording, lines) = run(&firmware, &script);
                let (shed, lost) = compare(&recording, &lines, &of_program(&all));
                // A packet has some 150 events.
                assert_eq!(!shed.is_empty(), every >= 140, "{every}: {shed:?}, {lost} lost");
                // All classes may go in the end.
                assert!(
                    lost == 0 || (order == IMPORTANCE && every >= 1000),
                    "{every}: {lost} lost"
                );
            }
        }
    }
}

/// Nothing opens a packet while all that happens is shed: the hooks look themselves whether packets were taken.
#[test]
fn shed_classes_return_without_other_events() {
    for by in [Reader, Probe] {
        let order = (ORDER, "TBAND_GROUP_EVERYTHING");
        let firmware = by.shedding(order);
        for taken in [0, 1, 2, 8] {
            let script = format!(
                "start\n{}take {taken}\n{}now 9999999\nstop\n",
                program(3000, 100_000),
                "now 700000\nu32 201 77777\nenter 3\nexit 3\n"
            );
            let (_, lines) = run(&firmware, &script);
            let is_back = lines.iter().any(|line| line.contains("77777"));
            // Of 8 packets 7 may wait, and shedding begins at 4. It ends when 2 wait, including the open one. The first packet
            // taken is metadata.
            assert_eq!(is_back, taken == 8, "{taken} taken");
            let last = lines.iter().rposition(|line| line.contains(" filter of=8 ")).unwrap();
            let is_shed = lines[last..].iter().any(|line| line.contains(" filter of=6"));
            assert_eq!(is_shed, taken < 8, "{taken}: {:?}", &lines[last..]);
        }
    }
}

#[test]
fn a_choice_of_the_firmware_is_not_counted_as_shed() {
    for by in [Reader, Probe] {
        let choice =
            format!("filter {CLASSES_OF} {} 0\nfilter {} 2 0\n", 1 << 18, super::OBJECT + 1);
        let body = program(4000, 300);
        let script = format!("start\n{choice}{body}filter {ALL} 0 1\nnow 9999999\nstop\n");
        let (_, all) = run(&by.firmware(&[ENDLESS, FILTERS]), &script);
        let all = of_program(&all);
        assert!(count(&all, "TICK") == 0 && count(&all, "QUEUE") > 50);
        let (recording, lines) = run(&by.shedding(IMPORTANCE), &script);
        let (shed, lost) = compare(&recording, &lines, &all);
        assert!(shed.contains_key("API") && !shed.contains_key("TICK"), "{shed:?}");
        assert_eq!(lost, 0);
    }
}

/// Where not even the counts find room they are counted as lost; and the next recording begins with nothing shed.
#[test]
fn a_recording_that_ends_while_the_ring_is_full_has_counted_all() {
    for by in [Reader, Probe] {
        let body = program(4000, 100_000);
        let script = format!("start\n{body}now 800000\nstop\n");
        let (_, all) = run(&by.firmware(&[ENDLESS]), &script);
        let all = of_program(&all);
        let few = (ORDER, "TBAND_CLASS_API");
        for order in [few, IMPORTANCE] {
            let (recording, lines) = run(&by.shedding(order), &script);
            let (shed, lost) = compare(&recording, &lines, &all);
            assert!(lost > 0 || order == IMPORTANCE, "{shed:?}");
            let again = format!("{script}take 100\nstart\nu32 204 4\nstop\n");
            let (_, lines) = run(&by.shedding(order), &again);
            assert!(
                lines.iter().any(|line| line.ends_with("api_enter function=4")),
                "{:?}",
                lines.last()
            );
        }
    }
}

/// Nothing was read when the next recording starts: it loses events, but not their descriptions. The first recording begins
/// there, though it shed nothing then.
#[test]
fn starting_with_a_full_ring_loses_only_events() {
    for by in [Reader, Probe] {
        let body = program(4000, 100_000);
        for order in [IMPORTANCE, (ORDER, "TBAND_GROUP_EVERYTHING")] {
            let firmware = by.firmware(&[by.small(), FILTERS, SHEDDING, order, TRIGGERS]);
            for events in [0, 1, 5] {
                let again = "u32 84 4\n".repeat(events);
                let script = format!(
                    "arm {EVENT} 1 9 1 0\nstart\n{body}now 800000\nstop\n\
                     start\nnow 800010\n{again}now 800020\nstop\n"
                );
                let (recording, lines) = run(&firmware, &script);
                let discarded = packets(&recording).iter().map(|it| it.header().discarded).max();
                let of_second = |line: &&String| time(line).is_some_and(|at| at > 800_000);
                let output = lines.iter().filter(of_second).filter(|line| line.contains(" shed "));
                let shed: u64 = output.map(|line| number(line, "n")).sum();
                let lost = (u64::from(discarded.unwrap_or_default()), shed);
                let wanted = if order == IMPORTANCE { (events, 0) } else { (0, events) };
                assert_eq!(lost, (wanted.0 as u64, wanted.1 as u64), "{by:?} {order:?}");

                let first = lines.iter().position(|line| class_of(line).is_some()).unwrap();
                for name in ["filter", "shed", "trigger", "frozen"] {
                    let schema = format!("schema=\"{name} ");
                    let is_there = lines[..first].iter().any(|line| line.contains(&schema));
                    assert!(is_there, "{by:?}: {name} in {:?}", &lines[..first]);
                }
            }
        }
    }
}

/// Nested interrupts, calls, spans and switches, some of which are open wherever a packet begins.
fn nested(events: u32, every: u32) -> String {
    let (mut script, mut state) = (String::new(), 7_u32);
    let (mut isrs, mut is_in_call, mut span) = (Vec::new(), false, false);
    for nth in 0..events {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let line = match (state >> 24) % 16 {
            0..4 if isrs.len() < 3 => {
                isrs.push(isrs.len() + 20);
                format!("enter {}", isrs.len() + 19)
            }
            0..8 if !isrs.is_empty() => format!("exit {}", isrs.pop().unwrap()),
            8 | 9 if isrs.is_empty() => {
                is_in_call = false;
                format!("u32 84 {}", nth % 3 + 1)
            }
            10 | 11 if isrs.is_empty() => {
                is_in_call = !is_in_call;
                if is_in_call { "u32 204 5".to_owned() } else { "pair 205 5 1".to_owned() }
            }
            12 if isrs.is_empty() => {
                span = !span;
                if span { "text 8 3 61".to_owned() } else { "u32 9 3".to_owned() }
            }
            _ => format!("pair 102 {} {}", nth % 3 + 1, nth % 4),
        };
        writeln!(script, "now {}\n{line}", (nth + 1) * 110).unwrap();
        if nth % every == every - 1 {
            script += "take 1\n";
        }
    }
    for isr in isrs.iter().rev() {
        writeln!(script, "exit {isr}").unwrap();
    }
    script
}

/// Whatever is shed while the timer continues: packets are consecutive, and readers find no damage. Recorded states are known
/// at once, and no event is recorded after its class is reported as shed.
#[test]
fn shedding_causes_no_findings() {
    for by in [Reader, Probe] {
        let all = (0..32).map(|bit| format!("{}u", 1_u32 << bit)).collect::<Vec<_>>().join(", ");
        let orders = [
            "TBAND_CLASS_ISR",
            "TBAND_CLASS_TASK",
            "TBAND_CLASS_QUEUE",
            "TBAND_GROUP_EVERYTHING",
            // A step twice, and one that takes nothing.
            "TBAND_CLASS_ISR, TBAND_CLASS_ISR, 0, TBAND_CLASS_MARKER | TBAND_CLASS_API",
            all.leak(),
        ];
        for order in orders {
            let firmware = by.shedding((ORDER, order));
            for every in [150, 170, 400] {
                let script = format!(
                    "step 3\nstart\n{}now 9999999\ntake 100\npair 102 1 1\nu32 84 1\nstop\n",
                    nested(4000, every)
                );
                let (recording, lines) = run(&firmware, &script);
                let mut last = 0;
                for packet in packets(&recording).iter().filter(|it| it.header().stream == 0) {
                    let header = packet.header();
                    assert!(last <= header.begin && header.begin <= header.end, "{order} {every}");
                    last = header.end;
                }
                let mut shed = [0_u32; 8];
                for line in &lines {
                    if line.contains(" filter ") {
                        let (of, is) = (number(line, "of"), number(line, "is"));
                        match of {
                            8 => shed = [0; 8],
                            64..72 => shed[of as usize - 64] = is as u32,
                            _ => {}
                        }
                    } else if class_of(line).is_some() {
                        let name = line.split(' ').nth(1).unwrap();
                        let id = EVENTS.iter().find(|def| def.name == name).unwrap().id;
                        let is_shed = shed[usize::from(id) / 32] >> (id % 32) & 1 != 0;
                        assert!(!is_shed, "{order} {every}: {line} though it is shed");
                    }
                }
                let input = [Input::from_bytes("r", &recording)];
                let (text, summary) = timeline_of(&input, &Options::default());
                let damage: Vec<_> = summary
                    .diagnostics
                    .iter()
                    .filter(|it| it.problem != Problem::EventsDiscarded)
                    .collect();
                assert!(damage.is_empty(), "{order} {every}: {damage:?}");
                assert!(text.contains("shed: not recorded"), "{order} {every}");
            }
        }
    }
}

/// Each event that a trigger names as its cause was recorded before it, also where the event would have opened the packet that
/// sheds it.
#[test]
fn shed_events_fire_no_trigger() {
    for by in [Reader, Probe] {
        let order = (ORDER, "TBAND_CLASS_TICK");
        let firmware = by.firmware(&[by.small(), FILTERS, SHEDDING, order, TRIGGERS]);
        let mut script = format!("start\narm {EVENT} {} 201 1 0\n", u32::MAX);
        for nth in 0..900 {
            writeln!(script, "now {}\nu32 201 {nth}\nrearm 0", (nth + 1) * 11).unwrap();
            script += if nth % 100 == 99 { "take 3\n" } else { "" };
        }
        let (_, lines) = run(&firmware, &(script + "now 99999\nstop\n"));
        let (mut ticks, mut fired) = (0, 0);
        let mut tick = None;
        for line in &lines {
            if class_of(line) == Some("TICK") {
                (tick, ticks) = (time(line), ticks + 1);
            } else if line.contains(" trigger ") {
                assert_eq!(tick.take(), time(line), "{line}");
                fired += 1;
            }
        }
        assert!(ticks == fired && (100..900).contains(&fired), "{ticks} ticks, {fired} fired");
        assert!(lines.iter().any(|line| line.contains(" shed ")));
    }
}

/// A probe that is away for long, one that writes any offset, one that comes late, and one recording after another. The
/// recorded event is a marker, which is shed.
#[test]
fn a_probe_that_stalls_or_writes_garbage_gets_what_is_not_counted() {
    let order = (ORDER, "TBAND_CLASS_MARKER");
    let config = [STREAMING, PACKETS, RTT, SIZE, FILTERS, SHEDDING, order];
    let firmware = Firmware::new("rtt", &[&config[..], &[Probe.small()]].concat());

    let recording = firmware.run(&["stalls"]);
    let events = lines(&as_frames(&recording));
    let of = |name: &str| {
        events.iter().filter(|line| line.contains(name)).map(String::as_str).collect::<Vec<_>>()
    };
    let shed: u64 = of(" shed ").iter().map(|line| number(line, "n")).sum();
    let lost = packets(&recording).iter().map(|it| it.header().discarded).max().unwrap_or(0);
    let found = values(&recording);
    assert_eq!(found.len() as u64 + shed + u64::from(lost), 5 * 3005 + 3000);
    assert!(found.windows(2).all(|pair| pair[0] < pair[1]));
    // Recording resumes each time the probe is back.
    assert!(shed > 10_000 && found.len() > 600, "{shed} shed, {} recorded", found.len());

    let garbage = firmware.run(&["garbage"]);
    assert!(values(&garbage).ends_with(&(0..20).collect::<Vec<_>>()));
    // Whose first recording is there when the second begins.
    let large = [&config[..], &[("tband_configPACKET_COUNT", "40")]].concat();
    let again = Firmware::new("rtt", &large).run(&["again"]);
    assert_eq!(values(&again), (0..60).collect::<Vec<_>>());

    let waits = [&config[..], &[Probe.small(), ("tband_configSTART_ON_READER", "1")]].concat();
    let late = Firmware::new("rtt", &waits).run(&["waits"]);
    assert_eq!(values(&late), (0..20).collect::<Vec<_>>());
}

const CORES: [(&str, &str); 2] = [TWO_CORES, ("FAKE_LOCK", "1")];

/// Returns the events of a core.
fn of_core(recording: &[u8], core: u8) -> Vec<String> {
    let packets = packets(recording);
    let of_it = packets.iter().filter(|it| it.header().stream == core);
    lines(&of_it.flat_map(frames_of).collect::<Vec<_>>())
}

/// A program whose events are of core 1, but for each `nth` one, which is of core 0.
fn on_two_cores(program: &str, nth: usize) -> String {
    let mut script = String::new();
    for (at, line) in program.lines().enumerate() {
        if line.starts_with("now ") {
            writeln!(script, "core {}", u8::from((at / 2) % nth != 0)).unwrap();
        }
        writeln!(script, "{line}").unwrap();
    }
    script
}

/// Runs a script on two cores, with a ring that never fills up and with small ones. Returns the recording with small ones, and
/// for each core the shed events, and the number of lost ones.
fn on_small_rings(
    script: &str,
    order: (&'static str, &'static str),
) -> (Vec<u8>, [MissingEvents; 2]) {
    let all = run(&Reader.firmware(&[&CORES[..], &[ENDLESS, FILTERS]].concat()), script).0;
    let config = [&CORES[..], &[Reader.small(), FILTERS, SHEDDING, order]].concat();
    let (recording, _) = run(&Reader.firmware(&config), script);
    let compared = [0, 1].map(|core| {
        let all = of_core(&all, core);
        compare_core(&recording, core, &of_core(&recording, core), &of_program(&all))
    });
    (recording, compared)
}

#[test]
fn each_core_sheds_what_its_own_ring_has_no_room_for() {
    // Core 0 has little to say, and loses nothing of it while the other one sheds.
    let script = on_two_cores(&program(20_000, 220), 40);
    let script = format!("start\n{script}core 0\nnow 9999999\nstop\n");
    let (recording, [few, many]) = on_small_rings(&script, IMPORTANCE);
    assert_eq!((few.0.len(), few.1, many.1), (0, 0, 0), "{few:?} {many:?}");
    assert!(many.0["API"] > many.0["TICK"] && !many.0.contains_key("TASK"), "{many:?}");
    // Core 0 has shed no events and reports none.
    assert!(!of_core(&recording, 0).iter().any(|it| it.contains(" filter of=6")));

    // The converter reports the same, and events shed by one core may be missing.
    let (text, summary) = timeline_of(&[Input::from_bytes("r", &recording)], &Options::default());
    for (class, events) in &many.0 {
        let output = summary.shed.iter().find(|it| it.name() == *class).expect("it is reported");
        assert_eq!(output.events, *events, "{class}");
        assert!(output.ns > 0, "{output:?}");
    }
    // Packets of core 0, which has room, do not end it.
    let (mut times, mut is_shed) = (0, false);
    for line in of_core(&recording, 1).iter().filter(|it| it.contains(" filter ")) {
        let (of, is) = (number(line, "of"), number(line, "is"));
        // A packet contains ids of calls, from 192 on, if it reports that anything is shed.
        let is_reported = of == 64 + 204 / 32 && is >> (204 % 32) & 1 != 0;
        times += u64::from(is_reported && !is_shed);
        is_shed = if of == 8 { is_shed && is >> 8 != 0 } else { is_shed || is_reported };
    }
    let output = summary.shed.iter().find(|it| it.name() == "API").expect("it is reported");
    assert_eq!(output.times, times);
    assert!(text.contains("class API, shed: recorded again"));

    // Both at once, with any reader, in any order: each event of each is there or counted.
    let everything = (ORDER, "TBAND_CLASS_API | TBAND_CLASS_TICK, TBAND_GROUP_EVERYTHING");
    for order in [IMPORTANCE, everything] {
        for (nth, every) in [(2, 90), (2, 170), (3, 400), (5, 100_000)] {
            let script = on_two_cores(&program(4000, every), nth);
            let script = format!("start\n{script}core 1\nnow 9999999\nstop\n");
            let (_, [first, second]) = on_small_rings(&script, order);
            assert_eq!(first.0.is_empty() && second.0.is_empty(), every == 90, "{nth} {every}");
            let lost = first.1 + second.1;
            assert!(lost == 0 || (order == IMPORTANCE && every > 400), "{nth} {every}: {lost}");
        }
    }
}

/// A core stops while it sheds, and reports nothing more; the recording is ended by the other one, and the next one begins at
/// once, or when packets were taken.
#[test]
fn a_stopped_core_reports_shed_events_at_the_end() {
    let busy = on_two_cores(&program(3000, 100_000), 3000);
    let quiet = "core 0\nnow 100000\nu32 84 1\nnow 5000000\nu32 84 2\nnow 5000500\nstop\n";
    for taken in [0, 1, 3, 100] {
        let script = format!("start\n{busy}{quiet}take {taken}\n");
        let (recording, [first, second]) =
            on_small_rings(&script, (ORDER, "TBAND_GROUP_EVERYTHING"));
        assert_eq!((first.0.len(), first.1, second.1), (0, 0, 0), "{taken}: {second:?}");
        let packets = packets(&recording);
        let of_it: Vec<_> = packets.iter().filter(|it| it.header().stream == 1).collect();
        let ends = of_it.windows(2).all(|it| it[0].header().end <= it[1].header().begin);
        assert!(ends && second.0.len() > 2, "{second:?}");
        // It ends when those events were shed, and not when they are consumed.
        let end = of_it.last().expect("a packet").header().end;
        assert_eq!(end, 3000 * 11 + 1, "{taken}");

        // A recording without shedding: the last shed events of the one before are over.
        let other = format!("{script}now 6000000\nstart\nu32 84 3\nnow 6000500\nstop\n");
        let (recording, _) = on_small_rings(&other, (ORDER, "TBAND_GROUP_EVERYTHING"));
        let input = [Input::from_bytes("r", &recording)];
        let (_, summary) = timeline_of(&input, &Options::default());
        let is_over = summary.shed.iter().all(|it| it.since_ns.is_none());
        assert!(is_over && !summary.shed.is_empty(), "{taken}: {:?}", summary.shed);

        let again = format!("{script}now 6000000\nstart\ncore 1\nu32 84 3\nnow 6000500\nstop\n");
        let (recording, [first, second]) =
            on_small_rings(&again, (ORDER, "TBAND_GROUP_EVERYTHING"));
        assert_eq!((first.1, second.1), (0, 0), "{taken}");
        assert!(of_core(&recording, 1).iter().any(|it| it.ends_with("task_switched_in task_id=3")));
    }
}

/// A filter that core 0 changes while core 1 sheds; a trigger that waits for what core 1 sheds fires at what core 0 records of it.
#[test]
fn a_core_that_sheds_leaves_filters_and_triggers_of_the_other_alone() {
    let busy = on_two_cores(&program(3000, 300), 3000);
    let choice =
        format!("core 0\nfilter {CLASSES_OF} {} 0\nfilter {} 2 0\n", 1 << 18, super::OBJECT + 1);
    let script = format!(
        "start\n{busy}{choice}{}core 0\nnow 40000\npair 102 2 1\nu32 201 7\npair 102 3 1\n\
         filter {ALL} 0 1\nu32 201 8\nnow 9999999\nstop\n",
        "core 1\npair 102 2 5\n".repeat(50),
    );
    let (recording, [first, second]) = on_small_rings(&script, IMPORTANCE);
    assert!(first.0.is_empty() && second.0.contains_key("API"), "{first:?} {second:?}");
    let of_first = of_core(&recording, 0);
    let of_first = of_program(&of_first);
    assert!(of_first.iter().any(|line| line.contains("queue_id=3")));
    assert!(!of_first.iter().any(|line| line.contains("queue_id=2 ") || line.ends_with("=7")));
    assert!(of_first.iter().any(|line| line.ends_with("=8")), "{of_first:?}");

    let order = (ORDER, "TBAND_CLASS_TICK");
    let config = [&CORES[..], &[Reader.small(), FILTERS, SHEDDING, order, TRIGGERS]].concat();
    let ticks = |from: u32| {
        (from..from + 1000).map(|at| format!("now {}\nu32 201 {at}\n", at * 11)).collect::<String>()
    };
    let script = format!(
        "start\ncore 1\n{}core 0\narm {EVENT} {} 201 1 0\nnow 20000\nu32 201 5\nstop\n",
        ticks(1),
        u32::MAX
    );
    let (recording, _) = run(&Reader.firmware(&config), &script);
    let of_first = of_core(&recording, 0);
    assert!(of_first.iter().any(|line| line.contains(" trigger ")), "{of_first:?}");
    assert!(of_core(&recording, 1).iter().any(|line| line.contains(" shed ")));
}
