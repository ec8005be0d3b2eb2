//! The answer of a question in SQL: `tband.Answer`.

use arrow_array::cast::AsArray;
use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array, RecordBatch, RecordBatchIterator};
use arrow_schema::{ArrowError, DataType, SchemaRef};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyDict, PyList, PyString, PyTuple};

use crate::packages;
use tband_conv::counted;

/// The answer of a question in SQL: a table in memory.
///
/// Every library that knows Arrow's PyCapsule interface takes it without a copy: `pyarrow.table(answer)`,
/// `polars.DataFrame(answer)`, `pandas.DataFrame.from_arrow(answer)`, DuckDB. `len(answer)` is the number of its rows.
///
/// Integers are INT64, other numbers FLOAT64, texts UTF8, flags of tables BOOL and blobs BINARY. A column without any value has
/// the type of the table's column, or NULL if it is an expression.
#[pyclass(frozen, module = "tband")]
pub struct Answer {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

impl Answer {
    pub const fn new(schema: SchemaRef, batches: Vec<RecordBatch>) -> Self {
        Self { schema, batches }
    }

    fn rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }
}

#[pymethods]
impl Answer {
    /// The names of its columns, in their order.
    #[getter]
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.schema.fields().iter().map(|field| field.name()).collect::<Vec<_>>())
    }

    /// All rows as a `pyarrow.Table`. Needs pyarrow.
    fn to_pyarrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        packages::to_pyarrow(slf)
    }

    /// All rows as a `pandas.DataFrame` with integers as `Int64`. Needs pandas and pyarrow.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        packages::to_pandas(slf)
    }

    /// All rows as a `polars.DataFrame`. Needs polars.
    fn to_polars<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        packages::to_polars(slf)
    }

    /// All rows, a dict for each. Needs no other package, and takes much more memory than the answer itself.
    fn to_dicts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let names = self.schema.fields().iter().map(|field| PyString::new(py, field.name()));
        let names: Vec<_> = names.collect();
        let rows = PyList::empty(py);
        for batch in &self.batches {
            py.check_signals()?;
            for row in 0..batch.num_rows() {
                let dict = PyDict::new(py);
                for (name, column) in names.iter().zip(batch.columns()) {
                    dict.set_item(name, value(py, column, row)?)?;
                }
                rows.append(dict)?;
            }
        }
        Ok(rows)
    }

    /// Its schema, for libraries that know Arrow's PyCapsule interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.schema.as_ref());
        let schema = schema.map_err(|error| PyValueError::new_err(error.to_string()))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// Its rows, for libraries that know Arrow's PyCapsule interface. Another schema than its own is not given.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface lets a producer leave casts to its consumer.
        drop(requested_schema);
        let batches = self.batches.clone().into_iter().map(Ok::<_, ArrowError>);
        let batches = RecordBatchIterator::new(batches, SchemaRef::clone(&self.schema));
        PyCapsule::new_with_value(
            py,
            FFI_ArrowArrayStream::new(Box::new(batches)),
            c"arrow_array_stream",
        )
    }

    fn __len__(&self) -> usize {
        self.rows()
    }

    fn __repr__(&self) -> String {
        format!(
            "<tband.Answer: {}, {}>",
            counted(self.rows(), "row"),
            counted(self.schema.fields().len(), "column")
        )
    }
}

/// A value of a column; `None` for NULL.
fn value<'py>(
    py: Python<'py>,
    column: &dyn Array,
    row: usize,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    if column.is_null(row) {
        return Ok(None);
    }
    Ok(Some(match column.data_type() {
        DataType::Boolean => {
            column.as_boolean().value(row).into_pyobject(py)?.to_owned().into_any()
        }
        DataType::Int64 => {
            column.as_primitive::<Int64Type>().value(row).into_pyobject(py)?.into_any()
        }
        DataType::Float64 => {
            column.as_primitive::<Float64Type>().value(row).into_pyobject(py)?.into_any()
        }
        DataType::Utf8 => PyString::new(py, column.as_string::<i32>().value(row)).into_any(),
        DataType::Binary => PyBytes::new(py, column.as_binary::<i32>().value(row)).into_any(),
        // A column of NULL alone.
        _ => return Ok(None),
    }))
}
