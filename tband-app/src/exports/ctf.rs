//! Traces of the Common Trace Format.

use tband_conv::counted;
use tband_conv::ctf::{CtfVersion, convert_scheduling_to_ctf, convert_to_ctf};
use tband_conv::output::Output;
use tband_conv::{ConvError, Input, Options};
use tband_report::messages;

use super::{CtfNames, Export, ExportSummary, FileCreator, OutputKind, Setting, Settings};

pub const ONE: Export = Export {
    name: "ctf1",
    about: "a folder with a trace of the Common Trace Format 1.8, always of the whole recording, for Trace Compass and babeltrace2",
    ending: "",
    media_type: "application/octet-stream",
    begins: b"",
    passes: 2,
    memory: 2 << 20,
    takes: &[Setting::CtfNames],
    form: OutputKind::Folder(|inputs, options, settings, create| {
        write(CtfVersion::One, inputs, options, settings, create)
    }),
};

pub const TWO: Export = Export {
    name: "ctf2",
    about: "a trace in version 2, for babeltrace2 from 2.1 on",
    passes: 4,
    takes: &[],
    form: OutputKind::Folder(|inputs, options, settings, create| {
        write(CtfVersion::Two, inputs, options, settings, create)
    }),
    ..ONE
};

fn write(
    version: CtfVersion,
    inputs: &[Input<'_>],
    options: &Options,
    settings: &Settings,
    create: FileCreator<'_>,
) -> Result<ExportSummary, ConvError> {
    let mut output = Output::folder(create);
    let is_scheduling = settings.ctf_names == CtfNames::Lttng;
    // A trace has no place for findings of a recording.
    let (summary, trace) = if is_scheduling {
        convert_scheduling_to_ctf(inputs, options, &mut output)
    } else {
        convert_to_ctf(inputs, options, version, &mut output)
    }?;
    let mut details = Vec::new();
    if trace.unchanged > 0 {
        details.push(format!("{} as they were", counted(trace.unchanged, "packet")));
    }
    if !is_scheduling {
        let timer = summary.frequency;
        details.push(format!("its clock counts at {} Hz, the timer at {timer}", trace.hz));
    }
    let messages = messages::of_trace(&trace);
    let amount = counted(trace.events, "event");
    Ok(ExportSummary { amount, messages, details, ..ExportSummary::of(summary) })
}
