//! The book's pages that follow from the headers: the configuration macros, and the functions for firmware.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

const CONFIG: &str = "include/tband_config_defaults.h";

/// The headers with functions for firmware, and the headings above their functions.
const FUNCTIONS: [(&str, &str); 6] = [
    ("include/tband_api.h", ""),
    ("include/tband_freertos.h", "FreeRTOS"),
    ("include/tband_record.h", "Records"),
    ("include/tband_element.h", "Records of elements"),
    ("include/tband_filters.h", "Filters"),
    ("include/tband_triggers.h", "Triggers"),
];

/// The headers of the flux emitter, which has a separate page.
const FLUX: [(&str, &str); 2] =
    [("include/tband_flux.h", "Functions"), ("include/tband_flux_handlers.h", "Handlers")];

fn read(root: &Path, path: &str) -> Result<String> {
    fs::read_to_string(root.join(path)).with_context(|| format!("cannot read {path}"))
}

/// The text of a comment that begins with `open`, and what follows it.
fn comment<'t>(text: &'t str, open: &str) -> Option<(String, &'t str)> {
    let (body, rest) = text.strip_prefix(open)?.split_once("*/")?;
    let lines: Vec<_> =
        body.lines().map(|line| line.trim().trim_start_matches('*').trim_start()).collect();
    Some((lines.join("\n").trim().to_owned(), rest))
}

/// Names of macros and functions as code.
fn marked(text: &str) -> String {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(is_name) {
        let (before, word) = rest.split_at(start);
        let end = word.find(|c: char| !is_name(c)).unwrap_or(word.len());
        let (word, after) = word.split_at(end);
        out.push_str(before);
        let is_code = ["tband_", "TBAND_", "port", "config", "trace", "xPort", "INCLUDE_"]
            .iter()
            .any(|prefix| word.starts_with(prefix) && word.len() > prefix.len())
            && word.contains(|c: char| c == '_' || c.is_ascii_uppercase());
        let in_code = before.ends_with('`') || before.ends_with("#define ");
        if is_code && !in_code {
            // Of a function its parentheses, of a file its ending.
            let ending = ["()", ".h", ".c", ".ld"]
                .into_iter()
                .find(|it| after.starts_with(it))
                .unwrap_or("");
            let _ = write!(out, "`{word}{ending}`");
            rest = &after[ending.len()..];
            continue;
        } else {
            out.push_str(word);
        }
        rest = after;
    }
    out + rest
}

/// The defaults that a text defines for a macro, each once.
fn defaults(text: &str, name: &str) -> Vec<String> {
    let text = text.replace("\\\n", " ");
    let define = format!("#define {name}");
    let mut values = Vec::new();
    for value in text.lines().filter_map(|line| line.trim_start().strip_prefix(&define)) {
        let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
        let value = if value.is_empty() { "nothing".to_owned() } else { value };
        if !values.contains(&value) {
            values.push(value);
        }
    }
    values
}

