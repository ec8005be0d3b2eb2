//! The command line: the one source of parser, help, man pages and completions.

mod choices;
mod examples;
mod values;
mod window;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{ArgAction, Args, CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use tband_conv::{Frequency, Which};

pub use choices::{CtfNames, Flows, Format, Interrupts, Mode, Target};
pub use values::CoreCount;
use values::{EventNames, core_count, which};
pub use window::{ConvWindow, Window, named, tell_if_empty};

const INPUT_HELP: &str = "Recording: a file, file@CORE, or - for stdin";

const INPUT_LONG_HELP: &str = "\
Recording: a file, or - for stdin. file@CORE names the core that its events belong to until the \
recording itself says otherwise (default 0)";

/// Converts, dumps, measures, checks and serves recordings of the tband tracer.
#[derive(Debug, Parser)]
#[command(
    name = "tband-cli",
    version,
    max_term_width = 80,
    before_long_help = examples::ALL,
    after_long_help = examples::EXIT_CODES
)]
pub struct Cli {
    /// Say more
    #[arg(short, long, global = true, display_order = 900, action = ArgAction::Count)]
    pub verbose: u8,

    /// Say nothing but errors
    #[arg(short, long, global = true, display_order = 900, conflicts_with = "verbose")]
    pub quiet: bool,

    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Convert recordings to a Perfetto or CTF trace
    Conv(ConvArgs),
    /// Serve a trace or a recording to ui.perfetto.dev
    Serve(ServeArgs),
    /// Print a recording, one line an event
    Dump(DumpArgs),
    /// Print what tasks, interrupts, queues and markers did, in numbers
    Stats(StatsArgs),
    /// Say whether a recording is whole, and what is wrong with it
    Check(CheckArgs),
    /// Write a page that shows a recording, timeline and numbers, offline
    Report(ReportArgs),
    /// Serve the web page, a converter in the browser
    Web(WebArgs),
    /// Say whether tband_config.h and tband_port.h have macros that do not exist
    Config(ConfigArgs),
    /// Print a completion script
    #[command(before_long_help = examples::COMPLETION)]
    Completion {
        /// The shell to complete in
        shell: Shell,
    },
    /// Write the man pages
    #[command(before_long_help = examples::MAN)]
    Man {
        /// Folder to write them to
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
    },
    /// Print the licences of the packages that are in this program
    #[command(before_long_help = examples::LICENSES)]
    Licenses,
}

/// Arguments of `config`.
#[derive(Debug, Args)]
#[command(before_long_help = examples::CONFIG, after_long_help = examples::EXIT_CODES_OF_CONFIG)]
pub struct ConfigArgs {
    /// Header with macros of tband
    #[arg(required = true, value_name = "HEADER")]
    pub files: Vec<PathBuf>,
}

/// How recordings are to be read.
#[derive(Debug, Args)]
pub struct Reading {
    /// Notation: bin, hex, base64, gzip, auto
    ///
    /// bin: raw bytes. hex: hex digits. base64: its digits. White space is skipped in both. gzip: any
    /// of them compressed. auto: what it looks like, judged by more than its first bytes.
    #[arg(short, long, value_enum, default_value_t = Format::Auto, hide_possible_values = true)]
    pub format: Format,

    /// Its events: free-rtos, bare-metal, auto
    ///
    /// free-rtos: base and FreeRTOS events. bare-metal: base events; others are damage. auto: what
    /// the recording says of itself, else free-rtos.
    #[arg(short, long, value_enum, default_value_t = Mode::FreeRtos, hide_possible_values = true)]
    pub mode: Mode,

    /// How often the timestamps' timer counts: Hz, as 64M or 3579545/3
    ///
    /// Not the kernel's tick: the timer of the timestamps, at the start of the recording. For recordings
    /// that have the length of its tick in rounded nanoseconds only, or wrong. A number, with decimals if
    /// need be, that may end in k, M or G, or two of them with / between.
    #[arg(long, value_name = "HZ", hide_short_help = true)]
    pub tick_rate: Option<Frequency>,
}

