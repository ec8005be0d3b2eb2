//! Sinks of events: they receive the content of the recording, in the order of time, until they stop it; and outputs: one file,
//! or a folder of several.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::rc::Rc;

use proptest::prelude::*;
use tband_conv::clock::moment::Moment;
use tband_conv::convert::events::convert_events;
use tband_conv::diagnostics::{Finding, Problem};
use tband_conv::events::EventReader;
use tband_conv::item::{Item, Mode};
use tband_conv::model::{EventSink, EventTime, Events, TimedEvent, World};
use tband_conv::output::{BoxWrite, Output};
use tband_conv::{ConvError, Input, Options, Summary, convert};
use tband_format::Event::*;
use tband_recordings::random::{config, damage, damages, split, steps, stream};
use tband_recordings::{Recording, TempFile, two_tasks};

/// Data that a sink received.
#[derive(Default)]
struct List {
    calls: Vec<String>,
    /// Times by core.
    times: BTreeMap<u32, Vec<i64>>,
    /// Places by input.
    places: BTreeMap<usize, Vec<u64>>,
    problems: Vec<Problem>,
    /// Calls before each finding, and its time in ns and in ticks.
    findings: Vec<(usize, i64, u64)>,
    most_findings: Option<usize>,
    limit: Option<usize>,
    fails_at: Option<usize>,
}

impl List {
    fn answer(&self) -> io::Result<ControlFlow<()>> {
        match (self.limit, self.fails_at) {
            (_, Some(at)) if self.calls.len() >= at => Err(io::Error::other("full")),
            (Some(limit), _) if self.calls.len() >= limit => Ok(ControlFlow::Break(())),
            _ => Ok(ControlFlow::Continue(())),
        }
    }
}

impl EventSink for List {
    fn start(&mut self, world: &World) -> io::Result<()> {
        self.calls.push(format!("start {:?}", world.start_ns));
        Ok(())
    }

    fn event(&mut self, event: &TimedEvent<'_>) -> io::Result<ControlFlow<()>> {
        let TimedEvent { at, ticks, place, decoded, .. } = event;
        self.times.entry(at.core).or_default().push(at.ns);
        self.places.entry(place.input).or_default().push(place.offset);
        self.calls.push(format!("{} {ticks} {} {}", at.ns, at.core, decoded.event.name()));
        self.answer()
    }

    fn finding(
        &mut self,
        at: EventTime,
        ticks: u64,
        finding: &Finding<'_>,
    ) -> io::Result<ControlFlow<()>> {
        self.problems.push(finding.problem);
        self.findings.push((self.calls.len(), at.ns, ticks));
        if Some(self.problems.len()) == self.most_findings {
            return Ok(ControlFlow::Break(()));
        }
        Ok(ControlFlow::Continue(()))
    }

    fn finish(&mut self, end_ns: i64) -> io::Result<()> {
        self.calls.push(format!("finish {end_ns}"));
        Ok(())
    }
}

fn reported(inputs: &[Input<'_>], options: &Options) -> List {
    let mut list = List::default();
    let summary = convert_events(inputs, options, &mut list).unwrap();
    for problem in Problem::ALL {
        let count = list.problems.iter().filter(|it| *it == problem).count();
        assert_eq!(summary.diagnostics.count(*problem), count as u64, "{problem:?}");
    }
    list
}

fn three() -> Recording {
    two_tasks()
        .at(100, TaskSwitchedIn { task_id: 1 })
        .at(200, TaskSwitchedIn { task_id: 2 })
        .at(300, TaskSwitchedIn { task_id: 1 })
}

#[test]
fn reports_every_event_between_start_and_finish() {
    let recording = three();
    let list = reported(&[Input::from_bytes("r", &recording.0)], &Options::default());
    assert_eq!(
        list.calls,
        [
            "start Some(1000)",
            "1000 0 0 ts_resolution_ns",
            "1000 0 0 task_name",
            "1000 0 0 task_name",
            "1000 100 0 task_switched_in",
            "2000 200 0 task_switched_in",
            "3000 300 0 task_switched_in",
            "finish 3000",
        ]
    );
}

#[test]
fn a_window_is_kept_to() {
    let (recording, mut options) = (three(), Options::default());
    (options.from, options.to) = (Some(Moment::Ticks(150)), Some(Moment::Ns(2000)));
    let list = reported(&[Input::from_bytes("r", &recording.0)], &options);
    assert_eq!(list.calls, ["start Some(1000)", "2000 200 0 task_switched_in", "finish 2000"]);
}

/// Nothing more is read, and `finish` is called with the reached time.
#[test]
fn a_sink_can_stop_reading() {
    let switch = |it: Recording, n: u64| it.at(n * 10, TaskSwitchedIn { task_id: 1 });
    let recording = (1..100_000).fold(two_tasks(), switch).0;
    let read = Rc::new(Cell::new(0));
    struct CountedReader<'a>(&'a [u8], Rc<Cell<usize>>);
    impl Read for CountedReader<'_> {
        fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
            let len = self.0.read(buf)?;
            self.1.set(self.1.get() + len);
            Ok(len)
        }
    }
    let open = || Ok(Box::new(CountedReader(&recording, Rc::clone(&read))) as Box<_>);
    let mut list = List { limit: Some(7), ..List::default() };
    let summary = convert_events(&[Input::new("r", open)], &Options::default(), &mut list).unwrap();
    assert_eq!(list.calls.len(), 8, "{:?}", list.calls);
    assert_eq!(list.calls.last().unwrap(), "finish 300");
    assert!(summary.events < 10, "{}", summary.events);
    // Once completely, and the beginning again.
    assert!(read.get() < recording.len() + 200_000, "{} of {}", read.get(), recording.len());
    // In a conversion the other sinks continue.
    let mut events = Events::new(List { limit: Some(7), ..List::default() });
    let inputs = [Input::from_bytes("r", &recording)];
    let summary = convert(&inputs, &Options::default(), &mut events).unwrap();
    assert_eq!(summary.events, 100_002);
    assert_eq!(events.into_inner().calls.len(), 8);
}

