//! The files of a project's folder.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::headers::{is_too_large, kernel_version_in, text_of};
use crate::syntax::cmake::without_comments;
use crate::walk::{Found, Visitor, walk};

/// Extensions and names of files that contain compiler flags.
const BUILD: [&str; 13] = [
    "CMakeLists.txt",
    "build.rs",
    "Makefile",
    "makefile",
    ".cmake",
    ".mk",
    "platformio.ini",
    "meson.build",
    ".cproject",
    ".ioc",
    ".uvprojx",
    ".ewp",
    "CMakePresets.json",
];

/// Extensions of sources that are compiled.
const SOURCE: [&str; 7] = [".c", ".cc", ".cpp", ".cxx", ".ino", ".rs", ".S"];

/// Maximum length of the value of a variable, in bytes: a longer one is not a path.
const MAX_VALUE: usize = 4096;

/// Variables of the folder of a build file.
const OF_FOLDER: [&str; 4] =
    ["CMAKE_CURRENT_SOURCE_DIR", "CMAKE_CURRENT_LIST_DIR", "CURDIR", "ProjDirPath"];
/// Variables of the project's folder.
const OF_ROOT: [&str; 3] = ["CMAKE_SOURCE_DIR", "PROJECT_SOURCE_DIR", "PROJECT_DIR"];

/// The files in a project's folder.
#[derive(Default)]
pub struct Files {
    pub headers: Vec<PathBuf>,
    pub sources: Vec<PathBuf>,
    /// A build file names a source that is in none of these folders.
    pub has_sources_elsewhere: bool,
    /// Files that tell a compiler what to do: path and text without comments of CMake and make.
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
    /// Examines a folder, except copies of tband and of the kernel, and the folders that [`walk`] leaves out.
    ///
    /// # Errors
    /// It cannot be read, is tband itself, or has too many files.
    pub fn find(root: &Path) -> anyhow::Result<Self> {
        let mut walker = Walker { files: Self::default(), root };
        walk(root, &mut walker)?;
        let mut files = walker.files;
        files.find_elsewhere(root);
        Ok(files)
    }

