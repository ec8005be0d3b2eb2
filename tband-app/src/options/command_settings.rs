//! Settings of commands, in addition to how recordings are read.

use tband_conv::dump::DumpOptions;

/// Settings of commands. Each uses only its own.
#[derive(Clone, Debug)]
pub struct CommandSettings {
    /// `stats`: all rows of all tables.
    pub all: bool,
    /// `stats`: the load in windows of this length, in ns.
    pub every: Option<i64>,
    /// `stats`: response times computed from measured worst cases.
    pub response_times: bool,
    /// `report`: the greatest number of slices in the timeline.
    pub max_slices: usize,
    /// `dump`: which events. Its window, mode and frequency are those of the options.
    pub dump: DumpOptions,
}

impl Default for CommandSettings {
    fn default() -> Self {
        let (max_slices, dump) = (tband_report::timeline::MAX_SLICES, DumpOptions::default());
        Self { all: false, every: None, response_times: false, max_slices, dump }
    }
}
