//! Questions in SQL: `tband.query`.

use std::sync::atomic::Ordering;

use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use tband_query::{Layout, Query};

use crate::arguments::{Given, Keywords};
use crate::failure::Failure;
use crate::source::{Named, Source, Stop};
use crate::work;

/// Answers a question in SQL about the tables of recordings; a dict for each row.
///
/// The engine is SQLite, as in `tband-cli query`. It reads only the columns that the question names. The answer is in
/// memory as a whole, which `pandas.DataFrame` and `polars.DataFrame` take.
///
/// each: each file is a recording of its own, and not a core of one target.
/// The other arguments are those of `open`. Raises `tband.Error` if the question is wrong or a file cannot be read.
#[pyfunction]
#[pyo3(signature = (sql, *paths, each=false, format="auto", mode="free-rtos", core_count=None, tick_rate=None, align=None, align_within=None, elf=None, begin=None, end=None))]
#[expect(clippy::too_many_arguments, reason = "they are keywords")]
pub fn query<'py>(
    sql: String,
    paths: &Bound<'py, PyTuple>,
    each: bool,
    format: &str,
    mode: &str,
    core_count: Given<'py>,
    tick_rate: Given<'py>,
    align: Option<&str>,
    align_within: Given<'py>,
    elf: Given<'py>,
    begin: Given<'py>,
    end: Given<'py>,
) -> PyResult<Bound<'py, PyList>> {
    let py = paths.py();
    let keywords =
        Keywords { format, mode, core_count, tick_rate, align, align_within, elf, begin, end };
    let source = keywords.source(paths)?;
    let answer = work::run(py, move |stop| {
        let mut query = Query::prepare(&sql)?;
        let seen = Stop::clone(stop);
        query.stop_when(move || seen.load(Ordering::Relaxed))?;
        let targets = if each {
            source.files.iter().map(|named| alone(&source, named)).collect()
        } else {
            vec![source]
        };
        for source in targets {
            query.add(&source.inputs(stop)?, &source.options()?, &source.about())?;
        }
        let mut answer = Vec::new();
        query.ask(Layout::Json, &mut answer)?;
        String::from_utf8(answer).map_err(|_| Failure::new("the answer is no UTF-8"))
    })?;
    let read = py.import("json")?.getattr("loads")?;
    let rows = answer.lines().map(|row| read.call1((row,)));
    PyList::new(py, rows.collect::<PyResult<Vec<_>>>()?)
}

/// One of several recordings that are read each by itself.
fn alone(source: &Source, named: &Named) -> Source {
    Source { files: vec![named.clone()], ..source.clone() }
}
