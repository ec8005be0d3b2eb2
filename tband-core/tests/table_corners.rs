//! Corners of the metadata buffer as a table of what exists: gaps, the sizes that are reported, and what others do between
//! the steps of a search. What the table holds in general is in table.rs.

mod fake;

use std::ffi::CStr;
use std::ptr;

use fake::{FakePort, Sizes, bytes, decode, recorder};
use tband_core::metadata::Metadata;
use tband_core::table::Search;
use tband_core::{Recorder, Snapshot};

const TASK_NAME: u8 = 95;
const TASK_EVTMARKER_NAME: u8 = 122;
const TASK_VALMARKER_NAME: u8 = 126;
const TIMER_INFO: u8 = 211;
const UPDATE: u32 = Metadata::NOT_SENT | Metadata::UPDATE;

fn record(rec: &Recorder<FakePort>, core: usize, event: &Metadata<'_>) {
    // SAFETY: numbers and text are there.
    unsafe { rec.emit_metadata::<Snapshot>(0, &rec.port().cores[core], event) }
}

fn name(rec: &Recorder<FakePort>, core: usize, number: u32, text: &CStr) {
    record(rec, core, &Metadata::new(TASK_NAME, &[number], text.as_ptr().cast()));
}

fn forget(rec: &Recorder<FakePort>, id: u8, number: u32) {
    record(rec, 0, &Metadata::forget(&[number, 1 << (id % 32)]));
}

fn table(rec: &Recorder<FakePort>, core: u32) -> Vec<String> {
    decode(&bytes(rec.metadata(core)))
}

fn of_timers(events: &[String]) -> Vec<&str> {
    events.iter().map(String::as_str).filter(|event| event.starts_with("timer")).collect()
}

fn snapshot(rec: &Recorder<FakePort>) -> Vec<String> {
    rec.trigger_snapshot(0).expect("starts");
    rec.stop_snapshot();
    let events = decode(&bytes(rec.snapshot(0)));
    assert!(rec.reset_snapshot());
    events
}

/// Whether the table is copied into a snapshot depends on the live objects, not on the gaps between them.
#[test]
fn what_is_dead_keeps_nothing_out_of_a_snapshot() {
    // 14 bytes a name.
    let rec = recorder(Sizes { metadata: 1024, snapshot: 1500, ..Sizes::default() });
    for number in 1..=60 {
        name(&rec, 0, number, c"some_name_1");
    }
    let names = |events: Vec<String>| events.iter().filter(|e| e.starts_with("task_name")).count();
    assert_eq!(names(snapshot(&rec)), 0, "more than half of the room");
    for number in 1..60 {
        forget(&rec, TASK_NAME, number);
    }
    assert_eq!(names(snapshot(&rec)), 1);
}

/// The table takes at most half of the room, to the byte.
#[test]
fn half_of_a_snapshot_is_for_what_exists() {
    // 24 bytes a name.
    for (room, names) in [(95, 0), (96, 2), (97, 2)] {
        let rec = recorder(Sizes { snapshot: room, ..Sizes::default() });
        name(&rec, 0, 1, c"twenty_twenty_twenty");
        name(&rec, 0, 2, c"twenty_twenty_twenty");
        rec.trigger_snapshot(0).expect("starts");
        rec.stop_snapshot();
        let events = decode(&bytes(rec.snapshot(0)));
        let found = events.iter().filter(|event| event.starts_with("task_name")).count();
        assert_eq!(found, names, "{room}: {events:?}");
    }
}

/// A search through a table of ten names, whose first step is done.
fn timer_task_is_at_work<'a>(rec: &Recorder<FakePort>, numbers: &'a [u32; 3]) -> Search<'a> {
    let created = Metadata::NOT_SENT | Metadata::NEW;
    for number in 1..=10 {
        name(rec, 0, number, c"some_name_1");
    }
    record(rec, 0, &Metadata::new(TIMER_INFO, &[1, 100, 0], ptr::null()).with(created));
    let mut search = Search::new(Metadata::new(TIMER_INFO, numbers, ptr::null()).with(UPDATE), 20);
    let buf = rec.metadata(0).0.cast_mut();
    // SAFETY: the buffer of the core.
    assert!(unsafe { search.keep(&rec.port().cores[0], buf, 1024) });
    search
}

