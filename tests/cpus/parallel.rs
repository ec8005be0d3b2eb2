//! Two and four Cortex-A53, each a thread of the emulator, record at the same time. The number of events of each core is the one that
//! the core has counted itself.

use tband_tests::own_log::{Cores, Field, RecordedEvent, of_frames, of_packets};

use crate::boards::AARCH64;

/// What core `core` counted: interrupts, values, markers.
fn counted(log: &str, core: usize) -> [usize; 3] {
    let line = log.lines().find_map(|line| line.strip_prefix(&format!("count: core {core} ")));
    let line = line.unwrap_or_else(|| panic!("{log}"));
    let numbers: Vec<_> = line.split_whitespace().filter_map(|it| it.parse().ok()).collect();
    numbers.try_into().unwrap_or_else(|_| panic!("{log}"))
}

fn number(event: &RecordedEvent, field: &str) -> Option<i64> {
    match event.field(field) {
        Some(&Field::Number(number)) => Some(number),
        _ => None,
    }
}

/// How many events of this name a core has. All have the id that is the core's own.
fn count(events: &[RecordedEvent], name: &str, field: &str, id: usize) -> usize {
    let of_name = events.iter().filter(|event| event.name == name);
    of_name
        .inspect(|event| {
            assert_eq!(number(event, field), i64::try_from(id).ok(), "{event:?}");
        })
        .count()
}

/// Builds and runs the program, and compares.
fn records(cores: usize, mode: &str) {
    let recorded = AARCH64.in_parallel(cores, mode);
    recorded.assert_converts();
    let bytes = &recorded.recording;
    let of_cores = match mode {
        "FRAMES" => of_frames(&[(0, bytes)], cores),
        _ => of_packets(bytes, cores, false),
    };
    let Cores { cores: of_cores, discarded } = of_cores;
    assert_eq!((of_cores.len(), discarded), (cores, 0));
    for (core, recorded_by) in of_cores.iter().enumerate() {
        let [isrs, values, markers] = counted(&recorded.log, core);
        let events = &recorded_by.events;
        assert_eq!((isrs, values, markers), (1000, 1000, 16), "{mode}, core {core}");
        let found = [
            count(events, "isr_enter", "isr_id", 16 + core),
            count(events, "isr_exit", "isr_id", 16 + core),
            count(events, "valmarker", "valmarker_id", core),
            count(events, "evtmarker", "evtmarker_id", core),
        ];
        assert_eq!(found, [isrs, isrs, values, markers], "{mode}, core {core}");
        let rounds: Vec<_> = events.iter().filter_map(|event| number(event, "val")).collect();
        assert_eq!(rounds, (0..1000).collect::<Vec<_>>(), "{mode}, core {core}");
    }
}

#[test]
fn two_cores_record_at_the_same_time() {
    records(2, "PACKETS");
}

mod release {
    #[test]
    fn two_and_four_cores_record_in_both_formats() {
        for (cores, mode) in [(2, "FRAMES"), (4, "PACKETS"), (4, "FRAMES")] {
            super::records(cores, mode);
        }
    }
}
