//! Perfetto's own engine, which reads a trace as its page does.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::output;

/// The program `trace_processor_shell`.
#[derive(Clone, Debug)]
pub struct Engine(PathBuf);

impl Engine {
    /// The engine that `TRACE_PROCESSOR_SHELL` names or `PATH` has; if there is none says so past
    /// the test's captured output.
    #[must_use]
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
                io::stderr(),
                "\n*** SKIPPED: no trace_processor_shell in TRACE_PROCESSOR_SHELL or PATH; \
                 the Perfetto output is NOT checked ***\n"
            );
        }
        found.map(Self)
    }

    /// The rows of a query whose one column is text, with statements in front that give no rows. Works
    /// with any version's output layout; a row has no line breaks.
    ///
    /// # Errors
    /// The engine cannot be started, or refuses the trace or the query.
    pub fn rows(
        &self,
        first: &str,
        trace: &Path,
        column: &str,
        rest: &str,
    ) -> io::Result<Vec<String>> {
        let sql = format!("{first}select 'ROW:' || {column} as r {rest}");
        let mut engine = Command::new(&self.0);
        let output = output(engine.arg("-Q").arg(&sql).arg(trace))?;
        let text = String::from_utf8_lossy(&output.stdout);
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(io::Error::other(format!("{sql}: {text}{said}")));
        }
        let row = |line: &str| line.trim_matches('"').strip_prefix("ROW:").map(str::to_owned);
        Ok(text.lines().filter_map(row).collect())
    }
}
