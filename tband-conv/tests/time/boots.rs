//! A recording of several runs of the target. A start of the recording with an earlier timestamp than the last one is a
//! reset, however short the step back is.

use tband_conv::convert::step::Step;
use tband_conv::diagnostics::Problem;
use tband_conv::sinks::TimelineText;
use tband_conv::{Conversion, Input, Options, Summary};
use tband_format::Event::*;
use tband_format::{Event, packet::Header};
use tband_recordings::packed::{packed, pieces};
use tband_recordings::{Recording, str, timeline_of, trace_of, two_tasks};

/// A stream of packets that starts 1.07 s after the reset and ends 0.4 s later.
const LOOP: &[u8] = include_bytes!("runs/boot_loop.bin");

fn converted(recording: &[u8]) -> (String, Summary) {
    timeline_of(&[Input::from_bytes("r", recording)], &Options::default())
}

fn problems(summary: &Summary) -> Vec<(Problem, u64)> {
    summary.diagnostics.iter().map(|it| (it.problem, it.count)).collect()
}

/// Returns the part of a timeline for messages: findings, and new tasks.
fn tail(text: &str) -> String {
    let lines = text.lines().filter(|line| line.contains(['!', ':']) && !line.contains("->"));
    lines.take(60).collect::<Vec<_>>().join("\n")
}

/// The same recording, fed in pieces, gives the same findings and the same timeline.
fn assert_fed_alike(recording: &[u8]) {
    let (whole, summary) = converted(recording);
    for len in [61, recording.len()] {
        let sink = TimelineText::new(Vec::new());
        let mut fed = Conversion::new([("r", 0)], &Options::default(), sink).unwrap();
        for mut piece in recording.chunks(len) {
            while !piece.is_empty() {
                piece = &piece[fed.feed(0, piece)..];
                while fed.step().unwrap() == Step::More {}
            }
        }
        let (of_fed, sink) = fed.finish().unwrap();
        assert_eq!(problems(&of_fed), problems(&summary));
        let fed = String::from_utf8(sink.into_inner()).unwrap();
        // Without a first pass, a start is found where `core_id` is and not at the names before it, and tasks are
        // known in the order in which they run.
        let lines = |text: &str| {
            // A main program that runs is renamed once its name is read, and tasks appear where they are named.
            let lines = text.lines().filter(|line| !line.ends_with(": is its name"));
            let lines = lines.filter(|line| !line.ends_with(": appears"));
            let mut lines: Vec<_> =
                lines.map(|line| line.split(" @").next().unwrap().to_owned()).collect();
            for line in &mut lines {
                if line.ends_with("-> deleted") {
                    *line = line.trim_start().split_once(' ').unwrap().1.to_owned();
                }
                // A reader of a single pass does not know that -1 is the former number of the main program.
                for name in ["bootloader", "application"] {
                    *line = line.replace(&format!(" {name}: "), " main: ");
                }
            }
            lines.sort_unstable();
            lines
        };
        let (fed, whole) = (lines(&fed), lines(&whole));
        let other = fed.iter().zip(&whole).find(|(fed, whole)| fed != whole);
        assert_eq!((other, fed.len()), (None, whole.len()));
    }
}

/// Each run ends 0.13 to 0.4 s after the start of the next one.
#[test]
fn a_boot_loop_is_a_row_of_restarts() {
    // Offsets at which packets end.
    let whole = [2561, 4477, 1603, 4956].map(|end| &LOOP[..end]).concat();
    let (text, summary) = converted(&whole);
    let expected = [(Problem::StreamStart, 3), (Problem::Restart, 3)];
    assert_eq!(problems(&summary), expected, "{}", tail(&text));
    assert_fed_alike(&whole);
    // Each reset interrupts a packet: in its header, in its first bytes, anywhere.
    for cut in [1, 3, 4, 20, 35, 36, 37, 200, 478] {
        let cut = [2561 + cut, 3998 + cut, 1603 + cut].map(|end| &LOOP[..end]).concat();
        let (text, summary) = converted(&[&cut[..], LOOP].concat());
        let expected =
            [(Problem::StreamStart, 3), (Problem::Restart, 3), (Problem::CutByRestart, 3)];
        assert_eq!(problems(&summary), expected, "{}", tail(&text));
        assert!(summary.diagnostics.is_clean());
        assert_eq!(summary.link.unwrap().damaged_bytes, 0);
    }
    assert_fed_alike(&[&LOOP[..2000], &LOOP[..4000], LOOP].concat());
}

