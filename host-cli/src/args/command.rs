//! Arguments of `command`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use tband_app::options::values::duration;

use super::{TargetArgs, examples};

/// Arguments of `command`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::command())]
pub struct CommandArgs {
    /// How long to wait for the answer: 3s without it, 10s if received bytes are damaged
    #[arg(long, value_name = "TIME", value_parser = wait)]
    pub wait: Option<Duration>,

    /// Keep the bytes received until the answer, a part of the recording
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Print all commands
    #[arg(long, exclusive = true)]
    pub list: bool,

    #[command(flatten)]
    pub of_target: TargetArgs,

    /// Where the target is: serial:PORT@RATE, tcp:HOST:PORT, gdb:HOST:PORT and others
    #[arg(required_unless_present = "list", value_name = "SOURCE")]
    pub source: Option<String>,

    /// Command for the target; --list has all
    #[arg(required_unless_present = "list", value_name = "COMMAND")]
    pub name: Option<String>,

    /// Its arguments; numbers are decimal or 0x...
    #[arg(value_name = "ARGUMENT", allow_hyphen_values = true)]
    pub words: Vec<String>,
}

fn wait(text: &str) -> Result<Duration, String> {
    let ns = u64::try_from(duration(text)?).map_err(|_| "a time above 0 is needed".to_owned())?;
    Ok(Duration::from_nanos(ns))
}
