//! Baselines: one number per recording and metric, for bounds that are relative.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

use serde_json::{Map, Value, json};

/// The version of the file.
pub const BASELINE_VERSION: u64 = 1;

/// The values of recordings that others are compared with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Baseline {
    recordings: Vec<String>,
    /// By metric and subject, of each recording the least and the greatest value.
    values: BTreeMap<String, BTreeMap<String, Vec<(f64, f64)>>>,
}

/// Why a file is not a baseline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BaselineError {
    /// The file is not JSON, or not of this form.
    Form(String),
    /// The file is of another version.
    Version(String),
}

impl Display for BaselineError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form(cause) => write!(
                f,
                "this is not a baseline: {cause}; write one with tband-cli assert --write-baseline FILE RULES GOOD"
            ),
            Self::Version(version) => write!(
                f,
                "this baseline is of version {version}, and this program reads version {BASELINE_VERSION}: write it again with \
                 --write-baseline"
            ),
        }
    }
}

impl std::error::Error for BaselineError {}

impl Baseline {
    /// Adds the name of a recording.
    pub fn add_recording(&mut self, name: &str) {
        self.recordings.push(name.to_owned());
    }

    /// Adds the least and the greatest value of a metric in one recording.
    pub fn add(&mut self, key: &str, subject: &str, (low, high): (f64, f64)) {
        if low.is_finite() && high.is_finite() {
            let of_key = self.values.entry(key.to_owned()).or_default();
            of_key.entry(subject.to_owned()).or_default().push((low, high));
        }
    }

    /// Adds all of another one.
    pub fn extend(&mut self, other: Self) {
        self.recordings.extend(other.recordings);
        for (key, subjects) in other.values {
            for (subject, values) in subjects {
                self.values
                    .entry(key.clone())
                    .or_default()
                    .entry(subject)
                    .or_default()
                    .extend(values);
            }
        }
    }

    /// The least and the greatest value of a metric in all recordings, by subject.
    #[must_use]
    pub fn of(&self, key: &str) -> Vec<(String, (f64, f64))> {
        let subjects = self.values.get(key).into_iter().flatten();
        let range = |values: &Vec<(f64, f64)>| {
            let ends = (f64::INFINITY, f64::NEG_INFINITY);
            values.iter().fold(ends, |range, it| (range.0.min(it.0), range.1.max(it.1)))
        };
        subjects.map(|(subject, values)| (subject.clone(), range(values))).collect()
    }

    /// Whether it has a value of a subject.
    #[must_use]
    pub fn has(&self, key: &str, subject: &str) -> bool {
        self.values.get(key).is_some_and(|subjects| subjects.contains_key(subject))
    }

    /// The baseline as JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        let pair = |(low, high): &(f64, f64)| json!([number(*low), number(*high)]);
        let subjects = |subjects: &BTreeMap<String, Vec<(f64, f64)>>| -> Value {
            let all = subjects.iter().map(|(subject, values)| {
                (subject.clone(), Value::Array(values.iter().map(pair).collect()))
            });
            Value::Object(all.collect::<Map<_, _>>())
        };
        let values: Map<_, _> =
            self.values.iter().map(|(key, of_key)| (key.clone(), subjects(of_key))).collect();
        json!({ "tband_baseline": BASELINE_VERSION, "recordings": self.recordings, "values": values })
    }

    /// Reads a baseline.
    ///
    /// # Errors
    /// The text is not a baseline, or is of another version.
    pub fn read(text: &str) -> Result<Self, BaselineError> {
        let form = |cause: &str| BaselineError::Form(cause.to_owned());
        let value: Value =
            serde_json::from_str(text).map_err(|error| BaselineError::Form(error.to_string()))?;
        match value.get("tband_baseline") {
            None => return Err(form("tband_baseline, its version, is missing")),
            Some(version) if version.as_u64() == Some(BASELINE_VERSION) => {}
            Some(other) => return Err(BaselineError::Version(other.to_string())),
        }
        let mut baseline = Self::default();
        let recordings = value.get("recordings").and_then(Value::as_array);
        for name in recordings.ok_or_else(|| form("recordings is not a list"))? {
            baseline.add_recording(name.as_str().ok_or_else(|| form("a recording is not text"))?);
        }
        let values = value.get("values").and_then(Value::as_object);
        for (key, subjects) in values.ok_or_else(|| form("values is not an object"))? {
            let wrong = || BaselineError::Form(format!("values of {key:?} are wrong"));
            for (subject, pairs) in subjects.as_object().ok_or_else(wrong)? {
                for pair in pairs.as_array().ok_or_else(wrong)? {
                    let end = |index: usize| pair.get(index).and_then(Value::as_f64);
                    let (Some(low), Some(high)) = (end(0), end(1)) else { return Err(wrong()) };
                    baseline.add(key, subject, (low, high));
                }
            }
        }
        Ok(baseline)
    }
}

/// A number as JSON, without a fraction if it has none.
pub(crate) fn number(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < 9e15 { json!(value as i64) } else { json!(value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_restores_a_baseline() {
        let mut baseline = Baseline::default();
        baseline.add_recording("a.bin");
        baseline.add("task response", "control", (1000.0, 2000.0));
        baseline.add("task response", "control", (900.0, 1500.0));
        baseline.add("core load", "core 0", (70.25, 70.25));
        let read = Baseline::read(&baseline.json().to_string()).unwrap();
        assert_eq!(read, baseline);
        assert_eq!(read.of("task response"), [("control".to_owned(), (900.0, 2000.0))]);
        assert!(read.of("nothing").is_empty());
    }

    #[test]
    fn other_files_are_refused() {
        for (text, cause) in [
            ("", "this is not a baseline"),
            ("{}", "tband_baseline, its version, is missing"),
            ("{\"tband_baseline\": 9}", "is of version 9"),
            ("{\"tband_baseline\": 1}", "recordings is not a list"),
            ("{\"tband_baseline\": 1, \"recordings\": [1]}", "a recording is not text"),
            ("{\"tband_baseline\": 1, \"recordings\": []}", "values is not an object"),
            (
                "{\"tband_baseline\": 1, \"recordings\": [], \"values\": {\"a\": {\"b\": [[1]]}}}",
                "values of \"a\" are wrong",
            ),
        ] {
            let error = Baseline::read(text).unwrap_err().to_string();
            assert!(error.contains(cause) && error.contains("--write-baseline"), "{error}");
        }
    }
}
