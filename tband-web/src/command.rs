//! What is done for a request.

use std::io::Write;

use serde_json::{Value, json};
use tband_app::Export;
use tband_app::exports::Form;
use tband_conv::sinks::Stats;
use tband_conv::{
    BoxWrite, ConvError, DumpFormat, Input, Options, Sink, Summary, convert, dump_filtered,
    dump_merged,
};
use tband_report::messages::{self, Message};
use tband_report::stats::{self, Measured};
use tband_report::{Members, Picture, check, dump, report, view};

use crate::archive::Archive;
use crate::host::{Host, Output};
use crate::request::Request;

/// Slices that a view may have: each takes some 60 bytes, here and in the page.
const MAX_SLICES: usize = 1 << 21;

/// Does what a request asks for, and tells the host what comes of it. The answer is an object with `messages` (each
/// `[label, text]`), `clean`, `failed`, and what belongs to the command: `events`, `view`, `check`.
pub fn run(request: &Value, host: &dyn Host) -> Value {
    let request = Request(request);
    let done = match request.text("command").unwrap_or_default() {
        "conv" => conv(request, host),
        "stats" => measured(request, host),
        "check" => checked(request, host),
        "dump" => dumped(request, host),
        "report" => reported(request, host),
        "view" => viewed(request, host),
        other => Err(format!("{other} is no command")),
    };
    done.unwrap_or_else(
        |error| json!({"messages": [["error", error]], "clean": false, "failed": true}),
    )
}