/// Recordings of which something is found at their start, in their middle, at their end.
fn with_findings() -> [Vec<Vec<u8>>; 4] {
    let rate = || Recording::default().at(1, TsFrequency { numerator: 1_000_000, denominator: 1 });
    let changed = rate()
        .at(5, TaskSwitchedIn { task_id: 1 })
        .meta(TsResolutionNs { ns_per_ts: 7 })
        .at(9, TaskSwitchedIn { task_id: 2 })
        .at(19, TaskSwitchedIn { task_id: 1 });
    let far = three().at(u64::MAX - 5, TaskSwitchedIn { task_id: 2 });
    let far = far.at(u64::MAX - 4, TaskSwitchedIn { task_id: 1 });
    let damaged = Recording::default().meta(TsResolutionNs { ns_per_ts: 10 }).raw(&[7, 7, 0]);
    let damaged = damaged.at(100, TaskSwitchedIn { task_id: 1 }).raw(&[7, 7, 0]);
    let damaged = damaged.at(200, TaskSwitchedIn { task_id: 1 });
    [vec![changed.0], vec![Vec::new(), three().0, Vec::new()], vec![far.0], vec![damaged.0]]
}

fn inputs(files: &[Vec<u8>]) -> Vec<Input<'_>> {
    files.iter().map(|bytes| Input::from_bytes("r", bytes)).collect()
}

/// Wherever it has enough, nothing but `finish` is called then.
#[test]
fn a_stopped_sink_receives_no_more_events() {
    let mut findings = 0;
    for files in with_findings() {
        let inputs = inputs(&files);
        let all = reported(&inputs, &Options::default());
        findings += all.problems.len();
        for limit in 2..all.calls.len() {
            let mut list = List { limit: Some(limit), ..List::default() };
            let summary = convert_events(&inputs, &Options::default(), &mut list).unwrap();
            assert_eq!(list.calls[..limit], all.calls[..limit]);
            assert_eq!(list.calls.len(), limit + 1);
            let before: Vec<_> = all.findings.iter().filter(|it| it.0 < limit).copied().collect();
            assert_eq!(list.findings, before, "{limit}");
            assert_eq!(
                summary.diagnostics.iter().map(|it| it.count).sum::<u64>(),
                before.len() as u64
            );
            // The same beside a conversion: with the time of its last event.
            let mut events = Events::new(List { limit: Some(limit), ..List::default() });
            convert(&inputs, &Options::default(), &mut events).unwrap();
            assert_eq!(events.into_inner().calls, list.calls);
        }
        for most in 1..=all.problems.len() {
            let mut list = List { most_findings: Some(most), ..List::default() };
            convert_events(&inputs, &Options::default(), &mut list).unwrap();
            assert_eq!(list.findings, all.findings[..most]);
            let reported = all.findings[most - 1].0;
            assert_eq!(list.calls[..reported], all.calls[..reported]);
            assert_eq!(list.calls.len(), reported + 1, "{:?}", list.calls);
        }
    }
    assert!(findings >= 6, "{findings}");
}

