//! The form of an example's recording, and the output of a run.

use std::path::PathBuf;

/// Backend that the example is built with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Backend {
    /// Streamed into a file while the program runs
    Streaming,
    /// Kept in memory and written at the end
    Snapshot,
}

impl Backend {
    /// As CMake knows it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Streaming => "streaming",
            Self::Snapshot => "snapshot",
        }
    }
}

/// What the example's recording is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Packets of events
    Packets,
    /// A frame an event, as Tonbandgerät records
    Frames,
}

impl Format {
    /// As CMake knows it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Packets => "packets",
            Self::Frames => "frames",
        }
    }

    /// CMake's setting that chooses it.
    #[must_use]
    pub fn setting(self) -> String {
        format!("TBAND_FORMAT={}", self.name())
    }
}

/// What a run of the example leaves behind.
#[derive(Clone, Debug)]
pub struct ExampleRun {
    /// The recording.
    pub trace: PathBuf,
    /// The program's own record of what it did, as JSON.
    pub truth: PathBuf,
}
