//! `FreeRTOSConfig.h`: the two macros that tband needs, and `tband.h` at its end.

use super::Outcome;
use crate::doctor::headers::{Macro, number};
use crate::init::kernel::{Kernel, Recorder};
use crate::init::text::Text;
use crate::syntax::c::{Directive, directives, without_comments};

/// Macros that must be 1.
const NEEDED: [&str; 2] = ["configUSE_TRACE_FACILITY", "INCLUDE_xTaskGetIdleTaskHandle"];
/// The same in a kernel with one core and without mutexes, and the first kernel that has it if it is not defined.
const CURRENT_TASK: &str = "INCLUDE_xTaskGetCurrentTaskHandle";
const WITH_CURRENT_TASK: u32 = 100_500;
const INCLUDE: &str = "#include \"tband.h\"";
/// For a header that programs without tband include too.
const GUARDED_INCLUDE: &str =
    "#if __has_include(\"tband.h\") /* in the program with tband */\n#include \"tband.h\"\n#endif";

/// `is_shared`: programs without tband include the header too.
pub fn edit(kernel: &Kernel, is_shared: bool, mut text: Text) -> Outcome {
    let before = text.clone();
    if let Some(Recorder { lines, .. }) = &kernel.other {
        // From the last one on, so that places stay.
        lines.iter().rev().for_each(|line| text.remove(line - 1));
    }
    let mut missing = String::new();
    for name in NEEDED.into_iter().chain(needs_current_task(kernel).then_some(CURRENT_TASK)) {
        let code = without_comments(&text.whole());
        let found: Vec<Directive<'_>> =
            directives(&code).filter(|it| it.definition().is_some_and(|it| it.0 == name)).collect();
        let is_on = |it: &Directive<'_>| it.definition().is_some_and(|it| is_on(it.1));
        match found.as_slice() {
            [] => match kernel.header.get(name) {
                Macro::Is { number, place, .. } if number.is_none_or(|it| it == 0) => {
                    return manual_steps(&format!("{place}: set {name} to 1"));
                }
                Macro::Is { .. } | Macro::Unsure => {}
                Macro::Unset => missing += &format!("#define {name} 1\n"),
            },
            [one] if is_on(one) => {}
            [one] => {
                let at = one.line - 1;
                let line = text.lines().nth(at).and_then(|line| set(line, name));
                match line {
                    Some(line) if one.end == one.line && !is_nested(&code, one.line) => {
                        text.replace(at, &line);
                    }
                    _ => return manual_steps(&format!("line {}: set {name} to 1", one.line)),
                }
            }
            // Conditions decide.
            several if several.iter().any(is_on) => {}
            several => {
                let count = several.len();
                return manual_steps(&format!("set {name} to 1 in one of its {count} lines"));
            }
        }
    }
    let code = without_comments(&text.whole());
    let include = directives(&code).find(|it| it.included() == Some("tband.h"));
    let place = include.map(|it| it.line - 1);
    match place {
        Some(at) if !missing.is_empty() && is_nested(&code, at + 1) => {
            return manual_steps(&format!("before tband.h is included add\n{missing}"));
        }
        // tband.h reads the macros.
        Some(at) => text.insert(at, &missing),
        None => {
            missing += if is_shared { GUARDED_INCLUDE } else { INCLUDE };
            let Some(at) = end(&text) else {
                return manual_steps(&format!("add at its end:\n{missing}"));
            };
            let marked = format!("/* tband, by tband-cli init: the last lines. */\n{missing}\n");
            text.insert(at, &marked);
        }
    }
    if text == before { Outcome::Complete } else { Outcome::Edited(text) }
}

/// The kernel compiles the function that returns the running task only if the configuration demands it.
fn needs_current_task(kernel: &Kernel) -> bool {
    let may_be = |name: &str, is_it: fn(i64) -> bool| match kernel.header.get(name) {
        Macro::Unset => false,
        Macro::Is { number, .. } => number.is_none_or(is_it),
        Macro::Unsure => true,
    };
    let is_there = may_be("configUSE_MUTEXES", |it| it != 0)
        || may_be("configNUMBER_OF_CORES", |it| it > 1)
        || may_be("configNUM_CORES", |it| it > 1);
    let is_default = kernel.version.as_ref().is_some_and(|it| it.0 >= WITH_CURRENT_TASK)
        && kernel.header.get(CURRENT_TASK) == Macro::Unset;
    !is_there && !is_default
}

fn manual_steps(step: &str) -> Outcome {
    Outcome::ByHand(step.to_owned())
}

/// The value of a macro in a line, and where it begins.
fn value<'l>(line: &'l str, name: &str) -> Option<(usize, &'l str)> {
    let at = line.find(name)? + name.len();
    let rest = line.get(at..)?;
    let start = at + (rest.len() - rest.trim_start().len());
    let rest = line.get(start..)?;
    let end = rest.find("/*").or_else(|| rest.find("//")).unwrap_or(rest.len());
    Some((start, rest.get(..end)?.trim_end()))
}

fn is_on(value: &str) -> bool {
    number(value, &|_| None).is_some_and(|it| it != 0)
}

