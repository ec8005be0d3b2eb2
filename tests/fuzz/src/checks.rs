//! Comparisons: different parts must give the same result for the same recording.

use std::{io, slice};

use tband_conv::census::Census;
use tband_conv::convert::step::Step;
use tband_conv::convert::take_census::take_census;
use tband_conv::diagnostics::Problem;
use tband_conv::dump::{DumpFormat, DumpOptions, dump};
use tband_conv::sinks::{Perfetto, Stats, TimelineText};
use tband_conv::{ConvError, Conversion, Input, Summary, convert};

use crate::activations;
use crate::picture;
use crate::setup::{ExtraWork, Setup};

/// Runs everything there is over a recording.
///
/// # Panics
/// If something does not hold.
pub fn run(setup: &Setup, recording: &[u8]) {
    let inputs = setup.inputs(recording);
    let mut sinks =
        (Perfetto::new(io::sink()), (TimelineText::new(io::sink()).detailed(), Stats::default()));
    let converted = convert(&inputs, &setup.options, &mut sinks);
    drop(sinks.0);
    let sinks = sinks.1;
    picture::is_sound(setup, &inputs, &sinks.1, converted.is_ok());
    check_fed_pieces(setup, recording);
    activations::hold(setup, &inputs);
    let dumped = match setup.beside {
        ExtraWork::Dump(format) => {
            Some(inputs.iter().map(|input| dumps_agree(setup, format, input)).sum::<u64>())
        }
        ExtraWork::Count => None,
    };
    match converted {
        Ok(summary) => {
            check_sums(&sinks.1);
            // The dump still shows FreeRTOS events in a recording that reports to have none.
            if summary.trace_info.is_none() {
                match dumped {
                    // A reader of two passes knows descriptions that come after the event.
                    Some(dumped) if summary.diagnostics.get(Problem::NewerEvents).is_some() => {
                        assert!(summary.events >= dumped, "converted, and dumped");
                    }
                    Some(dumped) => assert_eq!(summary.events, dumped, "converted, and dumped"),
                    None => check_counts(setup, &inputs, &summary),
                }
            }
        }
        Err(ConvError::Write(error)) => panic!("nothing is written that could fail: {error}"),
        Err(_) => {}
    }
}

/// A conversion that is fed does not depend on the pieces.
fn check_fed_pieces(setup: &Setup, recording: &[u8]) {
    let mut options = setup.options.clone();
    (options.from, options.to) = (None, None);
    let fed = |len: usize| {
        let mut conversion = Conversion::new([("fuzz", 0)], &options, Stats::default())?;
        for piece in recording.chunks(len) {
            let mut rest = piece;
            while !rest.is_empty() {
                rest = rest.get(conversion.feed(0, rest)..).unwrap_or_default();
                while conversion.step()? == Step::More {}
            }
        }
        let (summary, stats) = conversion.finish()?;
        check_sums(&stats);
        Ok::<_, ConvError>((summary.events, summary.diagnostics.iter().count()))
    };
    let one = recording.first().map_or(1, |byte| usize::from(*byte) + 1);
    match (fed(usize::MAX), fed(one)) {
        (Ok(whole), Ok(pieces)) => assert_eq!(whole, pieces, "fed as a whole, and in pieces"),
        (whole, pieces) => assert!(
            whole.is_err() && pieces.is_err(),
            "fed as a whole: {whole:?}, and in pieces: {pieces:?}"
        ),
    }
}

/// The events of a recording, and its timeline, as text.
pub fn show(setup: &Setup, recording: &[u8]) -> String {
    let mut text = format!("{setup:?}\n{recording:02x?}\n").into_bytes();
    let inputs = setup.inputs(recording);
    for input in &inputs {
        let wanted = DumpOptions {
            mode: setup.options.mode,
            ..DumpOptions::of(DumpFormat::TextWithOffsets)
        };
        if let Err(error) = dump(slice::from_ref(input), wanted, &mut text) {
            text.extend(format!("{error}\n").bytes());
        }
    }
    let mut timeline = TimelineText::new(&mut text).detailed();
    let converted = convert(&inputs, &setup.options, &mut timeline);
    if let Err(error) = converted {
        text.extend(format!("{error}\n").bytes());
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// Dumps an input, as the case wants it and whole; gives the number of events in it.
fn dumps_agree(setup: &Setup, format: DumpFormat, input: &Input<'_>) -> u64 {
    let (input, mode) = (slice::from_ref(input), setup.options.mode);
    let mut text = Vec::new();
    let wanted = DumpOptions { mode, format, ..setup.dump_options.clone() };
    let some = dump(input, wanted, &mut text);
    if format == DumpFormat::Json {
        for line in text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            if let Err(error) = serde_json::from_slice::<serde::de::IgnoredAny>(line) {
                panic!("{error}: {}", String::from_utf8_lossy(line));
            }
        }
    }
    text.clear();
    let whole = dump(input, DumpOptions { mode, ..DumpOptions::default() }, &mut text);
    let Ok(whole) = whole else { return 0 };
    let lines = text.split(|byte| *byte == b'\n').count() as u64 - 1;
    assert_eq!(lines, whole.events + whole.defects, "lines, and frames");
    if let Ok(some) = some {
        assert!(some.events <= whole.events, "a filter makes no events");
    }
    whole.events
}

/// Each core's time is its tasks', idle, its interrupts' or unknown, and tasks have what cores gave.
fn check_sums(stats: &Stats) {
    let length = stats.length_ns();
    let mut given = 0_i128;
    for core in stats.cores() {
        let sum = core.task_ns + core.idle_ns + core.isr_ns + core.unknown_ns;
        assert_eq!(sum, length, "time of core {}", core.core);
        assert!(
            core.task_ns >= 0 && core.idle_ns >= 0 && core.isr_ns >= 0 && core.unknown_ns >= 0,
            "{core:?}"
        );
        given += i128::from(core.task_ns) + i128::from(core.idle_ns);
    }
    let had: i128 = stats.tasks().map(|task| i128::from(task.run_ns)).sum();
    assert_eq!(had, given, "run time of the tasks, and of the cores");
    assert!(stats.tasks().all(|task| task.run_ns >= 0 && task.interrupted_ns >= 0));
}

fn check_counts(setup: &Setup, inputs: &[Input<'_>], summary: &Summary) {
    let shown = |census: &Census| {
        let kinds: Vec<_> = census.kinds().map(|(name, kind)| (name.to_owned(), kind)).collect();
        (kinds, census.damaged, census.bytes)
    };
    let census = shown(&take_census(inputs, setup.options.mode).expect("readable"));
    let counted: u64 = census.0.iter().map(|(_, kind)| kind.count).sum();
    assert_eq!(counted, summary.events, "events counted, and converted");
    // Where a window ends, reading does.
    if let (None, Some(counted)) = (&summary.part, &summary.census) {
        assert_eq!(shown(counted), census, "what a conversion counts, and a reader");
    }
}
