//! Inputs of the command line: `file`, `file@core`, `-`.
//!
//! An input that can be read only once, such as stdin or a pipe, is opened once: it is kept in a temporary file, unless one
//! pass is enough. Files of one core are one recording, in the order in which they are named.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::{Context, anyhow, bail};
use tband_app::companion::names_of;
use tband_app::ctf_folder::{self, CtfFolder};
use tband_app::file_inputs::FileInputs;
use tband_conv::cores::MAX_CORES;
use tband_conv::encoding::notation::BoxRead;
use tband_conv::foreign::empty::BoundedStart;
use tband_conv::input::copies::refuse_copies;
use tband_conv::input::group::group_by_core;
use tband_conv::{Input, InputFormat};
use tempfile::NamedTempFile;

use crate::interrupt;
use crate::progress::Progress;
pub use crate::settings::InputSettings;
use crate::zipped;

/// An input as the user named it.
#[derive(Debug, PartialEq, Eq)]
pub struct NamedInput {
    /// The file; `-` is stdin.
    path: PathBuf,
    /// The number after the `@`, if there is one.
    core: Option<u32>,
}

/// A file that can be read as often as is needed.
#[derive(Debug)]
pub enum StoredInput {
    /// As the user named it.
    File(PathBuf),
    /// Bytes from a pipe.
    Spool(NamedTempFile),
}

impl StoredInput {
    /// Where it is.
    pub fn path(&self) -> &Path {
        match self {
            Self::File(path) => path,
            Self::Spool(file) => file.path(),
        }
    }
}

impl NamedInput {
    /// Takes `@core` off the name.
    pub fn parse(arg: &OsStr) -> anyhow::Result<Self> {
        let whole = || Self { path: PathBuf::from(arg), core: None };
        let Some((path, core)) = arg.to_str().and_then(|text| text.rsplit_once('@')) else {
            return Ok(whole());
        };
        // The @ may belong to the name of the file.
        let is_file = || Path::new(arg).exists();
        match core.parse() {
            Ok(core) if core < MAX_CORES && (Path::new(path).exists() || !is_file()) => {
                Ok(Self { path: path.into(), core: Some(core) })
            }
            _ if is_file() => Ok(whole()),
            Ok(core) => {
                bail!("{}: core id {core} is out of range 0 to {}", arg.display(), MAX_CORES - 1)
            }
            Err(_) => bail!(
                "{}: '{core}' after the @ is not a core id; name a file, or file@CORE with a number",
                arg.display()
            ),
        }
    }

    fn is_stdin(&self) -> bool {
        self.path == Path::new("-")
    }

    /// Its name for messages.
    pub fn display_name(&self) -> String {
        if self.is_stdin() { "stdin".to_owned() } else { self.path.display().to_string() }
    }

    /// It can be read once only.
    fn is_stream(&self) -> bool {
        let is_pipe = |meta: fs::Metadata| !meta.is_file() && !meta.is_dir();
        self.is_stdin() || fs::metadata(&self.path).is_ok_and(is_pipe)
    }

    /// A file, whatever its name contains.
    pub const fn file(path: PathBuf) -> Self {
        Self { path, core: None }
    }

