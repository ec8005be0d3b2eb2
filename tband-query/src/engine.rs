//! The engine: prepared without any recording, then filled, then queried.

use std::io::Write;
use std::sync::PoisonError;

use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, Statement};
use tband_conv::{ConvError, Input, Options, Summary};
use tband_tables::{RecordingInfo, convert_to_rows};

use crate::answer::{self, Layout, Receive};
use crate::error::{Mistake, QueryError, READS};
use crate::functions;
use crate::needed_columns::{self, NeededColumns};
use crate::row_inserter::{self, RowInserter};

/// Maximum memory of the engine in bytes, in the complete program. Data that does not fit is in a temporary file; an answer
/// that cannot be stored there, such as a longer text, is an error.
pub const MEMORY: usize = 128 << 20;

/// Bytes of the longest text that there may be.
const TEXT: i32 = 16 << 20;

/// Steps of the engine between two checks for a stop, which take a few milliseconds.
const STEPS: i32 = 100_000;

/// Statements, and the tables that they read.
#[derive(Debug)]
pub struct Query {
    db: Connection,
    statements: Vec<(String, NeededColumns)>,
    /// Needs of all statements.
    needs: NeededColumns,
}

impl Query {
    /// Checks a statement, and finds the tables and columns that it reads.
    ///
    /// # Errors
    /// It is wrong, or does more than read.
    pub fn prepare(sql: &str) -> Result<Self, QueryError> {
        let mut query = Self::open()?;
        query.add_statement(sql)?;
        Ok(query)
    }

