//! Conversions that are fed piece by piece: they tell what a conversion of whole inputs tells, whatever the
//! pieces; what a first pass would have known comes late; and they end, early or with an error, as told.

use std::cell::RefCell;
use std::io;
use std::ops::ControlFlow;
use std::rc::Rc;

use proptest::prelude::*;
use tband_conv::sinks::{Perfetto, Stats, TimelineText};
use tband_conv::timeline::{At, Change, World};
use tband_conv::{
    ConvError, Conversion, EventSink, Events, Finding, Input, Moment, Options, Problem, Sink, Step,
    Summary, TimedEvent, convert,
};
use tband_format::Event::*;
use tband_format::{decode_payload, registry::trace_info_flags};
use tband_recordings::random::{config, damage, damages, framed, late_steps};
use tband_recordings::{Recording, str, two_tasks};

/// Each event and each finding as it is told.
#[derive(Default)]
struct List(Vec<String>);

impl EventSink for List {
    fn event(&mut self, event: &TimedEvent<'_>) -> io::Result<ControlFlow<()>> {
        let TimedEvent { at, ticks, place, decoded, .. } = event;
        self.0.push(format!("{} {} {ticks} {place:?} {decoded:?}", at.ns, at.core));
        Ok(ControlFlow::Continue(()))
    }

    fn finding(&mut self, at: At, _: u64, finding: &Finding<'_>) -> io::Result<ControlFlow<()>> {
        self.0.push(format!("{} {} {finding:?}", at.ns, at.core));
        Ok(ControlFlow::Continue(()))
    }
}

type All = (TimelineText<Vec<u8>>, (Perfetto<Vec<u8>>, Events<List>));

fn all() -> All {
    let text = TimelineText::new(Vec::new()).detailed();
    (text, (Perfetto::new(Vec::new()), Events::new(List::default())))
}

/// All that is made of a recording: as text, as a trace, as events, and what was found.
#[derive(Debug, PartialEq)]
struct Made(String, Vec<u8>, Vec<String>, String);

impl Made {
    fn new((text, (trace, events)): All, summary: &Summary) -> Self {
        let text = String::from_utf8(text.into_inner()).unwrap();
        let Summary { events: count, diagnostics, trace_info, build_id, frequency, .. } = summary;
        let findings: Vec<_> = diagnostics.iter().collect();
        let found = format!("{count} {trace_info:?} {build_id:?} {frequency} {findings:?}");
        Self(text, trace.into_inner(), events.into_inner().0, found)
    }
}

fn names(count: usize) -> Vec<(String, u32)> {
    (0..count as u32).map(|core| (format!("input {core}"), core)).collect()
}

fn converted(inputs: &[Vec<u8>]) -> Made {
    let inputs: Vec<_> = (0..)
        .zip(inputs)
        .map(|(core, bytes)| Input::from_bytes(format!("input {core}"), bytes).on_core(core))
        .collect();
    let mut sinks = all();
    let summary = convert(&inputs, &Options::default(), &mut sinks).unwrap();
    Made::new(sinks, &summary)
}

/// Feeds pieces of these lengths, each to the input that is drawn, or that is needed.
fn fed(inputs: &[Vec<u8>], draws: &[(usize, usize)]) -> Result<Made, ConvError> {
    let mut conversion = Conversion::new(names(inputs.len()), &Options::default(), all())?;
    let mut rest: Vec<&[u8]> = inputs.iter().map(Vec::as_slice).collect();
    let mut ended = vec![false; rest.len()];
    let mut draws = draws.iter().cycle();
    loop {
        let step = conversion.step()?;
        let (drawn, len) = draws.next().copied().unwrap_or((0, usize::MAX));
        let mut wanted = vec![drawn % rest.len()];
        match step {
            Step::Done => break,
            Step::Needs(input) => wanted.push(input),
            _ => {}
        }
        for input in wanted {
            if rest[input].is_empty() {
                conversion.end(input);
                ended[input] = true;
            }
            let piece = &rest[input][..len.min(rest[input].len())];
            let taken = conversion.feed(input, piece);
            assert!(taken <= piece.len());
            rest[input] = &rest[input][taken..];
        }
    }
    assert!(ended.iter().all(|ended| *ended), "it is done before an input has ended");
    let bytes: usize = inputs.iter().map(Vec::len).sum();
    assert_eq!(conversion.progress().bytes, bytes as u64);
    let (summary, sinks) = conversion.finish()?;
    Ok(Made::new(sinks, &summary))
}

