//! The real kernel and a program in Rust: `examples/rust-freertos` runs, and its recording is compared
//! with the program's own record, event for event of each task.
//!
//! The program notes what its tasks do with the objects it has named. Events of other kinds and of
//! the kernel's own objects are left out here, as are those that hang on time, such as waiting.

mod embassy;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};
use tband_format::Event;
use tband_tests::events::{for_each, print_size};
use tband_tests::{cargo, read, root, run, temp_dir};
use xtask::demo::{Format, to_perfetto};

/// Returns the program, built as its README describes, or with frames.
fn program(format: Format) -> PathBuf {
    let flags = match format {
        Format::Packets => "",
        Format::Frames => "-Dtband_configFORMAT=TBAND_FORMAT_FRAMES",
    };
    let target_dir = root().join("target/test-rust-freertos");
    let kernel = xtask::kernel::path(root()).expect("the kernel");
    run(cargo()
        .args(["build", "--quiet", "--locked", "--manifest-path"])
        .arg(root().join("examples/rust-freertos/Cargo.toml"))
        .arg("--target-dir")
        .arg(&target_dir)
        .env("CFLAGS", flags)
        .env("FREERTOS_KERNEL_PATH", kernel));
    target_dir.join("debug/rust-freertos")
}

/// Names that the recording gives, by number. Task-local markers are of a task.
#[derive(Default)]
struct Names {
    tasks: BTreeMap<u32, String>,
    queues: BTreeMap<u32, String>,
    isrs: BTreeMap<u32, String>,
    evtmarkers: BTreeMap<u32, String>,
    valmarkers: BTreeMap<u32, String>,
    task_evtmarkers: BTreeMap<(u32, u32), String>,
    task_valmarkers: BTreeMap<(u32, u32), String>,
}

impl Names {
    fn of(recording: &[u8]) -> Self {
        let mut names = Self::default();
        for_each(recording, |_, event| {
            match *event {
                Event::TaskName { task_id, name } => names.tasks.insert(task_id, name.to_string()),
                Event::QueueName { queue_id, name } => {
                    names.queues.insert(queue_id, name.to_string())
                }
                Event::IsrName { isr_id, name } => names.isrs.insert(isr_id, name.to_string()),
                Event::EvtmarkerName { evtmarker_id, name } => {
                    names.evtmarkers.insert(evtmarker_id, name.to_string())
                }
                Event::ValmarkerName { valmarker_id, name } => {
                    names.valmarkers.insert(valmarker_id, name.to_string())
                }
                Event::TaskEvtmarkerName { evtmarker_id, task_id, name } => {
                    names.task_evtmarkers.insert((task_id, evtmarker_id), name.to_string())
                }
                Event::TaskValmarkerName { valmarker_id, task_id, name } => {
                    names.task_valmarkers.insert((task_id, valmarker_id), name.to_string())
                }
                _ => None,
            };
        });
        names
    }

    /// Returns the event in the form of the program's notes, if it is of a kind in them.
    fn words(&self, running: u32, event: &Event<'_>) -> Option<String> {
        let about = match *event {
            Event::QueueSend { queue_id, .. } | Event::QueueReceive { queue_id, .. } => {
                self.queues.get(&queue_id)?.clone()
            }
            Event::CurtaskDelay { ticks } => ticks.to_string(),
            Event::TaskCreated { task_id } | Event::TaskDeleted { task_id } => {
                self.tasks[&task_id].clone()
            }
            Event::Evtmarker { evtmarker_id, msg }
            | Event::EvtmarkerBegin { evtmarker_id, msg } => {
                format!("{} {msg}", self.evtmarkers[&evtmarker_id])
            }
            Event::EvtmarkerEnd { evtmarker_id } => self.evtmarkers[&evtmarker_id].clone(),
            Event::Valmarker { valmarker_id, val } => {
                format!("{} {val}", self.valmarkers[&valmarker_id])
            }
            Event::TaskEvtmarker { evtmarker_id, msg }
            | Event::TaskEvtmarkerBegin { evtmarker_id, msg } => {
                format!("{} {msg}", self.task_evtmarkers[&(running, evtmarker_id)])
            }
            Event::TaskEvtmarkerEnd { evtmarker_id } => {
                self.task_evtmarkers[&(running, evtmarker_id)].clone()
            }
            Event::TaskValmarker { valmarker_id, val } => {
                format!("{} {val}", self.task_valmarkers[&(running, valmarker_id)])
            }
            _ => return None,
        };
        Some(format!("{} {about}", event.name()))
    }
}

