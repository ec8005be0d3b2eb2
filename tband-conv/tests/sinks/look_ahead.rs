//! A caller that feeds inputs twice, in a conversion with a first pass, gets the same output as a conversion of complete inputs,
//! to the byte, for any pieces.

use proptest::prelude::*;
use tband_conv::clock::moment::Moment;
use tband_conv::convert::step::Step;
use tband_conv::diagnostics::Problem;
use tband_conv::{ConvError, Conversion, Input, Options, Summary, convert};
use tband_format::Event::*;
use tband_recordings::fed::{AllSinks, ConversionOutput, all, names, pieces, switches};
use tband_recordings::packed::packed;
use tband_recordings::random::{config, damage, damages, late_steps};
use tband_recordings::{Recording, str, two_tasks};

/// Feeds a piece to the input that is drawn, and to the one that is needed.
fn feed(
    step: Step,
    rest: &mut [&[u8]],
    (drawn, len): (usize, usize),
    mut to: impl FnMut(usize, Option<&[u8]>) -> usize,
) {
    let mut wanted = vec![drawn % rest.len()];
    if let Step::Needs(input) = step {
        wanted.push(input);
    }
    for input in wanted {
        if rest[input].is_empty() {
            to(input, None);
        }
        let piece = &rest[input][..len.min(rest[input].len())];
        let taken = to(input, Some(piece));
        rest[input] = &rest[input][taken..];
    }
}

/// Converts inputs that are fed twice. Returns the output, and how often they were examined.
fn fed_twice(
    inputs: &[Vec<u8>],
    options: &Options,
    draws: &[(usize, usize)],
) -> Result<(Summary, AllSinks, usize), ConvError> {
    let whole = || inputs.iter().map(Vec::as_slice).collect::<Vec<_>>();
    let mut draws = draws.iter().copied().cycle();
    let mut draw = || draws.next().unwrap_or((0, usize::MAX));
    let mut conversion = Conversion::with_first_pass(names(inputs.len()), options, all())?;
    let (mut rest, mut passes) = (whole(), 0);
    loop {
        match conversion.step()? {
            Step::Done => break,
            Step::Again => (rest, passes) = (whole(), passes + 1),
            step => feed(step, &mut rest, draw(), |input, piece| match piece {
                Some(piece) => conversion.feed(input, piece),
                None => {
                    conversion.end(input);
                    0
                }
            }),
        }
    }
    let (summary, sinks) = conversion.finish()?;
    Ok((summary, sinks, passes))
}

/// Formats the complete summary.
fn about(summary: &Summary) -> String {
    format!("{:?} {:?}", summary.link, summary.part)
}

/// Compares both, and returns how often the inputs were examined.
fn compare(inputs: &[Vec<u8>], options: &Options, draws: &[(usize, usize)]) -> Option<usize> {
    let of = |(core, bytes): (u32, &'_ Vec<u8>)| {
        Input::new(format!("input {core}"), {
            let bytes = bytes.clone();
            move || Ok(Box::new(std::io::Cursor::new(bytes.clone())))
        })
        .on_core(core)
    };
    let whole: Vec<_> = (0..).zip(inputs).map(of).collect();
    let mut sinks = all();
    let expected = convert(&whole, options, &mut sinks);
    match (expected, fed_twice(inputs, options, draws)) {
        (Ok(expected), Ok((summary, made, looks))) => {
            assert_eq!(about(&summary), about(&expected));
            assert_eq!(
                ConversionOutput::new(made, &summary),
                ConversionOutput::new(sinks, &expected)
            );
            Some(looks)
        }
        (Err(expected), Err(error)) => {
            // The hints differ.
            let text = |error: &ConvError| {
                let text = error.to_string();
                let before = ["; feed the bytes", "; name the file", "; it may be"]
                    .iter()
                    .find_map(|it| text.split_once(it));
                before.map_or(text.clone(), |(text, _)| text.to_owned())
            };
            assert_eq!(text(&error), text(&expected));
            None
        }
        (expected, made) => panic!("{:?} {:?}", expected.is_ok(), made.map(|it| it.2)),
    }
}

/// Complete, a window in ns or ticks, and with some bytes for pending events.
fn options() -> impl Strategy<Value = Options> {
    (0..4_u8, 0..4000_u64, 0..8000_u64, prop::option::of(0..2000_usize)).prop_map(
        |(kind, from, len, window)| {
            let mut options = Options::default();
            options.window = window;
            let moment = if kind == 1 { Moment::Ns } else { Moment::Ticks };
            if kind > 0 {
                options.from = Some(moment(from));
            }
            if kind > 1 {
                options.to = Some(moment(from + len));
            }
            options
        },
    )
}