/// The target is reset when it has sent its metadata and a part of the first packet with events.
#[test]
fn a_reset_cuts_the_first_packet_after_the_metadata() {
    // Two packets of metadata, then the first one of core 0.
    assert_eq!((LOOP[58 + 4], LOOP[155 + 4]), (255, 0));
    // Each run sends its metadata at another time, so that it is not a copy of the run before.
    let begun = |later: u64, cut: usize| {
        let mut bytes = LOOP[..155 + cut].to_vec();
        for range in [0..58, 58..155] {
            let packet = &mut bytes[range];
            let (header, _) = Header::read(packet).unwrap();
            let (begin, end) = (header.begin + later, header.end + later);
            Header { begin, end, ..header }.write(packet).unwrap();
        }
        bytes
    };
    for cut in [1, 4, 20, 36, 37, 100, 300, 400] {
        let (first, second) = (begun(5000, cut), begun(2000, cut));
        for (runs, cuts) in [
            (vec![&*first, LOOP], 1),
            (vec![&first, &second, LOOP], 2),
            (vec![&LOOP[..2561], &first, LOOP], 1),
        ] {
            let recording = runs.concat();
            let (text, summary) = converted(&recording);
            let found = problems(&summary);
            assert!(summary.diagnostics.is_clean(), "{cut} {found:?}\n{}", tail(&text));
            assert_eq!(summary.diagnostics.count(Problem::CutByRestart), cuts);
            assert_eq!(summary.link.unwrap().damaged_bytes, 0);
            assert_fed_alike(&recording);
        }
    }
}

/// The beginning of a packet that is not followed by a start is damage, as before.
#[test]
fn a_packet_that_is_cut_within_a_run_is_damage() {
    let recording = [&LOOP[..2000], &LOOP[2082..]].concat();
    let (text, summary) = converted(&recording);
    let found = problems(&summary);
    assert!(found.contains(&(Problem::DamagedPacket, 1)), "{found:?}\n{}", tail(&text));
    assert_eq!(summary.diagnostics.count(Problem::CutByRestart), 0);
    assert!(summary.link.unwrap().damaged_bytes > 0);
    assert_fed_alike(&recording);
}

/// The metadata of the later runs is lost. The packets alone show the resets.
#[test]
fn packets_without_a_start_show_a_reset() {
    let headless = [&LOOP[..2561], &LOOP[155..4477], &LOOP[155..2082]].concat();
    let (text, summary) = converted(&headless);
    let expected = [(Problem::NoMetadata, 1), (Problem::StreamStart, 2), (Problem::Restart, 2)];
    assert_eq!(problems(&summary), expected, "{}", tail(&text));
    assert_eq!(summary.diagnostics.get(Problem::NoMetadata).unwrap().amount, 2);
    // Numbers that continue over the reset, as a post-mortem recording keeps them.
    let mut continued = LOOP[..2561].to_vec();
    for (index, packet) in LOOP[155..1124].chunks(485).enumerate() {
        let (mut header, _) = Header::read(packet).unwrap();
        header.sequence = 5 + index as u16;
        let mut packet = packet[..header.packet_len].to_vec();
        header.write(&mut packet).unwrap();
        continued.extend(packet);
        if index == 0 {
            break;
        }
    }
    let (text, summary) = converted(&continued);
    assert_eq!(summary.diagnostics.count(Problem::Restart), 1, "{}", tail(&text));
    assert!(summary.diagnostics.is_clean(), "{:?}", summary.diagnostics);
}

/// Returns the start of a stream of frames by this recorder, and events at these times.
fn run(ts: u64, from: u64, count: u64) -> Recording {
    let start = Recording::default()
        .at(ts, CoreId { core_id: 0 })
        .raw(&two_tasks().0)
        .at(ts, CoreId { core_id: 0 })
        .meta(TsResolutionNs { ns_per_ts: 10 })
        .meta(info(1));
    (0..count)
        .fold(start, |it, n| it.at(from + 100 * n, TaskSwitchedIn { task_id: (n % 2) as u32 + 1 }))
}

fn info(core_count: u32) -> Event<'static> {
    TraceInfo {
        format_version: 11,
        core_count,
        flags: 1,
        kernel_version: Some(110_200),
        tick_rate_hz: Some(1000),
    }
}

#[test]
fn frames_show_each_reset() {
    // The second run starts later than the first one and before its end, by a tick at the least.
    for from in [1_050_000, 1_060_000, 1_069_899] {
        let recording = run(0, 1_050_000, 200).raw(&run(0, from, 100).0).raw(&run(0, 9, 3).0);
        let (text, summary) = converted(&recording.0);
        let expected = [(Problem::StreamStart, 2), (Problem::Restart, 2)];
        assert_eq!(problems(&summary), expected, "{}", tail(&text));
        assert_fed_alike(&recording.0);
    }
    // Time continues: the recorder was stopped and started, and the names stay.
    let recording = run(0, 1_050_000, 200).raw(&run(1_070_000, 1_070_000, 100).0);
    let (text, summary) = converted(&recording.0);
    assert_eq!(problems(&summary), [(Problem::StreamStart, 1)]);
    assert_eq!(text.matches("appears").count(), 0, "{}", tail(&text));
}

