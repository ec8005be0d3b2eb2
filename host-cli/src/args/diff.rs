//! Arguments of `diff`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::{ProgramArgs, Recordings, Window, examples};

/// Arguments of `diff`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::DIFF)]
pub struct DiffArgs {
    #[command(flatten)]
    pub recordings: Recordings,

    /// The same of group B; those before -- are group A
    #[arg(last = true, value_name = "B")]
    pub other: Vec<OsString>,

    #[command(flatten)]
    pub program: ProgramArgs,

    #[command(flatten)]
    pub window: Window,

    /// Test only these figures: response,own
    ///
    /// Fewer tests find smaller changes. A wrong name prints all names. Without it: response,
    /// own, start, lock, load, duration, heap, stack, missed and findings.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub only: Vec<String>,

    /// Compare only subjects with this name, such as 'net*'
    #[arg(
        long,
        value_name = "NAME",
        default_value = "*",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    pub subject: String,

    /// Least change that matters, in percent
    #[arg(long, value_name = "PERCENT", default_value = "5", hide_short_help = true, value_parser = percent, allow_negative_numbers = true)]
    pub threshold: f64,

    /// A change also has to exceed the differences between the recordings of A
    #[arg(long, hide_short_help = true)]
    pub beyond_spread: bool,

    /// Exit with 1 if a figure is worse, or by rules
    ///
    /// worse: a figure is worse. A file in TOML: rules as for assert; relative bounds refer to the recordings of A. You may
    /// repeat the option.
    #[arg(long, value_name = "WHAT")]
    pub fail_on: Vec<OsString>,

    /// Show all rows
    #[arg(long, hide_short_help = true)]
    pub all: bool,

    /// Write JSON to this file; - for stdout
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// Write Markdown to this file; - for stdout
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
}

fn percent(text: &str) -> Result<f64, String> {
    let number = text.trim().trim_end_matches('%').trim_end();
    match number.parse::<f64>() {
        Ok(value) if value.is_finite() && (0.0..=1000.0).contains(&value) => Ok(value),
        _ => Err("a percentage from 0 to 1000 is needed, such as 5".to_owned()),
    }
}
