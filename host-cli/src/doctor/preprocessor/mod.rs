//! A preprocessor that knows only a part: a project's headers and tband's, but neither the compiler's options nor all included
//! files. It reports the errors of tband's headers that are certain. A condition whose value is not known is neither true nor
//! false, and macros that are defined inside have no certain value.

mod expansion;
mod expression;
#[cfg(test)]
mod tests;
mod tokens;

use std::rc::Rc;

use super::headers::without_comments;
pub use expansion::Definition;
use expansion::{Expansion, Macro, Macros};
use tokens::{Token, tokens};

/// Includes are followed so far.
const MAX_DEPTH: usize = 40;
/// Lines that are read, in all files together.
const MAX_LINES: usize = 400_000;

/// An included file.
pub struct Included {
    /// Its path, for messages and for the files that it includes.
    pub path: String,
    pub text: Rc<str>,
}

/// What surrounds the files.
pub trait Surroundings {
    /// Returns the file that an include in the file `from` finds; `None` if it is not known.
    fn find(&self, from: &str, name: &str) -> Option<Included>;
    /// Whether a name that no file defines is certainly not a macro.
    fn is_undefined(&self, name: &str) -> bool;
}

/// Errors of consecutive lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
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
    pub stops: Vec<Stop>,
    has_ended: bool,
    lines: usize,
}

impl<'s> Preprocessor<'s> {
    pub fn new(surroundings: &'s dyn Surroundings) -> Self {
        let (macros, stops) = (Macros::new(), Vec::new());
        Self { surroundings, macros, stops, has_ended: false, lines: 0 }
    }

    /// Compiles a file.
    pub fn compile(&mut self, file: &Included) {
        self.read(file, Certainty::Yes, 0);
    }

    fn read(&mut self, file: &Included, around: Certainty, depth: usize) {
        let text = without_comments(&file.text);
        let mut branches: Vec<Branches> = Vec::new();
        let mut last_error = 0;
        let mut lines = text.lines().zip(1..);
        while let Some((line, number)) = lines.next() {
            self.lines += 1;
            if self.has_ended || self.lines > MAX_LINES {
                return;
            }
            if !line.trim_start().starts_with('#') {
                continue;
            }
            let mut whole = line.trim_end().to_owned();
            let mut end = number;
            while let Some(kept) = whole.strip_suffix('\\') {
                whole.truncate(kept.len());
                let Some((next, number)) = lines.next() else { break };
                whole += next.trim_end();
                end = number;
            }
            let now = branches.last().map_or(around, |it| it.now);
            let Some(rest) = whole.trim_start().strip_prefix('#') else { continue };
            let rest = rest.trim_start();
            let len = rest.find(|it: char| !it.is_ascii_alphabetic()).unwrap_or(rest.len());
            let (directive, rest) = rest.split_at(len);
            let rest = rest.trim();
            match directive {
                "if" | "ifdef" | "ifndef" => {
                    let is_guard = || {
                        let name =
                            guarded(directive, rest).filter(|it| !self.macros.contains_key(*it));
                        name.is_some_and(|name| defines_next(lines.clone().map(|it| it.0), name))
                    };
                    let is_compiled = match (now, directive) {
                        (Certainty::No, _) => Certainty::No,
                        _ if is_guard() => Certainty::Yes,
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
                    let is_compiled = match (is_reached, directive) {
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
                "define" => self.define(file, number, rest, now),
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
                            self.stops.push(Stop { file, line: number, texts: vec![text] });
                        }
                    }
                    last_error = end;
                }
                _ => {}
            }
        }
    }

    fn define(&mut self, file: &Included, line: usize, rest: &str, now: Certainty) {
        let name = first_name(rest);
        let after = rest.get(name.len()..).unwrap_or_default();
        let (parameters, body) = match after.strip_prefix('(').and_then(|it| it.split_once(')')) {
            Some((names, body)) => {
                (Some(names.split(',').map(|it| it.trim().to_owned()).collect()), body)
            }
            None => (None, after),
        };
        let found = Macro { parameters, body: tokens(body), place: (file.path.clone(), line) };
        let definition = match now {
            Certainty::Yes => Definition::Macro(found),
            _ => Definition::Unsure,
        };
        self.macros.insert(name.to_owned(), definition);
    }

    fn include(&mut self, file: &Included, rest: &str, now: Certainty, depth: usize) {
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
        if depth < MAX_DEPTH
            && let Some(found) = self.surroundings.find(&file.path, &name)
        {
            self.read(&found, now, depth + 1);
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

    fn condition(&self, file: &Included, text: &str) -> Certainty {
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
fn defines_next<'l>(lines: impl Iterator<Item = &'l str>, name: &str) -> bool {
    let mut directives = lines.map(str::trim).filter_map(|line| line.strip_prefix('#'));
    let defined = directives.next().and_then(|it| it.trim_start().strip_prefix("define"));
    defined.is_some_and(|it| it.trim() == name)
}

/// Returns a text without the pair of quotation marks around it. A text may end with a mark that belongs to it.
fn unquoted(text: &str) -> &str {
    text.strip_prefix('"').and_then(|it| it.strip_suffix('"')).unwrap_or(text)
}

/// The name at the beginning of a text.
fn first_name(text: &str) -> &str {
    text.split(|it: char| !it.is_ascii_alphanumeric() && it != '_').next().unwrap_or_default()
}
