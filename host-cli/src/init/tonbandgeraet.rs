//! Tonbandgerät in a project of CMake: its sources in the build, which tband's library replaces. The headers that configure it,
//! and all calls, stay.

use std::collections::BTreeSet;

use super::text::Text;
use crate::survey::Survey;
use crate::survey::build_file::BuildFile;
use crate::survey::paths::{Named, folder_of, of_tonbandgeraet};
use crate::syntax::cmake::Command;

/// Its sources. Only it has the first one.
const SOURCES: [&str; 3] = ["tband_backend.c", "tband.c", "tband_freertos.c"];
/// The headers that configure it.
const HEADERS: [&str; 2] = ["tband_config.h", "tband_port.h"];

/// Its places in a project.
#[derive(Debug)]
pub struct Tonbandgeraet {
    /// The file of CMake that names its sources.
    pub file: String,
    /// The folders of the headers that configure it, in the project.
    pub folders: Vec<String>,
    /// Its `tband_port.h`, in the project.
    pub port: String,
    /// The paths, as the file names them, that tband replaces.
    paths: BTreeSet<String>,
}

impl Tonbandgeraet {
    /// Finds it. `None` if the project does not compile it, or not as one file of CMake can be changed: that has its sources in a
    /// program, and the headers have one place each.
    pub fn find(survey: &Survey, named: &[Named]) -> Option<Self> {
        let mut places = of_tonbandgeraet(named);
        let (source, None) = (places.next()?, places.next()) else { return None };
        let file = survey.build.iter().find(|it| it.name == source.file && it.is_cmake())?;
        // The library of this name would be a second one.
        let is_library = |it: &Command| it.name == "add_library" && it.target() == "tband";
        if survey.build.iter().flat_map(BuildFile::commands).any(is_library) {
            return None;
        }
        let mut folders = Vec::new();
        let mut port = String::new();
        for name in HEADERS {
            let folder = folder(survey, named, name)?;
            port = if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
            if !folders.contains(&folder) {
                folders.push(folder);
            }
        }
        let words: Vec<&str> =
            file.code().flat_map(|(_, line)| words(line)).map(|(_, it)| it).collect();
        let first = words.iter().find(|it| it.ends_with(SOURCES[0]))?;
        let sources = first.strip_suffix(SOURCES[0])?;
        let headers = sources.strip_suffix("src/").map(|it| format!("{it}inc"));
        let is_its = |it: &&str| {
            it.strip_prefix(sources).is_some_and(|it| SOURCES.contains(&it))
                || headers.as_deref() == Some(it.trim_end_matches('/'))
        };
        let paths = words.into_iter().filter(is_its).map(str::to_owned).collect();
        Some(Self { file: file.name.clone(), folders, port, paths })
    }

    /// Takes its paths out of the file. Lines without another word are removed.
    pub fn take_out(&self, text: &mut Text) {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        for (at, line) in lines.iter().enumerate().rev() {
            let mut rest = line.clone();
            for (begin, word) in words(line).into_iter().rev() {
                if self.paths.contains(word) {
                    rest.replace_range(begin..begin + word.len(), "");
                }
            }
            if rest == *line {
                continue;
            }
            if rest.replace('"', "").trim().is_empty() {
                text.remove(at);
            } else {
                text.replace(at, rest.replace("\"\"", "").trim_end());
            }
        }
    }
}

/// The words of a line, and where they begin.
fn words(line: &str) -> Vec<(usize, &str)> {
    let is_end = |it: char| it.is_whitespace() || "()\";".contains(it);
    let mut found = Vec::new();
    let mut at = 0;
    for word in line.split_inclusive(is_end) {
        let name = word.trim_end_matches(is_end);
        if !name.is_empty() {
            found.push((at, name));
        }
        at += word.len();
    }
    found
}

/// The folder of the only header of this name, or of the only one whose folder the build names.
fn folder(survey: &Survey, named: &[Named], name: &str) -> Option<String> {
    let inside = survey.headers_named(name);
    let mut folders: BTreeSet<String> =
        inside.iter().map(|it| folder_of(&survey.name(it)).to_owned()).collect();
    if folders.len() != 1 {
        let is_it = |it: &&Named| survey.root.join(&it.path).join(name).is_file();
        folders = named.iter().filter(is_it).map(|it| it.path.clone()).collect();
    }
    let first = folders.pop_first()?;
    folders.is_empty().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_paths_are_taken_out() {
        let text = "target_sources(a PRIVATE\n  ../t/src/tband.c\n  \"../t/src/tband_backend.c\"\n  b.c ../t/src/tband_freertos.c\n)\n\
            include_directories(inc ../t/inc/)\nset(A ../t/src/tband.c.in ../x/t/inc)\n";
        let mut edited = Text::of(text.as_bytes()).unwrap();
        let paths = [
            "../t/src/tband.c",
            "../t/src/tband_backend.c",
            "../t/src/tband_freertos.c",
            "../t/inc/",
        ];
        let it = Tonbandgeraet {
            file: String::new(),
            folders: Vec::new(),
            port: String::new(),
            paths: paths.map(str::to_owned).into(),
        };
        it.take_out(&mut edited);
        let expected = "target_sources(a PRIVATE\n  b.c\n)\ninclude_directories(inc )\nset(A ../t/src/tband.c.in ../x/t/inc)\n";
        assert_eq!(edited.whole(), expected);
    }
}
