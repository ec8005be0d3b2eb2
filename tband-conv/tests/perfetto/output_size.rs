//! How large a trace is: in proportion to its recording, whatever is wrong with that; and for each kind of event.

use proptest::prelude::*;
use tband_conv::diagnostics::Problem;
use tband_conv::model::Flows;
use tband_conv::sinks::{Perfetto, RawEvents};
use tband_conv::{Input, Options, Summary, convert};
use tband_format::Event::*;
use tband_format::field::FieldKind;
use tband_format::named::Created;
use tband_format::registry::{EVENTS, EventDef};
use tband_recordings::described::varint;
use tband_recordings::random::{Damage, config, damage, damages, framed, steps, stream};
use tband_recordings::{Engine, Recording, TempFile, frame, str, two_tasks};

/// A trace has at most this many times the bytes of its recording.
const TIMES: usize = 4;
/// Additional bytes: tracks and names of each object, the first findings of each kind.
const MORE: usize = 1 << 18;

fn trace_of(recording: &[u8]) -> (Vec<u8>, Summary) {
    let mut sink = Perfetto::new(Vec::new());
    let input = [Input::from_bytes("r", recording)];
    let summary = convert(&input, &Options::default(), &mut sink).unwrap();
    (sink.into_inner(), summary)
}

#[track_caller]
fn assert_in_proportion(recording: &[u8]) -> Summary {
    let (trace, summary) = trace_of(recording);
    let (len, most) = (trace.len(), TIMES * recording.len() + MORE);
    assert!(len <= most, "{len} bytes of {}, {:?}", recording.len(), summary.diagnostics);
    summary
}

const MANY: u64 = 20_000;

/// Ordinary events, and after each of them the given bytes.
fn with(each: impl Fn(u64) -> Vec<u8>) -> Vec<u8> {
    let mut recording = two_tasks().0;
    for n in 0..MANY {
        recording.extend(frame(100 * n, TaskSwitchedIn { task_id: (n % 2) as u32 + 1 }));
        recording.extend(each(n));
    }
    recording
}

#[track_caller]
fn assert_counted(problem: Problem, recording: &[u8], count: u64) {
    let summary = assert_in_proportion(recording);
    assert_eq!(summary.diagnostics.count(problem), count, "{:?}", summary.diagnostics);
}

#[test]
fn findings_are_counted_and_do_not_make_it_large() {
    let back = with(|n| frame((100 * n).saturating_sub(30), Valmarker { valmarker_id: 1, val: 1 }));
    assert_counted(Problem::TimeStepBack, &back, MANY - 1);
    assert_counted(Problem::UndecodableFrame, &with(|_| vec![0x7F, 0]), MANY);
    assert_counted(Problem::UnknownEvent, &with(|_| vec![0x02, 0xF0, 0]), MANY);
    let again = with(|n| frame(100 * n, IsrEnter { isr_id: 3 }));
    assert_counted(Problem::IsrExitMissing, &again, MANY - 1);
    let exits = with(|n| frame(100 * n, EvtmarkerEnd { evtmarker_id: 1 }));
    assert_in_proportion(&exits);
    assert_in_proportion(&with(|n| frame(100 * n, DroppedEvtCnt { cnt: n as u32 + 1 })));
    assert_in_proportion(&with(|n| frame(100 * n, RunningTask { task_id: 7 })));
    assert_in_proportion(&with(|n| frame(100 * n, CreateFailed { object: Created::TASK })));
}

/// The clock goes back permanently, by any amount.
#[test]
fn a_clock_that_is_set_back_does_not_make_it_large() {
    let switches = |from: u64, step: u64, count: u64| {
        (0..count).fold(Recording::default(), |it, n| {
            it.at(from + step * n, TaskSwitchedIn { task_id: (n % 2) as u32 + 1 })
        })
    };
    for (from, step) in [(1, 10), (9_990_000, 1), (5_000_000, 10), (9_960_000, 0)] {
        let recording =
            two_tasks().raw(&switches(0, 1000, 10_000).0).raw(&switches(from, step, MANY).0);
        assert_in_proportion(&recording.0);
    }
}

/// Interrupts that seem to be inside one that ends, each time.
#[test]
fn nested_interrupts_do_not_make_it_large() {
    assert_in_proportion(&with(|n| frame(100 * n, IsrEnter { isr_id: (n % 200) as u32 })));
    assert_in_proportion(&with(|n| frame(100 * n, IsrEnter { isr_id: (n % 50) as u32 })));
}

