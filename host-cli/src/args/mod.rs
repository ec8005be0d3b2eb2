//! The command line: the one source of parser, help, man pages and completions.

mod assert;
mod choices;
mod command;
mod diff;
mod examples;
mod extract;
mod ingest;
mod init;
mod query;
mod record;
mod sdk;
pub mod sources;
mod top;
mod values;
mod why;
mod window;

use std::ffi::OsString;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{ArgAction, Args, CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use tband_app::commands::{check, dump, report, stats};
use tband_app::exports::CtfNames;
use tband_app::options::values::{align_by, duration, window_length};
use tband_conv::InputFormat;
use tband_conv::align::AlignBy;
use tband_conv::clock::frequency::Frequency;
use tband_conv::dump::ObjectSelector;
use tband_conv::encoding::notation::Format;
use tband_conv::item::Mode;
use tband_conv::model::Flows;
use tband_conv::sinks::Interrupts;
use tband_export::{Compression, FluxVersion};

pub use assert::AssertArgs;
use choices::words;
pub use command::CommandArgs;
pub use diff::DiffArgs;
pub use extract::ExtractArgs;
pub use ingest::IngestArgs;
pub use init::InitArgs;
pub use query::QueryArgs;
pub use record::{EndCondition, FileRotation, PreTriggerAmount, RecordArgs, TargetArgs};
pub use sdk::SdkArgs;
pub use top::{Sort, TopArgs};
pub use values::CoreCount;
use values::{EventNames, core_count, parse_object};
pub use why::WhyArgs;
pub use window::{ConvWindow, Window, ends};

const INPUT_HELP: &str = "Recording: a file, file@CORE, or - for stdin";

const INPUT_LONG_HELP: &str = "\
Recording: a file, or - for stdin. file@CORE names the core that its events belong to until the \
recording names another core (default 0)";

/// Converts, dumps, measures, checks and serves recordings of the tband tracer.
#[derive(Debug, Parser)]
#[command(
    name = "tband-cli",
    version,
    max_term_width = 80,
    after_long_help = examples::ALL
)]
pub struct Cli {
    /// Print more
    #[arg(short, long, global = true, display_order = 900, action = ArgAction::Count)]
    pub verbose: u8,

    /// Print errors only
    #[arg(short, long, global = true, display_order = 900, conflicts_with = "verbose")]
    pub quiet: bool,

    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Convert recordings to a trace of Perfetto, CTF or other tools
    Conv(ConvArgs),
    /// Record from a cable, a network, a program or a file
    Record(RecordArgs),
    /// Show live CPU use, waits and queue levels
    Top(TopArgs),
    /// Send a command to the firmware: start, stop, names, and its own
    #[command(name = "command")]
    Send(CommandArgs),
    /// Take recordings out of saved memory, as after a crash
    Extract(ExtractArgs),
    /// Serve a trace or a recording to ui.perfetto.dev
    Serve(ServeArgs),
    #[command(about = dump::COMMAND.about)]
    Dump(DumpArgs),
    #[command(about = stats::COMMAND.about)]
    Stats(StatsArgs),
    #[command(about = check::COMMAND.about)]
    Check(CheckArgs),
    /// Explain the longest activations of a task, an interrupt or a timer
    Why(WhyArgs),
    #[command(about = report::COMMAND.about)]
    Report(ReportArgs),
    /// Judge recordings by rules: deadlines, load, stacks, order
    Assert(AssertArgs),
    /// Compare two groups of recordings: what became worse, by how much
    Diff(DiffArgs),
    /// Add recordings to a folder of tables, for questions to thousands
    Ingest(IngestArgs),
    /// Answer a question in SQL to recordings, or to a folder of tables
    Query(QueryArgs),
    /// Serve the web page, a converter in the browser
    Web(WebArgs),
    /// Report macros in tband_config.h and tband_port.h that do not exist
    Config(ConfigArgs),
    /// Find out what a project lacks for recording, and what it costs
    Doctor(DoctorArgs),
    /// Add the recorder to a project: write files, show or apply a patch
    Init(InitArgs),
    /// Write the SDK: headers, sources and libraries for firmware
    Sdk(SdkArgs),
    /// Print a completion script
    #[command(after_long_help = examples::COMPLETION)]
    Completion {
        /// The shell to complete in
        shell: Shell,
    },
    /// Write the man pages
    #[command(after_long_help = examples::MAN)]
    Man {
        /// Folder to write them to
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
    },
    /// Print the licences of the packages that are in this program
    #[command(after_long_help = examples::LICENSES)]
    Licenses,
}

/// Arguments of `config`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::CONFIG)]
pub struct ConfigArgs {
    /// Header with macros of tband
    #[arg(required = true, value_name = "HEADER")]
    pub files: Vec<PathBuf>,
}

