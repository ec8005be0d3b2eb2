//! Recordings of a set-up, and their findings.

use tband_conv::diagnostics::{Diagnostics, Problem, Severity};
use tband_conv::{Input, Options};
use tband_format::Event::{self, *};

use crate::converted::timeline_of;
use crate::{Recording, str};

/// Returns a recording's information about itself, with this tick rate; of bare metal without.
#[must_use]
pub fn info(tick_rate_hz: Option<u32>) -> Event<'static> {
    let kernel_version = tick_rate_hz.map(|_| 110_200);
    TraceInfo { format_version: 1, core_count: 1, flags: 1, kernel_version, tick_rate_hz }
}

/// The usual frequency.
pub const MHZ: u64 = 1_000_000;

/// Returns a recording that reports this frequency, and a tick of the kernel of 1 ms. Task 1 runs.
#[must_use]
pub fn start(hz: u64) -> Recording {
    begin(info(Some(1000)), hz).at(1, TaskSwitchedIn { task_id: 1 })
}

/// A recording that begins with this, of a timer of this frequency: task 1, and 2, which is the idle task.
#[must_use]
pub fn begin(info: Event<'_>, hz: u64) -> Recording {
    Recording::default()
        .meta(TaskName { task_id: 1, name: str("a") })
        .meta(TaskName { task_id: 2, name: str("IDLE") })
        .meta(TaskIsIdleTask { task_id: 2, core_id: 0 })
        .meta(info)
        .at(0, TsFrequency { numerator: hz, denominator: 1 })
}

/// Returns its findings.
#[must_use]
pub fn found(recording: &Recording) -> Diagnostics {
    timeline_of(&[Input::from_bytes("r", &recording.0)], &Options::default()).1.diagnostics
}

/// It has this finding, whose text has these words.
#[track_caller]
pub fn assert_finding_text(recording: &Recording, problem: Problem, text: &str) {
    let found = found(recording);
    let entry = found.get(problem).unwrap_or_else(|| panic!("no {problem:?}: {found:?}"));
    assert!(entry.text.contains(text), "no “{text}” in {}", entry.text);
    assert!(!found.is_clean());
}

/// Nothing is lost or damaged, apart from names and the frequency of the timer, which recordings in tests often lack.
#[must_use]
pub fn is_sound(found: &Diagnostics) -> bool {
    let of_metadata = [Problem::NoMetadata, Problem::NoResolution];
    let mut worse = found.iter().filter(|it| it.problem.severity() > Severity::Note);
    worse.all(|it| of_metadata.contains(&it.problem))
}

/// As [`is_sound`].
#[track_caller]
pub fn assert_sound(recording: &Recording) {
    let found = found(recording);
    assert!(is_sound(&found), "{found:?}");
}
