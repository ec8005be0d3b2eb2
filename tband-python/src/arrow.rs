//! Schemas of tables as Arrow has them.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema, SchemaRef};
use tband_tables::{Kind, SCHEMA_VERSION, TableSchema};

/// The schema of a table. Names are encoded by a dictionary, which each batch has for itself.
pub fn schema(table: &TableSchema) -> SchemaRef {
    let fields: Vec<Field> = table
        .columns
        .iter()
        .map(|column| {
            let kind = match column.kind {
                Kind::Int | Kind::Time => DataType::Int64,
                Kind::Name => {
                    DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
                }
                Kind::Text => DataType::Utf8,
                Kind::Flag => DataType::Boolean,
                Kind::Real => DataType::Float64,
            };
            Field::new(column.name, kind, column.optional)
        })
        .collect();
    let version = ("tband_schema_version".to_owned(), SCHEMA_VERSION.to_string());
    Arc::new(Schema::new(fields).with_metadata(HashMap::from([version])))
}
