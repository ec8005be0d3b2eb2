//! Markers are distinguished by whose they are and by their number, whatever number that is.

use std::collections::BTreeSet;

use tband_conv::{Input, Options};
use tband_format::Event::*;
use tband_recordings::{str, timeline_of, two_tasks};

/// Numbers around the end of the direct entries of a table, and where such entries would collide.
const NUMBERS: [u32; 12] = [0, 1, 6, 63, 64, 65, 70, 127, 128, 134, 192, 198];

#[test]
fn a_task_s_marker_and_a_global_one_of_any_number_are_two() {
    let mut recording = two_tasks();
    let mut names = BTreeSet::new();
    for number in NUMBERS {
        let global = format!("all.{number}");
        let first = format!("a.{number}");
        let second = format!("b.{number}");
        recording = recording
            .meta(EvtmarkerName { evtmarker_id: number, name: str(&global) })
            .meta(TaskEvtmarkerName { evtmarker_id: number, task_id: 1, name: str(&first) })
            .meta(TaskEvtmarkerName { evtmarker_id: number, task_id: 2, name: str(&second) });
        names.extend([global, first, second]);
    }
    let mut ts = 0;
    for task_id in [1, 2] {
        ts += 1;
        recording = recording.at(ts, TaskSwitchedIn { task_id });
        for number in NUMBERS {
            ts += 1;
            recording = recording
                .at(ts, Evtmarker { evtmarker_id: number, msg: str("m") })
                .at(ts, TaskEvtmarker { evtmarker_id: number, msg: str("m") });
        }
    }
    let inputs = [Input::from_bytes("r", &recording.0)];
    let (text, _) = timeline_of(&inputs, &Options::default());
    let shown: BTreeSet<String> = text
        .split_whitespace()
        .map(|word| word.trim_end_matches(':').to_owned())
        .filter(|word| names.contains(word))
        .collect();
    assert_eq!(shown, names, "\n{text}");
    for name in names {
        let times = if name.starts_with("all") { 2 } else { 1 };
        let found = text.split_whitespace().filter(|word| word.trim_end_matches(':') == name);
        assert_eq!(found.count(), times, "{name}\n{text}");
    }
}
