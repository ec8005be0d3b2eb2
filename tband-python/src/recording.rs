//! A recording: `tband.open`, `tband.Recording`.

use std::sync::Arc;

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use tband_tables::TABLES;

use crate::arguments::{Keywords, OptionalArgument};
use crate::source::{Source, display_path};
use crate::table::Table;

/// Opens the recordings of one target: a file, or one for each core, each perhaps with its core as a pair, or the folder of
/// a CTF trace.
///
/// Raises `tband.Error` if a file cannot be read. Its content is read with each table.
///
/// format: encoding of the files; found out from the content unless it is named.
/// input_format: recorder that made the files; found out from the content unless it is named.
/// ctf_map: mapping file of a CTF trace; without it, tband-map.toml beside the metadata.
/// mode: events that the recording may have.
/// core_count: number of cores of the target; without it, the number in the recording.
/// tick_rate: frequency of the timestamp timer in Hz, as 64_000_000, "64M" or "3579545/3", which overrides the one in the recording.
/// align: gives all files one clock, by "clock-sync", "marker:NAME", "pulse:NAME", or "received": when they came, which is in
///     FILE.times beside each. It is the clock of the first one; with "received" that of the computer.
/// align_within: most time between the records of a shared moment, for `align`.
/// elf: the program that ran, with symbols: it has the formats of records and the names of functions.
/// begin, end: the tables have only the time between these, both included.
#[pyfunction]
#[pyo3(signature = (*paths, format="auto", input_format="auto", ctf_map=None, mode="free-rtos", core_count=None, tick_rate=None, align=None, align_within=None, elf=None, begin=None, end=None))]
#[expect(clippy::too_many_arguments, reason = "they are keywords")]
pub fn open<'py>(
    paths: &Bound<'py, PyTuple>,
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
) -> PyResult<Recording> {
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
    Ok(Recording { source: Arc::new(keywords.source(paths)?) })
}

/// The recordings of one target. No file stays open: each table is read when its rows are asked for.
#[pyclass(frozen, module = "tband")]
pub struct Recording {
    source: Arc<Source>,
}

impl Recording {
    fn named(&self, name: &str) -> PyResult<Table> {
        let table = TABLES.iter().find(|table| table.name == name);
        let table = table.ok_or_else(|| {
            let names: Vec<_> = TABLES.iter().map(|table| table.name).collect();
            PyKeyError::new_err(format!("unknown table {name}; tables: {}", names.join(", ")))
        })?;
        Ok(Table::new(&self.source, table))
    }
}

#[pymethods]
impl Recording {
    /// The names of its files.
    #[getter]
    fn files<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.source.files.iter().map(|named| display_path(&named.path)))
    }

    /// Every event as it was recorded, metadata included: ns, core, event, ticks, fields (JSON), input, offset (bytes).
    #[getter]
    fn events(&self) -> PyResult<Table> {
        self.named("events")
    }

    /// From when to when a task was in a state: begin_ns, end_ns, task, state, core, wait, priority and others.
    #[getter]
    fn states(&self) -> PyResult<Table> {
        self.named("states")
    }

    /// What tasks waited for: begin_ns, end_ns, task, wait, object, limit_ticks (of the kernel), outcome, woken_by.
    #[getter]
    fn waits(&self) -> PyResult<Table> {
        self.named("waits")
    }

    /// Each interrupt that ran: begin_ns, end_ns, core, isr, depth.
    #[getter]
    fn interrupts(&self) -> PyResult<Table> {
        self.named("interrupts")
    }

    /// Numbers that objects have, a row for each new one: ns, object_kind, object, value, cause, by.
    #[getter]
    fn levels(&self) -> PyResult<Table> {
        self.named("levels")
    }

    /// Texts of event markers, and their spans: begin_ns, end_ns, marker, text, by, is_span.
    #[getter]
    fn markers(&self) -> PyResult<Table> {
        self.named("markers")
    }

    /// Allocated and freed blocks of the heap: ns, what, bytes, free (bytes), by.
    #[getter]
    fn heap(&self) -> PyResult<Table> {
        self.named("heap")
    }

    /// Activations of tasks, interrupts and timers: released_ns, ready_ns, started_ns, ended_ns, and the split of that time.
    #[getter]
    fn activations(&self) -> PyResult<Table> {
        self.named("activations")
    }

    /// The parts of activations: begin_ns, end_ns, path (what took the time), kind, by, lock, holder and others.
    #[getter]
    fn parts(&self) -> PyResult<Table> {
        self.named("parts")
    }

    /// From when to when tasks held locks: lock, holder, begin_ns, end_ns, waiters and others.
    #[getter]
    fn holds(&self) -> PyResult<Table> {
        self.named("holds")
    }

    /// Periods of tasks, interrupts and timers: task, kind, how, period_ns, release_jitter_ns, missed and others.
    #[getter]
    fn periods(&self) -> PyResult<Table> {
        self.named("periods")
    }

    /// Time of each core by its owner, in windows of 100 ms: begin_ns, end_ns, core, kind, id, name, time_ns.
    #[getter]
    fn load(&self) -> PyResult<Table> {
        self.named("load")
    }

    /// Mistakes of the program: finding, certainty, ns, length_ns, task, core, means, evidence, advice.
    #[getter]
    fn findings(&self) -> PyResult<Table> {
        self.named("findings")
    }

    /// Losses and damage: ns, core, problem, severity, amount, text, input, offset (bytes).
    #[getter]
    fn losses(&self) -> PyResult<Table> {
        self.named("losses")
    }

    /// One row about the recording: its time (ns), events, cores, losses, versions, build of the firmware.
    #[getter]
    fn recordings(&self) -> PyResult<Table> {
        self.named("recordings")
    }

    /// A table by its name.
    fn __getitem__(&self, name: &str) -> PyResult<Table> {
        self.named(name)
    }

    fn __repr__(&self) -> String {
        format!("<tband.Recording {}>", self.source.name())
    }
}
