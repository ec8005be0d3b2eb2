//! Outputs of traces: a file that exists only when it is complete, or a stream.
//!
//! A file is written under a temporary name and finally renamed; an interruption removes it. Devices, pipes, open descriptors
//! and files with several names are written in place. Symbolic links stay.

use std::fs;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use tband_conv::ConvError;
use tband_export::Spool;
use tempfile::NamedTempFile;

use crate::interrupt;

/// Whether output to this path goes to a user at a terminal.
pub fn is_terminal(path: &Path) -> bool {
    if path == Path::new("-") {
        return io::stdout().is_terminal();
    }
    let is_device = fs::metadata(path).is_ok_and(|meta| !meta.is_file() && !meta.is_dir());
    // Opening a pipe blocks until it has a reader, and a pipe is not a terminal.
    is_device && !is_pipe(path) && open_at_once(path).is_ok_and(|file| file.is_terminal())
}

/// Opens a device for inspection: a serial line would block until the other end is connected.
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

/// Returns the folder that a file is in, or will be.
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

/// Runs `make` with a writer to a file of this name, which is replaced on success. A file that cannot be replaced, such as a
/// pipe, is treated like stdout.
pub fn to_file<T>(
    path: &Path,
    all_or_nothing: bool,
    make: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let cannot = || format!("cannot write {}", path.display());
    if let Some(mut file) = descriptor(path).with_context(cannot)? {
        return to_stream(&mut file, all_or_nothing, make).map_err(|error| named(error, cannot));
    }
    let before = fs::metadata(path).ok();
    // A device or pipe must not be replaced by a file.
    if before.as_ref().is_some_and(|meta| !meta.is_file()) {
        let mut file = fs::OpenOptions::new().write(true).open(path).with_context(cannot)?;
        return to_stream(&mut file, all_or_nothing, make).map_err(|error| named(error, cannot));
    }
    if before.as_ref().is_some_and(is_shared) {
        return overwrite(path, make).map_err(|error| named(error, cannot));
    }
    // A link is not replaced either.
    let path = &target_of(path);
    let dir = folder_of(path)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".tband-").suffix(".part");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    if let Some(meta) = &before {
        builder.permissions(meta.permissions());
    }
    let part = interrupt::create_temporary(|| builder.tempfile_in(dir), NamedTempFile::path);
    let mut part = part.with_context(cannot)?;
    let mut out = BufWriter::new(part.as_file_mut());
    let made = make(&mut out).map_err(|error| named(error, cannot))?;
    out.flush().with_context(cannot)?;
    drop(out);
    part.persist(path).map_err(|error| error.error).with_context(cannot)?;
    Ok(made)
}

/// Returns a duplicate of the open descriptor that a path such as /dev/stdout or /dev/fd/3 names.
///
/// The program that opened the file owns its content and its position: with `>> log`, output is appended.
///
/// # Errors
/// The descriptor is not open.
#[cfg(unix)]
pub fn descriptor(path: &Path) -> io::Result<Option<fs::File>> {
    use std::os::fd::BorrowedFd;
    let Some(number) = descriptor_number(path) else { return Ok(None) };
    if fs::symlink_metadata(Path::new("/dev/fd").join(number.to_string())).is_err() {
        return Err(io::ErrorKind::NotFound.into());
    }
    // SAFETY: the descriptor is in the list of open ones. It is only duplicated, which fails if it was closed since then.
    let borrowed = unsafe { BorrowedFd::borrow_raw(number) };
    Ok(Some(fs::File::from(borrowed.try_clone_to_owned()?)))
}

/// Returns none: no path names a descriptor here.
///
/// # Errors
/// None.
#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps, reason = "as on Unix")]
pub const fn descriptor(_: &Path) -> io::Result<Option<fs::File>> {
    Ok(None)
}

/// Returns the number of the descriptor that a path names, directly or through symbolic links.
#[cfg(unix)]
fn descriptor_number(path: &Path) -> Option<i32> {
    let own = PathBuf::from(format!("/proc/{}", std::process::id()));
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let folder = fs::canonicalize(folder_of(&path).ok()?).ok()?;
        let name = path.file_name()?;
        // On Linux also /proc/PID/task/TID/fd; on other systems /dev/fd.
        let is_own = folder.starts_with(&own) && folder.ends_with("fd");
        if is_own || folder == Path::new("/dev/fd") {
            return name.to_str()?.parse().ok().filter(|number| *number >= 0);
        }
        path = folder.join(fs::read_link(folder.join(name)).ok()?);
    }
    None
}

/// Symbolic links that are followed, one after another. Linux follows as many.
const MAX_LINKS: usize = 40;

/// Returns the file that a path names, directly or through symbolic links, whether or not the file exists.
fn target_of(path: &Path) -> PathBuf {
    let mut target = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(link) = fs::read_link(&target) else { break };
        target = target.parent().unwrap_or(Path::new("")).join(link);
    }
    fs::canonicalize(&target).unwrap_or(target)
}

/// Returns true if the file has other names (hard links) or belongs to another user: a renamed file would lose both.
#[cfg(unix)]
fn is_shared(meta: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    // SAFETY: the function only returns a number.
    meta.nlink() > 1 || meta.uid() != unsafe { libc::geteuid() }
}

/// Returns false: the file can be replaced.
#[cfg(not(unix))]
const fn is_shared(_: &fs::Metadata) -> bool {
    false
}

/// Overwrites the content of a file after `make` has produced all of its output.
fn overwrite<T>(
    path: &Path,
    make: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    // Missing permission is reported before the work is done.
    let mut file = fs::OpenOptions::new().write(true).open(path).map_err(ConvError::Write)?;
    let mut spool = Spool::default();
    let made = make(&mut spool)?;
    file.set_len(0)
        .and_then(|()| io::Seek::rewind(&mut spool))
        .and_then(|()| io::copy(&mut spool, &mut file))
        .map_err(ConvError::Write)?;
    Ok(made)
}

/// Adds the name of the output to its write errors.
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

/// Runs `make` with stdout; if it is `all_or_nothing`, the output is printed only on success.
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
