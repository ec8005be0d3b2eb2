//! Recordings as tables, in Parquet files: for DuckDB, Polars, DataFusion, Spark and whatever else reads them.
//!
//! [`convert_to_tables`] writes one recording, a file a table. [`Dataset`] gathers thousands of them, in partitions by
//! device and date. The columns are in [`TABLES`]. Times are INT64, in nanoseconds of the target's clock.
//!
//! Recordings are read in a few passes, and rows go out in groups, so memory grows with the number of objects on the
//! target, not with the length of a recording. No input makes this panic.

mod dataset;
mod interrupts;
mod levels;
mod schema;
mod sink;
mod states;
mod table;
mod waits;

use std::io::{self, Write};

use tband_conv::{ConvError, Input, Options, Summary, convert};

pub use dataset::{Added, Dataset, Origin};
pub use schema::{Column, Kind, SCHEMA_VERSION, TABLES, TableSchema};

use sink::Tables;

/// Where a recording is from, as the table of recordings has it.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// Which recording it is: the column `recording` of each table.
    pub recording: String,
    /// Its file, as a name for people.
    pub file: String,
    /// Its bytes, where they are known.
    pub bytes: Option<u64>,
}

/// What [`convert_to_tables`] writes a table to.
pub type BoxFile = Box<dyn Write + Send>;

/// Converts recordings of one target to tables. `create` opens the file of a table, whose name it gets, once for each of
/// [`TABLES`]. Reads each input three times.
///
/// # Errors
/// As [`convert`]; if a file cannot be created or written.
pub fn convert_to_tables(
    inputs: &[Input<'_>],
    options: &Options,
    about: &About,
    create: &mut dyn FnMut(&'static str) -> io::Result<BoxFile>,
) -> Result<Summary, ConvError> {
    let mut options = options.clone();
    // Arrows have no table, and to find them out costs.
    options.flows = tband_conv::Flows::None;
    let mut tables = Tables::create(about, create).map_err(ConvError::Write)?;
    let summary = convert(inputs, &options, &mut tables)?;
    tables.close(&summary).map_err(ConvError::Write)?;
    Ok(summary)
}
