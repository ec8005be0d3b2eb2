//! SQL queries on recordings, and on folders of tables that `tband-tables` has written. The engine is SQLite, which is compiled
//! into the program.
//!
//! A [`Query`] is prepared first, without any recording: this finds mistakes, and the tables and columns that the query reads.
//! Only these are filled, into a temporary file without a name, so memory does not grow with the recording. It may only read
//! them: no statement opens, attaches or writes a file.

mod answer;
mod engine;
mod error;
mod functions;
mod needed_columns;
mod ranked_numbers;
mod row_inserter;

pub use answer::{Column, ColumnType, Layout, Receive, Value};
pub use engine::{MEMORY, Query};
pub use error::{Mistake, QueryError};
