//! Limits of the converter that are not numbers of objects; the cases test those.

use tband_conv::diagnostics::Problem;
use tband_conv::dump::{DumpOptions, dump};
use tband_conv::{ConvError, Conversion, Input, Options, convert};
use tband_format::Event::*;
use tband_recordings::{timeline_of, two_tasks};

/// An invalid core number is rejected in every way to read.
#[test]
fn cores() {
    let bytes = two_tasks().at(1, IsrEnter { isr_id: 1 }).0;
    for (core, is_one) in [(63, true), (64, false), (u32::MAX, false)] {
        let inputs = [Input::from_bytes("r", &bytes).on_core(core)];
        let refused = |result: Result<(), ConvError>| match result {
            Ok(()) => assert!(is_one, "{core}"),
            Err(error) => {
                assert!(!is_one, "{error}");
                let text = format!("r: named as core {core}; cores are numbered from 0 to 63");
                assert_eq!(error.to_string(), text);
            }
        };
        let options = Options::default();
        refused(convert(&inputs, &options, &mut ()).map(|_| ()));
        refused(Conversion::new([("r", core)], &options, ()).map(|_| ()));
        refused(dump(&inputs, DumpOptions::default(), Vec::new()).map(|_| ()));
    }
}

/// However deep calls seem to nest, memory stays bounded. A function that is called again there has returned.
#[test]
fn nesting_of_calls() {
    let mut recording = two_tasks().at(1, TaskSwitchedIn { task_id: 1 });
    for function in 2..102 {
        recording = recording.at(function.into(), ApiEnter { function });
    }
    for ts in 102..1000 {
        recording = recording.at(ts, ApiEnter { function: 2 });
    }
    let inputs = [Input::from_bytes("r", &recording.0)];
    let (text, summary) = timeline_of(&inputs, &Options::default());
    assert_eq!(text.matches(" begins").count(), 64 + 898);
    assert_eq!(summary.diagnostics.count(Problem::TooMany), 100 - 64);
}
