//! The real kernel, recorded: `examples/posix-freertos` runs, and what its recording says is compared
//! with the program's own record of what it did, count for count.
//!
//! The recording is counted here straight from its frames, so that neither the recorder nor the
//! converter's timeline can hide a mistake of the other.

mod counts;
#[path = "../../tband-conv/tests/support/mod.rs"]
mod support;

use std::fs;
use std::path::PathBuf;

use counts::{compare, counts_of};
use serde_json::Value;
use tband_conv::{Input, Options};
use tempfile::TempDir;
use xtask::demo::{Backend, Recorded, record};
use xtask::workspace_root;

fn run(backend: Backend) -> (Recorded, TempDir) {
    let root = workspace_root();
    let out = TempDir::new().expect("a temporary folder");
    let build: PathBuf = root.join("target/test-posix").join(backend.name());
    let recorded = record(&root, &build, out.path(), backend).unwrap_or_else(|e| panic!("{e:#}"));
    (recorded, out)
}

/// What Perfetto's own engine makes of the recording: no complaint, run times to the nanosecond and
/// queue levels as in the timeline, and every task a thread.
fn check_in_perfetto(name: &str, recording: &[u8], truth: &Value) {
    let Some(engine) = support::Engine::find() else { return };
    let inputs = [Input::from_bytes(name, recording)];
    let threads = ("thread", "name", "from thread where name is not null");
    let rows = support::agrees::check(&engine, name, &inputs, &Options::default(), &[threads]);
    for task in truth["tasks"].as_array().expect("the program lists its tasks") {
        let is_thread = rows.iter().any(|(tag, row)| tag == "thread" && task["name"] == *row);
        assert!(is_thread, "{} is no thread in Perfetto", task["name"]);
    }
}

fn check(backend: Backend) {
    let (recorded, _out) = run(backend);
    let bytes = fs::read(&recorded.trace).expect("the program wrote its recording");
    let truth = fs::read(&recorded.truth).expect("and its own record");
    let truth: Value = serde_json::from_slice(&truth).expect("which is JSON");
    assert_eq!(truth["refused_frames"], 0);

    let counted = counts_of(&bytes);
    for what in ["tasks", "queues", "isrs", "evtmarkers", "valmarkers"] {
        compare(what, &truth, &counted);
    }
    for what in ["inheritances", "disinheritances"] {
        assert_eq!(counted[what], truth[what], "{what}");
        assert_ne!(counted[what], 0, "{what}: the program provokes them");
    }
    assert_eq!(counted["dropped"], 0);
    // Idle and timer task are known without any call by the program.
    assert_eq!(counted["idle_tasks"], serde_json::json!(["IDLE"]));
    assert_eq!(counted["timer_tasks"], serde_json::json!(["Tmr Svc"]));
    assert_eq!(counted["kernel_version"], 110_200);
    assert_eq!(counted["tick_rate_hz"], 1000);
    check_in_perfetto(backend.name(), &bytes, &truth);
    println!(
        "{}: {} events in {} bytes, {:.2} bytes an event",
        backend.name(),
        counted["events"],
        bytes.len(),
        bytes.len() as f64 / counted["events"].as_f64().unwrap_or(f64::NAN)
    );
}

#[test]
fn streaming_says_what_the_program_did() {
    check(Backend::Streaming);
}

#[test]
fn a_snapshot_says_what_the_program_did() {
    check(Backend::Snapshot);
}