/// If there are many objects of a kind, only some have a description of their tracks.
#[test]
fn words_are_not_repeated_for_each_object() {
    let recording = (0..5000_u64).fold(two_tasks(), |it, n| {
        (0..4).fold(it, |it, m| {
            it.at(100 * n + m, QueueSend { queue_id: n as u32, len_after: m as u32 })
        })
    });
    assert_in_proportion(&recording.0);
}

/// Findings that are not shown are counted in the trace.
#[test]
fn the_trace_lists_its_omissions() {
    let (trace, summary) = trace_of(&with(|_| vec![0x7F, 0]));
    assert_eq!(summary.diagnostics.count(Problem::UndecodableFrame), MANY);
    let Some(engine) = Engine::find() else { return };
    let trace = TempFile::new("hidden.pftrace", &trace);
    let rest = "from slice where name glob '* more findings, which are not shown'";
    let reported = engine.rows(&trace.0, "name", rest);
    let shown = engine.rows(&trace.0, "count(*)", "from slice where name glob '*(byte *)'");
    let [reported, shown] = [&reported, &shown].map(|rows| {
        let row = rows.first().expect("a row");
        row.split(' ').next().unwrap().parse::<u64>().unwrap()
    });
    assert_eq!(reported + shown, MANY);
}

fn repeated(recording: &[u8], times: usize, damages: &[Damage]) -> Vec<u8> {
    let mut bytes = recording.repeat(times);
    damage(&mut bytes, damages);
    bytes
}

proptest! {
    #![proptest_config(config(8))]

    /// Any recording, again and again, so that the target seems to be reset each time, and damaged.
    #[test]
    fn the_trace_size_is_proportional_to_the_recording(
        steps in steps(2),
        times in 1..40_usize,
        damages in damages(200),
    ) {
        let recording = repeated(&stream(&steps, 10), times, &damages);
        let mut sink = Perfetto::new(Vec::new());
        let input = [Input::from_bytes("r", &recording)];
        // An input that is no longer a recording gives no trace.
        if convert(&input, &Options::default(), &mut sink).is_ok() {
            let (len, most) = (sink.into_inner().len(), TIMES * recording.len() + MORE);
            prop_assert!(len <= most, "{} bytes of {}", len, recording.len());
        }
    }
}

/// A text of maximum length, on each event.
#[test]
fn long_texts_are_written_once() {
    let text = "x".repeat(100);
    assert_in_proportion(&with(|n| frame(100 * n, Evtmarker { evtmarker_id: 1, msg: str(&text) })));
}

/// Returns this event `count` times, with fields that cycle through `values` numbers.
fn nothing_but(def: &EventDef, count: u64, values: u64) -> Vec<u8> {
    let mut recording = two_tasks().0;
    for n in 0..count {
        let value = 1 + n % values;
        let mut payload = vec![def.id];
        if !def.metadata {
            payload.extend(varint(100 * n + 50));
        }
        for field in def.fields {
            match field.kind {
                FieldKind::U8 | FieldKind::Enum { .. } => payload.push((value % 8) as u8),
                FieldKind::Str => payload.extend(format!("text {value}").bytes()),
                _ => payload.extend(varint(value)),
            }
        }
        recording.extend(framed(&payload));
    }
    recording
}

/// Bytes of a trace for an event, whatever it is: the largest report objects that are created and deleted again and
/// again, each of which has a track.
const AN_EVENT: usize = 128;
/// And more with it as it was recorded.
const A_RAW_EVENT: usize = 100;
/// And for 40 objects of a kind, and the first findings.
const ALL_OBJECTS: usize = 1 << 15;

/// Recordings of one kind of events do not occur in practice, and exceed the proportion.
#[test]
fn each_kind_of_event_takes_so_much_at_most() {
    const COUNT: usize = 600;
    let mut all = Options::default();
    all.flows = Flows::All;
    // A schema with any text is refused, and describes events rather than being one.
    let kinds = EVENTS.iter().filter(|def| def.name != "event_schema");
    for (def, values) in kinds.flat_map(|def| [(def, 1), (def, 40)]) {
        let recording = nothing_but(def, COUNT as u64, values);
        let input = [Input::from_bytes("r", &recording)];
        let [_, len] = [&Options::default(), &all].map(|options| {
            let mut sink = Perfetto::new(Vec::new());
            convert(&input, options, &mut sink).unwrap();
            let len = sink.into_inner().len();
            assert!(len <= AN_EVENT * COUNT + ALL_OBJECTS, "{}: {len}", def.name);
            len
        });
        let mut sink = RawEvents::new(Perfetto::new(Vec::new()));
        convert(&input, &all, &mut sink).unwrap();
        let more = sink.into_trace().into_inner().len() - len;
        assert!(more <= A_RAW_EVENT * COUNT + ALL_OBJECTS, "{}: {more} more with events", def.name);
    }
}
