//! Perfetto's own engine, and files for it.

use std::path::{Path, PathBuf};

/// Perfetto's own engine.
#[derive(Debug)]
pub struct Engine(tband_programs::Engine);

impl Engine {
    /// The engine, if there is one; see [`tband_programs::Engine::find`].
    #[must_use]
    pub fn find() -> Option<Self> {
        tband_programs::Engine::find().map(Self)
    }

    /// The rows of a query whose one column is text.
    pub fn rows(&self, trace: &Path, column: &str, rest: &str) -> Vec<String> {
        self.rows_with("", trace, column, rest)
    }

    /// As [`rows`](Self::rows), with statements in front.
    pub fn rows_with(&self, first: &str, trace: &Path, column: &str, rest: &str) -> Vec<String> {
        self.0.rows(first, trace, column, rest).unwrap_or_else(|error| panic!("{error}"))
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
        let bystanders = (
            "slice of no thread that names one",
            "s.name",
            "from slice s join args a using (arg_set_id) where a.key glob '*passthrough_utid' \
             and s.track_id not in (select id from thread_track)",
        );
        let part = |(tag, column, rest): &(&str, &str, &str)| {
            format!("select * from (select '{tag}:' || {column} as t {rest})")
        };
        let parts: Vec<String> =
            [stats, nameless, nobodys, bystanders].iter().chain(more).map(part).collect();
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
#[derive(Debug)]
pub struct TempFile(pub PathBuf);

impl TempFile {
    /// Writes it, under a name that no other program of tests has.
    #[must_use]
    pub fn new(name: &str, bytes: &[u8]) -> Self {
        let file = format!("tband-test-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(file);
        std::fs::write(&path, bytes).unwrap();
        Self(path)
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}