/// Arguments of `doctor`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::DOCTOR)]
pub struct DoctorArgs {
    /// Folder of a project, or a program that was linked (ELF)
    #[arg(default_value = ".", hide_default_value = true)]
    pub path: PathBuf,

    /// FreeRTOSConfig.h or tband_config.h that the build uses, if the folder has several
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Events a second, to work out costs
    #[arg(long, value_name = "RATE", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub rate: u32,
}

/// How recordings are to be read.
#[derive(Debug, Args)]
pub struct ReadingArgs {
    /// Encoding of the input
    ///
    /// bin: raw bytes. hex and base64: text; white space is skipped. gzip: any of these, compressed. auto: found out
    /// from the content.
    #[arg(short, long, value_parser = words::<Format>(), default_value = "auto", hide_possible_values = true)]
    pub format: Format,

    /// Recorder that made the input
    ///
    /// auto: found out from the content. tband: this one. systemview: SEGGER SystemView; systemview-esp, systemview-v10 and
    /// systemview-v11 also name the table of its API ids. ftrace: text of ftrace, trace-cmd report or perf script.
    /// flux: flux 4 and 6. qs: QS of QP. rkh: the trace of RKH. tracerecorder: Percepio TraceRecorder. ctf: the folder of a
    /// trace in the Common Trace Format.
    #[arg(long, value_parser = words::<InputFormat>(), default_value = "auto", hide_possible_values = true, hide_short_help = true)]
    pub input_format: InputFormat,

    /// Mapping file of a CTF trace: what its events mean
    ///
    /// Without the option, the file tband-map.toml beside the trace's metadata is used, if there is one.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub ctf_map: Option<PathBuf>,

    /// Events of the input
    ///
    /// free-rtos: base and FreeRTOS events. bare-metal: base events; others count as damage. auto: the value in the
    /// recording, else free-rtos.
    #[arg(short, long, value_parser = words::<Mode>(), default_value = "free-rtos", hide_possible_values = true)]
    pub mode: Mode,

    /// Frequency of the timestamp timer in Hz, as 64M or 3579545/3
    ///
    /// At the start of the recording; this is not the tick rate of the kernel. Use it where the recording has no
    /// frequency, a rounded one, or a wrong one. Of recordings that are compared, those with another one keep it. A number,
    /// with decimals if you like, that may end in k, M or G, or a
    /// fraction of two such numbers.
    #[arg(long, value_name = "HZ", hide_short_help = true)]
    pub tick_rate: Option<Frequency>,
}

/// The recordings of one target, read together.
#[derive(Debug, Args)]
pub struct Recordings {
    #[command(flatten)]
    pub reading: ReadingArgs,

    /// Number of cores of the target
    ///
    /// A number or auto. Events of further cores are used too, with a warning. auto: the number in the recording, else the cores that occur.
    #[arg(short, long, value_name = "N", default_value = "auto", value_parser = core_count)]
    pub core_count: CoreCount,

    /// Align clocks: by clock-sync, marker:NAME, pulse:NAME or received
    ///
    /// All others get the time of the first input that was not reset. For cores with separate timers, and for several boards: give
    /// the file of each board another core after the @. Each board has its own tasks, objects and resets. clock-sync: the value markers TBAND_CLOCK_SYNC_SENT and TBAND_CLOCK_SYNC_HEARD. marker:NAME: a marker that all
    /// record at the same time, each value or text once. pulse:NAME: an interrupt or a marker that all record at the same time,
    /// distinguished by the times in between. received: the times at which record --times received the events. The command reports
    /// the drift, and how far wrong times can still be.
    #[arg(long, value_name = "BY", value_parser = align_by, hide_short_help = true)]
    pub align: Option<AlignBy>,

    /// With --align: most time between the records of a shared moment, such as 20us
    ///
    /// Use it if the order of the records of a moment is unknown; with received, it is the longest time that the quickest bytes are
    /// under way. Without it, twice the least that agrees with clocks that run evenly.
    #[arg(long, value_name = "TIME", value_parser = duration, requires = "align", hide_short_help = true)]
    pub align_within: Option<i64>,

    #[arg(required = true, value_name = "INPUT", help = INPUT_HELP, long_help = INPUT_LONG_HELP)]
    pub inputs: Vec<OsString>,
}

/// The program whose recording it is.
#[derive(Debug, Default, Args)]
pub struct ProgramArgs {
    /// Program that ran, with symbols: has formats of records, and names where it crashed
    ///
    /// It has the formats of TBAND_RECORD(), which are not in the firmware, and names the function, file and line of each crash.
    /// Recordings that extract made with --elf have both already, and the callers too.
    #[arg(long, value_name = "ELF", hide_short_help = true)]
    pub elf: Option<PathBuf>,
}

