//! Rows of a Parquet file, for the requested columns.

use std::fs::File;
use std::io;
use std::ops::Range;

use anyhow::{Context, Result, bail};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::file::reader::{FileReader, SerializedFileReader};

use crate::row::Cell;
use crate::schema::{ColumnKind, TableSchema};

/// Rows that are in memory at a time.
const BATCH: usize = 1 << 12;

/// Values of a column in a batch.
enum Values {
    Ints(Vec<i64>),
    Texts(Vec<ByteArray>),
    Flags(Vec<bool>),
    Reals(Vec<f64>),
}

/// A column of a batch.
struct Batch {
    values: Values,
    /// For a nullable column: whether each row has a value.
    present: Vec<i16>,
    /// Which value is the next row's.
    next: usize,
}

impl Batch {
    fn read(reader: Option<&mut ColumnReader>, kind: ColumnKind, rows: usize) -> Result<Self> {
        let mut present = Vec::new();
        let values = match (reader, kind) {
            (None, _) => {
                present.resize(rows, 0);
                Values::Ints(Vec::new())
            }
            (Some(ColumnReader::Int64ColumnReader(reader)), ColumnKind::Int | ColumnKind::Time) => {
                Values::Ints(values(reader, rows, &mut present)?)
            }
            (
                Some(ColumnReader::ByteArrayColumnReader(reader)),
                ColumnKind::Name | ColumnKind::Text,
            ) => Values::Texts(values(reader, rows, &mut present)?),
            (Some(ColumnReader::BoolColumnReader(reader)), ColumnKind::Flag) => {
                Values::Flags(values(reader, rows, &mut present)?)
            }
            (Some(ColumnReader::DoubleColumnReader(reader)), ColumnKind::Real) => {
                Values::Reals(values(reader, rows, &mut present)?)
            }
            _ => bail!("it holds another kind of values"),
        };
        Ok(Self { values, present, next: 0 })
    }

    /// The value of the next row.
    fn cell(&mut self, row: usize) -> Result<Cell<'_>> {
        // Without it, each row has a value.
        if self.present.get(row).is_some_and(|present| *present == 0) {
            return Ok(Cell::None);
        }
        let at = self.next;
        self.next = self.next.saturating_add(1);
        let cell = match &self.values {
            Values::Ints(values) => values.get(at).map(|value| Cell::Int(*value)),
            Values::Flags(values) => values.get(at).map(|value| Cell::Flag(*value)),
            Values::Reals(values) => values.get(at).map(|value| Cell::Real(*value)),
            Values::Texts(values) => match values.get(at) {
                Some(text) => Some(Cell::Text(text.as_utf8().context("a text is not UTF-8")?)),
                None => None,
            },
        };
        cell.context("it has fewer values than rows")
    }
}

fn values<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    rows: usize,
    present: &mut Vec<i16>,
) -> Result<Vec<T::T>> {
    let mut values = Vec::new();
    let mut read = 0;
    while read < rows {
        let left = rows.saturating_sub(read);
        let (more, _, _) = reader.read_records(left, Some(present), None, &mut values)?;
        if more == 0 {
            bail!("it has fewer values than rows");
        }
        read = read.saturating_add(more);
    }
    Ok(values)
}

/// Reads columns of a file; see `Stored::rows`.
pub fn read(
    file: File,
    schema: &TableSchema,
    columns: &[&str],
    row: &mut dyn FnMut(&[Cell<'_>]) -> io::Result<()>,
) -> Result<()> {
    let file = SerializedFileReader::new(file)?;
    let there = file.metadata().file_metadata().schema_descr_ptr();
    let place = |name: &str| there.columns().iter().position(|column| column.name() == name);
    let mut wanted = Vec::new();
    for name in columns {
        let column = schema.columns.iter().find(|column| column.name == *name);
        let column = column.with_context(|| format!("{} has no column {name}", schema.name))?;
        wanted.push((*column, place(name)));
    }
    for group in 0..file.num_row_groups() {
        let group = file.get_row_group(group)?;
        let rows = usize::try_from(group.metadata().num_rows())?;
        let mut readers = Vec::new();
        for (_, place) in &wanted {
            readers.push(match place {
                Some(place) => Some(group.get_column_reader(*place)?),
                None => None,
            });
        }
        for part in parts(rows) {
            let mut batches = Vec::new();
            for ((column, _), reader) in wanted.iter().zip(&mut readers) {
                let batch = Batch::read(reader.as_mut(), column.kind, part.len());
                batches.push(batch.with_context(|| format!("column {}", column.name))?);
            }
            for index in 0..part.len() {
                let cells: Result<Vec<_>> =
                    batches.iter_mut().map(|batch| batch.cell(index)).collect();
                row(&cells?)?;
            }
        }
    }
    Ok(())
}

/// Batches of a number of rows.
fn parts(rows: usize) -> impl Iterator<Item = Range<usize>> {
    (0..rows).step_by(BATCH).map(move |begin| begin..rows.min(begin.saturating_add(BATCH)))
}
