//! Crashes of the firmware: the result of the events, as text, and in each sink.

use tband_conv::model::Crash;
use tband_conv::sinks::{Perfetto, TimelineText};
use tband_conv::{Input, Options, Summary, convert};
use tband_format::named::{CrashKind, FaultFact};
use tband_format::{Event, Str};
use tband_recordings::frames;
use tband_recordings::set_up::is_sound;

type Value = (FaultFact, u32);

fn values(ts: u64, values: &[Value]) -> Vec<(u64, Event<'static>)> {
    values.iter().map(|&(what, value)| (ts, Event::Fault { what, is: value })).collect()
}

fn of(events: &[(u64, Event<'_>)]) -> (Summary, String) {
    let recording = frames(events);
    let mut text = TimelineText::new(Vec::new());
    let inputs = [Input::from_bytes("crash", &recording)];
    let summary = convert(&inputs, &Options::default(), &mut text).expect("a recording");
    (summary, String::from_utf8(text.into_inner()).expect("text"))
}

/// A task that runs, and a crash of it with these values.
fn crash(of_fault: &[Value], kind: CrashKind, text: &str) -> Crash {
    let mut events = vec![
        (0, Event::TaskName { task_id: 3, name: Str(b"sensor") }),
        (5, Event::TaskSwitchedIn { task_id: 3 }),
    ];
    events.extend(values(9, of_fault));
    events.push((9, Event::Crash { kind, of: Str(text.as_bytes()) }));
    let (summary, lines) = of(&events);
    assert!(is_sound(&summary.diagnostics), "{:?}", summary.diagnostics);
    let [crash] = &summary.crashes[..] else { panic!("{:?}", summary.crashes) };
    assert!(lines.contains(&format!("           9 0 ! {crash}\n")), "{lines}");
    crash.clone()
}

use FaultFact as V;

#[test]
fn a_fault_is_a_line() {
    let stack = [(V::STACK_BEGIN, 0x2000_1000), (V::STACK_END, 0x2000_1200)];
    let hard = |cfsr, more: &[Value]| {
        let mut all =
            vec![(V::SP, 0x2000_100C), (V::PC, 0x1234), (V::EXCEPTION, 3), (V::CFSR, cfsr)];
        all.extend(stack);
        all.extend(more);
        crash(&all, CrashKind::EXCEPTION, "").to_string()
    };
    let end = "at pc 0x00001234, task sensor, stack 12 of 512 bytes left";
    let bus = hard(0x8200, &[(V::BFAR, 0x6000_0000)]);
    assert_eq!(bus, format!("HardFault: bus error at 0x60000000 {end}"));
    assert_eq!(hard(0x0200, &[]), format!("HardFault: bus error {end}"));
    assert_eq!(hard(1 << 24, &[]), format!("HardFault: unaligned access {end}"));
    let null = hard(1 << 17, &[(V::HFSR, 1 << 30)]);
    assert_eq!(null, format!("HardFault: no Thumb code at the address that was called {end}"));
    let both = hard(0x0201_0000, &[]);
    assert_eq!(both, format!("HardFault: undefined instruction, division by zero {end}"));
    assert_eq!(hard(0, &[]), format!("HardFault {end}"));
    let vector = hard(0, &[(V::HFSR, 2)]);
    assert_eq!(vector, format!("HardFault: bus error on a read of the vector table {end}"));

    let names = [(2, "NMI"), (4, "MemManage fault"), (6, "UsageFault"), (31, "exception 31")];
    for (number, name) in names {
        let found = crash(&[(V::EXCEPTION, number)], CrashKind::EXCEPTION, "");
        assert_eq!(found.to_string(), format!("{name}, task sensor"));
    }
    let trap = [(V::PC, 0x8000_0010), (V::MCAUSE, 5), (V::MTVAL, 4), (V::SP, 0x8001_0000)];
    let trap = crash(&trap, CrashKind::EXCEPTION, "").to_string();
    assert_eq!(trap, "trap: load access fault at 0x00000004 at pc 0x80000010, task sensor");

    let assert = crash(&[(V::LINE, 87), (V::PC, 16)], CrashKind::ASSERT, "filter.c").to_string();
    assert_eq!(assert, "failed assertion: filter.c:87 at pc 0x00000010, task sensor");
    let over = [(V::SP, 0x2000_0FF0), (V::STACK_BEGIN, 0x2000_1000)];
    let over = crash(&over, CrashKind::STACK_OVERFLOW, "net").to_string();
    assert_eq!(over, "stack overflow: net, task sensor, stack overflown by 16 bytes");
    // An interrupt's stack is another one.
    let elsewhere = [(V::SP, 0x2004_0000), stack[0], stack[1]];
    let elsewhere = crash(&elsewhere, CrashKind::WATCHDOG, "").to_string();
    assert_eq!(elsewhere, "watchdog, task sensor");
    // From a newer recorder.
    let newer = crash(&[(FaultFact(127), 1)], CrashKind(77), "so").to_string();
    assert_eq!(newer, "crash of kind 77: so, task sensor");
}

/// The recorded number takes precedence over the last running task, and an unknown one means none.
#[test]
fn the_task_is_the_recorded_one() {
    for (number, name) in [(3, "sensor"), (0, "sensor"), (999, "sensor")] {
        let found = crash(&[(V::TASK, number)], CrashKind::MALLOC_FAILED, "");
        assert_eq!(found.task.as_deref(), Some(name), "{number}");
    }
    let (summary, _) = of(&[
        (0, Event::TaskName { task_id: 8, name: Str(b"other\x1B[2J") }),
        (1, Event::Fault { what: V::TASK, is: 8 }),
        (1, Event::Crash { kind: CrashKind::ASSERT, of: Str(b"a\x1B[2J") }),
    ]);
    let crash = &summary.crashes[0];
    assert_eq!(crash.task.as_deref(), Some("other\u{FFFD}[2J"));
    assert_eq!(crash.text, "a\u{FFFD}[2J");
}

/// Crashes come on several cores at once; values without a crash belong to none after a gap, or where they begin again.
#[test]
fn values_belong_to_the_fault_of_their_core() {
    let crash = |text: &'static [u8]| Event::Crash { kind: CrashKind::OTHER, of: Str(text) };
    let pc = |value| Event::Fault { what: V::PC, is: value };
    let lr = |value| Event::Fault { what: V::LR, is: value };
    let (summary, _) = of(&[
        (1, Event::CoreId { core_id: 0 }),
        (2, lr(9)),
        (2, pc(1)),
        (3, Event::CoreId { core_id: 1 }),
        (3, pc(2)),
        (3, crash(b"one")),
        (4, Event::CoreId { core_id: 0 }),
        (4, pc(3)),
        (5, crash(b"zero")),
        (6, lr(7)),
        (7, Event::DroppedEvtCnt { cnt: 5 }),
        (8, crash(b"after a gap")),
    ]);
    let found: Vec<_> =
        summary.crashes.iter().map(|it| (it.text.as_str(), &it.values[..])).collect();
    let expected: [(&str, &[Value]); 3] =
        [("one", &[(V::PC, 2)]), ("zero", &[(V::PC, 3)]), ("after a gap", &[])];
    assert_eq!(found, expected);
    assert_eq!(summary.crashes[0].core, 1);
}

/// A crash loop in a recording that continues takes bounded memory.
#[test]
fn many_faults_are_bounded() {
    let mut events = Vec::new();
    for ts in 0..1100 {
        for what in 0..=127 {
            events.push((ts, Event::Fault { what: FaultFact(what), is: 1 }));
        }
        events.push((ts, Event::Crash { kind: CrashKind::OTHER, of: Str(b"again") }));
    }
    let recording = frames(&events);
    let mut trace = Perfetto::new(Vec::new());
    let inputs = [Input::from_bytes("crashes", &recording)];
    let summary = convert(&inputs, &Options::default(), &mut trace).expect("a recording");
    assert_eq!(summary.crashes.len(), 64);
    assert!(trace.into_inner().len() < 1000 * 128 * 32);
}

/// If a crash is recorded with its places, as `extract` adds them, the functions are named; options contain those of others.
#[test]
fn a_crash_is_named_by_its_places() {
    let places = b"filter_step (filter.c:27)\nsensor (main.c:40)\x1B[2J\n";
    let events = [
        vec![(0, Event::CrashPlaces { pc: 0x1234, places: Str(places) })],
        values(9, &[(V::PC, 0x1234)]),
        vec![(9, Event::Crash { kind: CrashKind::EXCEPTION, of: Str(b"") })],
        values(20, &[(V::PC, 0x2000)]),
        vec![(20, Event::Crash { kind: CrashKind::EXCEPTION, of: Str(b"") })],
    ]
    .concat();
    let (summary, lines) = of(&events);
    let [one, other] = &summary.crashes[..] else { panic!("{:?}", summary.crashes) };
    assert_eq!(one.to_string(), "exception at pc 0x00001234 in filter_step (filter.c:27)");
    assert_eq!(one.places, ["filter_step (filter.c:27)", "sensor (main.c:40)\u{FFFD}[2J"]);
    assert!(lines.contains("! exception at pc 0x00001234 in filter_step (filter.c:27)"), "{lines}");
    assert!(other.places.is_empty());

    let recording = frames(&events);
    let mut options = Options::default();
    options.crash_places = vec![(0x1234, vec!["main".into()]), (0x2000, vec!["other".into()])];
    let inputs = [Input::from_bytes("crash", &recording)];
    let summary = convert(&inputs, &options, &mut ()).expect("a recording");
    let shown: Vec<_> = summary.crashes.iter().map(ToString::to_string).collect();
    assert_eq!(
        shown,
        [
            "exception at pc 0x00001234 in filter_step (filter.c:27)",
            "exception at pc 0x00002000 in other"
        ]
    );
}

/// A handler that crashes itself, or that a watchdog's reset ends, has recorded the registers.
#[test]
fn a_crash_whose_handler_does_not_end_is_one() {
    let mut events = vec![
        (0, Event::TaskName { task_id: 3, name: Str(b"sensor") }),
        (5, Event::TaskSwitchedIn { task_id: 3 }),
    ];
    events.extend(values(9, &[(V::EXCEPTION, 3), (V::CFSR, 1 << 25), (V::PC, 16), (V::XPSR, 0)]));
    let (summary, lines) = of(&events);
    let [crash] = &summary.crashes[..] else { panic!("{:?}", summary.crashes) };
    assert_eq!(
        crash.to_string(),
        "HardFault: division by zero, its handler did not end at pc 0x00000010, task sensor"
    );
    assert!(lines.contains(&format!("! {crash}\n")), "{lines}");
    // Without an address no place is shown.
    let (summary, _) = of(&values(9, &[(V::EXCEPTION, 3)]));
    assert!(summary.crashes.is_empty());
}
