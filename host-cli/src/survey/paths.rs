//! The paths that build files name, with their variables replaced, as far as that is possible without a build.

use std::collections::BTreeMap;
use std::path::Path;

use super::build_file::BuildFile;
use crate::syntax::steps;

/// Represents the project's folder in an expanded text.
const ROOT: &str = "\u{1}/";
/// Represents a variable whose value is unknown.
const UNKNOWN: char = '\u{2}';
/// Variables in variables are followed so far.
const MAX_DEPTH: usize = 8;
/// A longer text, in bytes, is not a path: each of a few variables may double it.
const MAX_LEN: usize = 1 << 16;
/// Variables of CMake, of IAR and of make with the folder of the file that uses them; with the project's folder.
const HERE: [&str; 5] =
    ["CMAKE_CURRENT_SOURCE_DIR", "CMAKE_CURRENT_LIST_DIR", "CURDIR", "PROJ_DIR", "ProjDirPath"];
const TOP: [&str; 3] = ["CMAKE_SOURCE_DIR", "PROJECT_SOURCE_DIR", "PROJECT_DIR"];

/// A path in a build file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// In the project, with `/`, and empty for its folder. Outside of the project it begins with `..`, or is absolute.
    pub path: String,
    /// The build file, and the line in it.
    pub file: String,
    pub line: usize,
}

impl Named {
    /// It leads out of the project, unless it is an absolute path into it.
    pub fn is_outside(&self) -> bool {
        self.path.starts_with("..") || Path::new(&self.path).has_root()
    }
}

/// The variables of build files that have one path as their value: the first assignment counts.
#[derive(Debug, Default)]
pub struct Variables(BTreeMap<String, String>);

/// Returns the paths that all build files name.
pub fn of(build: &[BuildFile]) -> Vec<Named> {
    let variables = Variables::of(build);
    build.iter().flat_map(|file| of_file(file, &variables)).collect()
}

fn of_file(file: &BuildFile, variables: &Variables) -> Vec<Named> {
    // Builds of Eclipse run in a folder beside the file.
    let beside = if file.file_name() == ".cproject" { "Debug/" } else { "" };
    let folder = format!("{}/{beside}", file.folder);
    let mut found = Vec::new();
    for (line, code) in file.code() {
        let code = code.replace("&quot;", "\"").replace('\\', "/");
        let expanded = variables.expand(&code, &file.folder);
        let is_end = |it: char| it.is_whitespace() || "\"';,<>()".contains(it);
        for word in expanded.split(is_end).filter(|it| !it.is_empty()) {
            let word = word.strip_prefix("-I").unwrap_or(word);
            let word = word.rsplit('=').next().unwrap_or(word);
            if let Some(path) = fold(&folder, word) {
                found.push(Named { path, file: file.name.clone(), line });
            }
        }
    }
    found
}

/// Where the build names the source of Tonbandgerät that no other recorder has.
pub fn of_tonbandgeraet(named: &[Named]) -> impl Iterator<Item = &Named> {
    named.iter().filter(|it| it.path.ends_with("/tband_backend.c"))
}

/// The folder of a file, without `/` at its end.
pub fn folder_of(name: &str) -> &str {
    name.rsplit_once('/').map_or("", |it| it.0)
}

/// Returns a path of a folder's file in the project, without `.` and `..` inside; `None` if it is unknown.
pub fn fold(folder: &str, path: &str) -> Option<String> {
    if path.contains(UNKNOWN) {
        return None;
    }
    let whole = match path.rsplit_once(ROOT) {
        Some((_, rest)) => rest.to_owned(),
        None if path.starts_with('/') => path.to_owned(),
        None => format!("{folder}/{path}"),
    };
    let mut names: Vec<&str> = Vec::new();
    for name in whole.split('/').filter(|it| !it.is_empty() && *it != ".") {
        match names.last() {
            Some(last) if name == ".." && *last != ".." => {
                names.pop();
            }
            _ => names.push(name),
        }
    }
    let root = if path.starts_with('/') { "/" } else { "" };
    Some(format!("{root}{}", names.join("/")))
}

impl Variables {
    pub fn of(build: &[BuildFile]) -> Self {
        let mut variables = Self::default();
        for file in build {
            let folder = file.folder.as_str();
            if file.is_cmake() {
                for it in file.commands().iter().filter(|it| it.name == "set") {
                    if let [name, value, ..] = it.arguments.as_slice() {
                        variables.add(name, value, folder);
                    }
                }
            } else {
                for (_, code) in file.code() {
                    if let Some((name, value)) = code.split_once('=') {
                        let name = name.trim_end_matches([':', '+', '?', '!', ' ', '\t']);
                        variables.add(name.trim(), value.trim(), folder);
                    }
                }
            }
        }
        variables
    }

    fn add(&mut self, name: &str, value: &str, folder: &str) {
        let inner = ["$(abspath ", "$(realpath "].iter().find_map(|it| value.strip_prefix(it));
        let value = inner.and_then(|it| it.strip_suffix(')')).unwrap_or(value).trim();
        if name.is_empty() || value.is_empty() || value.contains(char::is_whitespace) {
            return;
        }
        // A relative value is that of the folder where it is used, as make and CMake have it.
        let value = HERE
            .iter()
            .fold(value.to_owned(), |value, it| replace(&value, it, &format!("{ROOT}{folder}")));
        self.0.entry(name.to_owned()).or_insert(value);
    }