/// Returns the line with 1 instead of 0; `None` if it has another value.
fn set(line: &str, name: &str) -> Option<String> {
    let (start, value) = value(line, name)?;
    if number(value, &|_| None) != Some(0) {
        return None;
    }
    let is_digit = |it: char| it.is_ascii_digit();
    let changed = match (value.find(is_digit), value.rfind('0')) {
        // The last digit, so that the base stays; 00 is 01.
        (Some(_), Some(at)) => format!("{}1{}", value.get(..at)?, value.get(at + 1..)?),
        _ => value.replacen("pdFALSE", "pdTRUE", 1).replacen("false", "true", 1),
    };
    // Of an expression the last digit may not decide.
    is_on(&changed).then_some(())?;
    Some(format!("{}{changed}{}", line.get(..start)?, line.get(start + value.len()..)?))
}

/// The directives of a file, each with the depth of conditions: of an opening or closing one, without itself. `None` if the
/// conditions do not fit.
fn depths(code: &str) -> Option<Vec<(Directive<'_>, usize)>> {
    let (mut depths, mut depth) = (Vec::new(), 0_usize);
    for it in directives(code) {
        if it.name == "endif" {
            depth = depth.checked_sub(1)?;
        }
        let around = depth;
        depth += usize::from(it.name.starts_with("if"));
        depths.push((it, around));
    }
    (depth == 0).then_some(depths)
}

/// The directive in this line, counted from 1, is in a condition other than the guard of the header.
fn is_nested(code: &str, line: usize) -> bool {
    let allowed = usize::from(guard_end(code).is_some());
    let depths = depths(code).unwrap_or_default();
    depths.iter().find(|it| it.0.line == line).is_none_or(|it| it.1 > allowed)
}

/// Returns the line, counted from 1, that ends the guard of a header: it closes the directive that begins the code, and is the last
/// line of code.
fn guard_end(code: &str) -> Option<usize> {
    let depths = depths(code)?;
    let is_code = |line: &str| !line.trim().is_empty();
    let ((opening, _), rest) = depths.split_first()?;
    let condition = opening.rest.replace([' ', '\t'], "");
    let is_guard =
        opening.name == "ifndef" || (opening.name == "if" && condition.starts_with("!defined"));
    if !is_guard || code.lines().position(is_code) != Some(opening.line - 1) {
        return None;
    }
    let end = rest.iter().position(|(it, depth)| it.name == "endif" && *depth == 0)?;
    // With another branch, the lines before the end are of that one.
    let mut inside = rest.iter().take(end);
    let has_branch = inside.any(|(it, depth)| it.name.starts_with("el") && *depth == 1);
    let (end, _) = rest.get(end)?;
    let is_last = !code.lines().skip(end.end).any(is_code);
    (is_last && !has_branch).then_some(end.line)
}

/// Returns the line before which the last lines belong: in the section that CubeMX keeps, before the end of the guard, or the
/// end of the file. `None` if the file's conditions have no clear end.
fn end(text: &Text) -> Option<usize> {
    let is_mark = |line: &str, mark: &str| line.contains(mark) && line.contains("USER CODE");
    let begin = text.lines().position(|it| is_mark(it, "BEGIN Defines"));
    let end = text.lines().position(|it| is_mark(it, "END Defines"));
    if let (Some(begin), Some(end)) = (begin, end)
        && begin < end
    {
        return Some(end);
    }
    let code = without_comments(&text.whole());
    depths(&code)?;
    Some(guard_end(&code).map_or(text.len(), |line| line - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_configuration() {
        let end_of = |text: &str| end(&Text::of(text.as_bytes()).unwrap());
        assert_eq!(end_of("#ifndef A\n#define A\n#define B 1\n#endif /* A */\n\n"), Some(3));
        assert_eq!(end_of("#pragma once\n#if X\n#endif\n"), Some(3));
        assert_eq!(end_of("#ifndef X\n#endif\n#define B 1"), Some(3));
        assert_eq!(end_of("#ifndef X\n#define X\n"), None);
        // The first condition is no guard.
        assert_eq!(end_of("#ifndef X\n#define X 1\n#endif\n#if Y\n#define Z\n#endif\n"), Some(6));
        assert_eq!(end_of("#ifndef X\n#define X 1\n#else\n#define Z\n#endif\n"), Some(5));
        let cube = "#ifndef A\n/* USER CODE BEGIN Defines */\n/* x */\n/* USER CODE END Defines */\n#endif\n";
        assert_eq!(end_of(cube), Some(3));
    }

    #[test]
    fn a_value_of_0_becomes_1() {
        let name = "configUSE_TRACE_FACILITY";
        let line = |value: &str| format!("  #define {name}   {value} /* 0 */");
        assert_eq!(set(&line("0"), name), Some(line("1")));
        assert_eq!(set(&line("( 0U )"), name), Some(line("( 1U )")));
        assert_eq!(set(&line("1"), name), None);
        for (before, after) in [
            ("0x0", "0x1"),
            ("(0x00UL)", "(0x01UL)"),
            ("00", "01"),
            ("pdFALSE", "pdTRUE"),
            ("((uint32_t)0)", "((uint32_t)1)"),
        ] {
            assert_eq!(set(&line(before), name), Some(line(after)));
        }
        // Neither has a digit that decides.
        for value in ["(1-1)", "10*0*0", "!1"] {
            assert_eq!(set(&line(value), name), None, "{value}");
        }
        for (value, expected) in [("1", true), ("(0x10u)", true), ("0", false), ("(1-1)", false)] {
            assert_eq!(is_on(value), expected, "{value}");
        }
    }
}
