//! What Python passes, as the converter has it.

use std::fmt::Display;
use std::path::PathBuf;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyList, PyString, PyTuple};
use tband_app::options::values;
use tband_conv::clock::moment::Moment;

use crate::failure::Failure;
use crate::source::{RecordingFile, Source};

/// A value that may be left out.
pub type OptionalArgument<'py> = Option<Bound<'py, PyAny>>;

/// How recordings are read, as keywords have it.
pub struct Keywords<'py> {
    pub format: &'py str,
    pub input_format: &'py str,
    pub ctf_map: OptionalArgument<'py>,
    pub mode: &'py str,
    pub core_count: OptionalArgument<'py>,
    pub tick_rate: OptionalArgument<'py>,
    pub align: Option<&'py str>,
    pub align_within: OptionalArgument<'py>,
    pub elf: OptionalArgument<'py>,
    pub begin: OptionalArgument<'py>,
    pub end: OptionalArgument<'py>,
}

impl Keywords<'_> {
    /// Returns the source to read.
    pub fn source(&self, paths: &Bound<'_, PyTuple>) -> PyResult<Source> {
        let py = paths.py();
        let files = files(paths)?;
        let elf = self.elf.as_ref().map(path).transpose()?;
        let ctf_map = self.ctf_map.as_ref().map(path).transpose()?;
        let source = || {
            Ok(Source {
                files,
                format: parse("format", self.format, values::choice)?,
                input_format: parse("input_format", self.input_format, values::choice)?,
                ctf_map,
                mode: parse("mode", self.mode, values::choice)?,
                core_count: number("core_count", self.core_count.as_ref(), values::core_count)?
                    .flatten(),
                tick_rate: number("tick_rate", self.tick_rate.as_ref(), values::frequency)?,
                align: self.align.map(|text| parse("align", text, values::align_by)).transpose()?,
                align_within: match time("align_within", self.align_within.as_ref())? {
                    None => None,
                    Some(Moment::Ns(ns)) => Some(ns),
                    Some(_) => {
                        return Err(Failure::new(
                            "align_within: a time with a unit is needed, such as '20us', or a number of ns",
                        ));
                    }
                },
                elf,
                begin: time("begin", self.begin.as_ref())?,
                end: time("end", self.end.as_ref())?,
            })
        };
        let source: Result<Source, Failure> = source();
        let source = source.map_err(|failure| failure.raise(py))?;
        source.check().map_err(|failure| failure.raise(py))?;
        Ok(source)
    }
}

/// Adds the name of an option to an error about it.
fn parse<T>(
    name: &str,
    text: &str,
    value: impl FnOnce(&str) -> Result<T, String>,
) -> Result<T, Failure> {
    value(text).map_err(|error| wrong(name, text, &error))
}

fn wrong(name: &str, given: impl Display, error: &str) -> Failure {
    Failure::new(format!("{name}={given}: {error}"))
}

/// A number, or a text with one.
fn number<T>(
    name: &str,
    given: Option<&Bound<'_, PyAny>>,
    value: impl FnOnce(&str) -> Result<T, String>,
) -> Result<Option<T>, Failure> {
    let Some(given) = given else { return Ok(None) };
    let text = given.str().map(|text| text.to_string_lossy().into_owned());
    let text = text.map_err(|_| Failure::new(format!("{name}: a number is needed")))?;
    parse(name, &text, value).map(Some)
}

/// A time: a number of nanoseconds, or a text as the command line has it.
fn time(name: &str, given: Option<&Bound<'_, PyAny>>) -> Result<Option<Moment>, Failure> {
    let Some(given) = given else { return Ok(None) };
    if given.is_instance_of::<PyInt>() && !given.is_instance_of::<PyBool>() {
        let ns = given
            .extract()
            .map_err(|_| wrong(name, given, "a number of ns from 0 to 2**64 - 1 is needed"))?;
        return Ok(Some(Moment::Ns(ns)));
    }
    let Ok(text) = given.cast::<PyString>() else {
        return Err(Failure::new(format!(
            "{name}: a number of ns is needed, or a text such as '1.5ms'; a text without a unit is a number of ticks"
        )));
    };
    parse(name, &text.to_string_lossy(), values::moment).map(Some)
}

/// The files: paths, pairs of a path and a core, or a list of these.
fn files(paths: &Bound<'_, PyTuple>) -> PyResult<Vec<RecordingFile>> {
    let mut files = Vec::new();
    for item in paths {
        match item.cast::<PyList>() {
            Ok(list) => {
                for item in list {
                    files.push(file(&item)?);
                }
            }
            Err(_) => files.push(file(&item)?),
        }
    }
    Ok(files)
}

fn file(item: &Bound<'_, PyAny>) -> PyResult<RecordingFile> {
    let py = item.py();
    let Ok(pair) = item.cast::<PyTuple>() else {
        return Ok(RecordingFile { path: path(item)?, core: None });
    };
    if pair.len() != 2 {
        return Err(PyTypeError::new_err("a path is needed, or a pair of a path and a core"));
    }
    let core = number("core", Some(&pair.get_item(1)?), values::core);
    let core = core.map_err(|failure| failure.raise(py))?;
    Ok(RecordingFile { path: path(&pair.get_item(0)?)?, core })
}

/// A path as `open` of Python takes it: text, bytes, or an object that has one.
fn path(item: &Bound<'_, PyAny>) -> PyResult<PathBuf> {
    item.py().import("os")?.call_method1("fsdecode", (item,))?.extract()
}