fn whole(inputs: &[Vec<u8>]) -> Result<Made, ConvError> {
    fed(inputs, &[])
}

/// What a stream begins with: the cores, and names of what random recordings have.
fn head(cores: &[u32]) -> Vec<u8> {
    let name = str("name");
    let mut recording = Recording::default();
    for &core_id in cores {
        recording = recording
            .at(0, CoreId { core_id })
            .meta(TsResolutionNs { ns_per_ts: 10 })
            .meta(TraceInfo {
                format_version: 2,
                core_count: 3,
                flags: trace_info_flags::FREERTOS,
                kernel_version: Some(110_200),
                tick_rate_hz: Some(1000),
            })
            .meta(IsrName { isr_id: 1, name });
    }
    for id in 0..3 {
        recording = recording
            .meta(TaskName { task_id: id, name: str(["a", "b", "c"][id as usize]) })
            .meta(QueueName { queue_id: id, name })
            .meta(TimerName { timer_id: id, name });
    }
    recording.at(0, CoreId { core_id: cores[0] }).0
}

/// A random event that tells nothing of names or the clock, which may come late.
fn happens(payload: &[u8]) -> bool {
    let event = decode_payload(payload).unwrap().event;
    !event.is_metadata() && !matches!(event, TsFrequency { .. } | CoreId { .. })
}

fn pieces() -> impl Strategy<Value = Vec<(usize, usize)>> {
    prop::collection::vec(
        (0..3_usize, prop_oneof![Just(1_usize), 1..40_usize, 1..2000_usize]),
        1..30,
    )
}

proptest! {
    #![proptest_config(config(64))]

    /// One stream, and an input a core: with names and cores first it is all the same, to the byte.
    #[test]
    fn what_is_told_first_makes_no_difference(
        steps in late_steps(3),
        pieces in pieces(),
        is_stream in any::<bool>(),
    ) {
        let steps: Vec<_> = steps.into_iter().filter(|step| happens(&step.payload)).collect();
        prop_assume!(!steps.is_empty());
        let inputs = if is_stream {
            let (mut bytes, mut core) = (head(&[0, 1, 2]), 0);
            for step in &steps {
                if step.core != core {
                    core = step.core;
                    bytes.extend(Recording::default().at(step.ts.max(1), CoreId { core_id: core }).0);
                }
                bytes.extend(framed(&step.payload));
            }
            vec![bytes]
        } else {
            let of = |core| steps.iter().filter(move |step| step.core == core);
            let file = |core| of(core).fold(head(&[core]), |mut bytes, step| {
                bytes.extend(framed(&step.payload));
                bytes
            });
            (0..3).map(file).collect()
        };
        let expected = converted(&inputs);
        prop_assert_eq!(fed(&inputs, &pieces).unwrap(), expected);
    }

    /// Damaged recordings, names that come late, and several cores that nobody announced: whatever is made of
    /// them does not depend on the pieces.
    #[test]
    fn pieces_and_their_order_make_no_difference(
        steps in late_steps(3),
        changes in damages(20),
        pieces in pieces(),
        is_stream in any::<bool>(),
    ) {
        let mut inputs = if is_stream {
            vec![tband_recordings::random::stream(&steps, 10)]
        } else {
            tband_recordings::random::split(&steps, 3, 10)
        };
        damage(&mut inputs[0], &changes);
        match (whole(&inputs), fed(&inputs, &pieces)) {
            (Ok(expected), Ok(made)) => prop_assert_eq!(made, expected),
            (Err(expected), Err(error)) => prop_assert_eq!(error.to_string(), expected.to_string()),
            (expected, made) => prop_assert!(false, "{:?} {:?}", expected, made),
        }
    }

    #[test]
    fn any_bytes_end_as_a_recording_or_an_error(
        bytes in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..3000), 1..4),
        pieces in pieces(),
    ) {
        let _ = fed(&bytes, &pieces);
    }
}