/// A reset interrupts a frame. The zero byte that would end it ends the next stream's first frame.
#[test]
fn a_frame_that_a_reset_cuts() {
    let first = run(0, 1_050_000, 200).0;
    for cut in 1..6 {
        let recording = [&first[..first.len() - cut], &run(0, 1_060_000, 50).0[..]].concat();
        let (text, summary) = converted(&recording);
        assert_eq!(summary.diagnostics.count(Problem::Restart), 1, "{cut}\n{}", tail(&text));
        assert!(summary.diagnostics.is_clean(), "{cut} {:?}", summary.diagnostics);
        assert_fed_alike(&recording);
    }
}

/// Dumps of the memory after a crash, one after the other, in any order of time. Each begins where the ring does.
#[test]
fn dumps_after_crashes_are_runs() {
    let dumps: Vec<u8> = (0..26_u64)
        .flat_map(|n| packed(&run(0, 1_000_000 + (n * 7919) % 500_000, 300).0, 256))
        .collect();
    let (text, summary) = converted(&dumps);
    let restarts = summary.diagnostics.count(Problem::Restart);
    let starts = summary.diagnostics.count(Problem::StreamStart);
    assert_eq!(starts, 25, "{}", tail(&text));
    assert!(summary.diagnostics.is_clean(), "{:?}", summary.diagnostics);
    let falls = (1..26_u64).filter(|n| {
        let from = |n: u64| 1_000_000 + (n * 7919) % 500_000;
        from(*n) < from(n - 1) + 29_900
    });
    assert_eq!(restarts, falls.count() as u64);
}

/// Cores share a stream: each of them is reset, whichever is the first to show it.
#[test]
fn all_cores_are_reset() {
    let boot = |from: u64, first: u32| {
        let start = Recording::default()
            .at(0, CoreId { core_id: 0 })
            .raw(&two_tasks().0)
            .at(0, CoreId { core_id: first })
            .meta(TsResolutionNs { ns_per_ts: 10 })
            .meta(info(2));
        (0..100_u64).fold(start, |it, n| {
            let core_id = (n / 5 % 2) as u32 ^ first;
            let it = if n % 5 == 0 { it.at(from + 10 * n, CoreId { core_id }) } else { it };
            it.at(from + 10 * n, TaskSwitchedIn { task_id: core_id + 1 })
        })
    };
    for first in [0, 1] {
        let recording = boot(100_000, 0).raw(&boot(100_300, first).0).raw(&boot(60_000, first).0);
        let (text, summary) = converted(&recording.0);
        let expected = [(Problem::StreamStart, 2), (Problem::Restart, 2)];
        assert_eq!(problems(&summary), expected, "{}", tail(&text));
        assert_fed_alike(&recording.0);
        let packets: Vec<u8> = [100_000, 100_300, 60_000]
            .iter()
            .flat_map(|from| pieces(&boot(*from, first).0, 128).concat())
            .collect();
        let (text, summary) = converted(&packets);
        assert_eq!(problems(&summary), expected, "{}", tail(&text));
        assert_fed_alike(&packets);
    }
}

/// A thousand runs take no more memory than their objects.
#[test]
fn a_thousand_runs() {
    let one = packed(&run(0, 1_050_000, 8).0, 256);
    let (_, summary) = converted(&one.repeat(1000));
    assert_eq!(problems(&summary), [(Problem::StreamStart, 999), (Problem::Restart, 999)]);
}

/// A bootloader and its application, with the same numbers and other names.
const BOOT_AND_APP: &[u8] = include_bytes!("runs/boot_and_app.bin");

/// Names of interrupts with how often they ran, of values with their counts, of spans, and of tasks.
type NameCounts = (Vec<(String, u64)>, Vec<(String, u64)>, Vec<(String, u64)>, Vec<String>);

fn named(recording: &[u8]) -> NameCounts {
    let (_, stats, _) = trace_of(&[Input::from_bytes("r", recording)], &Options::default());
    (
        stats.isrs().map(|it| (it.name.clone(), it.count)).collect(),
        stats.values().map(|it| (it.name.clone(), it.count)).collect(),
        stats.markers().map(|it| (it.name.clone(), it.spans.count())).collect(),
        stats.tasks().map(|it| it.name.clone()).collect(),
    )
}

fn counted(names: &[(&str, u64)]) -> Vec<(String, u64)> {
    names.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
}

