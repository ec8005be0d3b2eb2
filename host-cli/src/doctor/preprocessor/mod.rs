//! A preprocessor that knows only a part: a project's headers and tband's, but neither the compiler's options nor all included
//! files. It reports the errors of tband's headers that are certain. A condition whose value is not known is neither true nor
//! false, and macros that are defined inside have no certain value.

mod expansion;
mod expression;
#[cfg(test)]
mod tests;
mod tokens;

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::syntax::c::{Directive, Directives, directives, without_comments};
pub use expansion::Definition;
use expansion::{Expansion, Macro, Macros};
pub use expression::constant;
use tokens::{Token, tokens};

/// Includes are followed so far.
const MAX_DEPTH: usize = 40;
/// Lines that are read, in all files together.
const MAX_LINES: usize = 400_000;

/// An included file.
pub struct IncludedFile {
    /// Its path, for messages and for the files that it includes.
    pub path: String,
    pub text: Rc<str>,
}

/// What surrounds the files.
pub trait Surroundings {
    /// Returns the file that an include in the file `from` finds; `None` if it is not known.
    fn find(&self, from: &str, name: &str) -> Option<IncludedFile>;
    /// Whether a name that no file defines is certainly not a macro.
    fn is_undefined(&self, name: &str) -> bool;
}

/// Errors of consecutive lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorBlock {
    pub file: String,
    pub line: usize,
    pub texts: Vec<String>,
}

/// Whether a line is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Certainty {
    Yes,
    No,
    Maybe,
}

impl Certainty {
    fn of(value: expression::Value) -> Self {
        match value {
            Some(0) => Self::No,
            Some(_) => Self::Yes,
            None => Self::Maybe,
        }
    }

    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Yes, Self::Yes) => Self::Yes,
            (Self::No, _) | (_, Self::No) => Self::No,
            _ => Self::Maybe,
        }
    }

    fn not(self) -> Self {
        match self {
            Self::Yes => Self::No,
            Self::No => Self::Yes,
            Self::Maybe => Self::Maybe,
        }
    }
}

/// An open `#if`.
struct Branches {
    around: Certainty,
    now: Certainty,
    /// Whether none of its branches was compiled so far.
    is_open: Certainty,
}

/// The state of one compilation.
pub struct Preprocessor<'s> {
    surroundings: &'s dyn Surroundings,
    pub macros: Macros,
    pub stops: Vec<ErrorBlock>,
    /// The first file that was not read because of a limit, and the limit.
    pub cut: Option<String>,
    /// Files that were read and are not read again where it is uncertain whether they are compiled: those with an include guard,
    /// and those with `#pragma once`. `true`: with `#pragma once`, and certainly compiled, so they are never read again.
    once: BTreeMap<String, bool>,
    has_ended: bool,
    lines: usize,
}

impl<'s> Preprocessor<'s> {
    pub fn new(surroundings: &'s dyn Surroundings) -> Self {
        Self {
            surroundings,
            macros: Macros::new(),
            stops: Vec::new(),
            cut: None,
            once: BTreeMap::new(),
            has_ended: false,
            lines: 0,
        }
    }

    /// Compiles a file.
    pub fn compile(&mut self, file: &IncludedFile) {
        self.read(file, Certainty::Yes, 0);
    }