/// Byte by byte, behind frames that are too long for any buffer.
#[test]
fn frames_of_any_length_come_byte_by_byte() {
    let long = |len: usize| [vec![7; len], vec![0]].concat();
    let recording = two_tasks().at(5, TaskSwitchedIn { task_id: 1 });
    let recording = recording.raw(&long(66_000)).at(10, TaskSwitchedIn { task_id: 2 });
    let recording = recording.raw(&long(140_000)).at(20, TaskSwitchedIn { task_id: 1 });
    let inputs = [recording.raw(&[3, 84]).0];
    assert_eq!(fed(&inputs, &[(0, 1)]).unwrap(), converted(&inputs));
}

fn task(text: &str) -> Vec<String> {
    text.lines().filter(|line| line.contains("task")).map(str::to_owned).collect()
}

/// What is told late counts from there on, and in the end is known all the same.
#[test]
fn names_come_late() {
    let recording = Recording::default()
        .meta(TsResolutionNs { ns_per_ts: 10 })
        .at(5, TaskSwitchedIn { task_id: 1 })
        .at(10, TaskSwitchedIn { task_id: 2 })
        .at(15, TaskSwitchedIn { task_id: 1 })
        .meta(TaskName { task_id: 2, name: str("late") })
        .at(20, TaskSwitchedIn { task_id: 2 });
    let inputs = [recording.0];
    let (Made(early, ..), Made(late, ..)) = (converted(&inputs), whole(&inputs).unwrap());
    assert_ne!(early, late, "{}", task(&late).join("\n"));
    let named =
        |text: &str| -> Vec<bool> { text.lines().map(|line| line.contains("late")).collect() };
    // The name is told where it comes, and every line behind that has it.
    let first = named(&late).iter().position(|named| *named).unwrap();
    let same = |text: &str| text.lines().skip(first).map(str::to_owned).collect::<Vec<_>>();
    assert!(named(&early).iter().take(first).any(|named| *named), "{early}");
    assert!(late.lines().take(first).all(|line| !line.contains("late")), "{late}");
    assert!(same(&late).iter().any(|line| line.contains("late")));
    // Times and states do not depend on it.
    let mut stats = Stats::default();
    convert(&[Input::from_bytes("r", &inputs[0])], &Options::default(), &mut stats).unwrap();
    let mut conversion = Conversion::new(names(1), &Options::default(), Stats::default()).unwrap();
    conversion.feed(0, &inputs[0]);
    let (_, fed) = conversion.finish().unwrap();
    let rows = |stats: &Stats| -> Vec<_> {
        let mut rows: Vec<_> =
            stats.tasks().map(|task| (task.id, task.name.clone(), task.run_ns)).collect();
        rows.sort();
        rows
    };
    assert_eq!(rows(&fed), rows(&stats));
}

/// Times that were told stay what they were: they never go back, however long a tick turns out to be.
#[test]
fn a_frequency_that_is_told_late_counts_from_there_on() {
    let recording = Recording::default()
        .at(1000, TaskSwitchedIn { task_id: 1 })
        .at(2000, TaskSwitchedIn { task_id: 2 })
        .at(3000, TaskSwitchedIn { task_id: 1 })
        .at(3000, TsFrequency { numerator: 2_000_000_000, denominator: 1 })
        .at(5000, TaskSwitchedIn { task_id: 2 });
    let inputs = [recording.0];
    let times = |made: &Made| -> Vec<i64> {
        let events = made.2.iter().filter(|event| event.contains("TaskSwitchedIn"));
        events.map(|event| event.split(' ').next().unwrap().parse().unwrap()).collect()
    };
    assert_eq!(times(&converted(&inputs)), [500, 1000, 1500, 2500]);
    let made = whole(&inputs).unwrap();
    assert_eq!(times(&made), [1000, 2000, 3000, 4000]);
    assert!(made.3.contains("FrequencyChange"), "{}", made.3);
}

/// Recording was stopped and started again: nothing is known of what was between.
#[test]
fn a_later_start_is_noticed() {
    let run = |from: u64| {
        Recording(head(&[0]))
            .at(from, TaskSwitchedIn { task_id: 1 })
            .at(from + 10, TaskSwitchedIn { task_id: 2 })
            .at(from + 20, TaskSwitchedIn { task_id: 1 })
    };
    let inputs = [run(10).raw(&run(5000).0).0];
    let expected = converted(&inputs);
    assert!(expected.3.contains("StreamStart"), "{}", expected.3);
    assert_eq!(fed(&inputs, &[(0, 3)]).unwrap(), expected);
}

