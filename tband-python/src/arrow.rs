//! Schemas of tables as Arrow has them.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema, SchemaRef};
use tband_tables::{ColumnKind, SCHEMA_VERSION, TableSchema};

/// The schema of a table. Names are encoded by a dictionary, which each batch has for itself.
pub fn schema(table: &TableSchema) -> SchemaRef {
    let fields: Vec<Field> = table
        .columns
        .iter()
        .map(|column| {
            let kind = match column.kind {
                ColumnKind::Int | ColumnKind::Time => DataType::Int64,
                ColumnKind::Name => {
                    DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
                }
                ColumnKind::Text => DataType::Utf8,
                ColumnKind::Flag => DataType::Boolean,
                ColumnKind::Real => DataType::Float64,
            };
            Field::new(column.name, kind, column.optional)
        })
        .collect();
    let version = ("tband_schema_version".to_owned(), SCHEMA_VERSION.to_string());
    Arc::new(Schema::new(fields).with_metadata(HashMap::from([version])))
}
