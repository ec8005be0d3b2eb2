//! Arguments of `ingest`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use super::{ProgramArgs, ReadingArgs, examples};

/// Arguments of `ingest`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::INGEST)]
pub struct IngestArgs {
    #[command(flatten)]
    pub reading: ReadingArgs,

    #[command(flatten)]
    pub program: ProgramArgs,

    /// Device that made the recordings: their partition
    #[arg(long, value_name = "NAME", default_value = "unknown", value_parser = device)]
    pub device: String,

    /// Day of the recordings, as 2026-11-24: their partition
    ///
    /// Without it, the day of each file's last change, in UTC.
    #[arg(long, value_name = "DAY")]
    pub date: Option<String>,

    /// Add the table parts: what took each instant of each activation
    ///
    /// It may have a row for each ready task at each task switch. Recordings that are there already keep their tables.
    #[arg(long)]
    pub parts: bool,

    /// Recordings that are read at a time
    ///
    /// Without it, as many as this machine has processors. Each takes up to 100 MiB.
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,

    /// Folder of the tables; it is made if it is not there
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,

    /// Recordings: a file each, or the folder of a CTF trace
    #[arg(required = true, value_name = "INPUT")]
    pub inputs: Vec<PathBuf>,
}

/// A name that a partition can have.
fn device(text: &str) -> Result<String, String> {
    if text.trim().is_empty() {
        return Err("the device has no name; name it, as pump-7".to_owned());
    }
    Ok(text.to_owned())
}
