//! Several clocks: cores with their own timers, and boards. Their recordings are made from one story with known times; after
//! the alignment, each event has its time within the stated uncertainty.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::rc::Rc;

use proptest::prelude::*;
use tband_conv::align::{AlignBy, AlignError, Aligned, align};
use tband_conv::ctf::{CtfVersion, convert_to_ctf};
use tband_conv::model::{Change, EventSink, EventTime, Events, Sink, TimedEvent, World};
use tband_conv::output::Output;
use tband_conv::sinks::{Perfetto, Stats};
use tband_conv::{Input, Options, convert};
use tband_format::registry::clock_sync;
use tband_format::{Event, Str, encode_frame, max_frame_len};
use tband_recordings::random::config;
use tband_recordings::{Engine, TempFile};

/// A clock of a story: its own ticks at a time in ns.
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

/// A clock's records: time in ns, and event.
type ClockRecords = Vec<(f64, Event<'static>)>;

/// Pseudorandom jitter, up to this many ns.
fn jitter(seed: &mut u64, most: u64) -> f64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    ((*seed >> 33) % (most + 1)) as f64
}

const EVERY_NS: f64 = 20e6;
const ROUNDS: u32 = 100;
/// The events that are compared: value marker 5 with the number of the event.
const LOOKED_AT: u32 = 5;

fn value(id: u32, val: u32) -> Event<'static> {
    Event::Valmarker { valmarker_id: id, val: val.into() }
}

/// Transmission times of messages in both directions, in ns: minimum, and maximum additional time.
#[derive(Clone, Copy)]
struct TransmissionTimes {
    ways: (u64, u64),
    jitters: (u64, u64),
    seed: u64,
}

/// Two clocks that report numbers to each other, with messages of 3 to 9 us, and record events in turn every ms.
fn exchange() -> (ClockRecords, ClockRecords, BTreeMap<u32, f64>) {
    exchange_of(TransmissionTimes { ways: (3000, 3000), jitters: (6000, 6000), seed: 1 })
}

fn exchange_of(ways: TransmissionTimes) -> (ClockRecords, ClockRecords, BTreeMap<u32, f64>) {
    let (mut first, mut second, mut truth) =
        (ClockRecords::new(), ClockRecords::new(), BTreeMap::new());
    let TransmissionTimes { ways: (there, back), jitters, mut seed } = ways;
    for round in 0..ROUNDS {
        let start = 50e6 + f64::from(round) * EVERY_NS;
        let arrives = start + there as f64 + jitter(&mut seed, jitters.0);
        let returns = arrives + 2000.0 + back as f64 + jitter(&mut seed, jitters.1);
        first.push((start, value(clock_sync::SENT, 2 * round)));
        second.push((arrives, value(clock_sync::HEARD, 2 * round)));
        second.push((arrives + 2000.0, value(clock_sync::SENT, 2 * round + 1)));
        first.push((returns, value(clock_sync::HEARD, 2 * round + 1)));
        for step in 0..10 {
            let (number, ns) = (round * 10 + step, start + 2e6 + f64::from(step) * 1e6);
            truth.insert(number, ns);
            let story = if step % 2 == 0 { &mut first } else { &mut second };
            story.push((ns, value(LOOKED_AT, number)));
        }
    }
    (first, second, truth)
}

fn recording(clock: Clock, story: &ClockRecords) -> Vec<u8> {
    let mut bytes = Vec::new();
    let frequency = Event::TsFrequency { numerator: clock.hz as u64, denominator: 1 };
    frame(&mut bytes, clock.ticks(story[0].0), &frequency);
    for (ns, event) in story {
        frame(&mut bytes, clock.ticks(*ns), event);
    }
    bytes
}

/// Times of the compared events.
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

/// Checks that each event is as far from the first one, which is on the first clock, as in the story, within the stated
/// uncertainty.
fn assert_right(times: &BTreeMap<u32, i64>, truth: &BTreeMap<u32, f64>, uncertainty_ns: f64) {
    assert_eq!(times.len(), truth.len());
    let (first, ns) = times.iter().next().expect("an event");
    let later = *ns as f64 - truth[first];
    for (number, ns) in times {
        let error = (*ns as f64 - truth[number] - later).abs();
        // Both are in whole ns.
        assert!(error <= uncertainty_ns + 2.0, "{number}: {error} > {uncertainty_ns}");
    }
}

