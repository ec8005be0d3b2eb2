//! The files of a project: build files, headers and sources.

pub mod build_file;
pub mod choice;
mod flags;
pub mod forced;
pub mod paths;
mod reached;
mod responses;
pub mod source;
pub mod variables;

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use anyhow::Context;

use self::build_file::{BuildFile, Comments};
use self::reached::unreached;
use self::source::Source;
use crate::syntax::text::{BOM, decode};
use crate::walk::{Found, Visitor, walk};

/// The record of `init`, in the folder that it has written tband to.
pub const RECORD: &str = "tband-init.json";
/// A larger build file or source, in bytes, was not written by hand.
const MAX_SIZE: u64 = 4 << 20;
/// Folders of Arm's CMSIS with examples and tests for many CPUs.
const OF_CMSIS: [&str; 7] = ["DSP", "DSP_Lib", "NN", "RTOS", "RTOS2", "Documentation", "docs"];
/// Headers of the kernel, beside its sources.
const KERNEL: [&str; 2] = ["include/task.h", "include/FreeRTOS.h"];
/// Build files of other languages.
const OTHER_BUILD: [&str; 2] = ["build.rs", "meson.build"];
/// Files by which a vendor's kit is recognised, in its folder.
const KITS: [&str; 2] = ["pico_sdk_init.cmake", "tools/cmake/project.cmake"];

/// Names, or ends of names, of build files.
const BUILD: [(&str, Comments); 15] = [
    ("CMakeLists.txt", Comments::Hash),
    (".cmake", Comments::Hash),
    ("CMakePresets.json", Comments::None),
    ("CMakeUserPresets.json", Comments::None),
    ("Makefile", Comments::Hash),
    ("makefile", Comments::Hash),
    (".mk", Comments::Hash),
    (".cproject", Comments::Xml),
    (".ioc", Comments::Hash),
    ("platformio.ini", Comments::HashOrSemicolon),
    ("sdkconfig", Comments::Hash),
    ("sdkconfig.defaults", Comments::Hash),
    (".ewp", Comments::Xml),
    (".uvprojx", Comments::Xml),
    ("sketch.yaml", Comments::Hash),
];
/// The file of which `configure_file()` makes the configuration of the kernel.
const TEMPLATE: &str = "FreeRTOSConfig.h.in";
/// Settings of Zephyr.
const ZEPHYR: &str = "prj.conf";

/// A project's files.
#[derive(Debug)]
pub struct Survey {
    pub root: PathBuf,
    pub build: Vec<BuildFile>,
    pub headers: Vec<PathBuf>,
    /// C and C++ sources, and sketches, outside of the kernel.
    pub sources: Vec<Source>,
    /// Folders of the kernel's sources.
    pub kernels: Vec<PathBuf>,
    /// Folders of tband that `init` has not written.
    pub copies: Vec<PathBuf>,
    /// Sources in Rust and in assembler.
    pub other_sources: Vec<PathBuf>,
    /// Build files of other languages, which only name flags.
    pub other_build: Vec<BuildFile>,
    /// Folders of tband that `init` has written.
    pub written: Vec<PathBuf>,
    /// Files that are too large to be examined.
    pub too_large: Vec<String>,
    /// Files and folders that cannot be read.
    pub unreadable: Vec<(PathBuf, io::Error)>,
    /// Folders that are not examined, because other projects are in them.
    pub others: Vec<String>,
    /// Settings of Zephyr are in the folder.
    pub has_zephyr: bool,
    /// Headers that the compiler includes before each source.
    pub forced: Vec<PathBuf>,
}

impl Survey {
    /// Examines a folder. Hidden folders, those of builds, of links, of copies of tband and of the kernel are not entered.
    ///
    /// # Errors
    /// The folder cannot be read, or there are too many files.
    pub fn of(root: &Path) -> anyhow::Result<Self> {
        let mut survey = Self {
            root: root.to_owned(),
            build: Vec::new(),
            headers: Vec::new(),
            sources: Vec::new(),
            kernels: Vec::new(),
            copies: Vec::new(),
            other_sources: Vec::new(),
            other_build: Vec::new(),
            written: Vec::new(),
            too_large: Vec::new(),
            unreadable: Vec::new(),
            others: Vec::new(),
            has_zephyr: false,
            forced: Vec::new(),
        };
        let root_is_cube = is_of_cube(root);
        let mut walker = Walker { survey: &mut survey, links: BTreeSet::new(), root_is_cube };
        walk(root, &mut walker)?;
        let links = walker.links;
        survey.drop_links(&links);
        survey.drop_unreached();
        // Response files may name further ones.
        let mut seen = 0;
        while seen < survey.build.len() {
            let found = responses::find(&survey.build, seen, root);
            seen = survey.build.len();
            for (path, folder) in found {
                // One that is too large or not readable was none.
                let bytes = content(&path);
                survey.add(path, &bytes, Comments::None, Some(folder));
            }
        }
        survey.forced = forced::find(&survey);
        Ok(survey)
    }

