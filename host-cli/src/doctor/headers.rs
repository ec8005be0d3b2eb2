//! The headers of a project, as far as they can be read without a compiler: conditions are not evaluated.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

use tband_sources::SOURCES;

use super::Diagnosis;
use super::preprocessor::constant;
use crate::config;
use crate::syntax::c::{directives, without_comments};

/// A larger file, in bytes, is not a header that was written by hand.
const MAX_SIZE: u64 = 1 << 20;
/// Headers that include each other are followed so far.
const MAX_DEPTH: usize = 8;

/// A `#define`.
#[derive(Clone, Debug)]
struct Definition {
    file: PathBuf,
    line: usize,
    name: String,
    /// With the parameters, if it has some.
    value: String,
    has_parameters: bool,
}

/// The known definition of a macro.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Macro {
    /// It is not defined.
    Unset,
    Is {
        /// Without parentheses around it.
        value: String,
        /// Its number, if it is a constant.
        number: Option<i64>,
        /// File and line.
        place: String,
    },
    /// It depends on conditions, or is set elsewhere.
    Unsure,
}

impl Macro {
    /// It is a number other than 0, or might be.
    pub fn may_be_on(&self, default: bool) -> bool {
        match self {
            Self::Unset => default,
            Self::Is { number, .. } => *number != Some(0),
            Self::Unsure => true,
        }
    }
}

/// Returns the number of a constant in C; `None` if it is none, or not known. The kernel's names of 0 and 1 are known; `name`
/// returns the number of another one.
pub fn number(value: &str, name: &dyn Fn(&str) -> Option<i64>) -> Option<i64> {
    constant(value, &|it| match it {
        "pdFALSE" | "pdFAIL" | "false" => Some(0),
        "pdTRUE" | "pdPASS" | "true" => Some(1),
        other => name(other),
    })
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
        for directive in directives(&text) {
            if let Some(name) = directive.included() {
                self.include(path, (name, directive.line), others, depth, seen);
            } else if let Some((name, after)) = directive.definition() {
                let is_for_tband =
                    ["config", "INCLUDE_", "trace"].iter().any(|it| name.starts_with(it));
                if let (0, true, Some((_, after))) = (depth, is_for_tband, &mut self.tband_h) {
                    after.get_or_insert(directive.line);
                }
                let definition = Definition {
                    file: path.to_owned(),
                    line: directive.line,
                    name: name.to_owned(),
                    value: after.trim().to_owned(),
                    has_parameters: after.starts_with('('),
                };
                self.definitions.push(definition);
            }
        }
    }

    /// Reads a file that the header `path` includes, by its name there and the line of the include.
    fn include(
        &mut self,
        path: &Path,
        (name, line): (&str, usize),
        others: &[PathBuf],
        depth: usize,
        seen: &mut BTreeSet<PathBuf>,
    ) {
        if name == "tband.h" {
            self.tband_h.get_or_insert((line, None));
            return;
        }
        let found =
            beside(path, name).or_else(|| others.iter().find(|it| it.ends_with(name)).cloned());
        match found {
            Some(found) if depth < MAX_DEPTH => self.follow(&found, others, depth + 1, seen),
            _ => self.elsewhere.push(name.to_owned()),
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
        Macro::Is {
            value: value.to_owned(),
            number: self.number(first, 0),
            place: format!("{}:{}", first.file.display(), first.line),
        }
    }

    /// Returns the number of a definition, also if other definitions in the header name it.
    fn number(&self, definition: &Definition, depth: usize) -> Option<i64> {
        if definition.has_parameters || depth > MAX_DEPTH {
            return None;
        }
        let of_name = |name: &str| {
            let mut found = self.definitions.iter().filter(|it| it.name == name);
            let first = found.next()?;
            let is_same = found.all(|it| it.value == first.value);
            self.number(first, depth + 1).filter(|_| is_same)
        };
        number(&definition.value, &of_name)
    }

    /// The first of the kernel's trace macros that does not call tband's macro of this name, with its place.
    pub fn first_hook(&self) -> Option<(&str, String)> {
        self.hooks().next()
    }

    /// All of them.
    pub fn hooks(&self) -> impl Iterator<Item = (&str, String)> {
        let is_hook = |it: &&Definition| {
            let Some(rest) = it.name.strip_prefix("trace") else { return false };
            let calls = |before: &str, name: &str| {
                let mut parts = it.value.split(before).skip(1);
                parts.any(|after| after.starts_with(name))
            };
            is_of_kernel(&it.name) && !calls("tband_", &it.name) && !calls("TBAND_", rest)
        };
        let place = |it: &Definition| format!("{}:{}", it.file.display(), it.line);
        self.definitions.iter().filter(is_hook).map(move |it| (it.name.as_str(), place(it)))
    }

    /// It includes a file that is not here and may define macros of the project.
    pub fn has_unknown(&self) -> bool {
        self.has_external_include(|it| !is_without_settings(it))
    }

    /// It includes a file of this kind that is not in the project.
    pub fn has_external_include(&self, is_it: impl Fn(&str) -> bool) -> bool {
        self.elsewhere.iter().any(|it| is_it(it))
    }
}

/// Whether a name is one of the kernel's trace macros that tband defines.
pub fn is_of_kernel(name: &str) -> bool {
    static NAMES: OnceLock<BTreeSet<&str>> = OnceLock::new();
    let names = NAMES.get_or_init(|| {
        let file = SOURCES.iter().find(|it| it.0 == "freertos-hooks/tband_hooks_names.h");
        let lines = file.map_or("", |it| it.1).lines();
        let names =
            lines.filter_map(|it| it.trim_start().strip_prefix("#define ")?.split_once('('));
        names.map(|it| it.0).collect()
    });
    names.contains(name)
}

