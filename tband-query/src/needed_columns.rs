//! Which tables and columns a statement reads, as the engine finds out while it prepares it; and that it does nothing but
//! read.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::{Connection, Result};
use tband_tables::{TABLES, TableSchema};

/// Columns with the partition of a folder that a row is from; every table has them last.
pub const PARTITION: [&str; 2] = ["device", "date"];

/// The columns that a statement reads of each table.
#[derive(Clone, Debug, Default)]
pub struct NeededColumns(BTreeMap<String, BTreeSet<String>>);

impl NeededColumns {
    /// Whether it reads a table.
    pub fn table(&self, schema: &TableSchema) -> bool {
        self.0.contains_key(schema.name)
    }

    /// The columns of a table that it reads, in the order of the schema, without those of the partition.
    pub fn columns(&self, schema: &TableSchema) -> Vec<&'static str> {
        let names = schema.columns.iter().map(|column| column.name);
        names.filter(|name| self.has(schema, name)).collect()
    }

    /// Whether it reads a column of a table.
    pub fn has(&self, schema: &TableSchema, column: &str) -> bool {
        self.0.get(schema.name).is_some_and(|columns| columns.contains(column))
    }

    /// Adds the needs of another statement.
    pub fn extend(&mut self, other: &Self) {
        for (table, columns) in &other.0 {
            self.0.entry(table.clone()).or_default().extend(columns.iter().cloned());
        }
    }

    /// The names of the tables that it reads.
    pub fn tables(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Adds reads that the engine does not report: columns that tables are joined by with `USING` and `NATURAL`, and tables
    /// without other reads.
    pub fn add_joins(&mut self, sql: &str) {
        let words: BTreeSet<String> = words(sql).map(str::to_ascii_lowercase).collect();
        let all = words.contains("natural");
        if !all && !words.contains("using") {
            return;
        }
        for schema in TABLES.iter().filter(|schema| words.contains(schema.name)) {
            let there = schema.columns.iter().map(|column| column.name).chain(PARTITION);
            let there = there.filter(|name| all || words.contains(*name)).map(str::to_owned);
            self.0.entry(schema.name.to_owned()).or_default().extend(there);
        }
    }

    fn read(&mut self, table: &str, column: &str) {
        // The engine's internal tables have other names.
        if TABLES.iter().any(|schema| schema.name == table) {
            self.0.entry(table.to_owned()).or_default().insert(column.to_owned());
        }
    }
}

/// From now on, statements may only read. Their reads are collected.
pub fn watch(db: &mut Connection) -> Result<Arc<Mutex<NeededColumns>>> {
    let needs = Arc::new(Mutex::new(NeededColumns::default()));
    let gathered = Arc::clone(&needs);
    db.authorizer(Some(move |context: AuthContext<'_>| match context.action {
        AuthAction::Select | AuthAction::Recursive | AuthAction::Function { .. } => {
            Authorization::Allow
        }
        AuthAction::Read { table_name, column_name } => {
            let mut needs = gathered.lock().unwrap_or_else(PoisonError::into_inner);
            needs.read(table_name, column_name);
            Authorization::Allow
        }
        _ => Authorization::Deny,
    }))?;
    Ok(needs)
}

/// From now on, everything may be done.
pub fn unwatch(db: &mut Connection) -> Result<()> {
    db.authorizer(None::<fn(AuthContext<'_>) -> Authorization>)
}

/// Words of a statement, names among them.
pub fn words(sql: &str) -> impl Iterator<Item = &str> {
    sql.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
}
