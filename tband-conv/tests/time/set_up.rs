//! Counts of lost events that contradict the events, and values of zero; the cases test other evidence of a wrong setup.

use tband_conv::diagnostics::{Problem, Severity};
use tband_conv::{Input, Options};
use tband_format::Event::*;
use tband_recordings::set_up::{assert_finding_text, found, info};
use tband_recordings::{Recording, timeline_of};

#[test]
fn an_answer_the_wrong_way_round() {
    let mut reversed = Recording::default()
        .meta(info(None))
        .at(1, DroppedEvtCnt { cnt: 5 })
        .at(1, Valmarker { valmarker_id: 1, val: 1 });
    for n in 0..200 {
        reversed = reversed.at(n * 10 + 9, DroppedEvtCnt { cnt: n as u32 + 6 });
    }
    assert_finding_text(&reversed, Problem::DropsReversed, "each of them arrived");
    // A transport with a tenth of the required rate: counts arrive, and events after them do not.
    let mut slow = Recording::default().meta(info(None));
    for n in 1..200 {
        slow = slow.at(n * 1000, DroppedEvtCnt { cnt: n as u32 * 9 });
    }
    let found = found(&slow);
    assert_eq!(found.count(Problem::DropsReversed), 0);
    assert_eq!(found.worst(), Some(Severity::Loss));
}

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
