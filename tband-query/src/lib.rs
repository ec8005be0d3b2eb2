//! Questions in SQL to recordings, and to folders of tables that `tband-tables` has written. The engine is SQLite, which is
//! compiled into the program.
//!
//! A [`Query`] is prepared first, without any recording: mistakes are found at once, and so is which tables and columns it
//! reads. Only these are filled, into a temporary file that has no name; so memory does not grow with the recording. It may
//! read them and do nothing else: no file is opened, attached or written, whatever the statement says.

mod answer;
mod engine;
mod error;
mod fill;
mod functions;
mod needs;
mod ranked;

pub use answer::{Column, Declared, Layout, Receive, Value};
pub use engine::{MEMORY, Query};
pub use error::{Mistake, QueryError};
