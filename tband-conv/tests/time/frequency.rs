//! Recordings whose timer counts at any frequency, changes it, or counts near 2^64: every event has the time of exact
//! arithmetic.

use std::io;

use tband_conv::clock::MAX_NS;
use tband_conv::diagnostics::{Problem, Severity};
use tband_conv::model::{Change, EventTime, Sink, World};
use tband_conv::{Input, Options, Summary, convert};
use tband_format::Event::{self, *};
use tband_recordings::{Recording, timeline_of, two_tasks};

/// Times of markers: value, core, ns.
#[derive(Default)]
struct Times(Vec<(i64, u32, i64)>);

impl Sink for Times {
    fn change(&mut self, _: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        if let Change::Value(_, value, _) = change {
            self.0.push((value.rounded(), at.core, at.ns));
        }
        Ok(())
    }
}

fn times_of(inputs: &[Input<'_>], options: &Options) -> (Vec<(i64, u32, i64)>, Summary) {
    let mut times = Times::default();
    let summary = convert(inputs, options, &mut times).unwrap();
    times.0.sort_unstable();
    (times.0, summary)
}

/// Times of the markers in one recording, in the order of their values.
#[track_caller]
fn ns_of(recording: &Recording, problems: &[(Problem, u64)]) -> Vec<i64> {
    let inputs = [Input::from_bytes("r", &recording.0)];
    let (times, summary) = times_of(&inputs, &Options::default());
    assert_found(&summary, problems);
    times.into_iter().map(|(_, _, ns)| ns).collect()
}

#[track_caller]
fn assert_found(summary: &Summary, problems: &[(Problem, u64)]) {
    let found: Vec<_> = summary.diagnostics.iter().map(|it| (it.problem, it.count)).collect();
    assert_eq!(found, problems, "{:?}", summary.diagnostics);
}

fn mark(val: i64) -> Event<'static> {
    Valmarker { valmarker_id: 1, val }
}

fn hz(numerator: u64, denominator: u64) -> Event<'static> {
    TsFrequency { numerator, denominator }
}

/// Returns the ns of this many ticks, rounded down.
fn exactly(ticks: u64, numerator: u64, denominator: u64) -> i64 {
    let ns = u128::from(ticks) * 1_000_000_000 * u128::from(denominator) / u128::from(numerator);
    i64::try_from(ns).unwrap()
}

/// As firmware records it: the rounded resolution, the exact one with the first event.
#[test]
fn every_frequency_gives_exact_times() {
    for (numerator, denominator) in [
        (64_000_000, 1),
        (180_000_000, 1),
        (400_000_000, 1),
        (600_000_000, 1),
        (800_000_000, 1),
        (2_400_000_000, 1),
        (32_768, 1),
        (1, 3),
        (3_579_545, 3),
        (4_294_967_291, 1),
    ] {
        let tick = 1_000_000_000 * u128::from(denominator);
        let rounded = ((tick + numerator / 2) / numerator).max(1);
        let (numerator, rounded) = (numerator as u64, rounded as u64);
        let ticks = [7, 8, 1000, 1_000_003, 2_000_000_000];
        let mut recording = Recording::default()
            .meta(TsResolutionNs { ns_per_ts: rounded })
            .at(5, hz(numerator, denominator));
        for (val, ticks) in ticks.into_iter().enumerate() {
            recording = recording.at(ticks, mark(val as i64));
        }
        let expected = ticks.map(|ticks| exactly(ticks, numerator, denominator));
        assert_eq!(ns_of(&recording, &[]), expected, "{numerator}/{denominator} Hz");
    }
}

/// The clock of the issue's worst example: a day at 800 MHz is off by 5 hours if ticks are rounded.
#[test]
fn a_day_is_a_day_long() {
    let recording = Recording::default()
        .meta(TsResolutionNs { ns_per_ts: 1 })
        .at(0, hz(800_000_000, 1))
        .at(800_000_000 * 86_400, mark(1));
    assert_eq!(ns_of(&recording, &[]), [86_400 * 1_000_000_000]);
}