    /// The recordings in it, if it is a zip archive.
    pub fn zipped(&self, how: InputSettings<'_>) -> anyhow::Result<Option<FileInputs<'static>>> {
        if self.is_stream() || self.path.is_dir() {
            return Ok(None);
        }
        zipped::open(&self.path, self.core, how)
    }

    /// The CTF trace that it names, if it does, and if the user names no other recorder.
    pub fn ctf(&self, how: InputSettings<'_>) -> anyhow::Result<Option<CtfFolder>> {
        let (name, is_dir) = (self.display_name(), self.path.is_dir());
        let is_ctf = matches!(how.recorder, InputFormat::Auto | InputFormat::Ctf);
        if self.is_stream() || !is_ctf && !is_dir {
            return Ok(None);
        }
        let found = ctf_folder::find(&self.path, how.ctf_map).map_err(anyhow::Error::msg)?;
        match found {
            None if is_dir => bail!("{name} is a folder: name the files of one target in it"),
            Some(_) if !is_ctf => bail!(
                "{name} is the folder of a CTF trace, and --input-format names another recorder: leave the option out, or name one \
                 file of the folder"
            ),
            None if how.recorder == InputFormat::Ctf => {
                bail!(
                    "{name} is not a stream of a CTF trace: name the folder with its file metadata"
                )
            }
            found => Ok(found),
        }
    }

    /// Opens an input that can be read only once.
    fn reader(&self) -> anyhow::Result<Box<dyn Read>> {
        if self.is_stdin() {
            return Ok(Box::new(io::stdin().lock()));
        }
        let file = File::open(&self.path);
        Ok(Box::new(file.with_context(|| format!("cannot read {}", self.display_name()))?))
    }

    /// Returns a file with the same bytes, if this is not a file.
    pub fn keep(&self) -> anyhow::Result<StoredInput> {
        if !self.is_stream() {
            return Ok(StoredInput::File(self.path.clone()));
        }
        // A device of zeros would fill the disk.
        let mut reader = BoundedStart::new(self.reader()?);
        let cannot = || format!("cannot keep {} in a temporary file", self.display_name());
        let mut spool = interrupt::create_temporary(NamedTempFile::new, NamedTempFile::path)
            .with_context(cannot)?;
        io::copy(&mut reader, &mut spool).with_context(cannot)?;
        Ok(StoredInput::Spool(spool))
    }

    /// Returns the input with the named core, or otherwise 0.
    pub fn on_its_core(&self, input: Input<'static>) -> Input<'static> {
        input.on_core(self.core.unwrap_or(0))
    }
}

/// A file under the name by which the user knows it, with the names in front that another file has.
pub fn store_input(
    name: String,
    file: Rc<StoredInput>,
    format: InputFormat,
    progress: &Progress,
) -> Input<'static> {
    let passes = progress.input(fs::metadata(file.path()).map_or(0, |meta| meta.len()));
    let names = names_of(file.path(), format).unwrap_or_default();
    let names: Rc<[u8]> = names.into();
    Input::new(name, move || {
        let recording = passes.reader(File::open(file.path())?);
        if names.is_empty() {
            return Ok(Box::new(recording));
        }
        Ok(Box::new(Cursor::new(Rc::clone(&names)).chain(recording)))
    })
}

/// Returns the identity of a file, independent of its name.
#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;
    let meta = if path == Path::new("-") {
        File::from(io::stdin().as_fd().try_clone_to_owned().ok()?).metadata()
    } else {
        fs::metadata(path)
    };
    meta.ok().map(|meta| (meta.dev(), meta.ino()))
}

/// Returns the identity of a file, independent of its name.
#[cfg(not(unix))]
fn identity(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok()
}

/// Fails if the file that is to be written is one of the inputs: a recording that is converted onto
/// itself would be lost. Another name for the output is the same with this ending.
pub fn refuse_to_overwrite(args: &[OsString], output: &Path, ending: &str) -> anyhow::Result<()> {
    let Some(output_file) = identity(output).filter(|_| output.is_file()) else { return Ok(()) };
    for arg in args {
        let NamedInput { path, .. } = NamedInput::parse(arg)?;
        if identity(&path).is_some_and(|input| input == output_file) {
            return Err(is_itself(output, ending));
        }
    }
    Ok(())
}

/// The error for an output that is the recording itself; it suggests the same name with this ending.
pub fn is_itself(output: &Path, ending: &str) -> anyhow::Error {
    anyhow!(
        "{} is the recording itself; name another file, for example {}",
        output.display(),
        output.with_extension(ending).display()
    )
}

/// Fails if two are the same file: its events would be there twice.
fn refuse_duplicates(all: &[NamedInput]) -> anyhow::Result<()> {
    for (index, second) in all.iter().enumerate() {
        let known = identity(&second.path);
        for first in all.get(..index).unwrap_or_default() {
            let same_name = first.path == second.path;
            match (first.display_name(), second.display_name()) {
                (_, name) if same_name && first.is_stdin() => {
                    bail!("{name} (-) can be given once only")
                }
                (_, name) if same_name => bail!("{name} is given twice"),
                (one, other) if known.is_some() && known == identity(&first.path) => {
                    bail!("{one} and {other} are the same file")
                }
                _ => {}
            }
        }
    }
    Ok(())
}

