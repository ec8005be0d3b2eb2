//! Arguments of `query`.

use std::path::PathBuf;

use clap::Args;
use tband_app::options::values::window_length;

use super::{ProgramArgs, Recordings, Window, examples};

/// Arguments of `query`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::QUERY)]
pub struct QueryArgs {
    /// Question in SQL, as "SELECT event, count(*) FROM events GROUP BY event"
    #[arg(value_name = "SQL", allow_hyphen_values = true)]
    pub sql: String,

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

    /// Length of a window of the table load
    ///
    /// Folders of tables have windows of 100 ms.
    #[arg(long, value_name = "TIME", default_value = "100ms", value_parser = window_length)]
    pub every: i64,

    /// Write the answer to this file; - for stdout
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Print one JSON object per row
    #[arg(long, conflicts_with = "csv")]
    pub json: bool,

    /// Print CSV
    #[arg(long)]
    pub csv: bool,
}
