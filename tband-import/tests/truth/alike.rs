//! The same program, recorded by this recorder, SystemView and TraceRecorder: they agree on what the tasks do, but for what each
//! recorder costs.

use std::collections::BTreeMap;

use tband_conv::events::EventReader;
use tband_conv::item::{Item, Mode};
use tband_format::Event;

use crate::support::recording;

/// The part of each recording that is compared, from its first switch on: all have it. In counts of the 25 MHz counter.
const WINDOW: u64 = 170 * 25_000;
/// Tasks that run by time, so that the cost of a recorder does not change how often.
const PERIODIC: [&str; 4] = ["Sensor", "SemIsr", "Tmr Svc", "Producer"];
/// The recordings.
const NAMES: [&str; 3] =
    ["tband/packets.bin", "systemview/default.bin", "percepio/4.11-stream.psf"];

/// What a recording has.
#[derive(Debug, Default)]
struct Figures {
    /// Of each task how often it is switched in, and how long it runs, in counts, without interrupts.
    tasks: BTreeMap<String, (u64, u64)>,
}

fn figures(name: &str) -> Figures {
    let bytes = recording(name);
    let mut events = EventReader::new(&*bytes, 0, Mode::FreeRtos);
    let mut figures = Figures::default();
    let (mut names, mut tasks) = (BTreeMap::new(), BTreeMap::<u32, (u64, u64)>::new());
    let (mut first, mut running, mut open, mut since) = (None, None, 0_u32, 0);
    while let Some(Item { event, .. }) = events.next_item().unwrap() {
        let event = event.unwrap();
        if let Event::TaskName { task_id, name } = event.event {
            names.insert(task_id, String::from_utf8_lossy(name.0).into_owned());
        }
        let Some(ts) = event.ts.filter(|ts| *ts > 0) else { continue };
        let now = ts.min(first.map_or(ts, |first| first + WINDOW));
        let is_in = first.is_none_or(|first| ts <= first + WINDOW);
        let own = if open == 0 { now.saturating_sub(since) } else { 0 };
        match event.event {
            Event::TaskSwitchedIn { task_id } => {
                first = first.or(Some(ts));
                if let Some((_, run)) = running.and_then(|it| tasks.get_mut(&it)) {
                    *run += own;
                }
                // A task may give way to itself.
                if is_in && running != Some(task_id) {
                    tasks.entry(task_id).or_default().0 += 1;
                }
                running = Some(task_id);
            }
            Event::IsrEnter { .. } => {
                if let Some((_, run)) = running.and_then(|it| tasks.get_mut(&it)) {
                    *run += own;
                }
                open += 1;
            }
            Event::IsrExit { .. } | Event::IsrExitToScheduler { .. } => {
                open = open.saturating_sub(1);
            }
            _ => continue,
        }
        since = now;
    }
    for (task, (switches, run)) in tasks {
        let name = names.get(&task).cloned().unwrap_or_else(|| format!("{task:#x}"));
        let entry = figures.tasks.entry(name).or_default();
        *entry = (entry.0 + switches, entry.1 + run);
    }
    figures
}

/// The limits of each task are 10 % of its switches and 4 more, and 25 % of its CPU time and 1 ms more, between this recorder and
/// TraceRecorder. SystemView records all calls of the kernel, as in its sample. The calls take so much time that other tasks run
/// less often, so only tasks that run by time are compared: they run as often, and longer.
#[test]
fn three_recorders_agree_on_one_program() {
    let all = NAMES.map(figures);
    let [ours, systemview, tracerecorder] = &all;
    for (name, (switches, run)) in &ours.tasks {
        let (other_switches, other_run) = tracerecorder.tasks[name];
        let most = switches / 10 + 4;
        assert!(switches.abs_diff(other_switches) <= most, "{name}: {switches} {other_switches}");
        let most = run / 4 + 25_000;
        assert!(run.abs_diff(other_run) <= most, "{name}: {run} {other_run}");
    }
    for name in PERIODIC {
        let ((switches, run), (other, other_run)) = (ours.tasks[name], systemview.tasks[name]);
        assert!(switches.abs_diff(other) <= 2, "{name}: {switches} {other}");
        assert!(other_run > run, "{name}: {run} {other_run}");
    }
}