/// One conversion for all sinks: each of its own would take as much code again.
fn converted(
    inputs: &[Input<'_>],
    options: &Options,
    sink: &mut dyn Sink,
) -> Result<Summary, ConvError> {
    convert(inputs, options, sink)
}

fn text_of(error: &ConvError) -> String {
    messages::error(error).1
}

fn written(error: std::io::Error) -> String {
    text_of(&ConvError::Write(error))
}

/// The usual members of an answer.
fn answer(summary: &Summary) -> Value {
    json!({
        "messages": said(&found(summary)),
        "clean": summary.diagnostics.is_clean(),
        "failed": false,
        "events": summary.events_of_window(),
    })
}

fn found(summary: &Summary) -> Vec<Message> {
    let mut found = messages::findings(summary);
    found.extend(messages::empty_window(summary.part.as_ref()));
    found
}

fn said(messages: &[Message]) -> Value {
    messages.iter().map(|(label, text)| json!([label.name(), text])).collect()
}

/// One of the exports, by its name: a file, or a folder as an archive.
fn conv(request: Request<'_>, host: &dyn Host) -> Result<Value, String> {
    let name = request.text("as").unwrap_or(Export::usual().name);
    let export = Export::named(name).ok_or_else(|| format!("{name} is no format"))?;
    let (inputs, options) = (request.inputs(host)?, request.options()?);
    let settings = request.settings()?;
    let made = match export.form {
        Form::Stream(write) => {
            let mut out = Members::new(Output(host), request.is_set("gzip"));
            let made = write(&inputs, &options, &settings, &mut out);
            let made = made.map_err(|error| text_of(&error))?;
            out.finish().map_err(written)?;
            made
        }
        Form::Folder(write) => {
            let mut archive = Archive::new(host, request.text("folder").unwrap_or_default());
            let mut create = |name: &str| Ok(Box::new(archive.create(name)) as BoxWrite<'_>);
            let made = write(&inputs, &options, &settings, &mut create);
            let made = made.map_err(|error| text_of(&error))?;
            archive.finish().map_err(written)?;
            made
        }
        Form::File(_) | Form::SendFolder(_) | Form::Missing(_) => {
            return Err(format!("{name} is made by tband-cli only"));
        }
    };
    let mut answer = answer(&made.summary);
    let found = found(&made.summary).into_iter().chain(made.messages);
    answer["messages"] = said(&found.collect::<Vec<_>>());
    Ok(answer)
}

fn measured(request: Request<'_>, host: &dyn Host) -> Result<Value, String> {
    let (inputs, options) = (request.inputs(host)?, request.options()?);
    let Measured { tables, summary, .. } =
        stats::measure_with(&inputs, &options, &mut ()).map_err(|error| text_of(&error))?;
    let text = match request.text("as") {
        Some("json") => stats::json(&tables).map_err(|error| error.to_string())?,
        Some("csv") => stats::csv(&tables).map_err(written)?,
        _ => stats::text(&tables, request.is_set("all")),
    };
    host.write(0, text.as_bytes()).map_err(written)?;
    Ok(answer(&summary))
}

fn checked(request: Request<'_>, host: &dyn Host) -> Result<Value, String> {
    let (inputs, mut options) = (request.inputs(host)?, request.options()?);
    // The verdict is on all of it.
    (options.from, options.to) = (None, None);
    let mut stats = Stats::default();
    let summary = converted(&inputs, &options, &mut stats).map_err(|error| text_of(&error))?;
    let json = check::json(&summary, &stats, options.core_count);
    let text = match request.text("as") {
        Some("json") => {
            serde_json::to_string_pretty(&json).map_err(|error| error.to_string())? + "\n"
        }
        _ => check::text(&summary, &stats, options.core_count),
    };
    host.write(0, text.as_bytes()).map_err(written)?;
    let mut answer = answer(&summary);
    answer["check"] = json;
    answer["free_rtos"] = summary.trace_info.map(|info| info.kernel_version.is_some()).into();
    Ok(answer)
}

fn dumped(request: Request<'_>, host: &dyn Host) -> Result<Value, String> {
    let (inputs, mode, filter) = (request.inputs(host)?, request.mode()?, request.filter()?);
    let format = match request.text("as") {
        Some("json") => DumpFormat::Json,
        Some("offsets") => DumpFormat::TextWithOffsets,
        _ => DumpFormat::Text,
    };
    let wanted = filter.clone();
    let summary = match inputs.as_slice() {
        [input] => dump_filtered(input, mode, format, wanted, Output(host)),
        several => dump_merged(several, mode, format, wanted, Output(host)),
    };
    let summary = summary.map_err(|error| text_of(&error))?;
    let whole = match dump::has_ended_early(&filter, &summary) {
        true => None,
        false => Some(dump::judge(&inputs, &request.options()?).map_err(|error| text_of(&error))?),
    };
    let (found, clean) = dump::reported(&inputs, &filter, &summary, whole.as_ref())?;
    Ok(json!({"messages": said(&found), "clean": clean, "failed": false, "events": summary.shown}))
}

fn pictured(
    request: Request<'_>,
    host: &dyn Host,
    max: usize,
) -> Result<(Measured, Picture), String> {
    let (inputs, options) = (request.inputs(host)?, request.options()?);
    let max = request.number("max_slices")?.unwrap_or(max);
    let mut picture = Picture::with_at_most(max);
    let measured = stats::measure_with(&inputs, &options, &mut picture);
    Ok((measured.map_err(|error| text_of(&error))?, picture))
}

fn reported(request: Request<'_>, host: &dyn Host) -> Result<Value, String> {
    let (measured, picture) = pictured(request, host, tband_report::MAX_SLICES)?;
    let cores = request.options()?.core_count;
    let mut out = std::io::BufWriter::with_capacity(1 << 16, Output(host));
    report(&measured, &picture, cores, &mut out).and_then(|()| out.flush()).map_err(written)?;
    let mut answer = answer(&measured.summary);
    let found = found(&measured.summary).into_iter().chain(messages::left_out_of_report(&picture));
    answer["messages"] = said(&found.collect::<Vec<_>>());
    Ok(answer)
}

fn viewed(request: Request<'_>, host: &dyn Host) -> Result<Value, String> {
    let (measured, picture) = pictured(request, host, MAX_SLICES)?;
    host.write(0, picture.bytes()).map_err(written)?;
    let mut answer = answer(&measured.summary);
    let found = found(&measured.summary);
    let left_out = messages::left_out_of_view(&picture);
    let cores = request.options()?.core_count;
    answer["view"] = view(&measured, &picture, &found, left_out, cores).into();
    Ok(answer)
}
