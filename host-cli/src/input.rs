//! Inputs of the command line: `file`, `file@core`, `-`.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tband_conv::{Format, Input, MAX_CORES};

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

    /// An input that can be read once; stdin is read as it comes.
    pub fn stream(self, format: Format) -> Input<'static> {
        let core = self.core;
        let input = if self.is_stdin() {
            Input::new("stdin", || Ok(Box::new(io::stdin().lock())))
        } else {
            file(self.path)
        };
        input.on_core(core).in_format(format)
    }
}

fn file(path: PathBuf) -> Input<'static> {
    let name = path.display().to_string();
    Input::new(name, move || Ok(Box::new(File::open(&path)?)))
}

/// Inputs that can be read more than once; stdin is kept in a temporary file.
pub fn reopenable(args: &[OsString], format: Format) -> anyhow::Result<Vec<Input<'static>>> {
    let mut inputs = Vec::new();
    let mut stdin_seen = false;
    for arg in args {
        let named = Named::parse(arg)?;
        let core = named.core;
        let input = if named.is_stdin() {
            if std::mem::replace(&mut stdin_seen, true) {
                bail!("stdin (-) can be given once only");
            }
            spooled_stdin().context("cannot keep stdin in a temporary file")?
        } else {
            file(named.path)
        };
        inputs.push(input.on_core(core).in_format(format));
    }
    Ok(inputs)
}

fn spooled_stdin() -> io::Result<Input<'static>> {
    let mut spool = tempfile::NamedTempFile::new()?;
    io::copy(&mut io::stdin().lock(), &mut spool)?;
    Ok(Input::new("stdin", move || Ok(Box::new(spool.reopen()?))))
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
