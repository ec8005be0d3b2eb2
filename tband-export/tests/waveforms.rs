//! Waveforms, VCD and FST, read back by wellen, the reader of Surfer: counts and times as the timeline has them.

mod support;

use std::io::Cursor;

use proptest::prelude::*;
use support::{Slice, SlicesByKind, add_signal, compare, expected, random, sorted, vectors};
use tband_conv::clock::moment::Moment;
use tband_conv::{Input, Options};
use tband_export::{convert_to_fst, convert_to_vcd};
use tband_format::named::{CrashKind, QueueKind};
use tband_format::{Event, Str};
use tband_recordings::random::config;
use tband_recordings::records::{argument, double};
use tband_recordings::{Recording, str, two_tasks};
use wellen::simple::{Waveform, read_from_reader};
use wellen::{SignalValueRef, VarType};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Vcd,
    Fst,
}

const BOTH: [Format; 2] = [Format::Vcd, Format::Fst];

fn converted(format: Format, inputs: &[Input<'_>], options: &Options) -> Vec<u8> {
    let mut out = Vec::new();
    match format {
        Format::Vcd => drop(convert_to_vcd(inputs, options, &mut out).unwrap()),
        Format::Fst => drop(convert_to_fst(inputs, options, Cursor::new(&mut out)).unwrap()),
    }
    out
}

/// A signal as the reader has it.
struct ReadSignal {
    name: String,
    slices: Vec<Slice>,
    /// How often it was reported after the start.
    count: usize,
}

/// Returns the content of a bit vector: text, a number, or nothing.
fn value(value: SignalValueRef<'_>, kind: VarType, width: u32) -> Option<String> {
    if let SignalValueRef::Real(real) = value {
        return Some(real).filter(|real| !real.is_nan()).map(|real| real.to_string());
    }
    let text = value.to_string();
    if kind == VarType::String {
        return Some(text).filter(|text| text != "x");
    }
    if text.contains('x') {
        return None;
    }
    if width == 256 {
        let bytes: Vec<u8> = text
            .as_bytes()
            .chunks(8)
            .map(|bits| bits.iter().fold(0, |byte, bit| byte << 1 | bit & 1))
            .collect();
        let text = String::from_utf8(bytes).unwrap();
        return Some(text.trim_start_matches('\0').replace(' ', "_"));
    }
    let number = text.bytes().fold(0_u64, |number, bit| number << 1 | u64::from(bit & 1));
    Some(if width == 64 { number.cast_signed().to_string() } else { number.to_string() })
}

fn read(file: Vec<u8>) -> Vec<ReadSignal> {
    let mut wave: Waveform = read_from_reader(Cursor::new(file)).unwrap();
    let vars: Vec<_> =
        wave.hierarchy().all_vars().map(|var| wave.hierarchy()[var].clone()).collect();
    let ids: Vec<_> = vars.iter().map(wellen::Var::signal_ref).collect();
    wave.load_signals(&ids);
    let times = wave.time_table();
    let end = times.last().copied().unwrap_or(0).cast_signed();
    let start = times.first().copied().unwrap_or(0).cast_signed();
    let of_var = |var: &wellen::Var| {
        let signal = wave.get_signal(var.signal_ref()).unwrap();
        let width = var.length(wave.hierarchy()).unwrap_or(0);
        let changes: Vec<_> = signal
            .iter_changes()
            .map(|(at, it)| (times[at as usize].cast_signed(), value(it, var.var_type(), width)))
            .collect();
        let ends = changes.iter().skip(1).map(|it| it.0).chain([end]);
        let slices = changes.iter().zip(ends);
        let slices =
            slices.filter_map(|((from, value), to)| Some((*from, to, value.clone()?))).collect();
        ReadSignal {
            name: var.full_name(wave.hierarchy()),
            slices,
            count: changes.iter().filter(|it| it.0 > start).count(),
        }
    };
    vars.iter().map(of_var).collect()
}

fn kinds(found: Vec<ReadSignal>) -> SlicesByKind {
    let mut kinds = SlicesByKind::new();
    for ReadSignal { name, slices, .. } in found {
        let last = name.rsplit('.').next().unwrap();
        add_signal(&mut kinds, last, name.contains(".interrupts."), slices);
    }
    sorted(kinds)
}

fn check(inputs: &[Input<'_>], options: &Options) {
    let expected = expected(inputs, options);
    for format in BOTH {
        let found = kinds(read(converted(format, inputs, options)));
        compare(&found, &expected, &format!("{format:?}"));
    }
}

#[test]
fn recordings_of_another_implementation_are_the_timeline() {
    vectors(|inputs| check(inputs, &Options::default()));
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn random_recordings_are_the_timeline(recording in random(|_| true)) {
        recording.check(check);
    }
}

fn read_signals(format: Format, recording: &Recording) -> Vec<ReadSignal> {
    read_signals_within(format, recording, &Options::default())
}

fn read_signals_within(
    format: Format,
    recording: &Recording,
    options: &Options,
) -> Vec<ReadSignal> {
    let inputs = [Input::from_bytes("r", &recording.0)];
    read(converted(format, &inputs, options))
}

/// Returns the values of a signal, with the number of its reports.
#[track_caller]
fn signal<'a>(found: &'a [ReadSignal], name: &str) -> &'a ReadSignal {
    let names: Vec<_> = found.iter().map(|it| &it.name).collect();
    found.iter().find(|it| it.name == name).unwrap_or_else(|| panic!("{name}: {names:?}"))
}

