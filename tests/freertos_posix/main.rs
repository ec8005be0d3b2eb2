//! The real kernel: `examples/posix-freertos` runs, and its recording is compared with the program's own counts, one by one.
//!
//! The recording is counted here directly from its frames, so that neither the recorder nor the converter's timeline can hide a
//! mistake of the other.

mod commands;
mod coroutines;
mod entries;
mod living;
mod pipeline;

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use tband_conv::{Input, Options};
use tband_tests::archive;
use tband_tests::counts::{compare_application, counts_of};
use tband_tests::events::print_size;
use tempfile::TempDir;
use xtask::demo::{Backend, ExampleRun, Format, record};
use xtask::workspace_root;

fn name((backend, format): (Backend, Format)) -> String {
    format!("{}-{}", backend.name(), format.name())
}

fn run(how: (Backend, Format)) -> (ExampleRun, TempDir) {
    let root = workspace_root();
    let out = TempDir::new().expect("a temporary folder");
    let build: PathBuf = root.join("target/test-posix").join(name(how));
    let recorded =
        record(&root, &build, out.path(), how, archive()).unwrap_or_else(|e| panic!("{e:#}"));
    (recorded, out)
}

/// What Perfetto's own engine makes of the recording: no complaint, run times to the nanosecond and
/// queue levels as in the timeline, and every task a thread.
fn check_in_perfetto(name: &str, recording: &[u8], truth: &Value) {
    let Some(engine) = tband_recordings::Engine::find() else { return };
    let inputs = [Input::from_bytes(name, recording)];
    let threads = ("thread", "name", "from thread where name is not null");
    let rows =
        tband_recordings::agrees::check(&engine, name, &inputs, &Options::default(), &[threads]);
    for task in truth["tasks"].as_array().expect("the program lists its tasks") {
        let is_thread = rows.iter().any(|(tag, row)| tag == "thread" && task["name"] == *row);
        assert!(is_thread, "{} is not a thread in Perfetto", task["name"]);
    }
}

fn check(backend: Backend, format: Format) {
    let how = (backend, format);
    let (recorded, _out) = run(how);
    let bytes = fs::read(&recorded.trace).expect("the program wrote its recording");
    let truth = fs::read(&recorded.truth).expect("and its own record");
    let truth: Value = serde_json::from_slice(&truth).expect("which is JSON");
    let counted = counts_of(&bytes);
    compare_application(&truth, &counted);
    assert_eq!(bytes.starts_with(b"\xC1\x1F\xFC\xC1"), format == Format::Packets);
    check_in_perfetto(&name(how), &bytes, &truth);
    print_size(&name(how), &bytes);
}

#[test]
fn a_stream_matches_the_program() {
    check(Backend::Streaming, Format::Packets);
}

#[test]
fn a_snapshot_matches_the_program() {
    check(Backend::Snapshot, Format::Packets);
}

#[test]
fn frames_say_what_the_program_did() {
    check(Backend::Streaming, Format::Frames);
    check(Backend::Snapshot, Format::Frames);
}
