//! Reads recordings, or folders of tables, into the tables that statements ask.

use std::ffi::OsString;
use std::path::Path;

use tband_conv::{Input, Options};
use tband_query::Query;
use tband_tables::About;

use crate::Outcome;
use crate::args::{OfProgram, Recordings, Window, ends, wrong_usage};
use crate::failed::named;
use crate::report::Report;

/// For each table an event may have rows in.
const PASSES: usize = 3;

/// What is read, and how.
pub struct Reading<'a> {
    /// The command, for its messages.
    pub command: &'static str,
    /// How recordings are read.
    pub recordings: &'a Recordings,
    /// Recordings or folders.
    pub inputs: &'a [OsString],
    /// The program whose recordings they are.
    pub program: &'a OfProgram,
    /// The part of the recordings.
    pub window: &'a Window,
    /// Length of a window of the table `load`, in ns, if it is not the usual one.
    pub load_window_ns: Option<i64>,
    /// Each input is a recording of its own.
    pub is_each: bool,
}

/// A recording that was read.
pub struct Filled {
    /// Its name in the tables.
    pub name: String,
    /// Its files.
    pub file: String,
    /// Its inputs.
    pub inputs: Vec<OsString>,
    /// How it was converted.
    pub options: Options,
}

impl Reading<'_> {
    /// Reads all. Of folders no recordings are returned.
    pub fn fill(&self, query: &Query, report: &Report) -> anyhow::Result<(Outcome, Vec<Filled>)> {
        let folders = self.inputs.iter().filter(|input| Path::new(input).is_dir()).count();
        match folders {
            0 => self.recordings(query, report),
            some if some < self.inputs.len() => wrong_usage(
                self.command,
                "recordings and folders of tables cannot be read together",
            ),
            _ if !self.window.asked().is_all() => {
                wrong_usage(self.command, "a window is of recordings: use WHERE for tables")
            }
            _ if self.program.elf.is_some() => wrong_usage(
                self.command,
                "a program explains recordings: give it to ingest for tables",
            ),
            _ => self.tables(query, report).map(|outcome| (outcome, Vec::new())),
        }
    }

    fn recordings(&self, query: &Query, report: &Report) -> anyhow::Result<(Outcome, Vec<Filled>)> {
        let window = self.window.asked();
        let known = self.program.formats()?;
        let size = if self.is_each { 1 } else { self.inputs.len().max(1) };
        let (mut outcome, mut filled) = (Outcome::Clean, Vec::new());
        for args in self.inputs.chunks(size) {
            let passes = window.passes() + PASSES;
            let (inputs, progress) = self.recordings.open_these(args, passes, report)?;
            let mut options = self.recordings.options();
            known.clone().tell(&mut options);
            options.load_window_ns = self.load_window_ns;
            (options.from, options.to) = ends(&window, self.command, (&inputs, &options), report)?;
            let names: Vec<&str> = inputs.iter().flat_map(Input::names).collect();
            let file = names.join(" ");
            // One that is named twice is two recordings.
            let before = filled.iter().filter(|it: &&Filled| it.file == file).count();
            let name = match before {
                0 => file.clone(),
                _ => format!("{file} ({})", before.saturating_add(1)),
            };
            let about = About { recording: name.clone(), file: file.clone(), bytes: None };
            let summary = query.add(&inputs, &options, &about);
            progress.clear();
            let summary = summary.map_err(named)?;
            report.messages(tband_app::found(&summary));
            outcome = outcome.and(Outcome::of(summary.diagnostics.is_clean()));
            filled.push(Filled { name, file, inputs: args.to_vec(), options });
        }
        Ok((outcome, filled))
    }

    #[cfg(feature = "parquet")]
    fn tables(&self, query: &Query, report: &Report) -> anyhow::Result<Outcome> {
        for folder in self.inputs {
            let recordings = query.add_folder(Path::new(folder))?;
            report.detail(&format!("{}: {recordings} recordings", folder.display()));
        }
        Ok(Outcome::Clean)
    }

    /// Says how to get it.
    #[cfg(not(feature = "parquet"))]
    fn tables(&self, _: &Query, _: &Report) -> anyhow::Result<Outcome> {
        anyhow::bail!(tband_app::exports::WITHOUT_TABLES)
    }
}