#[test]
fn each_kind_of_signal_has_its_place_and_its_values() {
    let recording = two_tasks()
        .meta(Event::QueueName { queue_id: 4, name: str("rx") })
        .meta(Event::QueueKind { queue_id: 4, kind: QueueKind::QUEUE })
        .meta(Event::IsrName { isr_id: 7, name: str("uart") })
        .meta(Event::EvtmarkerName { evtmarker_id: 1, name: str("filter") })
        .meta(Event::ValmarkerName { valmarker_id: 2, name: str("speed") })
        .at(10, Event::TaskSwitchedIn { task_id: 1 })
        .at(20, Event::IsrEnter { isr_id: 7 })
        .at(21, Event::QueueSendFromIsr { queue_id: 4, len_after: 3 })
        .at(25, Event::IsrExit { isr_id: 7 })
        .at(30, Event::Evtmarker { evtmarker_id: 1, msg: str("go on") })
        .at(40, Event::Evtmarker { evtmarker_id: 1, msg: str("stop it") })
        .at(50, Event::Valmarker { valmarker_id: 2, val: -5 })
        .at(60, Event::CurtaskBlockOnQueueReceive { queue_id: 4, ticks_to_wait: 9 })
        .at(70, Event::TaskSwitchedIn { task_id: 2 })
        .at(100, Event::QueueSend { queue_id: 4, len_after: 4 });
    for format in BOTH {
        let found = read_signals(format, &recording);
        let of = |name: &str| signal(&found, name).slices.clone();
        let is = |from, to, what: &str| (from, to, what.to_owned());
        assert_eq!(of("core_0.running"), [is(100, 700, "a"), is(700, 1000, "b")], "{format:?}");
        assert_eq!(
            of("core_0.interrupts.uart"),
            [is(100, 200, "0"), is(200, 250, "1"), is(250, 1000, "0")]
        );
        let states = of("tasks.a.state");
        assert_eq!(states, [is(100, 700, "running"), is(700, 1000, "blocked_on_queue_receive_rx")]);
        assert_eq!(of("queues.rx.level"), [is(210, 1000, "3"), is(1000, 1000, "4")]);
        assert_eq!(of("value_markers.speed.value"), [is(500, 1000, "-5")]);
        assert_eq!(of("event_markers.filter.text").last(), Some(&is(400, 1000, "stop_it")));
        assert_eq!(signal(&found, "event_markers.filter.fired").count, 2, "{format:?}");
    }
}

/// Crashes, triggers and failed allocations are texts at their times.
#[test]
fn what_happens_to_the_recording_and_failed_allocations_have_signals() {
    let recording = two_tasks()
        .at(10, Event::TaskSwitchedIn { task_id: 1 })
        .at(20, Event::HeapMalloc { address: 0, size: 64, bytes_free: None })
        .at(30, Event::Trigger { n: 1, is: 0 })
        .at(40, Event::Crash { kind: CrashKind::ASSERT, of: str("m.c") })
        .at(45, Event::Shed { class: 6, n: 7 })
        .at(50, Event::TaskSwitchedIn { task_id: 2 });
    for format in BOTH {
        let found = read_signals(format, &recording);
        let of = |name: &str| signal(&found, name).slices.clone();
        let shed = (450, 501, "7".to_owned());
        assert_eq!(of("recording.class_6_events_shed"), [shed], "{format:?}");
        assert_eq!(of("kernel.malloc_failed"), [(200, 501, "64_bytes".to_owned())], "{format:?}");
        for (name, ns, start) in [
            ("recording.triggers", 300, "trigger_1:"),
            ("recording.crash", 400, "failed_assertion"),
        ] {
            let slices = of(name);
            assert!(slices.len() == 1 && slices[0].0 == ns, "{format:?}: {slices:?}");
            assert!(slices[0].2.starts_with(start), "{format:?}: {slices:?}");
        }
    }
}

