//! Names of task-local markers belong to a task by their second number, not by their first.

mod fake;

use std::ffi::CStr;

use fake::{Sizes, bytes, decode, recorder};
use tband_core::Snapshot;
use tband_core::metadata::Metadata;
use tband_format::registry::by_name;

#[test]
fn names_of_a_task_s_markers_go_with_the_task() {
    for kind in ["task_evtmarker_name", "task_valmarker_name"] {
        let id = by_name(kind).expect("an event").id;
        let rec = recorder(Sizes::default());
        // SAFETY: numbers, and NUL-terminated strings.
        let record = |event: Metadata<'_>| unsafe {
            rec.emit_metadata::<Snapshot>(0, &rec.port().cores[0], &event);
        };
        let name = |marker: u32, task: u32, text: &CStr| {
            record(Metadata::new(id, &[marker, task], text.as_ptr().cast()));
        };
        // Marker 2 of task 1, and marker 1 of task 2.
        name(2, 1, c"old");
        name(1, 2, c"other");
        name(2, 1, c"new");
        let table = || {
            let mut events = decode(&bytes(rec.metadata(0)));
            events.sort();
            events
        };
        let of = |marker: u32, task: u32, text: &str| format!("{kind} {marker} {task} \"{text}\"");
        assert_eq!(table(), [of(1, 2, "other"), of(2, 1, "new")]);
        record(Metadata::forget(&[1, 1 << (id % 32)]));
        assert_eq!(table(), [of(1, 2, "other")]);
    }
}
