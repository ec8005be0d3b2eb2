//! Inputs of the command line: `file`, `file@core`, `-`.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tband_conv::{Format, Input, MAX_CORES};
use tempfile::NamedTempFile;

use crate::interrupt;
use crate::progress::Progress;

/// An input as the user named it.
#[derive(Debug, PartialEq, Eq)]
pub struct Named {
    /// The file; `-` is stdin.
    path: PathBuf,
    core: u32,
}

impl Named {
    /// Takes `@core` off the name.
    pub fn parse(arg: &OsStr) -> anyhow::Result<Self> {
        let whole = || Self { path: PathBuf::from(arg), core: 0 };
        let Some((path, core)) = arg.to_str().and_then(|text| text.rsplit_once('@')) else {
            return Ok(whole());
        };
        match core.parse() {
            Ok(core) if core < MAX_CORES => Ok(Self { path: path.into(), core }),
            // The @ may belong to the name of the file.
            _ if Path::new(arg).exists() => Ok(whole()),
            Ok(core) => {
                bail!("{}: core id {core} is out of range 0 to {}", arg.display(), MAX_CORES - 1)
            }
            Err(_) => bail!(
                "{}: '{core}' behind the @ is not a core id; name a file, or file@CORE with a number",
                arg.display()
            ),
        }
    }

    fn is_stdin(&self) -> bool {
        self.path == Path::new("-")
    }

    /// Its name for messages.
    fn shown(&self) -> String {
        if self.is_stdin() { "stdin".to_owned() } else { self.path.display().to_string() }
    }

    /// An input that can be read once; stdin is read as it comes.
    pub fn stream(self, format: Format, progress: &Progress) -> Input<'static> {
        let core = self.core;
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
        let (core, shown) = (self.core, self.shown());
        let once = |meta: fs::Metadata| !meta.is_file() && !meta.is_dir();
        let keep = || format!("cannot keep {shown} in a temporary file");
        let input = if self.is_stdin() {
            spooled(&shown, &mut io::stdin().lock(), progress).with_context(keep)?
        } else if fs::metadata(&self.path).is_ok_and(once) {
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
        assert_eq!(parse("a.bin@1").unwrap(), Named { path: "a.bin".into(), core: 1 });
        assert_eq!(parse("a@b.bin@2").unwrap(), Named { path: "a@b.bin".into(), core: 2 });
        assert_eq!(parse("a.bin").unwrap(), Named { path: "a.bin".into(), core: 0 });
        assert!(parse("a.bin@x").unwrap_err().to_string().contains("not a core id"));
        assert!(parse("a.bin@64").unwrap_err().to_string().contains("out of range"));
        assert!(parse("a.bin@-1").is_err());
    }
}
