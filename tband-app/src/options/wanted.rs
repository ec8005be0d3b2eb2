//! What is wanted of commands beside how recordings are read.

use tband_conv::DumpFilter;

/// What is wanted of commands. Each looks at what is for it.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// `stats`: all rows of all tables.
    pub all: bool,
    /// `stats`: the load in windows of this length, in ns.
    pub every: Option<i64>,
    /// `report`: the greatest number of slices in the timeline.
    pub max_slices: usize,
    /// `dump`: which events. Its window and frequency are those of the options.
    pub filter: DumpFilter,
}

impl Default for Wanted {
    fn default() -> Self {
        let (max_slices, filter) = (tband_report::MAX_SLICES, DumpFilter::default());
        Self { all: false, every: None, max_slices, filter }
    }
}
