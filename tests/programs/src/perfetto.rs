//! Perfetto's own engine, which reads a trace as its page does.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::start;

/// The program `trace_processor_shell`.
#[derive(Clone, Debug)]
pub struct Engine(PathBuf);

impl Engine {
    /// Returns the engine that `TRACE_PROCESSOR_SHELL` names or `PATH` has; if there is none, prints that past the test's
    /// captured output. `None` if tests are to [do without](crate::WITHOUT_ENGINE).
    #[must_use]
    pub fn find() -> Option<Self> {
        if std::env::var_os(crate::WITHOUT_ENGINE).is_some() {
            return None;
        }
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

    /// What starts it. Where it is WebAssembly in a script for Node.js, most of its time goes into optimising what small traces
    /// run once: a fifth is left without that.
    fn command(&self) -> Command {
        let mut start = [0; 64];
        let read = File::open(&self.0).and_then(|mut file| file.read(&mut start));
        let start = String::from_utf8_lossy(&start[..read.unwrap_or(0)]).into_owned();
        let interpreter = start.strip_prefix("#!").and_then(|rest| rest.lines().next());
        match interpreter {
            Some(interpreter) if interpreter.ends_with("node") => {
                let mut node = crate::node();
                node.arg("--liftoff-only").arg(&self.0);
                node
            }
            _ => Command::new(&self.0),
        }
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
        // Not a pipe: a script for Node.js that exits after it has printed may lose what a pipe has not taken yet.
        let mut printed = tempfile::tempfile()?;
        let mut engine = self.command();
        engine.arg("-Q").arg(&sql).arg(trace);
        engine.stdin(Stdio::null()).stdout(printed.try_clone()?).stderr(Stdio::piped());
        let ended = start(&mut engine)?.output()?;
        let mut text = Vec::new();
        printed.rewind()?;
        printed.read_to_end(&mut text)?;
        let text = String::from_utf8_lossy(&text);
        if !ended.status.success() {
            let message = String::from_utf8_lossy(&ended.stderr);
            return Err(io::Error::other(format!("{sql}: {text}{message}")));
        }
        let row = |line: &str| line.trim_matches('"').strip_prefix("ROW:").map(str::to_owned);
        Ok(text.lines().filter_map(row).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    #[cfg(unix)]
    fn rows_are_printed_to_a_file_so_that_none_is_lost() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("trace_processor_shell");
        let script =
            "#!/bin/sh\n[ -f /dev/stdout ] && echo ROW:file\necho '\"ROW:b\"'\necho -- 2 rows\n";
        // By another process: a program that another test starts at the same time would inherit the file open for writing, and
        // then it could not be started.
        let write = r#"printf %s "$1" > "$2" && chmod +x "$2""#;
        let written =
            crate::output(Command::new("sh").args(["-c", write, "sh", script]).arg(&file));
        assert!(written.unwrap().status.success());
        let rows = Engine(file).rows("", Path::new("trace"), "a", "from b").unwrap();
        assert_eq!(rows, ["file", "b"]);
    }

    #[test]
    fn a_script_for_node_is_started_without_optimisation() {
        let folder = std::env::temp_dir().join(format!("tband-engine-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let started = |text: &str| {
            let file = folder.join("trace_processor_shell");
            fs::write(&file, text).unwrap();
            let command = Engine(file).command();
            (command.get_program().to_owned(), command.get_args().count())
        };
        let node = crate::node().get_program().to_owned();
        assert_eq!(started("#!/usr/bin/env node\n"), (node, 2));
        let file = folder.join("trace_processor_shell").into_os_string();
        assert_eq!(started("#!/usr/bin/env python3\n"), (file.clone(), 0));
        assert_eq!(started("\x7fELF"), (file, 0));
        assert_eq!(Engine("no/such/file".into()).command().get_program(), "no/such/file");
        fs::remove_dir_all(&folder).unwrap();
    }
}
