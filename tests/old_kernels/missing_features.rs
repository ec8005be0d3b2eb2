//! The guide's table of what older kernels lack: each statement in it has a test that shows it, and each version
//! at which the hooks differ has a row.

use std::collections::BTreeSet;

use tband_tests::{read, root};

/// A statement of the table's row for a version, in its words, and what shows it: a test, or a line that a
/// test compares.
struct MissingFeature {
    version: &'static str,
    wording: &'static str,
    file: &'static str,
    shown_by: &'static str,
}

const fn lack(
    version: &'static str,
    wording: &'static str,
    file: &'static str,
    shown_by: &'static str,
) -> MissingFeature {
    MissingFeature { version, wording, file, shown_by }
}

const MAIN: &str = "tests/old_kernels/main.rs";
const REAL: &str = "tests/old_kernels/real.rs";
const EXPECTED: &str = "tests/old_kernels/expected.txt";

const LACKS: &[MissingFeature] = &[
    lack(
        "V10.3",
        "all classes but `TASK` and `QUEUE`",
        MAIN,
        "fn the_oldest_kernels_are_recorded_in_the_basic_classes",
    ),
    lack("V10.4", "index of a notification", EXPECTED, "V10.3: task_notify task_id=1 index=0"),
    lack(
        "V10.4",
        "an empty queue that is overwritten by a task is known as overwritten",
        EXPECTED,
        "V10.3: queue_send queue_id=2 len_after=1",
    ),
    lack(
        "V10.4",
        "items sent to the front by tasks",
        EXPECTED,
        "V10.4: queue_sent_to_front queue_id=1",
    ),
    lack(
        "V11.0",
        "queue resets: before, the length that the recording shows is stale after one",
        REAL,
        "The length is stale after a reset",
    ),
    lack(
        "V11.0",
        "the same two as in V10.4 by interrupts",
        EXPECTED,
        "queue_send_from_isr queue_id=2 len_after=1",
    ),
    lack(
        "V11.0",
        "waits aborted, which before look like time-outs",
        "tband-conv/tests/cases/timeline/waits.txt",
        "== an abort of an older kernel is a time-out",
    ),
    lack(
        "V11.0",
        "core affinity, notifications cleared, tasks and timers that could not be created",
        MAIN,
        "fn events_that_a_kernel_lacks_are_absent",
    ),
    lack(
        "V11.0",
        "`SCHEDULER_STEP`'s lists of delayed tasks",
        "tests/coverage.rs",
        "fn kernels_before_v10_3_are_read",
    ),
    lack(
        "V11.0",
        "stream buffers reset by interrupts",
        "tests/coverage.rs",
        "fn kernels_before_v10_3_are_read",
    ),
    lack("V11.0", "the class `API`", MAIN, "from FreeRTOS V11.0.0 on"),
    lack("V11.0", "several cores", MAIN, "for several cores that came before V11"),
    lack(
        "V11.0",
        "interrupts of the kernel's ports, and exits that `portYIELD_FROM_ISR()` reports: before, the class `ISR` is off unless you turn it on, for handlers that call `traceISR_EXIT()` on every way out",
        MAIN,
        "fn handlers_of_kernels_before_v11",
    ),
    lack(
        "V11.1",
        "stream batching buffers as such: before, there are none",
        "tests/freertos_classes/program/classes/stream_buffer.c",
        "xStreamBatchingBufferCreate",
    ),
    lack("V11.2", "queue sets as sets: before, as queues", REAL, "A set is a queue."),
    lack(
        "V11.2",
        "bytes that an allocation took from the heap: before, the requested bytes, so that allocations and frees do not add up; `stats` and the row in Perfetto show this",
        "tband-conv/tests/cases/perfetto/objects.txt",
        "== bytes that were asked for are called so",
    ),
    lack(
        "V11.2",
        "the idle and timer tasks as the kernel reports them: before, the hooks find them out when the first task is switched in, for a load and a branch at every switch",
        "tests/src/counts.rs",
        "Idle and timer task are known without any call by the program.",
    ),
];

/// Returns the rows of the table: version, and the events that are recorded from then on.
fn rows() -> Vec<(String, String)> {
    let guide = read(root().join("docs/src/guide/firmware/freertos.md"));
    let section =
        guide.split("\n## ").find(|part| part.starts_with("Kernel versions")).expect("it");
    let rows = section.lines().filter_map(|line| line.strip_prefix("| V"));
    rows.map(|row| {
        let (version, text) = row.split_once(" | ").expect("two columns");
        (format!("V{version}"), text.trim_end_matches(" |").to_owned())
    })
    .collect()
}

#[test]
fn each_statement_has_a_test() {
    for (version, text) in rows() {
        let mut rest = text.clone();
        for lack in LACKS.iter().filter(|lack| lack.version == version) {
            assert!(rest.contains(lack.wording), "{version}: no “{}” in {rest}", lack.wording);
            rest = rest.replacen(lack.wording, "", 1);
            let file = read(root().join(lack.file));
            assert!(file.contains(lack.shown_by), "no {} in {}", lack.shown_by, lack.file);
        }
        // The rest is between the statements, or is advice.
        let rest = rest
            .replace("on an older kernel switch the others off; the compiler prints the lines", "");
        let words = rest.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        assert_eq!(words.collect::<Vec<_>>(), [""; 0], "{version}: claims without a test: {text}");
    }
    let versions: BTreeSet<_> = rows().into_iter().map(|(version, _)| version).collect();
    for lack in LACKS {
        assert!(versions.contains(lack.version), "no row for {}", lack.version);
    }
}

#[test]
fn each_version_at_which_hooks_differ_has_a_row() {
    let rows = rows();
    let mut versions = BTreeSet::new();
    for file in std::fs::read_dir(root().join("freertos-hooks")).expect("a folder") {
        let text = read(file.expect("an entry").path());
        // The table states the official kernels. Conditions for ESP-IDF's are on its page.
        let lines = text.lines().filter(|line| !line.contains("TBAND_KERNEL_IS_OF_ESP_IDF"));
        for condition in lines.flat_map(|line| line.split("TBAND_KERNEL_IS_AT_LEAST(").skip(1)) {
            let number = condition.split(')').next().and_then(|number| number.parse::<u32>().ok());
            versions
                .extend(number.map(|number| format!("V{}.{}", number / 10000, number / 100 % 100)));
        }
    }
    // The oldest one is where the table begins.
    versions.remove("V10.1");
    assert_eq!(versions.len(), 4, "{versions:?}");
    for version in &versions {
        assert!(rows.iter().any(|row| row.0 == *version), "no row {version} in {rows:?}");
    }
}