/// Every configuration macro with its meaning and its default.
pub(super) fn configuration(root: &Path) -> Result<String> {
    let text = read(root, CONFIG)?;
    let (all, _) = text.split_once("\n#if tband_configENABLE != 0\n").context(CONFIG)?;
    let mut out = String::from(
        "# Configuration\n\nThe macros of `tband_config.h`, generated from `include/tband_config_defaults.h` by \
         `cargo xtask header`. A macro without\nbounds is 0 or 1. CMake, `tband.mk` and `tband-cli config` report \
         mistyped macros.\n",
    );
    let mut rest = all;
    while let Some(start) = rest.find("\n/* ") {
        let Some((text, after)) = comment(&rest[start + 1..], "/*") else { break };
        rest = after;
        // Values that it may have are defined before it.
        let is_value = |line: &&str| line.is_empty() || line.starts_with("#define TBAND_");
        let values: usize =
            after.split_inclusive('\n').take_while(|it| is_value(&it.trim())).map(str::len).sum();
        let after = after.get(values..).unwrap_or_default();
        let name = |line: &str| Some(line.split_ascii_whitespace().nth(1)?.to_owned());
        if after.starts_with("#include \"tband_backends.h\"") {
            let backends = read(root, "include/tband_backends.h")?;
            let names = backends.lines().filter(|line| line.starts_with("#ifndef tband_config"));
            let names: Vec<_> = names.filter_map(name).collect();
            ensure!(!names.is_empty(), "tband_backends.h has no backends");
            out.push_str("\n## The backend\n\n| macro | default |\n|---|---|\n");
            for name in names {
                let _ = writeln!(out, "| `{name}` | 0 |");
            }
            let _ = writeln!(out, "\n{}", marked(&text));
        } else if let Some(line) =
            after.lines().next().filter(|it| it.starts_with("#ifndef tband_config"))
        {
            let name = name(line).context("a macro without a name")?;
            let own = after.split_once("#endif\n\n").map_or(after, |(own, _)| own);
            let values = defaults(own, &name);
            ensure!(!values.is_empty(), "{name} has no default");
            let values: Vec<_> = values.iter().map(|value| format!("`{value}`")).collect();
            let _ = writeln!(
                out,
                "\n## {name}\n\nDefault: {}.\n\n{}",
                values.join(" or "),
                marked(&text)
            );
        } else if text.starts_with("tband_config") {
            let (name, text) = text.split_once(", ").context("a macro without a text")?;
            let name = name.trim_end_matches("()");
            let _ = writeln!(out, "\n## {name}\n\nIt has {}", marked(text));
        }
    }
    for line in all.lines() {
        if let Some(name) = line.strip_prefix("#ifndef tband_config") {
            ensure!(
                out.contains(&format!("\n## tband_config{name}\n")),
                "{CONFIG}: {line} has no comment"
            );
        }
    }
    Ok(out)
}

/// What a comment describes: a prototype, or a macro with its arguments.
fn declaration(after: &str) -> Option<String> {
    let mut lines = after.lines().map(str::trim).skip_while(|line| {
        line.is_empty() || (line.starts_with('#') && !line.starts_with("#define "))
    });
    let first = lines.next()?;
    if let Some(define) = first.strip_prefix("#define ") {
        let end = define.find(')').map_or_else(|| define.find(' '), |at| Some(at + 1));
        return Some(define.get(..end?)?.to_owned());
    }
    let mut text = first.trim_start_matches("TBAND_INLINE ").to_owned();
    while !text.contains([';', '{']) {
        text = format!("{text} {}", lines.next()?);
    }
    Some(text.split([';', '{']).next()?.trim().to_owned() + ";")
}

/// Every function and macro for firmware, as the headers describe it.
pub(super) fn c_api(root: &Path) -> Result<String> {
    let mut out = String::from(
        "# C interface\n\nThe functions of `tband.h`, generated from the headers by `cargo xtask header`. With \
         `tband_configENABLE` 0 they do nothing, and\nthe optimiser removes them. Unless a function states another \
         context, call it in any task, in an interrupt that may record,\nor in a critical section. Strings are copied \
         at once; `NULL` counts as an empty string, and no byte after\n`tband_configMAX_STR_LEN` is read. \
         [What it costs](cost.md) has the costs.\n",
    );
    for (path, section) in FUNCTIONS {
        let text = read(root, path)?;
        if !section.is_empty() {
            let _ = writeln!(out, "\n## {section}");
        }
        let mut at = 0;
        while let Some(next) = text[at..].find("/*").map(|next| at + next) {
            let here = &text[next..];
            if let Some(title) = here.strip_prefix("/* ---- ") {
                let title = title.split(" -").next().unwrap_or_default();
                let _ = writeln!(out, "\n## {title}");
            } else if let Some((text, after)) = comment(here, "/**") {
                let declared = declaration(after).with_context(|| format!("{path}: {text}"))?;
                let _ = writeln!(out, "\n```c\n{declared}\n```\n\n{}", marked(&text));
            }
            at = next + here.find("*/").map_or(here.len(), |end| end + 2);
        }
    }
    Ok(out)
}