#[test]
fn each_run_has_its_own_names() {
    let (isrs, values, markers, tasks) = named(BOOT_AND_APP);
    assert_eq!(isrs, counted(&[("BOOT_SYSTICK", 200), ("APP_TIM2", 30)]));
    assert_eq!(values, counted(&[("boot bytes", 200), ("app temperature", 30)]));
    assert_eq!(markers, counted(&[("boot copy", 20), ("app loop", 3)]));
    // When this was recorded the main program had the number of SysTick, -1.
    assert_eq!(tasks, ["bootloader", "application"]);
    // The bootloader again: a third run. Objects with the same name are one row.
    let (isrs, _, _, tasks) = named(&[BOOT_AND_APP, &BOOT_AND_APP[..2939]].concat());
    assert_eq!(isrs, counted(&[("BOOT_SYSTICK", 400), ("APP_TIM2", 30)]));
    assert_eq!(tasks, ["bootloader", "application"]);
}

/// The timer runs on while the bootloader starts the application: the names show the boundary.
#[test]
fn other_names_at_a_later_time_are_another_run() {
    let of = |ts: u64, from: u64, names: [&'static str; 4]| {
        Recording::default()
            .at(ts, CoreId { core_id: 0 })
            .meta(EvtmarkerName { evtmarker_id: 1, name: str(names[0]) })
            .meta(ValmarkerName { valmarker_id: 1, name: str(names[1]) })
            .meta(IsrName { isr_id: 1, name: str(names[2]) })
            .meta(TaskName { task_id: 1, name: str(names[3]) })
            .at(ts, CoreId { core_id: 0 })
            .meta(TsResolutionNs { ns_per_ts: 10 })
            .meta(info(1))
            .at(from, TaskSwitchedIn { task_id: 1 })
            .at(from + 10, IsrEnter { isr_id: 1 })
            .at(from + 20, Valmarker { valmarker_id: 1, val: 3 })
            .at(from + 30, EvtmarkerBegin { evtmarker_id: 1, msg: str("") })
            .at(from + 40, EvtmarkerEnd { evtmarker_id: 1 })
            .at(from + 50, IsrExit { isr_id: 1 })
    };
    let (boot, app) = (["copy", "bytes", "SYSTICK", "boot"], ["loop", "celsius", "TIM2", "app"]);
    for from in [2000, 990] {
        let recording = of(0, 1000, boot).raw(&of(0, from, app).0);
        let (text, summary) = converted(&recording.0);
        assert_eq!(summary.diagnostics.count(Problem::Restart), 1, "{}", tail(&text));
        let (isrs, values, markers, tasks) = named(&recording.0);
        assert_eq!(isrs, counted(&[("SYSTICK", 1), ("TIM2", 1)]), "{from}");
        assert_eq!(values, counted(&[("bytes", 1), ("celsius", 1)]));
        assert_eq!(markers, counted(&[("copy", 1), ("loop", 1)]));
        assert_eq!(tasks, ["boot", "app"]);
        assert_fed_alike(&recording.0);
        let packets = [packed(&of(0, 1000, boot).0, 256), packed(&of(0, from, app).0, 256)];
        assert_eq!(named(&packets.concat()), named(&recording.0));
    }
    // The same names at a later time: the same run, whose recording was stopped.
    let recording = of(0, 1000, boot).raw(&of(2000, 2000, boot).0);
    let (text, summary) = converted(&recording.0);
    assert_eq!(summary.diagnostics.count(Problem::Restart), 0, "{}", tail(&text));
    assert_eq!(named(&recording.0).0, counted(&[("SYSTICK", 2)]));
}

/// A name of one run does not apply in the next, which names other objects.
#[test]
fn names_end_with_their_run() {
    let first = run(0, 1000, 9)
        .meta(EvtmarkerName { evtmarker_id: 7, name: str("old") })
        .at(2000, Evtmarker { evtmarker_id: 7, msg: str("") });
    let second = run(0, 1500, 9).at(3000, Evtmarker { evtmarker_id: 7, msg: str("") });
    let (_, _, markers, tasks) = named(&first.clone().raw(&second.0).0);
    assert_eq!(markers, counted(&[("old", 0), ("evtmarker 7", 0)]));
    assert_eq!(tasks, ["a", "b"]);
    // The second run has no names, because its start is lost: the names are most likely the same.
    let headless = Recording::default()
        .at(0, CoreId { core_id: 0 })
        .at(1500, Evtmarker { evtmarker_id: 7, msg: str("") });
    let (_, _, markers, _) = named(&first.raw(&headless.0).0);
    assert_eq!(markers, counted(&[("old", 0)]));
}