proptest! {
    #![proptest_config(config(48))]

    /// Whatever the offset, the drift, how long messages take, and how differently in the two directions.
    #[test]
    fn recovers_any_clock_within_the_stated_error(
        offset_ms in -20_000_i32..45,
        ppm in -900.0..900.0_f64,
        hz in prop_oneof![Just(32_768.0), Just(1e6), Just(1e7), Just(48e6)],
        ways in (0_u64..300_000, 0_u64..300_000),
        jitters in (0_u64..200_000, 0_u64..200_000),
        seed: u64,
    ) {
        let other = Clock { hz, ppm, begin_ns: f64::from(offset_ms) * 1e6 };
        let (first, second, truth) = exchange_of(TransmissionTimes { ways, jitters, seed });
        let (one, two) = (recording(Clock::FIRST, &first), recording(other, &second));
        let inputs =
            vec![Input::from_bytes("one", &one), Input::from_bytes("two", &two).on_core(1)];
        let (times, aligned) = times(inputs, &AlignBy::ClockSync, None);
        assert_right(&times, &truth, aligned[0].uncertainty_ns);
        // At most half of the transmission times in both directions, and the ticks of both.
        let round = (ways.0 + ways.1 + jitters.0 + jitters.1) as f64;
        let most = round * 0.55 + 5.0 * (1e9 / hz + 100.0);
        prop_assert!(aligned[0].uncertainty_ns < most, "{aligned:?}: {most}");
    }
}

#[test]
fn two_boards_are_right_within_what_is_stated() {
    for (ppm, begin_ns, hz) in
        [(0.0, 0.0, 1e7), (41.5, 30e6, 1e7), (-260.0, -77e9, 1e7), (15.0, 49e6, 32_768_000.0)]
    {
        let other = Clock { hz, ppm, begin_ns };
        let (first, second, truth) = exchange();
        let (one, two) = (recording(Clock::FIRST, &first), recording(other, &second));
        let inputs =
            vec![Input::from_bytes("one", &one), Input::from_bytes("two", &two).on_core(1)];
        let (times, aligned) = times(inputs, &AlignBy::ClockSync, None);
        let [found] = &aligned[..] else { panic!("{aligned:?}") };
        assert_eq!((found.moments, found.pieces, found.core), (200, 1, None));
        assert!((found.drift_ppm - ppm).abs() < 2.0, "{found:?} {ppm}");
        // Better than half of one exchange of 8 to 20 us.
        assert!(found.uncertainty_ns < 5200.0, "{found:?}");
        assert_right(&times, &truth, found.uncertainty_ns);
    }
}

