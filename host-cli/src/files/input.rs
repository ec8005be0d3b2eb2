//! Inputs of the command line: `file`, `file@core`, `-`.
//!
//! What can be read once only, such as stdin or a pipe, is opened once: it is kept in a temporary file,
//! unless one pass is enough. Files of one core are one recording, in the order in which they are named.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::{Context, anyhow, bail};
use tband_conv::{BoxRead, Format, Input, InputFormat, MAX_CORES, group_by_core, refuse_copies};
use tempfile::NamedTempFile;

use crate::interrupt;
use crate::progress::Progress;

/// Bytes of a file `metadata` that show what its folder is.
const FOLDER_HEAD: u64 = 64 * 1024;

/// An input as the user named it.
#[derive(Debug, PartialEq, Eq)]
pub struct Named {
    /// The file; `-` is stdin.
    path: PathBuf,
    /// As it is after the `@`, if there is one.
    core: Option<u32>,
}

/// A file that can be read as often as is needed.
#[derive(Debug)]
pub enum Kept {
    /// As the user named it.
    File(PathBuf),
    /// What came out of a pipe.
    Spool(NamedTempFile),
}

impl Kept {
    /// Where it is.
    pub fn path(&self) -> &Path {
        match self {
            Self::File(path) => path,
            Self::Spool(file) => file.path(),
        }
    }
}

impl Named {
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
    pub fn shown(&self) -> String {
        if self.is_stdin() { "stdin".to_owned() } else { self.path.display().to_string() }
    }

    /// It can be read once only.
    fn is_stream(&self) -> bool {
        let is_pipe = |meta: fs::Metadata| !meta.is_file() && !meta.is_dir();
        self.is_stdin() || fs::metadata(&self.path).is_ok_and(is_pipe)
    }

    /// Fails if it is a folder, and names the recording that the folder is.
    fn refuse_folder(&self) -> anyhow::Result<()> {
        if self.is_stdin() || !self.path.is_dir() {
            return Ok(());
        }
        let name = self.shown();
        let mut metadata = Vec::new();
        if let Ok(file) = File::open(self.path.join("metadata")) {
            // What cannot be read is not recognised.
            let _ = file.take(FOLDER_HEAD).read_to_end(&mut metadata);
        }
        match tband_conv::recognise_folder(&metadata) {
            Some(found) => bail!("{name}: it is {}; tband cannot read it yet", found.text),
            None => bail!("{name} is a folder: name the files of one target in it"),
        }
    }

    /// Opens what can be read once only.
    fn reader(&self) -> anyhow::Result<Box<dyn Read>> {
        if self.is_stdin() {
            return Ok(Box::new(io::stdin().lock()));
        }
        let file = File::open(&self.path);
        Ok(Box::new(file.with_context(|| format!("cannot read {}", self.shown()))?))
    }

    /// A file with the same bytes, if this is none.
    pub fn keep(&self) -> anyhow::Result<Kept> {
        if !self.is_stream() {
            return Ok(Kept::File(self.path.clone()));
        }
        let mut reader = self.reader()?;
        let cannot = || format!("cannot keep {} in a temporary file", self.shown());
        let mut spool =
            interrupt::held(NamedTempFile::new, NamedTempFile::path).with_context(cannot)?;
        io::copy(&mut reader, &mut spool).with_context(cannot)?;
        Ok(Kept::Spool(spool))
    }

    /// The input with the core that is named, else 0.
    pub fn on_its_core(&self, input: Input<'static>) -> Input<'static> {
        input.on_core(self.core.unwrap_or(0))
    }
}

/// A file under the name by which the user knows it.
pub fn kept(name: String, file: Rc<Kept>, progress: &Progress) -> Input<'static> {
    let passes = progress.input(fs::metadata(file.path()).map_or(0, |meta| meta.len()));
    Input::new(name, move || Ok(Box::new(passes.reader(File::open(file.path())?))))
}

