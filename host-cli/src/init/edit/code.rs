//! The program's source: includes `tband.h` and starts the recording.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::{Outcome, cmake, listed, lock};
use crate::init::environment::Environment;
use crate::init::project::Project;
use crate::init::text::Text;
use crate::init::timer::Timer;
use crate::survey::source::{APP_MAIN, MAIN, SCHEDULERS, SETUP, Source, functions, is_call};
use crate::syntax::c::{directives, without_comments, without_texts};
use crate::syntax::text::{has_identifier, identifiers};

/// The file that a program on a computer writes.
pub const RECORDING: &str = "recording.bin";

/// The lines that include tband, and those that start the recording.
fn lines(project: &Project<'_>) -> (Vec<&'static str>, Vec<String>) {
    let include = "#include \"tband.h\"";
    if project.timer.timer == Timer::Posix {
        let open = format!("(void)tband_posix_open(\"{RECORDING}\");");
        let start = "(void)tband_start_streaming();".to_owned();
        return (vec![include, "#include \"tband_posix.h\""], vec![open, start]);
    }
    let start = "(void)tband_trigger_snapshot();".to_owned();
    if lock::is_needed(project) {
        return (vec![lock::INCLUDE, include], vec![lock::CALL.to_owned(), start]);
    }
    (vec![include], vec![start])
}

