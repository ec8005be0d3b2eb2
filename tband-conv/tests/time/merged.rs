//! Several cores, several inputs, several starts of the target: one timeline.

use tband_conv::diagnostics::{Place, Problem};
use tband_conv::dump::{DumpFormat, DumpOptions, dump};
use tband_conv::{Input, Options, convert};
use tband_format::Event::*;
use tband_recordings::{Recording, timeline_of, trace_of, vector};

/// Two cores: as two files, interleaved in one, and one after the other in one.
#[test]
fn cores_are_merged_however_they_are_stored() {
    let event = |core: u32, ts: u64| match (ts / 10) % 3 {
        0 => TaskSwitchedIn { task_id: core * 10 + (ts / 30) as u32 % 3 + 1 },
        1 => QueueSend { queue_id: core + 1, len_after: ts as u32 },
        _ => Valmarker { valmarker_id: core, val: ts as i64 },
    };
    let times = |core: u32| (1..400_u64).map(move |n| n * 10 + u64::from(core) * 3);
    let head = Recording::default().meta(TsResolutionNs { ns_per_ts: 1 });

    let alone = |core| times(core).fold(head.clone(), |it, ts| it.at(ts, event(core, ts)));
    let (first, second) = (alone(0), alone(1));
    let split = [Input::from_bytes("0", &first.0), Input::from_bytes("1", &second.0).on_core(1)];

    let mut all: Vec<(u64, u32)> =
        (0..2).flat_map(|core| times(core).map(move |ts| (ts, core))).collect();
    all.sort_unstable();
    // Core 1 always late by some events.
    let mut late: Vec<_> =
        all.iter().map(|&(ts, core)| (ts + u64::from(core) * 55, ts, core)).collect();
    late.sort_unstable();
    let interleaved = late.iter().fold(head.clone(), |it, &(_, ts, core)| {
        it.at(0, CoreId { core_id: core }).at(ts, event(core, ts))
    });
    let joined = head.clone().raw(&first.0).at(0, CoreId { core_id: 1 }).raw(&second.0);

    let options = Options::default();
    let (expected, summary) = timeline_of(&split, &options);
    assert!(summary.diagnostics.is_clean());
    assert_eq!(timeline_of(&[Input::from_bytes("i", &interleaved.0)], &options).0, expected);
    assert_eq!(timeline_of(&[Input::from_bytes("b", &joined.0)], &options).0, expected);

    // Without memory to put them in order, nothing is lost either.
    let mut narrow = Options::default();
    narrow.window = Some(0);
    let (text, _) = timeline_of(&[Input::from_bytes("b", &joined.0)], &narrow);
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&text), sorted(&expected));
}

/// Each time the target restarts, its clock begins again; the time of the recording continues.
#[test]
fn every_restart_of_the_target_is_recognised() {
    let recording = vector("freertos_sim.bin");
    let three_times = recording.repeat(3);
    let options = Options::default();
    let (_, once) = timeline_of(&[Input::from_bytes("once", &recording)], &options);
    let (_, summary) = timeline_of(&[Input::from_bytes("three times", &three_times)], &options);
    assert_eq!(summary.diagnostics.count(Problem::Restart), 2);
    assert_eq!(summary.diagnostics.count(Problem::StreamStart), 2);
    assert!(summary.diagnostics.is_clean(), "{:?}", summary.diagnostics);
    assert_eq!(summary.events, 3 * once.events);
}

/// A file with events of two cores beside one of a third, which ends much earlier: nothing is lost.
#[test]
fn files_of_several_cores_and_of_one_are_merged() {
    let mut both = Recording::default().meta(TsResolutionNs { ns_per_ts: 1 });
    let mut third = Recording::default();
    for ts in 1..500_u64 {
        let core_id = (ts / 7 % 2) as u32;
        both = both.at(ts, CoreId { core_id });
        both = both.at(2 * ts, Valmarker { valmarker_id: core_id, val: ts as i64 });
        if ts < 50 {
            third = third.at(2 * ts + 1, Valmarker { valmarker_id: 2, val: ts as i64 });
        }
    }
    let inputs = [Input::from_bytes("b", &both.0), Input::from_bytes("t", &third.0).on_core(2)];
    let (text, summary) = timeline_of(&inputs, &Options::default());
    assert!(summary.diagnostics.iter().next().is_none(), "{:?}", summary.diagnostics);
    assert_eq!(summary.events, 1 + 2 * 499 + 49);
    let mut times = Vec::new();
    for core in ["0", "1", "2"] {
        let of = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
        let of: Vec<u64> = of
            .filter(|it| it.get(1) == Some(&core))
            .map(|it| {
                assert_eq!(it[3], core, "its own marker");
                it[0].parse().unwrap()
            })
            .collect();
        assert!(of.is_sorted());
        times.extend(of);
    }
    assert_eq!(times.len(), 499 + 49);
    let all: Vec<u64> =
        text.lines().map(|line| line.split_whitespace().next().unwrap().parse().unwrap()).collect();
    assert!(all.is_sorted());
}

/// A core that recorded nothing has an empty file, or one of zeros; that is reported, and the others are used.
#[test]
fn a_file_without_an_event_is_noted_and_the_others_are_used() {
    let zeros = vec![0; 300];
    let full = Recording::default()
        .meta(TsResolutionNs { ns_per_ts: 1 })
        .at(5, TaskSwitchedIn { task_id: 1 })
        .at(9, TaskSwitchedIn { task_id: 2 });
    for (nothing, text) in [
        (&[][..], "no event of core 1 is here (0 bytes)"),
        (&zeros[..], "no event of core 1 is here (300 bytes, all zero)"),
    ] {
        for turned in [false, true] {
            let mut inputs = [
                Input::from_bytes("full", &full.0),
                Input::from_bytes("nothing", nothing).on_core(1),
            ];
            if turned {
                inputs.reverse();
            }
            let (_, stats, summary) = trace_of(&inputs, &Options::default());
            assert_eq!(stats.tasks().count(), 2);
            assert!(summary.diagnostics.is_clean());
            let found = summary.diagnostics.get(Problem::EmptyInput).unwrap();
            assert_eq!((found.text.as_str(), found.place.input), (text, usize::from(!turned)));
            let mut lines = Vec::new();
            let dumped = dump(&inputs, DumpOptions::of(DumpFormat::Json), &mut lines).unwrap();
            assert_eq!(
                (dumped.events, dumped.empty),
                (3, vec![(Place { input: usize::from(!turned), offset: 0 }, text.to_owned())])
            );
        }
        let none =
            [Input::from_bytes("none", nothing), Input::from_bytes("nothing", nothing).on_core(1)];
        let error = convert(&none, &Options::default(), &mut ()).unwrap_err().to_string();
        assert!(error.starts_with("none: holds no event ("), "{error}");
    }
}
