//! Reads recordings, or folders of tables, into the tables that statements ask.

use std::ffi::OsString;
use std::fmt;
use std::path::Path;

use tband_app::ctf_folder;
use tband_conv::{Input, Options, Summary};
use tband_query::Query;
use tband_report::time_unit::TimeUnit;
use tband_tables::RecordingInfo;

use crate::args::{ProgramArgs, Recordings, Window, ends, wrong_usage};
use crate::failed::named;
use crate::recordings::keep_own_frequency;
use crate::report::Report;

/// For each table an event may have rows in.
const PASSES: usize = 3;

/// What is read, and how.
pub struct ReadRequest<'a> {
    /// The command, for its messages.
    pub command: &'static str,
    /// How recordings are read.
    pub recordings: &'a Recordings,
    /// Recordings or folders.
    pub inputs: &'a [OsString],
    /// The program whose recordings they are.
    pub program: &'a ProgramArgs,
    /// The part of the recordings.
    pub window: &'a Window,
    /// Length of a window of the table `load`, in ns, if it is not the usual one.
    pub load_window_ns: Option<i64>,
    /// Which inputs are one recording.
    pub together: InputGrouping,
    /// Times are compared with others, so that their unit must be known.
    pub compares_times: bool,
    /// The recordings are compared with others, which are read separately.
    pub is_compared: bool,
}

/// Which inputs are one recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputGrouping {
    /// All of them.
    All,
    /// Each is a separate recording.
    Each,
    /// So many are the first recording, and the others a second one.
    Two(usize),
}

impl InputGrouping {
    /// All of them, or each separately.
    pub const fn of(is_each: bool) -> Self {
        if is_each { Self::Each } else { Self::All }
    }

    /// The inputs are several recordings.
    const fn is_several(self, inputs: &[OsString]) -> bool {
        !matches!(self, Self::All) && inputs.len() > 1
    }

    /// The inputs of each recording.
    fn chunks(self, inputs: &[OsString]) -> Vec<&[OsString]> {
        match self {
            Self::All => vec![inputs],
            Self::Each => inputs.chunks(1).collect(),
            Self::Two(first) => {
                let (first, second) = inputs.split_at(first.min(inputs.len()));
                vec![first, second]
            }
        }
    }
}

/// Times of this recording cannot be compared with others.
#[derive(Debug)]
pub struct UnknownFrequency {
    /// Its files.
    pub file: String,
}

impl fmt::Display for UnknownFrequency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: the frequency of its timestamps is unknown, so its times cannot be compared: name it with --tick-rate",
            self.file
        )
    }
}

impl std::error::Error for UnknownFrequency {}

/// A recording that was read.
pub struct LoadedRecording {
    /// Its name in the tables.
    pub name: String,
    /// Its files.
    pub file: String,
    /// Its inputs.
    pub inputs: Vec<OsString>,
    /// How it was converted.
    pub options: Options,
    /// The facts about the complete recording.
    pub summary: Summary,
}

/// What was read.
#[derive(Default)]
pub struct LoadResult {
    /// All recordings were read without losses or damage. Folders of tables are not judged.
    pub is_clean: bool,
    /// The recordings, in the order of the inputs. Folders of tables add none.
    pub recordings: Vec<LoadedRecording>,
    /// The names of the recordings of each folder of tables.
    pub folders: Vec<Vec<String>>,
}

/// A folder of tables; the folder of a CTF trace is a recording.
fn has_tables(path: &Path) -> bool {
    let is_table = |name: &str| path.join(name).exists();
    path.is_dir()
        && (is_table("recordings")
            || is_table("recordings.parquet")
            || !ctf_folder::has_trace(path))
}

impl ReadRequest<'_> {
    /// Reads all.
    pub fn fill(&self, query: &Query, report: &Report) -> anyhow::Result<LoadResult> {
        let folders = self.inputs.iter().filter(|input| has_tables(Path::new(input))).count();
        match folders {
            0 => self.recordings(query, report),
            some if some < self.inputs.len() => wrong_usage(
                self.command,
                "recordings and folders of tables cannot be read together",
            ),
            _ if !self.window.window().is_all() => {
                wrong_usage(self.command, "a window is of recordings: use WHERE for tables")
            }
            _ if self.program.elf.is_some() => wrong_usage(
                self.command,
                "a program explains recordings: give it to ingest for tables",
            ),
            _ => self.tables(query, report),
        }
    }

    fn recordings(&self, query: &Query, report: &Report) -> anyhow::Result<LoadResult> {
        let window = self.window.window();
        let known = self.program.formats()?;
        let (mut is_clean, mut filled) = (true, Vec::new());
        for args in self.together.chunks(self.inputs) {
            let passes = window.pass_count() + PASSES;
            let (inputs, progress) = self.recordings.open_these(args, passes, report)?;
            let mut options = self.recordings.options();
            if self.is_compared || self.together.is_several(self.inputs) {
                keep_own_frequency(&inputs, &mut options, report)?;
            }
            known.clone().apply_to(&mut options);
            options.load_window_ns = self.load_window_ns;
            (options.from, options.to) = ends(&window, self.command, (&inputs, &options), report)?;
            let names: Vec<&str> = inputs.iter().flat_map(Input::names).collect();
            let file = names.join(" ");
            // One that is named twice is two recordings.
            let before = filled.iter().filter(|it: &&LoadedRecording| it.file == file).count();
            let name = match before {
                0 => file.clone(),
                _ => format!("{file} ({})", before.saturating_add(1)),
            };
            let about = RecordingInfo { recording: name.clone(), file: file.clone(), bytes: None };
            let summary = query.add(&inputs, &options, &about);
            progress.clear();
            let summary = summary.map_err(named)?;
            if self.compares_times && TimeUnit::of(&summary.diagnostics) == TimeUnit::Ticks {
                return Err(UnknownFrequency { file }.into());
            }
            report.messages(tband_app::command_result::finding_messages(&summary));
            is_clean &= summary.diagnostics.is_clean();
            filled.push(LoadedRecording { name, file, inputs: args.to_vec(), options, summary });
        }
        Ok(LoadResult { is_clean, recordings: filled, folders: Vec::new() })
    }

    #[cfg(feature = "parquet")]
    fn tables(&self, query: &Query, report: &Report) -> anyhow::Result<LoadResult> {
        let mut folders = Vec::new();
        for folder in self.inputs {
            let names = query.add_folder(Path::new(folder))?;
            report.detail(&format!(
                "{}: {}",
                folder.display(),
                tband_conv::counted(names.len(), "recording")
            ));
            folders.push(names);
        }
        Ok(LoadResult { is_clean: true, recordings: Vec::new(), folders })
    }

    /// Explains how to get it.
    #[cfg(not(feature = "parquet"))]
    fn tables(&self, _: &Query, _: &Report) -> anyhow::Result<LoadResult> {
        anyhow::bail!(tband_app::exports::WITHOUT_TABLES)
    }
}
