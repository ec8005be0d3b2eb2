//! The memory of a report is bounded by its limits, not by the recording: counted by an allocator.

use tband_conv::{Input, Options};
use tband_format::Event;
use tband_fuzz::{PeakAlloc, peak_of};
use tband_recordings::{frame, str};
use tband_report::stats::{Measured, measure_with};
use tband_report::{Picture, report};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Bytes that each task may take while the page is written: some 6.7 kB, of which its name, of 400, is in several tables.
const A_TASK: usize = 7_000;

/// What is known of a recording, and bytes that this takes at most.
fn known(bytes: &[u8]) -> (Measured, Picture, usize) {
    let inputs = [Input::from_bytes("a", bytes)];
    let mut picture = Picture::default();
    let mut measured = None;
    let peak = peak_of(|| {
        measured = Some(measure_with(&inputs, &Options::default(), &mut picture).unwrap());
    });
    (measured.unwrap(), picture, peak)
}

/// As many tasks as that, each of which runs once.
fn tasks(count: u32) -> Vec<u8> {
    let long = "n".repeat(400);
    (0..count)
        .flat_map(|task_id| {
            let name = format!("{task_id}{long}");
            let mut bytes = frame(0, Event::TaskName { task_id, name: str(&name) });
            bytes.extend(frame(u64::from(task_id) * 1000, Event::TaskSwitchedIn { task_id }));
            bytes
        })
        .collect()
}

/// As many markers as that, each with a text of its own.
fn texts(count: u32) -> Vec<u8> {
    let long = "n".repeat(400);
    (0..count)
        .flat_map(|turn| {
            let msg = format!("{turn}{long}");
            frame(u64::from(turn), Event::Evtmarker { evtmarker_id: 0, msg: str(&msg) })
        })
        .collect()
}

// One test, since the counts are those of the whole process.
#[test]
fn memory_is_bounded() {
    // The page is written as it is made: beside what is known it takes the cells of one table, as they are in HTML.
    let page = |count| {
        let (measured, picture, _) = known(&tasks(count));
        peak_of(|| report(&measured, &picture, None, std::io::sink()).unwrap())
    };
    let (few, many) = (page(100), page(1_000));
    assert!(many < few + 900 * A_TASK, "page: {few}, then {many} bytes");

    // Texts that are distinguished have a limit together.
    let picture = |count| {
        let (_, picture, peak) = known(&texts(count));
        (peak, picture.left_out().textless)
    };
    let ((some, all_reported), (more, further)) = (picture(18_000), picture(36_000));
    assert_eq!(all_reported, 0);
    assert!(further > 10_000, "{further} have no text");
    assert!(more < some + (8 << 20), "texts: {some}, then {more} bytes");
}
