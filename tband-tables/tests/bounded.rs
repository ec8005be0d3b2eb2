//! The memory of tables grows with the objects of the target, not with the recording: counted by an allocator.

use std::io;

use tband_conv::{Input, Options};
use tband_format::Event;
use tband_fuzz::{PeakAlloc, peak_of};
use tband_recordings::{frame, str, two_tasks};
use tband_tables::{RecordingInfo, TableSchema, convert_to_tables};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Size of pending groups of rows, and of their encoding.
const BOUND: usize = 100 << 20;

/// Switches, interrupts, levels, values, and texts that differ, so that each table fills groups.
fn recording(turns: u64) -> Vec<u8> {
    let mut recording = two_tasks();
    for turn in 1..=turns {
        let text = format!("turn {turn} of a text that is as long as texts are");
        for (at, event) in [
            (1, Event::TaskSwitchedIn { task_id: 1 + (turn % 2) as u32 }),
            (2, Event::IsrEnter { isr_id: 3 }),
            (3, Event::QueueSendFromIsr { queue_id: 4, len_after: (turn % 9) as u32 }),
            (4, Event::IsrExit { isr_id: 3 }),
            (5, Event::Evtmarker { evtmarker_id: 1, msg: str(&text) }),
            (6, Event::Valmarker { valmarker_id: 1, val: turn.cast_signed() }),
        ] {
            recording.0.extend(frame(100 * turn + at, event));
        }
    }
    recording.0
}

#[test]
fn memory_is_bounded() {
    let [short, long] = [40_000, 120_000].map(recording).map(|bytes| {
        let inputs = [Input::from_bytes("r", &bytes)];
        peak_of(|| {
            let mut create =
                |_: &'static TableSchema| Ok(Some(Box::new(io::sink()) as tband_tables::BoxFile));
            convert_to_tables(&inputs, &Options::default(), &RecordingInfo::default(), &mut create)
                .unwrap();
        })
    });
    println!("{short}, then {long} bytes");
    assert!(long < BOUND, "{long} bytes");
    // The footer of a file has some hundred bytes for each column of a group.
    assert!(long < short + (2 << 20), "{short}, then {long} bytes");
}
