//! Fed conversions take a bounded number of bytes at a time, advance in steps, and end, early or with an error, on request.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;

use tband_conv::convert::step::Step;
use tband_conv::diagnostics::Problem;
use tband_conv::model::{Change, EventTime, Sink, World};
use tband_conv::{ConvError, Conversion, Options};
use tband_format::Event::*;
use tband_recordings::fed::{ConversionOutput, all, converted, names, switches, whole};
use tband_recordings::two_tasks;

/// Calls of a sink.
#[derive(Clone, Default)]
struct Calls(Rc<RefCell<Vec<&'static str>>>, Option<usize>);

impl Sink for Calls {
    fn start(&mut self, _: &World) -> io::Result<()> {
        self.0.borrow_mut().push("start");
        Ok(())
    }

    fn change(&mut self, _: &World, _: EventTime, _: &Change<'_>) -> io::Result<()> {
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

/// The reported part is complete: the text is the beginning of that of the complete recording.
#[test]
fn a_conversion_that_is_cancelled_closes_its_output() {
    let inputs = [switches(500)];
    let ConversionOutput { text, .. } = converted(&inputs);
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
    let ConversionOutput { text: reported, trace, .. } = ConversionOutput::new(sinks, &summary);
    let common = text.lines().zip(reported.lines()).take_while(|(one, other)| one == other).count();
    assert!(common > 240 && common + 3 > reported.lines().count(), "{common} of {reported}");
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
    let reported = calls.0.take();
    assert_eq!((reported.first(), reported.last()), (Some(&"start"), Some(&"finish")));
    let mut conversion = Conversion::new(names(1), &Options::default(), calls.clone()).unwrap();
    conversion.feed(0, &switches(20));
    while conversion.step().unwrap() == Step::More {}
    assert!(conversion.world().is_some());
    drop(conversion);
    assert!(!calls.0.borrow().contains(&"finish"));
}

/// A step ends after some thousand events, whatever is pending.
#[test]
fn a_step_is_bounded() {
    let mut conversion = Conversion::new(names(1), &Options::default(), ()).unwrap();
    let bytes = switches(50_000);
    let (mut rest, mut before, mut steps) = (&bytes[..], 0, 0);
    loop {
        let step = conversion.step().unwrap();
        let Ok(events) = usize::try_from(conversion.progress().events) else { break };
        // One event is read ahead.
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

/// Nothing is called after an error, and the conversion returns that it has failed.
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
    let reported = calls.0.borrow().len();
    assert!(matches!(conversion.step(), Err(ConvError::Failed)));
    assert!(matches!(conversion.cancel(), Err(ConvError::Failed)));
    assert_eq!(calls.0.borrow().len(), reported);
    assert!(!calls.0.borrow().contains(&"finish"));
}

#[test]
fn reports_unrecognised_data_at_its_end() {
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

/// The pending bytes are bounded; bytes that are not taken are fed again.
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

/// Metadata is reported as an event where it is, once, although the start knew it.
#[test]
fn reports_an_event_once() {
    let recording = two_tasks().at(7, IsrEnter { isr_id: 1 }).at(9, IsrExit { isr_id: 1 });
    let ConversionOutput { events, .. } = whole(&[recording.0]).unwrap();
    assert_eq!(events.len(), 5, "{events:?}");
}

/// Stepping to the end and then finishing returns the findings about the inputs once.
#[test]
fn findings_about_inputs_are_reported_once() {
    let inputs = [switches(9), Vec::new()];
    let ConversionOutput { text, events, found, .. } = whole(&inputs).unwrap();
    assert_eq!(text.matches("no event is here").count(), 1, "{text}");
    assert_eq!(
        events.iter().filter(|reported| reported.contains("EmptyInput")).count(),
        1,
        "{events:?}"
    );
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
fn an_immediately_cancelled_conversion_has_no_findings() {
    let conversion = Conversion::new(names(1), &Options::default(), all()).unwrap();
    let (summary, sinks) = conversion.cancel().unwrap();
    assert!(summary.diagnostics.is_clean(), "{:?}", summary.diagnostics);
    let ConversionOutput { events, .. } = ConversionOutput::new(sinks, &summary);
    assert_eq!(events, [""; 0]);
}
