//! What options choose from, and what that is to the converter.

use clap::ValueEnum;
use tband_conv::CtfVersion;

/// How the bytes of a recording are written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Raw bytes
    Bin,
    /// Hex digits; white space is skipped
    Hex,
    /// Base64; white space is skipped
    Base64,
    /// Compressed with gzip
    Gzip,
    /// What it looks like
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

/// What recordings are converted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    /// A trace for ui.perfetto.dev
    Perfetto,
    /// A folder with a trace of the Common Trace Format 1.8, for Trace Compass and babeltrace2
    Ctf1,
    /// A folder with a trace of the Common Trace Format 2, for babeltrace2 from 2.1 on
    Ctf2,
    /// Waveforms as text, for GTKWave, Surfer and others
    Vcd,
    /// Waveforms, compressed, for GTKWave and Surfer
    Fst,
    /// A trace for toem's impulse
    Flux,
    /// A profile of each core for speedscope.app
    Speedscope,
    /// Chrome's trace events as JSON
    Chrome,
    /// A folder of tables, for DuckDB, Polars, Spark and others
    Parquet,
}

impl OutputFormat {
    /// Version of the Common Trace Format, if it is that.
    pub const fn ctf(self) -> Option<CtfVersion> {
        match self {
            Self::Ctf1 => Some(CtfVersion::One),
            Self::Ctf2 => Some(CtfVersion::Two),
            _ => None,
        }
    }
}

/// Which version of flux is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FluxVersion {
    /// For older readers
    #[value(name = "4")]
    Four,
    /// The present one
    #[value(name = "6")]
    Six,
}

/// How blocks of flux are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FluxCompression {
    /// Not at all
    None,
    /// LZ4
    Lz4,
    /// zlib, in version 6
    Zlib,
}

/// What the events of a CTF trace are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CtfNames {
    /// As they were recorded
    Tband,
    /// As the Linux kernel's tracer has them
    Lttng,
}

/// Which arrows a trace has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Flows {
    /// None
    None,
    /// From what ended a wait to what the woken task did then, and from active timers to their callbacks
    Wakes,
    /// From every item's sender to its receiver as well
    All,
}

/// How a trace shows interrupts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Interrupts {
    /// As threads that preempt tasks on their core
    Cpu,
    /// A row for each
    Rows,
}

impl From<Format> for tband_conv::Format {
    fn from(format: Format) -> Self {
        match format {
            Format::Hex => Self::Hex,
            Format::Bin => Self::Bin,
            Format::Base64 => Self::Base64,
            Format::Gzip => Self::Gzip,
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

impl From<Interrupts> for tband_conv::sinks::Interrupts {
    fn from(interrupts: Interrupts) -> Self {
        match interrupts {
            Interrupts::Cpu => Self::Cpu,
            Interrupts::Rows => Self::Rows,
        }
    }
}

impl From<Flows> for tband_conv::Flows {
    fn from(flows: Flows) -> Self {
        match flows {
            Flows::None => Self::None,
            Flows::Wakes => Self::Wakes,
            Flows::All => Self::All,
        }
    }
}

impl From<FluxVersion> for tband_export::FluxVersion {
    fn from(version: FluxVersion) -> Self {
        match version {
            FluxVersion::Four => Self::Four,
            FluxVersion::Six => Self::Six,
        }
    }
}

impl From<FluxCompression> for tband_export::Compression {
    fn from(compression: FluxCompression) -> Self {
        match compression {
            FluxCompression::None => Self::None,
            FluxCompression::Lz4 => Self::Lz4,
            FluxCompression::Zlib => Self::Zlib,
        }
    }
}
