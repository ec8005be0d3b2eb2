//! The meaning of each kind of finding, and the remedy.

mod other;
mod own;

use tband_conv::Summary;
use tband_conv::diagnostics::{Diagnostic, Problem};

/// Meaning and advice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The meaning for the result.
    pub means: &'static str,
    /// The remedy; empty if there is none.
    pub advice: &'static str,
}

/// The recorder that made a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recorder {
    /// tband's: advice names its macros and functions.
    Tband,
    /// Another one.
    Other,
}

impl Recorder {
    /// The recorder of the input in which the first finding of a kind is.
    #[must_use]
    pub fn of(found: &Diagnostic, summary: &Summary) -> Self {
        let is_other = summary.sources.iter().any(|(input, _)| *input == found.place.input);
        if is_other { Self::Other } else { Self::Tband }
    }
}

/// Explains a kind of finding in a recording of this recorder.
#[must_use]
pub const fn explain(problem: Problem, recorder: Recorder) -> Explanation {
    match recorder {
        Recorder::Tband => own::explain(problem),
        Recorder::Other => match other::explain(problem) {
            Some(explanation) => explanation,
            None => own::explain(problem),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_finding_is_explained() {
        for problem in Problem::ALL {
            for recorder in [Recorder::Tband, Recorder::Other] {
                assert!(!explain(*problem, recorder).means.is_empty(), "{problem:?}");
            }
        }
    }

    #[test]
    fn explanations_for_other_recorders_name_nothing_of_this_one() {
        // `tband-cli`, which reads the recording, and its options may be named.
        let names = ["tband_", "TBAND_", "tband's", "tband.h", "traceISR_", "freertos-hooks"];
        for problem in Problem::ALL {
            let Explanation { means, advice } = explain(*problem, Recorder::Other);
            for name in names {
                let found = means.contains(name) || advice.contains(name);
                assert!(!found, "{problem:?}: {means}; {advice}");
            }
        }
    }
}