fn continue_search(rec: &Recorder<FakePort>, mut search: Search<'_>) {
    let buf = rec.metadata(0).0.cast_mut();
    // SAFETY: the buffer of the core.
    while unsafe { search.keep(&rec.port().cores[0], buf, 1024) } {}
}

/// Between the steps of an update another event finds the entry, and a recording that starts contains it.
#[test]
fn an_update_that_is_under_way_hides_nothing() {
    let numbers = [1, 200, 0];
    let rec = recorder(Sizes { metadata: 1024, ..Sizes::default() });
    let search = timer_task_is_at_work(&rec, &numbers);
    record(&rec, 0, &Metadata::new(TIMER_INFO, &[1, 100, 1], ptr::null()).with(UPDATE));
    assert_eq!(of_timers(&table(&rec, 0)), ["timer_info 1 100 1"]);
    assert_eq!(of_timers(&snapshot(&rec)), ["timer_info 1 100 1"]);
    continue_search(&rec, search);
    assert_eq!(of_timers(&table(&rec, 0)), ["timer_info 1 200 0"]);
}

#[test]
fn an_update_of_a_deleted_object_stores_nothing() {
    let numbers = [1, 200, 0];
    let rec = recorder(Sizes { metadata: 1024, ..Sizes::default() });
    let search = timer_task_is_at_work(&rec, &numbers);
    forget(&rec, TIMER_INFO, 1);
    continue_search(&rec, search);
    assert_eq!(of_timers(&table(&rec, 0)), [""; 0]);
}

/// The count of changes has the same value after each power of two of them, but a search still notices them.
#[test]
fn a_search_notices_any_number_of_changes() {
    for changes in [1_u32, 1 << 8, 1 << 15, 1 << 16, 1 << 17] {
        let rec = recorder(Sizes { metadata: 1024, ..Sizes::default() });
        for number in 1..40 {
            name(&rec, 0, number, c"some_name");
        }
        let core = &rec.port().cores[0];
        let buf = rec.metadata(0).0.cast_mut();
        let mut search = Search::new(Metadata::new(TASK_NAME, &[1000], c"x".as_ptr().cast()), 20);
        for _ in 0..5 {
            // SAFETY: the buffer of the core.
            assert!(unsafe { search.keep(core, buf, 1024) });
        }
        for number in 1..40 {
            forget(&rec, TASK_NAME, number);
        }
        for _ in 0..changes {
            name(&rec, 0, 1, c"y");
        }
        // The gaps are closed: the position of the search is beyond the end now.
        rec.start_streaming(0, 0, true).expect("starts");
        rec.stop_streaming();
        let mut steps = 0;
        // SAFETY: the buffer of the core.
        while unsafe { search.keep(core, buf, 1024) } {
            steps += 1;
            assert!(steps < 100, "no end after {changes} changes");
        }
        assert_eq!(table(&rec, 0), ["task_name 1 \"y\"", "task_name 1000 \"x\""]);
    }
}

/// Numbers that are zero end a COBS block: for markers, and for tasks.
#[test]
fn markers_of_task_zero_are_its_own() {
    for id in [TASK_EVTMARKER_NAME, TASK_VALMARKER_NAME] {
        let rec = recorder(Sizes { metadata: 1024, ..Sizes::default() });
        let marker = |marker: u32, task: u32, text: &CStr| {
            record(&rec, 0, &Metadata::new(id, &[marker, task], text.as_ptr().cast()));
        };
        let kind = if id == TASK_EVTMARKER_NAME { "evt" } else { "val" };
        let of = |numbers: &str, text: &str| format!("task_{kind}marker_name {numbers} {text:?}");
        // Each twice, with a text whose length grows with the task's number, and without one.
        for (number, task, text) in [
            (1, 0, c"abcd"),
            (0, 0, c"abcd"),
            (0, 5, c"abcd"),
            (1, 5, c""),
            (2, 0, c""),
            (0, 1, c""),
        ] {
            marker(number, task, c"before");
            marker(number, task, text);
        }
        assert_eq!(table(&rec, 0).len(), 6);
        forget(&rec, id, 5);
        let mut left = [of("1 0", "abcd"), of("0 0", "abcd"), of("2 0", ""), of("0 1", "")];
        left.sort();
        let sorted = || {
            let mut events = table(&rec, 0);
            events.sort();
            events
        };
        assert_eq!(sorted(), left);
        forget(&rec, id, 2);
        forget(&rec, id, 4);
        assert_eq!(sorted(), left);
        forget(&rec, id, 0);
        assert_eq!(sorted(), [of("0 1", "")]);
        forget(&rec, id, 1);
        assert_eq!(sorted(), [""; 0]);
    }
}

