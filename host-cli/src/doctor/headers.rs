//! The headers of a project, as far as they can be read without a compiler: conditions are not evaluated.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use tband_sources::SOURCES;

use super::Diagnosis;
use crate::config;

/// A larger file, in bytes, is not a header that was written by hand.
const MAX_SIZE: u64 = 1 << 20;
/// Headers that include each other are followed so far.
const MAX_DEPTH: usize = 8;

/// A text without comments; lines stay where they are.
pub fn without_comments(text: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find(['/', '"']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let end_of = |what: &str| from.find(what).unwrap_or(from.len());
        let (len, is_kept) = if from.starts_with("//") {
            (end_of("\n"), false)
        } else if from.starts_with("/*") {
            let end = from.get(2..).and_then(|it| it.find("*/"));
            (end.map_or(from.len(), |end| end + 4), false)
        } else if from.starts_with('"') {
            let end = from.get(1..).and_then(|it| it.find(['"', '\n']));
            (end.map_or(from.len(), |end| end + 2), true)
        } else {
            (1, true)
        };
        let (part, after) = from.split_at(len);
        if is_kept {
            out.push_str(part);
        } else {
            // A comment is as good as a space.
            out.push(' ');
            out.extend(part.chars().filter(|it| *it == '\n'));
        }
        rest = after;
    }
    out + rest
}

/// Returns the text after a directive's name in a line, if it is that directive.
fn directive<'l>(line: &'l str, name: &str) -> Option<&'l str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix(name)?;
    rest.starts_with([' ', '\t', '"', '<']).then(|| rest.trim())
}

/// The file that a line includes.
pub fn included(line: &str) -> Option<&str> {
    let rest = directive(line, "include")?.strip_prefix(['"', '<'])?;
    rest.split(['"', '>']).next()
}

/// A `#define`.
#[derive(Clone, Debug)]
struct Definition {
    file: PathBuf,
    line: usize,
    name: String,
    value: String,
}

/// The known definition of a macro.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Macro {
    /// It is not defined.
    Unset,
    /// It has this value, there: file and line.
    Is(String, String),
    /// It depends on conditions, or is set elsewhere.
    Unsure,
}

impl Macro {
    /// It is a number other than 0, or might be.
    pub fn may_be_on(&self, default: bool) -> bool {
        match self {
            Self::Unset => default,
            Self::Is(value, _) => value != "0",
            Self::Unsure => true,
        }
    }
}

/// A header and those that it includes, as far as they were found.
#[derive(Default)]
pub struct Header {
    definitions: Vec<Definition>,
    /// Files that are included and were not found.
    elsewhere: Vec<String>,
    /// The header includes `tband.h`: in which line of it, and the first line after it that defines something.
    pub tband_h: Option<(usize, Option<usize>)>,
}

impl Header {
    /// Reads a header. `others`: folders of included files, in addition to its own folder.
    pub fn read(path: &Path, others: &[PathBuf]) -> Self {
        let mut header = Self::default();
        header.follow(path, others, 0, &mut BTreeSet::new());
        header
    }

    fn follow(
        &mut self,
        path: &Path,
        others: &[PathBuf],
        depth: usize,
        seen: &mut BTreeSet<PathBuf>,
    ) {
        if !seen.insert(path.to_owned()) {
            return;
        }
        let text = without_comments(&text_of(path));
        let mut lines = text.lines().zip(1..);
        while let Some((line, number)) = lines.next() {
            if let Some(name) = included(line) {
                if name == "tband.h" {
                    self.tband_h.get_or_insert((number, None));
                    continue;
                }
                let beside = path.parent().map(|it| it.join(name)).filter(|it| it.is_file());
                let found = beside.or_else(|| others.iter().find(|it| it.ends_with(name)).cloned());
                match found {
                    Some(found) if depth < MAX_DEPTH => {
                        self.follow(&found, others, depth + 1, seen)
                    }
                    _ => self.elsewhere.push(name.to_owned()),
                }
                continue;
            }
            let Some(rest) = directive(line, "define") else { continue };
            let is_end = |it: char| !it.is_ascii_alphanumeric() && it != '_';
            let name = rest.split(is_end).next().unwrap_or_default();
            let mut value = rest.get(name.len()..).unwrap_or_default().trim().to_owned();
            while let Some(len) = value.strip_suffix('\\').map(str::len) {
                value.truncate(len);
                value += lines.next().map_or("", |it| it.0).trim();
            }
            let is_for_tband =
                ["config", "INCLUDE_", "trace"].iter().any(|it| name.starts_with(it));
            if let (0, true, Some((_, after))) = (depth, is_for_tband, &mut self.tband_h) {
                after.get_or_insert(number);
            }
            self.definitions.push(Definition {
                file: path.to_owned(),
                line: number,
                name: name.to_owned(),
                value,
            });
        }
    }

    /// Returns the known definition of a macro.
    pub fn get(&self, name: &str) -> Macro {
        let mut found = self.definitions.iter().filter(|it| it.name == name);
        let Some(first) = found.next() else { return Macro::Unset };
        if found.any(|other| other.value != first.value) {
            return Macro::Unsure;
        }
        let value =
            first.value.trim_matches(['(', ')', ' ']).trim_end_matches(['u', 'U', 'l', 'L']);
        Macro::Is(value.to_owned(), format!("{}:{}", first.file.display(), first.line))
    }

    /// The first of the kernel's macros whose name has this beginning and that does not call tband's macro of this name, with
    /// its place.
    pub fn first_like(&self, beginning: &str) -> Option<(&str, String)> {
        let is_like = |it: &&Definition| {
            let rest = it.name.strip_prefix(beginning);
            let hook = rest.map(|rest| format!("TBAND_{rest}"));
            let is_of_tband = it.value.contains(&format!("tband_{}", it.name))
                || hook.is_some_and(|hook| it.value.contains(&hook));
            !is_of_tband && rest.is_some() && is_of_kernel(&it.name)
        };
        let found = self.definitions.iter().find(is_like)?;
        Some((&found.name, format!("{}:{}", found.file.display(), found.line)))
    }