/// A counter with one number that is not an integer has only real numbers, whatever came first.
#[test]
fn counters_of_records_are_signals() {
    for format in BOTH {
        let found = read_signals(format, &tband_recordings::records::counters());
        let of = |name: &str| signal(&found, &format!("value_markers.{name}.value")).slices.clone();
        let is = |from, to, what: &str| (from, to, what.to_owned());
        let volts = [is(200, 300, "3"), is(300, 800, "2.25"), is(800, 900, "4")];
        assert_eq!(of("volts"), volts, "{format:?}");
        assert_eq!(of("big"), [is(300, 900, "18446744073709552000")]);
        assert_eq!(of("count"), [is(400, 900, "-7")]);
        let odd = [is(500, 600, "-0.10000000149011612"), is(700, 900, "inf")];
        assert_eq!(of("odd"), odd, "{format:?}");
    }
}

/// That a counter has a number which is not an integer may be known only when most of its changes are in a temporary file.
#[test]
fn counters_that_turn_out_to_be_reals_late_are_reals() {
    let format = |format_id, text: &'static [u8]| Event::Format { format_id, text: Str(text) };
    let recording = two_tasks()
        .meta(format(1, b"i:volts=%d V\x03"))
        .meta(format(20, b"d:volts=%.1f\x03"))
        .at(10, Event::Record { at: 1, is: Str(&argument(5)) });
    let switch = |it: Recording, n: u64| {
        it.at(10 + n, Event::TaskSwitchedIn { task_id: 1 + (n % 2) as u32 })
    };
    let recording = (1..=20_000)
        .fold(recording, switch)
        .at(30_000, Event::Record { at: 20, is: Str(&double(2.25)) })
        .at(30_001, Event::Record { at: 1, is: Str(&argument(7)) })
        .at(30_002, Event::TaskSwitchedIn { task_id: 1 });
    for format in BOTH {
        let found = read_signals(format, &recording);
        let of = |name: &str| signal(&found, name).slices.clone();
        let is = |from, to, what: &str| (from, to, what.to_owned());
        let slices = of("value_markers.volts.value");
        let numbers: Vec<_> = slices.iter().map(|it| it.2.as_str()).collect();
        assert_eq!(numbers.last(), Some(&"-4"), "{format:?}: {numbers:?}");
        assert_eq!(slices[0], is(100, 300_000, "-3"), "{format:?}");
        assert_eq!(slices[1], is(300_000, 300_010, "2.25"), "{format:?}");
        assert!(of("tasks.a.state").len() > 10_000, "{format:?}");
    }
}

/// All times are 0.
#[test]
fn recordings_of_one_moment_have_their_signals() {
    let named = two_tasks().meta(Event::TimerName { timer_id: 1, name: str("t") });
    let runs = named.clone().at(0, Event::TaskSwitchedIn { task_id: 1 });
    for format in BOTH {
        assert_eq!(
            signal(&read_signals(format, &named), "recording.findings").slices.len(),
            1,
            "{format:?}"
        );
        let found = read_signals(format, &runs);
        let running = signal(&found, "core_0.running");
        assert_eq!(running.slices.last().map(|it| it.2.as_str()), Some("a"), "{format:?}");
    }
}