/// Removes the usual requirements, context and results, which the page has once. Requirements for arrays stay.
fn without_common_parts(text: &str) -> String {
    const REQUIREMENTS: &str = "\n\nRequirements:\n`trace` is null or has the memory of a trace";
    const RESULTS: &str = "\n\nContext and result as for tband_flux_event().";
    const CONTEXT: &str = "\nContext: the one that writes to the buffer. ";
    let text = match text.split_once(REQUIREMENTS) {
        Some((before, rest)) if !rest.contains(" of them") => before,
        _ => text,
    };
    text.strip_suffix(RESULTS).unwrap_or(text).replace(CONTEXT, "\n")
}

/// Every function, constant and field of the emitter of flux.
pub(super) fn flux_api(root: &Path) -> Result<String> {
    let mut constants = String::new();
    let mut fields = String::new();
    let mut functions = String::new();
    for (path, section) in FLUX {
        let text = read(root, path)?;
        let _ = writeln!(functions, "\n## {section}");
        let mut rest = text.as_str();
        while let Some(next) = rest.find("/**") {
            let Some((text, after)) = comment(rest.get(next..).unwrap_or_default(), "/**") else {
                break;
            };
            rest = after;
            let declared = declaration(after).with_context(|| format!("{path}: {text}"))?;
            let in_a_row = text.replace('\n', " ");
            if let Some(record) = declared.strip_prefix("typedef ").filter(|it| !it.contains('(')) {
                let name = record.split(' ').nth(1).unwrap_or_default().trim_end_matches(';');
                let _ = writeln!(fields, "| `{name}` | | {} |", marked(&in_a_row));
            } else if declared.starts_with("TBAND_FLUX_") {
                let line = after.trim_start().lines().next().unwrap_or_default();
                let value = line.split(' ').nth(2).unwrap_or_default();
                let _ = writeln!(constants, "| `{declared}` | {value} | {} |", marked(&in_a_row));
            } else if declared.contains('(') {
                let text = without_common_parts(&text);
                let _ = writeln!(functions, "\n```c\n{declared}\n```\n\n{}", marked(&text));
            } else {
                let field = declared.trim_end_matches(';');
                let _ = writeln!(fields, "| | `{field}` | {} |", marked(&in_a_row));
            }
        }
    }
    ensure!(functions.len() > 2000 && constants.len() > 500, "the headers of flux have nothing");
    Ok(format!(
        "# The emitter of flux in C\n\nThe functions of `tband_flux.h` and `tband_flux_handlers.h`, generated from the headers \
         by `cargo xtask header`. [Signals of your\nfirmware as flux](../guide/firmware/flux.md) shows how to use them.\n\n\
         - Context: the one that writes to the buffer, unless a function has another.\n\
         - The first table has all results. Nothing is written unless the result is `TBAND_FLUX_OK`. Functions for \
         samples\n  have the results of `tband_flux_event()`.\n\
         - `trace` is null or has the memory of a trace; texts are null or NUL-terminated.\n\n## Constants\n\n\
         | name | value | meaning |\n|---|---|---|\n{constants}\n## Types\n\n\
         | type | field | meaning |\n|---|---|---|\n{fields}{functions}"
    ))
}

#[cfg(test)]
mod tests {
    use super::defaults;

    #[test]
    fn each_default_is_listed_once_and_in_one_line() {
        let text = "#ifdef A\n  #define m 1\n#else\n#define m   \\\n  X | Y, \\\n     Z\n#endif\n#define m 1\n#define m\n";
        assert_eq!(defaults(text, "m"), ["1", "X | Y, Z", "nothing"]);
    }
}
