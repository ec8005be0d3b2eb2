//! Clocks that are not one: cores with timers of their own, boards. Their recordings are made of one story, whose times are
//! known; after the alignment each event has its time within the uncertainty that was stated.

use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;

use tband_conv::align::{AlignBy, AlignError, Aligned, align};
use tband_conv::{EventSink, Events, Input, Options, TimedEvent, convert};
use tband_format::registry::clock_sync;
use tband_format::{Event, Str, encode_frame, max_frame_len};

/// A clock of a story: ticks of its own at a time in ns.
#[derive(Clone, Copy)]
struct Clock {
    hz: f64,
    ppm: f64,
    begin_ns: f64,
}

impl Clock {
    const FIRST: Self = Self { hz: 1e7, ppm: 0.0, begin_ns: 0.0 };

    fn ticks(self, ns: f64) -> u64 {
        ((ns - self.begin_ns) * 1e-9 * self.hz * (1.0 + self.ppm * 1e-6)).floor() as u64
    }
}

fn frame(bytes: &mut Vec<u8>, ts: u64, event: &Event<'_>) {
    let mut frame = vec![0; max_frame_len(event, ts)];
    let len = encode_frame(event, ts, &mut frame).expect("a frame");
    bytes.extend_from_slice(&frame[..len]);
}

/// What a clock records: time in ns, and what.
type Story = Vec<(f64, Event<'static>)>;

/// Jitter that looks random, up to so many ns.
fn jitter(seed: &mut u64, most: u64) -> f64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    ((*seed >> 33) % (most + 1)) as f64
}

const EVERY_NS: f64 = 20e6;
const ROUNDS: u32 = 100;
/// The events that are looked at: value marker 5 with the number of the event.
const LOOKED_AT: u32 = 5;

fn value(id: u32, val: u32) -> Event<'static> {
    Event::Valmarker { valmarker_id: id, val: val.into() }
}

/// Two that tell each other numbers, with messages of 3 to 9 us, and record what they do in turn every ms.
fn exchange(numbered: u32) -> (Story, Story, BTreeMap<u32, f64>) {
    let (mut first, mut second, mut truth) = (Story::new(), Story::new(), BTreeMap::new());
    let mut seed = 1;
    for round in 0..ROUNDS {
        let start = 50e6 + f64::from(round) * EVERY_NS;
        let arrives = start + 3000.0 + jitter(&mut seed, 6000);
        let returns = arrives + 2000.0 + 3000.0 + jitter(&mut seed, 6000);
        first.push((start, value(clock_sync::SENT, 2 * round)));
        second.push((arrives, value(clock_sync::HEARD, 2 * round)));
        second.push((arrives + 2000.0, value(clock_sync::SENT, 2 * round + 1)));
        first.push((returns, value(clock_sync::HEARD, 2 * round + 1)));
        for step in 0..10 {
            let (number, ns) = (numbered + round * 10 + step, start + 1e6 + f64::from(step) * 1e6);
            truth.insert(number, ns);
            let story = if step % 2 == 0 { &mut first } else { &mut second };
            story.push((ns, value(LOOKED_AT, number)));
        }
    }
    (first, second, truth)
}

fn recording(clock: Clock, story: &Story) -> Vec<u8> {
    let mut bytes = Vec::new();
    let frequency = Event::TsFrequency { numerator: clock.hz as u64, denominator: 1 };
    frame(&mut bytes, clock.ticks(story[0].0), &frequency);
    for (ns, event) in story {
        frame(&mut bytes, clock.ticks(*ns), event);
    }
    bytes
}

/// Times of the events that are looked at.
#[derive(Default)]
struct Times(BTreeMap<u32, i64>);