/// Returns the file of an include in the folder of the file `from` that has it. A file has the same path however it is included:
/// without `..` that lead back to a folder of the path.
pub fn beside(from: &Path, name: &str) -> Option<PathBuf> {
    let whole = from.parent()?.join(name);
    let mut short = PathBuf::new();
    for it in whole.components() {
        match it {
            Component::CurDir if !short.as_os_str().is_empty() => {}
            Component::ParentDir if short.file_name().is_some() => {
                short.pop();
            }
            it => short.push(it),
        }
    }
    // Through a link the shorter path may be another one.
    [short, whole].into_iter().find(|it| it.is_file())
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

/// Whether a file is too large to be read.
pub fn is_too_large(path: &Path) -> bool {
    path.metadata().is_ok_and(|it| it.is_file() && it.len() > MAX_SIZE)
}

/// The text of a file; nothing of one that cannot be read or is too large.
pub fn text_of(path: &Path) -> String {
    let is_file = path.metadata().is_ok_and(|it| it.is_file());
    let bytes = if is_file && !is_too_large(path) {
        fs::read(path).unwrap_or_default()
    } else {
        Vec::new()
    };
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The oldest kernel that tband records.
pub const OLDEST_KERNEL: u32 = 100_100;

/// A kernel's version as the kernel prints it, such as V10.3.1.
pub fn version_text(version: u32) -> String {
    format!("V{}.{}.{}", version / 10_000, version / 100 % 100, version % 100)
}

/// Returns the kernel's version in its `task.h`: major * 10000 + minor * 100 + build; `None` if the file does not define it.
pub fn kernel_version_in(path: &Path) -> Option<u32> {
    let text = without_comments(&text_of(path));
    let part = |part: &str| {
        directives(&text).find_map(|it| {
            let (name, value) = it.definition()?;
            let is_it = name.strip_prefix("tskKERNEL_VERSION_").is_some_and(|it| it == part);
            let value = number(value, &|_| None).filter(|_| is_it)?;
            u32::try_from(value).ok().filter(|it| *it < 100)
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
pub fn place_of(found: &Macro, file: &str) -> String {
    match found {
        Macro::Is { place, .. } => place.clone(),
        _ => file.to_owned(),
    }
}

/// Reports names that tband does not have.
pub(super) fn examine_names(diagnosis: &mut Diagnosis, path: &Path) {
    for config::UnknownMacro { line, name, value, meant } in config::unknown(&text_of(path)) {
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
    use crate::syntax::steps::allocated;

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
            matches!(header.get("ONE"), Macro::Is { value, number: Some(1), place } if value.trim() == "1" && place.ends_with("a.h:2"))
        );
        assert!(matches!(header.get("INNER"), Macro::Is { value, .. } if value == "7"));
        assert_eq!(header.get("TWICE"), Macro::Unsure);
        assert_eq!(header.get("NONE"), Macro::Unset);
        assert!(header.has_external_include(|it| it == "c.h"));
        assert!(header.tband_h.is_some());
    }

    /// Returns a header with this text.
    fn header(text: &str) -> Header {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.h"), text).unwrap();
        Header::read(&folder.path().join("a.h"), &[])
    }

    #[test]
    fn constants_of_0_are_off() {
        for value in [
            "0",
            "0x0",
            "0U",
            "(0)",
            "( 0UL )",
            "pdFALSE",
            "((BaseType_t) 0)",
            "1 - 1",
            "OFF",
            "!1",
        ] {
            let found = header(&format!("#define OFF 0\n#define A {value}\n")).get("A");
            assert!(!found.may_be_on(true), "{value}: {found:?}");
        }
        for value in ["1", "0x10", "10", "pdTRUE", "(2 > 1)", "OTHER", "A", "", "0 +", "\\\n 1"] {
            let found = header(&format!("#define A {value}\n")).get("A");
            assert!(found.may_be_on(false), "{value}: {found:?}");
        }
        let found = header("#define A() 0\n#define B 0\n#define B 1\n#define C B\n");
        assert!(["A", "B", "C"].iter().all(|it| found.get(it).may_be_on(false)));
    }

    #[test]
    fn a_file_has_one_path_however_it_is_included() {
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("in");
        fs::create_dir(&inside).unwrap();
        let names = ["a.h", "b.h", "c.h", "d.h", "e.h", "f.h"];
        // Each includes all: with a new path for each include there would be 6^8 of them.
        let all: String = names.iter().map(|it| format!("#include \"../in/{it}\"\n")).collect();
        for name in names {
            fs::write(inside.join(name), format!("{all}#define ONE 1\n")).unwrap();
        }
        let header = Header::read(&inside.join("a.h"), &[]);
        assert_eq!(header.definitions.len(), names.len());
        assert_eq!(beside(&inside.join("a.h"), "./../in/./b.h"), Some(inside.join("b.h")));
        assert_eq!(beside(&inside.join("a.h"), "../b.h"), None);
    }

    #[test]
    fn macros_of_others_need_no_memory() {
        let own = "#define traceTASK_CREATE(x) tband_traceTASK_CREATE(x)\n\
            #define traceTASK_DELETE(x) TBAND_TASK_DELETE(x)\n#define trace_mine(x) x\n";
        let found = header(&(own.to_owned() + &"#define configA f(1)\n".repeat(100)));
        found.first_hook();
        assert_eq!(allocated(|| assert_eq!(found.first_hook(), None)), 0);
        let found = header(&format!("{own}#define traceTASK_SWITCHED_IN() mine()\n"));
        let (name, place) = found.first_hook().unwrap();
        assert!(name == "traceTASK_SWITCHED_IN" && place.ends_with("a.h:4"), "{name} {place}");
    }
}
