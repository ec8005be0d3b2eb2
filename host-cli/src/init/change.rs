//! Writes all files, or none.

use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tempfile::NamedTempFile;

use crate::interrupt;

/// A file that gets a new content, or is removed.
#[derive(Clone, Debug)]
pub struct Change {
    pub path: PathBuf,
    /// `None`: the file is removed.
    pub content: Option<Vec<u8>>,
}

/// Beginning and end of the names of files that are not complete.
const PART: (&str, &str) = (".tband-", ".part");

/// A file before it was changed.
struct Before {
    content: Vec<u8>,
    meta: Metadata,
}

/// A change that is ready to be made.
struct StagedChange<'c> {
    path: &'c Path,
    part: Option<NamedTempFile>,
    before: Option<Before>,
}

/// Files before they were changed; `None` for new ones.
type EarlierContents = Vec<(PathBuf, Option<Before>)>;

/// Makes all changes. `first` is made before another file is begun: a record of the others, which an end of the program cannot
/// lose then.
///
/// # Errors
/// A file or folder cannot be written. Nothing is changed then, except files that the text names.
pub fn apply(first: Option<Change>, changes: &[Change]) -> anyhow::Result<()> {
    first.iter().chain(changes).try_for_each(|it| check(&it.path))?;
    let (mut folders, mut done) = (Vec::new(), EarlierContents::new());
    let made = make(first.as_slice(), &mut folders, &mut done)
        .and_then(|()| make(changes, &mut folders, &mut done));
    let Err(error) = made else { return Ok(()) };
    let kept = undo(done);
    folders.iter().rev().for_each(|it| {
        let _ = fs::remove_dir(it);
    });
    if kept.is_empty() { Err(error) } else { bail!("{error:#}; {}", kept.join("; ")) }
}

fn make(
    changes: &[Change],
    folders: &mut Vec<PathBuf>,
    done: &mut EarlierContents,
) -> anyhow::Result<()> {
    let mut staged = Vec::new();
    for Change { path, content } in changes {
        let cannot = || format!("cannot write {}", path.display());
        let before = read(path).with_context(cannot)?;
        let part = match content {
            Some(content) => {
                create(path.parent().context("it has no folder")?, folders).with_context(cannot)?;
                let meta = before.as_ref().map(|it| &it.meta);
                Some(stage(path, content, meta).with_context(cannot)?)
            }
            None => None,
        };
        staged.push(StagedChange { path, part, before });
    }
    // Only a few moments, in which an interruption would leave half of it.
    interrupt::call_on_interrupt(|| {});
    let made = staged.into_iter().try_for_each(|StagedChange { path, part, before }| {
        match part {
            Some(part) => part.persist(path).map(drop).map_err(|error| error.error),
            None => fs::remove_file(path),
        }
        .with_context(|| format!("cannot write {}", path.display()))?;
        done.push((path.to_owned(), before));
        Ok(())
    });
    interrupt::end_program_on_interrupt();
    made
}

/// Reads a file before it is changed; `None` if it is not there.
fn read(path: &Path) -> io::Result<Option<Before>> {
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut content = Vec::new();
    file.read_to_end(&mut content)?;
    Ok(Some(Before { content, meta: file.metadata()? }))
}

/// Restores files, the last one first. Returns a message for each that cannot be restored.
fn undo(done: EarlierContents) -> Vec<String> {
    interrupt::call_on_interrupt(|| {});
    let restore = |(path, before): (PathBuf, Option<Before>)| {
        let result = match before {
            Some(Before { content, meta }) => stage(&path, &content, Some(&meta))
                .and_then(|part| Ok(part.persist(&path).map(drop).map_err(|error| error.error)?)),
            None => fs::remove_file(&path).map_err(Into::into),
        };
        let error = result.err()?;
        Some(format!("{} is changed and cannot be restored: {error:#}", path.display()))
    };
    let kept = done.into_iter().rev().filter_map(restore).collect();
    interrupt::end_program_on_interrupt();
    kept
}

/// Writes a new content beside its place. `like`: a file whose permissions, owner and group it gets.
fn stage(path: &Path, content: &[u8], like: Option<&Metadata>) -> anyhow::Result<NamedTempFile> {
    let folder = path.parent().context("it has no folder")?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(PART.0).suffix(PART.1);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    if let Some(meta) = like {
        builder.permissions(meta.permissions());
    }
    let mut part =
        interrupt::create_temporary(|| builder.tempfile_in(folder), NamedTempFile::path)?;
    part.as_file_mut().write_all(content)?;
    part.as_file_mut().flush()?;
    File::sync_all(part.as_file())?;
    #[cfg(unix)]
    if let Some(meta) = like {
        own(part.as_file(), meta)?;
        // The mask of new files is not that of an existing one.
        part.as_file().set_permissions(meta.permissions())?;
    }
    Ok(part)
}

/// Gives a file the owner and the group of another one.
#[cfg(unix)]
fn own(file: &File, like: &Metadata) -> anyhow::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, fchown};
    let now = file.metadata()?;
    let other = |now: u32, wanted: u32| (now != wanted).then_some(wanted);
    let (user, group) = (other(now.uid(), like.uid()), other(now.gid(), like.gid()));
    if user.is_some() || group.is_some() {
        fchown(file, user, group).context(
            "the new file cannot have the owner and group of the old one; run this as its owner",
        )?;
    }
    Ok(())
}

