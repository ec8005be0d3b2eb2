//! Recordings as tables, in Parquet files: for DuckDB, Polars, DataFusion, Spark and other readers.
//!
//! `convert_to_tables` writes one recording, one file per table. `Dataset` gathers thousands of them, in partitions by device
//! and date, and `Stored` reads both. They need the feature `parquet`; [`convert_to_rows`] passes the same rows to the caller.
//! The columns are in [`TABLES`]. Times are INT64, in nanoseconds of the target's clock.
//!
//! Recordings are read in a few passes, and rows go out in groups, so memory grows with the number of objects on the target,
//! not with the length of a recording. No input makes this panic.

mod activations;
#[cfg(feature = "parquet")]
mod dataset;
mod interrupts;
mod load;
#[cfg(feature = "parquet")]
mod partition;
mod periods;
#[cfg(feature = "parquet")]
mod read;
mod row;
mod schema;
mod sink;
mod states;
#[cfg(feature = "parquet")]
mod stored_tables;
#[cfg(feature = "parquet")]
mod table;
mod waits;

use std::io;

use tband_conv::{ConvError, Input, Options, Summary, convert};

#[cfg(feature = "parquet")]
pub use dataset::{AddResult, Dataset, Origin};
pub use row::{Cell, Rows};
pub use schema::{Column, ColumnKind, RECORDINGS, SCHEMA_VERSION, TABLES, TableSchema};
#[cfg(feature = "parquet")]
pub use stored_tables::{StoredRecording, StoredTables};

use sink::Tables;

/// Where a recording is from, as the table of recordings has it.
#[derive(Clone, Debug, Default)]
pub struct RecordingInfo {
    /// Which recording it is: the column `recording` of each table.
    pub recording: String,
    /// Its file, as a name for people.
    pub file: String,
    /// Its bytes, where they are known.
    pub bytes: Option<u64>,
}

/// The file that `convert_to_tables` writes a table to.
#[cfg(feature = "parquet")]
pub type BoxFile = Box<dyn io::Write + Send>;

/// Converts recordings of one target to rows of tables. `create` returns for each of [`TABLES`] the receiver of its rows, or
/// that they are not wanted. Reads each input three times.
///
/// # Errors
/// As [`convert()`]; if a row cannot be written.
pub fn convert_to_rows<R: Rows>(
    inputs: &[Input<'_>],
    options: &Options,
    about: &RecordingInfo,
    create: &mut dyn FnMut(&'static TableSchema) -> io::Result<Option<R>>,
) -> Result<Summary, ConvError> {
    let mut options = options.clone();
    let mut tables =
        Tables::create(about, options.load_window_ns, create).map_err(ConvError::Write)?;
    // Flows cost time. Only activations need them: an item's flow is its release.
    options.flows = tables.flows();
    let summary = convert(inputs, &options, &mut tables)?;
    tables.close(&summary).map_err(ConvError::Write)?;
    Ok(summary)
}

/// Converts recordings of one target to Parquet files. `create` opens the file of a table, once for each of [`TABLES`], or
/// returns `None` for a table that is not wanted. Reads each input three times.
///
/// # Errors
/// As [`convert()`]; if a file cannot be created or written.
#[cfg(feature = "parquet")]
pub fn convert_to_tables(
    inputs: &[Input<'_>],
    options: &Options,
    about: &RecordingInfo,
    create: &mut dyn FnMut(&'static TableSchema) -> io::Result<Option<BoxFile>>,
) -> Result<Summary, ConvError> {
    convert_to_rows(inputs, options, about, &mut |schema| {
        create(schema)?.map(|file| table::Table::create(schema, file)).transpose()
    })
}