    /// Replaces the variables of a text in a file of this folder.
    pub fn expand(&self, text: &str, folder: &str) -> String {
        let mut out = String::with_capacity(text.len());
        self.expand_into(text, &format!("{ROOT}{folder}"), 0, &mut out);
        out
    }

    fn expand_into(&self, text: &str, here: &str, depth: usize, out: &mut String) {
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('$') {
            out.push_str(before);
            steps::count(before.len() + 1);
            let (open, name) = match after.chars().next() {
                Some('(') => ("(", until(after.get(1..), ')')),
                Some('{') => ("{", until(after.get(1..), '}')),
                _ => ("", until(Some(after), '$')),
            };
            let Some(name) = name else {
                // Of a function, or a name that is made of others, whose value is not known.
                match open {
                    "(" => out.extend([UNKNOWN, ' ']),
                    "{" => out.push(UNKNOWN),
                    _ => out.push('$'),
                }
                rest = after.get(open.len()..).unwrap_or_default();
                continue;
            };
            match self.0.get(name) {
                _ if HERE.contains(&name) => out.push_str(here),
                _ if TOP.contains(&name) => out.push_str(ROOT),
                Some(value) if depth < MAX_DEPTH && out.len() < MAX_LEN => {
                    self.expand_into(value, here, depth + 1, out);
                }
                _ => out.push(UNKNOWN),
            }
            rest = after.get(open.len() + name.len() + 1..).unwrap_or_default();
        }
        out.push_str(rest);
    }
}

/// The name of a variable at the beginning of a text, up to its end mark.
fn until(text: Option<&str>, end: char) -> Option<&str> {
    let is_name = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '-' | '.');
    let text = text?;
    let len = text.find(|it| !is_name(it))?;
    let (name, rest) = text.split_at(len);
    (!name.is_empty() && rest.starts_with(end)).then_some(name)
}

/// Replaces one variable.
fn replace(text: &str, name: &str, value: &str) -> String {
    [format!("$({name})"), format!("${{{name}}}"), format!("${name}$")]
        .iter()
        .fold(text.to_owned(), |text, it| text.replace(it, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(name: &str, text: &str) -> Vec<String> {
        of(&[BuildFile::for_test(name, text)]).into_iter().map(|it| it.path).collect()
    }

    #[test]
    fn variables_of_make_are_replaced() {
        let text = "ROOT = ./../..\nKERNEL := $(abspath $(ROOT)/Source)\nSRC = $(KERNEL)/tasks.c $(OTHER)/x.c /abs/y.c\nINC = -IInc -I$(ROOT)/Demo/Common\n";
        let found = paths("build/gcc/Makefile", text);
        for path in ["", "Source/tasks.c", "build/gcc/Inc", "Demo/Common"] {
            assert!(found.iter().any(|it| it == path), "{path} in {found:?}");
        }
        assert!(found.iter().any(|it| it == "/abs/y.c"), "{found:?}");
        assert!(!found.iter().any(|it| it.contains("x.c")), "{found:?}");
        assert!(paths("Makefile", text).contains(&"../../Source/tasks.c".to_owned()));
    }

    #[test]
    fn many_variables_in_a_line_are_replaced() {
        let many: String = (0..40).map(|it| format!("V{it} = d{it}\n")).collect();
        let line: String = (0..40).map(|it| format!("$(V{it})/x.c ")).collect();
        let found = paths("Makefile", &format!("{many}SRC = {line}\n"));
        assert!(found.contains(&"d39/x.c".to_owned()), "{found:?}");
        // One that doubles itself ends.
        let text = "A = $(B)$(B)\nB = $(A)$(A)\nSRC = $(A)/x.c\n";
        assert!(paths("Makefile", text).len() < 20);
        steps::assert_linear(|size| {
            let text = "SRC = $(A) ${A} $(f b) ${A${B}} $x$ $\n".repeat(size);
            assert!(!paths("Makefile", &format!("A = b/c\n{text}")).is_empty());
        });
    }

    #[test]
    fn variables_of_other_files_are_replaced() {
        let text = "set(CUBE ${CMAKE_CURRENT_LIST_DIR}/cube)\nf(${CUBE}/Inc \"${CMAKE_SOURCE_DIR}/a b\" ../c)\n";
        let found = paths("board/x/CMakeLists.txt", text);
        for path in ["board/x/cube/Inc", "board/c"] {
            assert!(found.iter().any(|it| it == path), "{path} in {found:?}");
        }
        let text = "<state>$PROJ_DIR$\\..\\Inc</state>\n";
        assert!(paths("EWARM/a.ewp", text).contains(&"Inc".to_owned()));
        let text = "<option value=\"&quot;../../Inc&quot;\"/>\n";
        assert!(paths("SW/.cproject", text).contains(&"Inc".to_owned()));
    }
}
