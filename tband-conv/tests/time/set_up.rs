//! Values of zero; the cases test evidence of a wrong setup.

use tband_conv::{Input, Options};
use tband_format::Event::*;
use tband_recordings::{Recording, timeline_of};

/// Versions and rates that are 0 are not known, and are not reported.
#[test]
fn a_value_of_zero_is_unknown() {
    let zero = TraceInfo {
        format_version: 1,
        core_count: 1,
        flags: 1,
        kernel_version: Some(0),
        tick_rate_hz: Some(0),
    };
    let recording = Recording::default()
        .meta(TsResolutionNs { ns_per_ts: 1000 })
        .meta(zero)
        .at(1, TaskSwitchedIn { task_id: 1 });
    let inputs = [Input::from_bytes("r", &recording.0)];
    let (_, summary) = timeline_of(&inputs, &Options::default());
    let info = summary.trace_info.unwrap();
    assert_eq!((info.kernel_version, info.tick_rate_hz), (None, None));
}
