//! Rows of a table, into the engine.

use std::io;

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, Result, Statement};
use tband_tables::{Cell, Rows, TableSchema};

use crate::needed_columns::{NeededColumns, PARTITION};

/// Where rows go: of their cells those that are read.
pub struct RowInserter<'db> {
    statement: Statement<'db>,
    /// Indices of the kept cells of a row.
    kept: Vec<usize>,
}

impl<'db> RowInserter<'db> {
    /// Rows of a recording, with all the cells that the schema has.
    pub fn whole(db: &'db Connection, schema: &TableSchema, needs: &NeededColumns) -> Result<Self> {
        let columns = needs.columns(schema);
        let places = schema.columns.iter().enumerate();
        let kept = places.filter(|(_, column)| columns.contains(&column.name));
        let kept = kept.map(|(place, _)| place).collect();
        Ok(Self { statement: insert(db, schema, &columns)?, kept })
    }

    /// Rows that have the cells that are read, and after them those of the partition that are.
    #[cfg(feature = "parquet")]
    pub fn part(db: &'db Connection, schema: &TableSchema, needs: &NeededColumns) -> Result<Self> {
        let mut columns = needs.columns(schema);
        columns.extend(PARTITION.iter().filter(|name| needs.has(schema, name)));
        Ok(Self { statement: insert(db, schema, &columns)?, kept: (0..columns.len()).collect() })
    }

    fn bind(&mut self, cells: &[Cell<'_>]) -> Result<()> {
        for (index, place) in self.kept.iter().enumerate() {
            let value = match cells.get(*place).copied().unwrap_or(Cell::None) {
                Cell::Int(value) => ValueRef::Integer(value),
                Cell::Flag(value) => ValueRef::Integer(value.into()),
                Cell::Real(value) => ValueRef::Real(value),
                Cell::Text(text) => ValueRef::Text(text.as_bytes()),
                Cell::None => ValueRef::Null,
            };
            let parameter = index.saturating_add(1);
            self.statement.raw_bind_parameter(parameter, ToSqlOutput::Borrowed(value))?;
        }
        self.statement.raw_execute().map(drop)
    }
}

impl Rows for RowInserter<'_> {
    fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        self.bind(cells).map_err(io::Error::other)
    }

    fn close(self) -> io::Result<()> {
        Ok(())
    }
}

fn insert<'db>(
    db: &'db Connection,
    schema: &TableSchema,
    columns: &[&str],
) -> Result<Statement<'db>> {
    // A count of rows reads no column.
    if columns.is_empty() {
        return db.prepare(&format!("INSERT INTO {} DEFAULT VALUES", schema.name));
    }
    let places = vec!["?"; columns.len()].join(", ");
    db.prepare(&format!("INSERT INTO {} ({}) VALUES ({places})", schema.name, columns.join(", ")))
}

/// Creates all tables, empty.
pub fn create(db: &Connection) -> Result<()> {
    use tband_tables::{ColumnKind, TABLES};
    for schema in TABLES {
        let kind = |kind| match kind {
            ColumnKind::Int | ColumnKind::Time => "INTEGER",
            ColumnKind::Name | ColumnKind::Text => "TEXT",
            ColumnKind::Flag => "BOOLEAN",
            ColumnKind::Real => "REAL",
        };
        let columns = schema.columns.iter().map(|it| format!("{} {}", it.name, kind(it.kind)));
        let columns = columns.chain(PARTITION.iter().map(|name| format!("{name} TEXT")));
        let columns: Vec<_> = columns.collect();
        db.execute_batch(&format!("CREATE TABLE {} ({})", schema.name, columns.join(", ")))?;
    }
    Ok(())
}