    fn read(&mut self, file: &IncludedFile, around: Certainty, depth: usize) {
        let text = without_comments(&file.text);
        self.lines += text.lines().count();
        if self.lines > MAX_LINES {
            self.has_ended = true;
            let limit = format!("all files together have more than {MAX_LINES} lines");
            self.cut.get_or_insert(format!("{}: {limit}", file.path));
            return;
        }
        let mut branches: Vec<Branches> = Vec::new();
        let mut last_error = 0;
        let mut found = directives(&text);
        let mut is_first = true;
        while let Some(directive) = found.next() {
            if self.has_ended {
                return;
            }
            let is_at_begin = std::mem::take(&mut is_first);
            let (number, rest) = (directive.line, directive.rest.as_ref());
            let now = branches.last().map_or(around, |it| it.now);
            match directive.name {
                "if" | "ifdef" | "ifndef" => {
                    let name = guarded(directive.name, rest);
                    let name = name.filter(|it| !self.macros.contains_key(*it));
                    let is_guard = now != Certainty::No
                        && name.is_some_and(|name| is_guard_definition(found.clone(), name));
                    if is_guard && is_at_begin {
                        self.once.entry(file.path.clone()).or_default();
                    }
                    let is_compiled = match (now, directive.name) {
                        (Certainty::No, _) => Certainty::No,
                        _ if is_guard => Certainty::Yes,
                        (_, "if") => self.condition(file, rest),
                        (_, "ifdef") => self.is_defined(rest),
                        _ => self.is_defined(rest).not(),
                    };
                    let is_open = is_compiled.not();
                    branches.push(Branches { around: now, now: now.and(is_compiled), is_open });
                }
                "elif" | "else" => {
                    let Some(last) = branches.pop() else { continue };
                    let is_reached = last.around.and(last.is_open);
                    let is_compiled = match (is_reached, directive.name) {
                        (Certainty::No, _) => Certainty::No,
                        (_, "elif") => self.condition(file, rest),
                        _ => Certainty::Yes,
                    };
                    branches.push(Branches {
                        around: last.around,
                        now: is_reached.and(is_compiled),
                        is_open: last.is_open.and(is_compiled.not()),
                    });
                }
                "endif" => {
                    branches.pop();
                }
                _ if now == Certainty::No => {}
                "define" => self.define(file, &directive, now),
                "pragma" if rest == "once" => {
                    let is_certain = self.once.entry(file.path.clone()).or_default();
                    *is_certain |= now == Certainty::Yes;
                }
                "undef" => {
                    let name = first_name(rest);
                    if now == Certainty::Yes {
                        self.macros.remove(name);
                    } else {
                        self.macros.insert(name.to_owned(), Definition::Unsure);
                    }
                }
                "include" => self.include(file, rest, now, depth),
                "error" if now == Certainty::Yes => {
                    let text = unquoted(rest).replace("\\\"", "\"");
                    match self.stops.last_mut() {
                        Some(last) if last_error + 1 == number && last.file == file.path => {
                            last.texts.push(text);
                        }
                        _ => {
                            let file = file.path.clone();
                            self.stops.push(ErrorBlock { file, line: number, texts: vec![text] });
                        }
                    }
                    last_error = directive.end;
                }
                _ => {}
            }
        }
    }

    fn define(&mut self, file: &IncludedFile, directive: &Directive<'_>, now: Certainty) {
        let Some((name, after)) = directive.definition() else { return };
        let (parameters, body) = match after.strip_prefix('(').and_then(|it| it.split_once(')')) {
            Some((names, body)) => {
                (Some(names.split(',').map(|it| it.trim().to_owned()).collect()), body)
            }
            None => (None, after),
        };
        let found =
            Macro { parameters, body: tokens(body), place: (file.path.clone(), directive.line) };
        let definition = match now {
            Certainty::Yes => Definition::Macro(found),
            _ => Definition::Unsure,
        };
        self.macros.insert(name.to_owned(), definition);
    }

    fn include(&mut self, file: &IncludedFile, rest: &str, now: Certainty, depth: usize) {
        let name = match rest.strip_prefix(['"', '<']) {
            Some(rest) => rest.split(['"', '>']).next().unwrap_or_default().to_owned(),
            None => {
                let expanded = Expansion::new(&self.macros).expand(&tokens(rest));
                let Some(Token::Text(name)) = expanded.first() else { return };
                name.trim_matches('"').to_owned()
            }
        };
        // No file has such a name: tband's headers end a compilation by it.
        if name.contains(' ') {
            self.has_ended |= now == Certainty::Yes;
            return;
        }
        let Some(found) = self.surroundings.find(&file.path, &name) else { return };
        match self.once.get(&found.path) {
            Some(is_certain) if *is_certain || now != Certainty::Yes => {}
            _ if depth < MAX_DEPTH => self.read(&found, now, depth + 1),
            _ => {
                // A compiler ends there, too.
                self.has_ended |= now == Certainty::Yes;
                let limit = format!("more than {MAX_DEPTH} files include each other");
                self.cut.get_or_insert(format!("{}: {limit}", found.path));
            }
        }
    }