impl EventSink for Times {
    fn event(&mut self, event: &TimedEvent<'_>) -> io::Result<ControlFlow<()>> {
        if let Event::Valmarker { valmarker_id: LOOKED_AT, val } = event.decoded.event {
            self.0.insert(val as u32, event.at.ns);
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// Aligns and converts. Times of the first clock may all be later by something.
fn times(
    inputs: Vec<Input<'_>>,
    by: &AlignBy,
    within: Option<u64>,
) -> (BTreeMap<u32, i64>, Vec<Aligned>) {
    let (inputs, aligned) = align(inputs, by, within).unwrap_or_else(|error| panic!("{error}"));
    let mut times = Times::default();
    let summary =
        convert(&inputs, &Options::default(), &mut Events::new(&mut times)).expect("a recording");
    let findings: Vec<_> = summary.diagnostics.iter().map(|it| it.to_string()).collect();
    assert!(summary.diagnostics.is_clean(), "{findings:?}");
    (times.0, aligned)
}

/// Each event is as far from each other one as in the story, within what was stated; numbers are even on the first clock.
fn assert_right(times: &BTreeMap<u32, i64>, truth: &BTreeMap<u32, f64>, uncertainty_ns: f64) {
    assert_eq!(times.len(), truth.len());
    let (first, ns) = times.iter().next().expect("an event");
    let later = *ns as f64 - truth[first];
    let mut worst = 0.0_f64;
    for (number, ns) in times {
        let error = (*ns as f64 - truth[number] - later).abs();
        worst = worst.max(error);
        // Ticks are 100 ns, rounded down on both clocks.
        assert!(error <= uncertainty_ns + 400.0, "{number}: {error} > {uncertainty_ns}");
    }
    println!("{worst} ns of {uncertainty_ns} ns");
}

#[test]
fn two_boards_are_right_within_what_is_stated() {
    for (ppm, begin_ns, hz) in
        [(0.0, 0.0, 1e7), (41.5, 30e6, 1e7), (-260.0, -77e9, 1e7), (15.0, 49e6, 32_768_000.0)]
    {
        let other = Clock { hz, ppm, begin_ns };
        let (first, second, truth) = exchange(0);
        let (one, two) = (recording(Clock::FIRST, &first), recording(other, &second));
        let inputs =
            vec![Input::from_bytes("one", &one), Input::from_bytes("two", &two).on_core(1)];
        let (times, aligned) = times(inputs, &AlignBy::ClockSync, None);
        let [found] = &aligned[..] else { panic!("{aligned:?}") };
        assert_eq!((found.moments, found.pieces, found.core), (200, 1, None));
        assert!((found.drift_ppm - ppm).abs() < 2.0, "{found:?} {ppm}");
        // Better than half of one exchange of 8 to 20 us.
        assert!(found.uncertainty_ns < 5000.0, "{found:?}");
        assert_right(&times, &truth, found.uncertainty_ns);
    }
}

#[test]
fn a_board_that_began_before_the_first_makes_nothing_negative() {
    let other = Clock { begin_ns: -5e9, ..Clock::FIRST };
    let (mut first, mut second, truth) = exchange(0);
    let story_begins = 50e6;
    first.retain(|(ns, _)| *ns >= story_begins + 40e6);
    second.insert(0, (-2e9, value(9, 1)));
    let truth: BTreeMap<_, _> = truth
        .into_iter()
        .filter(|(number, ns)| number % 2 == 1 || *ns >= story_begins + 40e6)
        .collect();
    let first_clock = Clock { begin_ns: story_begins, ..Clock::FIRST };
    let (one, two) = (recording(first_clock, &first), recording(other, &second));
    let inputs = vec![Input::from_bytes("one", &one), Input::from_bytes("two", &two).on_core(1)];
    let (times, aligned) = times(inputs, &AlignBy::ClockSync, None);
    assert_right(&times, &truth, aligned[0].uncertainty_ns);
    assert!(times.values().all(|ns| *ns >= 0));
}

#[test]
fn cores_of_one_recording_with_timers_of_their_own() {
    let other = Clock { ppm: 80.0, begin_ns: 12e6, ..Clock::FIRST };
    let (first, second, truth) = exchange(0);
    let mut all: Vec<_> = first
        .into_iter()
        .map(|(ns, event)| (ns, 0, event))
        .chain(second.into_iter().map(|(ns, event)| (ns, 1, event)))
        .collect();
    all.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut bytes = Vec::new();
    let frequency = Event::TsFrequency { numerator: 10_000_000, denominator: 1 };
    frame(&mut bytes, Clock::FIRST.ticks(all[0].0), &frequency);
    let mut current = 0;
    for (ns, core, event) in all {
        let clock = if core == 0 { Clock::FIRST } else { other };
        if core != current {
            frame(&mut bytes, clock.ticks(ns), &Event::CoreId { core_id: core });
            current = core;
        }
        frame(&mut bytes, clock.ticks(ns), &event);
    }
    let (times, aligned) =
        times(vec![Input::from_bytes("cores", &bytes)], &AlignBy::ClockSync, None);
    assert_eq!(aligned[0].core, Some(1));
    assert!((aligned[0].drift_ppm - 80.0).abs() < 2.0, "{aligned:?}");
    assert_right(&times, &truth, aligned[0].uncertainty_ns);
}

/// A marker of a common pin: both record it, up to 2 us late.
fn pulses(name: &'static [u8], text: bool) -> (Story, Story, BTreeMap<u32, f64>) {
    const TEXTS: [&[u8]; 8] = [b"a", b"b", b"c", b"d", b"e", b"f", b"g", b"h"];
    let (mut first, mut second, mut truth) = (Story::new(), Story::new(), BTreeMap::new());
    let mut seed = 3;
    for story in [&mut first, &mut second] {
        story.push((
            40e6,
            if text {
                Event::EvtmarkerName { evtmarker_id: 2, name: Str(name) }
            } else {
                Event::ValmarkerName { valmarker_id: 2, name: Str(name) }
            },
        ));
    }
    for pulse in 0..8_u32 {
        let at = 50e6 + f64::from(pulse) * 250e6;
        let event = if text {
            Event::Evtmarker { evtmarker_id: 2, msg: Str(TEXTS[pulse as usize]) }
        } else {
            value(2, pulse)
        };
        first.push((at + jitter(&mut seed, 2000), event));
        second.push((at + jitter(&mut seed, 2000), event));
        for (step, story) in [(0, &mut first), (1, &mut second)] {
            let (number, ns) = (pulse * 2 + step, at + 10e6 + f64::from(step) * 1e6);
            truth.insert(number, ns);
            story.push((ns, value(LOOKED_AT, number)));
        }
    }
    (first, second, truth)
}

#[test]
fn a_marker_that_both_have_aligns_them() {
    let other = Clock { ppm: -33.0, begin_ns: 9e6, ..Clock::FIRST };
    for text in [false, true] {
        for within in [None, Some(2000)] {
            let (first, second, truth) = pulses(b"pulse", text);
            let (one, two) = (recording(Clock::FIRST, &first), recording(other, &second));
            let inputs =
                vec![Input::from_bytes("one", &one), Input::from_bytes("two", &two).on_core(1)];
            let by = AlignBy::Marker("pulse".to_owned());
            let (times, aligned) = times(inputs, &by, within);
            assert_eq!(aligned[0].moments, 8);
            assert!((aligned[0].drift_ppm + 33.0).abs() < 3.0, "{aligned:?}");
            assert!(aligned[0].uncertainty_ns < 6000.0, "{aligned:?}");
            assert_right(&times, &truth, aligned[0].uncertainty_ns.max(2000.0));
        }
    }
}

#[test]
fn what_has_nothing_in_common_is_refused() {
    let (first, mut second, _) = exchange(0);
    let one = recording(Clock::FIRST, &first);
    let alone = align(vec![Input::from_bytes("one", &one)], &AlignBy::ClockSync, None);
    assert!(matches!(alone, Err(AlignError::OneClock)), "{:?}", alone.map(|it| it.1));
    // In one direction.
    second.retain(|(_, event)| {
        !matches!(event, Event::Valmarker { valmarker_id: clock_sync::SENT, .. })
    });
    let two = recording(Clock::FIRST, &second);
    let both = |by: &AlignBy| {
        let inputs =
            vec![Input::from_bytes("one", &one), Input::from_bytes("two", &two).on_core(1)];
        align(inputs, by, None).map(|it| it.1).expect_err("nothing").to_string()
    };
    let said = both(&AlignBy::ClockSync);
    assert!(said.contains("two has 100 moments in common with one"), "{said}");
    let said = both(&AlignBy::Marker("pulse".to_owned()));
    assert!(said.contains("two has 0 moments in common with one"), "{said}");
}