/// Both times of a finding are of one moment.
#[test]
fn a_finding_has_the_same_time_in_ns_and_in_ticks() {
    for (files, tick_ns) in with_findings().iter().zip([1000, 10, 10, 10]) {
        let list = reported(&inputs(files), &Options::default());
        assert!(!list.findings.is_empty());
        for (_, ns, ticks) in list.findings {
            assert_eq!(i128::from(ns), i128::from(ticks) * tick_ns, "{:?}", list.problems);
        }
    }
}

/// Core 1 has its last event long before the end of the window: after that the window does not wait for it.
#[test]
fn a_core_that_has_ended_does_not_keep_the_window_open() {
    let head = two_tasks().at(0, CoreId { core_id: 1 }).at(5, IsrEnter { isr_id: 1 });
    let head = head.at(6, IsrExit { isr_id: 1 }).at(0, CoreId { core_id: 0 });
    let switch = |it: Recording, n: u64| it.at(n * 10, TaskSwitchedIn { task_id: 1 });
    let recording = (1..10_000).fold(head, switch).0;
    let mut options = Options::default();
    options.to = Some(Moment::Ticks(1000));
    let inputs = [Input::from_bytes("r", &recording)];
    let mut list = List::default();
    let summary = convert_events(&inputs, &options, &mut list).unwrap();
    assert_eq!(list.times[&0].len(), 104, "{:?}", list.calls);
    assert!(summary.events < 200, "{}", summary.events);
}

/// Nothing is called after an error.
#[test]
fn an_error_ends_the_reading() {
    let recording = three();
    let inputs = [Input::from_bytes("r", &recording.0)];
    let mut list = List { fails_at: Some(5), ..List::default() };
    let error = convert_events(&inputs, &Options::default(), &mut list).unwrap_err();
    assert!(matches!(error, ConvError::Write(_)), "{error}");
    assert_eq!(list.calls.len(), 5, "{:?}", list.calls);
}

/// Frames that are events, by their offsets.
fn offsets(bytes: &[u8], core: u32) -> Vec<u64> {
    let (mut events, mut offsets) = (EventReader::new(bytes, core, Mode::FreeRtos), Vec::new());
    while let Some(Item { offset, event, .. }) = events.next_item().unwrap() {
        offsets.extend(event.ok().map(|_| offset));
    }
    offsets
}

/// Whether the timer counts at the frequency of the first report all the time.
fn is_one_clock(bytes: &[u8]) -> bool {
    let (mut events, mut is_one) = (EventReader::new(bytes, 0, Mode::FreeRtos), true);
    while let Some(Item { event, .. }) = events.next_item().unwrap() {
        let event = event.map(|decoded| decoded.event);
        is_one &= !matches!(event, Ok(TsFrequency { .. }));
        is_one &= !matches!(event, Ok(TsResolutionNs { ns_per_ts }) if ns_per_ts != 10);
    }
    is_one
}

proptest! {
    #![proptest_config(config(64))]

    /// Of whatever recording every event is reported once, and times of a core never go back; as a sink of a
    /// conversion it is reported the same events.
    #[test]
    fn reports_every_event_once(
        steps in steps(3),
        changes in damages(20),
        is_stream in any::<bool>(),
    ) {
        let mut files = if is_stream { vec![stream(&steps, 10)] } else { split(&steps, 3, 10) };
        damage(&mut files[0], &changes);
        let inputs: Vec<_> = (0..)
            .zip(&files)
            .map(|(core, bytes)| Input::from_bytes(format!("{core}"), bytes).on_core(core))
            .collect();
        let (mut list, options) = (List::default(), Options::default());
        let result = convert_events(&inputs, &options, &mut list);
        // A pair of sinks uses the shared state machine.
        let mut events = (Events::new(List::default()), ());
        let converted = convert(&inputs, &options, &mut events);
        prop_assert_eq!(result.is_ok(), converted.is_ok());
        prop_assume!(result.is_ok());
        // A recording that contradicts itself about its timer has no times that one could rely on.
        let has_one_clock = files.iter().all(|bytes| is_one_clock(bytes));
        for times in list.times.values().filter(|_| has_one_clock) {
            prop_assert!(times.is_sorted(), "{:?}", times);
        }
        for ((input, bytes), core) in files.iter().enumerate().zip(0..) {
            let mut places = list.places.remove(&input).unwrap_or_default();
            places.sort_unstable();
            prop_assert_eq!(&places, &offsets(bytes, core));
        }
        // A single sink of events has its own state machine, and gets the same events.
        let (mut survey, full) = (List::default(), events.0.into_inner());
        let surveyed = convert(&inputs, &options, &mut Events::new(&mut survey)).unwrap();
        prop_assert_eq!(&survey.calls, &full.calls);
        prop_assert_eq!(&survey.findings, &full.findings);
        prop_assert_eq!(survey.problems, full.problems);
        let diagnostics = |it: &Summary| format!("{:?}", it.diagnostics);
        prop_assert_eq!(diagnostics(&surveyed), diagnostics(&converted.unwrap()));
        let (mut one, mut other) = (list.calls, full.calls);
        // For simultaneous events on several cores the timeline knows a better order.
        one.retain(|call| !call.starts_with("finish"));
        other.retain(|call| !call.starts_with("finish"));
        one.sort_unstable();
        other.sort_unstable();
        prop_assert_eq!(one, other);
    }
}

