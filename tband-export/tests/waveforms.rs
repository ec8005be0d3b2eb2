//! Waveforms, VCD and FST, read back by wellen, the reader of Surfer: counts and times as the timeline has them.

mod support;

use std::io::Cursor;
use std::path::Path;

use proptest::prelude::*;
use support::{Slice, SlicesByKind, add_signal, compare, expected, random, sorted, vectors};
use tband_conv::clock::moment::Moment;
use tband_conv::{Input, Options};
use tband_export::{convert_to_fst, convert_to_vcd};
use tband_format::{Event, Str};
use tband_recordings::random::config;
use tband_recordings::records::{argument, double};
use tband_recordings::{Recording, cases, two_tasks};
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
    read(converted(format, &[Input::from_bytes("r", &recording.0)], &Options::default()))
}

/// Returns the values of a signal, with the number of its reports.
#[track_caller]
fn signal<'a>(found: &'a [ReadSignal], name: &str) -> &'a ReadSignal {
    let names: Vec<_> = found.iter().map(|it| &it.name).collect();
    found.iter().find(|it| it.name == name).unwrap_or_else(|| panic!("{name}: {names:?}"))
}

#[test]
fn signals_of_cases() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/waveforms.txt");
    cases::check(Path::new(path), |_, case, section| {
        let at = |name: &str| {
            let (_, ns) = case.options.iter().find(|it| it.0 == name)?;
            Some(Moment::Ns(ns.parse().unwrap()))
        };
        let mut options = Options::default();
        (options.from, options.to) = (at("from"), at("to"));
        let formats = match section.words.first().map(String::as_str) {
            Some("vcd") => &BOTH[..1],
            Some("fst") => &BOTH[1..],
            _ => &BOTH[..],
        };
        let lines = |format: &Format| {
            let found = read(converted(*format, &case.inputs(), &options));
            if section.kind == "names" {
                return found.into_iter().map(|it| it.name).collect();
            }
            let found = signal(&found, &section.kind);
            if section.words == ["count"] {
                return vec![found.count.to_string()];
            }
            let line = |(from, to, value): &Slice| format!("{from} {to} {value}");
            found.slices.iter().map(line).collect::<Vec<_>>()
        };
        let mut shown: Vec<_> = formats.iter().map(lines).collect();
        shown.dedup();
        assert_eq!(shown.len(), 1, "{}: formats differ: {shown:?}", case.name);
        shown.pop()
    });
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