#[test]
fn an_earlier_board_causes_no_negative_times() {
    let other = Clock { begin_ns: -5e9, ..Clock::FIRST };
    let (mut first, mut second, truth) = exchange();
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

/// Returns a recording of two cores; core 1 has another clock.
fn two_cores(other: Clock, mut all: Vec<(f64, u32, Event<'static>)>) -> Vec<u8> {
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
    bytes
}

#[test]
fn aligns_cores_with_separate_timers() {
    let other = Clock { ppm: 80.0, begin_ns: 12e6, ..Clock::FIRST };
    let (first, second, truth) = exchange();
    let first = first.into_iter().map(|(ns, event)| (ns, 0, event));
    let second = second.into_iter().map(|(ns, event)| (ns, 1, event));
    let bytes = two_cores(other, first.chain(second).collect());
    let (times, aligned) =
        times(vec![Input::from_bytes("cores", &bytes)], &AlignBy::ClockSync, None);
    assert_eq!(aligned[0].core, Some(1));
    assert!((aligned[0].drift_ppm - 80.0).abs() < 2.0, "{aligned:?}");
    assert_right(&times, &truth, aligned[0].uncertainty_ns);
}

/// A marker of a common pin: both record it, up to 2 us late.
fn pulses(name: &'static [u8], text: bool) -> (ClockRecords, ClockRecords, BTreeMap<u32, f64>) {
    const TEXTS: [&[u8]; 8] = [b"a", b"b", b"c", b"d", b"e", b"f", b"g", b"h"];
    let (mut first, mut second, mut truth) =
        (ClockRecords::new(), ClockRecords::new(), BTreeMap::new());
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
fn refuses_clocks_without_common_events() {
    let (first, mut second, _) = exchange();
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
    let printed = both(&AlignBy::ClockSync);
    assert!(printed.contains("two has 100 moments in common with one"), "{printed}");
    let printed = both(&AlignBy::Marker("pulse".to_owned()));
    assert!(printed.contains("two has 0 moments in common with one"), "{printed}");
}

/// An interrupt of a common pin, at uneven times: each records it up to 2 us late. The other has begun later.
fn edges() -> (ClockRecords, ClockRecords, BTreeMap<u32, f64>) {
    let (mut first, mut second, mut truth) =
        (ClockRecords::new(), ClockRecords::new(), BTreeMap::new());
    let mut seed = 5;
    let name = Event::IsrName { isr_id: 3, name: Str(b"pin") };
    first.push((40e6, name));
    second.push((300e6, name));
    let mut at = 50e6;
    for pulse in 0..40_u32 {
        at += 20e6 + jitter(&mut seed, 60_000_000);
        for story in [&mut first, &mut second] {
            let late = at + jitter(&mut seed, 2000);
            if late >= story[0].0 {
                story.push((late, Event::IsrEnter { isr_id: 3 }));
                story.push((late + 500.0, Event::IsrExit { isr_id: 3 }));
            }
        }
        for (step, story) in [(0, &mut first), (1, &mut second)] {
            let (number, ns) = (pulse * 2 + step, at + 10e6 + f64::from(step) * 1e6);
            if ns >= story[0].0 {
                truth.insert(number, ns);
                story.push((ns, value(LOOKED_AT, number)));
            }
        }
    }
    (first, second, truth)
}

#[test]
fn a_pulse_without_a_number_aligns_them() {
    let other = Clock { ppm: 71.0, begin_ns: -3e9, hz: 16e6 };
    let (first, second, truth) = edges();
    assert!(second.len() < first.len() - 10, "the other has begun later");
    let (one, two) = (recording(Clock::FIRST, &first), recording(other, &second));
    let inputs = || vec![Input::from_bytes("one", &one), Input::from_bytes("two", &two).on_core(1)];
    for within in [None, Some(2000)] {
        let (times, aligned) = times(inputs(), &AlignBy::Pulse("pin".to_owned()), within);
        assert!((aligned[0].drift_ppm - 71.0).abs() < 3.0, "{aligned:?}");
        assert!(aligned[0].uncertainty_ns < 8000.0, "{aligned:?}");
        assert_right(&times, &truth, aligned[0].uncertainty_ns);
    }
    let none = align(inputs(), &AlignBy::Pulse("other".to_owned()), None).expect_err("no pulse");
    assert!(none.to_string().contains("two has 0 moments in common with one"), "{none}");
}

/// When a computer has received each event, in blocks: at least 200 us after it, most of them up to 5 ms later.
fn received(recording: &[u8], story: &ClockRecords, seed: u64) -> Vec<(u64, u64)> {
    const SINCE_1970: u64 = 1_790_000_000_000_000_000;
    let mut seed = seed;
    let mut ends =
        recording.iter().enumerate().filter(|(_, byte)| **byte == 0).map(|(at, _)| at + 1);
    // The frequency comes first.
    ends.next();
    let mut last = 0;
    let mut blocks = Vec::new();
    for (end, (ns, _)) in ends.zip(story) {
        let slow = jitter(&mut seed, 3) > 0.0;
        let way = 200_000.0 + jitter(&mut seed, if slow { 5_000_000 } else { 50_000 });
        last = last.max(SINCE_1970 + (ns + way) as u64);
        blocks.push((end as u64, last));
    }
    blocks
}

#[test]
fn times_of_receiving_align_them() {
    let other = Clock { ppm: -55.0, begin_ns: 21e6, hz: 1e6 };
    let (first, second, truth) = exchange();
    let (one, two) = (recording(Clock::FIRST, &first), recording(other, &second));
    let inputs = || {
        vec![
            Input::from_bytes("one", &one).with_received(received(&one, &first, 1)),
            Input::from_bytes("two", &two).on_core(1).with_received(received(&two, &second, 2)),
        ]
    };
    for within in [None, Some(300_000)] {
        let (times, aligned) = times(inputs(), &AlignBy::Received, within);
        let [one, two] = &aligned[..] else { panic!("{aligned:?}") };
        // Both run against the computer's clock.
        assert!((two.drift_ppm + 55.0).abs() < 400.0, "{aligned:?}");
        assert!(one.uncertainty_ns < 3e6 && two.uncertainty_ns < 3e6, "{aligned:?}");
        assert_right(&times, &truth, one.uncertainty_ns + two.uncertainty_ns);
    }
    let mut one_only = inputs();
    one_only[1] = Input::from_bytes("two", &two).on_core(1);
    let printed = align(one_only, &AlignBy::Received, None).expect_err("no times").to_string();
    assert!(printed.contains("two: it is not known when it was received"), "{printed}");
}

/// How certain the flows are that were reported, and how far apart their ends.
#[derive(Default)]
struct FlowCollector(Vec<(i64, i64)>);

impl Sink for FlowCollector {
    fn change(&mut self, _: &World, _: EventTime, change: &Change<'_>) -> io::Result<()> {
        if let Change::Flow(flow) = change {
            self.0.push((flow.uncertain_ns, flow.to.ns - flow.from.ns));
        }
        Ok(())
    }
}

/// Core 1 sends to a queue of core 0, whose task wakes 1 us later, or 10 ms later; each core has its own timer.
fn queue_between_cores() -> Vec<u8> {
    let other = Clock { ppm: 80.0, begin_ns: 12e6, ..Clock::FIRST };
    let (first, second, _) = exchange();
    let mut all: Vec<(f64, u32, Event<'static>)> = Vec::new();
    all.extend(first.into_iter().map(|(ns, event)| (ns, 0, event)));
    all.extend(second.into_iter().map(|(ns, event)| (ns, 1, event)));
    all.push((49e6, 0, Event::TaskSwitchedIn { task_id: 1 }));
    all.push((49e6, 1, Event::TaskSwitchedIn { task_id: 2 }));
    for (at, later) in [(55e6, 1e3), (175e6, 10e6)] {
        let waits = Event::CurtaskBlockOnQueueReceive { queue_id: 1, ticks_to_wait: u32::MAX };
        all.push((at - 1e6, 0, waits));
        all.push((at - 0.9e6, 0, Event::TaskSwitchedIn { task_id: 3 }));
        all.push((at, 1, Event::QueueSend { queue_id: 1, len_after: 1 }));
        all.push((at + 100.0, 1, Event::TaskToRdyState { task_id: 1 }));
        all.push((at + later, 0, Event::TaskSwitchedIn { task_id: 1 }));
        all.push((at + later + 300.0, 0, Event::QueueReceive { queue_id: 1, len_after: 0 }));
    }
    two_cores(other, all)
}

#[test]
fn order_between_clocks_is_certain_only_beyond_the_uncertainty() {
    let bytes = queue_between_cores();
    let inputs = vec![Input::from_bytes("cores", &bytes)];
    let (inputs, aligned) = align(inputs, &AlignBy::ClockSync, None).expect("aligned");
    let mut flows = FlowCollector::default();
    let mut stats = Stats::default();
    let mut sinks = (&mut flows, &mut stats);
    let summary = convert(&inputs, &Options::default(), &mut sinks).expect("a recording");
    let [close, apart] = flows.0[..] else { panic!("{:?}", flows.0) };
    assert!(close.0 >= close.1, "{close:?}");
    assert!(close.0 as f64 <= aligned[0].uncertainty_ns + 2.0, "{close:?} {aligned:?}");
    assert_eq!(apart.0, 0, "{apart:?}");
    assert!((10_000_000 - apart.1).abs() < 10_000, "{apart:?}");
    // The numbers show it too.
    let clock = summary.clocks.iter().next().expect("a clock");
    assert_eq!((clock.name.as_str(), &clock.cores[..]), ("core 1", &[1][..]));
    assert!((clock.worst_ns() as f64 - aligned[0].uncertainty_ns).abs() < 1.0);
    let [pair] = &stats.between_cores().collect::<Vec<_>>()[..] else { panic!("one pair") };
    assert_eq!((pair.from, pair.to, pair.wakes.count(), pair.migrations), (1, 0, 2, 0));
    assert_eq!(pair.uncertain_ns, clock.worst_ns());
    // Without an alignment the cores have one clock, and times are certain.
    let mut flows = FlowCollector::default();
    let summary = convert(&[Input::from_bytes("cores", &bytes)], &Options::default(), &mut flows)
        .expect("it");
    assert!(summary.clocks.is_single() && flows.0.iter().all(|flow| flow.0 == 0));
}

/// A file in memory.
struct InMemory(Rc<RefCell<Vec<u8>>>);

impl io::Write for InMemory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Packets are copied into a trace only if their times are those to show; and the trace contains the precision of its times.
#[test]
fn a_trace_of_ctf_has_the_times_of_the_first_clock_and_how_precise_they_are() {
    let bytes = tband_recordings::packed::packed(&queue_between_cores(), 256);
    for version in [CtfVersion::One, CtfVersion::Two] {
        for is_aligned in [false, true] {
            let mut inputs = vec![Input::from_bytes("cores", &bytes)];
            let mut within = 0.0;
            if is_aligned {
                let (aligned, clocks) = align(inputs, &AlignBy::ClockSync, None).expect("aligned");
                (inputs, within) = (aligned, clocks[0].uncertainty_ns);
            }
            let metadata = Rc::new(RefCell::new(Vec::new()));
            let mut output = Output::folder(|name| {
                let file = Rc::new(RefCell::new(Vec::new()));
                let file = if name == "metadata" { Rc::clone(&metadata) } else { file };
                Ok(Box::new(InMemory(file)) as Box<_>)
            });
            let summary = convert_to_ctf(&inputs, &Options::default(), version, &mut output);
            let (_, summary) = summary.expect("a trace");
            let is_copied = version == CtfVersion::Two && !is_aligned;
            assert_eq!(summary.unchanged > 0, is_copied, "{version:?} {is_aligned}: {summary:?}");
            let text = String::from_utf8(metadata.take()).expect("text");
            let ticks = (within / 100.0).ceil() as u64;
            let precision = match version {
                CtfVersion::One => format!("\tprecision = {ticks};"),
                CtfVersion::Two => format!(r#""precision":{ticks}"#),
            };
            assert_eq!(text.contains("precision"), is_aligned);
            assert_eq!(text.contains(&precision), is_aligned, "{precision} in {text}");
        }
    }
}

/// How far wrong a clock can be is a counter of Perfetto's, and an argument of arrows whose ends are closer together.
#[test]
fn perfetto_shows_what_is_certain() {
    let Some(engine) = Engine::find() else { return };
    let bytes = queue_between_cores();
    let inputs = vec![Input::from_bytes("cores", &bytes)];
    let (inputs, aligned) = align(inputs, &AlignBy::ClockSync, None).expect("aligned");
    let mut perfetto = Perfetto::new(Vec::new());
    convert(&inputs, &Options::default(), &mut perfetto).expect("a trace");
    let trace = TempFile::new("clocks.pftrace", &perfetto.into_inner());
    let rows = engine.check(
        &trace.0,
        &[
            (
                "clock",
                "t.name || ' ' || (count(*) > 10) || ' ' || cast(max(value) as int)",
                "from counter c join track t on t.id = c.track_id join track p on p.id = t.parent_id \
                 where p.name = 'Clocks' group by t.name",
            ),
            (
                "uncertain",
                "s.name || ' ' || (a.int_value > 0)",
                "from slice s join args a using (arg_set_id) where a.key glob '*times_certain_within_ns' \
                 order by s.ts, s.id",
            ),
        ],
    );
    let of = |tag: &str| -> Vec<String> {
        rows.iter().filter(|row| row.0 == tag).map(|row| row.1.clone()).collect()
    };
    let worst = aligned[0].uncertainty_ns.ceil() as i64;
    let [clock] = &of("clock")[..] else { panic!("{rows:?}") };
    let (name, number) = clock.rsplit_once(' ').expect("a number");
    assert_eq!(name, "core 1: right within ns 1");
    assert!((number.parse::<i64>().expect("ns") - worst).abs() <= 1, "{number} {worst}");
    // Of two arrows the one that is short.
    let mut uncertain = of("uncertain");
    uncertain.sort();
    assert_eq!(uncertain, ["receive queue 1 1", "send queue 1 1"]);
}
