//! Commands that read recordings: none fails where another does not, and JSON output is valid. There is one output per case, so
//! that a case is short.

use tband_app::command_result::{CommandResult, Failure};
use tband_app::commands::{COMMANDS, Command, Output};
use tband_app::options::CommandSettings;
use tband_conv::{ConvError, convert};

use crate::setup::Setup;

/// Slices of a report; few, so that most are merged.
const MAX_SLICES: usize = 20;

/// Runs the command of this case.
///
/// # Panics
/// If something does not hold.
pub fn run(setup: &Setup, recording: &[u8]) {
    let outputs = || {
        let of = |command: &'static Command| command.outputs.iter().map(move |it| (command, it));
        COMMANDS.iter().flat_map(of)
    };
    let at = recording.len() % outputs().count();
    let Some((command, output)) = outputs().nth(at) else { return };
    let inputs = setup.inputs(recording);
    let converted = convert(&inputs, &setup.options, &mut ());
    let wanted = CommandSettings {
        all: true,
        every: recording.len().is_multiple_of(3).then_some(1 << 56),
        response_times: recording.len().is_multiple_of(2),
        max_slices: MAX_SLICES,
        dump: setup.dump_options.clone(),
    };
    let mut out = Vec::new();
    let done = (output.run)(&inputs, &setup.options, &wanted, &mut out);
    let name = (command.name, output.name);
    match (&done, converted) {
        (Ok(done), Ok(summary)) => is_sound(done, summary.diagnostics.is_clean(), name),
        // It stops before it knows, or has no such object.
        (Ok(done), Err(_)) => assert!(done.summary.is_none(), "{name:?} of no recording"),
        (Err(Failure::NoSuch(text)), _) => assert!(text.starts_with("--"), "{name:?}: {text}"),
        (Err(Failure::Convert(ConvError::Write(error))), _) => panic!("{name:?}: {error}"),
        (Err(error), Ok(_)) => panic!("{name:?} fails, and a conversion does not: {error}"),
        (Err(_), Err(_)) => {}
    }
    if done.is_ok() {
        is_json(output, &out);
    }
}

fn is_sound(done: &CommandResult, is_clean: bool, name: (&str, &str)) {
    if done.summary.is_some() {
        assert_eq!(done.is_clean, is_clean, "{name:?}, and a conversion");
    }
    assert_eq!(done.verdict.is_some(), name.0 == "check", "{name:?}");
}

fn is_json(output: &Output, out: &[u8]) {
    if output.media_type != "application/json" {
        return;
    }
    let values = serde_json::Deserializer::from_slice(out).into_iter::<serde::de::IgnoredAny>();
    for value in values {
        if let Err(error) = value {
            panic!("{}: {error}: {}", output.ending, String::from_utf8_lossy(out));
        }
    }
}
