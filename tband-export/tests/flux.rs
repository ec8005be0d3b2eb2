//! flux, read by a separate reader that knows only the format's description: its rules hold, and counts and times equal those
//! of the timeline.

mod support;

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use support::{SlicesByKind, add_signal, compare, expected, random, sorted, vectors};
use tband_conv::model::{Change, EventTime, Flows, Sink, World};
use tband_conv::{Input, Options, convert};
use tband_export::{Compression, FluxOptions, FluxVersion, convert_to_flux};
use tband_flux_reader::{Arrow, File, Trace};
use tband_format::Event;
use tband_recordings::random::config;
use tband_recordings::{Recording, str, two_tasks};

const VERSIONS: [FluxVersion; 2] = [FluxVersion::Six, FluxVersion::Four];

/// The one trace of a file of ours, by the rules that we have beyond the format's.
fn read(file: &[u8]) -> Trace {
    let trace = File::read(file).only();
    assert_eq!(trace.name, "tband");
    for (id, item) in &trace.items {
        let known = ["", "gantt<>", "default<df=Hex>"];
        assert!(known.contains(&item.descriptor.as_str()), "{}", item.descriptor);
        assert!(item.samples.iter().all(|it| !it.is_tainted), "{}", trace.path(*id));
    }
    for (item, domain) in &trace.domains {
        assert!(domain == "ns" && trace.items[item].kind.is_none());
    }
    assert!(trace.arrows.iter().all(|it| it.style == "Wake/444444/line/no"));
    trace
}

fn kinds(trace: &Trace) -> SlicesByKind {
    let mut kinds = SlicesByKind::new();
    for (id, item) in trace.items.iter().filter(|(_, item)| item.kind.is_some()) {
        let name = item.name.as_str();
        let is_isr = trace.path(*id).contains("\\interrupts\\") && !name.ends_with("_acts");
        add_signal(&mut kinds, name, is_isr, item.slices.iter().cloned());
    }
    sorted(kinds)
}

/// Times of causes and effects, as the timeline reports them.
#[derive(Default)]
struct FlowCollector(Vec<(i64, i64)>);

impl Sink for FlowCollector {
    fn change(&mut self, _: &World, _: EventTime, change: &Change<'_>) -> std::io::Result<()> {
        if let Change::Flow(flow) = change
            && !flow.is_to_itself()
            && [flow.from.actor, flow.to.actor]
                .iter()
                .all(|it| !matches!(it, tband_conv::model::Actor::UnknownIsr))
        {
            self.0.push((flow.from.ns, flow.to.ns));
        }
        Ok(())
    }
}

