//! The memory of a report is bounded by its limits, not by the recording: counted by an allocator.

use tband_conv::load::Owners;
use tband_conv::model::Flows;
use tband_conv::{Input, Options};
use tband_format::Event;
use tband_fuzz::{PeakAlloc, peak_of};
use tband_recordings::{frame, str};
use tband_report::load::Areas;
use tband_report::page::{PageRecording, report};
use tband_report::stats::{Measurement, measure_with};
use tband_report::timeline::ReportTimeline;
use tband_report::why::Overview;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Maximum bytes per task while the page is written: about 6.7 kB, because its name, of 400 bytes, is in several tables.
const A_TASK: usize = 7_000;

/// Returns the facts about a recording, and their peak memory in bytes.
fn known(bytes: &[u8]) -> (Measurement, ((ReportTimeline, Overview), Areas), usize) {
    let inputs = [Input::from_bytes("a", bytes)];
    let mut options = Options::default();
    options.flows = Flows::All;
    let mut sinks =
        ((ReportTimeline::default(), Overview::default()), Owners::new(Areas::default()));
    let mut measured = None;
    let peak = peak_of(|| {
        measured = Some(measure_with(&inputs, &options, &mut sinks).unwrap());
    });
    (measured.unwrap(), (sinks.0, sinks.1.into_inner()), peak)
}

/// As many tasks as that with long names, each of which runs once.
fn tasks(count: u32) -> Vec<u8> {
    tasks_of(count, 400)
}

/// Returns the same with shorter names.
fn tasks_of(count: u32, name_len: usize) -> Vec<u8> {
    let long = "n".repeat(name_len);
    (0..count)
        .flat_map(|task_id| {
            let name = format!("{task_id}{long}");
            let mut bytes = frame(0, Event::TaskName { task_id, name: str(&name) });
            bytes.extend(frame(u64::from(task_id) * 1000, Event::TaskSwitchedIn { task_id }));
            bytes
        })
        .collect()
}

/// As many tasks as that, which wait for each other's queues and run a few times.
fn queues(count: u32) -> Vec<u8> {
    (1..=count)
        .flat_map(|queue_id| {
            let at = u64::from(queue_id) * 1000;
            let block = Event::CurtaskBlockOnQueueReceive { queue_id, ticks_to_wait: 5 };
            let events = [
                (0, Event::TaskSwitchedIn { task_id: 1 }),
                (10, Event::QueueSend { queue_id, len_after: 1 }),
                (20, Event::QueueReceive { queue_id, len_after: 0 }),
                (30, block),
                (40, Event::TaskSwitchedIn { task_id: 2 }),
                (50, Event::QueueSend { queue_id, len_after: 1 }),
                (60, Event::TaskToRdyState { task_id: 1 }),
                (70, Event::TaskSwitchedIn { task_id: 1 }),
                (80, Event::QueueReceive { queue_id, len_after: 0 }),
            ];
            events.into_iter().flat_map(move |(after, event)| frame(at + after, event))
        })
        .collect()
}

/// As many markers as that, each of which spans twice.
fn spans(count: u32) -> Vec<u8> {
    (0..count)
        .flat_map(|evtmarker_id| {
            let at = u64::from(evtmarker_id) * 1000;
            let begin = Event::EvtmarkerBegin { evtmarker_id, msg: str("m") };
            let end = Event::EvtmarkerEnd { evtmarker_id };
            let events = [(0, begin), (10, end), (20, begin), (900, end)];
            events.into_iter().flat_map(move |(after, event)| frame(at + after, event))
        })
        .collect()
}

/// Returns a recording of this many interrupts, each of which comes twice.
fn interrupts(count: u32) -> Vec<u8> {
    (0..count)
        .flat_map(|isr_id| {
            let at = u64::from(isr_id) * 1000;
            let (enter, exit) = (Event::IsrEnter { isr_id }, Event::IsrExit { isr_id });
            let events = [(0, enter), (10, exit), (20, enter), (900, exit)];
            events.into_iter().flat_map(move |(after, event)| frame(at + after, event))
        })
        .collect()
}

/// Returns as many markers as that, each with a different text.
fn texts(count: u32) -> Vec<u8> {
    let long = "n".repeat(400);
    (0..count)
        .flat_map(|turn| {
            let msg = format!("{turn}{long}");
            frame(u64::from(turn), Event::Evtmarker { evtmarker_id: 0, msg: str(&msg) })
        })
        .collect()
}

// One test, because the counts are those of the complete process.
#[test]
fn memory_is_bounded() {
    // The page is written as it is generated: in addition to the facts it takes the cells of one table, in HTML.
    let page = |count| {
        let (measured, ((picture, activations), load), _) = known(&tasks(count));
        peak_of(|| {
            report(
                &[PageRecording {
                    measured: &measured,
                    picture: &picture,
                    activations: &activations,
                    load: &load,
                    cores: None,
                }],
                None,
                std::io::sink(),
            )
            .unwrap()
        })
    };
    let (few, many) = (page(100), page(1_000));
    assert!(many < few + 900 * A_TASK, "page: {few}, then {many} bytes");

    // Numbers, tables and timeline of each object with little activity. There are at most 65 536 of a kind.
    let each = |bytes: &dyn Fn(u32) -> Vec<u8>| {
        let [few, many] = [100, 1_000].map(|count| known(&bytes(count)).2);
        many.saturating_sub(few) / 900
    };
    // A ready task has an activation, with up to 256 reasons why it does not run.
    for (what, most, bytes) in [
        ("task with a long name", 9_000, each(&tasks)),
        ("task", 7_000, each(&|count| tasks_of(count, 20))),
        ("queue", 3_600, each(&queues)),
        ("marker", 1_700, each(&spans)),
        ("interrupt", 3_600, each(&interrupts)),
    ] {
        assert!(bytes < most, "a {what}: {bytes} bytes, of {most}");
    }

    // Texts that are distinguished have a limit together.
    let picture = |count| {
        let (_, (picture, _), peak) = known(&texts(count));
        (peak, picture.0.left_out().textless)
    };
    let ((some, all_reported), (more, further)) = (picture(18_000), picture(36_000));
    assert_eq!(all_reported, 0);
    assert!(further > 10_000, "{further} have no text");
    assert!(more < some + (8 << 20), "texts: {some}, then {more} bytes");
}