/// The place and the presence of the rounded resolution do not matter.
#[test]
fn the_exact_one_wins() {
    let meta = TsResolutionNs { ns_per_ts: 16 };
    let exact = hz(64_000_000, 1);
    for recording in [
        Recording::default().meta(meta).at(64, exact).at(128, mark(1)).at(192, mark(2)),
        Recording::default().at(64, exact).meta(meta).at(128, mark(1)).at(192, mark(2)),
        Recording::default().at(64, exact).at(128, mark(1)).meta(meta).at(192, mark(2)),
        Recording::default().at(64, exact).at(128, mark(1)).at(192, mark(2)).meta(meta),
        Recording::default().meta(meta).at(128, mark(1)).at(192, exact).at(192, mark(2)),
        Recording::default().at(128, mark(1)).at(192, mark(2)).at(200, exact),
        // Another core was quicker than the one that recorded it.
        Recording::default()
            .meta(meta)
            .at(0, CoreId { core_id: 1 })
            .at(128, mark(1))
            .at(0, CoreId { core_id: 0 })
            .at(150, exact)
            .at(192, mark(2)),
    ] {
        assert_eq!(ns_of(&recording, &[]), [2000, 3000]);
    }
}

#[test]
fn contradictions_are_found() {
    // The exact one counts.
    let recording = Recording::default()
        .at(0, hz(64_000_000, 1))
        .at(64, mark(1))
        .meta(TsResolutionNs { ns_per_ts: 10 })
        .at(128, mark(2));
    assert_eq!(ns_of(&recording, &[(Problem::FrequencyConflict, 1)]), [1000, 2000]);
    let recording = recording.at(128, hz(0, 1)).at(128, hz(1, 0)).at(192, mark(3));
    assert_eq!(ns_of(&recording, &[(Problem::FrequencyConflict, 3)]), [1000, 2000, 3000]);
    let inputs = [Input::from_bytes("r", &recording.0)];
    let (_, summary) = times_of(&inputs, &Options::default());
    let found = summary.diagnostics.get(Problem::FrequencyConflict).unwrap();
    assert_eq!(found.text, "the recording has 10 ns a tick here, but timestamps count at 64 MHz");
    assert!(!summary.diagnostics.is_clean());
    // The resolution at the start contradicts the later one: both count, each from its place.
    let recording = Recording::default()
        .meta(TsResolutionNs { ns_per_ts: 100 })
        .at(10, mark(1))
        .at(20, hz(64_000_000, 1))
        .at(84, mark(2));
    assert_eq!(ns_of(&recording, &[(Problem::FrequencyChange, 1)]), [1000, 3000]);
}

const CHANGED: &[(Problem, u64)] = &[(Problem::FrequencyChange, 1)];

#[test]
fn a_change_counts_from_its_timestamp_on() {
    let recording = Recording::default()
        .meta(TsResolutionNs { ns_per_ts: 63 })
        .at(0, hz(16_000_000, 1))
        .at(160, mark(1))
        // 10.5 us.
        .at(168, hz(180_000_000, 1))
        .at(168, mark(2))
        .at(168 + 181, mark(3))
        // The same frequency again is not a change.
        .at(168 + 190, hz(180_000_000, 1))
        .at(168 + 270, mark(4));
    assert_eq!(ns_of(&recording, CHANGED), [10_000, 10_500, 10_500 + 1005, 12_000]);
    let (text, summary) = timeline_of(&[Input::from_bytes("r", &recording.0)], &Options::default());
    let output = "timestamps count at 180 MHz from here on, at 16 MHz before";
    assert!(text.contains(output), "{text}");
    assert_eq!(summary.frequency.to_string(), "16 MHz");
}

/// At the very start, at the very end, several at once, and back.
#[test]
fn changes_anywhere() {
    let two = &[(Problem::FrequencyChange, 2)];
    let recording = Recording::default()
        .at(10, hz(1_000_000, 1))
        .at(10, hz(2_000_000, 1))
        .at(12, mark(1))
        .at(14, hz(1_000_000, 1))
        .at(15, mark(2));
    assert_eq!(ns_of(&recording, two), [11_000, 13_000]);
    let recording = recording.at(15, hz(7, 1));
    assert_eq!(ns_of(&recording, &[(Problem::FrequencyChange, 3)]), [11_000, 13_000]);
}

