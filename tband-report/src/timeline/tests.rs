//! Tests the limits of a timeline.

use tband_conv::{Input, Options, convert};
use tband_format::Event;
use tband_recordings::Recording;

use super::{FINEST, OmittedItems, ReportTimeline};

/// Returns a recording with a switch to another task every 1000 ns, and an interrupt in each.
fn recording(switches: u64) -> Recording {
    let mut recording = Recording::default();
    for turn in 0..switches {
        let (at, task_id) = (1_000 * turn, 1 + (turn % 3) as u32);
        recording = recording
            .at(at, Event::TaskSwitchedIn { task_id })
            .at(at + 300, Event::IsrEnter { isr_id: 1 })
            .at(at + 310, Event::IsrExit { isr_id: 1 });
    }
    recording
}

fn left_out(recording: &Recording, max: usize) -> OmittedItems {
    let mut picture = ReportTimeline::with_at_most(max);
    convert(&[Input::from_bytes("a", &recording.0)], &Options::default(), &mut picture).unwrap();
    picture.left_out()
}

#[test]
fn neighbours_become_one_only_as_far_as_they_have_to() {
    const MAX: usize = 600;
    for times in [1, 3, 10, 30, 100] {
        let switches = MAX as u64 * times;
        let left_out = left_out(&recording(switches), MAX);
        let length = 1_000 * switches as i64;
        // Three tasks, a core and its interrupts, each an aggregate at a time, which counts as two.
        let ideal = length / (MAX as i64 / (2 * 5));
        let all = left_out.kept + 2 * left_out.aggregates;
        assert!(left_out.below_ns <= 4 * ideal.max(FINEST), "{times}: {left_out:?}, ideal {ideal}");
        assert!(all >= MAX as u64 / 4, "{times}: {left_out:?}");
        assert!(all <= MAX as u64 + 10, "{times}: {left_out:?}");
    }
}

#[test]
fn keeps_a_timeline_that_fits() {
    let recording = recording(100);
    let all = left_out(&recording, usize::MAX);
    assert_eq!(left_out(&recording, all.kept as usize), all);
    assert_eq!((all.aggregates, all.below_ns), (0, 0));
    let fewer = left_out(&recording, all.kept as usize - 10);
    assert!(fewer.aggregates > 0 && fewer.kept + fewer.aggregated == all.kept, "{fewer:?}");
}