/// Arguments of `conv`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::CONV)]
pub struct ConvArgs {
    #[command(flatten)]
    pub recordings: Recordings,

    #[command(flatten)]
    pub program: ProgramArgs,

    /// Write the trace to this file; - for stdout
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub window: ConvWindow,

    /// Flow arrows to write
    ///
    /// none. wakes: from what ended a task's wait to what the task did then. all: also from every sent item to its receiver,
    /// which makes the trace larger.
    #[arg(
        long,
        value_parser = words::<Flows>(),
        value_name = "WHICH",
        default_value = "wakes",
        hide_possible_values = true
    )]
    pub flows: Flows,

    /// Event names of a ctf1 trace
    ///
    /// tband: every event as it was recorded. lttng: what runs on each core, in the events of the Linux kernel's tracer
    /// (sched_switch, sched_wakeup, irq_handler_entry and _exit), for viewers of these.
    #[arg(
        long,
        value_parser = words::<CtfNames>(),
        value_name = "NAMES",
        default_value = "tband",
        hide_possible_values = true,
        hide_short_help = true
    )]
    pub ctf_names: CtfNames,

    /// Version of a flux trace: 4 or 6
    #[arg(
        long,
        value_parser = words::<FluxVersion>(),
        value_name = "VERSION",
        default_value = "6",
        hide_possible_values = true,
        hide_short_help = true
    )]
    pub flux_version: FluxVersion,

    /// Compression of a flux trace: none, lz4 or zlib
    ///
    /// zlib is of version 6.
    #[arg(
        long,
        value_parser = words::<Compression>(),
        value_name = "HOW",
        default_value = "lz4",
        hide_possible_values = true,
        hide_short_help = true
    )]
    pub flux_compression: Compression,

    /// Where interrupts are shown
    ///
    /// cpu: on the row of their core, where they preempt tasks, so that a task's time is its own. rows: each interrupt
    /// of each core has a separate row, with its spans and arrows, and tasks continue under it.
    #[arg(
        long,
        value_parser = words::<Interrupts>(),
        value_name = "IN",
        default_value = "cpu",
        hide_possible_values = true
    )]
    pub interrupts: Interrupts,

    /// Add every recorded event as an instant, with its fields
    ///
    /// To debug the recorder itself: the group "Recorded events" has a row for each core with all its events, metadata
    /// included, in the order of the recording. The trace gets four times as large.
    #[arg(long, hide_short_help = true)]
    pub raw_events: bool,

    /// Add the activations of tasks, with what took their time
    ///
    /// Each task has a row of its activations: slices from release to end, named by what took most of the time. Their arguments
    /// are the parts of the response time, which add up to it, and the chain of locks to the task that ran instead.
    #[arg(long, hide_short_help = true)]
    pub activations: bool,

    /// Add the load of each task over time, as counters
    ///
    /// Each task has a counter of the share of one core that it has, in windows of 10 ms.
    #[arg(long, hide_short_help = true)]
    pub task_load: bool,

    /// Add the table parts: what took each instant of each activation
    ///
    /// It may have a row for each ready task at each task switch.
    #[arg(long, hide_short_help = true)]
    pub parts: bool,

    /// Compress the trace with gzip, as for a FILE that ends in .gz
    ///
    /// Perfetto reads compressed traces.
    #[arg(long, hide_short_help = true)]
    pub gzip: bool,

    /// Show the trace in the browser
    ///
    /// It is served on this machine until the browser has loaded it.
    #[arg(long)]
    pub open: bool,

    /// Serve the trace on this machine until Ctrl-C
    #[arg(long)]
    pub serve: bool,

    /// Port to serve on, or the next free one
    ///
    /// Perfetto's page loads traces from 9001 only.
    #[arg(long, hide_short_help = true, default_value_t = crate::page::DEFAULT_PORT)]
    pub port: u16,

    /// With --serve: the address to serve on, such as 0.0.0.0 in a container
    ///
    /// Anyone who can reach this address can read the trace: in a container, publish the port for this machine only
    /// (-p 127.0.0.1:9001:9001).
    #[arg(long, hide_short_help = true, default_value_t = LOCAL, requires = "serve")]
    pub address: IpAddr,

    /// Write nothing if anything is lost or damaged
    #[arg(long)]
    pub strict: bool,
}

/// Arguments of `dump`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::DUMP)]
pub struct DumpArgs {
    #[command(flatten)]
    pub recordings: Recordings,

    #[command(flatten)]
    pub program: ProgramArgs,

    /// Print one JSON object per line
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub window: Window,

    /// Only events of this core
    #[arg(long, value_name = "N")]
    pub core: Option<u32>,

