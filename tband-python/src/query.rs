//! Questions in SQL: `tband.query`.

use std::sync::atomic::Ordering;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tband_query::Query;

use crate::answer::Answer;
use crate::arguments::{Keywords, OptionalArgument};
use crate::gather::RowCollector;
use crate::source::{RecordingFile, Source, StopFlag};
use crate::work;

/// Answers a question in SQL about the tables of recordings with a table of Arrow.
///
/// The engine is SQLite, as in `tband-cli query`. It reads only the columns that the question names. The answer is in
/// memory as a whole. All values of a column have one type: where SQL mixes texts and numbers, CAST one of them.
///
/// each: each file is a separate recording, and not a core of one target.
/// The other arguments are those of `open`. Raises `tband.Error` if the question is wrong or a file cannot be read.
#[pyfunction]
#[pyo3(signature = (sql, *paths, each=false, format="auto", input_format="auto", ctf_map=None, mode="free-rtos", core_count=None, tick_rate=None, align=None, align_within=None, elf=None, begin=None, end=None))]
#[expect(clippy::too_many_arguments, reason = "they are keywords")]
pub fn query<'py>(
    sql: String,
    paths: &Bound<'py, PyTuple>,
    each: bool,
    format: &str,
    input_format: &str,
    ctf_map: OptionalArgument<'py>,
    mode: &str,
    core_count: OptionalArgument<'py>,
    tick_rate: OptionalArgument<'py>,
    align: Option<&str>,
    align_within: OptionalArgument<'py>,
    elf: OptionalArgument<'py>,
    begin: OptionalArgument<'py>,
    end: OptionalArgument<'py>,
) -> PyResult<Answer> {
    let py = paths.py();
    let keywords = Keywords {
        format,
        input_format,
        ctf_map,
        mode,
        core_count,
        tick_rate,
        align,
        align_within,
        elf,
        begin,
        end,
    };
    let source = keywords.source(paths)?;
    let (schema, batches) = work::run(py, move |stop| {
        let mut query = Query::prepare(&sql)?;
        let seen = StopFlag::clone(stop);
        query.stop_when(move || seen.load(Ordering::Relaxed))?;
        let targets = if each {
            source.files.iter().map(|named| single_source(&source, named)).collect()
        } else {
            vec![source]
        };
        for source in targets {
            query.add(&source.inputs(stop)?, &source.options()?, &source.about())?;
        }
        let mut answer = RowCollector::default();
        query.ask_rows(&mut answer)?;
        Ok(answer.finish()?)
    })?;
    Ok(Answer::new(schema, batches))
}

/// Returns one of several recordings that are read separately.
fn single_source(source: &Source, named: &RecordingFile) -> Source {
    Source { files: vec![named.clone()], ..source.clone() }
}
