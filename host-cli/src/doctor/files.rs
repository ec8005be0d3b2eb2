//! The files of a project's folder.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::ensure;

use super::headers::{is_too_large, kernel_version_in};
use crate::survey::Survey;
use crate::survey::build_file::BuildFile;
use crate::survey::paths::Named;

/// Extensions of sources that are compiled.
const SOURCE: [&str; 7] = [".c", ".cc", ".cpp", ".cxx", ".ino", ".rs", ".S"];

/// The files of a project, with those outside of its folder that its build files name.
#[derive(Default)]
pub struct Files {
    pub headers: Vec<PathBuf>,
    pub sources: Vec<PathBuf>,
    /// A build file names a source that is in none of these folders.
    pub has_sources_elsewhere: bool,
    /// Files that tell a compiler what to do: path and text without comments.
    pub build: Vec<(PathBuf, String)>,
    /// Copies of the kernel, in the folder or named by a build file.
    pub kernels: Vec<PathBuf>,
    /// Folders with a `tband_port.h` that a build file names.
    pub ports: Vec<PathBuf>,
    pub has_tband: bool,
    /// Files that are too large to be read, and folders that cannot be read.
    pub unread: Vec<PathBuf>,
}

impl Files {
    /// Takes the files of a survey. `named`: the paths in its build files.
    ///
    /// # Errors
    /// The folder is tband itself.
    pub fn of(survey: &Survey, named: &[Named]) -> anyhow::Result<Self> {
        let root = &survey.root;
        ensure!(
            !survey.copies.contains(root),
            "{} is tband itself; name the folder of a project that uses it",
            root.display()
        );
        let text = |it: &BuildFile| (it.path.clone(), it.without_comments());
        let sources = survey.sources.iter().map(|it| &it.path).chain(&survey.other_sources);
        let mut files = Self {
            headers: survey.headers.clone(),
            sources: sources.cloned().collect(),
            has_sources_elsewhere: false,
            build: survey.build.iter().chain(&survey.other_build).map(text).collect(),
            kernels: survey.kernels.clone(),
            ports: Vec::new(),
            has_tband: !survey.written.is_empty() || !survey.copies.is_empty(),
            unread: survey.unreadable.iter().map(|it| it.0.clone()).collect(),
        };
        files.unread.extend(survey.too_large.iter().map(|it| root.join(it)));
        let large = files.headers.iter().chain(&files.sources).filter(|it| is_too_large(it));
        files.unread.extend(large.cloned());
        files.find_elsewhere(root, named);
        Ok(files)
    }

    /// Finds the kernel and the port in folders that build files name.
    fn find_elsewhere(&mut self, root: &Path, named: &[Named]) {
        let paths: BTreeSet<&str> = named.iter().map(|it| it.path.as_str()).collect();
        let mut sources = Vec::new();
        for path in paths.into_iter().filter(|it| it.contains('/') || it.contains("..")) {
            let named = root.join(path);
            if SOURCE.iter().any(|it| path.ends_with(it)) {
                sources.push(named.clone());
            }
            let named = if named.is_file() {
                named.parent().map(Path::to_owned).unwrap_or_default()
            } else {
                named
            };
            let above = named.parent().map(Path::to_owned).unwrap_or_default();
            for kernel in [&named, &above] {
                if kernel.join("include/task.h").is_file() && !self.kernels.contains(kernel) {
                    self.kernels.push(kernel.clone());
                }
            }
            if named.join("tband_port.h").is_file() && !self.ports.contains(&named) {
                self.ports.push(named);
            }
        }
        // Others of that folder may also be compiled.
        let folders: BTreeSet<&Path> = sources.iter().filter_map(|it| it.parent()).collect();
        let inside: Vec<PathBuf> = self
            .kernels
            .iter()
            .map(PathBuf::as_path)
            .chain([root])
            .filter_map(|it| it.canonicalize().ok())
            .collect();
        let mut folders = folders.iter().filter(|it| it.is_dir());
        self.has_sources_elsewhere = folders.any(|it| !is_inside(it, &inside));
    }

    /// The content of the build files, concatenated.
    pub fn build_text(&self) -> String {
        self.build.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join("\n")
    }

    /// Returns the kernel's version, as its `task.h` has it: major * 10000 + minor * 100 + build; `None` if it is not there, or
    /// copies differ. A `task.h` elsewhere in the folder is the kernel's if it has a version.
    pub fn kernel_version(&self) -> Option<u32> {
        let of_kernels = self.kernels.iter().map(|it| it.join("include/task.h"));
        let of_kernels: BTreeSet<Option<u32>> =
            of_kernels.map(|it| kernel_version_in(&it)).collect();
        let others = self.headers.iter().filter(|it| it.ends_with("task.h"));
        let others = others.filter_map(|it| kernel_version_in(it)).map(Some);
        let mut versions = of_kernels.into_iter().chain(others);
        let first = versions.next()??;
        versions.all(|it| it == Some(first)).then_some(first)
    }
}

/// Returns whether a folder is in one of these folders without links, or in tband. Of one whose path cannot be resolved it is not
/// known: it is not.
fn is_inside(folder: &Path, inside: &[PathBuf]) -> bool {
    let Ok(folder) = folder.canonicalize() else { return false };
    let mut above = folder.ancestors().skip(1).take(4);
    inside.iter().any(|it| folder.starts_with(it))
        || above.any(|it| it.join("freertos-hooks/tband_freertos.c").is_file())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::paths;

    #[test]
    fn a_source_outside_is_found_also_if_a_kernel_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["project/in", "other"] {
            std::fs::create_dir_all(path(name)).unwrap();
        }
        for (text, is_elsewhere) in [
            ("add_executable(a ../other/x.c in/y.c)", true),
            ("add_executable(a in/y.c ../project/z.c)", false),
            ("add_executable(a ../none/x.c)", false),
        ] {
            let mut files = Files { kernels: vec![path("gone")], ..Files::default() };
            let named = paths::of(&[BuildFile::for_test("CMakeLists.txt", text)]);
            files.find_elsewhere(&path("project"), &named);
            assert_eq!(files.has_sources_elsewhere, is_elsewhere, "{text}");
        }
    }
}
