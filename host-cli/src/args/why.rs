//! Arguments of `why`.

use clap::Args;
use tband_app::options::values::duration;
use tband_report::why::Length;

use super::{ProgramArgs, Recordings, Window, examples};

/// Arguments of `why`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::WHY)]
pub struct WhyArgs {
    /// Task whose activations are explained: its name or number
    #[arg(value_name = "SUBJECT")]
    pub subject: String,

    #[command(flatten)]
    pub recordings: Recordings,

    #[command(flatten)]
    pub program: ProgramArgs,

    #[command(flatten)]
    pub window: Window,

    /// SUBJECT is an interrupt
    #[arg(long, conflicts_with = "timer")]
    pub isr: bool,

    /// SUBJECT is a software timer
    #[arg(long, hide_short_help = true)]
    pub timer: bool,

    /// Show this many activations
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub worst: usize,

    /// Show the activation at this time, as 1.5ms or 2s
    #[arg(long, hide_short_help = true, value_name = "TIME", value_parser = duration)]
    pub at: Option<i64>,

    /// Show only activations longer than this, as 2ms
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub late: Option<i64>,

    /// Order by response, start, locked or inverted
    ///
    /// response: from release to end. start: from ready to the first instant on a core. locked: waiting for locks. inverted:
    /// the part of locked in which a less urgent task kept the holder of the lock from running.
    #[arg(long, value_name = "LENGTH", default_value = "response", value_parser = length)]
    pub by: Length,

    /// Print one JSON object; times in ns
    #[arg(long)]
    pub json: bool,
}

fn length(text: &str) -> Result<Length, String> {
    let found = Length::ALL.iter().find(|(word, _)| *word == text);
    found.map(|(_, length)| *length).ok_or_else(|| {
        let words: Vec<_> = Length::ALL.iter().map(|(word, _)| *word).collect();
        format!("it is one of {}", words.join(", "))
    })
}