    /// Whether a name is a macro.
    fn is_defined(&self, text: &str) -> Certainty {
        let name = first_name(text);
        match self.macros.get(name) {
            Some(Definition::Macro(_)) => Certainty::Yes,
            Some(Definition::Unsure) => Certainty::Maybe,
            None if self.surroundings.is_undefined(name) => Certainty::No,
            None => Certainty::Maybe,
        }
    }

    fn condition(&self, file: &IncludedFile, text: &str) -> Certainty {
        let mut resolved = Vec::new();
        let mut rest = tokens(text).into_iter().peekable();
        while let Some(token) = rest.next() {
            let Token::Name(name) = &token else {
                resolved.push(token);
                continue;
            };
            let is_known = match name.as_str() {
                "defined" => {
                    let is_inside = rest.next_if(|it| it.is("(")).is_some();
                    let Some(Token::Name(name)) = rest.next() else { return Certainty::No };
                    if is_inside {
                        rest.next_if(|it| it.is(")"));
                    }
                    self.is_defined(&name)
                }
                "__has_include" => {
                    rest.next();
                    let found = match rest.next() {
                        Some(Token::Text(name)) => {
                            self.surroundings.find(&file.path, name.trim_matches('"')).is_some()
                        }
                        _ => false,
                    };
                    // A folder of the include path may have the file.
                    while rest.next_if(|it| !it.is(")")).is_some() {}
                    rest.next();
                    if found { Certainty::Yes } else { Certainty::Maybe }
                }
                _ => {
                    resolved.push(token);
                    continue;
                }
            };
            resolved.push(match is_known {
                Certainty::Yes => Token::Number(1),
                Certainty::No => Token::Number(0),
                Certainty::Maybe => Token::Unsure,
            });
        }
        let expanded = Expansion::new(&self.macros).expand(&resolved);
        let name = |name: &str| self.surroundings.is_undefined(name).then_some(0);
        Certainty::of(expression::evaluate(&expanded, &name))
    }

    /// Returns the number that a macro is; `None` if that is not known.
    pub fn number(&self, name: &str) -> Option<i64> {
        let tokens = Expansion::new(&self.macros).expand(&[Token::Name(name.to_owned())]);
        expression::evaluate(&tokens, &|name| self.surroundings.is_undefined(name).then_some(0))
    }
}

/// Returns the name that a condition requires to be undefined: `#ifndef NAME`, `#if !defined(NAME)`.
fn guarded<'l>(directive: &str, rest: &'l str) -> Option<&'l str> {
    let name = match directive {
        "ifndef" => rest,
        "if" => rest.strip_prefix('!')?.trim_start().strip_prefix("defined")?.trim(),
        _ => return None,
    };
    let name = name.strip_prefix('(').and_then(|it| it.strip_suffix(')')).unwrap_or(name).trim();
    Some(name).filter(|it| !it.is_empty() && first_name(it) == *it)
}

/// Whether the next directive defines a name and gives it no value, as it does in a header that may be included more than once.
fn is_guard_definition(mut directives: Directives<'_>, name: &str) -> bool {
    directives.next().is_some_and(|it| it.definition() == Some((name, "")))
}

/// Returns a text without the pair of quotation marks around it. A text may end with a mark that belongs to it.
fn unquoted(text: &str) -> &str {
    text.strip_prefix('"').and_then(|it| it.strip_suffix('"')).unwrap_or(text)
}

/// The name at the beginning of a text.
fn first_name(text: &str) -> &str {
    text.split(|it: char| !it.is_ascii_alphanumeric() && it != '_').next().unwrap_or_default()
}
