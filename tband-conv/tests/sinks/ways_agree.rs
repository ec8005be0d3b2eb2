//! Every fast path has a slow one, and both must give the same result for any recording.
//!
//! Fast paths: short complete frames, the events of one core without a merge, a switch as one step, counting without decoding.

use std::io::{self, Read};

use proptest::prelude::*;
use tband_conv::census::KindCount;
use tband_conv::convert::take_census::take_census;
use tband_conv::dump::{DumpFormat, DumpOptions, dump};
use tband_conv::events::EventReader;
use tband_conv::item::{Defect, Item, Mode, Origin, Visitor};
use tband_conv::model::{Change, EventTime, Flows, Sink, World};
use tband_conv::sinks::{Observation, Perfetto, Stats, TimelineText};
use tband_conv::{Input, Options, Summary, convert};
use tband_format::Event::{TaskPrioritySet, TaskSwitchedIn, TaskToRdyState};
use tband_format::decode::Decoded;
use tband_format::registry::EVENTS;
use tband_recordings::packed::packed;
use tband_recordings::random::{Step, config, damage, damages, late_steps, split, stream};
use tband_recordings::two_tasks;

/// Returns a few bytes per read.
struct SlowReader<'a>(&'a [u8], usize);

impl Read for SlowReader<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let len = self.1.min(buf.len());
        self.0.read(&mut buf[..len])
    }
}

fn slow(bytes: &[u8], step: usize) -> Input<'_> {
    Input::new("r", move || Ok(Box::new(SlowReader(bytes, step))))
}

/// A sink that gets the two steps of a switch one by one.
#[derive(Default)]
struct SplitSwitchSink<S>(S);

impl<S: Sink> Sink for SplitSwitchSink<S> {
    fn start(&mut self, world: &World) -> io::Result<()> {
        self.0.start(world)
    }

    fn change(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        self.0.change(world, at, change)
    }

    fn finish(&mut self, world: &World, end_ns: i64) -> io::Result<()> {
        self.0.finish(world, end_ns)
    }
}

type Sinks = (TimelineText<Vec<u8>>, (Perfetto<Vec<u8>>, Stats));

fn sinks() -> Sinks {
    let text = TimelineText::new(Vec::new()).detailed();
    (text, (Perfetto::new(Vec::new()), Stats::default()))
}

/// The outputs of a conversion.
#[derive(PartialEq)]
struct ConversionOutput {
    timeline: String,
    trace: Vec<u8>,
    numbers: String,
    summary: String,
}

fn convert_to_output((text, (trace, numbers)): Sinks, summary: &Summary) -> ConversionOutput {
    ConversionOutput {
        timeline: String::from_utf8(text.into_inner()).unwrap(),
        trace: trace.into_inner(),
        numbers: format!("{numbers:?}"),
        summary: format!("{:?}", summary.diagnostics),
    }
}

fn options() -> Options {
    let mut options = Options::default();
    options.flows = Flows::All;
    options.census = true;
    options
}