/// Names that could end their context, or be equal.
#[test]
fn hostile_names_are_unique_words() {
    let mut recording = Recording::default();
    let names = ["$end", "a b", "a.b", "x[3:0]", "\n$upscope $end", "", "\u{65e5}\u{672c}", "a b"];
    for (task_id, name) in (1..).zip(names) {
        recording = recording.meta(Event::TaskName { task_id, name: str(name) });
    }
    for task_id in 1..=8 {
        recording = recording.at(10 * u64::from(task_id), Event::TaskSwitchedIn { task_id });
    }
    for format in BOTH {
        let mut found = read_signals(format, &recording);
        found.retain(|it| it.name.ends_with(".state"));
        let names: Vec<_> = found.iter().map(|it| it.name.as_str()).collect();
        let mut unique = names.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), 8, "{names:?}");
        assert!(names.contains(&"tasks.\u{65e5}\u{672c}.state"), "{names:?}");
        assert!(found.iter().all(|it| it.slices[0].2 == "running"));
    }
}

/// An unknown value after a loss is x until it is reported again.
#[test]
fn gaps_are_unknown() {
    let recording = two_tasks()
        .at(10, Event::TaskSwitchedIn { task_id: 1 })
        .at(20, Event::QueueSend { queue_id: 4, len_after: 3 })
        .at(25, Event::IsrEnter { isr_id: 7 })
        .at(90, Event::DroppedEvtCnt { cnt: 5 })
        .at(95, Event::TaskSwitchedIn { task_id: 1 })
        .at(99, Event::QueueSend { queue_id: 4, len_after: 4 })
        .at(100, Event::TaskSwitchedIn { task_id: 2 });
    for format in BOTH {
        let found = read_signals(format, &recording);
        let of = |name: &str| signal(&found, name).slices.clone();
        let is = |from, to, what: &str| (from, to, what.to_owned());
        assert_eq!(
            of("tasks.a.state").iter().filter(|it| it.2 == "running").collect::<Vec<_>>(),
            [&is(100, 250, "running"), &is(950, 1000, "running")]
        );
        let running: Vec<_> = of("core_0.running").into_iter().filter(|it| it.0 < it.1).collect();
        assert_eq!(running, [is(100, 250, "a"), is(950, 1000, "a"), is(1000, 1001, "b")]);
        let levels: Vec<_> = of("queues.queue_4.level");
        assert_eq!(levels, [is(200, 250, "3"), is(990, 1001, "4")]);
        assert!(of("recording.findings")[0].2.contains('5'), "{format:?}");
    }
}

/// Spans that are open as a window begins are open in it, up to their ends.
#[test]
fn windows_begin_with_open_spans() {
    let recording = two_tasks()
        .at(10, Event::EvtmarkerBegin { evtmarker_id: 3, msg: str("outer") })
        .at(20, Event::EvtmarkerBegin { evtmarker_id: 3, msg: str("inner") })
        .at(60, Event::EvtmarkerEnd { evtmarker_id: 3 })
        .at(80, Event::EvtmarkerEnd { evtmarker_id: 3 })
        .at(100, Event::TaskSwitchedIn { task_id: 2 });
    for format in BOTH {
        for (from_ns, end) in [(300, None), (200, None), (300, Some(500))] {
            let mut options = Options::default();
            (options.from, options.to) = (Some(Moment::Ns(from_ns)), end.map(Moment::Ns));
            let found = read_signals_within(format, &recording, &options);
            let open = signal(&found, "event_markers.evtmarker_3.open").slices.clone();
            let is_at = |ns| {
                let slice = open.iter().find(|(from, to, _)| (*from..*to).contains(&ns));
                slice.map(|(.., value)| value.as_str())
            };
            assert_eq!(is_at(400), Some("2"), "{format:?}, {from_ns}: {open:?}");
            if end.is_none() {
                assert_eq!((is_at(700), is_at(900)), (Some("1"), Some("0")), "{open:?}");
            }
        }
    }
}

/// FST is written in sections, and this needs several.
#[test]
fn long_recordings_are_the_timeline_too() {
    let mut recording = two_tasks();
    for n in 1..=60_000_u64 {
        recording.0.extend(tband_recordings::frame(
            7 * n,
            Event::TaskSwitchedIn { task_id: 1 + (n % 2) as u32 },
        ));
    }
    check(&[Input::from_bytes("r", &recording.0)], &Options::default());
}

/// Nothing happens, or nothing but metadata: the file is one all the same.
#[test]
fn an_empty_recording_gives_a_valid_file() {
    for format in BOTH {
        let _ = read_signals(format, &Recording::default().at(5, Event::IsrEnter { isr_id: 1 }));
        let _ = read_signals(format, &two_tasks().at(5, Event::TaskSwitchedIn { task_id: 1 }));
    }
}