/// Returns the recording in the form of the program's own record.
fn record_of(recording: &[u8]) -> Value {
    // Tasks and objects of the kernel, or internal ones: the program's notes do not contain them.
    let unnoted = BTreeSet::from(["IDLE", "Tmr Svc", "TmrQ"]);
    let names = Names::of(recording);
    let mut tasks: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut interrupts: BTreeMap<&str, u32> = BTreeMap::new();
    let (mut running, mut nesting, mut bytes_sent) = (0, Vec::new(), 0);
    for_each(recording, |_, event| match *event {
        Event::TaskSwitchedIn { task_id } => running = task_id,
        Event::IsrEnter { isr_id } => {
            *interrupts.entry(&names.isrs[&isr_id]).or_default() += 1;
            nesting.push(isr_id);
        }
        Event::IsrExit { isr_id } => assert_eq!(nesting.pop(), Some(isr_id), "interrupts nest"),
        Event::QueueSendFromIsr { queue_id, .. } => {
            assert_eq!((nesting.len(), &*names.queues[&queue_id]), (2, "line"));
            bytes_sent += 1;
        }
        _ => {
            if let Some(words) = names.words(running, event) {
                let object = words.split_once(' ').map_or("", |(_, object)| object);
                if !unnoted.contains(object) {
                    assert!(nesting.is_empty(), "{words} in an interrupt");
                    let task = names.tasks.get(&running).cloned().unwrap_or_default();
                    tasks.entry(task).or_default().push(words);
                }
            }
        }
    });
    assert!(nesting.is_empty(), "an interrupt has not ended");
    json!({"tasks": tasks, "interrupts": interrupts, "bytes_sent": bytes_sent})
}

/// Fails with the first difference; all of it would be a thousand lines.
fn compare(found: &Value, expected: &Value) {
    for (task, notes) in expected["tasks"].as_object().expect("the program's tasks") {
        let (notes, events) = (notes.as_array(), found["tasks"][task].as_array());
        let (notes, events) = (notes.expect("notes"), events.expect("events of the task"));
        for (at, (note, event)) in notes.iter().zip(events).enumerate() {
            assert_eq!(event, note, "{task:?}, event {at}");
        }
        assert_eq!(events.len(), notes.len(), "{task:?}: number of events");
    }
    assert_eq!(found, expected);
}

#[test]
fn the_recording_matches_the_program() {
    // One after the other: they are built in one place.
    check(Format::Frames);
    check(Format::Packets);
}

fn check(format: Format) {
    let out = temp_dir();
    let (trace, truth) = (out.path().join("trace.bin"), out.path().join("truth.json"));
    run(Command::new(program(format)).arg("--out").arg(&trace).arg("--truth").arg(&truth));
    let recording = std::fs::read(&trace).expect("the program wrote its recording");
    assert_eq!(recording.starts_with(b"\xC1\x1F\xFC\xC1"), format == Format::Packets);
    let truth: Value = serde_json::from_str(&read(&truth)).expect("and its own record, as JSON");

    // The test's own idea of 20 rounds, so that the program cannot agree with itself on nothing.
    let notes = |task: &str| truth["tasks"][task].as_array().map_or(0, Vec::len);
    assert_eq!(notes("producer"), 20 * (6 + 3) + 1);
    assert_eq!(notes("consumer"), 1 + 20 * 6 * 4 + 1);
    assert_eq!(truth["tasks"].as_object().map_or(0, serde_json::Map::len), 20 + 8);

    compare(&record_of(&recording), &truth);
    print_size("rust-freertos", &recording);
    // Fails if there is anything to be found in the recording, as `tband-cli check` does.
    let stats = to_perfetto(&trace, &out.path().join("trace.pftrace")).expect("a whole recording");
    let tasks: Vec<_> = stats.tasks().map(|task| task.name.as_str()).collect();
    assert!(tasks.contains(&"reporter"), "{tasks:?}");
}
