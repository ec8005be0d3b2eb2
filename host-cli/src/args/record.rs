//! Arguments of `record`.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use tband_app::options::values::duration;
use tband_conv::InputFormat;
use tband_conv::clock::frequency::Frequency;

use super::{LOCAL, WEB_PORT, examples, words};

/// Arguments of `record`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::record())]
pub struct RecordArgs {
    /// Where to put the recording; - for stdout
    ///
    /// Without it recording.bin, or the next such name that is free.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// When to end: size:10M, event:NAME and others
    ///
    /// size:10M, time:30s, events:1M, event:NAME, marker:NAME; the first that is reached counts. Ctrl-C ends it as well. Bytes in a
    /// multiple of 1000 (k, M, G); time since the first byte; an event's name as dump has it, such as crash, or a
    /// marker's name or text, which ends it as soon as it is decoded.
    #[arg(long, value_name = "WHAT", value_parser = until)]
    pub until: Vec<EndCondition>,

    /// Continue when the source is there again
    ///
    /// Marks the gap. Also waits for a source that is not there yet.
    #[arg(long)]
    pub reconnect: bool,

    /// Keep the last files of a size: 10x100M
    ///
    /// They are called FILE.0001.bin and so on. With frames the first file stays too, since it has the
    /// names. Name all of them to the other commands, in order.
    #[arg(long, value_name = "NxSIZE", value_parser = keep)]
    pub keep: Option<FileRotation>,

    /// Keep the events around this: "queue-full 3 8"
    ///
    /// Asks the firmware to wait for it (tband_configUSE_TRIGGERS 1), and writes the file when it happens. The conditions are those of
    /// tband-cli command SOURCE trigger: event NAME OBJECT|any, queue-full QUEUE LENGTH, ready-wait TASK TICKS, stack TASK|any
    /// BYTES, value MARKER at-least|at-most|is VALUE, failure OBJECT|any, crash; then nth N, for the N-th time in place of
    /// the first. Repeat the option to wait for several, up to seven. firmware: what the firmware has armed itself, from any source.
    #[arg(long, value_name = "CONDITION", conflicts_with_all = ["keep", "times"])]
    pub trigger: Vec<String>,

    /// With --trigger: how much to keep from before it: events:10k, time:2s or size:1M
    ///
    /// Keeps at least so much, if so much came, and begins with a whole packet or frame. Time counts from when the bytes came. At
    /// most 256 MB.
    #[arg(long, value_name = "WHAT", value_parser = before, default_value = "events:10k", requires = "trigger", hide_short_help = true)]
    pub before: PreTriggerAmount,

    /// With --trigger: events to record after it, but for a crash [default: 100]
    #[arg(long, value_name = "EVENTS", requires = "trigger", hide_short_help = true)]
    pub after: Option<u32>,

    /// With --trigger: continue until it has happened N times, with a file for each
    ///
    /// FILE.0001.bin and so on. Each is a separate recording.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=9999), requires = "trigger", hide_short_help = true)]
    pub count: u32,

    /// Write FILE.times too, with the times of the received bytes
    ///
    /// By these times --align received puts recordings of boards in order that know nothing of each other.
    #[arg(long, conflicts_with = "keep", hide_short_help = true)]
    pub times: bool,

    /// Convert it at the end: to a trace, or a page if it is .html
    #[arg(long, value_name = "OUT")]
    pub convert: Option<PathBuf>,

    /// Show the recording in a web page, live
    ///
    /// Serves the page on this machine while it records: a timeline that follows, the load, tables.
    #[arg(long)]
    pub web: bool,

    /// With --web: the port to serve on, or the next free one
    #[arg(long, default_value_t = WEB_PORT, requires = "web", hide_short_help = true)]
    pub port: u16,

    /// With --web: the address to serve on, such as 0.0.0.0 in a container
    ///
    /// Anyone who can reach this address can read the recording and, where the way to the target goes both ways, send it commands: in a
    /// container, publish the port for this machine only (-p 127.0.0.1:9010:9010).
    #[arg(long, default_value_t = LOCAL, requires = "web", hide_short_help = true)]
    pub address: IpAddr,

