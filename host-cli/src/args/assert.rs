//! Arguments of `assert`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::{ProgramArgs, Recordings, Window, examples};

/// Arguments of `assert`.
#[derive(Debug, Args)]
#[command(
    after_long_help = examples::ASSERT,
    // Without recordings it explains rules.
    mut_arg("inputs", |inputs| inputs.required(false))
)]
pub struct AssertArgs {
    /// Rules in TOML; with --learn a recording
    #[arg(value_name = "RULES")]
    pub rules: OsString,

    #[command(flatten)]
    pub recordings: Recordings,

    #[command(flatten)]
    pub program: ProgramArgs,

    #[command(flatten)]
    pub window: Window,

    /// Read each input as a separate recording
    ///
    /// Without it, all inputs are of one target, as for the other commands.
    #[arg(long)]
    pub each: bool,

    /// Print the SELECT of each rule, and judge nothing
    #[arg(long, conflicts_with = "learn")]
    pub explain: bool,

    /// Print rules that all these good recordings keep
    ///
    /// Each input is a recording. The bounds are the longest times seen and a fifth more.
    #[arg(long)]
    pub learn: bool,

    /// Good recording that relative bounds refer to
    ///
    /// It is a recording, or a file of --write-baseline. For several files, repeat the option.
    #[arg(long, value_name = "FILE")]
    pub baseline: Vec<OsString>,

    /// Write what later runs compare with to this file
    ///
    /// It has one number for each recording, metric and subject.
    #[arg(long, hide_short_help = true, value_name = "FILE")]
    pub write_baseline: Option<PathBuf>,

    /// Show the rules that hold too
    #[arg(long, hide_short_help = true)]
    pub all: bool,

    /// Write the results as JUnit to this file; - for stdout
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,

    /// Write the results as SARIF 2.1.0 to this file; - for stdout
    #[arg(long, hide_short_help = true, value_name = "FILE")]
    pub sarif: Option<PathBuf>,

    /// Write the results as one JSON object to this file; - for stdout
    #[arg(long, hide_short_help = true, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// Write the results as a table in Markdown to this file; - for stdout
    #[arg(long, hide_short_help = true, value_name = "FILE")]
    pub markdown: Option<PathBuf>,

    /// Print annotations for GitHub's workflows
    #[arg(long)]
    pub github: bool,
}
