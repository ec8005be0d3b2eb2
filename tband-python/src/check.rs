//! Checks whether a recording is complete: `tband.check`.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use tband_conv::convert;
use tband_conv::sinks::Stats;
use tband_report::check as report;

use crate::arguments::{Keywords, OptionalArgument};
use crate::work;
use tband_conv::counted;

/// A loss or an error in a recording; one finding may count several of the same kind.
#[pyclass(frozen, get_all, module = "tband")]
pub struct Finding {
    /// Its kind, as `gap of lost events`.
    finding: String,
    /// `note`, `loss` or `damage`.
    severity: String,
    /// How often it was found.
    count: u64,
    /// Events, packets or names that are lost in all, else `count`.
    amount: u64,
    /// The file of the first one.
    file: String,
    /// Where that is in the file, in bytes.
    offset: u64,
    /// What exactly was found there.
    text: String,
    /// What it means for the rest.
    means: String,
    /// What to do.
    advice: String,
}

#[pymethods]
impl Finding {
    fn __repr__(&self) -> String {
        let Self { finding, severity, count, file, offset, .. } = self;
        format!(
            "<tband.Finding {severity}: {finding}, {count} times, first in {file} at byte {offset}>"
        )
    }
}

/// The verdict on a recording.
#[pyclass(frozen, get_all, module = "tband")]
pub struct Check {
    /// `whole`, `losses` or `damage`.
    verdict: String,
    /// Nothing is lost or damaged.
    is_clean: bool,
    /// Events in it.
    events: u64,
    /// A tuple of `Finding`, one of each kind.
    findings: Py<PyTuple>,
    /// All that `tband-cli check --json` prints, as a dict.
    details: Py<PyDict>,
}

#[pymethods]
impl Check {
    fn __repr__(&self, py: Python<'_>) -> String {
        let findings = self.findings.bind(py).len();
        format!(
            "<tband.Check {}: {}, {}>",
            self.verdict,
            counted(self.events, "event"),
            counted(findings, "finding")
        )
    }
}

/// Reads the recordings of one target, and reports whether they are complete. The arguments are those of `open`.
///
/// With `elf`, `details["crashes"]` has in which function, file and line each crash is; with `align`, `details["clocks"]` has how
/// well clocks are known.
///
/// Raises `tband.Error` if a file cannot be read or is not a recording.
#[pyfunction]
#[pyo3(signature = (*paths, format="auto", input_format="auto", ctf_map=None, mode="free-rtos", core_count=None, tick_rate=None, align=None, align_within=None, elf=None))]
#[expect(clippy::too_many_arguments, reason = "they are keywords")]
pub fn check<'py>(
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
) -> PyResult<Check> {
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
        begin: None,
        end: None,
    };
    let source = keywords.source(paths)?;
    let verdict = work::run(py, move |stop| {
        let inputs = source.inputs(stop)?;
        let options = source.explained(&inputs)?;
        let mut stats = Stats::brief();
        let summary = convert(&inputs, &options, &mut stats)?;
        Ok(report::json(&summary, &stats, options.core_count))
    })?;
    let details = py.import("json")?.call_method1("loads", (verdict.to_string(),))?;
    let details = details.cast_into::<PyDict>()?;
    let found = verdict["findings"].as_array().map_or(&[][..], Vec::as_slice);
    let findings = found.iter().map(|found| {
        let text = |name: &str| found[name].as_str().unwrap_or_default().to_owned();
        let number = |name: &str| found[name].as_u64().unwrap_or_default();
        Py::new(
            py,
            Finding {
                finding: text("finding"),
                severity: text("severity"),
                count: number("count"),
                amount: number("amount"),
                file: text("file"),
                offset: number("offset"),
                text: text("text"),
                means: text("means"),
                advice: text("advice"),
            },
        )
    });
    let findings = PyTuple::new(py, findings.collect::<PyResult<Vec<_>>>()?)?;
    let word = verdict["verdict"].as_str().unwrap_or_default().to_owned();
    Ok(Check {
        is_clean: word == "whole",
        verdict: word,
        events: verdict["events"].as_u64().unwrap_or_default(),
        findings: findings.unbind(),
        details: details.unbind(),
    })
}
