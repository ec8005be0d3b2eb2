//! The command line, from which help and completions come too.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

const EXAMPLES: &str = "\
Examples:
  tband-cli conv -o trace.pftrace recording.bin     convert, then open in ui.perfetto.dev
  tband-cli conv --open recording.bin               convert and show
  tband-cli conv -c 2 -o t.pftrace a.bin@0 b.bin@1  one file a core
  receiver | tband-cli dump --json - | jq .event    look at single events
";

const CONV_EXAMPLES: &str = "\
Examples:
  tband-cli conv -o trace.pftrace recording.bin
  tband-cli conv -f hex -o trace.pftrace recording.txt
  tband-cli conv -c 2 --open core0.meta.bin@0 core0.bin@0 core1.bin@1
";

const DUMP_EXAMPLES: &str = "\
Examples:
  tband-cli dump recording.bin
  tband-cli dump -m bare-metal recording.bin
  tband-cli dump --json recording.bin | jq 'select(.event == \"task_switched_in\")'
";

const INPUT_HELP: &str = "Recording: a file, file@CORE, or - for stdin";

const INPUT_LONG_HELP: &str = "\
Recording: a file, or - for stdin. file@CORE names the core that its events belong to until the \
recording itself says otherwise (default 0)";

/// Converts, dumps and serves recordings of the tband tracer.
#[derive(Debug, Parser)]
#[command(name = "tband-cli", version, before_long_help = EXAMPLES)]
pub struct Cli {
    /// Say more
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,

    /// Say nothing but errors
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,

    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Convert recordings to a Perfetto trace
    Conv(ConvArgs),
    /// Serve a Perfetto trace to ui.perfetto.dev
    Serve(ServeArgs),
    /// Print a recording, one line an event
    Dump(DumpArgs),
    /// Print a completion script
    Completion {
        /// The shell to complete in
        shell: Shell,
    },
}

/// How the bytes of a recording are written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Hex digits; white space is skipped
    Hex,
    /// Raw bytes
    Bin,
    /// Hex if it looks like that
    Auto,
}

/// Which events a recording may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Mode {
    /// Base events only
    BareMetal,
    /// Base and FreeRTOS events
    FreeRtos,
    /// What the recording says of itself
    Auto,
}

/// Arguments of `conv`.
#[derive(Debug, Args)]
#[command(before_long_help = CONV_EXAMPLES)]
pub struct ConvArgs {
    /// How the recording is written down
    #[arg(short, long, value_enum, default_value_t = Format::Bin, hide_possible_values = false)]
    pub format: Format,

    /// Which events it may hold
    #[arg(short, long, value_enum, default_value_t = Mode::FreeRtos)]
    pub mode: Mode,

    /// Number of cores of the target, or auto
    ///
    /// Events of other cores are shown all the same, with a warning. Recordings that hold a
    /// trace_info event know it themselves.
    #[arg(short, long, value_name = "N", default_value = "auto", value_parser = core_count)]
    pub core_count: CoreCount,

    /// Where to put the trace; - for stdout
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Show the trace in the browser, serving it until it is loaded
    #[arg(long)]
    pub open: bool,

    /// Serve the trace on this machine until Ctrl-C
    #[arg(long)]
    pub serve: bool,

    /// Port to serve on; the next free one if it is taken
    #[arg(long, default_value_t = crate::serve::DEFAULT_PORT)]
    pub port: u16,

    /// Fail without output if anything is lost or damaged
    #[arg(long)]
    pub strict: bool,

    #[arg(required = true, value_name = "INPUT", help = INPUT_HELP, long_help = INPUT_LONG_HELP)]
    pub inputs: Vec<OsString>,
}

/// Value of `--core-count`; `None` is auto.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoreCount(pub Option<u32>);

fn core_count(text: &str) -> Result<CoreCount, String> {
    let max = tband_conv::MAX_CORES;
    match text.parse() {
        _ if text == "auto" => Ok(CoreCount(None)),
        Ok(count) if (1..=max).contains(&count) => Ok(CoreCount(Some(count))),
        _ => Err(format!("a number from 1 to {max} or auto is needed")),
    }
}

/// Arguments of `dump`.
#[derive(Debug, Args)]
#[command(before_long_help = DUMP_EXAMPLES)]
pub struct DumpArgs {
    /// How the recording is written down
    #[arg(short, long, value_enum, default_value_t = Format::Bin)]
    pub format: Format,

    /// Which events it may hold
    #[arg(short, long, value_enum, default_value_t = Mode::FreeRtos)]
    pub mode: Mode,

    /// One JSON object a line
    #[arg(long)]
    pub json: bool,

    #[arg(value_name = "INPUT", help = INPUT_HELP, long_help = INPUT_LONG_HELP)]
    pub input: OsString,
}

/// Arguments of `serve`.
#[derive(Debug, Args)]
pub struct ServeArgs {
    /// Port to serve on; the next free one if it is taken
    ///
    /// Perfetto's page may only load from 9001.
    #[arg(long, default_value_t = crate::serve::DEFAULT_PORT)]
    pub port: u16,

    /// Show the trace in the browser too, and end once it is loaded
    #[arg(long)]
    pub open: bool,

    /// Perfetto trace to serve
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

impl From<Format> for tband_conv::Format {
    fn from(format: Format) -> Self {
        match format {
            Format::Hex => Self::Hex,
            Format::Bin => Self::Bin,
            Format::Auto => Self::Auto,
        }
    }
}

impl From<Mode> for tband_conv::Mode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::BareMetal => Self::BareMetal,
            Mode::FreeRtos => Self::FreeRtos,
            Mode::Auto => Self::Auto,
        }
    }
}
