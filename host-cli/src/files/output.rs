//! Where traces go: a file that is there only when it is whole, or a stream.
//!
//! A file is written under a temporary name and renamed in the end; an interruption removes it.

use std::fs;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

use anyhow::{Context, ensure};
use tband_conv::ConvError;
use tband_export::Spool;
use tempfile::NamedTempFile;

use crate::interrupt;

/// What is written there is seen by somebody at a terminal.
pub fn is_terminal(path: &Path) -> bool {
    if path == Path::new("-") {
        return io::stdout().is_terminal();
    }
    let is_device = fs::metadata(path).is_ok_and(|meta| !meta.is_file() && !meta.is_dir());
    // A pipe waits for its reader when it is opened, and is none.
    is_device && !is_pipe(path) && open_at_once(path).is_ok_and(|file| file.is_terminal())
}

/// Opens a device to look at it: a serial line would wait for somebody at its other end.
fn open_at_once(path: &Path) -> io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        &mut options,
        libc::O_NONBLOCK | libc::O_NOCTTY,
    );
    options.read(true).open(path)
}

#[cfg(unix)]
fn is_pipe(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    fs::metadata(path).is_ok_and(|meta| meta.file_type().is_fifo())
}

#[cfg(not(unix))]
const fn is_pipe(_: &Path) -> bool {
    false
}

/// The folder that a file is in, or will be.
///
/// # Errors
/// There is none.
pub fn folder_of(path: &Path) -> anyhow::Result<&Path> {
    let dir = match path.parent() {
        Some(dir) if dir != Path::new("") => dir,
        _ => Path::new("."),
    };
    ensure!(dir.is_dir(), "cannot write {}: there is no folder {}", path.display(), dir.display());
    Ok(dir)
}

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
    let dir = folder_of(path)?;
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
    let mut spool = Spool::default();
    let made = make(&mut spool)?;
    let copied = io::Seek::rewind(&mut spool).and_then(|()| io::copy(&mut spool, &mut out));
    copied.and_then(|_| out.flush()).map_err(ConvError::Write)?;
    Ok(made)
}