/// This also holds for an old recording: its times are as exact as its resolution.
#[test]
fn follows_and_reports_a_changed_resolution() {
    let recording = Recording::default()
        .meta(TsResolutionNs { ns_per_ts: 10 })
        .at(100, mark(1))
        .at(200, mark(2))
        .meta(TsResolutionNs { ns_per_ts: 20 })
        .at(300, mark(3))
        .meta(TsResolutionNs { ns_per_ts: 20 })
        .at(400, mark(4));
    assert_eq!(ns_of(&recording, CHANGED), [1000, 2000, 4000, 6000]);
    let (text, _) = timeline_of(&[Input::from_bytes("r", &recording.0)], &Options::default());
    assert!(text.contains("count at 50 MHz from here on, at 100 MHz before"), "{text}");
    // Of two reports before the first event, the later counts.
    let recording = Recording::default()
        .meta(TsResolutionNs { ns_per_ts: 63 })
        .meta(TsResolutionNs { ns_per_ts: 6 })
        .at(100, mark(1));
    let inputs = [Input::from_bytes("r", &recording.0)];
    assert_eq!(times_of(&inputs, &Options::default()).0, [(1, 0, 600)]);
}

/// A change on one core applies to all, in one stream, in one after the other, in files.
#[test]
fn a_change_is_one_of_all_cores() {
    let core = |core_id| CoreId { core_id };
    let stream = Recording::default()
        .at(0, core(0))
        .at(0, hz(1_000_000, 1))
        .at(5, mark(1))
        .at(5, core(1))
        .at(7, mark(2))
        .at(7, core(0))
        .at(10, hz(500_000, 1))
        .at(10, core(1))
        // Recorded later, though it happened before.
        .at(9, mark(3))
        .at(12, mark(4))
        .at(12, core(0))
        .at(13, mark(5));
    let expected = [(1, 0, 5000), (2, 1, 7000), (3, 1, 9000), (4, 1, 14_000), (5, 0, 16_000)];
    let options = Options::default();
    let inputs = [Input::from_bytes("r", &stream.0)];
    assert_eq!(times_of(&inputs, &options).0, expected);

    let first = Recording::default()
        .at(0, hz(1_000_000, 1))
        .at(5, mark(1))
        .at(10, hz(500_000, 1))
        .at(13, mark(5));
    let second = Recording::default().at(7, mark(2)).at(9, mark(3)).at(12, mark(4));
    let joined = Recording::default().raw(&first.0).at(0, core(1)).raw(&second.0);
    let (times, summary) = times_of(&[Input::from_bytes("r", &joined.0)], &options);
    assert_eq!(times, expected);
    assert_found(&summary, CHANGED);

    let (a, b) = (Input::from_bytes("0", &first.0), Input::from_bytes("1", &second.0).on_core(1));
    for inputs in [vec![a, b], {
        let (a, b) =
            (Input::from_bytes("0", &first.0), Input::from_bytes("1", &second.0).on_core(1));
        vec![b, a]
    }] {
        let (times, summary) = times_of(&inputs, &options);
        assert_eq!(times, expected);
        assert_found(&summary, CHANGED);
    }
}

/// Losses and damage around a change do not touch it.
#[test]
fn a_change_beside_a_gap() {
    let head = || Recording::default().at(0, hz(1_000_000, 1)).at(5, mark(1));
    let lost = |recording: Recording, ts| recording.at(ts, DroppedEvtCnt { cnt: 3 });
    let damaged = |recording: Recording, _| recording.raw(&[0xF0, 1, 0]);
    type Gap = fn(Recording, u64) -> Recording;
    for (gap, problem) in
        [(lost as Gap, Problem::EventsLost), (damaged as Gap, Problem::UndecodableFrame)]
    {
        let before = gap(head(), 8).at(10, hz(2_000_000, 1)).at(12, mark(2));
        let after = gap(head().at(10, hz(2_000_000, 1)), 11).at(12, mark(2));
        for recording in [before, after] {
            let inputs = [Input::from_bytes("r", &recording.0)];
            let (times, summary) = times_of(&inputs, &Options::default());
            assert_eq!(times, [(1, 0, 5000), (2, 0, 11_000)]);
            assert_eq!(summary.diagnostics.count(problem), 1);
            assert_eq!(summary.diagnostics.count(Problem::FrequencyChange), 1);
        }
    }
}