    /// Finds the kernel and the port in folders that build files name.
    fn find_elsewhere(&mut self, root: &Path) {
        let (mut variables, mut sources) = (BTreeMap::new(), Vec::new());
        for (path, text) in &self.build {
            let folder = path.parent().unwrap_or(root);
            assignments(text, &mut variables, folder, root);
        }
        for (path, text) in &self.build {
            let folder = path.parent().unwrap_or(root);
            for word in words(text).filter(|it| it.contains('/') || it.contains("..")) {
                let Some(named) = resolved(word, &variables, folder, root) else { continue };
                if SOURCE.iter().any(|it| word.ends_with(it)) {
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

    /// All headers of a name.
    pub fn named(&self, name: &'static str) -> impl Iterator<Item = &PathBuf> {
        self.headers.iter().filter(move |it| it.file_name().is_some_and(|it| it == name))
    }

    /// Returns the only file with a name; `None` if there is none.
    ///
    /// # Errors
    /// There are several.
    pub fn only(&self, name: &'static str, root: &Path) -> anyhow::Result<Option<&PathBuf>> {
        let found: Vec<_> = self.named(name).collect();
        if found.len() > 1 {
            let names: Vec<_> = found.iter().map(|it| it.display().to_string()).collect();
            bail!(
                "{} has several {name}: {}; name the folder of one project",
                root.display(),
                names.join(", ")
            );
        }
        Ok(found.first().copied())
    }

    /// Returns the kernel's version, as its `task.h` has it: major * 10000 + minor * 100 + build; `None` if it is not there, or
    /// copies differ.
    pub fn kernel_version(&self) -> Option<u32> {
        let mut versions =
            self.kernels.iter().map(|it| kernel_version_in(&it.join("include/task.h")));
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

/// Takes the files of a walk.
struct Walker<'r> {
    files: Files,
    root: &'r Path,
}

impl Visitor for Walker<'_> {
    fn enters(&mut self, folder: &Path) -> anyhow::Result<bool> {
        let has = |name: &str| folder.join(name).is_file();
        if has("tasks.c") && has("include/FreeRTOS.h") {
            self.files.kernels.push(folder.to_owned());
            return Ok(false);
        }
        if !has("freertos-hooks/tband_freertos_hooks.h") {
            return Ok(true);
        }
        self.files.has_tband = true;
        if folder == self.root {
            bail!(
                "{} is tband itself; name the folder of a project that uses it",
                folder.display()
            );
        }
        Ok(false)
    }

    fn take(&mut self, Found { path, name, .. }: Found<'_>) -> anyhow::Result<()> {
        let files = &mut self.files;
        let is_header = name.ends_with(".h");
        let is_source = SOURCE.iter().any(|it| name.ends_with(it)) && name != "build.rs";
        if !is_header && !is_source && !BUILD.iter().any(|it| name.ends_with(it)) {
            return Ok(());
        }
        if is_too_large(&path) {
            files.unread.push(path.clone());
        }
        if is_header {
            files.headers.push(path);
        } else if is_source {
            files.sources.push(path);
        } else {
            let is_cmake = name.ends_with(".cmake") || name.ends_with("CMakeLists.txt");
            let text = text_of(&path);
            let text = if is_cmake { without_comments(&text) } else { without_hashes(&text) };
            files.build.push((path, text));
        }
        Ok(())
    }

    fn miss(&mut self, folder: &Path, error: io::Error) -> anyhow::Result<()> {
        if folder == self.root {
            return Err(error).with_context(|| format!("cannot read {}", folder.display()));
        }
        self.files.unread.push(folder.to_owned());
        Ok(())
    }
}

/// Returns a text of make and others without comments that begin with `#`; lines stay where they are.
fn without_hashes(text: &str) -> String {
    let is_comment = |line: &str, at: usize| {
        let before = line.get(..at).unwrap_or_default();
        let after = line.get(at..).unwrap_or_default();
        // A command of a recipe may have one in a text.
        let is_in_text = before.matches('"').count() % 2 == 1 && after.contains('"');
        !is_in_text && (before.is_empty() || before.ends_with([' ', '\t']))
    };
    let lines = text.lines().map(|line| {
        // Directives of C in a build file are not known.
        let at = line.match_indices('#').find(|(at, _)| is_comment(line, *at));
        at.map_or(line, |(at, _)| line.get(..at).unwrap_or_default())
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The words of a build file that may be paths.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_end = |it: char| it.is_whitespace() || "\"'=;,<>".contains(it);
    text.split(is_end).map(|word| {
        let word = word.strip_prefix("-I").or(word.strip_prefix("-isystem")).unwrap_or(word);
        let word = word.trim_end_matches(')');
        // A closing brace of a variable at the end stays.
        if word.matches('(').count() > word.matches(')').count() && !word.contains("$(") {
            word.rsplit('(').next().unwrap_or(word)
        } else {
            word
        }
    })
}

/// Adds the variables that a file of CMake or make sets to one value.
fn assignments(text: &str, variables: &mut BTreeMap<String, String>, folder: &Path, root: &Path) {
    for line in text.lines() {
        let line = line.trim();
        let found = if let Some(rest) = line.strip_prefix("set(") {
            rest.split_once(char::is_whitespace)
        } else {
            line.split_once(":=").or_else(|| line.split_once('='))
        };
        let Some((name, value)) = found else { continue };
        let name = name.trim().trim_end_matches(['?', '+']);
        let value = value.trim().trim_end_matches(')').trim();
        let value = value.split_whitespace().next().unwrap_or_default().trim_matches('"');
        let is_name =
            !name.is_empty() && name.chars().all(|it| it.is_ascii_alphanumeric() || it == '_');
        if is_name && let Some(path) = resolved(value, variables, folder, root) {
            variables.insert(name.to_owned(), path.display().to_string());
        }
    }
}

/// Returns the path of a word; `None` if it has a variable that is not known, or is longer than `MAX_VALUE`.
fn resolved(
    word: &str,
    variables: &BTreeMap<String, String>,
    folder: &Path,
    root: &Path,
) -> Option<PathBuf> {
    let (mut text, mut rest) = (String::new(), word);
    while let Some((before, after)) = rest.split_once('$') {
        text += before;
        let close = match after.get(..1)? {
            "{" => '}',
            "(" => ')',
            _ => return None,
        };
        let inside = after.get(1..)?;
        // The end may have been taken for the end of a command.
        let (name, after) = inside.split_once(close).unwrap_or((inside, ""));
        text += &match name {
            it if OF_FOLDER.contains(&it) => folder.display().to_string(),
            it if OF_ROOT.contains(&it) => root.display().to_string(),
            it => variables.get(it)?.clone(),
        };
        // Each of a few lines may double the value.
        if text.len() > MAX_VALUE {
            return None;
        }
        rest = after;
    }
    text += rest;
    // The values of variables are whole paths.
    let path = Path::new(&text);
    Some(if word.starts_with('$') { path.to_owned() } else { folder.join(path) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_in_a_text_is_no_comment() {
        for (text, expected) in [
            (
                "all: # a \"b\"\n\techo \"build # 1\" -DA=1 # x",
                "all: \n\techo \"build # 1\" -DA=1 ",
            ),
            ("A = 5\" # b\n#c", "A = 5\" \n"),
        ] {
            assert_eq!(without_hashes(text), expected);
        }
    }

    #[test]
    fn a_variable_that_doubles_is_given_up() {
        for (first, line) in [
            ("A := abcdefgh\n", "A := $(A)$(A)\n"),
            ("A = abcdefgh\n", "A = x/${A}${A}\n"),
            ("set(A abcdefgh)\n", "set(A ${A}${A})\n"),
        ] {
            let mut variables = BTreeMap::new();
            let text = format!("{first}{}", line.repeat(45));
            assignments(&text, &mut variables, Path::new("f"), Path::new("r"));
            let value = variables.get("A").expect("its last value that is a path");
            assert!((16..=2 * MAX_VALUE).contains(&value.len()), "{line}: {}", value.len());
        }
    }

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
            let build = vec![(path("project/CMakeLists.txt"), text.to_owned())];
            let mut files = Files { build, kernels: vec![path("gone")], ..Files::default() };
            files.find_elsewhere(&path("project"));
            assert_eq!(files.has_sources_elsewhere, is_elsewhere, "{text}");
        }
    }
}
