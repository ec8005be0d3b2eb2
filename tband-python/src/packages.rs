//! Hands tables to packages of Python.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::stream::raised;

/// All rows as a `pyarrow.Table`.
pub fn to_pyarrow<'py>(table: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    // Each batch has its own dictionaries, which pyarrow does not group by.
    call_package(table, "pyarrow", "table")?.call_method0("unify_dictionaries")
}

/// Returns all rows as a `pandas.DataFrame`; integers are `Int64`.
pub fn to_pandas<'py>(table: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = table.py();
    // Otherwise integers of which some are missing become floating point, and times lose digits.
    let kinds = PyDict::new(py);
    let integer = py.import("pandas")?.call_method0("Int64Dtype")?;
    kinds.set_item(py.import("pyarrow")?.call_method0("int64")?, integer)?;
    let how = PyDict::new(py);
    how.set_item("types_mapper", kinds.getattr("get")?)?;
    to_pyarrow(table)?.call_method("to_pandas", (), Some(&how))
}

/// All rows as a `polars.DataFrame`.
pub fn to_polars<'py>(table: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    call_package(table, "polars", "DataFrame")
}

/// Calls a function of a package with a table. If a signal raises an exception the package replaces it by its own; this raises
/// the original one.
fn call_package<'py>(
    table: &Bound<'py, PyAny>,
    package: &str,
    function: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let function = table.py().import(package)?.getattr(function)?;
    drop(raised());
    function.call1((table,)).map_err(|error| raised().unwrap_or(error))
}
