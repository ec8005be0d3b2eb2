//! The recording of a program, and its output.

use std::fs;
use std::path::Path;

use tband_tests::events::lines;
use tempfile::TempDir;
use xtask::demo::to_perfetto;

/// What a program has left.
pub(crate) struct RunArtifacts {
    pub(crate) recording: Vec<u8>,
    pub(crate) log: String,
    folder: TempDir,
}

impl RunArtifacts {
    /// Reads `trace.bin` and the log in a folder.
    pub(crate) fn read(folder: TempDir, log: &str) -> Self {
        let recording = fs::read(folder.path().join("trace.bin")).expect("a recording");
        let log = fs::read_to_string(folder.path().join(log)).expect("a log");
        Self { recording, log, folder }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Whether the target reports events that it had no room for.
    pub(crate) fn has_lost_events(&self) -> bool {
        let trace = self.path().join("trace.pftrace");
        let converted = to_perfetto(&self.path().join("trace.bin"), &trace);
        converted.is_err_and(|error| format!("{error:#}").contains(" discarded by the target"))
    }

    /// It converts without a finding.
    pub(crate) fn assert_converts(&self) {
        let trace = self.path().join("trace.pftrace");
        to_perfetto(&self.path().join("trace.bin"), &trace)
            .unwrap_or_else(|error| panic!("{error:#}"));
    }

    pub(crate) fn count(&self, event: &str) -> usize {
        let is_it = |line: &String| line.split(' ').nth(1) == Some(event);
        lines(&self.recording).iter().filter(|line| is_it(line)).count()
    }

    pub(crate) fn all_values(&self) -> Vec<i64> {
        let all = lines(&self.recording);
        let values = all.iter().filter(|line| line.contains(" valmarker "));
        values.filter_map(|line| line.rsplit_once("val=")?.1.parse().ok()).collect()
    }

    /// The rounds that the values of the bare program are of.
    pub(crate) fn values(&self) -> Vec<i64> {
        let of = |value: i64| {
            assert_eq!(value % 1_234_567, 0, "{value}");
            value / 1_234_567 + 100
        };
        self.all_values().into_iter().map(of).collect()
    }

    /// What the program has counted.
    pub(crate) fn counted(&self, what: &str) -> usize {
        let mut lines = self.log.lines();
        let count = lines.find_map(|line| line.strip_prefix(&format!("count: {what} ")));
        count.and_then(|it| it.trim().parse().ok()).unwrap_or_else(|| panic!("{}", self.log))
    }

    /// What `shared/app_rtos.c` and its handler of the tick have counted is in the recording.
    pub(crate) fn assert_has_what_the_kernel_did(&self) {
        self.assert_has_what_was_counted();
        assert_eq!(self.all_values(), numbers());
    }

    /// The same on several cores, whose packets are not in the order of time.
    pub(crate) fn assert_has_what_the_cores_did(&self) {
        self.assert_has_what_was_counted();
        let mut values = self.all_values();
        values.sort_unstable();
        assert_eq!(values, numbers());
    }

    fn assert_has_what_was_counted(&self) {
        self.assert_converts();
        assert_eq!(self.counted("sent"), 200);
        // The mutex is given once as it is created, and once for each number that was received.
        let sent = self.counted("sent") + self.counted("received") + 1;
        assert_eq!(self.count("queue_send"), sent);
        assert_eq!(self.count("isr_enter"), self.counted("ticks"), "{}", self.log);
        assert!(self.counted("ticks") > 20);
    }
}

/// The values of `shared/app_rtos.c`.
fn numbers() -> Vec<i64> {
    (0..200).map(|it| it * 1_000_003).collect()
}
