//! A table of a recording: `tband.Table`.

use std::sync::Arc;

use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use tband_tables::TableSchema;

use crate::arrow::schema;
use crate::packages;
use crate::source::Source;
use crate::stream::Stream;

/// A table of a recording, which is read each time that its rows are requested.
///
/// Every library that knows Arrow's PyCapsule interface takes it: `pyarrow.table(table)`, `polars.DataFrame(table)`,
/// `pandas.DataFrame.from_arrow(table)`, DuckDB. `pyarrow.RecordBatchReader.from_stream(table)` reads it batch by batch,
/// in memory that does not grow with the recording. Columns that are named `ns`, or end in `_ns`, are nanoseconds of
/// the target's clock, as INT64.
#[pyclass(frozen, module = "tband")]
pub struct Table {
    source: Arc<Source>,
    table: &'static TableSchema,
}

impl Table {
    pub fn new(source: &Arc<Source>, table: &'static TableSchema) -> Self {
        Self { source: Arc::clone(source), table }
    }
}

#[pymethods]
impl Table {
    /// Its name, as in the guide's page of tables.
    #[getter]
    fn name(&self) -> &'static str {
        self.table.name
    }

    /// The names of its columns, in their order.
    #[getter]
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.table.columns.iter().map(|column| column.name).collect::<Vec<_>>())
    }

    /// All rows as a `pyarrow.Table`, with one dictionary for each column of names. Needs pyarrow.
    fn to_pyarrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        packages::to_pyarrow(slf)
    }

    /// All rows as a `pandas.DataFrame` with names as categories and integers as `Int64`. Needs pandas and pyarrow.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        packages::to_pandas(slf)
    }

    /// All rows as a `polars.DataFrame` with names as categories. Needs polars.
    fn to_polars<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        packages::to_polars(slf)
    }

    /// Its schema, for libraries that know Arrow's PyCapsule interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(schema(self.table).as_ref());
        let schema = schema.map_err(|error| PyValueError::new_err(error.to_string()))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// Begins to read it, for libraries that know Arrow's PyCapsule interface. Another schema than its own is not given.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface lets a producer leave casts to its consumer.
        drop(requested_schema);
        let stream = Stream::open(py, &self.source, self.table)?;
        PyCapsule::new_with_value(
            py,
            FFI_ArrowArrayStream::new(Box::new(stream)),
            c"arrow_array_stream",
        )
    }

    fn __repr__(&self) -> String {
        format!("<tband.Table {} of {}>", self.table.name, self.source.name())
    }
}
