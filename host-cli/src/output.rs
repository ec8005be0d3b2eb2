//! Where traces go: a file that is there only when it is whole, or a stream; compressed or not.
//!
//! A file is written under a temporary name and renamed in the end; an interruption removes it. A
//! compressed stream gets its end only if everything before it was written, so a truncated one does not
//! decompress without an error.

use std::cell::Cell;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::{Context, anyhow};
use flate2::Compression;
use flate2::write::GzEncoder;
use tband_conv::ConvError;
use tempfile::NamedTempFile;

use crate::interrupt;

/// Runs `make` with a writer to a file of this name, which is replaced if all goes well. What cannot be
/// replaced, such as a pipe, is treated as stdout is.
pub fn to_file<T>(
    path: &Path,
    all_or_nothing: bool,
    make: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let cannot = || format!("cannot write {}", path.display());
    let before = fs::metadata(path).ok();
    // A device or pipe must not be replaced by a file.
    if before.as_ref().is_some_and(|meta| !meta.is_file()) {
        let mut file = fs::OpenOptions::new().write(true).open(path).with_context(cannot)?;
        return to_stream(&mut file, all_or_nothing, make).map_err(|error| named(error, cannot));
    }
    // Nor a link.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let dir = match path.parent() {
        Some(dir) if dir != Path::new("") => dir,
        _ => Path::new("."),
    };
    if !dir.is_dir() {
        return Err(anyhow!("there is no folder {}", dir.display())).with_context(cannot);
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(".tband-").suffix(".part");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    if let Some(meta) = &before {
        builder.permissions(meta.permissions());
    }
    let part = interrupt::held(|| builder.tempfile_in(dir), NamedTempFile::path);
    let mut part = part.with_context(cannot)?;
    let mut out = BufWriter::new(part.as_file_mut());
    let made = make(&mut out).map_err(|error| named(error, cannot))?;
    out.flush().with_context(cannot)?;
    drop(out);
    part.persist(path).map_err(|error| error.error).with_context(cannot)?;
    Ok(made)
}

/// If the output cannot be written, that comes with its name.
fn named(error: anyhow::Error, cannot: impl FnOnce() -> String) -> anyhow::Error {
    match error.downcast() {
        Ok(ConvError::Write(source)) => anyhow::Error::new(source).context(cannot()),
        Ok(other) => other.into(),
        Err(error) => error,
    }
}

/// Prints the answer of a command.
pub fn print(text: &[u8]) -> anyhow::Result<()> {
    io::stdout().lock().write_all(text).context("cannot write to stdout")
}

/// Runs `make` with stdout; if it is `all_or_nothing`, nothing is printed before all is well.
pub fn to_stdout<T>(
    all_or_nothing: bool,
    make: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    to_stream(&mut io::stdout().lock(), all_or_nothing, make)
}

fn to_stream<T>(
    mut out: &mut dyn Write,
    all_or_nothing: bool,
    make: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    if !all_or_nothing {
        let made = make(out)?;
        out.flush().map_err(ConvError::Write)?;
        return Ok(made);
    }
    let mut spool = tempfile::tempfile().context("cannot make a temporary file")?;
    let made = make(&mut spool)?;
    let copied = io::Seek::rewind(&mut spool).and_then(|()| io::copy(&mut spool, &mut out));
    copied.and_then(|_| out.flush()).map_err(ConvError::Write)?;
    Ok(made)
}

/// Runs `make` with a writer that compresses into `out`.
pub fn gzipped<T>(
    out: &mut dyn Write,
    make: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let open = Cell::new(true);
    let mut encoder = GzEncoder::new(Gate { out, open: &open }, Compression::default());
    let made = make(&mut encoder);
    // What is dropped unfinished would write its end all the same.
    open.set(made.is_ok());
    let made = made?;
    encoder.finish().map_err(ConvError::Write)?;
    Ok(made)
}

/// Lets nothing through once it is shut.
struct Gate<'w> {
    out: &'w mut dyn Write,
    open: &'w Cell<bool>,
}

impl Write for Gate<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.open.get() { self.out.write(bytes) } else { Err(io::ErrorKind::Other.into()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    fn unzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        flate2::read::GzDecoder::new(bytes).read_to_end(&mut text).map(|_| text)
    }

    #[test]
    fn what_fails_half_way_has_no_end() {
        let mut whole = Vec::new();
        gzipped(&mut whole, |out| Ok(out.write_all(&[7; 100_000])?)).unwrap();
        assert_eq!(unzip(&whole).unwrap(), [7; 100_000]);
        let mut cut = Vec::new();
        let result: anyhow::Result<()> = gzipped(&mut cut, |out| {
            out.write_all(&[7; 100_000])?;
            anyhow::bail!("no more")
        });
        assert_eq!(result.unwrap_err().to_string(), "no more");
        assert!(unzip(&cut).is_err());
    }
}
