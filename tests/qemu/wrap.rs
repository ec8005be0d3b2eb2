//! The timestamp's 32-bit counter wraps in the middle of a recording, the timer of the chips that have no
//! such counter, and one that has to be started.
//!
//! The bare-metal example measures the length of its recording with a second clock of the board, which
//! does not wrap: a lost or doubled wrap shows as well as a step back.

use tband_tests::events::{lines, user_lines};
use xtask::board::Board;
use xtask::demo::{Backend, Format};

use crate::{Run, build, port, run};
use tband_tests::counts::{compare, counts_of};
use tband_tests::packets::as_frames;

const WRAP: u64 = 1 << 32;

/// The times of a recording, which must not step back.
fn times(recording: &[u8]) -> Result<Vec<u64>, String> {
    let mut times = Vec::new();
    for line in lines(recording) {
        if let Ok(ts) = line.split(' ').next().unwrap_or_default().parse() {
            if times.last().is_some_and(|&last| last > ts) {
                return Err(format!("time steps back at `{line}`"));
            }
            times.push(ts);
        }
    }
    Ok(times)
}

/// Length of a recording, and of the same by the firmware's second clock.
fn lengths(run: &Run) -> Result<(u64, u64), String> {
    times(&run.trace)?;
    // Between the first and the last event of the program.
    let own = user_lines(&run.trace);
    let mut own = own.iter().filter_map(|line| line.split(' ').next()?.parse::<u64>().ok());
    let first = own.next().expect("events");
    let recorded = own.next_back().expect("events") - first;
    Ok((recorded, run.truth["counts"].as_u64().expect("the firmware measured")))
}

fn bare_metal(name: &str, settings: &[&str]) -> Run {
    bare_metal_in(Format::Frames, name, settings)
}

fn bare_metal_in(format: Format, name: &str, settings: &[&str]) -> Run {
    let format = format.setting();
    let settings = [&[&*format], settings].concat();
    let elf = build(Board::BareMetal, name, Backend::Snapshot, &settings);
    run(Board::BareMetal, &elf, Backend::Snapshot)
}

/// The firmware's measure begins just before the first event and ends just after the last one.
fn assert_fits((recorded, measured): (u64, u64)) {
    assert!(recorded <= measured, "recorded {recorded}, measured {measured}");
    assert!(measured - recorded < 2000, "recorded {recorded}, measured {measured}");
}

#[test]
fn time_continues_across_the_wrap() {
    let start = WRAP - 100_000; // half of the recording
    let run = bare_metal("bare-metal-wrap", &[&format!("COUNTER_START={start}u")]);
    assert_fits(lengths(&run).unwrap_or_else(|error| panic!("{error}")));
    let times = times(&run.trace).expect("checked");
    assert!(times[0] >= start && times[0] < WRAP, "the wrap is inside: {}", times[0]);
    assert!(*times.last().expect("events") > WRAP);
    let counted = counts_of(&run.trace);
    for what in ["isrs", "evtmarkers", "valmarkers"] {
        compare(what, &run.truth, &counted);
    }
    run.assert_converts();
}

#[test]
fn an_unhandled_wrap_would_be_noticed() {
    let start = WRAP - 100_000;
    let settings = [&*format!("COUNTER_START={start}u"), &*port("raw_timer")];
    let error = lengths(&bare_metal("bare-metal-raw", &settings)).expect_err("time steps back");
    println!("{error}");
}

/// With the real kernel, in packets; module `release` has it in frames.
#[test]
fn the_kernels_recording_survives_the_wrap() {
    kernel_in(Format::Packets);
}

pub fn kernel_in(format: Format) {
    let start = WRAP - 10_000_000; // 0.4 s of 1 s
    let (board, backend) = (Board::Mps2An386, Backend::Streaming);
    let name = format!("an386-wrap-{}", format.name());
    let settings = [format.setting(), format!("COUNTER_START={start}u")];
    let elf = build(board, &name, backend, &settings.each_ref().map(String::as_str));
    let run = run(board, &elf, backend);
    let times = times(&run.trace).unwrap_or_else(|error| panic!("{error}"));
    // A stream starts with a core_id at time 0.
    let first = *times.iter().find(|&&ts| ts > 0).expect("events");
    assert!(first >= start && first < WRAP, "{first}");
    assert!(*times.last().expect("events") > WRAP);
    let counted = counts_of(&run.trace);
    for what in ["tasks", "queues", "isrs", "evtmarkers", "valmarkers"] {
        compare(what, &run.truth, &counted);
    }
    run.assert_converts();
}

/// The timer of Cortex-M0+ has the range of one tick; here eight of them.
#[test]
fn systick_as_timer_keeps_time() {
    let run = bare_metal("bare-metal-systick", &[&port("systick")]);
    assert_fits(lengths(&run).unwrap_or_else(|error| panic!("{error}")));
    let counted = counts_of(&run.trace);
    for what in ["isrs", "evtmarkers", "valmarkers"] {
        compare(what, &run.truth, &counted);
    }
}

/// Events in packets have 32 bits of time, whatever the timer has.
#[test]
fn packets_keep_time_across_wraps_of_16_24_and_32_bits() {
    let start = format!("COUNTER_START={}u", WRAP - 100_000);
    for (name, setting) in
        [("counter16", port("counter16")), ("systick", port("systick")), ("counter32", start)]
    {
        let name = format!("packets-{name}");
        let mut run = bare_metal_in(Format::Packets, &name, &[&setting]);
        run.assert_converts();
        run.trace = as_frames(&run.trace);
        assert_fits(lengths(&run).unwrap_or_else(|error| panic!("{name}: {error}")));
        let counted = counts_of(&run.trace);
        for what in ["isrs", "evtmarkers", "valmarkers"] {
            compare(what, &run.truth, &counted);
        }
    }
}

/// Only the recorder starts a timer that is off after reset.
#[test]
fn the_recorder_starts_the_timer() {
    let run = bare_metal("bare-metal-started", &[&port("started_timer")]);
    assert_fits(lengths(&run).unwrap_or_else(|error| panic!("{error}")));
    let reported = lines(&run.trace).into_iter().find(|line| line.contains("ts_frequency"));
    let reported = reported.expect("the first event");
    assert!(reported.ends_with(" ts_frequency numerator=25000000 denominator=1"), "{reported}");
    run.assert_converts();
    let run = bare_metal("bare-metal-unstarted", &[&port("unstarted_timer")]);
    let times = times(&run.trace).expect("it never steps");
    assert!(times.len() > 10 && times.iter().all(|&time| time == times[0]), "{times:?}");
}
