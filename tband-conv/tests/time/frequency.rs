//! Recordings whose timer counts at any frequency, or near 2^64: every event has the time of exact arithmetic. The cases test
//! changes and contradictions.

use std::io;

use tband_conv::model::{Change, EventTime, Sink, World};
use tband_conv::{Input, Options, convert};
use tband_format::Event::{self, *};
use tband_recordings::Recording;

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

/// Returns the times of the markers in the order of their values; nothing is found.
#[track_caller]
fn times_of(inputs: &[Input<'_>]) -> Vec<(i64, u32, i64)> {
    let mut times = Times::default();
    let summary = convert(inputs, &Options::default(), &mut times).unwrap();
    assert_eq!(summary.diagnostics.iter().count(), 0, "{:?}", summary.diagnostics);
    times.0.sort_unstable();
    times.0
}

/// The times of the markers in one recording.
#[track_caller]
fn ns_of(recording: &Recording) -> Vec<i64> {
    times_of(&[Input::from_bytes("r", &recording.0)]).into_iter().map(|(_, _, ns)| ns).collect()
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
        assert_eq!(ns_of(&recording), expected, "{numerator}/{denominator} Hz");
    }
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
        let found = ns_of(&recording);
        let expected = steps.map(|step| exactly(step, numerator, 1));
        assert_eq!(found, expected, "{first} at {numerator} Hz");
        let other = Recording::default().at(first + 50, mark(9));
        let inputs =
            [Input::from_bytes("0", &recording.0), Input::from_bytes("1", &other.0).on_core(1)];
        let times = times_of(&inputs);
        assert_eq!(times[5], (9, 1, exactly(50, numerator, 1)));
        let of_first: Vec<_> = times[..5].iter().map(|it| it.2).collect();
        assert_eq!(of_first, expected);
    }
}
