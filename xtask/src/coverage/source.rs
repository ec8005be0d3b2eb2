//! The trace macros in the kernel's sources: names and parameters, and their callers.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

/// Number of parameters of each macro that the kernel's `FreeRTOS.h` lets others define.
pub type Signatures = BTreeMap<String, usize>;

pub fn macros(kernel: &Path) -> Result<Signatures> {
    let path = kernel.join("include/FreeRTOS.h");
    let text =
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let text = without_comments(&text);
    let parameters = definitions(&text);
    let mut found = Signatures::new();
    for line in text.lines() {
        let Some(name) = directive(line, "ifndef").map(str::trim) else { continue };
        if name.starts_with("trace") {
            let Some(&count) = parameters.get(name) else {
                bail!("{} has no definition of {name}", path.display());
            };
            found.insert(name.to_owned(), count);
        }
    }
    Ok(found)
}

/// Returns the macros that a text defines, with their number of parameters; also those that are aliases.
#[must_use]
pub fn definitions(text: &str) -> Signatures {
    let mut parameters = Signatures::new();
    let mut aliases = vec![];
    for line in text.replace("\\\n", " ").lines() {
        let Some(definition) = directive(line, "define") else { continue };
        let end = definition.find(|c: char| !is_word(c)).unwrap_or(definition.len());
        let (name, rest) = definition.split_at(end);
        match rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
            Some((list, _)) => {
                let names = list.split(',').filter(|name| !name.trim().is_empty());
                parameters.insert(name.to_owned(), names.count());
            }
            None => aliases.push((name.to_owned(), rest.trim().to_owned())),
        }
    }
    for (name, target) in aliases {
        if let Some(&count) = parameters.get(&target) {
            parameters.insert(name, count);
        }
    }
    parameters
}

/// For each macro the files that call it: `tasks.c`, `heap_4.c`, …, and `ports`.
pub fn callers(kernel: &Path, macros: &Signatures) -> Result<BTreeMap<String, BTreeSet<String>>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut folders = vec![kernel.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries =
            fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            if !path.extension().is_some_and(|end| end == "c" || end == "h") {
                continue;
            }
            // Some ports' files are in other encodings.
            let text = String::from_utf8_lossy(&fs::read(&path)?).into_owned();
            let inside = path.strip_prefix(kernel).unwrap_or(&path);
            let is_port = inside.starts_with("portable") && !inside.starts_with("portable/MemMang");
            let name = inside.file_name().unwrap_or_default().to_string_lossy();
            let caller = if is_port { "ports".into() } else { name };
            for called in called(&without_comments(&text)) {
                if macros.contains_key(called) {
                    found.entry(called.to_owned()).or_default().insert(caller.to_string());
                }
            }
        }
    }
    Ok(found)
}

/// Returns names that are followed by a parenthesis, except for those being defined.
fn called(text: &str) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    for line in text.lines() {
        // Calls in the bodies of other macros count.
        let line = match directive(line, "define") {
            Some(definition) => definition.trim_start_matches(is_word),
            None => line,
        };
        let mut rest = line;
        while let Some(start) = rest.find("trace") {
            let is_start = !rest[..start].ends_with(is_word);
            let (_, from) = rest.split_at(start);
            let end = from.find(|c: char| !is_word(c)).unwrap_or(from.len());
            let (name, after) = from.split_at(end);
            if is_start && after.trim_start().starts_with('(') {
                found.insert(name);
            }
            rest = after;
        }
    }
    found
}

/// Returns the text after a directive, if the line is one.
fn directive<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix(name)?;
    rest.starts_with([' ', '\t']).then(|| rest.trim_start())
}

pub fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// C source with a space in place of each comment. Lines stay where they are.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("/*").into_iter().chain(rest.find("//")).min() {
        let (code, comment) = rest.split_at(start);
        out.push_str(code);
        out.push(' ');
        let (end, width) = match comment.starts_with("/*") {
            true => (comment[2..].find("*/").map(|at| at + 2), 2),
            false => (comment.find('\n'), 0),
        };
        let end = end.map_or(comment.len(), |at| at + width);
        out.extend(comment[..end].chars().filter(|&c| c == '\n'));
        rest = &comment[end..];
    }
    out.push_str(rest);
    out
}
