//! Every entry point in each context, on kernel ports that protect memory: with privileges nothing disturbs the recorder, and
//! without all of them are refused, counted and harmless.

use std::collections::BTreeSet;
use std::fs;

use tband_tests::entries::{called, of_headers};
use tband_tests::events::lines;
use tband_tests::read;

use crate::{Core, M4, M33};

/// Contexts of `tests/entries/board/main.c`. Only the older wrappers let a task without privileges suspend the scheduler.
fn contexts(wrappers: u32) -> usize {
    if wrappers == 1 { 8 } else { 7 }
}

/// The names that were called.
fn in_each_context(core: &Core, wrappers: u32, backend: &str, format: &str) -> BTreeSet<String> {
    let settings = [format!("TBAND_BACKEND={backend}"), format!("TBAND_FORMAT={format}")];
    let settings: Vec<_> = settings.iter().map(String::as_str).collect();
    let is_streaming = backend == "STREAMING";
    let out = core.run_program("entries/board", wrappers, &settings, is_streaming);
    let failures = read(out.path().join("failures.txt"));
    assert!(failures.is_empty(), "{} {wrappers} {backend} {format}:\n{failures}", core.name);

    let names: Vec<_> = read(out.path().join("names.txt")).lines().map(ToOwned::to_owned).collect();
    let recorded = lines(&fs::read(out.path().join("trace.bin")).expect("the recording"));
    let marks = recorded
        .iter()
        .filter_map(|line| line.split_once("evtmarker evtmarker_id=7 msg=\"")?.1.strip_suffix('"'));
    let expected = names.iter().cycle().take(names.len() * contexts(wrappers));
    if is_streaming {
        assert!(marks.eq(expected), "{} {wrappers} {format}: marks are missing", core.name);
    }
    assert!(recorded.iter().any(|line| line.ends_with("evtmarker evtmarker_id=1 msg=\"end\"")));
    names.into_iter().collect()
}

#[test]
fn calls_are_made_of_everything_that_the_headers_have() {
    assert_eq!(called(), of_headers(), "tests/entries/calls.h and include/ differ");
}

/// With each backend, format and version of the wrappers, which differ in what they call.
#[test]
fn every_entry_point_in_each_context() {
    let mut names = in_each_context(&M4, 1, "STREAMING", "FRAMES");
    names.extend(in_each_context(&M33, 2, "STREAMING", "PACKETS"));
    names.extend(in_each_context(&M4, 2, "SNAPSHOT", "FRAMES"));
    names.extend(in_each_context(&M4, 1, "POST_MORTEM", "PACKETS"));
    assert_eq!(names, called(), "some are not compiled in any of these programs");
}