/// The recordings of one target, read together.
#[derive(Debug, Args)]
pub struct Recordings {
    #[command(flatten)]
    pub reading: Reading,

    /// Cores of the target, a number or auto
    ///
    /// Events of other cores are used all the same, with a warning. auto: what the recording says of
    /// itself, else whatever occurs.
    #[arg(short, long, value_name = "N", default_value = "auto", value_parser = core_count)]
    pub core_count: CoreCount,

    #[arg(required = true, value_name = "INPUT", help = INPUT_HELP, long_help = INPUT_LONG_HELP)]
    pub inputs: Vec<OsString>,
}

/// Arguments of `conv`.
#[derive(Debug, Args)]
#[command(before_long_help = examples::CONV)]
pub struct ConvArgs {
    #[command(flatten)]
    pub recordings: Recordings,

    /// Where to put the trace; - for stdout
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub window: ConvWindow,

    /// Its arrows: wakes, all, none
    ///
    /// wakes: from what ended a task's wait to what the task did then. all: also from every sent item
    /// to its receiver, which makes the trace larger.
    #[arg(
        long,
        value_enum,
        value_name = "WHICH",
        default_value_t = Flows::Wakes,
        hide_possible_values = true
    )]
    pub flows: Flows,

    /// With --to ctf1, its events: tband, lttng
    ///
    /// tband: as they were recorded. lttng: what runs on each core, as the Linux kernel's tracer has it
    /// (sched_switch, sched_wakeup, irq_handler_entry and _exit), for views of that.
    #[arg(
        long,
        value_enum,
        value_name = "NAMES",
        default_value_t = CtfNames::Tband,
        hide_possible_values = true,
        hide_short_help = true
    )]
    pub ctf_names: CtfNames,

    /// Its interrupts: cpu, rows
    ///
    /// cpu: they run on the row of their core, where they preempt tasks: the time of tasks is their own,
    /// and what an interrupt wakes says so. rows: each interrupt of each core has a row of its own, with
    /// its spans and arrows, and tasks go on beneath.
    #[arg(
        long,
        value_enum,
        value_name = "IN",
        default_value_t = Interrupts::Cpu,
        hide_possible_values = true
    )]
    pub interrupts: Interrupts,

    /// Every recorded event as an instant too, with its fields
    ///
    /// For those who debug the recorder itself: the group "Recorded events" has a row for each core with
    /// all its events, metadata included, in the order of the recording. The trace gets four times as large.
    #[arg(long, hide_short_help = true)]
    pub raw_events: bool,

    /// Compress the trace, as for a FILE that ends in .gz
    ///
    /// Perfetto reads compressed traces too.
    #[arg(long, hide_short_help = true)]
    pub gzip: bool,

    /// Show the trace in the browser
    ///
    /// It is served on this machine until it is loaded.
    #[arg(long)]
    pub open: bool,

    /// Serve the trace on this machine until Ctrl-C
    #[arg(long)]
    pub serve: bool,

    /// Port to serve on, or the next free one
    ///
    /// Perfetto's page may only load from 9001.
    #[arg(long, hide_short_help = true, default_value_t = crate::page::DEFAULT_PORT)]
    pub port: u16,

    /// Fail without output if anything is lost or damaged
    #[arg(long)]
    pub strict: bool,
}

/// Arguments of `dump`.
#[derive(Debug, Args)]
#[command(before_long_help = examples::DUMP)]
pub struct DumpArgs {
    #[command(flatten)]
    pub reading: Reading,

    /// One JSON object a line
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub window: Window,

    /// Only events of this core
    #[arg(long, value_name = "N")]
    pub core: Option<u32>,