fn conversion(inputs: &[Input<'_>]) -> ConversionOutput {
    let mut sinks = sinks();
    let summary = convert(inputs, &options(), &mut sinks).unwrap();
    let made = convert_to_output(sinks, &summary);
    // The sinks that have their own compiled state machine.
    let mut stats = Stats::default();
    let summary = convert(inputs, &options(), &mut stats).unwrap();
    assert_eq!(format!("{stats:?}"), made.numbers);
    assert_eq!(format!("{:?}", summary.diagnostics), made.summary);
    let mut trace = Vec::new();
    let out: &mut dyn io::Write = &mut trace;
    convert(inputs, &options(), &mut Perfetto::new(out)).unwrap();
    assert!(trace == made.trace, "traces differ");
    made
}

#[track_caller]
fn assert_same(one: &ConversionOutput, other: &ConversionOutput) {
    for (one, other) in one.timeline.lines().zip(other.timeline.lines()) {
        assert_eq!(one, other);
    }
    assert_eq!(one.timeline, other.timeline);
    assert_eq!(one.numbers, other.numbers);
    assert_eq!(one.summary, other.summary);
    assert!(one.trace == other.trace, "traces differ");
}

/// Collects the items of a reader.
#[derive(Default)]
struct ItemCollector(Vec<String>);

fn line(core: u32, offset: u64, decoded: &Decoded<'_>) -> String {
    format!("{core} {offset} {decoded:?}")
}

impl Visitor for ItemCollector {
    type Error = io::Error;

    const FREQUENT: [bool; 256] = [true; 256];

    /// Not all of them, so that the others take the other path.
    fn pass(&mut self, origin: &Origin, decoded: &Decoded<'_>) -> io::Result<bool> {
        let passes = !origin.offset().is_multiple_of(3);
        if passes {
            self.event(origin, decoded)?;
        }
        Ok(passes)
    }

    fn event(&mut self, origin: &Origin, decoded: &Decoded<'_>) -> io::Result<()> {
        self.0.push(line(origin.core, origin.offset(), decoded));
        Ok(())
    }

    fn other(&mut self, item: &Item<'_>) -> io::Result<()> {
        self.0.push(format!("{item:?}"));
        Ok(())
    }
}

/// Both ways to read events, complete and in pieces.
fn read_in_all_ways(bytes: &[u8]) {
    for mode in [Mode::FreeRtos, Mode::BareMetal] {
        let mut expected = Vec::new();
        let mut reader = EventReader::new(bytes, 0, mode);
        let (mut events, mut lines) = (0, 0);
        while let Some(item) = reader.next_item().unwrap() {
            let Item { core, offset, .. } = item;
            events += u64::from(item.event.is_ok());
            // An item without a loss has no line in a dump.
            lines += usize::from(!matches!(&item.event, Err(defect) if defect.is_beside()));
            expected.push(match &item.event {
                Ok(decoded) => line(core, offset, decoded),
                Err(_) => format!("{item:?}"),
            });
        }
        for step in [usize::MAX, 1, 7, 64] {
            let mut visited = ItemCollector::default();
            let mut reader = EventReader::new(SlowReader(bytes, step), 0, mode);
            reader.visit(&mut visited).unwrap();
            assert_eq!(visited.0, expected);
            assert_eq!((reader.events(), reader.offset()), (events, bytes.len() as u64));
        }
        let mut out = Vec::new();
        let wanted = DumpOptions { mode, ..DumpOptions::of(DumpFormat::Json) };
        if let Ok(summary) = dump(&[slow(bytes, 5)], wanted, &mut out) {
            assert_eq!(summary.events, events);
            assert_eq!(out.iter().filter(|byte| **byte == b'\n').count(), lines);
        }
    }
}

/// Returns the event counts of these bytes, as in its `Debug` form, from single items.
fn counted(bytes: &[u8]) -> String {
    let mut reader = EventReader::new(bytes, 0, Mode::FreeRtos);
    let mut kinds = [KindCount::default(); 256];
    let mut damaged = KindCount::default();
    while let Some(item) = reader.next_item().unwrap() {
        let kind = match item.event {
            Ok(decoded) => &mut kinds[usize::from(decoded.event.id())],
            // Missing packets have no bytes, and a restored packet is not damage.
            Err(Defect::Missing(_) | Defect::Restored(..)) => continue,
            Err(_) => &mut damaged,
        };
        kind.count += 1;
        // Reports about packets have no bytes.
        if item.len > 0 || item.event.is_err() {
            kind.bytes += item.len + 1;
        }
    }
    let name = |id: usize| EVENTS.iter().find(|event| usize::from(event.id) == id).unwrap().name;
    let kinds = kinds.into_iter().enumerate().filter(|(_, kind)| kind.count > 0);
    let kinds: Vec<_> = kinds.map(|(id, kind)| (name(id), kind)).collect();
    format!("Census {{ kinds: {kinds:?}, damaged: {damaged:?} }}")
}

proptest! {
    #![proptest_config(config(24))]

    #[test]
    fn every_way_to_read_gives_the_same_events(steps in late_steps(3), damages in damages(20)) {
        let mut bytes = stream(&steps, 10);
        damage(&mut bytes, &damages);
        read_in_all_ways(&bytes);
    }

    /// A byte that is changed costs its frame, or the two that it is between, and no other.
    #[test]
    fn damage_costs_the_frames_that_it_touches(steps in late_steps(2), at in any::<prop::sample::Index>(), value in any::<u8>()) {
        let clean = stream(&steps, 10);
        let at = at.index(clean.len());
        let mut damaged = clean.clone();
        damaged[at] = value;
        let at = at as u64;
        let all = |bytes: &[u8]| {
            let mut reader = EventReader::new(bytes, 0, Mode::FreeRtos);
            let mut frames = Vec::new();
            while let Some(Item { offset, len, event, .. }) = reader.next_item().unwrap() {
                // Closing zeros included.
                frames.push((offset, offset + len, format!("{event:?}")));
            }
            frames
        };
        let touched = |&(start, end, _): &(u64, u64, _)| start <= at + 1 && at <= end;
        let (clean, damaged) = (all(&clean), all(&damaged));
        let kept: Vec<_> = clean.iter().filter(|frame| !touched(frame)).collect();
        prop_assert!(kept.len() + 2 >= clean.len());
        prop_assert!(kept.into_iter().eq(damaged.iter().filter(|frame| !touched(frame))));
    }

    #[test]
    fn all_readers_agree_on_any_bytes(bytes in prop::collection::vec(prop_oneof![0..4_u8, any::<u8>()], 0..600)) {
        read_in_all_ways(&bytes);
    }

    /// Whether they are taken for frames does not depend on how much is read at a time.
    #[test]
    fn packets_after_frames_or_without_their_beginning_are_read_the_same_in_every_way(
        steps in late_steps(1), frames in 0..4_usize, from in 1..300_usize
    ) {
        let bytes = stream(&steps, 1);
        let frames: Vec<_> = bytes.split_inclusive(|byte| *byte == 0).take(frames).collect();
        let packets = packed(&bytes, 256);
        read_in_all_ways(&[&frames.concat()[..], packets.get(from..).unwrap_or_default()].concat());
    }

    /// Recordings of one core: without a merge, in pieces, and merged with a second input.
    #[test]
    fn one_core_is_converted_the_same_in_every_way(steps in late_steps(1), ns in 1..20_u64, damages in damages(6)) {
        let head = stream(&[], ns);
        let mut rest = stream(&steps, ns).split_off(head.len());
        damage(&mut rest, &damages);
        let bytes = [&head[..], &rest].concat();
        let alone = conversion(&[Input::from_bytes("r", &bytes)]);
        assert_same(&conversion(&[slow(&bytes, 3)]), &alone);
        let merged = conversion(&[Input::from_bytes("r", &bytes), Input::from_bytes("o", &head)]);
        assert_same(&merged, &alone);
    }

    #[test]
    fn a_switch_is_the_same_in_one_step_or_two(steps in late_steps(3), ns in 1..20_u64, damages in damages(6)) {
        let mut bytes = stream(&steps, ns);
        damage(&mut bytes, &damages);
        let inputs = [Input::from_bytes("r", &bytes)];
        let (mut one, mut two) = (sinks(), SplitSwitchSink(sinks()));
        let Ok(summary) = convert(&inputs, &options(), &mut one) else { return Ok(()) };
        convert(&inputs, &options(), &mut two).unwrap();
        assert_same(&convert_to_output(one, &summary), &convert_to_output(two.0, &summary));
    }

    #[test]
    fn a_split_recording_gives_the_same_as_the_merged_one(steps in late_steps(3), ns in 1..20_u64) {
        // A file's reports of the timer apply to this file only.
        let is_timed = |step: &Step| {
            let mut events = EVENTS.iter().filter(|it| !it.metadata && it.name != "ts_frequency");
            events.any(|it| it.id == step.payload[0])
        };
        let steps: Vec<_> = steps.into_iter().filter(is_timed).collect();
        let bytes = stream(&steps, ns);
        let together = conversion(&[Input::from_bytes("r", &bytes)]);
        let files = split(&steps, 3, ns);
        let inputs: Vec<_> =
            (0..).zip(&files).map(|(core, file)| Input::from_bytes("r", file).on_core(core)).collect();
        let apart = conversion(&inputs);
        let sorted = |made: &ConversionOutput| {
            // Offsets differ.
            let mut lines: Vec<_> = made.timeline.lines().filter(|line| !line.contains('@')).map(str::to_owned).collect();
            lines.sort();
            lines
        };
        assert_eq!(sorted(&together), sorted(&apart));
    }

    #[test]
    fn events_are_counted_as_items_have_them_and_by_conversions_too(steps in late_steps(2), damages in damages(8)) {
        let mut frames = stream(&steps, 1);
        let mut packets = packed(&frames, 256);
        for bytes in [&mut frames, &mut packets] {
            for broken in [false, true] {
                if broken {
                    damage(bytes, &damages);
                }
                for inputs in [[Input::from_bytes("r", bytes)], [slow(bytes, 3)]] {
                    let census = take_census(&inputs, Mode::FreeRtos).unwrap();
                    prop_assert_eq!(format!("{census:?}"), counted(bytes));
                    prop_assert_eq!(census.bytes, bytes.len() as u64);
                    let Ok(summary) = convert(&inputs, &options(), &mut ()) else { continue };
                    let counted = summary.census.expect("it was asked for");
                    prop_assert_eq!(counted.bytes, census.bytes);
                    prop_assert_eq!(format!("{counted:?}"), format!("{census:?}"));
                }
            }
        }
    }
}

#[test]
fn starvation_is_observed_in_one_step_or_two() {
    let recording = two_tasks()
        .at(10, TaskPrioritySet { task_id: 1, priority: 1 })
        .at(20, TaskPrioritySet { task_id: 2, priority: 2 })
        .at(30, TaskToRdyState { task_id: 1 })
        .at(40, TaskSwitchedIn { task_id: 2 })
        .at(2_000_000_000, TaskSwitchedIn { task_id: 1 })
        .at(2_000_000_010, TaskSwitchedIn { task_id: 2 });
    let inputs = [Input::from_bytes("r", &recording.0)];
    let (mut one, mut two) = (Stats::default(), SplitSwitchSink(Stats::default()));
    convert(&inputs, &options(), &mut one).unwrap();
    convert(&inputs, &options(), &mut two).unwrap();
    let is_starvation = |it: &&Observation| matches!(it, Observation::Starvation { .. });
    assert_eq!(one.observed().filter(is_starvation).count(), 1);
    assert_eq!(format!("{one:?}"), format!("{:?}", two.0));
}
