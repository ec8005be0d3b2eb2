//! Recordings for Python: `import tband`. The documentation for users is in `python/tband/__init__.pyi` and the guide.
//!
//! A recording is read by a separate thread without access to Python. So Python's lock is free in that time, and Ctrl-C ends
//! the read. Tables are passed through Arrow's C stream interface, batch by batch, while the recording is read: memory does not
//! grow with its length, and no package of Python is needed for it. No input makes this panic.

mod answer;
mod arguments;
mod arrow;
mod batches;
mod check;
mod failure;
mod gather;
mod packages;
mod query;
mod recording;
mod source;
mod stream;
mod table;
mod work;

use pyo3::prelude::*;

/// What Python imports.
#[pymodule]
mod _tband {
    use pyo3::prelude::*;
    use pyo3::types::PyTuple;

    #[pymodule_export]
    use super::answer::Answer;
    #[pymodule_export]
    use super::check::{Check, Finding, check};
    #[pymodule_export]
    use super::failure::Error;
    #[pymodule_export]
    use super::query::query;
    #[pymodule_export]
    use super::recording::{Recording, open};
    #[pymodule_export]
    use super::table::Table;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let names = tband_tables::TABLES.iter().map(|schema| schema.name);
        module.add("TABLES", PyTuple::new(module.py(), names.collect::<Vec<_>>())?)?;
        module.add("SCHEMA_VERSION", tband_tables::SCHEMA_VERSION)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