    /// Only events of this name; several have commas between
    ///
    /// Names are as in the dump. May be given several times as well.
    #[arg(
        long,
        value_name = "NAME",
        value_parser = EventNames,
        value_delimiter = ',',
        hide_possible_values = true
    )]
    pub event: Vec<String>,

    /// Only events that name this task, or that it makes
    ///
    /// By name or number. It makes what is recorded while it runs, but for interrupts, up to the
    /// switch to the next task.
    #[arg(long, value_name = "TASK", value_parser = which)]
    pub task: Option<Which>,

    /// Only events that name this queue, semaphore or mutex
    #[arg(long, value_name = "QUEUE", value_parser = which)]
    pub queue: Option<Which>,

    /// No more than this many events
    ///
    /// The rest of the recording is not read.
    #[arg(long, value_name = "N")]
    pub limit: Option<u64>,

    #[arg(required = true, value_name = "INPUT", help = INPUT_HELP, long_help = INPUT_LONG_HELP)]
    pub inputs: Vec<OsString>,
}

/// Arguments of `stats`.
#[derive(Debug, Args)]
#[command(before_long_help = examples::STATS, after_long_help = examples::STATS_NOTES)]
pub struct StatsArgs {
    #[command(flatten)]
    pub recordings: Recordings,

    #[command(flatten)]
    pub window: Window,

    /// All rows of all tables, tasks that were deleted or never ran too
    #[arg(long)]
    pub all: bool,

    /// As one JSON object; times in ns
    #[arg(long, conflicts_with = "csv")]
    pub json: bool,

    /// As CSV, one line a number; times in ns
    #[arg(long)]
    pub csv: bool,
}

/// Arguments of `check`.
#[derive(Debug, Args)]
#[command(before_long_help = examples::CHECK)]
pub struct CheckArgs {
    #[command(flatten)]
    pub recordings: Recordings,

    /// As one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `report`.
#[derive(Debug, Args)]
#[command(before_long_help = examples::REPORT, after_long_help = examples::REPORT_NOTES)]
pub struct ReportArgs {
    #[command(flatten)]
    pub recordings: Recordings,

    /// Where to put the page; - for stdout
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,

    #[command(flatten)]
    pub window: Window,

    /// How many slices the timeline may have
    ///
    /// Of more, neighbours that are too short to be seen become one, with what they come to. An aggregate of them
    /// counts as two. A page of a million slices has some 4 MB; a browser takes 100 MB for the default.
    #[arg(long, hide_short_help = true, value_name = "N", default_value_t = tband_report::MAX_SLICES)]
    pub max_slices: usize,

    /// Show it in the browser too
    #[arg(long)]
    pub open: bool,
}

/// Arguments of `serve`.
#[derive(Debug, Args)]
#[command(before_long_help = examples::SERVE)]
pub struct ServeArgs {
    /// Port to serve on, or the next free one
    ///
    /// Perfetto's page may only load from 9001.
    #[arg(long, default_value_t = crate::page::DEFAULT_PORT)]
    pub port: u16,

    /// Show it in the browser too, end once it is loaded
    #[arg(long)]
    pub open: bool,

    /// Perfetto trace, or a recording to convert first
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

/// Where the web page is served. The same each time, so that a browser that has installed it finds it again.
const WEB_PORT: u16 = 9010;

/// Arguments of `web`.
#[derive(Debug, Args)]
#[command(before_long_help = examples::WEB)]
pub struct WebArgs {
    /// Port to serve on, or the next free one
    #[arg(long, default_value_t = WEB_PORT)]
    pub port: u16,

    /// Show it in the browser too
    #[arg(long)]
    pub open: bool,

    /// Folder of the page, in place of the built-in one
    ///
    /// As `cargo xtask web --out DIR` makes it.
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

/// Ends the program as clap does for what it finds itself: with the usage of the command.
pub fn wrong_usage(command: &str, text: &str) -> ! {
    let mut program = Cli::command();
    program.build();
    let error = match program.find_subcommand_mut(command) {
        Some(command) => command.error(ErrorKind::ArgumentConflict, text),
        None => program.error(ErrorKind::ArgumentConflict, text),
    };
    error.exit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }
}
