//! What several tests need: hand-made recordings, the vectors, Perfetto's engine.

#![allow(dead_code, reason = "each test binary uses its own part of this")]

pub mod agrees;
pub mod facts;
pub mod rows;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use tband_conv::sinks::{Perfetto, Stats, TaskStats, TimelineText};
use tband_conv::{Flows, Input, Options, Summary, convert};
use tband_format::{Event, encode_frame, max_frame_len};

/// A recording made event by event.
#[derive(Clone, Default)]
pub struct Recording(pub Vec<u8>);

impl Recording {
    /// Adds an event with its timestamp in ticks.
    pub fn at(mut self, ts: u64, event: Event<'_>) -> Self {
        let mut frame = vec![0; max_frame_len(&event, ts)];
        let len = encode_frame(&event, ts, &mut frame).unwrap();
        self.0.extend_from_slice(&frame[..len]);
        self
    }

    /// Adds a metadata event.
    pub fn meta(self, event: Event<'_>) -> Self {
        assert!(event.is_metadata());
        self.at(0, event)
    }

    /// Adds any bytes.
    pub fn raw(mut self, bytes: &[u8]) -> Self {
        self.0.extend_from_slice(bytes);
        self
    }
}

pub fn str(text: &str) -> tband_format::Str<'_> {
    tband_format::Str(text.as_bytes())
}

pub fn vectors() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors")
}

pub fn vector(name: &str) -> Vec<u8> {
    let path = vectors().join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The timeline of a recording, as text.
pub fn timeline_of(inputs: &[Input<'_>], options: &Options) -> (String, Summary) {
    let mut text = TimelineText::new(Vec::new());
    let summary = convert(inputs, options, &mut text).unwrap();
    (String::from_utf8(text.into_inner()).unwrap(), summary)
}

/// A Perfetto trace and the numbers of the timeline, made in one pass.
pub fn trace_of(inputs: &[Input<'_>], options: &Options) -> (Vec<u8>, Stats, Summary) {
    let mut sinks = (Perfetto::new(Vec::new()), Stats::default());
    let summary = convert(inputs, options, &mut sinks).unwrap();
    (sinks.0.into_inner(), sinks.1, summary)
}

/// Time for which tasks were on a core, interrupts included, in ns: what Perfetto's `sched` has.
pub const fn on_core_ns(task: &TaskStats) -> i64 {
    task.run_ns + task.interrupted_ns
}

/// The timeline must be this text, indentation and blank lines aside.
#[track_caller]
pub fn assert_timeline(recording: &Recording, expected: &str) {
    let inputs = [Input::from_bytes("r", &recording.0)];
    let (text, _) = timeline_of(&inputs, &Options::default());
    assert_lines(&text, expected);
}

/// As [`assert_timeline`], with limits and outcomes of waits, and flows.
#[track_caller]
pub fn assert_details(recording: &Recording, flows: Flows, expected: &str) {
    let mut options = Options::default();
    options.flows = flows;
    let mut text = TimelineText::new(Vec::new()).detailed();
    let inputs = [Input::from_bytes("r", &recording.0)];
    let summary = convert(&inputs, &options, &mut text).unwrap();
    assert!(summary.diagnostics.is_clean(), "{:?}", summary.diagnostics);
    assert_lines(&String::from_utf8(text.into_inner()).unwrap(), expected);
}

#[track_caller]
fn assert_lines(text: &str, expected: &str) {
    let lines = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
    };
    assert_eq!(lines(text), lines(expected), "\n{text}");
}

/// The start of a recording: ticks of 10 ns, tasks 1 and 2 by the names of a and b.
pub fn two_tasks() -> Recording {
    Recording::default()
        .meta(Event::TsResolutionNs { ns_per_ts: 10 })
        .meta(Event::TaskName { task_id: 1, name: str("a") })
        .meta(Event::TaskName { task_id: 2, name: str("b") })
}

/// Perfetto's own engine.
pub struct Engine(PathBuf);

impl Engine {
    /// The engine that `TRACE_PROCESSOR_SHELL` names or `PATH` has; if there is none says so past
    /// the test's captured output.
    pub fn find() -> Option<Self> {
        let named = std::env::var_os("TRACE_PROCESSOR_SHELL").map(PathBuf::from);
        let path = std::env::var_os("PATH").unwrap_or_default();
        let found = named.or_else(|| {
            std::env::split_paths(&path)
                .map(|dir| dir.join("trace_processor_shell"))
                .find(|file| file.is_file())
        });
        if found.is_none() {
            let _ = writeln!(
                std::io::stderr(),
                "\n*** SKIPPED: no trace_processor_shell in TRACE_PROCESSOR_SHELL or PATH; \
                 the Perfetto output is NOT checked ***\n"
            );
        }
        found.map(Self)
    }

    /// The rows of a query whose one column is text. Works with any version's output layout.
    pub fn rows(&self, trace: &Path, column: &str, rest: &str) -> Vec<String> {
        self.rows_with("", trace, column, rest)
    }

    /// As [`rows`](Self::rows), with statements in front.
    pub fn rows_with(&self, first: &str, trace: &Path, column: &str, rest: &str) -> Vec<String> {
        let sql = format!("{first}select 'ROW:' || {column} as r {rest}");
        let mut engine = Command::new(&self.0);
        let output = tband_programs::output(engine.arg("-Q").arg(&sql).arg(trace)).unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success(),
            "{sql}: {text}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        text.lines()
            .filter_map(|line| line.trim_matches('"').strip_prefix("ROW:").map(str::to_owned))
            .collect()
    }

    /// What every trace must fulfil. Gives the rows of further queries, as `(tag, text)`, since each
    /// run of the engine takes its time.
    pub fn check(&self, trace: &Path, more: &[(&str, &str, &str)]) -> Vec<(String, String)> {
        self.check_with("", trace, more)
    }

    /// As [`check`](Self::check), with statements in front.
    pub fn check_with(
        &self,
        first: &str,
        trace: &Path,
        more: &[(&str, &str, &str)],
    ) -> Vec<(String, String)> {
        let stats = (
            "stats",
            "name || ' ' || value",
            "from stats where value > 0 and (severity in ('error', 'data_loss') \
             or name = 'packet_skipped_seq_needs_incremental_state_invalid')",
        );
        let nameless = ("slice without a name", "id", "from slice where name is null");
        let nobodys = (
            "waits or calls of no task",
            "s.name",
            "from slice s join track t on t.id = s.track_id where t.name = 'waits and calls' \
             and t.id not in (select id from thread_track)",
        );
        let part = |(tag, column, rest): &(&str, &str, &str)| {
            format!("select * from (select '{tag}:' || {column} as t {rest})")
        };
        let parts: Vec<String> = [stats, nameless, nobodys].iter().chain(more).map(part).collect();
        let from = format!("from ({})", parts.join(" union all "));
        let mut rows: Vec<(String, String)> = self
            .rows_with(first, trace, "t", &from)
            .iter()
            .map(|row| row.split_once(':').unwrap())
            .map(|(tag, text)| (tag.to_owned(), text.to_owned()))
            .collect();
        rows.retain(|(tag, text)| {
            assert!(more.iter().any(|it| it.0 == tag), "{}: {tag} {text}", trace.display());
            true
        });
        rows
    }
}

/// A file that is removed in the end.
pub struct Temp(pub PathBuf);

impl Temp {
    pub fn new(name: &str, bytes: &[u8]) -> Self {
        let file = format!("tband-test-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(file);
        std::fs::write(&path, bytes).unwrap();
        Self(path)
    }
}

impl Drop for Temp {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}