/// What distinguishes files whatever they are called.
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

/// What distinguishes files whatever they are called.
#[cfg(not(unix))]
fn identity(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok()
}

/// Fails if the file that is to be written is one of the inputs: a recording that is converted onto
/// itself would be lost. Another name for the output is the same with this ending.
pub fn refuse_to_overwrite(args: &[OsString], output: &Path, ending: &str) -> anyhow::Result<()> {
    let Some(output_file) = identity(output).filter(|_| output.is_file()) else { return Ok(()) };
    for arg in args {
        let Named { path, .. } = Named::parse(arg)?;
        if identity(&path).is_some_and(|input| input == output_file) {
            return Err(is_itself(output, ending));
        }
    }
    Ok(())
}

/// What is said of an output that is the recording; another name for it is the same with this ending.
pub fn is_itself(output: &Path, ending: &str) -> anyhow::Error {
    anyhow!(
        "{} is the recording itself; name another file, for example {}",
        output.display(),
        output.with_extension(ending).display()
    )
}

/// Fails if two are the same file: its events would be there twice.
fn refuse_twice(all: &[Named]) -> anyhow::Result<()> {
    for (index, second) in all.iter().enumerate() {
        let known = identity(&second.path);
        for first in all.get(..index).unwrap_or_default() {
            let same_name = first.path == second.path;
            match (first.shown(), second.shown()) {
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

/// There is one input, and it can be read once only.
pub fn is_stream(args: &[OsString]) -> anyhow::Result<bool> {
    let [arg] = args else { return Ok(false) };
    Ok(Named::parse(arg)?.is_stream())
}

/// Inputs that can be read as often as `progress` expects. What can be read once only is read as it
/// comes if it is the only one and once is enough.
pub fn open(
    args: &[OsString],
    (format, of): (Format, InputFormat),
    once: bool,
    progress: &Progress,
) -> anyhow::Result<Vec<Input<'static>>> {
    let all: Vec<Named> = args.iter().map(|arg| Named::parse(arg)).collect::<Result<_, _>>()?;
    refuse_twice(&all)?;
    all.iter().try_for_each(Named::refuse_folder)?;
    if let [only] = all.as_slice()
        && once
        && only.is_stream()
    {
        let input = Input::once(only.shown(), only.reader()?).in_format(format).of_format(of);
        return Ok(vec![only.on_its_core(input)]);
    }
    let files: Vec<Rc<Kept>> =
        all.iter().map(|named| named.keep().map(Rc::new)).collect::<Result<_, _>>()?;
    // What is read to compare them is no progress.
    let unseen = |(named, file): (&Named, &Rc<Kept>)| {
        let file = Rc::clone(file);
        let open = move || Ok(Box::new(File::open(file.path())?) as BoxRead<'static>);
        Input::new(named.shown(), open).in_format(format).of_format(of)
    };
    refuse_copies(&all.iter().zip(&files).map(unseen).collect::<Vec<_>>())?;
    let mut inputs = Vec::new();
    for (named, file) in all.iter().zip(files) {
        let input = named.on_its_core(kept(named.shown(), file, progress)).in_format(format);
        let input = input.of_format(of);
        inputs.push((named.core, input));
    }
    Ok(group_by_core(inputs)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn core_ids_are_taken_off() {
        let parse = |text: &str| Named::parse(text.as_ref());
        assert_eq!(parse("a.bin@1").unwrap(), Named { path: "a.bin".into(), core: Some(1) });
        assert_eq!(parse("a@b.bin@2").unwrap(), Named { path: "a@b.bin".into(), core: Some(2) });
        assert_eq!(parse("a.bin").unwrap(), Named { path: "a.bin".into(), core: None });
        assert!(parse("a.bin@x").unwrap_err().to_string().contains("not a core id"));
        assert!(parse("a.bin@64").unwrap_err().to_string().contains("out of range"));
        assert!(parse("a.bin@-1").is_err());
    }
}