    /// With --web: folder of the page, in place of the built-in one
    #[arg(long, value_name = "DIR", requires = "web", hide_short_help = true)]
    pub dir: Option<PathBuf>,

    /// Show it in the browser, with --web at once
    ///
    /// Without --web it opens at the end what --convert makes, or a trace in Perfetto.
    #[arg(long)]
    pub open: bool,

    /// Recorder in the target, which waits for a start command: systemview or tracerecorder
    ///
    /// Sends the recorder's start command on each connection, and its stop command at the end. The file contains the bytes that the
    /// target sends. probe:, gdb: and ram: read the recorder's own channels of RTT. tracerecorder: Percepio TraceRecorder. systemview:
    /// SEGGER SystemView; systemview-esp, systemview-v10 and systemview-v11 also name the table of its API ids. qs, rkh and ftrace need
    /// no command. ctf and flux are not sent by targets, and are refused. auto and tband: no command.
    #[arg(long, value_parser = words::<InputFormat>(), default_value = "auto", hide_possible_values = true, hide_short_help = true, conflicts_with_all = ["keep", "trigger"])]
    pub input_format: InputFormat,

    #[command(flatten)]
    pub of_target: TargetArgs,

    /// Print the serial ports and debug probes of this machine
    #[arg(long, exclusive = true)]
    pub list: bool,

    /// Where it comes from; --help shows all kinds
    #[arg(required_unless_present = "list", value_name = "SOURCE")]
    pub source: Option<String>,
}

/// Options of a target whose memory is read, through a debug probe or a GDB server.
#[derive(Clone, Debug, Default, Args)]
pub struct TargetArgs {
    /// The program that runs there, with symbols
    ///
    /// With probe:, gdb: and ram: it locates the recording. From all sources: the formats of its records
    /// (TBAND_RECORD) go into the recording, which can then be read without the program.
    #[arg(long, value_name = "ELF")]
    pub elf: Option<PathBuf>,

    /// With probe: the chip, as STM32F405RG
    ///
    /// Some chips report it themselves.
    #[arg(long, value_name = "NAME")]
    pub chip: Option<String>,

    /// With gdb: read memory while the target runs
    ///
    /// For servers that can do so; otherwise the target is stopped for a moment, 20 times a second.
    #[arg(long, hide_short_help = true)]
    pub no_halt: bool,

    /// With probe:, gdb: and ram: how often the timestamps' timer counts, in Hz
    #[arg(long, value_name = "HZ", hide_short_help = true)]
    pub tick_rate: Option<Frequency>,
}

impl TargetArgs {
    /// Returns all of it but the frequency, which is that of the recording if no memory is read.
    pub fn without_rate(&self) -> Self {
        Self { tick_rate: None, ..self.clone() }
    }

    /// One of them is given that means nothing where no memory is read.
    pub const fn is_of_memory(&self) -> bool {
        self.chip.is_some() || self.no_halt || self.tick_rate.is_some()
    }
}

/// When a recording ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EndCondition {
    /// After so many bytes.
    Size(u64),
    /// After this time.
    Time(Duration),
    /// After so many events.
    Events(u64),
    /// At the first event of this name.
    Event(String),
    /// At the first marker of this name or with this text.
    Marker(String),
}

fn until(text: &str) -> Result<EndCondition, String> {
    let wrong = || "size:10M, time:30s, events:1M, event:NAME or marker:NAME is needed".to_owned();
    let (kind, value) = text.split_once(':').ok_or_else(wrong)?;
    match kind {
        "size" => Ok(EndCondition::Size(amount(value)?)),
        "events" => Ok(EndCondition::Events(amount(value)?)),
        "time" => {
            let ns = u64::try_from(duration(value)?).map_err(|error| error.to_string())?;
            Ok(EndCondition::Time(Duration::from_nanos(ns)))
        }
        "event" if tband_conv::dump::event_names().any(|name| name == value) => {
            Ok(EndCondition::Event(value.to_owned()))
        }
        "event" => Err(format!("there is no event '{value}'; tband-cli dump shows their names")),
        "marker" if !value.is_empty() => Ok(EndCondition::Marker(value.to_owned())),
        _ => Err(wrong()),
    }
}

