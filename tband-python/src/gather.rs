//! Gathers the rows of an answer into batches of Arrow. SQL has a type per value, Arrow one per column: a column gets the type
//! that all of its values fit in.

use std::sync::Arc;

use arrow_array::builder::{
    BinaryBuilder, BooleanBuilder, Float64Builder, Int64Builder, StringBuilder,
};
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{
    Array, ArrayRef, Float64Array, Int64Array, NullArray, RecordBatch, RecordBatchOptions,
    new_null_array,
};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use tband_query::{Column, ColumnType, Mistake, QueryError, Receive, Value};

/// Rows of a batch.
const ROWS: usize = 1 << 15;
/// Bytes of texts and blobs after which a batch ends although it has fewer rows. A value has at most 16 MiB, so offsets into
/// the texts of a batch fit in 31 bits.
const BYTES: usize = 8 << 20;
/// The type of a column's values, in addition to NULL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ValueType {
    /// All values so far are NULL.
    None,
    Flags,
    Ints,
    Reals,
    Texts,
    Bytes,
}

impl ValueType {
    const fn of(value: Value<'_>) -> Self {
        match value {
            Value::None => Self::None,
            Value::Flag(_) => Self::Flags,
            Value::Int(_) => Self::Ints,
            Value::Real(_) => Self::Reals,
            Value::Text(_) => Self::Texts,
            Value::Bytes(_) => Self::Bytes,
        }
    }

    /// What takes values of both; `None` if nothing does.
    const fn with(self, other: Self) -> Option<Self> {
        use ValueType::{Bytes, Flags, Ints, None, Reals, Texts};
        Some(match (self, other) {
            (None, kind) | (kind, None) => kind,
            (Flags, Flags) => Flags,
            (Flags | Ints, Flags | Ints) => Ints,
            (Flags | Ints | Reals, Flags | Ints | Reals) => Reals,
            (Texts, Texts) => Texts,
            (Bytes, Bytes) => Bytes,
            _ => return Option::None,
        })
    }

    const fn data_type(self) -> DataType {
        match self {
            Self::None => DataType::Null,
            Self::Flags => DataType::Boolean,
            Self::Ints => DataType::Int64,
            Self::Reals => DataType::Float64,
            Self::Texts => DataType::Utf8,
            Self::Bytes => DataType::Binary,
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Self::None => "NULL",
            Self::Flags => "flags",
            Self::Ints => "integers",
            Self::Reals => "numbers with a fraction",
            Self::Texts => "texts",
            Self::Bytes => "blobs",
        }
    }
}

/// Values of a column that are in no batch yet.
enum Values {
    None(usize),
    Flags(BooleanBuilder),
    Ints(Int64Builder),
    Reals(Float64Builder),
    Texts(StringBuilder),
    Bytes(BinaryBuilder),
}

impl Values {
    fn new(kind: ValueType) -> Self {
        match kind {
            ValueType::None => Self::None(0),
            ValueType::Flags => Self::Flags(BooleanBuilder::new()),
            ValueType::Ints => Self::Ints(Int64Builder::new()),
            ValueType::Reals => Self::Reals(Float64Builder::new()),
            ValueType::Texts => Self::Texts(StringBuilder::new()),
            ValueType::Bytes => Self::Bytes(BinaryBuilder::new()),
        }
    }

    /// Adds a value that fits; how many bytes of texts and blobs it takes.
    fn add(&mut self, value: Value<'_>) -> Result<usize, InexactInteger> {
        match (self, value) {
            (Self::None(rows), _) => *rows = rows.saturating_add(1),
            (Self::Flags(values), Value::Flag(flag)) => values.append_value(flag),
            (Self::Flags(values), _) => values.append_null(),
            (Self::Ints(values), Value::Int(value)) => values.append_value(value),
            (Self::Ints(values), Value::Flag(flag)) => values.append_value(flag.into()),
            (Self::Ints(values), _) => values.append_null(),
            (Self::Reals(values), Value::Real(value)) => values.append_value(value),
            (Self::Reals(values), Value::Int(value)) => values.append_value(real(value)?),
            (Self::Reals(values), Value::Flag(flag)) => values.append_value(flag.into()),
            (Self::Reals(values), _) => values.append_null(),
            (Self::Texts(values), Value::Text(text)) => {
                values.append_value(text);
                return Ok(text.len());
            }
            (Self::Texts(values), _) => values.append_null(),
            (Self::Bytes(values), Value::Bytes(bytes)) => {
                values.append_value(bytes);
                return Ok(bytes.len());
            }
            (Self::Bytes(values), _) => values.append_null(),
        }
        Ok(0)
    }

    fn finish(self) -> ArrayRef {
        match self {
            Self::None(rows) => Arc::new(NullArray::new(rows)),
            Self::Flags(mut values) => Arc::new(values.finish()),
            Self::Ints(mut values) => Arc::new(values.finish()),
            Self::Reals(mut values) => Arc::new(values.finish()),
            Self::Texts(mut values) => Arc::new(values.finish()),
            Self::Bytes(mut values) => Arc::new(values.finish()),
        }
    }
}

/// An integer that a number of double precision cannot hold.
struct InexactInteger(i64);

#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "it is exact")]
const fn real(value: i64) -> Result<f64, InexactInteger> {
    let real = value as f64;
    if real as i128 == value as i128 { Ok(real) } else { Err(InexactInteger(value)) }
}

