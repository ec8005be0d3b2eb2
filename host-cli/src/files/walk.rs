//! The files in the folder of a project.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::bail;

/// Maximum number of files and folders that are visited.
const MAX_FILES: usize = 100_000;
/// Folders that have no sources of firmware, besides hidden ones.
const SKIPPED: [&str; 2] = ["node_modules", "__pycache__"];
/// Files that only the folder of a build has: of CMake, and of cargo.
const OF_BUILD: [&str; 2] = ["CMakeCache.txt", "CACHEDIR.TAG"];

/// A file or a link.
pub struct Found<'n> {
    pub path: PathBuf,
    pub name: &'n str,
    pub is_link: bool,
}

/// Examines what a walk finds. An error ends the walk.
pub trait Visitor {
    /// Returns whether the folders and files in a folder are visited.
    fn enters(&mut self, folder: &Path) -> anyhow::Result<bool>;
    fn take(&mut self, found: Found<'_>) -> anyhow::Result<()>;
    /// A folder cannot be read.
    fn miss(&mut self, folder: &Path, error: io::Error) -> anyhow::Result<()>;
}

/// Visits all files in a folder, in the same order on every machine. Hidden folders, links to folders, and folders of a build other
/// than `root` are left out.
///
/// # Errors
/// There are too many files, or the visitor returns an error.
pub fn walk(root: &Path, visitor: &mut impl Visitor) -> anyhow::Result<()> {
    let (mut folders, mut seen) = (vec![root.to_owned()], 0);
    while let Some(folder) = folders.pop() {
        let is_of_build = OF_BUILD.iter().any(|it| folder.join(it).is_file());
        if (is_of_build && folder != root) || !visitor.enters(&folder)? {
            continue;
        }
        let entries = fs::read_dir(&folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        let mut entries = match entries {
            Ok(entries) => entries,
            Err(error) => {
                visitor.miss(&folder, error)?;
                continue;
            }
        };
        entries.sort_by_key(fs::DirEntry::file_name);
        seen += entries.len();
        if seen > MAX_FILES {
            bail!(
                "{} has more than {MAX_FILES} files; name the folder of the firmware",
                root.display()
            );
        }
        for entry in entries {
            let (path, name) = (entry.path(), entry.file_name());
            let kind = entry.file_type();
            if kind.as_ref().is_ok_and(fs::FileType::is_dir) {
                folders.extend(is_entered(&name).then_some(path));
                continue;
            }
            let is_link = kind.is_ok_and(|it| it.is_symlink());
            visitor.take(Found { path, name: &name.to_string_lossy(), is_link })?;
        }
    }
    Ok(())
}

fn is_entered(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    !name.starts_with('.') && !SKIPPED.contains(&name.as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of the files, and the folders that cannot be read.
    #[derive(Default)]
    struct Names(Vec<String>, Vec<PathBuf>);

    impl Visitor for Names {
        fn enters(&mut self, folder: &Path) -> anyhow::Result<bool> {
            Ok(!folder.ends_with("other"))
        }

        fn take(&mut self, found: Found<'_>) -> anyhow::Result<()> {
            self.0.push(found.name.to_owned());
            Ok(())
        }

        fn miss(&mut self, folder: &Path, _: io::Error) -> anyhow::Result<()> {
            self.1.push(folder.to_owned());
            Ok(())
        }
    }

    #[test]
    fn folders_of_builds_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        };
        for name in [
            "b/b.c",
            "a.c",
            "build/CMakeCache.txt",
            "build/x.c",
            "target/CACHEDIR.TAG",
            "target/y.c",
            ".git/z.c",
            "node_modules/m.c",
            "other/o.c",
        ] {
            put(name);
        }
        let names = |root: &Path| {
            let mut names = Names::default();
            walk(root, &mut names).unwrap();
            names
        };
        assert_eq!(names(folder.path()).0, ["a.c", "b.c"]);
        // The folder that is named is entered.
        assert_eq!(names(&folder.path().join("build")).0, ["CMakeCache.txt", "x.c"]);
        assert_eq!(names(&folder.path().join("none")).1, [folder.path().join("none")]);
    }
}