/// Whether there is one input, and it can be read only once.
pub fn is_stream(args: &[OsString]) -> anyhow::Result<bool> {
    let [arg] = args else { return Ok(false) };
    Ok(NamedInput::parse(arg)?.is_stream())
}

/// The streams of a CTF trace.
pub fn streams(named: &NamedInput, folder: &CtfFolder, progress: &Progress) -> Vec<Input<'static>> {
    let stream = |path: &PathBuf| {
        let file = Rc::new(StoredInput::File(path.clone()));
        let input = store_input(path.display().to_string(), file, InputFormat::Ctf, progress);
        named.on_its_core(input).of_trace(Rc::clone(&folder.trace))
    };
    folder.streams.iter().map(stream).collect()
}

/// Opens inputs that can be read as often as `progress` expects. An input that can be read only once is streamed if it is the
/// only one and one pass is enough.
pub fn open(
    args: &[OsString],
    how: InputSettings<'_>,
    once: bool,
    progress: &Progress,
) -> anyhow::Result<Vec<Input<'static>>> {
    let all = args.iter().map(|arg| NamedInput::parse(arg)).collect::<Result<_, _>>()?;
    open_named(all, how, once, progress)
}

/// Does the same for inputs whose names are known.
pub fn open_named(
    all: Vec<NamedInput>,
    how: InputSettings<'_>,
    once: bool,
    progress: &Progress,
) -> anyhow::Result<Vec<Input<'static>>> {
    let InputSettings { format, recorder, .. } = how;
    refuse_duplicates(&all)?;
    if let [only] = all.as_slice()
        && once
        && only.is_stream()
    {
        let input =
            Input::once(only.display_name(), only.reader()?).in_format(format).of_format(recorder);
        return Ok(vec![only.on_its_core(input)]);
    }
    let (mut traces, mut others, mut of_archives) = (Vec::new(), Vec::new(), Vec::new());
    let mut begins_with_trace = false;
    for named in all {
        if let Some(FileInputs { streams, recordings }) = named.zipped(how)? {
            begins_with_trace |= !streams.is_empty() && others.is_empty() && of_archives.is_empty();
            traces.extend(streams);
            of_archives.extend(recordings);
            continue;
        }
        match named.ctf(how)? {
            Some(folder) => {
                begins_with_trace |= others.is_empty() && of_archives.is_empty();
                traces.extend(streams(&named, &folder, progress));
            }
            None => others.push(named),
        }
    }
    let files: Vec<Rc<StoredInput>> =
        others.iter().map(|named| named.keep().map(Rc::new)).collect::<Result<_, _>>()?;
    // Reads for the comparison do not count as progress.
    let unseen = |(named, file): (&NamedInput, &Rc<StoredInput>)| {
        let file = Rc::clone(file);
        let open = move || Ok(Box::new(File::open(file.path())?) as BoxRead<'static>);
        Input::new(named.display_name(), open).in_format(format).of_format(recorder)
    };
    let compared = others.iter().zip(&files).map(unseen).collect::<Vec<_>>();
    refuse_copies(compared.iter().chain(of_archives.iter().map(|(_, input)| input)))?;
    let mut inputs = Vec::new();
    for (named, file) in others.iter().zip(files) {
        let input = named
            .on_its_core(store_input(named.display_name(), file, recorder, progress))
            .in_format(format);
        inputs.push((named.core, input.of_format(recorder)));
    }
    inputs.extend(of_archives);
    let mut inputs = group_by_core(inputs)?;
    // The first one is whose clock others follow.
    let at = if begins_with_trace { 0 } else { inputs.len() };
    inputs.splice(at..at, traces);
    Ok(inputs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn core_ids_are_taken_off() {
        let parse = |text: &str| NamedInput::parse(text.as_ref());
        assert_eq!(parse("a.bin@1").unwrap(), NamedInput { path: "a.bin".into(), core: Some(1) });
        assert_eq!(
            parse("a@b.bin@2").unwrap(),
            NamedInput { path: "a@b.bin".into(), core: Some(2) }
        );
        assert_eq!(parse("a.bin").unwrap(), NamedInput { path: "a.bin".into(), core: None });
        assert!(parse("a.bin@x").unwrap_err().to_string().contains("not a core id"));
        assert!(parse("a.bin@64").unwrap_err().to_string().contains("out of range"));
        assert!(parse("a.bin@-1").is_err());
    }
}