    /// Drops the files of CMake that the project's own do not lead to.
    fn drop_unreached(&mut self) {
        let lists = unreached(&self.build);
        let folders: Vec<String> =
            lists.iter().map(|it| it.trim_end_matches("CMakeLists.txt").to_owned()).collect();
        let is_dropped = |it: &BuildFile| {
            let is_below = folders.iter().any(|folder| it.name.starts_with(folder));
            lists.contains(&it.name) || (is_below && it.name.ends_with(".cmake"))
        };
        let (dropped, kept): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.build).into_iter().partition(is_dropped);
        // The kept files may include some of them.
        let included = dropped.into_iter().filter(|file| {
            !lists.contains(&file.name) && kept.iter().any(|it| it.text.contains(file.file_name()))
        });
        let included: Vec<_> = included.collect();
        self.build = kept;
        self.build.extend(included);
    }

    /// Drops links to files that are in the project too. A header that has another name there stays, because sources include it by
    /// that of the link.
    fn drop_links(&mut self, links: &BTreeSet<PathBuf>) {
        if links.is_empty() {
            return;
        }
        fn drop_links<T>(files: &mut Vec<T>, links: &BTreeSet<PathBuf>, path: fn(&T) -> &PathBuf) {
            let key = |path: &Path| {
                let real = fs::canonicalize(path).ok()?;
                let is_header = path.extension().is_some_and(|it| it == "h");
                let name = path.file_name().filter(|_| is_header).map(ToOwned::to_owned);
                Some((real, name))
            };
            let mut seen: BTreeSet<_> = files
                .iter()
                .filter(|it| !links.contains(path(it)))
                .filter_map(|it| key(path(it)))
                .collect();
            // Of several links to another file, the first one stays.
            files.retain(|it| {
                !links.contains(path(it)) || key(path(it)).is_some_and(|it| seen.insert(it))
            });
        }
        drop_links(&mut self.headers, links, |it| it);
        drop_links(&mut self.sources, links, |it| &it.path);
    }

    fn take(&mut self, path: PathBuf, name: &str) {
        let ends_with = |ends: &[&str]| ends.iter().any(|it| name.ends_with(it));
        let build = BUILD.iter().find(|(end, _)| match end.strip_prefix('.') {
            Some(_) => name.ends_with(end),
            None => name == *end,
        });
        let is_source = ends_with(&[".c", ".cc", ".cpp", ".cxx", ".ino"]);
        let is_other_build = OTHER_BUILD.contains(&name);
        let is_other_source = !is_other_build && ends_with(&[".rs", ".S"]);
        let is_header = name.ends_with(".h") || name == TEMPLATE;
        let is_build = is_other_build || name == ZEPHYR || build.is_some();
        if !is_header && !is_source && !is_other_source && !is_build {
            return;
        }
        let Some(file) = self.open(&path) else { return };
        if is_header {
            self.headers.push(path);
            return;
        }
        if is_other_source {
            self.other_sources.push(path);
            return;
        }
        let content = match read(file) {
            Ok(content) => content,
            Err(error) => {
                self.unreadable.push((path, error));
                return;
            }
        };
        if is_source {
            self.sources.push(Source::of(path, &content));
        } else if name == ZEPHYR {
            self.has_zephyr = true;
            self.add(path, &content, Comments::Hash, None);
        } else if let Some((_, comments)) = build {
            self.add(path, &content, *comments, None);
        } else {
            let name = self.name(&path);
            self.other_build.push(BuildFile::new(path, name, decode(&content), Comments::Hash));
        }
    }

    /// Takes other contents for build files. `base` returns that of a file; `None`: the present one stays.
    pub fn replace(&mut self, base: impl Fn(&str) -> Option<Vec<u8>>) {
        for file in &mut self.build {
            if let Some(content) = base(&file.name) {
                file.replace(decode(content.strip_prefix(BOM).unwrap_or(&content)));
            }
        }
    }

    /// Fails if a file or folder cannot be read.
    pub fn ensure_read(&mut self) -> anyhow::Result<()> {
        if self.unreadable.is_empty() {
            return Ok(());
        }
        let (path, error) = self.unreadable.remove(0);
        Err(error).with_context(|| unreadable(&path))
    }

    /// Opens a file; `None` if it is not there, cannot be read, or is too large.
    fn open(&mut self, path: &Path) -> Option<File> {
        let opened = File::open(path).and_then(|it| Ok((it.metadata()?, it)));
        let (meta, file) = match opened {
            Ok(opened) => opened,
            // A link without a target.
            Err(error) if error.kind() == ErrorKind::NotFound => return None,
            Err(error) => {
                self.unreadable.push((path.to_owned(), error));
                return None;
            }
        };
        if meta.is_file() && meta.len() > MAX_SIZE {
            let name = self.name(path);
            self.too_large.push(name);
        }
        (meta.is_file() && meta.len() <= MAX_SIZE).then_some(file)
    }

    /// Adds a build file. `folder`: that of its relative paths, unless it is its own.
    fn add(&mut self, path: PathBuf, content: &[u8], comments: Comments, folder: Option<String>) {
        let text = decode(content);
        // The IDE writes these again from its own files, which are read too.
        let beginning = text.lines().take(3).collect::<String>();
        if beginning.contains("Automatically-generated file") {
            return;
        }
        let name = self.name(&path);
        let mut file = BuildFile::new(path, name, text, comments);
        file.folder = folder.unwrap_or(file.folder);
        self.build.push(file);
    }

    /// A file's path in the project, with `/`.
    pub fn name(&self, path: &Path) -> String {
        let Ok(path) = path.strip_prefix(&self.root) else {
            return path.to_string_lossy().replace('\\', "/");
        };
        let names: Vec<_> = path.components().map(|it| it.as_os_str().to_string_lossy()).collect();
        names.join("/")
    }

    /// A file's name in the project cannot be written down: it is not in UTF-8.
    pub fn has_unknown_name(&self, path: &Path) -> bool {
        path.strip_prefix(&self.root).unwrap_or(path).to_str().is_none()
    }

    /// The build file in the project's folder itself.
    pub fn build_at_root(&self, name: &str) -> Option<&BuildFile> {
        self.build.iter().find(|it| it.name == name)
    }

    /// Headers of this name. Of `FreeRTOSConfig.h` those of which CMake makes it, if there is no other.
    pub fn headers_named(&self, name: &str) -> Vec<&PathBuf> {
        let named = |name: &str| -> Vec<&PathBuf> {
            self.headers.iter().filter(|it| it.file_name().is_some_and(|it| it == name)).collect()
        };
        let found = named(name);
        let has_template = found.is_empty() && TEMPLATE.strip_suffix(".in") == Some(name);
        if has_template { named(TEMPLATE) } else { found }
    }
}