/// Each core reports the required size of the core's buffer, and none if everything did fit.
#[test]
fn each_core_reports_its_required_size() {
    let reported = |rec: &Recorder<FakePort>, core| {
        rec.trigger_snapshot(0).expect("starts");
        rec.stop_snapshot();
        let events = decode(&bytes(rec.snapshot(core)));
        assert!(rec.reset_snapshot());
        events.into_iter().find(|event| event.starts_with("metadata_dropped"))
    };
    let rec = recorder(Sizes { cores: 3, metadata: 64, ..Sizes::default() });
    // 24 bytes each: two fit.
    for number in 1..=3 {
        name(&rec, 0, number, c"twenty_twenty_twenty");
    }
    for number in 10..=19 {
        name(&rec, 1, number, c"twenty_twenty_twenty");
    }
    rec.port().cores[2].refuse(true);
    assert_eq!(reported(&rec, 0).as_deref(), Some("metadata_dropped 0 1 72"));
    assert_eq!(reported(&rec, 1).as_deref(), Some("metadata_dropped 1 8 240"));
    assert_eq!(reported(&rec, 2).as_deref(), Some("metadata_dropped 2 1"));
    rec.start_streaming(0, 0, true).expect("starts");
    rec.stop_streaming();
    let mut sent = decode(&rec.port().sent.borrow());
    sent.retain(|event| event.starts_with("metadata_dropped"));
    assert_eq!(
        sent,
        ["metadata_dropped 0 1 72", "metadata_dropped 1 8 240", "metadata_dropped 2 1"]
    );
}

/// Deleted objects leave room for others of their kind at the same place: names of tasks next to their priorities.
#[test]
fn what_comes_and_goes_stays_where_it_is() {
    const PRIORITY: u8 = 209;
    let rec = recorder(Sizes { metadata: 256, ..Sizes::default() });
    let create = |number: u32| {
        let new = Metadata::NEW | Metadata::NOT_SENT;
        record(&rec, 0, &Metadata::new(PRIORITY, &[number, 1], ptr::null()).with(new));
        let text = c"worker".as_ptr().cast();
        record(&rec, 0, &Metadata::new(TASK_NAME, &[number], text).with(Metadata::NEW));
    };
    for number in 10..14 {
        create(number);
    }
    let used = bytes(rec.metadata(0)).len();
    for number in 14..100 {
        let both = [number - 3, 1 << (TASK_NAME % 32) | 1 << (PRIORITY % 32)];
        record(&rec, 0, &Metadata::forget(&both));
        create(number);
        assert_eq!(bytes(rec.metadata(0)).len(), used);
    }
    assert_eq!(table(&rec, 0).len(), 8);
}

/// A search through the tables of several cores relies on this.
#[test]
fn what_is_put_or_moved_in_any_table_is_counted() {
    let rec = recorder(Sizes { cores: 2, ..Sizes::default() });
    let mut last = rec.metadata_changes();
    let mut has_changed = || {
        let before = std::mem::replace(&mut last, rec.metadata_changes());
        last != before
    };
    for core in 0..2 {
        name(&rec, core, 1, c"other");
        assert!(has_changed(), "{core}");
        name(&rec, core, 1, c"once more");
        assert!(has_changed(), "{core}");
    }
    forget(&rec, TASK_NAME, 2);
    assert!(!has_changed(), "nothing was there");
    rec.start_streaming(0, 0, true).expect("starts");
    assert!(has_changed(), "gaps were closed");
}
