//! Boards that are read together, each with its own clock and its own kernel: the same numbers and names belong to separate
//! objects, and a reset, or a loss, of one board concerns no object of another.

use std::collections::BTreeMap;

use tband_conv::align::{AlignBy, AlignError, align};
use tband_conv::dump::{DumpOptions, dump};
use tband_conv::item::Mode;
use tband_conv::sinks::Stats;
use tband_conv::{Input, Options, Summary, convert};
use tband_format::Event;
use tband_recordings::boards::{Board, PERIODS};
use tband_recordings::{Recording, str, timeline_of};

const SIZE: usize = 512;

const ONE: Board = Board::new(true, 1000);
const OTHER: Board = Board { cores: 2, ppm: 40.0, begin_ns: 3e6, ..Board::new(false, 2500) };
const RESET: Board = Board { reset_ns: Some(520e6), ..OTHER };

fn inputs<'b>(one: &'b [u8], other: &'b [u8]) -> Vec<Input<'b>> {
    let other = Input::from_bytes("other.bin", other).on_core(1);
    let inputs = vec![Input::from_bytes("dir/one.bin", one), other];
    align(inputs, &AlignBy::ClockSync, None).unwrap().0
}

/// Numbers of each task by its name: runs of the target, switches, and time on a core in us; the same of queues.
fn numbers(inputs: &[Input<'_>]) -> (BTreeMap<String, [i64; 3]>, Summary) {
    let mut stats = Stats::default();
    let summary = convert(inputs, &Options::default(), &mut stats).unwrap();
    let task = |it: &tband_conv::sinks::TaskStats| {
        (it.name.clone(), [it.runs.into(), it.switches as i64, it.run_ns / 1000])
    };
    let queue = |it: &tband_conv::sinks::QueueStats| {
        (it.name.clone(), [it.runs.into(), it.sends as i64, it.receives as i64])
    };
    let isr = |it: &tband_conv::sinks::IsrStats| {
        (format!("{} on {}", it.name, it.core), [1, it.count as i64, it.own_ns / 1000])
    };
    let tasks = stats.tasks().map(task);
    (tasks.chain(stats.queues().map(queue)).chain(stats.isrs().map(isr)).collect(), summary)
}

/// All of both boards is as if each was read alone, in frames and in packets, with and without a reset, in any order.
#[test]
fn each_board_has_its_own_objects() {
    for (board, runs) in [(OTHER, 1), (RESET, 2)] {
        for (one, other) in [
            (ONE.frames(), board.frames()),
            (ONE.packets(SIZE), board.packets(SIZE)),
            (ONE.frames(), board.packets(SIZE)),
            (ONE.packets(SIZE), board.frames()),
        ] {
            let (together, summary) = numbers(&inputs(&one, &other));
            assert!(summary.diagnostics.is_clean(), "{:?}", summary.diagnostics);
            let (alone, _) = numbers(&[Input::from_bytes("other", &other)]);
            let (one_alone, _) = numbers(&[Input::from_bytes("one", &one)]);
            let names: Vec<&str> = together.keys().map(String::as_str).collect();
            let expected = [
                "IDLE1",
                "one.IDLE",
                "one.jobs",
                "one.log",
                "one.sensor",
                "one.tick on 0",
                "other.IDLE",
                "other.jobs",
                "other.log",
                "other.sensor",
                "other.tick on 1",
                "worker",
            ];
            assert_eq!(names, expected);
            for (name, [of_runs, count, amount]) in &together {
                let own = name.split_once('.').map_or(name.as_str(), |(_, own)| own);
                let is_one = name.starts_with("one.");
                let own = own.replace("tick on 1", "tick on 0");
                let [alone_runs, alone_count, alone_amount] =
                    if is_one { &one_alone } else { &alone }[&own];
                assert_eq!((*of_runs, *count), (alone_runs, alone_count), "{name}");
                assert!((amount - alone_amount).abs() <= 100 + alone_amount / 1000, "{name}");
                if !name.contains("tick") {
                    assert_eq!(*of_runs, if is_one { 1 } else { runs }, "{name}");
                }
            }
            assert_eq!(together["one.jobs"][1..], [i64::from(PERIODS); 2]);
            // The board that is named first has the first cores.
            let first = Input::from_bytes("b.bin", &other);
            let then = Input::from_bytes("a.bin", &one).on_core(1);
            let (turned, _) = align(vec![first, then], &AlignBy::ClockSync, None).unwrap();
            let (turned, _) = numbers(&turned);
            assert!(turned.contains_key("a.tick on 2") && turned.contains_key("b.tick on 0"));
        }
    }
}

/// The reset is the other board's: its tasks end, and those of the first one continue.
#[test]
fn a_reset_ends_the_objects_of_its_board() {
    let (one, other) = (ONE.frames(), RESET.packets(SIZE));
    let (text, summary) = timeline_of(&inputs(&one, &other), &Options::default());
    let resets = summary.diagnostics.get(tband_conv::diagnostics::Problem::Restart).unwrap();
    assert_eq!((resets.count, resets.place.input), (1, 1));
    let deleted: Vec<&str> = text.lines().filter(|line| line.contains("deleted")).collect();
    assert!(
        !deleted.is_empty() && deleted.iter().all(|line| !line.contains("one.")),
        "{deleted:?}"
    );
    assert!(!text.contains("migrat"), "{text}");
}

/// Events of the other board are lost: the state of the first one stays known.
#[test]
fn a_loss_concerns_its_board() {
    let one = ONE.frames();
    let mut other = OTHER.packets(128);
    let whole = other.len();
    other[whole / 2] ^= 0x55;
    let alone = |bytes: &[u8]| {
        let mut stats = Stats::default();
        convert(&[Input::from_bytes("r", bytes)], &Options::default(), &mut stats).unwrap();
        stats.cores().map(|core| core.unknown_ns).collect::<Vec<_>>()
    };
    let mut stats = Stats::default();
    convert(&inputs(&one, &other), &Options::default(), &mut stats).unwrap();
    let unknown: Vec<i64> = stats.cores().map(|core| core.unknown_ns).collect();
    // Core 0 is the first board's. Until its first switch it is unknown, and the other one begins earlier.
    assert!(unknown[0] <= alone(&one)[0] + 30_000_000, "{unknown:?} {:?}", alone(&one));
    assert!(unknown[1] >= alone(&other)[0], "{unknown:?} {:?}", alone(&other));
}

/// Names after numbers in a dump are those of the event's board.
#[test]
fn a_dump_names_the_objects_of_each_board() {
    let (one, other) = (ONE.frames(), OTHER.frames());
    let mut out = Vec::new();
    dump(&inputs(&one, &other), DumpOptions::default(), &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    let count = |what: &str| text.lines().filter(|line| line.contains(what)).count();
    for board in ["one", "other"] {
        assert_eq!(count(&format!("queue_send               queue_id=1({board}.jobs)")), 100);
        assert_eq!(count(&format!("task_switched_in         task_id=4({board}.sensor)")), 100);
    }
    assert_eq!(count("task_switched_in         task_id=6(worker)"), 100);
    assert_eq!(count(" 2  task_switched_in         task_id=6(worker)"), 100);
}

/// Objects without a name are distinguished by their board.
#[test]
fn objects_without_a_name_have_their_board() {
    let nameless = |board: Board| {
        let frames = board.frames();
        let mut reader = tband_conv::events::EventReader::new(&frames[..], 0, Mode::FreeRtos);
        let mut kept = Recording::default();
        while let Some(item) = reader.next_item().unwrap() {
            let decoded = item.event.unwrap();
            if !matches!(decoded.event, Event::TaskName { .. } | Event::QueueName { .. }) {
                kept = kept.at(decoded.ts.unwrap_or(0), decoded.event);
            }
        }
        kept.0
    };
    let (one, other) = (nameless(ONE), nameless(OTHER));
    let (numbers, _) = numbers(&inputs(&one, &other));
    for name in ["one.task 4", "other.task 4", "one.queue 1", "other.queue 1"] {
        assert!(numbers.contains_key(name), "{name}: {numbers:?}");
    }
}

/// Files of the cores of one chip, whose kernel gives out each number once.
#[test]
fn cores_of_one_chip_are_one_board() {
    let two = Board { cores: 2, ..ONE };
    let (mut first, mut second) = (Recording::default(), Recording::default());
    let frames = two.frames();
    let mut reader = tband_conv::events::EventReader::new(&frames[..], 0, Mode::FreeRtos);
    while let Some(item) = reader.next_item().unwrap() {
        let decoded = item.event.unwrap();
        let ts = decoded.ts.unwrap_or(0);
        match decoded.event {
            Event::CoreId { .. } => {}
            event if event.is_metadata() || ts == 0 => {
                (first, second) = (first.at(ts, event), second.at(ts, event));
            }
            event if item.core == 1 => second = second.at(ts + 500, event),
            event => first = first.at(ts, event),
        }
    }
    for number in 0..50 {
        use tband_format::registry::clock_sync::{HEARD, SENT};
        let mark = |valmarker_id, val| Event::Valmarker { valmarker_id, val };
        let (at, val) = (11_000_000 + number * 1000, 1000 + 2 * number as i64);
        first = first.at(at, mark(SENT, val)).at(at + 40, mark(HEARD, val + 1));
        second = second.at(at + 510, mark(HEARD, val)).at(at + 530, mark(SENT, val + 1));
    }
    let inputs = vec![
        Input::from_bytes("core0.bin", &first.0),
        Input::from_bytes("core1.bin", &second.0).on_core(1),
    ];
    let (inputs, _) = align(inputs, &AlignBy::ClockSync, None).unwrap();
    let (numbers, summary) = numbers(&inputs);
    assert!(summary.diagnostics.is_clean(), "{:?}", summary.diagnostics);
    assert!(numbers.contains_key("sensor") && numbers.contains_key("worker"), "{numbers:?}");
}

/// Whose clocks all begin again has no common time.
#[test]
fn resets_of_all_boards_are_refused() {
    let (one, other) = (Board { reset_ns: Some(300e6), ..ONE }.frames(), RESET.frames());
    let both =
        || vec![Input::from_bytes("one", &one), Input::from_bytes("other", &other).on_core(1)];
    let error = align(both(), &AlignBy::ClockSync, None).unwrap_err();
    assert!(matches!(error, AlignError::AllReset), "{error}");
    let error = align(both().split_off(1), &AlignBy::ClockSync, None).unwrap_err();
    assert!(matches!(error, AlignError::Reset { .. }), "{error}");
    assert!(error.to_string().contains("other"), "{error}");
}

/// Firmware without an RTOS beside FreeRTOS: each has its own tasks or main program.
#[test]
fn boards_without_an_rtos_have_main_programs() {
    let bare = |first: bool| {
        let frames = Board::new(first, 1000).frames();
        let mut reader = tband_conv::events::EventReader::new(&frames[..], 0, Mode::FreeRtos);
        let mut kept = Recording::default();
        while let Some(item) = reader.next_item().unwrap() {
            let decoded = item.event.unwrap();
            let event = match decoded.event {
                Event::TraceInfo { format_version, core_count, .. } => Event::TraceInfo {
                    format_version,
                    core_count,
                    flags: 0,
                    kernel_version: None,
                    tick_rate_hz: None,
                },
                Event::IsrExitToScheduler { isr_id } => Event::IsrExit { isr_id },
                event if event.group() == tband_format::registry::Group::FreeRtos => continue,
                event => event,
            };
            kept = kept.at(decoded.ts.unwrap_or(0), event);
        }
        kept.meta(Event::BuildId { id: str("bare") }).0
    };
    let (one, other) = (bare(true), bare(false));
    let (both, _) = numbers(&inputs(&one, &other));
    assert!(both.contains_key("one.main") && both.contains_key("other.main"), "{both:?}");
    let free_rtos = OTHER.packets(SIZE);
    let (mixed, summary) = numbers(&inputs(&one, &free_rtos));
    assert!(summary.diagnostics.is_clean(), "{:?}", summary.diagnostics);
    assert!(mixed.contains_key("one.main") && mixed.contains_key("sensor"), "{mixed:?}");
    assert_eq!(mixed.keys().filter(|name| name.contains("main")).count(), 1);
}