/// The least to keep from before a trigger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PreTriggerAmount {
    /// So many events.
    Events(u64),
    /// The bytes received in such a time.
    Time(Duration),
    /// So many bytes.
    Size(u64),
}

fn before(text: &str) -> Result<PreTriggerAmount, String> {
    match until(text) {
        Ok(EndCondition::Events(events)) => Ok(PreTriggerAmount::Events(events)),
        Ok(EndCondition::Time(time)) => Ok(PreTriggerAmount::Time(time)),
        Ok(EndCondition::Size(size)) => Ok(PreTriggerAmount::Size(size)),
        _ => Err("events:10k, time:2s or size:1M is needed".to_owned()),
    }
}

/// Files that take turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileRotation {
    /// How many, the one that grows included.
    pub files: u32,
    /// Bytes of each, at least.
    pub size: u64,
}

fn keep(text: &str) -> Result<FileRotation, String> {
    let wrong = || "a number of files, x and a size are needed, such as 10x100M".to_owned();
    let (files, size) = text.split_once('x').ok_or_else(wrong)?;
    let files = files.parse().ok().filter(|files| (2..=9999).contains(files)).ok_or_else(wrong)?;
    Ok(FileRotation { files, size: amount(size)? })
}

/// A positive number that may end in k, M or G.
fn amount(text: &str) -> Result<u64, String> {
    let (digits, factor) = match text.as_bytes() {
        [.., b'k'] => (1, 1000),
        [.., b'M'] => (1, 1_000_000),
        [.., b'G'] => (1, 1_000_000_000),
        _ => (0, 1_u64),
    };
    let number = text.get(..text.len() - digits).and_then(|digits| digits.parse::<u64>().ok());
    let amount = number.and_then(|number| number.checked_mul(factor));
    amount.filter(|amount| *amount > 0).ok_or_else(|| {
        "a number above 0 that may end in k, M or G is needed, such as 10M".to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_and_sizes() {
        assert_eq!(until("size:10M"), Ok(EndCondition::Size(10_000_000)));
        assert_eq!(until("events:1k"), Ok(EndCondition::Events(1000)));
        assert_eq!(until("time:1.5s"), Ok(EndCondition::Time(Duration::from_millis(1500))));
        assert_eq!(until("event:crash"), Ok(EndCondition::Event("crash".to_owned())));
        assert_eq!(until("marker:a:b"), Ok(EndCondition::Marker("a:b".to_owned())));
        for wrong in [
            "",
            "size",
            "size:",
            "size:-1",
            "size:0",
            "size:99999999999G",
            "time:5",
            "marker:",
            "event:",
            "event:none",
            "é:1",
        ] {
            assert!(until(wrong).is_err(), "{wrong}");
        }
        assert_eq!(before("events:10k"), Ok(PreTriggerAmount::Events(10_000)));
        assert_eq!(before("time:2s"), Ok(PreTriggerAmount::Time(Duration::from_secs(2))));
        assert_eq!(before("size:1M"), Ok(PreTriggerAmount::Size(1_000_000)));
        for wrong in ["", "10", "events:0", "event:crash", "marker:x", "time:now"] {
            assert!(before(wrong).unwrap_err().contains("events:10k"), "{wrong}");
        }
        assert_eq!(keep("10x100M"), Ok(FileRotation { files: 10, size: 100_000_000 }));
        for wrong in ["", "x", "1x5M", "10", "10x", "0x10", "10xé"] {
            assert!(keep(wrong).is_err(), "{wrong}");
        }
    }
}
