//! Arguments of `sdk`.

use std::path::PathBuf;

use clap::{ArgGroup, Args};

use super::examples;

/// Arguments of `sdk`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::SDK)]
#[command(group(ArgGroup::new("to").required(true).multiple(true).args(["out", "tar"])))]
pub struct SdkArgs {
    /// Write the SDK into this new folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Write the SDK as an archive, tar.gz; - for stdout
    #[arg(long, value_name = "FILE")]
    pub tar: Option<PathBuf>,

    /// SDK to write: an archive of cargo xtask dist, or its folder
    ///
    /// The default is the SDK that TBAND_SDK names, else the one in this program. A program that cargo install built contains none.
    #[arg(long, value_name = "PATH")]
    pub sdk: Option<PathBuf>,
}