    /// Only events of this name
    ///
    /// Names are those of the dump, several of them separated by commas. You may repeat the option.
    #[arg(
        long,
        value_name = "NAME",
        value_parser = EventNames,
        value_delimiter = ',',
        hide_possible_values = true
    )]
    pub event: Vec<String>,

    /// Only events that name this task, or that it causes
    ///
    /// By name or number. A task causes the events that are recorded while it runs, without interrupts, up to the switch to the
    /// next task.
    #[arg(long, value_name = "TASK", value_parser = parse_object, allow_hyphen_values = true)]
    pub task: Option<ObjectSelector>,

    /// Only events that name this queue, semaphore or mutex
    #[arg(long, value_name = "QUEUE", value_parser = parse_object, allow_hyphen_values = true)]
    pub queue: Option<ObjectSelector>,

    /// Stop after this many events
    ///
    /// The rest of the recording is not read.
    #[arg(long, value_name = "N")]
    pub limit: Option<u64>,
}

/// Arguments of `stats`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::STATS)]
pub struct StatsArgs {
    #[command(flatten)]
    pub recordings: Recordings,

    #[command(flatten)]
    pub program: ProgramArgs,

    #[command(flatten)]
    pub window: Window,

    /// Show all rows of all tables, also of tasks that were deleted or never ran
    #[arg(long)]
    pub all: bool,

    /// Add the load over time in windows of this length, such as 100ms
    ///
    /// Of each window of each core, the time of every task and interrupt, of the idle task, and the time whose owner is not
    /// known. These times add up to the window. Windows begin at the start of the recording; the last one may be shorter.
    #[arg(long, value_name = "TIME", value_parser = window_length)]
    pub every: Option<i64>,

    /// Add response times computed from measured worst cases
    ///
    /// For each task the longest response time that the longest own times, the longest blocking and the shortest steps of the recording
    /// can add up to, beside the measured one. It does not prove an upper bound. It needs one core, and about eight times the time of stats.
    #[arg(long)]
    pub response_times: bool,

    /// Print one JSON object; times in ns
    #[arg(long, conflicts_with = "csv")]
    pub json: bool,

    /// Print CSV, one number per line; times in ns
    #[arg(long)]
    pub csv: bool,
}

/// Arguments of `check`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::CHECK)]
pub struct CheckArgs {
    #[command(flatten)]
    pub recordings: Recordings,

    #[command(flatten)]
    pub program: ProgramArgs,

    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `report`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::REPORT)]
pub struct ReportArgs {
    #[command(flatten)]
    pub recordings: Recordings,

    #[command(flatten)]
    pub program: ProgramArgs,

    /// Write the page to this file; - for stdout
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,

    #[command(flatten)]
    pub window: Window,

    /// Second recording: shown below the first, with the differences
    ///
    /// Of the same firmware before and after a change, for example. Both are read with the same options, and each in the
    /// same window. Name the files of several cores with the option several times.
    #[arg(long, value_name = "INPUT")]
    pub compare: Vec<OsString>,

    /// Greatest number of slices in the timeline
    ///
    /// Beyond it, neighbours that are too short to be seen become one aggregate with their totals, which counts as two
    /// slices. A page of a million slices has about 4 MB; a browser needs 100 MB for the default.
    #[arg(long, hide_short_help = true, value_name = "N", default_value_t = tband_report::timeline::MAX_SLICES)]
    pub max_slices: usize,

    /// Show the page in the browser
    #[arg(long)]
    pub open: bool,
}

/// Where traces and pages are served: for this machine only.
pub const LOCAL: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// Arguments of `serve`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::SERVE)]
pub struct ServeArgs {
    /// Port to serve on, or the next free one
    ///
    /// Perfetto's page loads traces from 9001 only.
    #[arg(long, default_value_t = crate::page::DEFAULT_PORT)]
    pub port: u16,

    /// Address to serve on, such as 0.0.0.0 in a container
    ///
    /// Anyone who can reach this address can read the trace: in a container, publish the port for this machine only
    /// (-p 127.0.0.1:9001:9001).
    #[arg(long, default_value_t = LOCAL)]
    pub address: IpAddr,

    /// Show the trace in the browser, and end once it is loaded
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
#[command(after_long_help = examples::WEB)]
pub struct WebArgs {
    /// Port to serve on, or the next free one
    #[arg(long, default_value_t = WEB_PORT)]
    pub port: u16,

    /// Address to serve on, such as 0.0.0.0 in a container
    ///
    /// Anyone who can reach this address can load the page, which has no recordings of yours in it.
    #[arg(long, default_value_t = LOCAL)]
    pub address: IpAddr,

    /// Show the page in the browser
    #[arg(long)]
    pub open: bool,

    /// Folder of the page, in place of the built-in one
    ///
    /// `cargo xtask web --out DIR` makes one.
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