    /// A database without statements. Each is added before the first recording.
    ///
    /// # Errors
    /// The engine does not start.
    pub fn open() -> Result<Self, QueryError> {
        // A file without a name, which is gone when the program ends, however it ends.
        let db = Connection::open("")?;
        let set = [
            format!("hard_heap_limit = {MEMORY}"),
            // KiB of pages in memory; and a crash needs no rollback.
            "cache_size = -16384".to_owned(),
            "journal_mode = OFF".to_owned(),
            "synchronous = OFF".to_owned(),
        ];
        for setting in set {
            // Some return their new value, which is a row.
            let mut pragma = db.prepare(&format!("PRAGMA {setting}"))?;
            let mut rows = pragma.query([])?;
            while rows.next()?.is_some() {}
        }
        // A name in quotes that is not there would be a text.
        db.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false)?;
        db.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
        db.set_limit(Limit::SQLITE_LIMIT_LENGTH, TEXT)?;
        functions::add(&db)?;
        row_inserter::create(&db)?;
        Ok(Self { db, statements: Vec::new(), needs: NeededColumns::default() })
    }

    /// Checks a statement, and finds the tables and columns that it reads; returns its place among the statements. Rows of
    /// recordings that were added before may lack these.
    ///
    /// # Errors
    /// It is wrong, or does more than read.
    pub fn add_statement(&mut self, sql: &str) -> Result<usize, QueryError> {
        let read = needed_columns::watch(&mut self.db)?;
        let statement = self.db.prepare(sql).map_err(|error| Mistake::from_engine(sql, &error))?;
        if statement.column_count() == 0 || !statement.readonly() {
            return Err(Mistake::of(READS));
        }
        if statement.parameter_count() > 0 {
            return Err(Mistake::of(
                "nothing is known of parameters as ? and :name: write the value",
            ));
        }
        drop(statement);
        needed_columns::unwatch(&mut self.db)?;
        let mut needs = read.lock().unwrap_or_else(PoisonError::into_inner).clone();
        needs.add_joins(sql);
        self.needs.extend(&needs);
        self.statements.push((sql.to_owned(), needs));
        Ok(self.statements.len().saturating_sub(1))
    }

    /// Makes the engine check `is_over` regularly while it works; if that is true, it stops without an answer.
    ///
    /// # Errors
    /// The engine rejects the callback.
    pub fn stop_when(
        &self,
        is_over: impl FnMut() -> bool + Send + 'static,
    ) -> Result<(), QueryError> {
        Ok(self.db.progress_handler(STEPS, Some(is_over))?)
    }

    /// Adds the rows of recordings of one target. Reads each input three times.
    ///
    /// # Errors
    /// As [`tband_conv::convert()`]; if the rows do not fit.
    pub fn add(
        &self,
        inputs: &[Input<'_>],
        options: &Options,
        about: &RecordingInfo,
    ) -> Result<Summary, ConvError> {
        self.begin().map_err(|error| ConvError::Write(std::io::Error::other(error)))?;
        convert_to_rows(inputs, options, about, &mut |schema| {
            let fill = || RowInserter::whole(&self.db, schema, &self.needs);
            self.needs.table(schema).then(fill).transpose().map_err(std::io::Error::other)
        })
    }

    /// Adds the rows of a folder of tables. Returns the names of its recordings, as in the column `recording`.
    ///
    /// # Errors
    /// The folder cannot be read, or the rows do not fit.
    #[cfg(feature = "parquet")]
    pub fn add_folder(&self, folder: &std::path::Path) -> anyhow::Result<Vec<String>> {
        use tband_tables::{Cell, RECORDINGS, Rows, StoredTables, TABLES};

        use crate::needed_columns::PARTITION;

        self.begin()?;
        let stored = StoredTables::open(folder)?;
        for schema in TABLES.iter().filter(|schema| self.needs.table(schema)) {
            let columns = self.needs.columns(schema);
            let mut fill = RowInserter::part(&self.db, schema, &self.needs)?;
            for recording in stored.recordings() {
                let values = [&recording.device, &recording.date].map(|it| Cell::from(it.as_ref()));
                let values = PARTITION.iter().zip(values);
                let values = values.filter(|(name, _)| self.needs.has(schema, name));
                let values: Vec<_> = values.map(|(_, value)| value).collect();
                stored.rows(recording, schema, &columns, &mut |cells| {
                    if values.is_empty() {
                        return fill.row(cells);
                    }
                    fill.row(&[cells, &values].concat())
                })?;
            }
        }
        let mut names = Vec::new();
        for recording in stored.recordings() {
            stored.rows(recording, &RECORDINGS, &["recording"], &mut |cells| {
                if let Some(Cell::Text(name)) = cells.first() {
                    names.push((*name).to_owned());
                }
                Ok(())
            })?;
        }
        Ok(names)
    }

    /// Rows are added in one transaction.
    fn begin(&self) -> rusqlite::Result<()> {
        if self.db.is_autocommit() { self.db.execute_batch("BEGIN") } else { Ok(()) }
    }

    /// Ends the transaction; from now on statements read.
    fn end(&mut self) -> Result<(), QueryError> {
        if !self.db.is_autocommit() {
            needed_columns::unwatch(&mut self.db)?;
            self.db.execute_batch("COMMIT")?;
        }
        needed_columns::watch(&mut self.db)?;
        Ok(())
    }

    /// Runs the first statement, and writes the answer. Returns its number of rows.
    ///
    /// # Errors
    /// The engine fails, or the answer cannot be written.
    pub fn ask(&mut self, layout: Layout, out: &mut dyn Write) -> Result<u64, QueryError> {
        answer::write(&mut self.statement(0)?, layout, out)
    }

    /// Runs the first statement, and passes on the answer row by row. Returns its number of rows.
    ///
    /// # Errors
    /// The engine fails, two columns have the same name, or `receiver` refuses the answer.
    pub fn ask_rows(&mut self, receiver: &mut dyn Receive) -> Result<u64, QueryError> {
        self.ask_rows_of(0, receiver)
    }

    /// Runs a statement by its place, as [`Query::ask_rows`] does the first.
    ///
    /// # Errors
    /// As for [`Query::ask_rows`]; there is no such statement.
    pub fn ask_rows_of(
        &mut self,
        place: usize,
        receiver: &mut dyn Receive,
    ) -> Result<u64, QueryError> {
        answer::read(&mut self.statement(place)?, receiver)
    }

    /// A statement, when all rows are there.
    fn statement(&mut self, place: usize) -> Result<Statement<'_>, QueryError> {
        self.end()?;
        let sql = self.statements.get(place).map(|(sql, _)| sql.as_str());
        let sql = sql.ok_or_else(|| Mistake::of("there is no such statement"))?;
        Ok(self.db.prepare(sql)?)
    }

    /// Whether a table that a statement reads has a row.
    ///
    /// # Errors
    /// The engine fails.
    pub fn has_rows(&mut self, place: usize) -> Result<bool, QueryError> {
        self.end()?;
        let Some((_, needs)) = self.statements.get(place) else { return Ok(false) };
        for table in needs.tables() {
            if self.db.prepare(&format!("SELECT 1 FROM {table} LIMIT 1"))?.exists([])? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
