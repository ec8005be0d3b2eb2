//! `tband-cli`: records, converts, dumps, measures, checks and serves recordings. The work is in `tband-conv`; here are the
//! command line, files, standard streams and exit codes.
//!
//! stdout has data, stderr has messages. Exit codes: 0 clean, 1 converted with damage or losses, 2 no usable result or wrong
//! usage. `assert` and `diff` also have 3: nothing is broken or worse, but something is not judged.

mod acceptance;
mod args;
mod assert;
mod auto_convert;
mod check;
mod chip;
mod command;
mod config;
mod conv;
mod diff;
mod doctor;
mod dump;
mod extract;
mod failed;
mod files;
mod gaps;
mod http;
mod init;
mod licenses;
mod live;
mod look;
mod manual;
mod page;
mod program;
mod record;
mod recordings;
mod report;
mod report_page;
mod sdk;
mod serve;
mod stats;
mod survey;
mod syntax;
mod tables;
mod target;
mod target_commands;
mod top;
mod web;
mod why;

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::Parser;
use tband_conv::model::is_control;
use tband_report::printable::printable;

use args::{Cli, Command};
use files::{
    folder, gzip, input, interrupt, numbered, output, progress, settings, times, walk, zipped,
};
use report::Report;

/// How a command ended without an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Clean,
    Damaged,
    /// Something is not judged.
    #[cfg(feature = "query")]
    Open,
}

impl Outcome {
    const fn of(clean: bool) -> Self {
        if clean { Self::Clean } else { Self::Damaged }
    }

    /// Of two steps.
    fn and(self, other: Self) -> Self {
        Self::of(self == Self::Clean && other == Self::Clean)
    }
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => wrong_arguments(&error),
    };
    let report = Report::new(cli.verbose, cli.quiet);
    if let Err(error) = interrupt::install() {
        report.detail(&format!("Ctrl-C will not remove temporary files: {error}"));
    }
    match run(cli, &report) {
        Ok(Outcome::Clean) => ExitCode::SUCCESS,
        Ok(Outcome::Damaged) => ExitCode::from(1),
        #[cfg(feature = "query")]
        Ok(Outcome::Open) => ExitCode::from(3),
        // The reader closed the pipe.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            report.error(&error);
            ExitCode::from(2)
        }
    }
}

/// Ends the program as clap does. Arguments in its message could control the terminal: they are escaped.
fn wrong_arguments(error: &clap::Error) -> ! {
    let is_plain = |arg: OsString| !arg.to_string_lossy().contains(is_control);
    if std::env::args_os().all(is_plain) {
        error.exit();
    }
    let text = error.render().to_string();
    for line in text.lines() {
        let _ = writeln!(io::stderr(), "{}", printable(line));
    }
    std::process::exit(error.exit_code())
}

fn run(cli: Cli, report: &Report) -> anyhow::Result<Outcome> {
    match cli.command {
        Command::Conv(args) => conv::run(&args, report),
        Command::Dump(args) => dump::run(args, report),
        Command::Record(args) => record::run(&args, report),
        Command::Top(args) => top::run(&args, report),
        Command::Send(args) => command::run(&args, report),
        Command::Extract(args) => extract::run(&args, report),
        Command::Serve(args) => serve::run(&args, report),
        Command::Stats(args) => stats::run(&args, report),
        Command::Check(args) => check::run(&args, report),
        Command::Why(args) => why::run(&args, report),
        Command::Report(args) => report_page::run(&args, report),
        Command::Assert(args) => assert::run(&args, report),
        Command::Diff(args) => diff::run(args, report),
        Command::Ingest(args) => tables::ingest::run(&args, report),
        Command::Query(args) => tables::query::run(&args, report),
        Command::Web(args) => web::run(&args, report),
        Command::Config(args) => config::run(&args, report),
        Command::Doctor(args) => doctor::run(&args, report),
        Command::Init(args) => init::run(&args, report),
        Command::Sdk(args) => sdk::run(&args, report),
        Command::Completion { shell } => manual::completion(shell),
        Command::Man { out } => manual::write(&out, report),
        Command::Licenses => licenses::run(),
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}