    /// It includes a file that is not here and may define macros of the project.
    pub fn has_unknown(&self) -> bool {
        self.includes_elsewhere(|it| !is_without_settings(it))
    }

    /// It includes a file of this kind that is not in the project.
    pub fn includes_elsewhere(&self, is_it: impl Fn(&str) -> bool) -> bool {
        self.elsewhere.iter().any(|it| is_it(it))
    }
}

/// Whether a name is one of the kernel's trace macros that tband defines.
fn is_of_kernel(name: &str) -> bool {
    let names = SOURCES.iter().find(|it| it.0 == "freertos-hooks/tband_hooks_names.h");
    names.is_some_and(|it| it.1.contains(&format!("#define {name}(")))
}

/// Whether a header, by its name, defines no macros of the project: those of C, of the kernel, and of tband itself.
pub fn is_without_settings(name: &str) -> bool {
    const OF_C: [&str; 14] = [
        "assert.h",
        "ctype.h",
        "errno.h",
        "inttypes.h",
        "limits.h",
        "math.h",
        "stdarg.h",
        "stdatomic.h",
        "stdbool.h",
        "stddef.h",
        "stdint.h",
        "stdio.h",
        "stdlib.h",
        "string.h",
    ];
    const OF_KERNEL: [&str; 9] = [
        "FreeRTOS.h",
        "event_groups.h",
        "portmacro.h",
        "projdefs.h",
        "queue.h",
        "semphr.h",
        "stream_buffer.h",
        "task.h",
        "timers.h",
    ];
    OF_C.contains(&name)
        || OF_KERNEL.contains(&name)
        || SOURCES.iter().any(|(path, _)| Path::new(path).ends_with(name))
}

/// The text of a file; nothing of one that cannot be read or is too large.
pub fn text_of(path: &Path) -> String {
    let is_small = path.metadata().is_ok_and(|it| it.is_file() && it.len() <= MAX_SIZE);
    let bytes = if is_small { fs::read(path).unwrap_or_default() } else { Vec::new() };
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Returns the kernel's version in its `task.h`: major * 10000 + minor * 100 + build; `None` if the file does not define it.
pub fn kernel_version_in(path: &Path) -> Option<u32> {
    let text = without_comments(&text_of(path));
    let part = |name: &str| {
        let name = format!("tskKERNEL_VERSION_{name}");
        text.lines().find_map(|line| {
            let rest = line.trim().strip_prefix('#')?.trim_start().strip_prefix("define")?;
            let value = rest.trim_start().strip_prefix(name.as_str())?;
            let value = value.trim().trim_matches(['(', ')', ' ']);
            value.parse::<u32>().ok().filter(|it| *it < 100)
        })
    };
    Some(part("MAJOR")? * 10_000 + part("MINOR")? * 100 + part("BUILD")?)
}

/// The macros of a header, and of the build's flags.
pub struct Macros<'f> {
    pub header: Header,
    pub build: &'f str,
}

impl Macros<'_> {
    pub fn get(&self, name: &str) -> Macro {
        match self.header.get(name) {
            Macro::Unset if self.build.contains(name) || self.header.has_unknown() => Macro::Unsure,
            found => found,
        }
    }
}

/// Returns the macro's place, or otherwise the file where it should be.
pub fn where_is(found: &Macro, file: &str) -> String {
    match found {
        Macro::Is(_, place) => place.clone(),
        _ => file.to_owned(),
    }
}

/// Reports names that tband does not have.
pub(super) fn examine_names(diagnosis: &mut Diagnosis, path: &Path) {
    for config::Unknown { line, name, value, meant } in config::unknown(&text_of(path)) {
        let advice = match meant {
            Some(meant) => format!("#define {meant} {value}"),
            None => "remove it; include/tband_config_defaults.h lists all".to_owned(),
        };
        diagnosis.finding(
            "a macro of this name",
            format!("{}:{line}: {name}", path.display()),
            "tband has none: the one that was meant has its default",
            advice,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_left_out_and_lines_stay() {
        let text = "a /* x\ny */ b // c\n\"/* no */\" d /* open\n";
        assert_eq!(without_comments(text), "a  \n b  \n\"/* no */\" d  \n");
        for odd in ["/", "\"", "/*", "//", "/* \u{e9}", "\"\u{e9}\n", "*/ /"] {
            assert_eq!(without_comments(odd).lines().count(), odd.lines().count(), "{odd}");
        }
    }

    #[test]
    fn macros_are_read_through_includes() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(
            path("a.h"),
            "#include \"b.h\"\n# define ONE ( 1U ) // on\n#define TWICE 1\n#define TWICE 2\n",
        )
        .unwrap();
        fs::write(path("b.h"), "#include \"a.h\"\n#include <c.h>\n#define INNER 7\n#include \"tband.h\"\n#define LATE\n").unwrap();
        let header = Header::read(&path("a.h"), &[]);
        assert!(
            matches!(header.get("ONE"), Macro::Is(value, place) if value.trim() == "1" && place.ends_with("a.h:2"))
        );
        assert!(matches!(header.get("INNER"), Macro::Is(value, _) if value == "7"));
        assert_eq!(header.get("TWICE"), Macro::Unsure);
        assert_eq!(header.get("NONE"), Macro::Unset);
        assert!(header.includes_elsewhere(|it| it == "c.h"));
        assert!(header.tband_h.is_some());
    }
}