/// One file a core.
struct Csv<'a> {
    output: Output<'a>,
    files: BTreeMap<u32, BoxWrite<'a>>,
}

impl EventSink for Csv<'_> {
    fn event(&mut self, event: &TimedEvent<'_>) -> io::Result<ControlFlow<()>> {
        let TimedEvent { at, decoded, .. } = event;
        if !self.files.contains_key(&at.core) {
            let mut file = self.output.file(&format!("core{}.csv", at.core))?;
            file.write_all(b"ns,event\n")?;
            self.files.insert(at.core, file);
        }
        let file = self.files.get_mut(&at.core).unwrap();
        writeln!(file, "{},{}", at.ns, decoded.event.name())?;
        Ok(ControlFlow::Continue(()))
    }

    fn finish(&mut self, _: i64) -> io::Result<()> {
        self.files.values_mut().try_for_each(Write::flush)
    }
}

fn csv(output: Output<'_>, files: &[Vec<u8>]) -> Result<(), ConvError> {
    let inputs: Vec<_> = (0..)
        .zip(files)
        .map(|(core, bytes)| Input::from_bytes(format!("{core}"), bytes).on_core(core))
        .collect();
    let mut csv = Csv { output, files: BTreeMap::new() };
    convert_events(&inputs, &Options::default(), &mut csv).map(drop)
}

/// A file in memory.
#[derive(Clone, Default)]
struct MemoryFile(Rc<RefCell<Vec<u8>>>);

impl Write for MemoryFile {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(buf)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn several_files_go_into_a_folder() {
    let recordings = [
        Recording::default().at(5, TaskSwitchedIn { task_id: 1 }).0,
        Recording::default().at(7, IsrEnter { isr_id: 1 }).at(9, IsrExit { isr_id: 1 }).0,
    ];
    let expected = [
        ("core0.csv", "ns,event\n5,task_switched_in\n"),
        ("core1.csv", "ns,event\n7,isr_enter\n9,isr_exit\n"),
    ];
    // In memory.
    let memory = RefCell::new(BTreeMap::<String, MemoryFile>::new());
    let create = |name: &str| {
        let file = memory.borrow_mut().entry(name.to_owned()).or_default().clone();
        Ok(Box::new(file) as Box<_>)
    };
    csv(Output::folder(create), &recordings).unwrap();
    for (name, text) in expected {
        assert_eq!(String::from_utf8_lossy(&memory.borrow()[name].0.borrow()), text);
    }
    // On disk.
    let place = TempFile::new("folder", b"");
    std::fs::remove_file(&place.0).unwrap();
    std::fs::create_dir(&place.0).unwrap();
    let create = |name: &str| Ok(Box::new(std::fs::File::create(place.0.join(name))?) as Box<_>);
    csv(Output::folder(create), &recordings).unwrap();
    for (name, text) in expected {
        assert_eq!(std::fs::read_to_string(place.0.join(name)).unwrap(), text);
    }
    std::fs::remove_dir_all(&place.0).unwrap();
    // A stream takes one.
    let stream = MemoryFile::default();
    csv(Output::stream(stream.clone()), &recordings[..1]).unwrap();
    assert_eq!(String::from_utf8_lossy(&stream.0.borrow()), expected[0].1);
    let error = csv(Output::stream(stream), &recordings).unwrap_err();
    let ConvError::Write(error) = error else { panic!("{error}") };
    assert_eq!(error.to_string(), "core1.csv would be the second file: name a folder");
}

#[test]
fn a_file_stays_in_its_folder() {
    let mut output = Output::folder(|name| panic!("{name} is made"));
    for name in ["", ".", "..", "../up", "/etc/passwd", "a/b", "a\\b", "C:", "a b", ".hidden", "ä"]
    {
        let error = output.file(name).err().unwrap();
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "{name}");
    }
}