/// An array with the type that the whole column has.
fn widened(array: &ArrayRef, to: ValueType) -> Result<ArrayRef, InexactInteger> {
    Ok(match (array.data_type(), to) {
        (from, to) if *from == to.data_type() => Arc::clone(array),
        (DataType::Boolean, ValueType::Ints) => {
            let values = array.as_boolean().iter().map(|flag| flag.map(i64::from));
            Arc::new(values.collect::<Int64Array>())
        }
        (DataType::Boolean, _) => {
            let values = array.as_boolean().iter().map(|flag| flag.map(f64::from));
            Arc::new(values.collect::<Float64Array>())
        }
        (DataType::Int64, _) => {
            let values = array.as_primitive::<Int64Type>().iter();
            let values = values.map(|value| value.map(real).transpose());
            Arc::new(values.collect::<Result<Float64Array, _>>()?)
        }
        // It has NULL alone.
        _ => new_null_array(&to.data_type(), array.len()),
    })
}

struct CollectedColumn {
    column: Column,
    kind: ValueType,
    values: Values,
    /// Columns of the full batches.
    full: Vec<ArrayRef>,
}

impl CollectedColumn {
    /// Ends a batch.
    fn flush(&mut self) {
        let values = std::mem::replace(&mut self.values, Values::new(self.kind));
        self.full.push(values.finish());
    }

    fn inexact(&self, InexactInteger(value): &InexactInteger) -> QueryError {
        let name = &self.column.name;
        Mistake::of(format!(
            "column {name} has numbers with a fraction and the integer {value}, which has too many digits for them: write \
             CAST({name} AS INTEGER), or CAST({name} AS TEXT)"
        ))
    }

    /// What a column without a value is.
    fn known(&self) -> ValueType {
        match (self.kind, self.column.declared) {
            (ValueType::None, Some(ColumnType::Flags)) => ValueType::Flags,
            (ValueType::None, Some(ColumnType::Ints)) => ValueType::Ints,
            (ValueType::None, Some(ColumnType::Reals)) => ValueType::Reals,
            (ValueType::None, Some(ColumnType::Texts)) => ValueType::Texts,
            (kind, _) => kind,
        }
    }
}

/// Rows of an answer.
#[derive(Default)]
pub struct RowCollector {
    columns: Vec<CollectedColumn>,
    /// Rows of each batch that is full.
    full: Vec<usize>,
    rows: usize,
    bytes: usize,
}

impl RowCollector {
    /// All rows.
    pub fn finish(mut self) -> Result<(SchemaRef, Vec<RecordBatch>), QueryError> {
        self.flush();
        let fields = self
            .columns
            .iter()
            .map(|it| Field::new(it.column.name.as_str(), it.known().data_type(), true));
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        let mut batches = Vec::new();
        for (index, rows) in self.full.iter().enumerate() {
            let mut arrays = Vec::new();
            for it in &mut self.columns {
                let kind = it.known();
                let Some(array) = it.full.get_mut(index) else { continue };
                // The original is released once it is copied.
                let array = std::mem::replace(array, Arc::new(NullArray::new(0)));
                arrays.push(widened(&array, kind).map_err(|inexact| it.inexact(&inexact))?);
            }
            let options = RecordBatchOptions::new().with_row_count(Some(*rows));
            let batch = RecordBatch::try_new_with_options(Arc::clone(&schema), arrays, &options);
            batches.push(batch.map_err(|error: ArrowError| QueryError::Engine(error.to_string()))?);
        }
        Ok((schema, batches))
    }

    /// Ends a batch, which has rows.
    fn flush(&mut self) {
        if self.rows > 0 {
            self.columns.iter_mut().for_each(CollectedColumn::flush);
            self.full.push(self.rows);
        }
        (self.rows, self.bytes) = (0, 0);
    }
}

impl Receive for RowCollector {
    fn begin(&mut self, columns: &[Column]) -> Result<(), QueryError> {
        self.columns = columns
            .iter()
            .map(|column| CollectedColumn {
                column: column.clone(),
                kind: ValueType::None,
                values: Values::None(0),
                full: Vec::new(),
            })
            .collect();
        Ok(())
    }

    fn row(&mut self, values: &[Value<'_>]) -> Result<(), QueryError> {
        let mut is_wider = false;
        for (it, value) in self.columns.iter_mut().zip(values) {
            let of_value = ValueType::of(*value);
            let Some(kind) = it.kind.with(of_value) else {
                let CollectedColumn { column: Column { name, .. }, kind, .. } = it;
                return Err(Mistake::of(format!(
                    "column {name} has {} and {}, and a column of Arrow has one type: write CAST({name} AS TEXT)",
                    kind.words(),
                    of_value.words(),
                )));
            };
            is_wider |= kind != it.kind;
            it.kind = kind;
        }
        if is_wider {
            // A column gets a wider type four times at most, so batches stay large.
            self.flush();
            for it in &mut self.columns {
                it.values = Values::new(it.kind);
            }
        }
        for (it, value) in self.columns.iter_mut().zip(values) {
            let bytes = it.values.add(*value).map_err(|inexact| it.inexact(&inexact))?;
            self.bytes = self.bytes.saturating_add(bytes);
        }
        self.rows = self.rows.saturating_add(1);
        if self.rows >= ROWS || self.bytes >= BYTES {
            self.flush();
        }
        Ok(())
    }
}
