//! Rows, gathered to batches of Arrow.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

use arrow_array::builder::{
    BooleanBuilder, Float64Builder, Int64Builder, StringBuilder, StringDictionaryBuilder,
};
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{ArrowError, SchemaRef};
use tband_tables::{Cell, ColumnKind, Rows, TableSchema};

use crate::arrow::schema;

/// Rows of a batch. A batch of the widest table takes about 3 MiB.
const ROWS: usize = 1 << 15;
/// Bytes of texts after which a batch ends although it has fewer rows.
const TEXTS: usize = 8 << 20;

/// Receiver of batches, which may stop the conversion.
pub type BatchReceiver = Box<dyn FnMut(RecordBatch) -> ControlFlow<()>>;

/// Values of a column that are in no batch yet.
enum Values {
    Ints(Int64Builder),
    /// With the number of names that the batch has so far.
    Names(StringDictionaryBuilder<Int32Type>, i32),
    Texts(StringBuilder),
    Flags(BooleanBuilder),
    Reals(Float64Builder),
}

impl Values {
    fn new(kind: ColumnKind) -> Self {
        match kind {
            ColumnKind::Int | ColumnKind::Time => Self::Ints(Int64Builder::new()),
            ColumnKind::Name => Self::Names(StringDictionaryBuilder::new(), 0),
            ColumnKind::Text => Self::Texts(StringBuilder::new()),
            ColumnKind::Flag => Self::Flags(BooleanBuilder::new()),
            ColumnKind::Real => Self::Reals(Float64Builder::new()),
        }
    }

    /// Adds a value; how many bytes of text it takes.
    fn add(&mut self, cell: Cell<'_>) -> Result<usize, ArrowError> {
        match (self, cell) {
            (Self::Ints(values), Cell::Int(value)) => values.append_value(value),
            (Self::Ints(values), _) => values.append_null(),
            (Self::Flags(values), Cell::Flag(value)) => values.append_value(value),
            (Self::Flags(values), _) => values.append_null(),
            (Self::Reals(values), Cell::Real(value)) => values.append_value(value),
            (Self::Reals(values), _) => values.append_null(),
            (Self::Names(values, known), Cell::Text(text)) => {
                if values.append(text)? == *known {
                    *known = known.saturating_add(1);
                    return Ok(text.len());
                }
            }
            (Self::Names(values, _), _) => values.append_null(),
            (Self::Texts(values), Cell::Text(text)) => {
                values.append_value(text);
                return Ok(text.len());
            }
            (Self::Texts(values), _) => values.append_null(),
        }
        Ok(0)
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Ints(values) => Arc::new(values.finish()),
            Self::Names(values, known) => {
                *known = 0;
                Arc::new(values.finish())
            }
            Self::Texts(values) => Arc::new(values.finish()),
            Self::Flags(values) => Arc::new(values.finish()),
            Self::Reals(values) => Arc::new(values.finish()),
        }
    }
}

/// Gathers the rows of a table.
pub struct Batches {
    schema: SchemaRef,
    columns: Vec<Values>,
    rows: usize,
    texts: usize,
    give: BatchReceiver,
}

impl Batches {
    /// Creates the batches of a table, for a receiver.
    pub fn new(table: &TableSchema, give: BatchReceiver) -> Self {
        let columns = table.columns.iter().map(|column| Values::new(column.kind)).collect();
        Self { schema: schema(table), columns, rows: 0, texts: 0, give }
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.rows == 0 {
            return Ok(());
        }
        let columns = self.columns.iter_mut().map(Values::finish).collect();
        let rows = RecordBatchOptions::new().with_row_count(Some(self.rows));
        let batch = RecordBatch::try_new_with_options(Arc::clone(&self.schema), columns, &rows);
        (self.rows, self.texts) = (0, 0);
        match (self.give)(batch.map_err(io::Error::other)?) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(io::Error::other("the reader is gone")),
        }
    }
}

impl Rows for Batches {
    fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        let bytes: usize =
            cells.iter().map(|cell| if let Cell::Text(text) = cell { text.len() } else { 0 }).sum();
        // Places in a batch's texts have 31 bits.
        if bytes > TEXTS {
            return Err(io::Error::other(format!("a row with {bytes} bytes of text is too long")));
        }
        for (values, cell) in self.columns.iter_mut().zip(cells) {
            let texts = values.add(*cell).map_err(io::Error::other)?;
            self.texts = self.texts.saturating_add(texts);
        }
        self.rows = self.rows.saturating_add(1);
        if self.rows >= ROWS || self.texts >= TEXTS { self.flush() } else { Ok(()) }
    }

    fn close(mut self) -> io::Result<()> {
        self.flush()
    }
}
