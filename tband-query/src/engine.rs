//! The engine: prepared without any recording, filled, asked.

use std::io::Write;
use std::sync::PoisonError;

use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, Statement};
use tband_conv::{ConvError, Input, Options, Summary};
use tband_tables::{About, convert_to_rows};

use crate::answer::{self, Layout, Receive};
use crate::error::{Mistake, QueryError, READS};
use crate::fill::{self, Fill};
use crate::functions;
use crate::needs::{self, Needs};

/// Bytes that the engine takes at most, in the whole program. What does not fit is in a temporary file; an answer that
/// cannot be there, as a text that is longer, is an error.
pub const MEMORY: usize = 128 << 20;

/// Bytes of the longest text that there may be.
const TEXT: i32 = 16 << 20;

/// Steps of the engine between two looks whether it is to stop, which take a few milliseconds.
const STEPS: i32 = 100_000;

/// A statement, and the tables that it reads.
#[derive(Debug)]
pub struct Query {
    db: Connection,
    sql: String,
    needs: Needs,
}

impl Query {
    /// Checks a statement, and finds out what it reads.
    ///
    /// # Errors
    /// It is wrong, or does anything but read.
    pub fn prepare(sql: &str) -> Result<Self, QueryError> {
        // A file without a name, which is gone when the program ends, however it ends.
        let mut db = Connection::open("")?;
        let set = [
            format!("hard_heap_limit = {MEMORY}"),
            // KiB of pages in memory; and nothing is to be taken back after a crash.
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
        fill::create(&db)?;
        let read = needs::watch(&mut db)?;
        let statement = db.prepare(sql).map_err(|error| Mistake::found(sql, &error))?;
        if statement.column_count() == 0 || !statement.readonly() {
            return Err(Mistake::of(READS));
        }
        if statement.parameter_count() > 0 {
            return Err(Mistake::of(
                "nothing is known of parameters as ? and :name: write the value",
            ));
        }
        drop(statement);
        needs::unwatch(&mut db)?;
        db.execute_batch("BEGIN")?;
        let mut needs = read.lock().unwrap_or_else(PoisonError::into_inner).clone();
        needs.add_joins(sql);
        Ok(Self { db, sql: sql.to_owned(), needs })
    }

    /// The engine looks now and then, while it works, whether it is to stop; then there is no answer.
    ///
    /// # Errors
    /// The engine does not take it.
    pub fn stop_when(
        &self,
        is_over: impl FnMut() -> bool + Send + 'static,
    ) -> Result<(), QueryError> {
        Ok(self.db.progress_handler(STEPS, Some(is_over))?)
    }

    /// Adds the rows of recordings of one target. Reads each input three times.
    ///
    /// # Errors
    /// As [`tband_conv::convert`]; if there is no room for the rows.
    pub fn add(
        &self,
        inputs: &[Input<'_>],
        options: &Options,
        about: &About,
    ) -> Result<Summary, ConvError> {
        convert_to_rows(inputs, options, about, &mut |schema| {
            let fill = || Fill::whole(&self.db, schema, &self.needs);
            self.needs.table(schema).then(fill).transpose().map_err(std::io::Error::other)
        })
    }

    /// Adds the rows of a folder of tables; how many recordings it has.
    ///
    /// # Errors
    /// It cannot be read; if there is no room for the rows.
    #[cfg(feature = "parquet")]
    pub fn add_folder(&self, folder: &std::path::Path) -> anyhow::Result<usize> {
        use tband_tables::{Cell, Rows, Stored, TABLES};

        use crate::needs::PARTITION;

        let stored = Stored::open(folder)?;
        for schema in TABLES.iter().filter(|schema| self.needs.table(schema)) {
            let columns = self.needs.columns(schema);
            let mut fill = Fill::part(&self.db, schema, &self.needs)?;
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
        Ok(stored.recordings().len())
    }

    /// Asks, and writes the answer; how many rows it has.
    ///
    /// # Errors
    /// The engine cannot go on, or the answer cannot be written.
    pub fn ask(&mut self, layout: Layout, out: &mut dyn Write) -> Result<u64, QueryError> {
        answer::write(&mut self.statement()?, layout, out)
    }

    /// Asks, and passes on the answer row by row; how many rows it has.
    ///
    /// # Errors
    /// The engine cannot go on, two columns have the same name, or `receiver` refuses the answer.
    pub fn ask_rows(&mut self, receiver: &mut dyn Receive) -> Result<u64, QueryError> {
        answer::read(&mut self.statement()?, receiver)
    }

    /// The statement, when all rows are there.
    fn statement(&mut self) -> Result<Statement<'_>, QueryError> {
        if !self.db.is_autocommit() {
            self.db.execute_batch("COMMIT")?;
        }
        needs::watch(&mut self.db)?;
        Ok(self.db.prepare(&self.sql)?)
    }
}