/// Stopped, set to another clock, started: the second start reports the frequency from then on.
#[test]
fn a_later_start_sets_the_clock() {
    let start = |recording: Recording, ts, frequency, rounded| {
        recording
            .at(ts, CoreId { core_id: 0 })
            .meta(TsResolutionNs { ns_per_ts: rounded })
            .at(ts, hz(frequency, 1))
    };
    let recording = start(Recording::default(), 0, 16_000_000, 63).at(160, mark(1));
    let recording = start(recording, 320, 64_000_000, 16).at(384, mark(2));
    // The part of the first that a metadata buffer kept is reported again.
    let recording = recording.meta(TsResolutionNs { ns_per_ts: 63 }).at(448, mark(3));
    let problems = [(Problem::StreamStart, 1), (Problem::FrequencyChange, 1)];
    assert_eq!(ns_of(&recording, &problems), [10_000, 21_000, 22_000]);
}

/// A restart of the target begins with its first clock again.
#[test]
fn a_restart_sets_the_clock() {
    let once = Recording::default()
        .at(0, CoreId { core_id: 0 })
        .meta(TsResolutionNs { ns_per_ts: 1000 })
        .at(0, hz(1_000_000, 1))
        .at(10, mark(1))
        .at(20, hz(2_000_000, 1))
        .at(30, mark(2));
    let twice = Recording(once.0.repeat(2));
    let problems =
        [(Problem::StreamStart, 1), (Problem::Restart, 1), (Problem::FrequencyChange, 3)];
    assert_eq!(ns_of(&twice, &problems), [10_000, 35_000, 25_000, 50_000]);
}

#[test]
fn a_tick_rate_that_is_given_counts() {
    let with = |rate: &str| {
        let mut options = Options::default();
        options.tick_rate = Some(rate.parse().unwrap());
        options
    };
    // An old recording has rounded 15.625 ns; one has nothing.
    let old = Recording::default().meta(TsResolutionNs { ns_per_ts: 16 }).at(64, mark(1));
    let bare = Recording::default().at(64, mark(1));
    for recording in [&old, &bare] {
        let inputs = [Input::from_bytes("r", &recording.0)];
        let (times, summary) = times_of(&inputs, &with("64M"));
        assert_eq!(times, [(1, 0, 1000)]);
        assert_found(&summary, &[]);
        assert_eq!(summary.frequency.to_string(), "64 MHz");
    }
    // The contradiction is found.
    let inputs = [Input::from_bytes("r", &old.0)];
    let (times, summary) = times_of(&inputs, &with("32M"));
    assert_eq!(times, [(1, 0, 2000)]);
    assert_found(&summary, &[(Problem::FrequencyConflict, 1)]);
    // The firmware was wrong about its clock.
    let wrong = Recording::default().at(0, hz(100_000_000, 1)).at(96, mark(1));
    let inputs = [Input::from_bytes("r", &wrong.0)];
    let (times, summary) = times_of(&inputs, &with("96M"));
    assert_eq!(times, [(1, 0, 1000)]);
    assert_found(&summary, &[]);
}

