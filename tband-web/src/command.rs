//! The execution of a request.

use std::io::Read;

use serde_json::{Value, json};
use tband_app::command_result::{CommandResult, Failure};
use tband_app::commands::{Command, report};
use tband_app::exports::{Export, OutputKind};
use tband_app::options::RequestOptions;
use tband_app::tail::Tail;
use tband_conv::output::BoxWrite;
use tband_conv::{ConvError, Input};
use tband_report::gzip::Members;
use tband_report::messages::{self, Message};

use crate::archive::Archive;
use crate::host::{FileReader, Host, Output};
use crate::request::Request;
use crate::view::view;

/// Bytes that are read at once to find the end of a recording.
const BLOCK: usize = 1 << 16;

/// Executes a request, and passes its output to the host. The answer is an object with `messages` (each `[label, text]`),
/// `clean`, `failed`, `events`, and the members of the command: `view`, `check`, `free_rtos` and `incomplete`.
pub fn run(request: &Value, host: &dyn Host) -> Value {
    let request = Request(request);
    let done = match request.text("command").unwrap_or_default() {
        "conv" => conv(request, host).map(|done| answer(&done)),
        "view" => viewed(request, host),
        "end" => end(host),
        name => look(name, request, host).map(|done| answer(&done)),
    };
    done.unwrap_or_else(|failure| {
        json!({"messages": messages_json(&[messages::error(&failure)]), "clean": false, "failed": true})
    })
}

/// The members of an answer.
fn answer(done: &CommandResult) -> Value {
    let info = done.summary.as_ref().and_then(|summary| summary.trace_info);
    json!({
        "messages": messages_json(&done.messages),
        "clean": done.is_clean,
        "failed": false,
        "events": done.events,
        "check": done.verdict,
        "free_rtos": info.map(|info| info.kernel_version.is_some()),
    })
}

fn messages_json(messages: &[Message]) -> Value {
    messages.iter().map(|(label, text)| json!([label.name(), text])).collect()
}

fn no_such(name: &str, what: &str) -> Failure {
    Failure::NoSuch(format!("{name} is no {what}"))
}

/// The recordings of a request, and its options.
type OpenedRequest<'h> = (Vec<Input<'h>>, RequestOptions);

fn opened<'h>(request: Request<'_>, host: &'h dyn Host) -> Result<OpenedRequest<'h>, Failure> {
    let asked = request.into_options().map_err(Failure::NoSuch)?;
    let inputs = request.inputs(host, &asked).map_err(Failure::NoSuch)?;
    Ok((inputs, asked))
}

/// A command of the list, by its name.
fn look(name: &str, request: Request<'_>, host: &dyn Host) -> Result<CommandResult, Failure> {
    let command = Command::named(name).ok_or_else(|| no_such(name, "command"))?;
    let wanted = request.text("as");
    let output =
        command.output(wanted).ok_or_else(|| no_such(wanted.unwrap_or_default(), "output"))?;
    let (inputs, asked) = opened(request, host)?;
    let (options, found) = asked.options(&inputs)?;
    let mut found: Vec<Message> = found.into_iter().collect();
    let other = request.compared(host, &asked).map_err(Failure::NoSuch)?;
    let done = match other {
        Some(other) if command.name == report::COMMAND.name => {
            let (other_options, other_found) = asked.options(&other)?;
            found.extend(other_found);
            let both = [(&inputs[..], &options), (&other[..], &other_options)];
            report::page_of(&both, None, &asked.wanted, &mut Output(host))?
        }
        _ => (output.run)(&inputs, &options, &asked.wanted, &mut Output(host))?,
    };
    Ok(CommandResult { messages: found.into_iter().chain(done.messages).collect(), ..done })
}

/// One of the exports, by its name: a file, or a folder as an archive.
fn conv(request: Request<'_>, host: &dyn Host) -> Result<CommandResult, Failure> {
    let name = request.text("as").unwrap_or(Export::usual().name);
    let export = Export::named(name).ok_or_else(|| no_such(name, "format"))?;
    let (inputs, asked) = opened(request, host)?;
    let (options, found) = asked.options(&inputs)?;
    let made = match export.form {
        OutputKind::Stream(write) => {
            let mut out = Members::new(Output(host), asked.gzip);
            let made = write(&inputs, &options, &asked.settings, &mut out)?;
            out.finish().map_err(ConvError::Write)?;
            made
        }
        OutputKind::Folder(write) => {
            let mut archive = Archive::new(host, request.text("folder").unwrap_or_default());
            let mut create = |name: &str| Ok(Box::new(archive.create(name)) as BoxWrite<'_>);
            let made = write(&inputs, &options, &asked.settings, &mut create)?;
            archive.finish().map_err(ConvError::Write)?;
            made
        }
        OutputKind::File(_) | OutputKind::SendFolder(_) | OutputKind::Missing(_) => {
            return Err(Failure::NoSuch(format!("{name} is made by tband-cli only")));
        }
    };
    let done = made.done();
    Ok(CommandResult { messages: found.into_iter().chain(done.messages).collect(), ..done })
}

/// The number of bytes, `incomplete`, of the packet or frame inside of which the first file ends.
fn end(host: &dyn Host) -> Result<Value, Failure> {
    let mut reader = FileReader { host, file: 0, offset: 0 };
    let (mut tail, mut block) = (Tail::default(), vec![0; BLOCK]);
    loop {
        let len = reader.read(&mut block).map_err(|source| {
            let input = "the end of the recording".to_owned();
            ConvError::Read { input, source }
        })?;
        let Some(read @ [_, ..]) = block.get(..len) else { break };
        tail.add(read);
    }
    Ok(json!({"messages": [], "failed": false, "incomplete": tail.incomplete().len()}))
}

/// Returns the view of the page: the answer has the head, the output the slices.
fn viewed(request: Request<'_>, host: &dyn Host) -> Result<Value, Failure> {
    let (inputs, asked) = opened(request, host)?;
    let (options, found) = asked.options(&inputs)?;
    let max = request.text("max_slices").map(|_| asked.wanted.max_slices);
    let (done, head) = view((&inputs, &options), max, &mut Output(host))?;
    let done = CommandResult { messages: found.into_iter().chain(done.messages).collect(), ..done };
    let mut answer = answer(&done);
    answer["view"] = head.into();
    Ok(answer)
}
