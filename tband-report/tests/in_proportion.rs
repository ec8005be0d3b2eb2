//! A report stays in proportion to its recording, whatever is wrong with it and however many objects it names.

use tband_conv::load::Owners;
use tband_conv::model::Flows;
use tband_conv::{Input, Options};
use tband_format::Event::{self, *};
use tband_recordings::{repeated, str, two_tasks};
use tband_report::load::Areas;
use tband_report::page::{PageRecording, SCRIPTS, STYLE, report};
use tband_report::stats::{csv, json, measure, measure_with};
use tband_report::timeline::ReportTimeline;
use tband_report::why::Overview;

const EVENTS: u64 = 20_000;

fn size(bytes: &[u8]) -> usize {
    let inputs = [Input::from_bytes("a", bytes)];
    let mut options = Options::default();
    options.flows = Flows::All;
    let mut sinks =
        ((ReportTimeline::default(), Overview::default()), Owners::new(Areas::default()));
    let measured = measure_with(&inputs, &options, &mut sinks).unwrap();
    let ((picture, activations), load) = sinks;
    let load = load.into_inner();
    let mut page = Vec::new();
    let (measured, picture, activations, load) = (&measured, &picture, &activations, &load);
    report(&[PageRecording { measured, picture, activations, load, cores: None }], None, &mut page)
        .unwrap();
    page.len()
}

fn recording(event: impl Fn(u64) -> (u64, Event<'static>)) -> Vec<u8> {
    repeated(EVENTS, event)
}

fn switch(n: u64) -> Event<'static> {
    TaskSwitchedIn { task_id: 1 + (n % 2) as u32 }
}

/// Size of tables for every recording, the first findings of each kind, and the first rows of each table.
const TABLES: usize = 115_000;

#[test]
fn no_recording_makes_a_report_out_of_proportion() {
    let id = |n: u64| 10 + n as u32;
    let page = STYLE.len() + SCRIPTS.iter().map(|it| it.len()).sum::<usize>() + TABLES;
    for (what, bytes, times) in [
        ("time steps back", recording(|n| (10_000_000 - 100 * n, switch(n))), 2),
        ("exits without enter", recording(|n| (100 * n, IsrExit { isr_id: 1 + n as u32 })), 2),
        ("yields", recording(|n| (100 * n, IsrExitToScheduler { isr_id: 1 })), 2),
        ("lost", recording(|n| (100 * n, DroppedEvtCnt { cnt: n as u32 + 1 })), 2),
        // Each has a row in several tables, and one of the timeline.
        ("tasks", recording(|n| (100 * n, TaskSwitchedIn { task_id: id(n) })), 16),
        ("names", recording(|n| (100 * n, TaskName { task_id: id(n), name: str("x") })), 3),
        ("queues", recording(|n| (100 * n, QueueSend { queue_id: id(n), len_after: 1 })), 5),
    ] {
        let (size, len) = (size(&bytes), bytes.len());
        assert!(size <= times * len + page, "{what}: {size} bytes of {len}");
    }
}

/// Tables for programs have a bounded number of rows, and contain the number of others.
#[test]
fn numbers_of_many_tasks_are_bounded_and_say_so() {
    let name = |n: u64| TaskName { task_id: 10 + n as u32, name: str("x") };
    let create = |n: u64| TaskCreated { task_id: 10 + n as u32 };
    let bytes = recording(|n| match n % 2 {
        0 => (100 * n, create(n / 2)),
        _ => (0, name(n / 2)),
    });
    let inputs = [Input::from_bytes("a", &bytes)];
    let tables = measure(&inputs, &Options::default()).unwrap().tables;
    let rows = |text: &str| {
        let json: serde_json::Value = serde_json::from_str(text).unwrap();
        let left_out = json.get("rows_left_out").cloned().unwrap_or_default();
        (json["tasks"].as_array().unwrap().len() as u64, left_out)
    };
    let short = json(&tables, false).unwrap();
    let (shown, left_out) = rows(&short);
    let (all, nothing) = rows(&json(&tables, true).unwrap());
    assert_eq!((shown, nothing.is_null()), (1000, true));
    assert_eq!(left_out["tasks"], all - shown);
    assert!(all > EVENTS / 2 && left_out["remedy"].as_str().unwrap().contains("--all"));
    assert!(short.len() < 3_000_000, "{}", short.len());
    let short = csv(&tables, false).unwrap();
    assert!(short.contains(&format!("rows_left_out,0,tasks,rows,{}\n", all - shown)));
    assert!(!csv(&tables, true).unwrap().contains("rows_left_out"));
    // The tables of an ordinary recording are there.
    let ordinary = measure(&[Input::from_bytes("a", &two_tasks().0)], &Options::default()).unwrap();
    assert_eq!(json(&ordinary.tables, false).unwrap(), json(&ordinary.tables, true).unwrap());
}
