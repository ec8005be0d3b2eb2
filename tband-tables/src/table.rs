//! A table as a Parquet file: rows are gathered by column and written in groups.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use parquet::basic::{Compression, ConvertedType, Encoding, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnPath, Type, TypePtr};

use crate::BoxFile;
use crate::row::{Cell, Rows};
use crate::schema::{Column, ColumnKind, SCHEMA_VERSION, TableSchema};

/// Rows of a group. A group of the widest table takes about 10 MiB here.
const GROUP: usize = 1 << 15;
/// Bytes of texts after which a group is written although it has fewer rows.
const TEXTS: usize = 8 << 20;
/// Names that are remembered, so that each is in memory once.
const NAMES: usize = 1 << 14;

/// Values of a column that are not written yet.
enum Values {
    Ints(Vec<i64>),
    Texts(Vec<ByteArray>),
    Flags(Vec<bool>),
    Reals(Vec<f64>),
}

struct ColumnBuffer {
    column: Column,
    values: Values,
    /// For a nullable column: whether each row has a value.
    present: Vec<i16>,
}

impl ColumnBuffer {
    fn new(column: Column) -> Self {
        let values = match column.kind {
            ColumnKind::Int | ColumnKind::Time => Values::Ints(Vec::new()),
            ColumnKind::Name | ColumnKind::Text => Values::Texts(Vec::new()),
            ColumnKind::Flag => Values::Flags(Vec::new()),
            ColumnKind::Real => Values::Reals(Vec::new()),
        };
        Self { column, values, present: Vec::new() }
    }

    fn clear(&mut self) {
        self.present.clear();
        match &mut self.values {
            Values::Ints(values) => values.clear(),
            Values::Texts(values) => values.clear(),
            Values::Flags(values) => values.clear(),
            Values::Reals(values) => values.clear(),
        }
    }
}

/// A table that is being written.
pub struct Table {
    writer: SerializedFileWriter<BoxFile>,
    columns: Vec<ColumnBuffer>,
    names: HashMap<Box<str>, ByteArray>,
    rows: usize,
    texts: usize,
}

impl Table {
    /// Begins a file.
    pub fn create(schema: &TableSchema, file: BoxFile) -> io::Result<Self> {
        let writer =
            SerializedFileWriter::new(file, message(schema)?, Arc::new(properties(schema)));
        Ok(Self {
            writer: writer.map_err(failed)?,
            columns: schema.columns.iter().copied().map(ColumnBuffer::new).collect(),
            names: HashMap::new(),
            rows: 0,
            texts: 0,
        })
    }

    /// Writes the gathered rows as a group.
    fn flush(&mut self) -> io::Result<()> {
        if self.rows == 0 {
            return Ok(());
        }
        let mut group = self.writer.next_row_group().map_err(failed)?;
        for gathered in &mut self.columns {
            let Some(mut column) = group.next_column().map_err(failed)? else { break };
            let present = gathered.column.optional.then_some(gathered.present.as_slice());
            match &gathered.values {
                Values::Ints(values) => {
                    column.typed::<Int64Type>().write_batch(values, present, None)
                }
                Values::Texts(values) => {
                    column.typed::<ByteArrayType>().write_batch(values, present, None)
                }
                Values::Flags(values) => {
                    column.typed::<BoolType>().write_batch(values, present, None)
                }
                Values::Reals(values) => {
                    column.typed::<DoubleType>().write_batch(values, present, None)
                }
            }
            .map_err(failed)?;
            column.close().map_err(failed)?;
            gathered.clear();
        }
        group.close().map_err(failed)?;
        (self.rows, self.texts) = (0, 0);
        if self.names.len() >= NAMES {
            self.names.clear();
        }
        Ok(())
    }
}

impl Rows for Table {
    fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        debug_assert_eq!(cells.len(), self.columns.len(), "a value a column");
        let Self { columns, names, texts, .. } = self;
        for (gathered, cell) in columns.iter_mut().zip(cells) {
            let is_there = match (&mut gathered.values, *cell) {
                (Values::Ints(values), Cell::Int(value)) => {
                    values.push(value);
                    true
                }
                (Values::Flags(values), Cell::Flag(value)) => {
                    values.push(value);
                    true
                }
                (Values::Reals(values), Cell::Real(value)) => {
                    values.push(value);
                    true
                }
                (Values::Texts(values), Cell::Text(text)) => {
                    values.push(match gathered.column.kind {
                        ColumnKind::Name => named(names, texts, text),
                        _ => {
                            *texts = texts.saturating_add(text.len());
                            ByteArray::from(text)
                        }
                    });
                    true
                }
                _ => false,
            };
            if gathered.column.optional {
                gathered.present.push(is_there.into());
            } else {
                debug_assert!(is_there, "{} has no value", gathered.column.name);
            }
        }
        self.rows = self.rows.saturating_add(1);
        if self.rows >= GROUP || self.texts >= TEXTS { self.flush() } else { Ok(()) }
    }

    fn close(mut self) -> io::Result<()> {
        self.flush()?;
        let mut file = self.writer.into_inner().map_err(failed)?;
        file.flush()
    }
}

/// A text that many rows have.
fn named(names: &mut HashMap<Box<str>, ByteArray>, texts: &mut usize, text: &str) -> ByteArray {
    if let Some(known) = names.get(text) {
        return known.clone();
    }
    *texts = texts.saturating_add(text.len());
    let new = ByteArray::from(text);
    if names.len() < NAMES {
        names.insert(text.into(), new.clone());
    }
    new
}

fn failed(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    }
}

/// The schema as Parquet has it.
fn message(schema: &TableSchema) -> io::Result<TypePtr> {
    let columns = schema.columns.iter().map(|column| {
        let (physical, converted) = match column.kind {
            ColumnKind::Int | ColumnKind::Time => (Physical::INT64, ConvertedType::NONE),
            ColumnKind::Name | ColumnKind::Text => (Physical::BYTE_ARRAY, ConvertedType::UTF8),
            ColumnKind::Flag => (Physical::BOOLEAN, ConvertedType::NONE),
            ColumnKind::Real => (Physical::DOUBLE, ConvertedType::NONE),
        };
        let repetition = if column.optional { Repetition::OPTIONAL } else { Repetition::REQUIRED };
        Type::primitive_type_builder(column.name, physical)
            .with_converted_type(converted)
            .with_repetition(repetition)
            .build()
            .map(Arc::new)
    });
    let columns: Result<Vec<_>, _> = columns.collect();
    let message = Type::group_type_builder(schema.name).with_fields(columns.map_err(failed)?);
    Ok(Arc::new(message.build().map_err(failed)?))
}

fn properties(schema: &TableSchema) -> WriterProperties {
    let version = KeyValue::new("tband_schema_version".to_owned(), SCHEMA_VERSION.to_string());
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by(concat!("tband ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_key_value_metadata(Some(vec![version]));
    for column in schema.columns {
        let path = ColumnPath::from(column.name);
        match column.kind {
            ColumnKind::Time => {
                properties = properties
                    .set_column_dictionary_enabled(path.clone(), false)
                    .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED);
            }
            ColumnKind::Int
            | ColumnKind::Name
            | ColumnKind::Text
            | ColumnKind::Flag
            | ColumnKind::Real => {}
        }
    }
    properties.build()
}