/// What a sink was called with.
#[derive(Clone, Default)]
struct Calls(Rc<RefCell<Vec<&'static str>>>, Option<usize>);

impl Sink for Calls {
    fn start(&mut self, _: &World) -> io::Result<()> {
        self.0.borrow_mut().push("start");
        Ok(())
    }

    fn change(&mut self, _: &World, _: At, _: &Change<'_>) -> io::Result<()> {
        self.0.borrow_mut().push("change");
        match self.1 {
            Some(most) if self.0.borrow().len() > most => Err(io::Error::other("full")),
            _ => Ok(()),
        }
    }

    fn finish(&mut self, _: &World, _: i64) -> io::Result<()> {
        self.0.borrow_mut().push("finish");
        Ok(())
    }
}

fn switches(count: u64) -> Vec<u8> {
    let switch =
        |it: Recording, n: u64| it.at(n * 10, TaskSwitchedIn { task_id: 1 + (n % 2) as u32 });
    (1..=count).fold(two_tasks(), switch).0
}

/// What was told is whole: the text is the beginning of that of the whole recording.
#[test]
fn a_conversion_that_is_cancelled_closes_its_output() {
    let inputs = [switches(500)];
    let Made(text, ..) = converted(&inputs);
    let half = &inputs[0][..inputs[0].len() / 2];
    let mut conversion = Conversion::new(names(1), &Options::default(), all()).unwrap();
    conversion.feed(0, half);
    while conversion.step().unwrap() == Step::More {}
    let progress = conversion.progress();
    assert!((240..260).contains(&progress.events), "{progress:?}");
    assert!((24_000..26_000).contains(&progress.last_ns), "{progress:?}");
    let (summary, sinks) = conversion.cancel().unwrap();
    assert_eq!(summary.events, progress.events);
    assert!(summary.diagnostics.is_clean());
    let Made(told, trace, ..) = Made::new(sinks, &summary);
    let common = text.lines().zip(told.lines()).take_while(|(one, other)| one == other).count();
    assert!(common > 240 && common + 3 > told.lines().count(), "{common} of {told}");
    assert!(trace.len() > 1000);
}

#[test]
fn a_conversion_is_cancelled_before_its_first_event_or_dropped() {
    let calls = Calls::default();
    let mut conversion = Conversion::new(names(2), &Options::default(), calls.clone()).unwrap();
    conversion.feed(1, &switches(20));
    assert_eq!(conversion.step().unwrap(), Step::Needs(0));
    assert!(conversion.world().is_none());
    conversion.cancel().unwrap();
    let told = calls.0.take();
    assert_eq!((told.first(), told.last()), (Some(&"start"), Some(&"finish")));
    let mut conversion = Conversion::new(names(1), &Options::default(), calls.clone()).unwrap();
    conversion.feed(0, &switches(20));
    while conversion.step().unwrap() == Step::More {}
    assert!(conversion.world().is_some());
    drop(conversion);
    assert!(!calls.0.borrow().contains(&"finish"));
}

/// A step is over after some thousand events, whatever waits.
#[test]
fn a_step_is_bounded() {
    let mut conversion = Conversion::new(names(1), &Options::default(), ()).unwrap();
    let bytes = switches(50_000);
    let (mut rest, mut before, mut steps) = (&bytes[..], 0, 0);
    loop {
        let step = conversion.step().unwrap();
        let Ok(events) = usize::try_from(conversion.progress().events) else { break };
        // What is read ahead is one event.
        assert!(events - before <= 4098, "{before} {events}");
        (before, steps) = (events, steps + 1);
        if step == Step::Done {
            break;
        }
        rest = &rest[conversion.feed(0, rest)..];
        if rest.is_empty() {
            conversion.end(0);
        }
    }
    assert!(before > 50_000 && steps > 12, "{before} events in {steps} steps");
}

/// Nothing is called behind an error, and the conversion says that it has failed.
#[test]
fn an_error_ends_it() {
    let calls = Calls(Rc::default(), Some(5));
    let mut conversion = Conversion::new(names(1), &Options::default(), calls.clone()).unwrap();
    conversion.feed(0, &switches(100));
    let error = loop {
        match conversion.step() {
            Ok(step) => assert_eq!(step, Step::More),
            Err(error) => break error,
        }
    };
    assert!(matches!(error, ConvError::Write(_)), "{error}");
    let told = calls.0.borrow().len();
    assert!(matches!(conversion.step(), Err(ConvError::Failed)));
    assert!(matches!(conversion.cancel(), Err(ConvError::Failed)));
    assert_eq!(calls.0.borrow().len(), told);
    assert!(!calls.0.borrow().contains(&"finish"));
}

#[test]
fn what_is_no_recording_is_said_at_its_end() {
    let end = |inputs: &[&[u8]]| {
        let mut conversion = Conversion::new(names(inputs.len()), &Options::default(), ()).unwrap();
        for (index, bytes) in inputs.iter().enumerate() {
            assert_eq!(conversion.feed(index, bytes), bytes.len());
        }
        conversion.finish().map(|(summary, ())| summary)
    };
    assert!(matches!(end(&[&[]]), Err(ConvError::Empty { len: 0, .. })));
    assert!(matches!(end(&[&[0; 9], &[0; 9]]), Err(ConvError::Empty { len: 9, .. })));
    let text = "This is a text, and no recording of anything at all.\0".repeat(30);
    let error = end(&[text.as_bytes()]).unwrap_err();
    assert!(matches!(error, ConvError::NotARecording { good: 0, .. }), "{error}");
    assert!(error.to_string().starts_with("input 0: not a tband recording"), "{error}");
    let summary = end(&[&switches(9), &[]]).unwrap();
    assert_eq!(summary.diagnostics.get(Problem::EmptyInput).unwrap().place.input, 1);
    let no_inputs = Conversion::new(names(0), &Options::default(), ());
    assert!(matches!(no_inputs, Err(ConvError::NoInput)));
}

#[test]
fn what_needs_a_first_pass_says_so() {
    let mut options = Options::default();
    options.to = Some(Moment::Ns(5));
    let error = Conversion::new(names(1), &options, ()).err().unwrap().to_string();
    assert_eq!(
        error,
        "a window needs the whole recording before its first event: convert it from a file"
    );
}

/// As much as waits is bounded; what is not taken is fed again.
#[test]
fn only_so_much_is_taken() {
    let mut conversion = Conversion::new(names(1), &Options::default(), ()).unwrap();
    assert_eq!(conversion.feed(0, &[0; 200_000]), 65_536);
    assert_eq!(conversion.feed(0, &[0; 10]), 0);
    assert_eq!(conversion.feed(7, &[0; 10]), 0);
    assert_eq!(conversion.step().unwrap(), Step::Needs(0));
    assert_eq!(conversion.feed(0, &[0; 10]), 10);
    conversion.end(0);
    assert_eq!(conversion.feed(0, &[0; 10]), 0);
}

/// Metadata is told as an event where it stands, once, although the start knew it.
#[test]
fn an_event_is_told_once() {
    let recording = two_tasks().at(7, IsrEnter { isr_id: 1 }).at(9, IsrExit { isr_id: 1 });
    let Made(_, _, events, _) = whole(&[recording.0]).unwrap();
    assert_eq!(events.len(), 5, "{events:?}");
}

/// Who steps to the end and finishes then is told what is wrong with the inputs once.
#[test]
fn what_was_done_is_not_done_again() {
    let inputs = [switches(9), Vec::new()];
    let Made(text, _, events, found) = whole(&inputs).unwrap();
    assert_eq!(text.matches("no event is here").count(), 1, "{text}");
    assert_eq!(events.iter().filter(|told| told.contains("EmptyInput")).count(), 1, "{events:?}");
    assert!(found.contains("problem: EmptyInput, count: 1"), "{found}");
    // It stays done.
    let mut conversion = Conversion::new(names(1), &Options::default(), all()).unwrap();
    conversion.feed(0, &inputs[0]);
    conversion.end(0);
    while conversion.step().unwrap() != Step::Done {}
    let progress = conversion.progress();
    assert_eq!(conversion.step().unwrap(), Step::Done);
    assert_eq!(conversion.progress(), progress);
}

/// Nothing was read, so nothing is missing in it.
#[test]
fn a_conversion_that_is_cancelled_at_once_finds_nothing() {
    let conversion = Conversion::new(names(1), &Options::default(), all()).unwrap();
    let (summary, sinks) = conversion.cancel().unwrap();
    assert!(summary.diagnostics.is_clean(), "{:?}", summary.diagnostics);
    let Made(_, _, events, _) = Made::new(sinks, &summary);
    assert_eq!(events, [""; 0]);
}

/// The window is for cores that wait for each other: names that come first are known however small it is.
#[test]
fn a_small_window_changes_nothing_for_one_core() {
    let recording = Recording(head(&[0])).at(10, TaskSwitchedIn { task_id: 1 });
    let recording =
        recording.at(20, TaskSwitchedIn { task_id: 2 }).at(90, TaskSwitchedIn { task_id: 1 });
    let inputs = [recording.0];
    let expected = converted(&inputs);
    for window in [0, 1, 100] {
        let mut options = Options::default();
        options.window = Some(window);
        let mut conversion = Conversion::new(names(1), &options, all()).unwrap();
        conversion.feed(0, &inputs[0]);
        let (summary, sinks) = conversion.finish().unwrap();
        assert_eq!(Made::new(sinks, &summary), expected, "{window}");
    }
}

/// Two cores of one stream, from this time on, behind what such a stream begins with.
fn two_cores(from: u64) -> Recording {
    Recording(head(&[0, 1]))
        .at(from, TaskSwitchedIn { task_id: 1 })
        .at(from + 20, TaskSwitchedIn { task_id: 2 })
        .at(from + 100, CoreId { core_id: 1 })
        .at(from + 100, IsrEnter { isr_id: 1 })
        .at(from + 105, IsrExit { isr_id: 1 })
        .at(from + 120, CoreId { core_id: 0 })
}

/// Each core has a start of its own in the stream, and it is one: told once, at the time that was reached, ahead
/// of what the stream begins with. So too where the target was restarted, and where it is told twice in a row.
#[test]
fn several_cores_start_again_together() {
    for from in [5000, 10, 130] {
        let inputs = [two_cores(10).raw(&two_cores(from).0).raw(&two_cores(from + 300).0).0];
        let expected = converted(&inputs);
        let starts =
            |made: &Made| made.2.iter().filter(|told| told.contains("StreamStart")).count();
        assert_eq!(starts(&expected), 2, "{:?}", expected.2);
        for len in [1, 7, 9999] {
            assert_eq!(fed(&inputs, &[(0, len)]).unwrap(), expected, "{from} {len}");
        }
    }
    // Nothing follows.
    let inputs = [two_cores(10).raw(&head(&[0, 1])).0];
    assert_eq!(whole(&inputs).unwrap(), converted(&inputs));
}

/// A resolution that is told again in the middle is not the start of a stream, although a buffer began with
/// `core_id` at time 0 before.
#[test]
fn what_is_told_again_later_is_no_start() {
    let recording = two_cores(10)
        .at(0, CoreId { core_id: 1 })
        .at(200, IsrEnter { isr_id: 1 })
        .at(210, IsrExit { isr_id: 1 })
        .at(0, CoreId { core_id: 0 })
        .at(300, TaskSwitchedIn { task_id: 1 })
        .at(400, TaskSwitchedIn { task_id: 2 })
        .meta(TsResolutionNs { ns_per_ts: 10 })
        .at(500, TaskSwitchedIn { task_id: 1 });
    let inputs = [recording.0];
    let expected = converted(&inputs);
    assert!(!expected.3.contains("StreamStart"), "{}", expected.3);
    assert_eq!(whole(&inputs).unwrap(), expected);
}

/// What may be the start of a stream is waited for as far as metadata may reach, not for ever.
#[test]
fn what_follows_a_start_does_not_wait_for_ever() {
    let mut conversion = Conversion::new(names(1), &Options::default(), ()).unwrap();
    let mut bytes = switches(10);
    bytes.extend(Recording::default().at(0, CoreId { core_id: 0 }).0);
    let name = Recording::default().meta(TaskName { task_id: 1, name: str("one") }).0;
    let before = bytes.len();
    while bytes.len() < before + (3 << 20) {
        bytes.extend(&name);
    }
    let (mut rest, mut told) = (&bytes[..], None);
    while !rest.is_empty() {
        rest = &rest[conversion.feed(0, rest)..];
        while conversion.step().unwrap() == Step::More {}
        if conversion.progress().last_ns == 1000 {
            told.get_or_insert(bytes.len() - rest.len());
        }
    }
    assert!(told.is_some_and(|told| told < before + (2 << 20)), "{told:?}");
}

/// A core that first shows behind a restart of the target has its clock.
#[test]
fn a_core_that_shows_behind_a_restart_has_restarted_too() {
    let run = || Recording(head(&[0])).at(10, TaskSwitchedIn { task_id: 1 });
    let recording = run().at(20, TaskSwitchedIn { task_id: 2 });
    let recording = recording.at(100_000, TaskSwitchedIn { task_id: 1 }).raw(&run().0);
    let recording = recording
        .at(20, TaskSwitchedIn { task_id: 2 })
        .at(25, CoreId { core_id: 1 })
        .at(30, IsrEnter { isr_id: 1 })
        .at(40, IsrExit { isr_id: 1 })
        .at(50, CoreId { core_id: 0 })
        .at(50, TaskSwitchedIn { task_id: 1 });
    let inputs = [recording.0];
    let happenings = |made: &Made| -> Vec<String> {
        made.2.iter().filter(|told| !told.contains("CoreId")).cloned().collect()
    };
    let (expected, made) = (converted(&inputs), whole(&inputs).unwrap());
    assert_eq!(happenings(&made), happenings(&expected));
    // What has no time is where that clock began, not at the beginning of the recording.
    let core = made.2.iter().find(|told| told.contains("core_id: 1")).unwrap();
    assert!(core.starts_with("999900 1 99990 "), "{core}");
}

/// While what is at one time is read a core shows that was not known, and is earlier.
#[test]
fn a_core_that_shows_among_ties_comes_first() {
    let recording = two_tasks()
        .at(0, CoreId { core_id: 0 })
        .at(1, IsrEnter { isr_id: 1 })
        .at(2, IsrExit { isr_id: 1 })
        .at(0, CoreId { core_id: 1 })
        .at(1, IsrEnter { isr_id: 1 })
        .at(2, IsrExit { isr_id: 1 })
        .at(1000, CoreId { core_id: 0 })
        .at(1000, TaskSwitchedIn { task_id: 1 })
        .at(1000, CoreId { core_id: 1 })
        .at(1000, TaskSwitchedIn { task_id: 2 })
        .at(500, CoreId { core_id: 2 })
        .at(500, IsrEnter { isr_id: 3 })
        .at(501, IsrExit { isr_id: 3 })
        .at(1100, CoreId { core_id: 0 })
        .at(1100, TaskSwitchedIn { task_id: 2 })
        .at(1100, CoreId { core_id: 1 })
        .at(1101, TaskSwitchedIn { task_id: 1 });
    let inputs = [recording.0];
    let expected = whole(&inputs).unwrap();
    for len in 1..inputs[0].len() {
        assert_eq!(fed(&inputs, &[(0, len)]).unwrap(), expected, "{len}");
    }
}

proptest! {
    #![proptest_config(config(256))]

    /// Cores that nobody announced, streams that start again, and many events at one time: pieces make no difference.
    #[test]
    fn late_cores_ties_and_starts_are_the_same_in_pieces(
        steps in prop::collection::vec((0..3_u32, 0..3_u64, 0..9_u32), 2..40),
        pieces in pieces(),
    ) {
        let (mut recording, mut now) = (Recording(head(&[0])), [1_u64; 3]);
        for (core_id, ticks, what) in steps {
            let time = &mut now[core_id as usize];
            *time += ticks;
            recording = match what {
                0 => recording.raw(&head(&[core_id])),
                1 => recording.at(0, CoreId { core_id }),
                2 => recording.at(*time + (1 << 30), CoreId { core_id }).at(*time + (1 << 30), TickCountIncrease { ticks: 1 }),
                3 => recording.at(1, CoreId { core_id }).meta(TsResolutionNs { ns_per_ts: 10 }),
                _ => recording.at(*time, CoreId { core_id }).at(*time, TaskSwitchedIn { task_id: what % 3 }),
            };
        }
        let inputs = [recording.0];
        prop_assert_eq!(fed(&inputs, &pieces).unwrap(), whole(&inputs).unwrap());
    }
}