fn converted(inputs: &[Input<'_>], options: &Options, how: FluxOptions) -> Vec<u8> {
    let mut out = Vec::new();
    convert_to_flux(inputs, options, how, &mut out).unwrap();
    out
}

fn check(inputs: &[Input<'_>], options: &Options) {
    let expected = expected(inputs, options);
    let mut wakes = FlowCollector::default();
    convert(inputs, options, &mut wakes).unwrap();
    let mut wakes = wakes.0;
    wakes.sort_unstable();
    let reads = VERSIONS.map(|version| {
        let compression = Compression::Lz4;
        read(&converted(inputs, options, FluxOptions { version, compression }))
    });
    for read in &reads {
        compare(&kinds(read), &expected, "flux");
        let mut arrows: Vec<_> = read.arrows.iter().map(|it| (it.from.1, it.to.1)).collect();
        arrows.sort_unstable();
        assert_eq!(arrows, wakes, "wakes");
    }
    assert_eq!(reads.each_ref().map(|read| read.version), [6, 4]);
}

#[test]
fn recordings_of_another_implementation_are_the_timeline() {
    for flows in [Flows::Wakes, Flows::All] {
        let mut options = Options::default();
        options.flows = flows;
        vectors(|inputs| check(inputs, &options));
    }
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn random_recordings_are_the_timeline(recording in random(|_| true)) {
        recording.check(check);
    }
}

/// A wake-up is an arrow from the waker; where a core's events are missing its sequence ends, and the rest continues.
#[test]
fn wakes_are_relations_and_gaps_end_sequences() {
    let recording = two_tasks()
        .meta(Event::QueueName { queue_id: 4, name: str("rx") })
        .at(10, Event::TaskSwitchedIn { task_id: 1 })
        .at(20, Event::CurtaskBlockOnQueueReceive { queue_id: 4, ticks_to_wait: 9 })
        .at(30, Event::TaskSwitchedIn { task_id: 2 })
        .at(40, Event::QueueSend { queue_id: 4, len_after: 1 })
        .at(41, Event::TaskToRdyState { task_id: 1 })
        .at(50, Event::TaskSwitchedIn { task_id: 1 })
        .at(60, Event::QueueReceive { queue_id: 4, len_after: 0 })
        .at(61, Event::Evtmarker { evtmarker_id: 3, msg: str("a message") })
        .at(62, Event::Evtmarker { evtmarker_id: 3, msg: str("a message") })
        .at(63, Event::Valmarker { valmarker_id: 3, val: -129 })
        .at(90, Event::DroppedEvtCnt { cnt: 5 })
        .at(95, Event::TaskSwitchedIn { task_id: 1 })
        .at(100, Event::TaskSwitchedIn { task_id: 2 });
    let inputs = [Input::from_bytes("r", &recording.0)];
    check(&inputs, &Options::default());
    let read = read(&converted(&inputs, &Options::default(), FluxOptions::default()));
    let arrow = Arrow {
        from: ("\\target\\tasks\\b\\state".to_owned(), 400),
        to: ("\\target\\tasks\\a\\acts".to_owned(), 600),
        style: "Wake/444444/line/no".to_owned(),
    };
    assert_eq!(read.arrows, [arrow]);
    assert_eq!(
        read.find("\\target\\tasks\\a\\acts").values(),
        [(600, "woken: receive rx".to_owned())]
    );
    let sequences: Vec<_> =
        read.sequences.iter().map(|(id, count)| (read.path(*id), *count)).collect();
    assert_eq!(sequences, [("\\core_0".to_owned(), 2), ("\\target".to_owned(), 1)]);
    let running: Vec<_> = read.find("\\core_0\\running").slices.clone();
    let is = |from, to, name: &str| (from, to, name.to_owned());
    let ran = [
        is(100, 300, "a"),
        is(300, 500, "b"),
        is(500, 630, "a"),
        is(950, 1000, "a"),
        is(1000, 1001, "b"),
    ];
    assert_eq!(running, ran);
    let messages = &read.find("\\target\\event_markers\\evtmarker_3\\text").values();
    assert_eq!(*messages, [(610, "a message".to_owned()), (620, "a message".to_owned())]);
    let fired = &read.find("\\target\\event_markers\\evtmarker_3\\fired").values();
    assert_eq!(fired.len(), 2);
}

/// Blocks of each kind have the same in them, and are smaller; zlib is of version 6.
#[test]
fn blocks_are_compressed() {
    let mut recording = two_tasks();
    for n in 1..=20_000_u64 {
        let long = format!("{n} {}", "x".repeat(300));
        recording.0.extend(tband_recordings::frame(
            10 * n,
            Event::TaskSwitchedIn { task_id: 1 + (n % 2) as u32 },
        ));
        if n % 50 == 0 {
            recording.0.extend(tband_recordings::frame(
                10 * n + 1,
                Event::Evtmarker { evtmarker_id: 1, msg: str(&long) },
            ));
        }
    }
    let inputs = [Input::from_bytes("r", &recording.0)];
    let file = |version, compression| {
        converted(&inputs, &Options::default(), FluxOptions { version, compression })
    };
    use {Compression::*, FluxVersion::*};
    let none = file(Six, None);
    let of_none = kinds(&read(&none));
    for (version, compression, mode) in
        [(Six, Lz4, 0), (Six, Zlib, 2), (Four, Lz4, 0), (Four, Zlib, 0)]
    {
        let packed = file(version, compression);
        assert!(packed.len() < none.len() * 2 / 3, "{} of {}", packed.len(), none.len());
        assert_eq!(File::read(&packed).blocks, BTreeSet::from([mode]));
        assert_eq!(kinds(&read(&packed)), of_none);
    }
    assert_eq!(&none[..7], b"\0\x01flux\x06");
}

#[test]
fn an_empty_recording_gives_a_valid_file() {
    let recording = Recording::default().at(5, Event::IsrEnter { isr_id: 1 });
    let inputs = [Input::from_bytes("r", &recording.0)];
    check(&inputs, &Options::default());
}

/// Returns the slices of signals by their paths, of the kinds that an import preserves.
fn slices(trace: &Trace) -> BTreeMap<String, Vec<(i64, i64, String)>> {
    let comes_back = |path: &str| {
        let ["", scope, of, .., last] = path.split('\\').collect::<Vec<_>>()[..] else {
            return false;
        };
        match of {
            "running" => true,
            "interrupts" => !last.ends_with("_acts"),
            "tasks" => matches!(last, "state" | "priority"),
            "queues" | "semaphores" => last == "level",
            "mutexes" => last == "holder",
            "event_markers" => matches!(last, "fired" | "open"),
            "value_markers" => scope == "target",
            _ => false,
        }
    };
    let signals = trace.items.iter().filter(|(_, item)| item.kind.is_some());
    let paths = signals.map(|(id, item)| {
        let path = trace.path(*id);
        // The import takes the running task for the holder of a mutex.
        let is_holder = path.ends_with("\\holder");
        let value = |value: &str| {
            if is_holder && value != "free" { "held".to_owned() } else { value.to_owned() }
        };
        let slices = item.slices.iter().map(|(from, to, of)| (*from, *to, value(of))).collect();
        (path, slices)
    });
    paths
        .filter(|(path, slices): &(String, Vec<_>)| comes_back(path) && !slices.is_empty())
        .collect()
}

/// A file of ours that is read and written once more is the same: states with the reasons of waits, running tasks, interrupts,
/// priorities, levels, holds of mutexes, markers and values.
#[test]
fn an_import_restores_the_export() {
    let mut options = Options::default();
    options.flows = Flows::None;
    for version in VERSIONS {
        let how = FluxOptions { version, compression: Compression::Lz4 };
        vectors(|inputs| {
            let once = converted(inputs, &options, how);
            let twice = converted(&[Input::from_bytes("r", &once)], &options, how);
            let (once, twice) = (slices(&read(&once)), slices(&read(&twice)));
            for (path, slices) in &once {
                let again = twice.get(path);
                let differs = again.map(|again| again.iter().zip(slices).find(|(a, b)| a != b));
                assert_eq!(again, Some(slices), "{path}: {differs:?}");
            }
        });
    }
}