/// Takes the files of a walk into a survey.
struct Walker<'s> {
    survey: &'s mut Survey,
    links: BTreeSet<PathBuf>,
    /// The project is of CubeMX. Those below are other projects.
    root_is_cube: bool,
}

impl Visitor for Walker<'_> {
    fn enters(&mut self, folder: &Path) -> anyhow::Result<bool> {
        let has = |name: &str| folder.join(name).is_file();
        let is_root = folder == self.survey.root;
        if has(RECORD) {
            self.survey.written.push(folder.to_owned());
            return Ok(false);
        }
        if has("freertos-hooks/tband_freertos_hooks.h") {
            self.survey.copies.push(folder.to_owned());
            return Ok(false);
        }
        if !is_root && (KITS.iter().any(|it| has(it)) || is_left_out_of_cmsis(folder)) {
            return Ok(false);
        }
        if !is_root && self.root_is_cube && is_of_cube(folder) {
            let name = self.survey.name(folder);
            self.survey.others.push(name);
            return Ok(false);
        }
        if has("tasks.c") && KERNEL.iter().any(|it| has(it)) {
            self.survey.kernels.push(folder.to_owned());
            if !is_root {
                let places = ["FreeRTOSConfig.h", "include/FreeRTOSConfig.h"];
                let configs = places.iter().map(|it| folder.join(it)).filter(|it| it.is_file());
                self.survey.headers.extend(configs);
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn take(&mut self, found: Found<'_>) -> anyhow::Result<()> {
        if found.is_link {
            self.links.insert(found.path.clone());
        }
        self.survey.take(found.path, found.name);
        Ok(())
    }

    fn miss(&mut self, folder: &Path, error: io::Error) -> anyhow::Result<()> {
        if folder == self.survey.root {
            return Err(error).with_context(|| unreadable(folder));
        }
        self.survey.unreadable.push((folder.to_owned(), error));
        Ok(())
    }
}

/// The folder has a project file of CubeMX.
fn is_of_cube(folder: &Path) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|it| it.path()).any(|it| it.extension().is_some_and(|it| it == "ioc"))
}

fn is_left_out_of_cmsis(folder: &Path) -> bool {
    let name = |path: &Path| path.file_name().map(|it| it.to_string_lossy().into_owned());
    let is_in_cmsis =
        folder.parent().and_then(name).is_some_and(|it| it.eq_ignore_ascii_case("CMSIS"));
    is_in_cmsis && name(folder).is_some_and(|it| OF_CMSIS.contains(&it.as_str()))
}

fn unreadable(path: &Path) -> String {
    format!("cannot read {}: make it readable, or name another folder", path.display())
}

/// Reads a file's content without its mark of UTF-8.
fn read(file: File) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    // It may grow.
    file.take(MAX_SIZE).read_to_end(&mut content)?;
    if content.starts_with(BOM) {
        content.drain(..BOM.len());
    }
    Ok(content)
}

/// A header's content without its mark of UTF-8; nothing of one that cannot be read, or is too large.
pub fn content(path: &Path) -> Vec<u8> {
    let is_small = path.metadata().is_ok_and(|it| it.is_file() && it.len() <= MAX_SIZE);
    let file = is_small.then(|| File::open(path).and_then(read));
    file.and_then(Result::ok).unwrap_or_default()
}
