//! The kernel's trace macros that the flags of a build define, or a header that they include before each source.

use std::path::Path;

use super::headers::{Header, is_of_kernel};
use crate::survey::build_file::BuildFile;
use crate::survey::forced::COMMANDS;
use crate::survey::{Survey, content};
use crate::syntax::text::decode;

/// A trace macro that flags of the compiler define.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlagHook {
    pub name: String,
    /// File and line.
    pub place: String,
}

/// Finds the trace macros that tband defines too, in the build files and in the commands of an earlier build.
pub fn find(survey: &Survey) -> Vec<FlagHook> {
    let mut found: Vec<FlagHook> = survey.build.iter().flat_map(of_file).collect();
    for name in COMMANDS {
        let text = decode(&content(&survey.root.join(Path::new(name))));
        found.extend(of_lines(name, text.lines().zip(1..).map(|(line, at)| (at, line)), is_flag));
    }
    for path in &survey.forced {
        let header = Header::read(path, &survey.headers);
        let hooks = header.hooks();
        found.extend(hooks.map(|(name, place)| FlagHook { name: name.to_owned(), place }));
    }
    let mut seen = Vec::new();
    found.retain(|it| {
        let is_first = !seen.contains(&it.name);
        seen.push(it.name.clone());
        is_first
    });
    found
}

fn of_file(file: &BuildFile) -> Vec<FlagHook> {
    let is_xml = [".cproject", ".ewp", ".uvprojx"].iter().any(|it| file.name.ends_with(it));
    if is_xml {
        return of_lines(&file.name, file.code(), is_word);
    }
    let mut found = of_lines(&file.name, file.code(), is_flag);
    // Commands for definitions need no -D.
    for command in file.commands().iter().filter(|it| it.name.ends_with("_definitions")) {
        let hooks = command.arguments.iter().filter_map(|it| hook(it));
        found.extend(hooks.map(|name| FlagHook {
            name: name.to_owned(),
            place: format!("{}:{}", file.name, command.line),
        }));
    }
    found
}

/// The hooks in lines after a text that `is_start` accepts.
fn of_lines<'l>(
    name: &str,
    lines: impl Iterator<Item = (usize, &'l str)>,
    is_start: fn(&str) -> bool,
) -> Vec<FlagHook> {
    let mut found = Vec::new();
    for (at, line) in lines {
        for (begin, _) in line.match_indices("trace") {
            let (Some(before), Some(rest)) = (line.get(..begin), line.get(begin..)) else {
                continue;
            };
            if let Some(hook) = hook(rest).filter(|_| is_start(before)) {
                found.push(FlagHook { name: hook.to_owned(), place: format!("{name}:{at}") });
            }
        }
    }
    found
}

/// The trace macro at the beginning of a definition, unless it calls tband's macro of this name.
fn hook(definition: &str) -> Option<&str> {
    let is_name = |it: char| it.is_ascii_alphanumeric() || it == '_';
    let end = definition.find(|it| !is_name(it)).unwrap_or(definition.len());
    let (name, rest) = definition.split_at(end);
    let value = rest.split(char::is_whitespace).next().unwrap_or_default();
    let calls_tband = value.contains("tband_trace") || value.contains("TBAND_");
    (is_of_kernel(name) && !calls_tband).then_some(name)
}

/// The text before a definition ends with the option that defines a macro.
fn is_flag(before: &str) -> bool {
    let before = before.trim_end_matches(['\'', '"', '\\', ' ', '\t']);
    let Some(rest) = before.strip_suffix('D') else { return false };
    rest.strip_suffix(['-', '/']).is_some_and(|it| {
        it.chars().next_back().is_none_or(|it| !it.is_ascii_alphanumeric() && it != '_')
    })
}

/// The text before a definition ends a word.
fn is_word(before: &str) -> bool {
    before.chars().next_back().is_none_or(|it| !it.is_ascii_alphanumeric() && it != '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(file: &str, text: &str) -> Vec<String> {
        of_file(&BuildFile::for_test(file, text)).into_iter().map(|it| it.name).collect()
    }

    #[test]
    fn hooks_are_found_in_flags() {
        for (file, text, is_found) in [
            ("Makefile", "CFLAGS += -DtraceTASK_SWITCHED_IN=mine\n", true),
            ("Makefile", "CFLAGS += -O2 -D'traceTASK_SWITCHED_IN()=mine()'\n", true),
            ("Makefile", "CFLAGS += '-DtraceTASK_SWITCHED_IN()=mine()'\n", true),
            ("Makefile", "CFLAGS += -D traceTASK_SWITCHED_IN\\(\\)=mine\\(\\)\n", true),
            ("Makefile", "# -DtraceTASK_SWITCHED_IN\n", false),
            ("Makefile", "CFLAGS += -UtraceTASK_SWITCHED_IN\n", false),
            ("Makefile", "CFLAGS += -DtraceOF_NOBODY=1\n", false),
            ("Makefile", "SRC += my-DtraceTASK_SWITCHED_IN.c\n", false),
            ("Makefile", "SRC += traceTASK_SWITCHED_IN.c\n", false),
            ("Makefile", "F += '-DtraceTASK_SWITCHED_IN()=tband_traceTASK_SWITCHED_IN()'\n", false),
            ("CMakeLists.txt", "add_compile_options(-DtraceTASK_SWITCHED_IN=x)\n", true),
            (
                "CMakeLists.txt",
                "target_compile_definitions(a PRIVATE\n  traceTASK_SWITCHED_IN=x)\n",
                true,
            ),
            ("CMakeLists.txt", "message(traceTASK_SWITCHED_IN)\n", false),
            ("a.ewp", "<state>traceTASK_SWITCHED_IN=mine</state>\n", true),
            (".cproject", "value=\"traceTASK_SWITCHED_IN()=mine()\"\n", true),
        ] {
            let found = names(file, text);
            assert_eq!(found.as_slice() == ["traceTASK_SWITCHED_IN"], is_found, "{text} {found:?}");
            assert!(is_found || found.is_empty(), "{text} {found:?}");
        }
    }
}