proptest! {
    #![proptest_config(config(64))]

    /// Damaged recordings, late names, several cores that were not announced, in one input and in several, in frames and in
    /// packets, complete and in part.
    #[test]
    fn output_is_identical_with_look_ahead(
        steps in late_steps(3),
        changes in damages(20),
        draws in pieces(),
        options in options(),
        (is_stream, is_packed) in any::<(bool, bool)>(),
    ) {
        let mut inputs = if is_stream {
            vec![tband_recordings::random::stream(&steps, 10)]
        } else {
            tband_recordings::random::split(&steps, 3, 10)
        };
        if is_packed {
            inputs = inputs.iter().map(|bytes| packed(bytes, 256)).collect();
        }
        damage(&mut inputs[0], &changes);
        compare(&inputs, &options, &draws);
    }

    #[test]
    fn output_of_any_bytes_is_identical_with_look_ahead(
        inputs in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..3000), 1..4),
        draws in pieces(),
    ) {
        compare(&inputs, &Options::default(), &draws);
    }
}

/// More than is read at once, so that the fast path and the look-ahead wait in the middle.
#[test]
fn long_recordings_are_the_same() {
    let late = Recording::default().meta(TaskName { task_id: 2, name: str("late") });
    let one = [switches(30_000), late.0].concat();
    let two = two_tasks().at(155, CoreId { core_id: 1 }).at(155, IsrEnter { isr_id: 1 });
    let two = [&two.at(90_005, IsrExit { isr_id: 1 }).0[..], &switches(9_000)].concat();
    for inputs in [vec![one.clone()], vec![one, two]] {
        for len in [997, 8192, 70_000] {
            assert_eq!(compare(&inputs, &Options::default(), &[(0, len)]), Some(1));
        }
    }
}

/// Events that the recording describes after them: the inputs are read once more.
#[test]
fn rereads_events_described_late() {
    // An id for tests.
    let recording = two_tasks().raw(&[4, 248, 9, 7, 0]);
    let schema = EventSchema { event_id: 248, timed: 1, schema: str("later x:u32") };
    let inputs = [recording.meta(schema).at(20, TaskSwitchedIn { task_id: 2 }).0];
    let looks = compare(&inputs, &Options::default(), &[(0, 3)]);
    assert_eq!(looks, Some(2));
}

/// The main program of older recordings has the number -1, unless an interrupt of that number runs: one pass more finds that.
#[test]
fn the_former_number_of_the_main_program_is_found() {
    let flags = TraceInfo {
        format_version: 1,
        core_count: 1,
        flags: 0,
        kernel_version: None,
        tick_rate_hz: None,
    };
    let bare_metal = || {
        let recording = Recording::default().meta(TsResolutionNs { ns_per_ts: 1 }).meta(flags);
        recording.meta(IsrName { isr_id: u32::MAX, name: str("pump") })
    };
    let work = |isr_id| bare_metal().at(9, IsrEnter { isr_id }).at(19, IsrExit { isr_id }).0;
    let (main, tick) = (work(3), work(u32::MAX));
    // The other input has the interrupt.
    let other =
        Recording::default().at(9, CoreId { core_id: 1 }).at(9, IsrEnter { isr_id: u32::MAX });
    let mut ticks = Options::default();
    ticks.from = Some(Moment::Ticks(10));
    for (inputs, options, passes) in [
        (vec![main.clone()], Options::default(), 3),
        (vec![tick.clone()], Options::default(), 2),
        (vec![main.clone(), other.0], Options::default(), 2),
        // All events are examined from the beginning.
        (vec![main.clone()], ticks.clone(), 2),
        (vec![tick.clone()], ticks, 1),
        (vec![packed(&main, 512)], Options::default(), 3),
    ] {
        assert_eq!(compare(&inputs, &options, &[(0, 7), (1, 2)]), Some(passes));
    }
    let (summary, sinks, _) = fed_twice(&[main], &Options::default(), &[(0, 7)]).unwrap();
    let text = ConversionOutput::new(sinks, &summary).text;
    assert!(text.contains("pump: unknown -> running"), "{text}");
}

#[test]
fn a_first_pass_refuses_wrong_use_and_bounds_its_input() {
    let new = |inputs| Conversion::with_first_pass(names(inputs), &Options::default(), ());
    assert!(matches!(new(0), Err(ConvError::NoInput)));
    assert!(matches!(new(1).unwrap().finish(), Err(ConvError::NeedsFirstPass { .. })));
    assert!(matches!(new(1).unwrap().cancel(), Err(ConvError::NeedsFirstPass { .. })));
    let mut conversion = new(2).unwrap();
    assert_eq!(conversion.feed(1, &[0; 200_000]), 65_536);
    assert_eq!((conversion.feed(1, &[0; 9]), conversion.feed(7, &[0; 9])), (0, 0));
    assert_eq!(conversion.step().unwrap(), Step::Needs(0));
    assert!(conversion.world().is_none() && conversion.sink().is_some());
    conversion.end(0);
    conversion.end(1);
    let error = loop {
        match conversion.step() {
            Ok(step) => assert_ne!(step, Step::Again),
            Err(error) => break error,
        }
    };
    assert!(matches!(error, ConvError::Empty { .. }), "{error}");
    assert!(matches!(conversion.step(), Err(ConvError::Failed)));
    assert!(matches!(conversion.finish(), Err(ConvError::Failed)));
    // An input without an event among others is a finding, once.
    let (summary, ..) =
        fed_twice(&[switches(9), Vec::new()], &Options::default(), &[(1, 5)]).unwrap();
    assert_eq!(summary.diagnostics.get(Problem::EmptyInput).unwrap().place.input, 1);
}
