//! Arguments of `init`.

use std::path::PathBuf;

use clap::Args;

use super::examples;
use super::values::hertz;

/// Arguments of `init`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::INIT)]
pub struct InitArgs {
    /// Folder of the project
    #[arg(default_value = ".", hide_default_value = true)]
    pub folder: PathBuf,

    /// Apply the patch to your files
    #[arg(long)]
    pub apply: bool,

    /// Undo: remove the written files, restore yours
    ///
    /// Files that you have changed since are reported and stay.
    #[arg(long, conflicts_with_all = ["apply", "cpu", "clock", "counter", "program", "config", "sdk"])]
    pub remove: bool,

    /// Folder for the recorder, in the project [default: tband]
    #[arg(long, value_name = "DIR", default_value = "tband", hide_default_value = true)]
    pub dir: PathBuf,

    /// Chip or CPU, such as stm32f405 or cortex-m4f, if the project does not name one
    ///
    /// The command lists all names of CPUs if it needs this option.
    #[arg(long, value_name = "CPU")]
    pub cpu: Option<String>,

    /// Clock of the core, or of --counter, in Hz, as 168M
    #[arg(long, value_name = "HZ", value_parser = hertz)]
    pub clock: Option<u32>,

    /// Timer: a C expression of a 32-bit counter that counts up
    ///
    /// Use it if the core's cycle counter does not run: in sleep, or in an emulator. Example: (TIM2->CNT)
    #[arg(long, value_name = "EXPR", requires = "clock")]
    pub counter: Option<String>,

    /// Program to record, if CMake builds several: the name in add_executable()
    #[arg(long, value_name = "NAME")]
    pub program: Option<String>,

    /// FreeRTOSConfig.h to use, if the project has several
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// SDK to take: an archive of cargo xtask dist, or its folder
    ///
    /// The default is the SDK that TBAND_SDK names, else the one in this program. A program that cargo install built contains none.
    #[arg(long, value_name = "PATH")]
    pub sdk: Option<PathBuf>,
}