/// Timestamps through 2^63 and up to 2^64 - 1 are as good as any.
#[test]
fn large_timestamps_keep_their_distance() {
    for (first, numerator) in [
        ((1_u64 << 63) - 100, 1_000_000_000),
        ((1 << 63) - 100, 64_000_000),
        (1 << 63, 1_000_000_000),
        (u64::MAX - 400, 1_000_000_000),
        (u64::MAX - 400, 2_400_000_000),
        (1 << 62, 1_000_000),
        (1 << 62, 1),
    ] {
        let steps = [1, 100, 101, 200, 400];
        let mut recording = Recording::default()
            .meta(TsResolutionNs { ns_per_ts: (1_000_000_000_u64 / numerator).max(1) })
            .at(first, hz(numerator, 1));
        for (val, step) in steps.into_iter().enumerate() {
            recording = recording.at(first + step, mark(val as i64));
        }
        // Two paths through the converter.
        let found = ns_of(&recording, &[]);
        let expected = steps.map(|step| exactly(step, numerator, 1));
        assert_eq!(found, expected, "{first} at {numerator} Hz");
        let other = Recording::default().at(first + 50, mark(9));
        let inputs =
            [Input::from_bytes("0", &recording.0), Input::from_bytes("1", &other.0).on_core(1)];
        let (times, summary) = times_of(&inputs, &Options::default());
        assert_found(&summary, &[]);
        assert_eq!(times[5], (9, 1, exactly(50, numerator, 1)));
        let of_first: Vec<_> = times[..5].iter().map(|it| it.2).collect();
        assert_eq!(of_first, expected);
    }
}

/// All inputs begin at the earliest event of all.
#[test]
fn inputs_share_one_origin() {
    let first = 3 << 62;
    let files = [700, 0, 300].map(|after| {
        Recording::default()
            .meta(TsResolutionNs { ns_per_ts: 1 })
            .at(first + after, mark(after as i64))
            .at(first + after + 1, mark(after as i64 + 1))
    });
    let inputs: Vec<_> = files
        .iter()
        .zip(0..)
        .map(|(it, core)| Input::from_bytes("f", &it.0).on_core(core))
        .collect();
    let (times, summary) = times_of(&inputs, &Options::default());
    assert_found(&summary, &[]);
    let expected =
        [(0, 1, 0), (1, 1, 1), (300, 2, 300), (301, 2, 301), (700, 0, 700), (701, 0, 701)];
    assert_eq!(times, expected);
}

/// Times stay those of the timer where they can.
#[test]
fn usual_times_are_absolute() {
    let recording = Recording::default().meta(TsResolutionNs { ns_per_ts: 1000 }).at(77, mark(1));
    assert_eq!(ns_of(&recording, &[]), [77_000]);
}

/// Times that cannot be shown are damage, with its place.
#[test]
fn a_time_beyond_the_range_is_damage_at_its_offset() {
    let head = two_tasks().at(1, mark(0));
    let place = head.0.len() as u64;
    let far = u64::MAX - 10;
    let recording = head.at(far, mark(1)).at(far + 1, mark(2));
    let inputs = [Input::from_bytes("r", &recording.0)];
    let (times, summary) = times_of(&inputs, &Options::default());
    assert_eq!(times, [(0, 0, 10), (1, 0, MAX_NS), (2, 0, MAX_NS)]);
    let found = summary.diagnostics.get(Problem::TimeOutOfRange).unwrap();
    assert_eq!((found.place.offset, found.problem.severity()), (place, Severity::Damage));
    assert!(!summary.diagnostics.is_clean());
    // Just in range, and just not.
    let last = MAX_NS.unsigned_abs() / 10;
    for (ticks, problems) in [(last, &[][..]), (last + 1, &[(Problem::TimeOutOfRange, 1)][..])] {
        let recording = two_tasks().at(1, mark(0)).at(ticks, mark(1)).at(ticks, mark(2));
        assert_eq!(ns_of(&recording, problems)[1] / 10, MAX_NS / 10, "{ticks}");
    }
}

/// After a restart times continue from where they were, which is limited too.
#[test]
fn a_restart_near_the_end_of_time_is_found() {
    let recording = Recording::default()
        .meta(TsResolutionNs { ns_per_ts: 1 })
        .at(0, CoreId { core_id: 0 })
        .at(u64::MAX - 20, mark(0))
        .at(u64::MAX - 10, mark(1))
        .at(0, CoreId { core_id: 0 })
        .at(5, mark(2))
        .at(10, mark(3))
        .at(25, mark(4));
    let inputs = [Input::from_bytes("r", &recording.0)];
    let (_, summary) = times_of(&inputs, &Options::default());
    assert_eq!(summary.diagnostics.count(Problem::Restart), 1);
    assert_eq!(summary.diagnostics.count(Problem::TimeOutOfRange), 1);
}
