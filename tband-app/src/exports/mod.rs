//! Formats that recordings can be converted to; those with settings of their own are in separate files.

mod ctf;
#[cfg(feature = "tools")]
mod flux;
mod parquet;
pub mod perfetto;
#[cfg(feature = "tools")]
mod plain;
mod settings;
mod summary;

use std::fmt;
use std::io::{self, Seek, Write};

use tband_conv::output::BoxWrite;
use tband_conv::{ConvError, Input, Options};

#[cfg(not(feature = "parquet"))]
pub use parquet::WITHOUT_TABLES;
pub use settings::{CtfNames, Setting, Settings};
pub use summary::ExportSummary;

/// All formats, in the order in which they are shown; the first is the default.
pub const EXPORTS: &[Export] = &[
    perfetto::EXPORT,
    ctf::ONE,
    ctf::TWO,
    #[cfg(feature = "tools")]
    plain::VCD,
    #[cfg(feature = "tools")]
    plain::FST,
    #[cfg(feature = "tools")]
    flux::EXPORT,
    #[cfg(feature = "tools")]
    plain::QS,
    #[cfg(feature = "tools")]
    plain::SPEEDSCOPE,
    #[cfg(feature = "tools")]
    plain::CHROME,
    #[cfg(feature = "tools")]
    plain::BTF,
    parquet::EXPORT,
];

/// A format.
#[derive(Clone, Copy, Debug)]
pub struct Export {
    /// Its word, as after `--output-format`.
    pub name: &'static str,
    /// Its purpose, in one line.
    pub about: &'static str,
    /// The file extension, with the point; for a folder that of its files.
    pub ending: &'static str,
    /// Its media type; a folder's is that of its files.
    pub media_type: &'static str,
    /// The first bytes of its files; empty for a folder.
    pub begins: &'static [u8],
    /// How often inputs are read, for a display of progress.
    pub passes: usize,
    /// Bytes that a conversion of a small target's recording takes at most, however long it is.
    pub memory: usize,
    /// The settings that it takes.
    pub takes: &'static [Setting],
    /// How it is written.
    pub form: OutputKind,
}

/// A file that can be written anywhere.
pub trait WriteSeek: Write + Seek {}
impl<T: Write + Seek> WriteSeek for T {}

/// Creates a file of a folder by its name.
pub type FileCreator<'c> = &'c mut dyn FnMut(&str) -> io::Result<BoxWrite<'c>>;
/// The same, of files that another thread may write.
pub type SendFileCreator<'c> = &'c mut dyn FnMut(&str) -> io::Result<Box<dyn Write + Send>>;

/// Writes one file, from its start to its end.
pub type StreamExporter =
    fn(&[Input<'_>], &Options, &Settings, &mut dyn Write) -> Result<ExportSummary, ConvError>;
/// Writes one file, whose start is written last.
pub type FileExporter =
    fn(&[Input<'_>], &Options, &Settings, &mut dyn WriteSeek) -> Result<ExportSummary, ConvError>;
/// Writes the files of a folder.
pub type FolderExporter =
    fn(&[Input<'_>], &Options, &Settings, FileCreator<'_>) -> Result<ExportSummary, ConvError>;
/// Writes the files of a folder, which other threads may write.
pub type SendFolderExporter =
    fn(&[Input<'_>], &Options, &Settings, SendFileCreator<'_>) -> Result<ExportSummary, ConvError>;

/// The kind of an export's output, and the function that writes it.
#[derive(Clone, Copy)]
pub enum OutputKind {
    /// One file, which may be a pipe.
    Stream(StreamExporter),
    /// One file, which must be on a disk or in memory.
    File(FileExporter),
    /// A folder of files.
    Folder(FolderExporter),
    /// A folder of files, for which other threads may be used.
    SendFolder(SendFolderExporter),
    /// This program was built without it; the text describes how to get it.
    Missing(&'static str),
}

impl OutputKind {
    /// In a word.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Stream(_) => "stream",
            Self::File(_) => "file",
            Self::Folder(_) | Self::SendFolder(_) => "folder",
            Self::Missing(_) => "missing",
        }
    }
}

impl fmt::Debug for OutputKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl PartialEq for Export {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Export {}

impl Export {
    /// The one of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        EXPORTS.iter().find(|it| it.name == name)
    }

    /// Returns the default: Perfetto's.
    #[must_use]
    pub fn usual() -> &'static Self {
        &EXPORTS[0]
    }

    /// Whether it takes a setting.
    #[must_use]
    pub fn can_take(&self, setting: Setting) -> bool {
        self.takes.contains(&setting)
    }

    /// Why this export cannot have a setting, in the words of the command line; none if it takes it.
    #[must_use]
    pub fn refusal(&self, setting: Setting) -> Option<String> {
        if self.can_take(setting) {
            return None;
        }
        let flag = setting.flag();
        let others: Vec<&str> =
            EXPORTS.iter().filter(|it| it.can_take(setting)).map(|it| it.name).collect();
        let others = match others.as_slice() {
            [one] => format!("add --output-format {one}"),
            [first, rest @ ..] => format!("choose --output-format {first}, or {}", rest.join(", ")),
            [] => return Some(format!("{flag} is not for {}: leave it out", self.name)),
        };
        Some(format!("{flag} is not for {}: leave it out, or {others}", self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_of_one_export() {
        for export in EXPORTS {
            assert_eq!(Export::named(export.name).map(|it| it.about), Some(export.about));
            assert!(!export.about.is_empty() && !export.about.ends_with('.'), "{}", export.name);
            assert!(export.passes > 0 && export.memory > 0, "{}", export.name);
            let is_one_file = matches!(export.form, OutputKind::Stream(_) | OutputKind::File(_));
            assert_eq!(!export.begins.is_empty(), is_one_file, "{}", export.name);
        }
        assert_eq!(Export::usual().name, "perfetto");
        assert_eq!(Export::named("Perfetto"), None);
    }

    #[test]
    fn names_the_formats_that_accept_a_setting() {
        for export in EXPORTS {
            for setting in export.takes {
                assert!(Setting::ALL.contains(setting), "{setting:?}");
                assert_eq!(export.refusal(*setting), None);
            }
        }
        for setting in Setting::ALL.iter().filter(|_| cfg!(feature = "tools")) {
            let takers: Vec<_> = EXPORTS.iter().filter(|it| it.can_take(*setting)).collect();
            assert!(!takers.is_empty(), "{setting:?}");
            for other in EXPORTS.iter().filter(|it| !it.can_take(*setting)) {
                let text = other.refusal(*setting).unwrap_or_default();
                assert!(text.contains(setting.flag()), "{text}");
                assert!(takers.iter().all(|it| text.contains(it.name)), "{text}");
            }
        }
    }
}
