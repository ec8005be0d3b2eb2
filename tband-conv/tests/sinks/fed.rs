//! Conversions that are fed piece by piece report the same as a conversion of complete inputs, for any pieces; facts from a
//! first pass come late.

use proptest::prelude::*;
use tband_conv::clock::moment::Moment;
use tband_conv::sinks::Stats;
use tband_conv::{Conversion, Input, Options, convert};
use tband_format::Event::*;
use tband_format::decode::decode_payload;
use tband_recordings::fed::{ConversionOutput, all, converted, fed, head, names, pieces, whole};
use tband_recordings::random::{config, damage, damages, framed, late_steps};
use tband_recordings::{Recording, str, two_tasks};

/// A random event that reports nothing of names or the clock, which may come late.
fn is_late_event(payload: &[u8]) -> bool {
    let event = decode_payload(payload).unwrap().event;
    !event.is_metadata() && !matches!(event, TsFrequency { .. } | CoreId { .. })
}

proptest! {
    #![proptest_config(config(64))]

    /// One stream, and an input a core: with names and cores first it is all the same, to the byte.
    #[test]
    fn the_order_of_metadata_does_not_matter(
        steps in late_steps(3),
        pieces in pieces(),
        is_stream in any::<bool>(),
    ) {
        let steps: Vec<_> = steps.into_iter().filter(|step| is_late_event(&step.payload)).collect();
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

    /// Damaged recordings, late names, and several cores that were not announced: no output depends on the pieces.
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
    fn any_bytes_give_a_recording_or_an_error(
        bytes in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..3000), 1..4),
        pieces in pieces(),
    ) {
        let _ = fed(&bytes, &pieces);
    }
}

/// Byte by byte, after frames that are too long for any buffer.
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

/// Late reports apply from their time, and at the end everything is known.
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
    let (early, late) = (converted(&inputs).text, whole(&inputs).unwrap().text);
    assert_ne!(early, late, "{}", task(&late).join("\n"));
    let named =
        |text: &str| -> Vec<bool> { text.lines().map(|line| line.contains("late")).collect() };
    // The name is reported where it comes, and every later line has it.
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

/// Reported times do not change: they never go back, whatever the length of a tick turns out to be.
#[test]
fn a_late_frequency_applies_from_its_event() {
    let recording = Recording::default()
        .at(1000, TaskSwitchedIn { task_id: 1 })
        .at(2000, TaskSwitchedIn { task_id: 2 })
        .at(3000, TaskSwitchedIn { task_id: 1 })
        .at(3000, TsFrequency { numerator: 2_000_000_000, denominator: 1 })
        .at(5000, TaskSwitchedIn { task_id: 2 });
    let inputs = [recording.0];
    let times = |made: &ConversionOutput| -> Vec<i64> {
        let events = made.events.iter().filter(|event| event.contains("TaskSwitchedIn"));
        events.map(|event| event.split(' ').next().unwrap().parse().unwrap()).collect()
    };
    assert_eq!(times(&converted(&inputs)), [500, 1000, 1500, 2500]);
    let made = whole(&inputs).unwrap();
    assert_eq!(times(&made), [1000, 2000, 3000, 4000]);
    assert!(made.found.contains("FrequencyChange"), "{}", made.found);
}

#[test]
fn an_option_that_needs_a_first_pass_is_refused() {
    let mut options = Options::default();
    options.to = Some(Moment::Ns(5));
    let error = Conversion::new(names(1), &options, ()).err().unwrap().to_string();
    assert_eq!(
        error,
        "a window needs the whole recording before its first event: convert it from a file"
    );
}

/// The window is for cores that wait for each other: names that come first are known however small it is.
#[test]
fn a_small_window_does_not_affect_one_core() {
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
        assert_eq!(ConversionOutput::new(sinks, &summary), expected, "{window}");
    }
}