/// The function that a program begins with, as its definition starts, in this environment.
fn entry(project: &Project<'_>) -> &'static str {
    let has = |it: Environment| project.environments.contains(&it);
    let is_sketch = project.survey.sources.iter().any(|it| it.is_sketch);
    match () {
        () if has(Environment::EspIdf) => APP_MAIN,
        () if has(Environment::Arduino) || (has(Environment::PlatformIo) && is_sketch) => SETUP,
        () => MAIN,
    }
}

/// Returns how often code calls a function.
fn count_calls(code: &str, name: &str) -> usize {
    // A message may name it.
    let code = without_texts(code);
    let is_call = |at: &usize| {
        let after = code.get(at + name.len()..).unwrap_or_default();
        after.trim_start().starts_with('(')
    };
    identifiers(&code, name).filter(is_call).count()
}

/// Maximum number of files that start the scheduler and are changed.
const MAX_STARTS: usize = 4;

/// Returns the files that start the recording: those that start the scheduler, otherwise the one with the first function.
pub fn files(project: &Project<'_>) -> Result<Vec<PathBuf>, String> {
    let entry = entry(project);
    let named = cmake::sources(project);
    let is_of_program = |path: &Path| named.contains(&project.survey.name(path));
    let is_built = |path: &Path| is_in_build(project, path);
    let with = |is_it: &dyn Fn(&Source) -> bool| -> (Vec<&PathBuf>, bool) {
        let found = project.survey.sources.iter().filter(|it| is_it(it)).map(|it| &it.path);
        let found: Vec<&PathBuf> = found.collect();
        // Others are of other programs, or of none.
        let checks: [&dyn Fn(&Path) -> bool; 2] = [&is_of_program, &is_built];
        let parts = checks
            .iter()
            .map(|is_it| found.iter().copied().filter(|it| is_it(it)).collect::<Vec<_>>());
        match parts.into_iter().find(|it| !it.is_empty()) {
            Some(part) => (part, true),
            None => (found, false),
        }
    };
    let starting = with(&|it| it.starts_recording);
    let scheduling = with(&|it| it.starts_scheduler);
    let beginning = with(&|it| it.defines(entry));
    let sets = [
        (starting, true),
        (if project.recorded().is_some() { scheduling } else { (Vec::new(), false) }, true),
        (beginning, false),
    ];
    match sets.iter().find(|((paths, _), _)| !paths.is_empty()) {
        Some(((paths, are_built), may_be_several)) => match paths.as_slice() {
            [path] => Ok(vec![(*path).clone()]),
            // A macro decides which one is called.
            several if *are_built && *may_be_several && several.len() <= MAX_STARTS => {
                Ok(several.iter().map(|it| (*it).clone()).collect())
            }
            several => {
                let names: Vec<_> = several.iter().map(|it| project.survey.name(it)).collect();
                Err(format!("in one of {}: {}", listed(&names), manual_steps(project)))
            }
        },
        None => Err(format!("in your program: {}", manual_steps(project))),
    }
}

/// A build file names a source.
fn is_in_build(project: &Project<'_>, path: &Path) -> bool {
    let Some(name) = path.file_name().map(|it| it.to_string_lossy()) else { return false };
    let mut lines = project.survey.build.iter().flat_map(|it| it.code());
    lines.any(|(_, line)| has_identifier(line, &name))
}

fn manual_steps(project: &Project<'_>) -> String {
    let (includes, start) = lines(project);
    format!(
        "add {}, and {} before the scheduler or the main loop starts",
        includes.join(", "),
        start.join(" ")
    )
}

/// Puts lines into a condition that only the program with tband fulfils.
fn guard(lines: &[String]) -> Vec<String> {
    let first = "#if __has_include(\"tband.h\")".to_owned();
    std::iter::once(first).chain(lines.iter().cloned()).chain(["#endif".to_owned()]).collect()
}

pub fn edit(project: &Project<'_>, path: &Path, mut text: Text) -> Outcome {
    let code = without_comments(&text.whole());
    let has_start = ["tband_trigger_", "tband_start_"].iter().any(|it| has_identifier(&code, it));
    let has_include = directives(&code).any(|it| it.included() == Some("tband.h"));
    if has_start && has_include {
        return Outcome::Complete;
    }
    let (includes, start) = lines(project);
    let name = project.survey.name(path);
    let is_shared = cmake::sources_of_others(project).is_some_and(|it| it.contains(&name));
    let guarded = |lines: Vec<String>| if is_shared { guard(&lines) } else { lines };
    if !has_start {
        let Some((at, indent)) = start_line(project, &text, &code) else {
            return Outcome::ByHand(manual_steps(project));
        };
        let start = guarded(start.iter().map(|it| format!("{indent}{it}")).collect());
        text.insert(at, &start.join("\n"));
    }
    if !has_include {
        let Some(at) = include_line(&text) else { return Outcome::ByHand(manual_steps(project)) };
        let includes = guarded(includes.into_iter().map(str::to_owned).collect());
        text.insert(at, &includes.join("\n"));
    }
    Outcome::Edited(text)
}

/// Returns the line before which recording starts, and its indentation.
fn start_line(project: &Project<'_>, text: &Text, code: &str) -> Option<(usize, String)> {
    // CubeMX keeps this section, which is after the clocks are set.
    let is_mark = |line: &str, mark: &str| line.contains("USER CODE") && line.contains(mark);
    let lines: Vec<&str> = text.lines().collect();
    let marks = |word: &str| -> Vec<usize> {
        let ends = [format!("{word} 2 "), format!("{word} 2*")];
        let is_it = |line: &str| ends.iter().any(|it| is_mark(line, it));
        lines.iter().enumerate().filter(|(_, it)| is_it(it)).map(|(at, _)| at).collect()
    };
    if let ([begin], [end]) = (marks("BEGIN").as_slice(), marks("END").as_slice())
        && begin < end
    {
        return Some((*end, indentation(lines.get(*end)?)));
    }
    let calls: usize = SCHEDULERS.iter().map(|it| count_calls(code, it)).sum();
    let definitions = functions(code, entry(project));
    // Conditions decide which one is compiled.
    if (project.recorded().is_some() && calls > 1) || definitions.len() > 1 {
        return None;
    }
    let code: Vec<&str> = code.lines().collect();
    let is_scheduler = |line: &&str| SCHEDULERS.iter().any(|it| is_call(line.trim_start(), it));
    if project.recorded().is_some()
        && let Some(at) = code.iter().position(is_scheduler)
    {
        let is_free = is_between_statements(&code, at);
        return is_free.then(|| (at, indentation(lines.get(at).copied().unwrap_or_default())));
    }
    let (_, brace) = *definitions.first()?;
    // Before the main loop, if it is in this function: clocks are set then.
    let mut depth = 0_usize;
    for (at, line) in code.iter().enumerate().skip(brace) {
        let is_loop = ["while", "for"].iter().any(|it| {
            let rest = line.trim_start().strip_prefix(it).map(|it| it.replace(' ', ""));
            rest.is_some_and(|it| ["(1)", "(true)", "(;;)"].iter().any(|end| it.starts_with(end)))
        }) && !is_end_of_do(&code, at);
        if is_loop && depth == 1 && is_between_statements(&code, at) {
            return Some((at, indentation(lines.get(at)?)));
        }
        depth += line.matches('{').count();
        depth = depth.saturating_sub(line.matches('}').count());
        if depth == 0 && at > brace {
            break;
        }
    }
    // Only a brace that ends its line has a place after it.
    let opening = code.get(brace)?.trim_end();
    let next = lines.get(brace + 1)?;
    opening.ends_with('{').then(|| (brace + 1, indentation(next)))
}

/// White space at the beginning of a line.
fn indentation(line: &str) -> String {
    line.chars().take_while(|it| matches!(it, ' ' | '\t')).collect()
}

/// A line such as `while (1);` that ends a `do` loop, whose brace is closed in the line before.
fn is_end_of_do(code: &[&str], at: usize) -> bool {
    let before = code.iter().take(at).rev().map(|it| it.trim()).find(|it| !it.is_empty());
    code.get(at).is_some_and(|it| it.trim_end().ends_with(';'))
        && before.is_some_and(|it| it.ends_with('}'))
}

/// A statement may be put before this line: the code before it is complete, in each branch of the conditions before it.
fn is_between_statements(code: &[&str], at: usize) -> bool {
    let is_continued = |at: usize| code.get(at).is_some_and(|it| it.trim_end().ends_with('\\'));
    // A line of a macro, or of a statement that a macro completes.
    if at.checked_sub(1).is_some_and(is_continued) {
        return false;
    }
    let (mut depth, mut is_open) = (0_usize, true);
    let mut end = at;
    while let Some(last) = end.checked_sub(1) {
        // A directive may have several lines.
        let mut begin = last;
        while begin.checked_sub(1).is_some_and(is_continued) {
            begin -= 1;
        }
        end = begin;
        let first = code.get(begin).map_or("", |it| it.trim());
        let Some(directive) = first.strip_prefix('#').map(str::trim_start) else {
            let line = code.get(last).map_or("", |it| it.trim());
            if line.is_empty() {
                continue;
            }
            if is_open && !line.ends_with([';', '{', '}', ':']) {
                return false;
            }
            if depth == 0 {
                return true;
            }
            is_open = false;
            continue;
        };
        if directive.starts_with("endif") {
            depth += 1;
            is_open = true;
        } else if directive.starts_with("el") {
            is_open = true;
        } else if directive.starts_with("if") {
            depth = depth.saturating_sub(1);
            is_open = true;
        }
    }
    false
}

/// Returns the line after the includes at the beginning of a file.
fn include_line(text: &Text) -> Option<usize> {
    // CubeMX keeps this section.
    let is_mark = |line: &str| line.contains("USER CODE") && line.contains("END Includes");
    if let Some(at) = text.lines().position(is_mark) {
        return Some(at);
    }
    let code = without_comments(&text.whole());
    // The first line that is not a directive, and the first line of code.
    let is_code = |line: &str| !line.trim().is_empty();
    let lines: BTreeSet<usize> = directives(&code).flat_map(|it| it.line - 1..it.end).collect();
    let end = code.lines().enumerate().position(|(at, it)| is_code(it) && !lines.contains(&at));
    let (mut depth, mut after) = (0_usize, None);
    for it in directives(&code).take_while(|it| end.is_none_or(|end| it.line <= end)) {
        if it.name.starts_with("if") {
            depth += 1;
        } else if it.name == "endif" {
            depth = depth.saturating_sub(1);
        } else if it.name == "include" && depth == 0 {
            after = Some(it.end);
        }
    }
    // Without an include, before the first line of code.
    after.or_else(|| code.lines().position(is_code))
}