/// Returns whether a file has several names; a new file would replace only one of them.
pub fn has_other_names(path: &Path) -> bool {
    #[cfg(unix)]
    let count = fs::metadata(path).map_or(1, |it| std::os::unix::fs::MetadataExt::nlink(&it));
    #[cfg(not(unix))]
    let count = {
        let _ = path;
        1
    };
    count > 1
}

/// Files in a folder that a program did not complete before it was ended.
pub fn incomplete(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_part = |it: &fs::DirEntry| {
        let name = it.file_name();
        let name = name.to_string_lossy();
        let is_file = it.file_type().is_ok_and(|kind| kind.is_file());
        is_file && name.starts_with(PART.0) && name.ends_with(PART.1)
    };
    entries.filter(is_part).map(|it| it.path()).collect()
}

/// Returns the folders of a place, the outer ones first, that hold nothing but files that a program did not complete: the place
/// itself, and the folders around it in `root` that hold only that. An `init` that was ended before its first file leaves them.
pub fn unused(root: &Path, place: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    for folder in place.ancestors().take_while(|it| *it != root) {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(_) => break,
        };
        let parts = incomplete(folder);
        let is_known = |it: &PathBuf| found.last() == Some(it) || parts.contains(it);
        let mut entries = entries.map(|it| it.map(|it| it.path()));
        if !entries.all(|it| it.is_ok_and(|it| is_known(&it))) {
            break;
        }
        found.push(folder.to_owned());
    }
    found.reverse();
    found
}

/// Creates a folder and those that it is in.
fn create(folder: &Path, folders: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    if folder.as_os_str().is_empty() || folder.is_dir() {
        return Ok(());
    }
    if let Some(parent) = folder.parent() {
        create(parent, folders)?;
    }
    fs::create_dir(folder)?;
    folders.push(folder.to_owned());
    Ok(())
}

/// Fails if a file may not be changed.
fn check(path: &Path) -> anyhow::Result<()> {
    let is_read_only = |meta: &Metadata| meta.permissions().readonly();
    match fs::metadata(path) {
        Ok(meta) if !meta.is_file() => bail!("{} is in the way: it is not a file", path.display()),
        Ok(meta) if is_read_only(&meta) => {
            bail!(
                "{} is read-only: allow writing, for example with chmod +w, and run this again",
                path.display()
            )
        }
        Ok(_) => Ok(()),
        Err(_) => {
            // The nearest folder that exists.
            let folder = path.ancestors().skip(1).find(|it| it.exists());
            let meta = folder.and_then(|it| Some((it, fs::metadata(it).ok()?)));
            match meta {
                Some((folder, meta)) if !meta.is_dir() => {
                    bail!("{} is in the way: it is not a folder", folder.display())
                }
                Some((folder, meta)) if is_read_only(&meta) => {
                    bail!(
                        "{} is read-only: allow writing, for example with chmod +w, and run this again",
                        folder.display()
                    )
                }
                _ => Ok(()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_files_are_written_or_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("a"), "old").unwrap();
        let change = |name: &str, content: Option<&str>| Change {
            path: path(name),
            content: content.map(|it| it.as_bytes().to_vec()),
        };
        // A file cannot be a folder, which is found when it is written.
        let changes = [change("a", Some("new")), change("b/c", Some("x")), change("gone", None)];
        assert!(apply(None, &changes).is_err());
        assert_eq!(fs::read_to_string(path("a")).unwrap(), "old");
        assert!(!path("b").exists());
        apply(None, &changes[..2]).unwrap();
        assert_eq!(fs::read_to_string(path("a")).unwrap(), "new");
        assert_eq!(fs::read_to_string(path("b/c")).unwrap(), "x");
        apply(None, &[change("a", None)]).unwrap();
        assert!(!path("a").exists());
        let mut permissions = fs::metadata(path("b/c")).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(path("b/c"), permissions).unwrap();
        let error = apply(None, &[change("d", Some("x")), change("b/c", Some("y"))])
            .unwrap_err()
            .to_string();
        assert!(error.contains("read-only") && !path("d").exists(), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn a_restored_file_has_its_permissions() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let mode = |name: &str| fs::metadata(path(name)).unwrap().permissions().mode() & 0o777;
        for (name, mode) in [("removed", 0o600), ("changed", 0o755)] {
            fs::write(path(name), "old").unwrap();
            fs::set_permissions(path(name), fs::Permissions::from_mode(mode)).unwrap();
        }
        let change = |name: &str, content: Option<&str>| Change {
            path: path(name),
            content: content.map(|it| it.as_bytes().to_vec()),
        };
        // The last one cannot be removed, which is found after the others are made.
        let changes = [change("removed", None), change("changed", Some("new")), change("no", None)];
        assert!(apply(None, &changes).is_err());
        assert_eq!((mode("removed"), mode("changed")), (0o600, 0o755));
        assert_eq!(fs::read_to_string(path("removed")).unwrap(), "old");
        assert_eq!(fs::read_to_string(path("changed")).unwrap(), "old");
    }
}
