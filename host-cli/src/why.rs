//! `why`: the longest activations of a task, an interrupt or a timer, and the use of their time.

use std::io::{self, IsTerminal};

use ratatui_crossterm::crossterm;
use tband_app::command_result::{Failure, finding_messages};
use tband_report::printable::{printable, printable_json};
use tband_report::why::{NoAnswer, Question, SubjectKind, ask, json, text};

use crate::Outcome;
use crate::args::{WhyArgs, ends};
use crate::failed::failed;
use crate::output::print;
use crate::report::Report;

/// Times that inputs are read: to find the longest activations, and to draw one.
const PASSES: usize = 4;
/// Columns of the timeline where the output is not a terminal.
const WIDTH: usize = 80;

pub fn run(args: &WhyArgs, report: &Report) -> anyhow::Result<Outcome> {
    let window = args.window.window();
    let passes = window.pass_count() + PASSES + args.program.passes();
    let (inputs, progress) = args.recordings.open(passes, report)?;
    let mut options = args.recordings.options();
    args.program.explain(&inputs, &mut options)?;
    (options.from, options.to) = ends(&window, "why", (&inputs, &options), report)?;
    let question = Question {
        subject: args.subject.clone(),
        kind: match (args.isr, args.timer) {
            (true, _) => SubjectKind::Interrupt,
            (_, true) => SubjectKind::Timer,
            _ => SubjectKind::Task,
        },
        worst: args.worst.max(1),
        at: args.at,
        late: args.late,
        by: args.by,
        width: width(),
    };
    let answer = ask(&inputs, &options, &question);
    progress.clear();
    let answer = answer.map_err(|error| match error {
        NoAnswer::Convert(error) => failed(Failure::Convert(error)),
        NoAnswer::NoSuch(text) => failed(Failure::NoSuch(text)),
    })?;
    report.messages(finding_messages(&answer.summary));
    let out = if args.json {
        let text = serde_json::to_string_pretty(&json(&answer))?;
        printable_json(text) + "\n"
    } else {
        let files: Vec<_> =
            args.recordings.inputs.iter().map(|file| file.to_string_lossy().into_owned()).collect();
        text(&answer, &files).lines().map(|line| printable(line).into_owned() + "\n").collect()
    };
    print(out.as_bytes())?;
    Ok(Outcome::of(answer.summary.diagnostics.is_clean()))
}

/// Columns of the terminal.
fn width() -> usize {
    let size = io::stdout().is_terminal().then(crossterm::terminal::size);
    size.and_then(Result::ok).map_or(WIDTH, |(columns, _)| columns.into())
}
