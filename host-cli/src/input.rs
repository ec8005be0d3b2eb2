//! Inputs of the command line: `file`, `file@core`, `-`.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tband_conv::{DumpFilter, DumpFormat, Format, Input, MAX_CORES, Mode, dump_filtered};
use tempfile::NamedTempFile;

use crate::interrupt;
use crate::progress::Progress;

/// What is read of an input to see whether it says its core, in bytes.
const HEAD: u64 = 4096;

/// An input as the user named it.
#[derive(Debug, PartialEq, Eq)]
pub struct Named {
    /// The file; `-` is stdin.
    path: PathBuf,
    /// As it stands behind the `@`, if there is one.
    core: Option<u32>,
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
                "{}: '{core}' behind the @ is not a core id; name a file, or file@CORE with a number",
                arg.display()
            ),
        }
    }

    /// The recording begins with the number of its core, as those do that are made as a stream.
    fn says_its_core(&self, format: Format) -> bool {
        let Some(path) = self.file() else { return false };
        let mut head = Vec::new();
        let read = File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head));
        let input = Input::from_bytes("", &head).in_format(format);
        let events = vec!["core_id".to_owned()];
        let filter = DumpFilter { events, limit: Some(1), ..DumpFilter::default() };
        let found = dump_filtered(&input, Mode::FreeRtos, DumpFormat::Text, filter, io::sink());
        read.is_ok() && found.is_ok_and(|summary| summary.shown > 0)
    }

    fn is_stdin(&self) -> bool {
        self.path == Path::new("-")
    }

    /// Its name for messages.
    fn shown(&self) -> String {
        if self.is_stdin() { "stdin".to_owned() } else { self.path.display().to_string() }
    }

    /// It can be read once only.
    fn is_stream(&self) -> bool {
        let is_pipe = |meta: fs::Metadata| !meta.is_file() && !meta.is_dir();
        self.is_stdin() || fs::metadata(&self.path).is_ok_and(is_pipe)
    }

    /// The file, unless it can be read once only.
    pub fn file(&self) -> Option<&Path> {
        (!self.is_stream()).then_some(&self.path)
    }

    /// An input that can be read once; stdin is read as it comes.
    pub fn stream(self, format: Format, progress: &Progress) -> Input<'static> {
        let core = self.core.unwrap_or(0);
        let input = if self.is_stdin() {
            Input::new("stdin", || Ok(Box::new(io::stdin().lock())))
        } else {
            file(self.path, progress)
        };
        input.on_core(core).in_format(format)
    }

    /// An input that can be read more than once; what cannot, such as stdin or a pipe, is kept in a
    /// temporary file.
    fn reopenable(self, format: Format, progress: &Progress) -> anyhow::Result<Input<'static>> {
        let (core, shown) = (self.core.unwrap_or(0), self.shown());
        let keep = || format!("cannot keep {shown} in a temporary file");
        let input = if self.is_stdin() {
            spooled(&shown, &mut io::stdin().lock(), progress).with_context(keep)?
        } else if self.is_stream() {
            let cannot = || format!("cannot read {shown}");
            let mut pipe = File::open(&self.path).with_context(cannot)?;
            spooled(&shown, &mut pipe, progress).with_context(keep)?
        } else {
            file(self.path, progress)
        };
        Ok(input.on_core(core).in_format(format))
    }
}

fn file(path: PathBuf, progress: &Progress) -> Input<'static> {
    let passes = progress.input(fs::metadata(&path).map_or(0, |meta| meta.len()));
    let name = path.display().to_string();
    Input::new(name, move || Ok(Box::new(passes.reader(File::open(&path)?))))
}

fn spooled(name: &str, from: &mut dyn Read, progress: &Progress) -> io::Result<Input<'static>> {
    let mut spool = interrupt::held(NamedTempFile::new, NamedTempFile::path)?;
    let passes = progress.input(io::copy(from, &mut spool)?);
    Ok(Input::new(name, move || Ok(Box::new(passes.reader(spool.reopen()?)))))
}

/// Fails if the file that is to be written is one of the inputs: a recording that is converted onto
/// itself would be lost.
pub fn refuse_to_overwrite(args: &[OsString], output: &Path) -> anyhow::Result<()> {
    let Ok(output_file) = fs::canonicalize(output) else { return Ok(()) };
    for arg in args {
        let Named { path, .. } = Named::parse(arg)?;
        if fs::canonicalize(&path).is_ok_and(|input| input == output_file) {
            bail!(
                "{} is the recording itself; name another file for the trace, for example {}",
                output.display(),
                output.with_extension("pftrace").display()
            );
        }
    }
    Ok(())
}

/// What to say if several inputs have no core: most likely they are not all of the first one.
pub fn doubt(args: &[OsString], format: Format) -> anyhow::Result<Option<String>> {
    let mut silent = Vec::new();
    for arg in args {
        let named = Named::parse(arg)?;
        if named.core.is_none() && !named.says_its_core(format) {
            silent.push(named.shown());
        }
    }
    let Some(last) = silent.last().filter(|_| silent.len() > 1) else { return Ok(None) };
    let all = silent.join(" and ");
    Ok(Some(format!("{all} are taken to be of core 0; name another core as in {last}@1")))
}

/// Inputs that can be read more than once.
pub fn reopenable(
    args: &[OsString],
    format: Format,
    progress: &Progress,
) -> anyhow::Result<Vec<Input<'static>>> {
    let named: Vec<Named> = args.iter().map(|arg| Named::parse(arg)).collect::<Result<_, _>>()?;
    if named.iter().filter(|named| named.is_stdin()).count() > 1 {
        bail!("stdin (-) can be given once only");
    }
    named.into_iter().map(|named| named.reopenable(format, progress)).collect()
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
