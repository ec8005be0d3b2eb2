//! The state after lost and damaged events: unknown, until an event reports it again.

use proptest::prelude::*;
use tband_conv::{Input, Options};
use tband_format::Event::*;
use tband_format::registry::EVENTS;
use tband_recordings::random::{Step, config, steps, stream};
use tband_recordings::{Recording, timeline_of};

/// Right after a gap a task gets the core when the last one has left it, which is one nanosecond after it came. A count that
/// falls is a restart of all cores, also of a file that has reported nothing yet: its later report is another restart.
#[test]
fn counts_that_fall_are_restarts_in_one_file_and_in_several() {
    let falls = |it: Recording, ts: u64| {
        it.at(ts, DroppedEvtCnt { cnt: 3 }).at(ts, DroppedEvtCnt { cnt: 0 })
    };
    let of_0 = falls(Recording::default(), 0).at(0, TaskSwitchedIn { task_id: 1 });
    let of_1 = falls(Recording::default(), 20);
    let switch = Recording::default().at(20, CoreId { core_id: 1 }).0;
    let together = [&of_0.0[..], &switch, &of_1.0].concat();
    let deleted = |inputs: &[Input<'_>]| {
        let (text, _) = timeline_of(inputs, &Options::default());
        text.matches("task 1: unknown -> deleted").count()
    };
    assert_eq!(deleted(&[Input::from_bytes("r", &together)]), 1);
    let apart = [Input::from_bytes("0", &of_0.0), Input::from_bytes("1", &of_1.0).on_core(1)];
    assert_eq!(deleted(&apart), 1);
}

/// Returns the reports after a loss: the lines, without facts that are never forgotten.
fn after_the_loss(recording: &[u8]) -> Vec<String> {
    let (text, _) = timeline_of(&[Input::from_bytes("r", recording)], &Options::default());
    let mut lines = text.lines().skip_while(|line| !line.contains("1000000 events lost"));
    assert!(lines.next().is_some());
    // Which objects there are, and were, how much of the heap was in use at the start, and how long texts are at most.
    let stays = |line: &&str| {
        line.ends_with(": appears")
            || line.ends_with("unknown -> deleted")
            || line.contains("heap")
            || line.contains("name that seems to be cut off")
    };
    // Offsets differ.
    let reported = |line: &str| line.split(" @").next().unwrap_or_default().to_owned();
    lines.filter(|line| !stays(line)).map(reported).collect()
}

proptest! {
    #![proptest_config(config(64))]

    /// Whatever comes before a gap, the events after it are reported as if the recording had begun there.
    #[test]
    fn after_a_gap_all_is_as_at_the_start(before in steps(2), after in steps(2)) {
        // The learnt clock stays.
        let left_out = ["dropped_evt_cnt", "ts_frequency"];
        let plain = |step: &Step| {
            let id = step.payload[0];
            EVENTS.iter().any(|it| it.id == id && !it.metadata && !left_out.contains(&it.name))
        };
        let keep = |steps: Vec<Step>| -> Vec<Step> { steps.into_iter().filter(plain).collect() };
        let (mut before, after) = (keep(before), keep(after));
        // That a timer reloads automatically does not change.
        let timer = ["timer_created", "timer_expired"];
        let is_timer = |id: u8| EVENTS.iter().any(|it| it.id == id && timer.contains(&it.name));
        before.retain(|step| !is_timer(step.payload[0]));
        let loss = |ts| Recording::default().at(ts, CoreId { core_id: 0 }).at(ts, DroppedEvtCnt { cnt: 1_000_000 });
        let end = before.last().map_or(0, |step| step.ts) + 1000;
        let later: Vec<_> = after.iter().map(|step| step.later(end)).collect();
        let head = stream(&[], 10);
        let tail = stream(&later, 10).split_off(head.len());
        let fresh = Recording(head).raw(&loss(end).0).raw(&tail);
        let gap = Recording(stream(&before, 10)).raw(&loss(end).0).raw(&tail);
        prop_assert_eq!(after_the_loss(&gap.0), after_the_loss(&fresh.0));
    }
}
